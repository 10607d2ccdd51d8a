"""The other text checks: each test plants a fault that the check must find, or a look-alike that it must leave alone."""

import shutil
import unittest

from checks import banned, data, docs, format, sizes, words
from checks.planted import PlantedTree


class SizesTest(PlantedTree):
    def test_finds_a_file_over_its_limit(self):
        self.assert_finds(sizes.run(self.plant({"src/base/a.cc": "\n" * 801})), "801 lines, at most 800")
        self.assertEqual(sizes.run(self.plant({"src/base/a.cc": "\n" * 800})), [])

    def test_each_kind_of_file_has_its_own_limit(self):
        for path, limit in (("src/a.h", 400), ("src/cli/commands/a.cc", 300), ("src/a_test.cc", 700)):
            self.assertEqual(sizes.limit_of(path), limit)

    def test_an_exception_needs_a_reason(self):
        tree = self.plant({"src/base/a.cc": "\n" * 801, sizes.EXCEPTIONS: "src/base/a.cc 900\n"})
        self.assertEqual(len(sizes.run(tree)), 2)

    def test_accepts_a_listed_exception_up_to_its_own_limit(self):
        listed = {sizes.EXCEPTIONS: "src/base/a.cc 900 a table of names\n"}
        self.assertEqual(sizes.run(self.plant({"src/base/a.cc": "\n" * 900, **listed})), [])
        self.assert_finds(sizes.run(self.plant({"src/base/a.cc": "\n" * 901, **listed})), "901 lines")

    def test_finds_an_exception_that_is_not_needed(self):
        listed = {sizes.EXCEPTIONS: "src/base/a.cc 900 a table of names\n"}
        self.assert_finds(sizes.run(self.plant({"src/base/a.cc": "\n", **listed})), "needs no exception any more")


class BannedTest(PlantedTree):
    def names(self, path, text):
        return [str(finding) for finding in banned.check_text(path, text)]

    def test_finds_each_pattern_with_its_replacement(self):
        planted = {
            "stoi": "int a = std::stoi(text);",
            "atoi": "int a = atoi(text);",
            "sprintf": "snprintf(buffer, 3, text);",
            "print": "std::cout << 1;",
            "exit": "std::exit(1);",
            "throw": "throw 1;",
            "format-header": "#include <format>",
            "iostream": "#include <iostream>",
            "getenv": 'std::getenv("HOME");',
            "rand": "int a = rand();",
            "system": 'system("ls");',
            "regex": "#include <regex>",
            "new": "int* a = new int;",
            "endl": "out << std::endl;",
        }
        for name, line in planted.items():
            with self.subTest(name):
                found = self.names("src/base/a.cc", line + "\n")
                self.assertEqual(len(found), 1, found)
                self.assertIn(f"({name})", found[0])
                self.assertIn("; use ", found[0])
        in_headers = ("using-namespace", "nodiscard")
        self.assertEqual({rule.name for rule in banned.BANS}, set(planted) | set(in_headers))

    def test_finds_using_namespace_in_headers_only(self):
        line = "using namespace std;\n"
        self.assertEqual(len(self.names("src/base/a.h", "#pragma once\n" + line)), 1)
        self.assertEqual(self.names("src/base/a.cc", line), [])

    def test_finds_a_result_that_can_be_ignored(self):
        header = "#pragma once\n{}Result<std::vector<int>> read(int a);\n"
        self.assertEqual(len(self.names("src/base/a.h", header.format(""))), 1)
        self.assertEqual(self.names("src/base/a.h", header.format("[[nodiscard]] ")), [])

    def test_finds_a_header_without_guard(self):
        self.assertEqual(len(self.names("src/base/a.h", "int a();\n")), 1)

    def test_leaves_comments_and_literals_alone(self):
        text = '// throw it\n/* new int;\n*/ auto a = "exit(1)"; auto b = R"x(\nthrow "1)x"; char c = \'"\';\n'
        self.assertEqual(self.names("src/base/a.cc", text), [])

    def test_counts_lines_past_comments(self):
        self.assertIn("a.cc:3:", self.names("src/base/a.cc", "/*\n*/\nthrow 1;\n")[0])

    def test_leaves_names_that_contain_a_pattern_alone(self):
        self.assertEqual(self.names("src/base/a.cc", "renew(x); a.exit_status(); throw_away(1); X() = delete;\n"), [])

    def test_an_excuse_needs_the_name_and_a_reason(self):
        self.assertEqual(self.names("src/base/a.cc", "throw 1;  // allow(throw): the parser's own contract\n"), [])
        self.assertEqual(self.names("src/base/a.cc", "// allow(throw): the parser's own contract\nthrow 1;\n"), [])
        self.assertEqual(len(self.names("src/base/a.cc", "throw 1;  // allow(throw):\n")), 1)
        self.assertEqual(len(self.names("src/base/a.cc", "throw 1;  // allow(new): other\n")), 1)

    def test_lets_main_and_tests_do_what_libraries_may_not(self):
        self.assertEqual(self.names("src/cli/main.cc", "std::cerr << 1;\n"), [])
        self.assertEqual(self.names("src/base/a_test.cc", "throw 1;\n"), [])


