#!/usr/bin/env python3
"""Runs golden files: each holds its own command, input files and what the program must answer.

  run_golden.py --ridge PATH [--update] FILE.golden...

A file reads

  # What this shows.
  $ ridge report a.csv --top 1
  === file a.csv
  ...
  === stdout
  ...
  === stderr
  ...
  === exit 2

The command is a line for sh, run in an empty folder that holds the `file` sections and a link `examples` to the
repository's recordings; `ridge` is the program under test. Sections that are absent are empty, and the exit status is
then 0. `as nobody` before the command runs it without root's rights; `needs PATH` skips the test where PATH is missing.
A text section ends at the next `===` line; a final newline is part of it unless its title ends in `no-newline`.
Placeholders stand for what differs between runs: {version}, {folder} (where it runs), {number} (any digits), and for
what an editor would not show: {cr}, {esc}.

Exits 1 with a diff if an answer differs, 77 if every test was skipped. --update writes the answers into the files.
"""

import argparse
import dataclasses
import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
NOBODY = 65534
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TIMEOUT_S = 120


@dataclasses.dataclass
class Golden:
    head: list  # lines before the first section, the command among them
    command: str
    as_nobody: bool
    needs: list
    files: dict
    answers: dict  # "stdout", "stderr", "exit"


def parse(text):
    golden = Golden([], "", False, [], {}, {"stdout": "", "stderr": "", "exit": "0"})
    section = None
    body = []
    for line in text.removesuffix("\n").split("\n") + ["==="]:
        if not line.startswith("==="):
            (golden.head if section is None else body).append(line)
            continue
        if section is not None:
            close(golden, section, body)
        section, body = line[3:].split(), []
    for line in golden.head:
        if line.startswith("$ "):
            golden.command = line[2:]
        elif line == "as nobody":
            golden.as_nobody = True
        elif line.startswith("needs "):
            golden.needs.append(line[6:])
    if not golden.command:
        raise ValueError("no command")
    return golden


def close(golden, section, body):
    newline = "" if section[-1] == "no-newline" or not body else "\n"
    content = "\n".join(body) + newline
    if section[0] == "file":
        golden.files[section[1]] = content
    elif section[0] == "exit":
        golden.answers["exit"] = section[1]
    elif section[0] in ("stdout", "stderr"):
        golden.answers[section[0]] = content
    else:
        raise ValueError("unknown section " + section[0])


def unstable(text, version, folder):
    """Replaces what differs between runs, and what cannot be seen."""
    for value, name in ((version, "{version}"), (str(folder), "{folder}")):
        text = re.sub(r"(?<![\w.])" + re.escape(value) + r"(?![\w])", name, text)
    return text.replace("\r", "{cr}").replace("\x1b", "{esc}")


def matches(expected, actual):
    if expected == actual:
        return True
    pattern = re.escape(expected).replace(re.escape("{number}"), "[0-9]+")
    return re.fullmatch(pattern, actual) is not None


def environment(ridge, folder):
    keep = {k: v for k, v in os.environ.items() if k.endswith("SAN_OPTIONS")}
    path = str(pathlib.Path(ridge).parent) + os.pathsep + os.environ.get("PATH", os.defpath)
    return {**keep, "PATH": path, "HOME": str(folder), "LC_ALL": "C.UTF-8"}


def user_of(golden):
    """Arguments that make subprocess run as nobody; None if this test must be skipped."""
    if not golden.as_nobody or os.geteuid() != 0:
        return {}
    return {"user": NOBODY, "group": NOBODY, "extra_groups": []}


def run(golden, ridge, folder, user):
    folder.chmod(0o777)
    for name, content in golden.files.items():
        (folder / name).write_bytes(content.encode("utf-8", "surrogateescape"))
    (folder / "examples").symlink_to(ROOT / "examples")
    done = subprocess.run(["/bin/sh", "-c", golden.command], cwd=folder, env=environment(ridge, folder),
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT_S, check=False, **user)
    decode = lambda data: data.decode("utf-8", "surrogateescape")
    return {"stdout": decode(done.stdout), "stderr": decode(done.stderr), "exit": str(done.returncode)}


def reason_to_skip(golden, ridge, user):
    for path in golden.needs:
        if not (ROOT / path).exists():
            return f"{path} is not here"
    if user:
        probe = subprocess.run([ridge, "--version"], capture_output=True, check=False, **user)
        if probe.returncode != 0:
            return "another user cannot run the program where it lies"
    return ""


def render(golden, answers):
    """The file again, with these answers."""
    lines = list(golden.head)
    for name, content in golden.files.items():
        lines += section_lines("file " + name, content)
    for name in ("stdout", "stderr"):
        if answers[name]:
            lines += section_lines(name, answers[name])
    if answers["exit"] != "0":
        lines.append("=== exit " + answers["exit"])
    return "\n".join(lines) + "\n"


def section_lines(title, content):
    ends = content.endswith("\n") or not content
    body = content[:-1] if ends else content
    return ["=== " + title + ("" if ends else " no-newline")] + (body.split("\n") if content else [])


def differences(expected, actual):
    result = []
    for name in ("stdout", "stderr", "exit"):
        if matches(expected[name], actual[name]):
            continue
        result += difflib.unified_diff(expected[name].split("\n"), actual[name].split("\n"), "expected " + name,
                                       "actual " + name, lineterm="")
        result.append("")
    return result


def check(path, ridge, version, update):
    """Returns "passed", "skipped", "updated" or "failed", after printing why."""
    text = path.read_bytes().decode("utf-8", "surrogateescape")
    golden = parse(text)
    user = user_of(golden)
    skip = reason_to_skip(golden, ridge, user)
    if skip:
        print(f"{path.name}: skipped: {skip}")
        return "skipped"
    folder = pathlib.Path(tempfile.mkdtemp(prefix="golden-"))
    try:
        actual = run(golden, ridge, folder, user)
        actual = {name: unstable(answer, version, folder) for name, answer in actual.items()}
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    difference = differences(golden.answers, actual)
    if not difference:
        return "passed"
    if update:
        path.write_bytes(render(golden, actual).encode("utf-8", "surrogateescape"))
        print(f"{path.name}: updated")
        return "updated"
    print(f"{path.name}: $ {golden.command}")
    print("\n".join(difference).encode("utf-8", "backslashreplace").decode("utf-8"))
    return "failed"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ridge", required=True, help="the program under test")
    parser.add_argument("--update", action="store_true", help="write what the program answers into the files")
    parser.add_argument("files", nargs="+", type=pathlib.Path, metavar="FILE.golden")
    options = parser.parse_args()
    ridge = str(pathlib.Path(options.ridge).resolve())
    version = subprocess.run([ridge, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    results = [check(path, ridge, version, options.update) for path in options.files]
    if "failed" in results:
        return 1
    return SKIPPED if set(results) == {"skipped"} else 0


if __name__ == "__main__":
    sys.exit(main())
