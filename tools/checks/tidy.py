"""clang-tidy on every source of the build. What passed is remembered in build/tidy/passed by the hash of everything the
answer depends on (the source, the headers of ours it reaches, the compile command, .clang-tidy, the tool's version), so a
second run costs only what changed."""

import concurrent.futures
import functools
import hashlib
import re

from checks import compile_commands, cpp
from checks.tree import Finding, cores

NAME = "tidy"
SUMMARY = "clang-tidy: names, bugprone, performance, functions of 60 lines and complexity 25 at most (results are cached)"
QUICK = False

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


def check_file(tree, path):
    result = tree.run(["clang-tidy", "--quiet", "-p", compile_commands.FOLDER, path])
    findings = {
        Finding(match["path"].removeprefix(f"{tree.root}/"), int(match["line"]), match["text"])
        for match in _MESSAGE.finditer(result.stdout)
    }
    if result.returncode and not findings:
        findings.add(Finding(path, 0, f"clang-tidy failed: {result.stdout.strip()[-500:]}"))
    return findings


def run(tree):
    try:
        commands = compile_commands.configure(tree)
    except RuntimeError as error:
        return [Finding("CMakeLists.txt", 0, f"does not configure: {error}")]
    passed = tree.root / compile_commands.FOLDER / "passed"
    passed.mkdir(exist_ok=True)
    hasher = Hasher(tree, tree.run(["clang-tidy", "--version"]).stdout)
    marks = {path: passed / hasher.of(path, command) for path, command in commands.items()}
    waiting = [path for path, mark in marks.items() if not mark.exists()]

    def check(path):
        found = check_file(tree, path)
        if not found:
            marks[path].touch()
        return found

    findings = set()
    with concurrent.futures.ThreadPoolExecutor(cores()) as pool:
        for found in pool.map(check, waiting):
            findings |= found
    return sorted(findings, key=lambda finding: (finding.path, finding.line))
