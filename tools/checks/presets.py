"""The presets that `make test` leaves out, each built and run. They are separate checks, so that one can be asked for."""

import dataclasses
import os
import re

from checks.tree import Finding, cores


@dataclasses.dataclass(frozen=True)
class PresetCheck:
    preset: str
    summary: str
    QUICK: bool = False

    @property
    def NAME(self):  # noqa: N802  the registry reads it as it does a module's
        return f"preset-{self.preset}"

    @property
    def SUMMARY(self):  # noqa: N802
        return self.summary

    def run(self, tree):
        steps = [
            ["cmake", "--preset", self.preset, "--log-level=WARNING"],
            ["cmake", "--build", f"build/{self.preset}"],
            ["ctest", "--preset", self.preset, "-j", str(cores())],
        ]
        for step in steps:
            result = tree.run(step, env=environment())
            if result.returncode:
                return [Finding("CMakePresets.json", 0, f"{' '.join(step)} failed:\n{summary_of(result.stdout)}")]
        return []


def environment():
    """Without a GPU, whatever the machine has: these presets test the program where there is none."""
    return {**os.environ, "CUDA_VISIBLE_DEVICES": "", "NINJA_STATUS": "[%f/%t] "}


def summary_of(output):
    """The lines that say what went wrong, or else the last ones."""
    telling = [line for line in output.splitlines() if re.search(r"error|FAILED|\*\*\*|tests passed|ERROR:", line)]
    return "\n".join((telling or output.splitlines())[-30:])


CHECKS = [
    PresetCheck("asan-ubsan-all", "every unit test under the address and undefined-behaviour sanitizers"),
    PresetCheck("debug", "the suite without optimisation and with the library's assertions"),
    PresetCheck("tsan", "the suite under the thread sanitizer"),
    PresetCheck("no-cuda", "the suite configured for a machine without CUDA"),
    PresetCheck("fuzz", "each fuzz target for 10 seconds under clang's sanitizers"),
]
