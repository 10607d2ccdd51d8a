#include "analysis/explain/measured.h"

#include <algorithm>

namespace ridge {
namespace {

/// A run that exceeds a roof by no more can owe that to a clock above the stated one: boards boost by several per cent.
constexpr double kClockMargin = 1.10;

/// A result given as exactly the roof must not land above it by rounding.
constexpr double kRounding = 1e-9;

constexpr Provenance kPaper = Provenance::kDeclared;

struct Situation {
  const PaperWork& work;
  const Machine& machine;
  const MachinePlacement& at;
  const PaperMeasurement& measured;
};

void add_steps(MeasuredPlacement& placed, const Situation& s, const Stopwatch& stopwatch) {
  const PaperMeasurement& m = s.measured;
  const auto value = [](double x) { return Value<double>(x, kPaper); };
  const Argument flops{"flops", s.work.flops.value, Unit::kFlops};
  const Argument bytes{"bytes", s.work.bytes(), Unit::kBytes};
  const Argument time{"time", m.time.count(), Unit::kSeconds};
  const Argument speed{"speed", m.speed.count(), Unit::kFlopsPerSecond};
  const Argument rate{"rate", m.bandwidth.count(), Unit::kBytesPerSecond};
  const Argument peak{"peak", s.at.peak->count(), Unit::kFlopsPerSecond};
  const Argument bandwidth{"bandwidth", s.at.bandwidth->count(), Unit::kBytesPerSecond};
  const Argument attainable{"attainable", s.at.attainable->count(), Unit::kFlopsPerSecond};
  const bool arithmetic = s.work.flops.value > 0;
  std::vector<ExplainStep>& steps = placed.steps;

  if (stopwatch.speed) {
    steps.push_back({"measured_time", "flops / speed", {flops, speed}, value(m.time.count()), Unit::kSeconds});
  } else if (stopwatch.bandwidth) {
    steps.push_back({"measured_time", "bytes / rate", {bytes, rate}, value(m.time.count()), Unit::kSeconds});
  }
  if (arithmetic && !stopwatch.speed) {
    steps.push_back({"measured_speed", "flops / time", {flops, time}, value(m.speed.count()), Unit::kFlopsPerSecond});
  }
  if (arithmetic) steps.push_back({"of_peak", "speed / peak", {speed, peak}, value(m.of_peak), Unit::kRatio});
  if (arithmetic) {
    steps.push_back({"of_roof", "speed / attainable", {speed, attainable}, value(m.of_roof), Unit::kRatio});
  }
  if (!stopwatch.bandwidth) {
    steps.push_back(
        {"measured_rate", "bytes / time", {bytes, time}, value(m.bandwidth.count()), Unit::kBytesPerSecond});
  }
  steps.push_back({"of_bandwidth", "rate / bandwidth", {rate, bandwidth}, value(m.of_bandwidth), Unit::kRatio});
  if (arithmetic) {
    steps.push_back({"least_intensity",
                     "speed / bandwidth",
                     {speed, bandwidth},
                     value(m.least_intensity.count()),
                     Unit::kFlopsPerByte});
  }
}

std::vector<Argument> measured_arguments(const Situation& s) {
  return {{"speed", s.measured.speed.count(), Unit::kFlopsPerSecond},
          {"rate", s.measured.bandwidth.count(), Unit::kBytesPerSecond},
          {"peak", s.at.peak->count(), Unit::kFlopsPerSecond},
          {"bandwidth", s.at.bandwidth->count(), Unit::kBytesPerSecond},
          {"attainable", s.at.attainable->count(), Unit::kFlopsPerSecond},
          {"factor", s.measured.of_roof, Unit::kFactor},
          {"fraction", s.measured.of_roof, Unit::kRatio},
          {"of_peak", s.measured.of_peak, Unit::kRatio},
          {"of_bandwidth", s.measured.of_bandwidth, Unit::kRatio},
          {"intensity", s.work.flops.value / s.work.bytes(), Unit::kFlopsPerByte},
          {"least_intensity", s.measured.least_intensity.count(), Unit::kFlopsPerByte}};
}

/// With every array moved once: would DRAM have been fast enough?
void add_reuse_cause(MeasuredPlacement& placed, const Situation& s) {
  if (s.work.best_bytes() >= s.work.bytes()) return;
  const PaperRoof roof{*s.at.peak, *s.at.bandwidth};
  const PaperPoint best = place_on_paper(Flops(s.work.flops.value), Bytes(s.work.best_bytes()), roof);
  const double least = std::max(best.compute_time, best.data_time).count();
  const double fraction = least / s.measured.time.count();
  placed.findings.emplace_back(
      fraction <= kClockMargin ? "explain.cause.reuse" : "explain.cause.reuse_partly",
      std::vector<Argument>{{"best_bytes", s.work.best_bytes(), Unit::kBytes},
                            {"best_intensity", best.intensity.count(), Unit::kFlopsPerByte},
                            {"best_attainable", best.attainable.count(), Unit::kFlopsPerSecond},
                            {"fraction", fraction, Unit::kRatio}});
}

void add_l2_cause(MeasuredPlacement& placed, const Situation& s) {
  if (!s.at.fits_l2 || s.work.working_set.empty()) return;
  placed.findings.emplace_back(*s.at.fits_l2 ? "explain.cause.l2" : "explain.cause.l2_not",
                               std::vector<Argument>{{"working_set", s.work.working_set[0].value, Unit::kBytes},
                                                     {"l2_capacity", s.at.l2_capacity->count(), Unit::kBytes}});
}

/// An excess within the clocks' margin disproves nothing, so no cause is looked for.
void explain_above_memory(MeasuredPlacement& placed, const Situation& s) {
  if (s.measured.of_bandwidth <= kClockMargin) {
    placed.findings.emplace_back("explain.above.memory_margin", measured_arguments(s));
    return;
  }
  placed.findings.emplace_back(s.work.flops.value > 0 ? "explain.above.memory" : "explain.above.memory_bytes",
                               measured_arguments(s));
  add_reuse_cause(placed, s);
  add_l2_cause(placed, s);
  placed.findings.emplace_back("explain.cause.stopwatch");
}

/// The fastest ceiling that could have done this arithmetic unnoticed, if it is faster than the one assumed.
const Ceiling* faster_ceiling(const Situation& s) {
  const DataType type = s.work.type == DataType::kFp32 ? DataType::kTf32 : s.work.type;
  const Ceiling* best = nullptr;
  for (const Sparsity sparsity : {Sparsity::kDense, Sparsity::kSparse}) {
    const Ceiling* found = find_ceiling(s.machine, tensor(type, TensorPath::kAny, sparsity));
    if (found == nullptr || peak(s.machine, *found) <= *s.at.peak) continue;
    if (best == nullptr) best = found;
  }
  return best;
}

void explain_above_peak(MeasuredPlacement& placed, const Situation& s) {
  if (s.measured.of_peak <= kClockMargin) {
    placed.findings.emplace_back("explain.above.peak_margin", measured_arguments(s));
    return;
  }
  placed.findings.emplace_back("explain.above.peak", measured_arguments(s));
  if (const Ceiling* faster = faster_ceiling(s)) {
    placed.findings.emplace_back(
        "explain.cause.other_unit",
        std::vector<Argument>{{"ceiling", name(faster->key), Unit::kNone},
                              {"peak", peak(s.machine, *faster).count(), Unit::kFlopsPerSecond}});
  }
  placed.findings.emplace_back("explain.cause.fewer_flops");
  placed.findings.emplace_back("explain.cause.stopwatch");
}

/// The threshold is that of measured kernels; a point above its roof has no verdict, as its paper work is disproved.
void judge_measured(MeasuredPlacement& placed, const Situation& s) {
  const double fraction = s.measured.of_roof;
  if (fraction > kClockMargin) return;
  if (fraction >= kBoundFraction) {
    placed.verdict = s.at.verdict;
    placed.findings.emplace_back("explain.measured.at_roof", measured_arguments(s));
    return;
  }
  placed.verdict = Verdict::kLatencyBound;
  std::vector<Argument> arguments = measured_arguments(s);
  arguments.push_back({"gain", fraction > 0 ? 1 / fraction : 0, Unit::kFactor});
  placed.findings.emplace_back("explain.measured.below_roof", std::move(arguments));
}

}  // namespace

Seconds stopwatch_time(const PaperWork& work, const Stopwatch& stopwatch) {
  if (stopwatch.time) return *stopwatch.time;
  if (stopwatch.speed) return Flops(work.flops.value) / *stopwatch.speed;
  return Bytes(work.bytes()) / stopwatch.bandwidth.value_or(BytesPerSecond(1));
}

MeasuredPlacement place_measured(const PaperWork& work, const Machine& machine, const MachinePlacement& at,
                                 const Stopwatch& stopwatch) {
  MeasuredPlacement placed;
  placed.text = stopwatch.text;
  placed.measured = measure_on_paper(Flops(work.flops.value), Bytes(work.bytes()), {*at.peak, *at.bandwidth},
                                     stopwatch_time(work, stopwatch));
  const Situation situation{work, machine, at, placed.measured};
  add_steps(placed, situation, stopwatch);
  if (placed.measured.of_bandwidth > 1 + kRounding) explain_above_memory(placed, situation);
  if (placed.measured.of_peak > 1 + kRounding) explain_above_peak(placed, situation);
  judge_measured(placed, situation);
  return placed;
}

}  // namespace ridge
