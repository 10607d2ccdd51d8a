"""The data files parse. What they must say is held by the unit tests of the code that reads them."""

import json
import tomllib

from checks.tree import Finding

NAME = "data"
SUMMARY = "TOML and JSON files parse; a file of data/machines is called what its id says"
QUICK = True


def check_toml(path, text):
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return [Finding(path, 0, f"not TOML: {error}")]
    name = path.rpartition("/")[2].removesuffix(".toml")
    if path.startswith("data/machines/") and values.get("id", name) != name:
        return [Finding(path, 0, f"its id is {values['id']}: rename one of them")]
    return []


def check_json(path, text):
    try:
        json.loads(text)
    except ValueError as error:
        return [Finding(path, 0, f"not JSON: {error}")]
    return []


def run(tree):
    findings = []
    for path in tree.files(".toml", ".json"):
        if not path.startswith("tests/"):  # tests keep broken files on purpose
            findings += (check_toml if path.endswith(".toml") else check_json)(path, tree.text(path))
    return findings
