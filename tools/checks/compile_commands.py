"""How each source is compiled: a clang configuration of the tree in build/tidy, with generated sources made."""

import json
import pathlib

FOLDER = "build/tidy"


def language_flags():
    return ["-std=c++20", "-Iinclude", "-Isrc", "-Itests"]


def configure(tree):
    """{path: command line} of every source of this tree. Raises RuntimeError with the output if the tree does not configure."""
    command = ["cmake", "-S", ".", "-B", FOLDER, "-G", "Ninja", "--log-level=WARNING", "-DCMAKE_BUILD_TYPE=Debug"]
    command += ["-DCMAKE_CXX_COMPILER=clang++", "-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON", "-DRIDGE_TESTS=ON"]
    expect_success(tree.run(command))
    make_generated(tree)
    entries = json.loads((tree.root / FOLDER / "compile_commands.json").read_text(encoding="utf-8"))
    commands = {}
    for entry in entries:
        path = pathlib.Path(entry["directory"], entry["file"]).resolve()
        if path.is_relative_to(tree.root):
            commands[str(path.relative_to(tree.root))] = entry["command"]
    return {path: commands[path] for path in commands if not path.startswith("build/")}


def make_generated(tree):
    """Builds what custom commands write (embedded data, schemas), which sources include; no object is compiled."""
    listed = tree.run(["ninja", "-C", FOLDER, "-t", "targets", "rule", "CUSTOM_COMMAND"])
    names = [name for name in listed.stdout.split() if name.endswith((".h", ".cc", ".inc"))]
    if names:
        expect_success(tree.run(["ninja", "-C", FOLDER, *names]))


def expect_success(result):
    if result.returncode:
        raise RuntimeError(result.stdout[-3000:])
