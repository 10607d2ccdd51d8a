"""The direction of dependencies: every #include and every CMake DEPENDS against the one table in docs/design/layers.md."""

import re

from checks import cpp
from checks.tree import Finding

NAME = "layers"
SUMMARY = "includes and CMake links follow the table of docs/design/layers.md"
QUICK = True

TABLE = "docs/design/layers.md"
_ROW = re.compile(r"^\| `(?P<folder>[\w/]+)` \| (?P<uses>[^|]*) \|")
_MODULE = re.compile(r"\bridge_module\(\s*(?P<name>\w+)(?P<body>[^)]*)\)")
_LIST = re.compile(r"\b(?:set\(|list\(APPEND\s)\s*(?P<name>\w+)\s+(?P<words>[^)]*)\)")
_TEST_LIBRARY = re.compile(r"\badd_library\(ridge_(?P<name>\w+)")
_KEYWORDS = {"SOURCES", "TESTS", "DEPENDS", "LINK", "TEST_DEPENDS"}

# Headers for other people's programs: they include nothing of ours, and belong to no layer.
STANDALONE = "include/ridgepoint"
# Layers whose folders must not see each other.
SPLIT = ("importers", "collectors")
PURE = ("base", "model", "analysis")
IMPURE_HEADERS = {"iostream", "fstream", "filesystem", "cstdio", "stdio.h", "chrono", "ctime", "thread", "unistd.h"}
HEAVY_HEADERS = re.compile(r"(CLI/|nlohmann/|toml\+\+/|toml\.hpp|google/protobuf/|simdjson)|\.pb\.h$")
# Headers that wrap a heavy library for the one source that includes them.
ONE_SOURCE_HEADERS = {"src/base/toml_reader.h"}
VENDOR_HEADERS = re.compile(r"(cuda\w*|cupti\w*|nvml|nvperf\w*|nvrtc|nvtx\w*)\.h$")
VENDOR_FOLDERS = re.compile(r"src/(collectors|microbench/device|lab/kernels)/")


def read_table(tree):
    """{layer: layers it may use}, and {layer/part: parts of the same layer it may use}."""
    text = tree.text(TABLE) if TABLE in tree.files() else ""
    rows = text.partition("<!-- layers:begin -->")[2].partition("<!-- layers:end -->")[0].splitlines()
    matches = [match for match in map(_ROW.match, rows) if match]
    return {match["folder"]: set(re.findall(r"`(\w+)`", match["uses"])) for match in matches}


def layer_of(path):
    """'render' for src/render/text/x.cc and include/ridgepoint/render/x.h; None outside src and include."""
    for prefix in ("src/", "include/ridgepoint/"):
        if path.startswith(prefix) and path.count("/") > prefix.count("/"):
            return path[len(prefix) :].split("/")[0]
    return None


def part_of(path):
    """'importers/ncu' for a file of one format, None for what the formats share and in layers without parts."""
    fields = path.removeprefix("src/").split("/")
    return "/".join(fields[:2]) if fields[0] in SPLIT and len(fields) > 2 else None


