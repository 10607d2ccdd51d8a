"""tools/setup against stand-ins for dpkg-query and apt-get: what it asks for, and when it asks for nothing."""

import os
import pathlib
import subprocess
import tempfile
import unittest

SETUP = pathlib.Path(__file__).resolve().parent.parent / "setup"
QUERY = """#!/bin/bash
status=0
for name in "${@:3}"; do
  if grep -qxF -- "$name" "$(dirname "$0")/installed"; then echo "$name installed"; else status=1; fi
done
exit $status
"""
APT = """#!/bin/bash
echo "$*" >> "$(dirname "$0")/apt.log"
"""


class SetupTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.script("dpkg-query", QUERY)
        self.script("apt-get", APT)
        self.install()

    def script(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")
        (self.folder / name).chmod(0o755)

    def install(self, *names):
        (self.folder / "installed").write_text("".join(f"{name}\n" for name in names), encoding="utf-8")

    def setup(self, *arguments, uid=0, query="dpkg-query", apt="apt-get"):
        environment = {
            **os.environ,
            "RIDGE_DPKG_QUERY": str(self.folder / query),
            "RIDGE_APT_GET": str(self.folder / apt),
            "RIDGE_UID": str(uid),
        }
        return subprocess.run([SETUP, *arguments], env=environment, capture_output=True, text=True, check=False)

    def apt_calls(self):
        log = self.folder / "apt.log"
        return log.read_text(encoding="utf-8").splitlines() if log.exists() else []

    def every_package(self, group):
        entries = self.setup("--list", group).stdout.split()
        return [entry.split("|")[-1] for entry in entries]

    def test_asks_for_nothing_when_everything_is_there(self):
        self.install(*self.every_package("check"))
        result = self.setup("check", uid=1000)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
        self.assertEqual(self.apt_calls(), [])

    def test_installs_exactly_what_is_missing(self):
        self.install(*(name for name in self.every_package("build") if name not in ("g++", "cmake")))
        self.assertEqual(self.setup("build").returncode, 0)
        update, install = self.apt_calls()
        self.assertTrue(update.endswith(" update"), update)
        self.assertTrue(install.endswith(" install --no-install-recommends g++ cmake"), install)

    def test_one_of_two_alternatives_is_enough(self):
        names = self.every_package("build")
        self.install(*names)
        self.assertEqual(self.setup("build").returncode, 0)
        self.install(*("pkg-config" if name == "pkgconf" else name for name in names))
        self.assertEqual(self.setup("build").returncode, 0)
        self.assertEqual(self.apt_calls(), [])

    def test_prints_the_command_to_a_user_without_root(self):
        self.install(*(name for name in self.every_package("test") if name != "libgtest-dev"))
        result = self.setup("test", uid=1000)
        self.assertEqual(result.returncode, 4)
        self.assertEqual(len(result.stderr.splitlines()), 1)
        self.assertIn("sudo apt-get install -y --no-install-recommends libgtest-dev'", result.stderr)
        self.assertEqual(self.apt_calls(), [])

    def test_a_group_brings_the_groups_below_it_and_no_other(self):
        build, test = self.every_package("build"), self.every_package("test")
        self.assertLess(set(build), set(test))
        self.assertNotIn("clang", test)

    def test_passes_on_that_the_installation_failed(self):
        self.script("failing", "#!/bin/bash\necho 'E: no such package'\nexit 100\n")
        result = self.setup("build", apt="failing")
        self.assertEqual(result.returncode, 4)
        self.assertIn("E: no such package", result.stderr)

    def test_says_what_is_needed_where_there_is_no_dpkg(self):
        result = self.setup("build", query="absent")
        self.assertEqual(result.returncode, 0)
        self.assertIn("libfmt-dev", result.stderr)

    def test_rejects_an_unknown_group(self):
        self.assertEqual(self.setup("everything").returncode, 2)
        self.assertEqual(self.setup().returncode, 2)
