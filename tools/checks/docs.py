"""Documents: links lead somewhere, and a translation shows the same commands as its original."""

import posixpath
import re
import urllib.parse

from checks.tree import Finding

NAME = "docs"
SUMMARY = "links and anchors in Markdown lead somewhere; every page of docs/ is in its folder's index; a translation shows the commands of its original"
QUICK = True

_LINK = re.compile(r"!?\[[^\]]*\]\((?P<target>[^)\s]+)(?:\s+\"[^\"]*\")?\)")
_FENCE = re.compile(r"^```(?P<language>\w*)[^\n]*\n(?P<body>.*?)^```", re.MULTILINE | re.DOTALL)
_EXTERNAL = re.compile(r"[a-z][a-z0-9+.-]*:")
# x.zh-CN.md translates x.md.
_TRANSLATION = re.compile(r"\.zh-CN\.md$")


def anchors(text):
    """The anchors that headings get, as code hosts make them: lower case, spaces to dashes, punctuation dropped."""
    found = set()
    for heading in re.findall(r"^#+ +(.+)$", without_code(text), re.MULTILINE):
        words = re.sub(r"[^\w\- ]", "", heading.strip().lower())
        found.add(words.replace(" ", "-"))
    return found | set(re.findall(r'<a (?:id|name)="([^"]+)"', text))


def without_code(text):
    """Code blanked, line numbers kept."""
    blanked = _FENCE.sub(lambda match: "\n" * match.group().count("\n"), text)
    return re.sub(r"`[^`\n]+`", "", blanked)


def check_link(tree, path, line, target):
    if _EXTERNAL.match(target):
        return []
    file_part, _, anchor = target.partition("#")
    resolved = posixpath.normpath(posixpath.join(posixpath.dirname(path), urllib.parse.unquote(file_part))) if file_part else path
    if not (tree.root / resolved).exists() or resolved.startswith(".."):
        return [Finding(path, line, f"({target}): there is no {resolved}")]
    if anchor and resolved.endswith(".md") and urllib.parse.unquote(anchor) not in anchors(tree.text(resolved)):
        return [Finding(path, line, f"({target}): {resolved} has no heading for #{anchor}")]
    return []


def commands(text):
    """Commands to type, without their comments, which are translated. Transcripts (`console`) may differ in language."""
    blocks = [match["body"] for match in _FENCE.finditer(text) if match["language"] in ("sh", "bash")]
    return [re.sub(r"\s+#.*", "", line).strip() for block in blocks for line in block.splitlines() if line.strip()]


def check_translation(tree, path):
    original = _TRANSLATION.sub(".md", path)
    if original not in tree.files():
        return [Finding(path, 0, f"translates {original}, which does not exist")]
    wanted, shown = commands(tree.text(original)), commands(tree.text(path))
    only = [f"`{line}`" for line in wanted if line not in shown] + [f"`{line}`" for line in shown if line not in wanted]
    return [Finding(path, 0, f"shows other commands than {original}: {', '.join(only)}")] if only else []


def check_indexed(tree, path):
    """A page of docs/ that its folder's README does not link is a page that nobody finds."""
    folder, _, name = path.rpartition("/")
    index = f"{folder}/README.md"
    if path == index or not path.startswith("docs/"):
        return []
    targets = {match["target"].partition("#")[0] for match in _LINK.finditer(tree.text(index))} if index in tree.files() else set()
    return [] if name in targets else [Finding(path, 0, f"{index} does not link it")]


def run(tree):
    findings = []
    for path in tree.files(".md"):
        text = without_code(tree.text(path))
        for match in _LINK.finditer(text):
            findings += check_link(tree, path, text.count("\n", 0, match.start()) + 1, match["target"])
        findings += check_indexed(tree, path)
        if _TRANSLATION.search(path):
            findings += check_translation(tree, path)
    return findings
