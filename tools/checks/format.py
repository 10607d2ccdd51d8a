"""clang-format, in batches on all cores."""

import concurrent.futures
import re

from checks.tree import Finding, cores

NAME = "format"
SUMMARY = "clang-format leaves every C++ file as it is (repair: clang-format -i FILE)"
QUICK = True

_MESSAGE = re.compile(r"^(?P<path>[^:\n]+):(?P<line>\d+):\d+: error: code should be clang-formatted", re.MULTILINE)


def check_batch(tree, paths):
    result = tree.run(["clang-format", "--dry-run", "-Werror", "--ferror-limit=1", *paths])
    found = {match["path"]: int(match["line"]) for match in _MESSAGE.finditer(result.stdout)}
    findings = [Finding(path, line, f"not formatted: clang-format -i {path}") for path, line in found.items()]
    if result.returncode and not findings:
        findings.append(Finding(paths[0], 0, f"clang-format failed: {result.stdout.strip()[:300]}"))
    return findings


def run(tree):
    paths = tree.cpp_files()
    batches = [paths[start : start + 20] for start in range(0, len(paths), 20)]
    with concurrent.futures.ThreadPoolExecutor(cores()) as pool:
        return [finding for found in pool.map(lambda batch: check_batch(tree, batch), batches) for finding in found]
