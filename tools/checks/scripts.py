"""The tools themselves: they parse, and each check finds what it is for (tools/checks/*_test.py)."""

import sys

from checks.tree import Finding

NAME = "scripts"
SUMMARY = "shell scripts parse, and the checks' own tests pass: each plants a fault that its check must find"
QUICK = True


def is_shell(tree, path):
    return path.endswith(".sh") or (path.startswith(("tools/", ".ci/")) and tree.text(path).startswith("#!/bin/bash"))


def run(tree):
    findings = []
    for path in tree.files():
        if (path.startswith(("tools/", ".ci/")) or path.endswith(".sh")) and is_shell(tree, path):
            result = tree.run(["bash", "-n", path])
            if result.returncode:
                findings.append(Finding(path, 0, result.stdout.strip()))
    command = [sys.executable, "-B", "-m", "unittest", "discover", "-s", "tools", "-t", "tools", "-p", "*_test.py"]
    tests = tree.run(command)
    if tests.returncode:
        findings.append(Finding("tools/checks", 0, tests.stdout.strip()[-3000:]))
    elif "Ran 0 tests" in tests.stdout:
        findings.append(Finding("tools/checks", 0, "no test was found"))
    return findings
