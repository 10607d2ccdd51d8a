"""The generated pages are what the program prints. The release program is built if need be."""

from checks.tree import Finding

NAME = "generated"
SUMMARY = "tools/generate would change nothing in docs/reference"
QUICK = False


def run(tree):
    for step in (
        ["cmake", "--preset", "release", "--log-level=WARNING"],
        ["cmake", "--build", "build/release", "--target", "ridge"],
        ["tools/generate", "--check"],
    ):
        result = tree.run(step)
        if result.returncode:
            return [Finding("docs/reference", 0, f"{' '.join(step)} failed:\n{result.stdout[-3000:]}")]
    return []