class WordsTest(PlantedTree):
    def test_finds_paths_addresses_and_unfinished_work(self):
        for line in ("see /home/ann/x.cc", "open('/root/a.txt')", "http://deb.debian.org/x", "// TO" + "DO: later"):
            with self.subTest(line):
                self.assert_finds(words.run(self.plant({"a.md": line + "\n"})), "a.md:1")

    def test_leaves_system_paths_and_ratios_alone(self):
        text = "/usr/include/x.h /proc/cpuinfo /dev/nvidia0 data/machines/x FLOP/work and/home/x\n"
        self.assertEqual(words.run(self.plant({"a.md": text})), [])

    def test_leaves_binary_files_alone(self):
        self.assertEqual(words.run(self.plant({"a.bin": "\0 /home/ann/x\n"})), [])


class DocsTest(PlantedTree):
    def test_finds_a_link_to_nowhere(self):
        self.assert_finds(docs.run(self.plant({"a.md": "\n[x](b.md)\n"})), "a.md:2", "there is no b.md")

    def test_finds_an_anchor_to_nowhere(self):
        tree = self.plant({"a.md": "[x](b.md#two)\n", "b.md": "# One\n"})
        self.assert_finds(docs.run(tree), "no heading for #two")

    def test_accepts_files_folders_anchors_and_addresses(self):
        text = "[a](docs/b.md#how-it-works-now) [b](docs) [c](https://example.com/x) [d](#here)\n# Here\n"
        pages = {"docs/b.md": "## How it works, now\n", "docs/README.md": "[b](b.md)\n"}
        self.assertEqual(docs.run(self.plant({"a.md": text, **pages})), [])

    def test_finds_a_page_that_its_index_does_not_link(self):
        self.assert_finds(docs.run(self.plant({"docs/b.md": "", "docs/README.md": ""})), "docs/README.md does not link it")

    def test_leaves_links_in_code_alone(self):
        self.assertEqual(docs.run(self.plant({"a.md": "```\n[x](b.md)\n```\n`[x](b.md)`\n"})), [])

    def test_finds_a_translation_with_other_commands(self):
        original = "```sh\nmake demo  # builds\n```\n"
        same = "```sh\nmake demo  # 构建\n```\n"
        self.assertEqual(docs.run(self.plant({"a.md": original, "a.zh-CN.md": same})), [])
        other = self.plant({"a.md": original, "a.zh-CN.md": "```sh\nmake test\n```\n"})
        self.assert_finds(docs.run(other), "shows other commands", "make demo", "make test")


class DataTest(PlantedTree):
    def test_finds_files_that_do_not_parse(self):
        self.assert_finds(data.run(self.plant({"data/a.toml": "x = \n"})), "not TOML")
        self.assert_finds(data.run(self.plant({"data/a.toml": "x = 1\n", "b.json": "{"})), "not JSON")

    def test_finds_a_machine_under_another_name(self):
        self.assert_finds(data.run(self.plant({"data/machines/a.toml": 'id = "b"\n'})), "its id is b")


@unittest.skipUnless(shutil.which("clang-format"), "clang-format is not installed")
class FormatTest(PlantedTree):
    def test_finds_a_file_that_is_not_formatted(self):
        config = {".clang-format": "BasedOnStyle: Google\n"}
        self.assert_finds(format.run(self.plant({"src/a.cc": "int  a ;\n", **config})), "src/a.cc:1: not formatted")
        self.assertEqual(format.run(self.plant({"src/a.cc": "int a;\n", **config})), [])
