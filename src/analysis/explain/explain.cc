#include <algorithm>
#include <cmath>
#include <string_view>

#include "analysis/explain/explanation.h"
#include "analysis/explain/measured.h"
#include "analysis/explain/unit_choice.h"

namespace ridge {
namespace {

constexpr Provenance kPaper = Provenance::kDeclared;

Value<double> declared(double value) {
  return {value, kPaper};
}
template <class Q>
Value<double> plain(const Value<Q>& value) {
  return transform(value, [](const Q& x) { return x.count(); });
}
ExplainStep step_of(const Computation& made) {
  return {made.name, made.formula, made.operands, declared(made.value), made.unit};
}

ExplainStep sum_step(std::string id, const Computation& read, const Computation& write) {
  return {std::move(id),
          "read + write",
          {{"read", read.value, Unit::kBytes}, {"write", write.value, Unit::kBytes}},
          declared(read.value + write.value),
          Unit::kBytes};
}

ExplainStep intensity_step(std::string id, double flops, double bytes) {
  return {std::move(id),
          "flops / bytes",
          {{"flops", flops, Unit::kFlops}, {"bytes", bytes, Unit::kBytes}},
          declared(flops / bytes),
          Unit::kFlopsPerByte};
}

/// A matrix product that is counted without its result: its least bytes are fewer than those of the ideal variant,
/// which counts it, and the line says so.
bool leaves_out_c(const PaperWork& work) {
  return std::any_of(work.parameters.begin(), work.parameters.end(),
                     [](const auto& parameter) { return parameter.name == "count_c" && parameter.number == 0; });
}

/// FLOP, bytes, intensity; for a variant that moves more than it must, also the least.
void add_work_steps(Explanation& made) {
  const PaperWork& work = made.work;
  for (const Computation& definition : work.definitions) made.steps.push_back(step_of(definition));
  made.steps.push_back(step_of(work.flops));
  made.steps.push_back(step_of(work.read));
  if (work.split) {
    made.steps.push_back(step_of(work.write));
    made.steps.push_back(sum_step("bytes", work.read, work.write));
  }
  made.steps.push_back(intensity_step("intensity", work.flops.value, work.bytes()));
  made.intensity = {Flops(work.flops.value) / Bytes(work.bytes()), kPaper};
  made.best_intensity = {Flops(work.flops.value) / Bytes(work.best_bytes()), kPaper};
  if (work.variant != work.best_variant) {
    const std::string without = leaves_out_c(work) ? "_without_c" : "";
    made.steps.push_back(sum_step("best_bytes" + without, work.best_read, work.best_write));
    made.steps.push_back(intensity_step("best_intensity" + without, work.flops.value, work.best_bytes()));
  }
  for (const Computation& set : work.working_set) made.steps.push_back(step_of(set));
}

/// Only a ceiling with a real clock shows where its peak comes from; others are figures that were given.
ExplainStep peak_step(const Machine& machine, const Ceiling& ceiling) {
  const double value = peak(machine, ceiling).count();
  ExplainStep step{"peak", "", {}, {value, ceiling.provenance}, Unit::kFlopsPerSecond};
  if (!ceiling.clock || machine.sm_count <= 0) return step;
  step.formula = "sms * ops_per_clock * clock";
  step.operands = {{"sms", static_cast<double>(machine.sm_count), Unit::kNone},
                   {"ops_per_clock", ceiling.ops_per_clock_per_sm, Unit::kNone},
                   {"clock", ceiling.clock->count(), Unit::kHertz}};
  return step;
}

ExplainStep bandwidth_step(const Machine& machine, const Value<BytesPerSecond>& bandwidth) {
  ExplainStep step{"bandwidth", "", {}, plain(bandwidth), Unit::kBytesPerSecond};
  const DramBus& bus = machine.bus;
  const double from_bus = bus.width_bits * bus.data_rate_bits_per_s / 8;
  if (!bandwidth || std::abs(from_bus - bandwidth->count()) > 1e-3 * bandwidth->count()) return step;
  step.formula = "bus_bits * bits_per_pin / 8";
  step.operands = {{"bus_bits", bus.width_bits, Unit::kNone}, {"bits_per_pin", bus.data_rate_bits_per_s, Unit::kHertz}};
  return step;
}

void add_roof_steps(MachinePlacement& at, double flops, double bytes) {
  const Argument f{"flops", flops, Unit::kFlops};
  const Argument b{"bytes", bytes, Unit::kBytes};
  const Argument p{"peak", at.peak->count(), Unit::kFlopsPerSecond};
  const Argument w{"bandwidth", at.bandwidth->count(), Unit::kBytesPerSecond};
  const Argument i{"intensity", flops / bytes, Unit::kFlopsPerByte};
  at.steps.push_back({"ridge", "peak / bandwidth", {p, w}, plain(at.ridge), Unit::kFlopsPerByte});
  at.steps.push_back({"compute_time", "flops / peak", {f, p}, plain(at.compute_time), Unit::kSeconds});
  at.steps.push_back({"data_time", "bytes / bandwidth", {b, w}, plain(at.data_time), Unit::kSeconds});
  const Argument c{"compute_time", at.compute_time->count(), Unit::kSeconds};
  const Argument d{"data_time", at.data_time->count(), Unit::kSeconds};
  const bool memory = at.verdict == Verdict::kMemoryBound;
  if (at.ratio) {
    at.steps.push_back(
        {"ratio", memory ? "data_time / compute_time" : "compute_time / data_time", {c, d}, at.ratio, Unit::kFactor});
  }
  at.steps.push_back(
      {"attainable", "min(peak, intensity * bandwidth)", {p, i, w}, plain(at.attainable), Unit::kFlopsPerSecond});
}

/// The peak assumes fused multiply-adds; another mix has a lower roof. Shown beside the headline, which the texts use.
void add_mix(MachinePlacement& at, const PaperWork& work) {
  if (work.instructions.empty() || at.key.unit != ComputeUnit::kCore || work.flops.value <= 0) {
    at.mix_peak = Value<FlopsPerSecond>::missing("the mix of additions, multiplications and fused ones is not known");
    return;
  }
  const Computation& instructions = work.instructions[0];
  at.mix_peak = {mix_aware_peak(*at.peak, Flops(work.flops.value), instructions.value), at.peak.provenance()};
  if (at.mix_peak->count() >= at.peak->count() * (1 - 1e-9)) return;
  at.steps.push_back({"mix_peak",
                      "peak * flops / (2 * instructions)",
                      {{"peak", at.peak->count(), Unit::kFlopsPerSecond},
                       {"flops", work.flops.value, Unit::kFlops},
                       {"instructions", instructions.value, Unit::kCount}},
                      plain(at.mix_peak),
                      Unit::kFlopsPerSecond});
  const bool changes = at.mix_peak->count() < at.attainable->count();
  at.notes.emplace_back(changes ? "explain.note.mix_binds" : "explain.note.mix_free",
                        std::vector<Argument>{{"mix_peak", at.mix_peak->count(), Unit::kFlopsPerSecond},
                                              {"share", *at.mix_peak / *at.peak, Unit::kRatio}});
}

void add_l2(MachinePlacement& at, const Machine& machine, const PaperWork& work) {
  const MemoryLevel* l2 = find_level(machine, Level::kL2);
  at.l2_capacity = l2 == nullptr ? Value<Bytes>::missing("the machine states no L2") : l2->capacity;
  if (!at.l2_capacity || work.working_set.empty() || at.l2_capacity->count() <= 0) return;
  const double set = work.working_set[0].value;
  at.fits_l2 = set <= at.l2_capacity->count();
  at.steps.push_back({"l2_share",
                      "working_set / l2_capacity",
                      {{"working_set", set, Unit::kBytes}, {"l2_capacity", at.l2_capacity->count(), Unit::kBytes}},
                      declared(set / at.l2_capacity->count()),
                      Unit::kRatio});
  at.notes.emplace_back(*at.fits_l2 ? "explain.note.l2_fits" : "explain.note.l2_too_small",
                        std::vector<Argument>{{"working_set", set, Unit::kBytes},
                                              {"l2_capacity", at.l2_capacity->count(), Unit::kBytes}});
}

/// Bytes are those of the elements, whatever the unit computes with.
void add_other_type(MachinePlacement& at, const PaperWork& work) {
  if (at.key.type == work.type) return;
  at.notes.emplace_back("explain.note.other_type",
                        std::vector<Argument>{{"type", std::string(ridge::name(work.type)), Unit::kNone},
                                              {"ceiling", at.ceiling, Unit::kNone}});
}

/// fp64 and fp32 run on cores unless asked otherwise; a faster tensor path for the same numbers is worth a sentence.
void add_faster_unit(MachinePlacement& at, const Machine& machine, const PaperWork& work) {
  if (!work.matrix || at.key.unit != ComputeUnit::kCore) return;
  const DataType type = work.type == DataType::kFp32 ? DataType::kTf32 : work.type;
  const Ceiling* faster = find_ceiling(machine, tensor(type, TensorPath::kAny));
  if (faster == nullptr || peak(machine, *faster) <= *at.peak) return;
  at.notes.emplace_back(type == work.type ? "explain.note.tensor_same" : "explain.note.tensor_tf32",
                        std::vector<Argument>{{"ceiling", ridge::name(faster->key), Unit::kNone},
                                              {"peak", peak(machine, *faster).count(), Unit::kFlopsPerSecond}});
}

void set_missing(MachinePlacement& at, Reason reason) {
  at.ridge = Value<FlopsPerByte>::missing(reason);
  at.compute_time = Value<Seconds>::missing(reason);
  at.ratio = Value<double>::missing(reason);
  at.attainable = Value<FlopsPerSecond>::missing(reason);
  at.mix_peak = Value<FlopsPerSecond>::missing(reason);
}

void place(MachinePlacement& at, const Machine& machine, const PaperWork& work, const ExplainOptions& options) {
  const Flops flops(work.flops.value);
  const Bytes bytes(work.bytes());
  at.data_time = transform(at.bandwidth, [&](BytesPerSecond w) { return bytes / w; });
  if (!at.peak || !at.bandwidth) {
    set_missing(at, at.peak ? at.bandwidth.reason() : at.peak.reason());
    return;
  }
  const PaperRoof roof{*at.peak, *at.bandwidth};
  const PaperPoint point = place_on_paper(flops, bytes, roof);
  const Provenance p = combine(at.peak.provenance(), at.bandwidth.provenance());
  at.ridge = {point.ridge, p};
  at.compute_time = {point.compute_time, combine(kPaper, at.peak.provenance())};
  at.ratio = point.ratio;
  at.attainable = {point.attainable, combine(kPaper, p)};
  at.verdict = point.memory_bound ? Verdict::kMemoryBound : Verdict::kComputeBound;
  at.side = point.memory_bound ? Side::kLeft : Side::kRight;
  add_roof_steps(at, flops.count(), bytes.count());
  add_mix(at, work);
  add_l2(at, machine, work);
  add_faster_unit(at, machine, work);
  if (options.ceiling) add_other_type(at, work);
  for (const Stopwatch& stopwatch : options.stopwatches) {
    at.measured.push_back(place_measured(work, machine, at, stopwatch));
  }
}

/// What comes nearest to a ceiling that is not there: the dense ones of its type, else the types of its unit.
std::string instead_of(const ComputeKey& wanted, const Machine& machine) {
  std::vector<std::string> same_type, same_unit;
  for (const Ceiling& ceiling : machine.ceilings) {
    if (ceiling.key.sparsity != Sparsity::kDense) continue;
    if (ceiling.key.type == wanted.type) same_type.push_back(name(ceiling.key));
    const std::string type(name(ceiling.key.type));
    const bool known = std::find(same_unit.begin(), same_unit.end(), type) != same_unit.end();
    if (ceiling.key.unit == wanted.unit && !known) same_unit.push_back(type);
  }
  const std::vector<std::string>& shown = same_type.empty() ? same_unit : same_type;
  std::string list;
  for (const std::string& each : shown) list += (list.empty() ? "" : ", ") + each;
  if (list.empty()) return "give one with --peak NAME=VALUE";
  const std::string what = same_type.empty() ? "choose a precision of the same unit (" : "choose one of its ceilings (";
  return what + list + "; all: ridge machines show " + machine.id + "), or give one with --peak NAME=VALUE";
}

/// A stated peak or bandwidth of zero is as good as none.
MachinePlacement place_machine(const Machine& machine, const PaperWork& work, const ExplainOptions& options) {
  MachinePlacement at;
  at.id = machine.id;
  at.name = machine.name;
  at.note = machine.note;
  const UnitChoice choice = choose_unit(work, machine, options);
  at.key = choice.key;
  at.unit_message = choice.message;
  at.ceiling = name(choice.key);
  at.peak = Value<FlopsPerSecond>::missing("no " + at.ceiling + " ceiling");
  const Ceiling* ceiling = find_ceiling(machine, choice.key);
  if (ceiling != nullptr && peak(machine, *ceiling).count() > 0) {
    at.peak = {peak(machine, *ceiling), ceiling->provenance};
    at.key = ceiling->key;
    at.ceiling = name(ceiling->key);
    at.steps.push_back(peak_step(machine, *ceiling));
  }
  const MemoryLevel* dram = find_level(machine, Level::kDram);
  at.bandwidth = Value<BytesPerSecond>::missing("no DRAM bandwidth");
  if (dram != nullptr && dram->bandwidth && dram->bandwidth->count() > 0) at.bandwidth = dram->bandwidth;
  if (at.bandwidth) at.steps.push_back(bandwidth_step(machine, at.bandwidth));
  place(at, machine, work, options);
  return at;
}

Result<void> check_alone(const MachinePlacement& at, const Machine& machine) {
  if (!at.peak) {
    return fail(usage_error(machine.name + " has no ceiling " + at.ceiling, machine.id, instead_of(at.key, machine)));
  }
  if (!at.bandwidth) {
    return fail(usage_error(machine.name + " states no DRAM bandwidth", machine.id, "add --bandwidth dram=900GB/s"));
  }
  return {};
}

Result<void> check_stopwatches(const PaperWork& work, const ExplainOptions& options) {
  for (const Stopwatch& stopwatch : options.stopwatches) {
    if (stopwatch.speed && work.flops.value <= 0) {
      return fail(usage_error(work.workload + " has no arithmetic to measure in FLOP/s", "--measured " + stopwatch.text,
                              "give a time such as 0.477ms, or a bandwidth such as 900GB/s"));
    }
  }
  return {};
}

}  // namespace

Result<Explanation> explain(const PaperWork& work, const std::vector<Machine>& machines,
                            const ExplainOptions& options) {
  RIDGE_TRY(check_stopwatches(work, options));
  Explanation made;
  made.work = work;
  made.notes = work.notes;
  add_work_steps(made);
  for (const Machine& machine : machines) made.machines.push_back(place_machine(machine, work, options));
  if (machines.size() == 1) RIDGE_TRY(check_alone(made.machines[0], machines[0]));
  for (std::size_t i = 1; i < options.stopwatches.size(); ++i) {
    const Seconds before = stopwatch_time(work, options.stopwatches[i - 1]);
    const Seconds after = stopwatch_time(work, options.stopwatches[i]);
    made.speedups.push_back({options.stopwatches[i - 1].text, options.stopwatches[i].text, before / after});
  }
  return made;
}

}  // namespace ridge
