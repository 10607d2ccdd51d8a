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

    def test_a_misspelt_counter_costs_the_others_nothing(self):
        self.play("simple")
        run = self.profile("--tier", "counters", "--metrics", "dram__bytes_raed.sum,sm__inst_executed.sum")
        self.assertEqual(run.recording["coverage"]["measured"], 3, run.err)
        self.assertIn("dram__bytes_raed.sum: did you mean dram__bytes_read.sum?", run.issues()["profile-metrics-unknown"]["text"])
        self.assertRegex(run.err, r"(?m)^ridge: 1 counter of --metrics is not known")

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

    # ---- ranges of the program

    def ranges(self, run):
        """What the program read back, by the range's name, in order."""
        found = {}
        for line in run.out.decode().splitlines():
            figures = json.loads(line)
            found.setdefault(figures.pop("range"), []).append(figures)
        return found

    def facts(self, run):
        return {fact["name"]: fact["text"] for fact in run.recording["facts"]}

    def assert_time_alone(self, figures):
        self.assertGreater(figures["seconds"], 0)
        self.assertEqual({name for name, value in figures.items() if value is not None}, {"seconds"})

    # Ten launches of `work`, three of `other`, which reads 8 bytes a thread and writes 4.
    STEP = {"kernel_seconds": 0.0023, "launches": 13, "dram_read_bytes": 10 * 1e6 + 3 * 20 * 128 * 8,
            "dram_write_bytes": 10 * 5e5 + 3 * 20 * 128 * 4}

    def test_a_measured_range_gives_its_figures_to_the_program(self):
        self.play("ranges")
        for tier in ("counters", "auto"):
            run = self.profile("--tier", tier)
            self.assertEqual(run.status, 0, run.err)
            ranges = self.ranges(run)
            self.assertEqual({name: len(found) for name, found in ranges.items()}, {"early": 1, "inner": 3, "step": 3})
            for figures in ranges["step"]:
                self.assertGreaterEqual(figures["seconds"], 0.0019)
                self.assertEqual({name: figures[name] for name in self.STEP}, self.STEP, tier)
                self.assertGreaterEqual(figures["warp_instructions"], 10 * 4000)
            for figures in ranges["early"] + ranges["inner"]:
                self.assert_time_alone(figures)
            self.assertRegex(self.facts(run)["range step"], r"^3 times, .* in 39 launches; DRAM 30184320 bytes read, 15092160 written; ")
            self.assertRegex(self.facts(run)["range forward"], r"^3 times, [0-9.]+ s$")
            # Kernels are counted all the same, those of other launches; none inside a range is run again.
            self.assertEqual(run.recording["coverage"]["recorded"], 61)
            self.assertGreater(run.recording["coverage"]["measured"], 0)

    def test_ranges_are_in_the_detailed_report(self):
        self.play("ranges")
        self.profile("--tier", "counters", "-o", "run.ridge")
        report = json.loads(self.run_words([OPTIONS.ridge, "report", "run.ridge", "--detail", "--format", "json"]).stdout)
        steps = [span for span in report["ranges"] if span["name"] == "step"]
        self.assertEqual([span["bytes"] for span in steps], [self.STEP["dram_read_bytes"] + self.STEP["dram_write_bytes"]] * 3)
        names = sorted(span["name"] for span in report["ranges"])
        self.assertEqual(names, ["forward"] * 3 + ["inner"] * 3 + ["step"] * 3)
        text = self.run_words([OPTIONS.ridge, "report", "run.ridge", "--detail"]).stdout.decode()
        self.assertIn("range step", text)

    def test_without_permission_a_range_has_times(self):
        self.play_text("fault permission\n" + (SCRIPTS / "ranges.script").read_text())
        run = self.profile()
        self.assertEqual(run.status, 0, run.err)
        for figures in self.ranges(run)["step"]:
            self.assertEqual((figures["kernel_seconds"], figures["launches"]), (0.0023, 13))
            self.assertIsNone(figures["dram_read_bytes"])
            self.assertIsNone(figures["warp_instructions"])
        self.assertIn("profile-no-permission", run.issues())

    def test_where_others_have_the_counters_a_range_has_times(self):
        self.play_text("fault busy\n" + (SCRIPTS / "ranges.script").read_text())
        run = self.profile("--tier", "counters")
        self.assertEqual(run.status, 0, run.err)
        for figures in self.ranges(run)["step"]:
            self.assertEqual(figures["launches"], 13)
            self.assertIsNone(figures["dram_read_bytes"])
        self.assertIn("profile-counters-busy", run.issues())

    def test_a_tier_without_counters_gives_ranges_times(self):
        self.play("ranges")
        for tier in ("timing", "sampling"):
            run = self.profile("--tier", tier)
            self.assertEqual(run.status, 0, run.err)
            for figures in self.ranges(run)["step"]:
                self.assertEqual(figures["launches"], 13)
                self.assertIsNone(figures["dram_read_bytes"])

    def test_without_ridge_a_range_has_its_time_alone(self):
        self.play("ranges")
        run = self.run_words([OPTIONS.program])
        self.assertEqual(run.returncode, 0, run.stderr)
        ranges = self.ranges(Run(run, None))
        self.assertEqual({name: len(found) for name, found in ranges.items()}, {"early": 1, "inner": 3, "step": 3})
        for figures in [*ranges["step"], *ranges["inner"], *ranges["early"]]:
            self.assert_time_alone(figures)
        for figures in ranges["step"]:
            self.assertGreaterEqual(figures["seconds"], 0.0019, "it waits for the GPU")

    def test_a_range_takes_the_counters_from_the_sampler(self):
        work = "  launch work grid 10 block 128 repeat 50\n  sync\n"
        self.play_text("sampler-start 50ms\nkernel work\n  duration 200us\n  count dram__bytes_read.sum 1e6\nend\nprogram\n"
                       f"{work}  sleep 1500ms\n{work}  loop 5\n  measure step\n{work}  measured\n  sleep 200ms\n  end\n  sleep 1500ms\n{work}end\n")
        run = self.profile("--tier", "auto")
        self.assertEqual(run.status, 0, run.err)
        steps = self.ranges(run)["step"]
        self.assertEqual({figures["launches"] for figures in steps}, {50})
        # A sampler that is slow to stop leaves the first ones without.
        self.assertEqual({figures["dram_read_bytes"] for figures in steps} - {None}, {50e6})
        # Before and after it the sampler has them.
        self.assertGreater(run.recording["coverage"]["sampled"], 0)

    def test_ranges_of_range_h_choose_launches_as_those_of_nvtx_do(self):
        self.play("ranges")
        for name, launches in (("forward", {"other": 15}), ("step", {"work": 30, "other": 9}), ("inner", {"other": 9})):
            run = self.profile("--tier", "timing", "--range", name)
            self.assertEqual(run.status, 0, run.err)
            self.assertEqual({kernel["name"] for kernel in run.report["kernels"]}, set(launches))
            self.assertEqual({kernel: run.launches(kernel) for kernel in launches}, launches)

    def test_a_program_that_ends_inside_a_range_is_recorded(self):
        self.play_text("kernel work\n  duration 200us\nend\nprogram\n  launch work\n  sync\n  measure step\n  mark part\n"
                       "  launch work repeat 5\n  exit 4\nend\n")
        run = self.profile("--tier", "counters")
        self.assertEqual(run.status, 4, run.err)
        self.assertEqual(run.launches("work"), 6)

    def test_ranges_of_two_threads_do_not_meet(self):
        part = "  launch work repeat 20 stream {0}\n  measure {1}\n  launch work repeat 20 stream {0}\n  sleep 20ms\n  measured\n"
        self.play_text("kernel work\n  duration 100us\nend\nprogram\n  launch work\n  sync\n  thread other\n"
                       + part.format(1, "one") + "  wait\nend\nprogram other\n" + part.format(2, "two") + "end\n")
        run = self.profile("--tier", "counters")
        self.assertEqual(run.status, 0, run.err)
        ranges = self.ranges(run)
        self.assertEqual(sorted(ranges), ["one", "two"])
        self.assertTrue(any(ranges[name][0]["launches"] is not None for name in ranges), ranges)
        self.assertEqual(run.launches("work"), 81)

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

    KERNEL = "kernel work\n  duration 200us\nend\n"
    LAUNCHES = "program\n  launch work grid 100 block 256 repeat 50\n  sync\nend\n"

    def test_each_thing_that_forbids_counters_steps_down_says_so_and_still_reports(self):
        cases = {
            "fault permission\n": "profile-no-permission",
            "fault busy\n": "profile-counters-busy",
            "fault subscribe\n": "profile-callbacks-unavailable",
            "device\n  chip ZZ999\nend\n": "profile-counters-unavailable",
        }
        for lines, wanted in cases.items():
            with self.subTest(lines):
                shutil.rmtree(self.folder / "gpu")
                (self.folder / "gpu").mkdir()
                self.play_text(lines + self.KERNEL + self.LAUNCHES)
                run = self.profile("--tier", "counters")
                self.assertEqual(run.status, 0, run.err)
                self.assertEqual(run.recording["tier"], "timing")
                self.assertEqual(run.launches("work"), 50)
                self.assertIn(wanted, run.issues())
                self.assertIn(run.issues()[wanted]["text"].split(" (")[0], run.err)

    def test_without_nvml_the_reason_is_told(self):
        self.play_text("fault nvml\n" + self.KERNEL + self.LAUNCHES)
        run = self.profile()
        self.assertEqual(run.launches("work"), 50, run.err)
        self.assertIn("profile-telemetry-missing", run.issues())

    def test_a_slice_has_no_traffic_and_the_report_says_why(self):
        self.play("mig")
        run = self.profile("--tier", "counters")
        self.assertEqual(run.status, 0, run.err)
        self.assertIn("profile-mig", run.issues())
        self.assertIsNone(run.kernel("work")["bytes"]["dram"])
        self.assertEqual(run.kernel("work")["flops"]["total"], 100 * 2 * 100 * 1000 * 256)

    def test_a_clock_that_sinks_is_told_and_the_roofs_are_at_it(self):
        self.play("throttled")
        run = self.profile("--tier", "counters")
        self.assertEqual(run.status, 0, run.err)
        self.assertIn("profile-clock-changed", run.issues())
        self.assertIn("the power limit", run.issues()["profile-throttled"]["text"])
        clock = run.report["recordings"][0]["devices"][0]["sm_clock_hz"]
        self.assertEqual((clock["min"], clock["max"]), (1.2e9, 1.98e9))
        self.assertLess(run.report["machines"][0]["ceilings"]["fp32_core"]["clock_hz"], 1.9e9)

    def test_other_processes_on_the_gpu_are_named(self):
        self.play("other_process")
        run = self.profile("--tier", "timing")
        first = pathlib.Path("/proc/1/comm").read_text().rstrip("\n")
        self.assertEqual(run.issues()["profile-other-processes"]["evidence"]["names"], f"{first} (1), 4194305", run.err)

    def test_collectives_and_cooperative_launches_are_never_replayed(self):
        self.play("tensor")
        run = self.profile("--tier", "counters")
        self.assertEqual(run.status, 0, run.err)
        self.assertIn("profile-collectives-skipped", run.issues())
        self.assertIn("profile-cooperative-skipped", run.issues())
        for name in ("ncclDevKernel_AllReduce_Sum_bf16_RING_LL", "cooperative_reduce"):
            self.assertEqual(run.kernel(name)["evidence"]["measured"], 0)
            self.assertEqual(run.kernel(name)["launches"], 4)
        self.assertEqual(run.kernel("sm90_xmma_gemm_bf16bf16_bf16f32_f32")["flops"]["tensor_bf16"], 4 * 137438953472)

    def test_samples_that_overflow_are_told(self):
        self.play("overflow")
        run = self.profile("--tier", "sampling")
        self.assertEqual(run.launches("work"), 5000, run.err)
        self.assertIn("profile-sampling-widened", run.issues())
        self.assertEqual(run.issues()["profile-sampling-gap"]["severity"], "data-loss")

    # ---- launches of one shape

    def test_launches_that_do_other_work_are_told(self):
        self.play("uneven")
        run = self.profile("--tier", "counters")
        self.assertEqual(run.status, 0, run.err)
        evidence = run.issues()["profile-uneven-work"]["evidence"]
        self.assertEqual((evidence["kernel"], evidence["kernels"], evidence["quantity"]), ("strided_read", 1, "duration"))
        self.assertAlmostEqual(evidence["least"], 400e-6, delta=1e-6)
        self.assertAlmostEqual(evidence["most"], 1600e-6, delta=1e-6)
        self.assertTrue(run.kernel("strided_read")["evidence"]["uneven"])
        self.assertFalse(run.kernel("steady")["evidence"]["uneven"])

    # ---- recipes

    def test_recipes_of_a_file_are_counted_and_what_is_left_out_is_told(self):
        self.play("simple")
        stalls = ["long_scoreboard", "short_scoreboard", "barrier", "wait", "not_selected", "selected", "math_pipe_throttle",
                  "mio_throttle", "lg_throttle", "gmma", "no_instruction", "branch_resolving", "membar", "drain", "tex_throttle",
                  "imc_miss", "sleeping", "dispatch_stall", "misc"]
        wants = [f"{name}: smsp__average_warps_issue_stalled_{name}_per_issue_active.ratio" for name in stalls]
        wants.append("nothing: smsp__no_such_counter.sum")
        (self.folder / "mine.toml").write_text(f"[mine]\ntitle = \"t\"\npasses = 1\nwant = {json.dumps(wants)}\n")
        run = self.profile("--tier", "counters", "--recipes", "mine.toml", "--detail", "mine")
        self.assertEqual(run.status, 0, run.err)
        self.assertEqual(run.issues()["profile-counters-not-on-chip"]["evidence"]["quantities"], "nothing")
        self.assertIn("misc", run.issues()["profile-counters-no-pass"]["evidence"]["quantities"])
        self.assertIn("long_scoreboard", run.kernel("saxpy")["execution"]["stalls"])

    def test_a_recipe_that_cannot_be_read_is_one_line_and_nothing_runs(self):
        self.play("simple")
        (self.folder / "mine.toml").write_text("[mine]\ntitle = \"t\"\nwant = [\n  \"a b\",\n]\n")
        run = self.run_words([OPTIONS.ridge, "profile", "--recipes", "mine.toml", "--detail", "mine", OPTIONS.program])
        self.assertEqual((run.returncode, run.stdout), (3, b""))
        self.assertRegex(run.stderr.decode(), r"^ridge: \"a b\" is not a want \(.*/mine\.toml:4\): write .*\n$")

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

    def test_a_report_that_has_no_place_is_refused_before_the_start(self):
        self.play("simple")
        (self.folder / "data").write_text("the program's")
        os.symlink("run.ridge", self.folder / "link")
        for file, words in (("no/such/r.txt", []), ("tmp", []), ("./run.ridge", ["-o", "run.ridge"]), ("link", ["-o", "run.ridge"]),
                            ("./data", [])):
            run = self.run_words([OPTIONS.ridge, "profile", *words, "--report", file, "--", OPTIONS.program, "data"])
            self.assertEqual((run.returncode, run.stdout), (2, b""), file)
            self.assertRegex(run.stderr.decode(), r"^ridge: .*\n\Z")
        self.assertEqual((self.folder / "data").read_text(), "the program's")

    def test_a_socket_in_a_relative_folder_is_found_from_every_other(self):
        self.play("simple")
        words = [OPTIONS.ridge, "profile", "--tier", "timing", "--", "sh", "-c", 'cd /; exec "$0"', OPTIONS.program]
        run = self.run_words(words, env=self.environment(TMPDIR="tmp", XDG_RUNTIME_DIR=""))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn(b"30 launches recorded", run.stderr)

    def test_secrets_of_the_command_are_in_no_output(self):
        self.play("simple")
        secrets = ["tok-1", "tok-2", "tok-3", "tok-4", "tok-5", "tok-6", "tok-7"]
        words = ["--token=tok-1", "--password", "tok-2", "API_KEY=tok-3", "-p", "tok-4", "https://me:tok-5@host/", "-H",
                 "Authorization: Bearer tok-6", '{"password": "tok-7"}']
        hidden = self.environment(API_KEY="tok-1", CUDA_TOKEN="tok-2")
        for form in ("text", "json", "csv", "html", "md"):
            run = self.run_words([OPTIONS.ridge, "profile", "--tier", "timing", "-o", "run.ridge", "--format", form, "--report", "report",
                                  "--", OPTIONS.program, *words], env=hidden)
            for place in (run.stderr, (self.folder / "report").read_bytes(), (self.folder / "run.ridge").read_bytes()):
                self.assertEqual([secret for secret in secrets if secret.encode() in place], [], form)

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
