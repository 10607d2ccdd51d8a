"""Just enough C++ reading for the checks: text without comments and literals, and includes."""

import re

_TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<tag>[^()\s\\]{0,16})\(.*?\)(?P=tag)"'
    r'|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\'',
    re.DOTALL,
)
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?P<name><[^>\n]+>|"[^"\n]+")', re.MULTILINE)


def code_only(text):
    """The text with comments and the insides of literals blanked; line numbers stay. Include lines keep their names."""

    def blank(match):
        start = text.rfind("\n", 0, match.start()) + 1
        if match.group().startswith('"') and text[start : match.start()].lstrip().startswith("#"):
            return match.group()
        return re.sub(r"[^\n]", " ", match.group())

    return _TOKEN.sub(blank, text)


def includes(text):
    """(line, name, quoted) of every include, e.g. (3, 'ridgepoint/base/units.h', True)."""
    for match in _INCLUDE.finditer(text):
        name = match.group("name")
        yield text.count("\n", 0, match.start()) + 1, name[1:-1], name.startswith('"')


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1
