#!/usr/bin/env python3
"""Runs `ridge profile` and `ridge doctor` on the fake GPU and looks at what a person would get.

  live.py --ridge PATH --program PATH --fake FOLDER [TEST...]

PATH of --program is ridge-fake-program, FOLDER of --fake holds the library that stands for the driver, CUPTI and NVML. The
scripts that it plays are in tests/data/fake_gpu. Without TEST every test runs.
"""

import argparse
import ctypes
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCRIPTS = ROOT / "tests/data/fake_gpu"
TIMEOUT_S = 100
OPTIONS = None


def has_driver():
    """Whether this machine has a CUDA driver of its own, whose absence cannot be shown then."""
    try:
        ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    return True


class Run:
    """What a finished run left."""

    def __init__(self, done, report):
        self.status = done.returncode
        self.out = done.stdout
        self.err = done.stderr.decode(errors="replace")
        self.report = report

    @property
    def recording(self):
        return self.report["recordings"][0]

    def launches(self, name):
        return sum(kernel["launches"] for kernel in self.report["kernels"] if kernel["name"] == name)

    def kernel(self, name):
        return next(kernel for kernel in self.report["kernels"] if kernel["name"] == name)

    def issues(self):
        return {issue["id"]: issue for issue in self.report["issues"]}


class Live(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="ridge-live-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        (self.folder / "tmp").mkdir()
        (self.folder / "gpu").mkdir()

    # ---- running

    def environment(self, **more):
        keep = {name: value for name, value in os.environ.items() if not name.startswith(("RIDGE_", "CUDA_", "NVTX_"))}
        keep.update(LD_LIBRARY_PATH=str(OPTIONS.fake), RIDGE_CUPTI=str(OPTIONS.fake / "libcupti.so.13"),
                    RIDGE_FAKE_GPU=str(self.folder / "gpu"), TMPDIR=str(self.folder / "tmp"))
        keep.update(more)
        return keep

    def play(self, script):
        shutil.copy(SCRIPTS / f"{script}.script", self.folder / "gpu/script")

    def play_text(self, text):
        (self.folder / "gpu/script").write_text(text)

    def run_words(self, words, **how):
        how.setdefault("env", self.environment())
        return subprocess.run([str(word) for word in words], capture_output=True, timeout=TIMEOUT_S, cwd=self.folder, check=False, **how)

    def profile(self, *options, arguments=(), **how):
        """A run of the script with its report as JSON; None where no report was made."""
        file = self.folder / "report.json"
        file.unlink(missing_ok=True)
        words = [OPTIONS.ridge, "profile", *options, "--report", file, "--format", "json", "--", OPTIONS.program, *arguments]
        done = self.run_words(words, **how)
        return Run(done, json.loads(file.read_text()) if file.exists() else None)

    # ---- what is recorded

    def test_every_launch_of_a_simple_program_is_in_the_report(self):
        self.play("simple")
        run = self.profile("--tier", "timing")
        self.assertEqual(run.status, 0, run.err)
        self.assertEqual({kernel["name"]: kernel["launches"] for kernel in run.report["kernels"]}, {"saxpy": 10, "gemm": 10, "reduce": 10})
        self.assertAlmostEqual(run.kernel("saxpy")["duration_s"], 10 * 300e-6, delta=1e-6)
        self.assertEqual(run.recording["tier"], "timing")
        self.assertTrue(run.recording["finished"])
        self.assertEqual(run.recording["exit_status"], 0)

    def test_counters_come_from_one_replay_of_each_kernel(self):
        self.play("simple")
        run = self.profile("--tier", "counters")
        self.assertEqual(run.status, 0, run.err)
        self.assertEqual(run.recording["tier"], "counters")
        self.assertEqual(run.recording["coverage"]["measured"], 3)
        self.assertEqual(run.recording["coverage"]["represented"], 27)
        # One fused multiply-add a thread, 390625 x 256 threads, ten launches.
        self.assertEqual(run.kernel("saxpy")["flops"]["total"], 10 * 2 * 390625 * 256)
        self.assertEqual(run.kernel("saxpy")["bytes"]["dram_read"], 10 * 8e8)
        self.assertRegex(run.err, r"(?m)^ridge: counters: \d+ pass")

    def test_two_devices_are_told_apart(self):
        self.play("two_devices")
        run = self.profile("--tier", "timing")
        self.assertEqual(run.status, 0, run.err)
        by_device = sorted((kernel["name"], kernel["device"]["index"], kernel["launches"]) for kernel in run.report["kernels"])
        self.assertEqual(by_device, [("copy_halo", 0, 20), ("copy_halo", 1, 20), ("stencil", 0, 20), ("stencil", 1, 20)])

    def test_one_of_two_devices_can_be_chosen(self):
        self.play("two_devices")
        run = self.profile("--tier", "timing", "--device", "1")
        self.assertEqual(sum(kernel["launches"] for kernel in run.report["kernels"]), 40, run.err)

    def test_every_kernel_of_a_graph_is_recorded(self):
        self.play("graph")
        run = self.profile()
        self.assertEqual(run.status, 0, run.err)
        self.assertEqual((run.launches("embed"), run.launches("attention"), run.launches("project")), (21, 20, 20))

    def test_children_are_recorded_and_the_status_is_the_parents(self):
        self.play("child")
        run = self.profile("--tier", "timing")
        self.assertEqual(run.status, 7, run.err)
        self.assertEqual((run.launches("parent_work"), run.launches("child_work")), (10, 21))

    def test_a_kernel_can_be_chosen_by_its_name(self):
        self.play("simple")
        run = self.profile("--tier", "timing", "--kernel", "^saxpy", "--skip", "2", "--count", "3")
        self.assertEqual({kernel["name"]: kernel["launches"] for kernel in run.report["kernels"]}, {"saxpy": 3}, run.err)

    # ---- what goes wrong

    def test_without_permission_times_remain_and_the_reason_is_told(self):
        self.play("no_permission")
        run = self.profile()
        self.assertEqual(run.status, 0, run.err)
        self.assertEqual(run.recording["tier"], "timing")
        self.assertEqual(run.launches("work"), 50)
        self.assertIn("profile-no-permission", run.issues())
        self.assertIsNone(run.kernel("work")["flops"]["total"])

    def test_a_failing_pass_costs_that_kernel_its_counters_only(self):
        self.play("failing_pass")
        run = self.profile("--tier", "counters", "--detail", "memory", "--detail", "stalls")
        self.assertEqual(run.status, 0, run.err)
        self.assertEqual((run.launches("good"), run.launches("bad")), (5, 5))
        self.assertIn("profile-replay-failed", run.issues())
        self.assertIsNotNone(run.kernel("good")["bytes"]["dram"])
        self.assertIsNone(run.kernel("bad")["bytes"]["dram"])

    def test_records_that_were_dropped_are_told(self):
        self.play("dropped")
        run = self.profile("--tier", "timing", "--exit-status", "ridge")
        self.assertEqual(run.status, 3, run.err)
        self.assertEqual(run.launches("work"), 83)
        self.assertIn("profile-records-dropped", run.issues())
        self.assertEqual(run.recording["coverage"]["records_dropped"], 17)

    def test_a_crash_leaves_a_report_of_what_came_before(self):
        # Records are handed over every 100 ms: those of the last moments are lost with the program.
        work = "  launch work grid 100 block 256 repeat 20\n"
        self.play_text(f"kernel work\n  duration 100us\nend\nprogram\n{work}  sync\n  sleep 1s\n{work}  crash\nend\n")
        run = self.profile("--tier", "timing", "-o", "crash.ridge")
        self.assertEqual(run.status, 128 + signal.SIGSEGV, run.err)
        self.assertGreaterEqual(run.launches("work"), 20)
        self.assertEqual(run.recording["exit_status"], 128 + signal.SIGSEGV)
        self.assertIn("profile-process-died", run.issues())
        self.assertIn("profile-program-killed", run.issues())
        again = self.run_words([OPTIONS.ridge, "report", "crash.ridge", "--format", "json"])
        self.assertEqual(json.loads(again.stdout)["kernels"], run.report["kernels"])

    def test_a_full_disk_leaves_what_came_before(self):
        self.play("many_launches")
        # Files of ridge may have 256 KiB, those of the program as many as they like.
        small = ["sh", "-c", 'trap "" XFSZ; ulimit -S -f 512; exec "$@"', "sh"]
        large = ["sh", "-c", 'ulimit -S -f unlimited; exec "$@"', "sh", OPTIONS.program]
        options = ["--tier", "timing", "-o", "full.ridge", "--exit-status", "ridge", "--report", "report.txt"]
        run = self.run_words([*small, OPTIONS.ridge, "profile", *options, "--", *large])
        self.assertEqual(run.returncode, 5, run.stderr)
        self.assertIn(b"full.ridge", run.stderr)
        again = self.run_words([OPTIONS.ridge, "report", "full.ridge", "--format", "json"])
        self.assertEqual(again.returncode, 3, again.stderr)
        report = json.loads(again.stdout)
        self.assertIn("store-unfinished", [issue["id"] for issue in report["issues"]])
        self.assertEqual({kernel["name"] for kernel in report["kernels"]}, {"tick", "tock"})

    @unittest.skipIf(has_driver(), "there is a CUDA driver here")
    def test_without_a_driver_the_program_runs_as_ever(self):
        words = [OPTIONS.ridge, "profile", "--", "sh", "-c", "echo out; echo err >&2; exit 5"]
        run = self.run_words(words, env=self.environment(LD_LIBRARY_PATH=""))
        self.assertEqual(run.returncode, 5)
        self.assertEqual(run.stdout, b"out\n")
        self.assertIn(b"err\n", run.stderr)
        self.assertIn(b"ridge: no GPU kernels were recorded (sh): ", run.stderr)

    def test_another_tools_injection_is_left_in_place(self):
        self.play("simple")
        run = self.profile(env=self.environment(CUDA_INJECTION64_PATH="/nowhere/tool.so"))
        self.assertIn("CUDA_INJECTION64_PATH", run.err)
        self.assertEqual(run.out, b"begin\nend\n")

    # ---- what the program notices

    def test_streams_arguments_and_status_are_the_programs_own(self):
        self.play("no_gpu_work")
        arguments = ["--tier", "x y", "", "--", "-o", "f"]
        how = {"input": b"line one\nline two", "env": self.environment(RIDGE_TEST_VARIABLE="kept")}
        bare = self.run_words([OPTIONS.program, *arguments], **how)
        self.assertEqual(bare.returncode, 42)
        for words in (["--", OPTIONS.program], [OPTIONS.program], ["--tier", "timing", "--", OPTIONS.program]):
            run = self.run_words([OPTIONS.ridge, "profile", *words, *arguments], **how)
            self.assertEqual(run.stdout, bare.stdout)
            self.assertEqual(run.returncode, 42)
            self.assertIn(bare.stderr, run.stderr)

    def test_the_program_inherits_nothing_of_ridges(self):
        self.play("simple")
        for words in (["grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status"], ["ls", "/proc/self/fd"]):
            bare = self.run_words(words)
            run = self.run_words([OPTIONS.ridge, "profile", "--", *words])
            # Two signals that the C library keeps to itself and ignores in every program that it spawns.
            own, none = b"0000000180000000", b"0000000000000000"
            self.assertEqual(run.stdout.replace(own, none), bare.stdout.replace(own, none))
        added = (b"CUDA_INJECTION64_PATH=", b"RIDGE_SOCKET=", b"RIDGE_CUPTI=")
        run = self.run_words([OPTIONS.ridge, "profile", "--", "env"]).stdout.splitlines()
        self.assertEqual(len([line for line in run if line.startswith(added)]), 3, run)
        bare = self.run_words(["env"]).stdout.splitlines()
        self.assertEqual(*(sorted(line for line in lines if not line.startswith(added)) for lines in (run, bare)))

    def test_standard_output_is_the_programs_alone_unless_the_report_is_wanted_there(self):
        self.play("simple")
        run = self.run_words([OPTIONS.ridge, "profile", "--tier", "timing", OPTIONS.program])
        self.assertEqual(run.stdout, b"begin\nend\n")
        self.assertIn(b"saxpy", run.stderr)
        run = self.run_words([OPTIONS.ridge, "profile", "--tier", "timing", "--report", "-", OPTIONS.program])
        self.assertTrue(run.stdout.startswith(b"begin\nend\n"), run.stdout)
        self.assertIn(b"saxpy", run.stdout)
        self.assertNotIn(b"saxpy", run.stderr)

    def test_nothing_is_left_behind(self):
        self.play("simple")
        self.profile("--tier", "timing")
        self.assertEqual(list((self.folder / "tmp").iterdir()), [])

    def test_a_signal_reaches_the_program_and_the_report_is_made(self):
        self.play_text("kernel work\nend\nprogram\n  launch work repeat 5\n  sync\n  sleep 1500ms\n  print out \"ready\"\n  sleep 60s\nend\n")
        file = self.folder / "report.json"
        words = [OPTIONS.ridge, "profile", "--tier", "timing", "--report", file, "--format", "json", "--", OPTIONS.program]
        ridge = subprocess.Popen([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment(),
                                 cwd=self.folder)
        self.assertEqual(ridge.stdout.readline(), b"ready\n")
        ridge.send_signal(signal.SIGTERM)
        _, err = ridge.communicate(timeout=TIMEOUT_S)
        self.assertEqual(ridge.returncode, 128 + signal.SIGTERM, err)
        self.assertEqual(json.loads(file.read_text())["kernels"][0]["launches"], 5)

    def test_a_program_that_cannot_be_started_is_one_line_and_leaves_no_file(self):
        self.play("simple")
        run = self.run_words([OPTIONS.ridge, "profile", "-o", "x.ridge", "--", "./no-such-program"])
        self.assertEqual(run.returncode, 3)
        self.assertEqual(run.stderr.decode(), "ridge: there is no such program (./no-such-program): check its path\n")
        self.assertFalse((self.folder / "x.ridge").exists())

    # ---- the recording

    def test_a_kept_recording_gives_the_same_report_again(self):
        self.play("simple")
        run = self.profile("--tier", "counters", "-o", "run-%r.ridge")
        again = self.run_words([OPTIONS.ridge, "report", "run-0.ridge", "--format", "json"])
        self.assertEqual(again.returncode, 0, again.stderr)
        for key in ("kernels", "recordings", "issues", "summary"):
            self.assertEqual(json.loads(again.stdout)[key], run.report[key], key)

    def test_odd_names_are_text_in_every_format(self):
        self.play("odd_names")
        run = self.profile("--tier", "timing")
        self.assertEqual(len(run.report["kernels"]), 7, run.err)
        for form in ("html", "csv", "md", "text"):
            done = self.run_words([OPTIONS.ridge, "profile", "--tier", "timing", "--report", "-", "--format", form, OPTIONS.program])
            self.assertNotIn(b"<script>alert", done.stdout if form == "html" else b"")
            self.assertNotIn(b"\x1b[31m", done.stdout)

    # ---- doctor

    def doctor(self, **how):
        done = self.run_words([OPTIONS.ridge, "doctor", "--format", "json"], **how)
        return done.returncode, json.loads(done.stdout)

    def states(self, answer):
        return {tier["tier"]: tier["state"] for tier in answer["tiers"]}

    def test_doctor_finds_the_fake_gpu_fit(self):
        self.play("simple")
        status, answer = self.doctor()
        self.assertEqual(status, 0, answer)
        states = self.states(answer)
        self.assertEqual((states["counters"], states["sampling"], states["timing"]), ("works", "works", "works"), answer["findings"])
        self.assertEqual(answer["gpus"][0]["name"], "Fake H200")
        self.assertEqual(answer["gpus"][0]["chip"], "GH100")
        self.assertEqual(answer["driver"]["cuda_version"], "13.0")

    def test_doctor_tells_a_missing_permission(self):
        self.play("no_permission")
        status, answer = self.doctor()
        self.assertEqual(status, 0, answer)
        self.assertEqual(self.states(answer)["counters"], "fails")
        self.assertEqual(self.states(answer)["timing"], "works")
        self.assertIn("counters-forbidden", [finding["id"] for finding in answer["findings"]])

    @unittest.skipIf(has_driver(), "there is a CUDA driver here")
    def test_doctor_without_a_driver_is_not_available(self):
        status, answer = self.doctor(env=self.environment(LD_LIBRARY_PATH=""))
        self.assertEqual(status, 4, answer)
        self.assertFalse(answer["can_profile"])
        self.assertEqual(self.states(answer)["paper"], "works")

    def test_doctor_speaks_both_languages(self):
        self.play("simple")
        english = self.run_words([OPTIONS.ridge, "doctor"])
        chinese = self.run_words([OPTIONS.ridge, "doctor", "--lang", "zh"])
        self.assertIn("What can be measured", english.stdout.decode())
        self.assertIn("本机", chinese.stdout.decode())
        self.assertNotIn("doctor.", english.stdout.decode() + chinese.stdout.decode())


def main():
    global OPTIONS
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("ridge", "program", "fake"):
        parser.add_argument(f"--{name}", required=True, type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("tests", nargs="*", metavar="TEST")
    OPTIONS = parser.parse_args()
    loader = unittest.defaultTestLoader
    suite = unittest.TestSuite([Live(name) for name in OPTIONS.tests]) if OPTIONS.tests else loader.loadTestsFromTestCase(Live)
    return 0 if unittest.TextTestRunner(verbosity=1).run(suite).wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