class Layers:
    def __init__(self, tree):
        self.tree = tree
        self.allowed = read_table(tree)
        self.paths = set(tree.files())

    def target(self, name):
        """The file that `#include "name"` means here, or None for generated and foreign ones."""
        for candidate in (f"include/{name}", f"src/{name}"):
            if candidate in self.paths:
                return candidate
        return None

    def edge(self, path, line, source, target, how):
        allowed = self.allowed.get(source, set())
        if target == source or target in allowed:
            return []
        uses = ", ".join(sorted(allowed)) or "nothing"
        source = source or path
        return [Finding(path, line, f"`{source}` must not {how} `{target}` (it may use: {uses}; see {TABLE})")]

    def file_findings(self, path):
        source = layer_of(path)
        for line, name, quoted in cpp.includes(self.tree.text(path)):
            if quoted:
                yield from self.quoted_include(path, line, source, name)
            yield from self.foreign_include(path, line, source, name)

    def quoted_include(self, path, line, source, name):
        if path.startswith("include/") and not name.startswith("ridgepoint/"):
            yield Finding(path, line, f'"{name}": a public header includes public headers only')
        if name.startswith("..") or "/../" in name:
            yield Finding(path, line, f'"{name}": name the file from src/ or include/')
        target = self.target(name)
        if target is None or target.rpartition("/")[0] == STANDALONE:
            return
        yield from self.edge(path, line, source, layer_of(target), "include from")
        mine, theirs = part_of(path), part_of(target)
        # What the parts share may know them only in a source: the list of parts is one.
        shared_source = mine is None and path.endswith(".cc")
        named = theirs and theirs.split("/")[1] in self.allowed.get(mine, set())
        if theirs and theirs != mine and source == layer_of(target) and not shared_source and not named:
            yield Finding(path, line, f"`{mine or source}` must not include from `{theirs}`: what both need goes one folder up")

    def foreign_include(self, path, line, source, name):
        if path.endswith(".h") and HEAVY_HEADERS.search(name) and path not in ONE_SOURCE_HEADERS:
            yield Finding(path, line, f"<{name}> is slow to compile: include it in a source")
        if VENDOR_HEADERS.match(name) and not VENDOR_FOLDERS.match(path):
            yield Finding(path, line, f"<{name}>: vendor headers are for collectors and device code")
        pure = source in PURE and not path.endswith("_test.cc") and not re.match(r"src/base/files?(_\w+)?\.", path)
        if pure and name in IMPURE_HEADERS:
            yield Finding(path, line, f"<{name}>: `{source}` does no I/O and asks no clock")

    def cmake_findings(self):
        modules = {}  # name -> (CMakeLists path, line, links of the library, links of its tests)
        for path in self.tree.files("CMakeLists.txt", under="src/"):
            text = without_cmake_comments(self.tree.text(path))
            for match in _MODULE.finditer(text):
                line = cpp.line_of(text, match.start())
                links = {word: expand(words, text) for word, words in keyword_lists(match["body"]).items()}
                modules[match["name"]] = (path, line, links.get("DEPENDS", []), links.get("TEST_DEPENDS", []))
        test_libraries = self.test_libraries()
        for path, line, names, test_names in modules.values():
            for name in names + [name for name in test_names if name not in test_libraries]:
                if name not in modules:
                    yield Finding(path, line, f"DEPENDS {name}: there is no such module")
                    continue
                target = modules[name][0]
                yield from self.edge(path, line, layer_of(path), layer_of(target), "link")
                if part_of(path) != part_of(target) and part_of(target) and layer_of(path) == layer_of(target):
                    yield Finding(path, line, f"`{part_of(path)}` must not link `{part_of(target)}`")

    def test_libraries(self):
        """Libraries that tests share (tests/support): for TEST_DEPENDS only."""
        found = set()
        for path in self.tree.files("CMakeLists.txt", under="tests/"):
            found |= {match["name"] for match in _TEST_LIBRARY.finditer(without_cmake_comments(self.tree.text(path)))}
        return found


def without_cmake_comments(text):
    return re.sub(r"#[^\n]*", "", text)


def keyword_lists(body):
    """{'DEPENDS': [...], ...} of the arguments of a ridge_module call."""
    lists, keyword = {}, None
    for word in body.split():
        if word in _KEYWORDS:
            keyword = word
        elif keyword:
            lists.setdefault(keyword, []).append(word)
    return lists


def expand(words, text):
    """Replaces `${name}` by every word that the file ever puts into that list, whatever the conditions around it."""
    values = {}
    for match in _LIST.finditer(text):
        values.setdefault(match["name"], []).extend(match["words"].split())
    expanded = []
    for word in words:
        name = re.fullmatch(r"\$\{(\w+)\}", word)
        expanded += values.get(name[1], [word]) if name else [word]
    return expanded


def run(tree):
    layers = Layers(tree)
    if not layers.allowed:
        return [Finding(TABLE, 0, "the table of layers is missing")]
    findings = []
    for path in tree.files("", under="include/"):
        if not path.endswith(".h"):
            findings.append(Finding(path, 0, "include/ holds headers only"))
    for path in tree.cpp_files():
        layer = layer_of(path)
        if layer and layer not in layers.allowed:
            findings.append(Finding(path, 0, f"the folder `{layer}` is not in the table of {TABLE}"))
        elif layer or path.rpartition("/")[0] == STANDALONE:
            findings += layers.file_findings(path)
    return findings + list(layers.cmake_findings())
