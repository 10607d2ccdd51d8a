"""clang-tidy on every source of the build. Answers are kept in build/tidy/answers under the hash of everything they depend
on (the source, the headers of ours it reaches, the compile command, .clang-tidy, the tool's version), so a second run costs
only what changed."""

import concurrent.futures
import functools
import hashlib
import re

from checks import compile_commands, cpp
from checks.tree import Finding, cores

NAME = "tidy"
SUMMARY = "clang-tidy: names, bugprone, performance, functions of 60 lines and complexity 25 at most (results are cached)"
QUICK = False

# A message about code that the compiler made up has no place.
_MESSAGE_WITHOUT_PLACE = re.compile(r"^error: (?P<text>.*)$", re.MULTILINE)
_MESSAGE = re.compile(r"^(?P<path>/[^:\n]+):(?P<line>\d+):\d+: (?:error|warning): (?P<text>.*)$", re.MULTILINE)


class Hasher:
    """The hash of a source and of every header of this tree that it reaches."""

    def __init__(self, tree, version):
        self.tree = tree
        self.paths = set(tree.files())
        self.base = version + tree.text(".clang-tidy")

    @functools.cache
    def reached(self, path):
        found = set()
        for _, name, quoted in cpp.includes(self.tree.text(path)):
            if not quoted:
                continue
            for candidate in (f"include/{name}", f"src/{name}", f"{path.rpartition('/')[0]}/{name}"):
                if candidate in self.paths:
                    found.add(candidate)
                    break
        return found

    def closure(self, path):
        seen, waiting = {path}, [path]
        while waiting:
            for name in self.reached(waiting.pop()) - seen:
                seen.add(name)
                waiting.append(name)
        return sorted(seen)

    def of(self, path, command):
        digest = hashlib.sha256((self.base + command).encode())
        for name in self.closure(path):
            digest.update(name.encode() + b"\0" + self.tree.text(name).encode())
        return digest.hexdigest()


def ask(tree, path):
    """What clang-tidy says of one file, as `path:line: text` lines; empty if it is content."""
    result = tree.run(["clang-tidy", "--quiet", "-p", compile_commands.FOLDER, path])
    lines = {
        f"{match['path'].removeprefix(f'{tree.root}/')}:{match['line']}: {match['text']}"
        for match in _MESSAGE.finditer(result.stdout)
    }
    lines |= {f"{path}:0: {match['text']}" for match in _MESSAGE_WITHOUT_PLACE.finditer(result.stdout)}
    if result.returncode and not lines:
        raise RuntimeError(f"clang-tidy failed: {result.stdout.strip()[-500:]}")
    return "\n".join(sorted(lines))


def cached(answer, question):
    """The text in the file `answer`, or else that of question(), which is put there whole or not at all."""
    if answer.exists():
        return answer.read_text(encoding="utf-8")
    text = question()
    partial = answer.with_suffix(".partial")
    partial.write_text(text, encoding="utf-8")
    partial.rename(answer)
    return text


def parse(line):
    path, number, text = line.split(":", 2)
    return Finding(path, int(number), text.strip())


def run(tree):
    try:
        commands = compile_commands.configure(tree)
    except RuntimeError as error:
        return [Finding("CMakeLists.txt", 0, f"does not configure: {error}")]
    answers = tree.root / compile_commands.FOLDER / "answers"
    answers.mkdir(exist_ok=True)
    hasher = Hasher(tree, tree.run(["clang-tidy", "--version"]).stdout)

    def check(path):
        try:
            return cached(answers / hasher.of(path, commands[path]), lambda: ask(tree, path))
        except RuntimeError as error:
            return f"{path}:0: {' '.join(str(error).split())}"

    with concurrent.futures.ThreadPoolExecutor(cores()) as pool:
        lines = {line for text in pool.map(check, commands) for line in text.splitlines()}
    return sorted(map(parse, lines), key=lambda finding: (finding.path, finding.line))
