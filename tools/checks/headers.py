"""Each header, public or private, compiles alone: whoever includes it needs no other include first."""

import concurrent.futures
import shlex

from checks import compile_commands
from checks.tree import Finding, cores

NAME = "headers"
SUMMARY = "each header compiles alone"
QUICK = False


def check_header(tree, flags, path):
    command = ["g++", *flags, "-fsyntax-only", "-x", "c++", "-include", path, "/dev/null"]
    result = tree.run(command)
    if result.returncode == 0:
        return []
    errors = [line for line in result.stdout.splitlines() if "error:" in line] or result.stdout.splitlines()[:1]
    return [Finding(path, 0, f"does not compile alone: {errors[0]} (shown by: {shlex.join(command)})")]


def run(tree):
    flags = compile_commands.language_flags()
    paths = [path for path in tree.files(".h") if path.startswith(("include/", "src/", "tests/"))]
    with concurrent.futures.ThreadPoolExecutor(cores()) as pool:
        return [finding for found in pool.map(lambda path: check_header(tree, flags, path), paths) for finding in found]
