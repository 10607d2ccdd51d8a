"""The tree under check: its files, their text, and programs run in it. Checks see the tree through this class only, so a
test can hand them a planted one."""

import dataclasses
import os
import pathlib
import shutil
import subprocess

CPP_SUFFIXES = (".h", ".cc", ".cu")
SKIPPED_FOLDERS = {".git", "build", "node_modules", "__pycache__", ".ccache"}


@dataclasses.dataclass(frozen=True)
class Finding:
    path: str
    line: int  # 0: the file as a whole
    message: str

    def __str__(self):
        return f"{self.path}:{self.line}: {self.message}" if self.line else f"{self.path}: {self.message}"


class MissingTool(Exception):
    """A program that a check needs is not installed."""


class Tree:
    def __init__(self, root):
        self.root = pathlib.Path(root)
        self._files = None
        self._texts = {}

    def files(self, *suffixes, under=""):
        """Paths relative to the root, sorted: what git tracks or would track, or without git everything but builds."""
        if self._files is None:
            self._files = sorted(self._list())
        return [
            path for path in self._files if (not suffixes or path.endswith(suffixes)) and path.startswith(under)
        ]

    def cpp_files(self):
        return [path for path in self.files(*CPP_SUFFIXES)]

    def text(self, path):
        if path not in self._texts:
            self._texts[path] = (self.root / path).read_text(encoding="utf-8", errors="replace")
        return self._texts[path]

    def is_text(self, path):
        with open(self.root / path, "rb") as file:
            return b"\0" not in file.read(4096)

    def run(self, command, **options):
        """Runs a program in the root; its CompletedProcess with stdout and stderr joined in stdout."""
        if not shutil.which(command[0], path=f"{self.root}:{os.environ.get('PATH', '')}"):
            raise MissingTool(command[0])
        return subprocess.run(
            command, cwd=self.root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **options
        )

    def _list(self):
        if (self.root / ".git").exists() and shutil.which("git"):
            # safe.directory: the checkout may belong to somebody else, and listing its files runs nothing of theirs.
            listed = self.run(
                ["git", "-c", f"safe.directory={self.root}", "ls-files", "-z", "-co", "--exclude-standard"]
            )
            if listed.returncode == 0:
                return [path for path in listed.stdout.split("\0") if path and (self.root / path).is_file()]
        return list(self._walk())

    def _walk(self):
        for folder, folders, names in os.walk(self.root):
            folders[:] = [name for name in folders if name not in SKIPPED_FOLDERS]
            for name in names:
                yield str(pathlib.Path(folder, name).relative_to(self.root))


def cores():
    return len(os.sched_getaffinity(0))
