"""File sizes. Long functions are the business of `tidy` (readability-function-size)."""

from checks.tree import Finding

NAME = "sizes"
SUMMARY = "source 800 lines at most, header 400, command 300, test 700; exceptions in tools/checks/size_exceptions.txt"
QUICK = True

EXCEPTIONS = "tools/checks/size_exceptions.txt"


def limit_of(path):
    """The first rule that matches; None for files without a limit."""
    if path.endswith("_test.cc"):
        return 700
    if path.endswith(".h"):
        return 400
    if path.startswith("src/cli/commands/") and path.endswith(".cc"):
        return 300
    if path.endswith((".cc", ".cu")):
        return 800
    return None


def read_exceptions(tree):
    """{path: lines allowed}, and a finding for each entry that is not `path lines reason`."""
    allowed, findings = {}, []
    if EXCEPTIONS not in tree.files():
        return allowed, findings
    for number, line in enumerate(tree.text(EXCEPTIONS).splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = line.split(maxsplit=2)
        if len(fields) < 3 or not fields[1].isdigit():
            findings.append(Finding(EXCEPTIONS, number, "want `path lines reason`"))
        else:
            allowed[fields[0]] = int(fields[1])
    return allowed, findings


def run(tree):
    allowed, findings = read_exceptions(tree)
    for path in tree.cpp_files():
        limit = limit_of(path)
        lines = tree.text(path).count("\n")
        if path in allowed and lines <= limit:
            findings.append(Finding(EXCEPTIONS, 0, f"{path} needs no exception any more ({lines} lines)"))
        if lines > allowed.pop(path, limit):
            findings.append(Finding(path, 0, f"{lines} lines, at most {limit}: split it, or list it with a reason in {EXCEPTIONS}"))
    findings += [Finding(EXCEPTIONS, 0, f"{path} does not exist") for path in allowed]
    return findings
