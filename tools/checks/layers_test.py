"""Each test plants one forbidden edge, or an allowed one."""

from checks import layers
from checks.planted import PlantedTree

TABLE = """# Layers
<!-- layers:begin -->
| folder | may use | holds |
|---|---|---|
| `base` | nothing | leaf |
| `model` | `base` | pure |
| `render` | `base` `model` | output |
| `importers` | `base` `model` | input |
<!-- layers:end -->
"""


class LayersTest(PlantedTree):
    def findings(self, files):
        return layers.run(self.plant({"docs/design/layers.md": TABLE, "include/ridgepoint/base/x.h": "", **files}))

    def test_accepts_an_edge_of_the_table(self):
        self.assertEqual(self.findings({"src/render/a.cc": '#include "ridgepoint/base/x.h"\n'}), [])

    def test_finds_an_include_against_the_direction(self):
        found = self.findings({"src/render/r.h": "", "src/model/a.cc": '\n#include "render/r.h"\n'})
        self.assert_finds(found, "src/model/a.cc:2", "`model` must not include from `render`")

    def test_finds_an_include_of_a_public_header_against_the_direction(self):
        found = self.findings({"include/ridgepoint/model/m.h": "", "src/base/a.cc": '#include "ridgepoint/model/m.h"\n'})
        self.assert_finds(found, "`base` must not include from `model`")

    def test_accepts_a_header_for_other_programs_everywhere(self):
        files = {"include/ridgepoint/range.h": "#include <chrono>\n", "src/importers/ncu/a_test.cc": '#include "ridgepoint/range.h"\n'}
        self.assertEqual(self.findings(files), [])

    def test_finds_a_header_for_other_programs_that_needs_ours(self):
        found = self.findings({"include/ridgepoint/range.h": '#include "ridgepoint/base/x.h"\n'})
        self.assert_finds(found, "include/ridgepoint/range.h:1", "must not include from `base`")

    def test_holds_tests_to_the_same_edges(self):
        found = self.findings({"src/render/r.h": "", "src/importers/ncu/a_test.cc": '#include "render/r.h"\n'})
        self.assert_finds(found, "`importers` must not include from `render`")

    def test_finds_a_cmake_link_against_the_direction(self):
        found = self.findings(
            {
                "src/base/CMakeLists.txt": "ridge_module(base\n  SOURCES a.cc\n  DEPENDS model)\n",
                "src/model/CMakeLists.txt": "ridge_module(model DEPENDS base)\n",
            }
        )
        self.assert_finds(found, "src/base/CMakeLists.txt:1", "`base` must not link `model`")

    def test_finds_a_link_of_a_test_program_against_the_direction(self):
        found = self.findings(
            {
                "src/render/CMakeLists.txt": "ridge_module(render DEPENDS model TEST_DEPENDS ncu)\n",
                "src/model/CMakeLists.txt": "ridge_module(model)\n",
                "src/importers/ncu/CMakeLists.txt": "ridge_module(ncu)\n",
            }
        )
        self.assert_finds(found, "`render` must not link `importers`")

    def test_finds_a_link_to_a_module_that_does_not_exist(self):
        self.assert_finds(self.findings({"src/base/CMakeLists.txt": "ridge_module(base DEPENDS util)\n"}), "no such module")

    def test_finds_a_folder_that_is_not_in_the_table(self):
        self.assert_finds(self.findings({"src/util/a.cc": "int a;\n"}), "`util` is not in the table")

    def test_finds_one_format_that_includes_another(self):
        found = self.findings({"src/importers/ncu/n.h": "", "src/importers/nsys/a.cc": '#include "importers/ncu/n.h"\n'})
        self.assert_finds(found, "`importers/nsys` must not include from `importers/ncu`")

    def test_accepts_a_neighbour_that_a_row_of_the_table_names(self):
        row = "| `importers/nsys` | `ncu` | a row of its own |\n<!-- layers:end -->"
        files = {
            "docs/design/layers.md": TABLE.replace("<!-- layers:end -->", row),
            "src/importers/ncu/n.h": "",
            "src/importers/nsys/n.h": "",
        }
        self.assertEqual(self.findings({**files, "src/importers/nsys/a.cc": '#include "importers/ncu/n.h"\n'}), [])
        found = self.findings({**files, "src/importers/ncu/a.cc": '#include "importers/nsys/n.h"\n'})
        self.assert_finds(found, "`importers/ncu` must not include from `importers/nsys`")

    def test_accepts_what_formats_share(self):
        self.assertEqual(
            self.findings({"src/importers/sniff.h": "", "src/importers/ncu/a.cc": '#include "importers/sniff.h"\n'}), []
        )

    def test_lets_the_list_of_formats_know_them_but_no_shared_header(self):
        include = '#include "importers/ncu/n.h"\n'
        self.assertEqual(self.findings({"src/importers/ncu/n.h": "", "src/importers/importer.cc": include}), [])
        found = self.findings({"src/importers/ncu/n.h": "", "src/importers/importer.h": include, "src/importers/importer.cc": ""})
        self.assert_finds(found, "src/importers/importer.h:1")

    def test_follows_a_list_that_cmake_fills_step_by_step(self):
        found = self.findings(
            {
                "src/base/CMakeLists.txt": "set(m)\nif(X)\n  list(APPEND m model)\nendif()\nridge_module(base DEPENDS ${m})\n",
                "src/model/CMakeLists.txt": "ridge_module(model)\n",
            }
        )
        self.assert_finds(found, "`base` must not link `model`")

    def test_lets_tests_but_not_products_link_what_tests_share(self):
        shared = {"tests/support/CMakeLists.txt": "add_library(ridge_test_support STATIC a.cc)\n"}
        module = "ridge_module(base {} test_support)\n"
        self.assertEqual(self.findings({**shared, "src/base/CMakeLists.txt": module.format("TEST_DEPENDS")}), [])
        found = self.findings({**shared, "src/base/CMakeLists.txt": module.format("DEPENDS")})
        self.assert_finds(found, "no such module")

    def test_finds_a_private_header_in_a_public_one(self):
        found = self.findings({"src/base/p.h": "", "include/ridgepoint/base/y.h": '#include "base/p.h"\n'})
        self.assert_finds(found, "a public header includes public headers only")

    def test_finds_a_source_in_include(self):
        self.assert_finds(self.findings({"include/ridgepoint/base/y.cc": ""}), "holds headers only")

    def test_finds_a_slow_header_in_a_header(self):
        self.assert_finds(self.findings({"src/render/j.h": "#include <nlohmann/json.hpp>\n"}), "slow to compile")

    def test_finds_a_vendor_header_outside_collectors(self):
        self.assert_finds(self.findings({"src/importers/ncu/c.cc": "#include <cupti.h>\n"}), "vendor headers")

    def test_finds_io_in_the_model(self):
        self.assert_finds(self.findings({"src/model/c.cc": "#include <fstream>\n"}), "does no I/O")

    def test_ignores_an_include_in_a_comment_of_cmake(self):
        self.assertEqual(self.findings({"src/base/CMakeLists.txt": "# ridge_module(base DEPENDS render)\n"}), [])

    def test_finds_a_missing_table(self):
        self.assert_finds(layers.run(self.plant({"src/base/a.cc": ""})), "table of layers is missing")
