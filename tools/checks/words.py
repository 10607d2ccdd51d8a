"""What must not be in the tree at all, in any text file: traces of one person's machine and of unfinished work."""

import re

from checks.tree import Finding

NAME = "words"
SUMMARY = "no paths of somebody's machine, no package download addresses, no credentials, no unfinished-work marks"
QUICK = True

# Absolute paths are fine where every Linux machine has them (/usr, /proc, /dev ...); these hold what one person put there.
# A name of one letter stands for anybody: tests and examples may have it.
PERSONAL_PATHS = re.compile(r"(?:^|(?<=[\s\"'`(=:]))/(?:home|root|work|workspace|mnt|media|srv|data|scratch|Users)/[A-Za-z0-9_.-]{2,}")

RULES = [
    (re.compile(r"https?://(?:registry\.|deb\.|archive\.|mirror|files\.pythonhosted|security\.debian|proxy\.golang)[\w./-]*"),
     "a package download address: name the package only"),
    (re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----|\bgh[pousr]_[A-Za-z0-9]{30,}|\bAKIA[0-9A-Z]{16}\b"), "a credential"),
    (re.compile(r"\b(?:TODO|FIXME|XXX|HACK)\b"), "unfinished work: do it, or describe the limit in docs/"),
]
# Foreign bytes kept as evidence, and this list itself.
EXEMPT = re.compile(r"tests/(data|golden|fuzz/corpus)/|examples/.*\.(csv|json)$|tools/checks/(words|checks_test)\.py$|LICENSE$")


def check_line(path, number, line):
    for match in PERSONAL_PATHS.finditer(line):
        yield Finding(path, number, f"{match.group()}: a path of one machine; make it relative or an option")
    for pattern, message in RULES:
        for match in pattern.finditer(line):
            yield Finding(path, number, f"{match.group()}: {message}")


def run(tree):
    findings = []
    for path in tree.files():
        if EXEMPT.match(path) or not tree.is_text(path):
            continue
        for number, line in enumerate(tree.text(path).splitlines(), 1):
            findings += check_line(path, number, line)
    return findings
