"""A throw-away tree for the checks' tests."""

import pathlib
import tempfile
import unittest

from checks.tree import Tree


class PlantedTree(unittest.TestCase):
    """plant() writes files into an empty folder and gives it as a Tree."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def plant(self, files):
        for path, text in files.items():
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_text(text, encoding="utf-8")
        return Tree(self.root)

    def assert_finds(self, findings, *parts):
        """Exactly one finding, and its text holds every part."""
        self.assertEqual(len(findings), 1, [str(finding) for finding in findings])
        for part in parts:
            self.assertIn(part, str(findings[0]))
