"""Patterns that have a better replacement here. A line may be excused: `// allow(NAME): reason` on it or the line above."""

import dataclasses
import re

from checks import cpp
from checks.tree import Finding

NAME = "banned"
SUMMARY = "patterns with a better replacement: std::stoi, printf in libraries, exit, throw, using namespace in headers..."
QUICK = True

# The one place that may talk to the process: arguments, standard streams, environment, exit status.
PROGRAM_EDGE = re.compile(r"src/cli/(main|surroundings)\.cc$")
PRODUCT = re.compile(r"(src|include)/(?!.*_test\.cc$)")
HEADERS = re.compile(r".*\.h$")
ANYWHERE = re.compile(r"")


@dataclasses.dataclass(frozen=True)
class Ban:
    name: str
    where: re.Pattern
    pattern: re.Pattern
    reason: str
    instead: str


def ban(name, where, pattern, reason, instead):
    return Ban(name, where, re.compile(pattern, re.MULTILINE), reason, instead)


BANS = [
    ban("stoi", ANYWHERE, r"\bstd::sto(i|l|ll|ul|ull|f|d|ld)\b", "throws, and follows the locale", "std::from_chars"),
    ban("atoi", ANYWHERE, r"\b(ato(i|l|ll|f)|strto(l|ll|ul|ull|f|d|ld)|sscanf)\s*\(",
        "hides errors or follows the locale", "std::from_chars"),
    ban("sprintf", ANYWHERE, r"\b(v?sprintf|v?snprintf|strcpy|strcat|gets|strtok)\s*\(",
        "unbounded or easily cut short", "fmt::format"),
    ban("print", PRODUCT, r"\b(v?f?printf|puts|fputs|putchar|perror|fmt::print)\s*\(|\bstd::(cout|cerr|clog)\b",
        "libraries do not print", "return the text, or write to Context::out in a command"),
    ban("exit", PRODUCT, r"\b(exit|_exit|_Exit|quick_exit|abort|std::terminate)\s*\(",
        "libraries do not end the program", "return an Error"),
    ban("throw", PRODUCT, r"\bthrow\b", "failures cross module edges as values", "Result<T> and fail()"),
    ban("using-namespace", HEADERS, r"\busing\s+namespace\b", "leaks names into every includer", "qualified names"),
    ban("format-header", ANYWHERE, r"#\s*include\s*<(format|ranges|print|expected)>|\bstd::(views|ranges::views|format)\b",
        "g++ 12 or clang 14 cannot compile it", "fmt, tl::expected, a loop"),
    ban("iostream", PRODUCT, r"#\s*include\s*<iostream>", "brings the global streams", "<ostream>, <istream> or <sstream>"),
    ban("getenv", PRODUCT, r"\b(std::)?(getenv|setenv|putenv)\s*\(", "hidden input", "Context::environment"),
    ban("rand", ANYWHERE, r"\b(std::)?s?rand\s*\(", "neither good nor repeatable", "<random> with a fixed seed"),
    ban("system", PRODUCT, r"\b(std::)?(system|popen)\s*\(", "a shell reads data as commands", "no subprocess"),
    ban("regex", PRODUCT, r"\bstd::regex\b|#\s*include\s*<regex>", "overflows the stack on long foreign input",
        "a hand-written scanner"),
    ban("new", PRODUCT, r"\bnew\s+[\w:]+|\bdelete\s+\w+|\bdelete\s*\[\]|\b(malloc|free)\s*\(",
        "somebody must remember to release it", "a container, std::make_unique"),
    ban("endl", ANYWHERE, r"\bstd::endl\b", "flushes each line", "'\\n'"),
    ban("nodiscard", re.compile(r"(src|include)/.*\.h$"),
        r"^[ \t]*(?:(?:virtual|static|inline|friend|constexpr)\s+)*Result<[^;{}()=]*>\s+\w+\(",
        "an ignored Result is an ignored error", "[[nodiscard]] before it"),
]

_ALLOW = re.compile(r"//\s*allow\((?P<name>[\w-]+)\):\s*\S")


def excused(lines, number, name):
    for line in lines[max(0, number - 2) : number]:
        match = _ALLOW.search(line)
        if match and match["name"] == name:
            return True
    return False


def check_text(path, text):
    code = cpp.code_only(text)
    lines = text.splitlines()
    for rule in BANS:
        if not rule.where.match(path) or (rule.where is PRODUCT and PROGRAM_EDGE.match(path)):
            continue
        for match in rule.pattern.finditer(code):
            number = cpp.line_of(code, match.start() + len(match.group()) - len(match.group().lstrip()))
            if not excused(lines, number, rule.name):
                what = " ".join(match.group().split()) or rule.name
                yield Finding(path, number, f"`{what}` ({rule.name}): {rule.reason}; use {rule.instead}")
    if path.endswith(".h") and not re.search(r"^#pragma once$", code, re.MULTILINE):
        yield Finding(path, 1, "no `#pragma once`")


def run(tree):
    return [finding for path in tree.cpp_files() for finding in check_text(path, tree.text(path))]
