// Rules about instructions and the units that execute them.
#include <algorithm>

#include "analysis/rules/context.h"
#include "model/roofline/pipes.h"

namespace ridge {
namespace {

bool is_pipe(std::string_view resource) {
  return level_of_resource(resource).empty();
}

Value<FlopsPerSecond> roof(const RuleContext& context, const ComputeKey& key) {
  return compute_roof(context.machine(), key, context.kernel().conditions, context.kernel().roof.basis);
}

/// The larger unit path of the same type that the machine has, if it is faster than `key`'s.
std::optional<ComputeKey> faster_path(const RuleContext& context, const ComputeKey& key) {
  for (const TensorPath path : {TensorPath::kTcgen05, TensorPath::kWgmma}) {
    const ComputeKey other = tensor(key.type, path, key.sparsity, key.accumulator);
    const Ceiling* ceiling = find_ceiling(context.machine(), other);
    if (ceiling != nullptr && ceiling->key.path == path) return other;
  }
  return std::nullopt;
}

}  // namespace

/// Warps run every instruction for all lanes; lanes that sit a branch out are lost issue slots and lanes.
std::optional<Finding> divergence(const RuleContext& context) {
  const Value<double>& threads = context.kernel().execution.threads_per_instruction;
  const double width = context.machine().occupancy.warp_size;
  if (!threads || width <= 0 || *threads >= width) return std::nullopt;
  const double lost = 1 - *threads / width;
  Seconds saving{0};
  if (!context.explained()) {
    saving = context.saved_above_roof(lost);
  } else if (is_pipe(context.binding().resource)) {
    saving = context.saved_by_shrinking([&](std::string_view resource) { return is_pipe(resource) ? 1 - lost : 1; });
  }
  return finding(context, "divergence", saving,
                 {{"threads", *threads, Unit::kNone}, {"warp", width, Unit::kNone}, {"lost", lost, Unit::kRatio}});
}

/// Double precision on a chip that has few lanes for it.
std::optional<Finding> slow_precision(const RuleContext& context) {
  constexpr double kFewLanes = 8;  // 1:2 is a compute card, 1:32 and 1:64 are others
  const ResourceTime* time = context.time("fp64");
  const Value<double> factor = roof(context, core(DataType::kFp32)) / roof(context, core(DataType::kFp64));
  if (time == nullptr || !factor || *factor < kFewLanes) return std::nullopt;
  const Seconds saving =
      context.saved_by_shrinking([&](std::string_view resource) { return resource == "fp64" ? 1 / *factor : 1; });
  return finding(context, "slow-precision", saving,
                 {{"flops", time->amount, Unit::kFlops}, {"factor", *factor, Unit::kFactor}});
}

/// mma.sync on a chip whose warpgroup or tcgen05 instructions are faster.
std::optional<Finding> slow_tensor_path(const RuleContext& context) {
  for (const ComputeWork& part : context.work().compute) {
    if (part.key.path != TensorPath::kMmaSync || !part.amount || *part.amount <= Flops(0)) continue;
    const std::optional<ComputeKey> other = faster_path(context, part.key);
    if (!other) continue;
    const Value<double> factor = roof(context, *other) / roof(context, part.key);
    if (!factor || *factor <= 1) continue;
    const std::string slow = resource_name(part.key);
    const Seconds saving = context.saved_by_shrinking(
        [&](std::string_view resource) { return resource == slow || resource == "tensor" ? 1 / *factor : 1; });
    return finding(context, "slow-tensor-path", saving,
                   {{"factor", *factor, Unit::kFactor},
                    {"path", std::string(other->path == TensorPath::kWgmma ? "wgmma" : "tcgen05"), Unit::kNone}});
  }
  return std::nullopt;
}

/// fp32 arithmetic at its roof where tensor cores would do TF32 several times faster. A change of precision, so a note.
std::optional<Finding> tensor_available(const RuleContext& context) {
  const ResourceTime* fp32 = context.time("fp32");
  if (context.kernel().verdict != Verdict::kComputeBound || fp32 == nullptr || fp32->fraction < kBoundFraction) {
    return std::nullopt;
  }
  const Value<double> factor =
      roof(context, tensor(DataType::kTf32, TensorPath::kAny)) / roof(context, core(DataType::kFp32));
  if (!factor || *factor <= 1) return std::nullopt;
  return note("tensor-available", FindingSeverity::kInfo, "it would change the precision of the results",
              {{"factor", *factor, Unit::kFactor}});
}

/// Issue slots full, but of what? Instructions that neither compute in floating point nor touch memory are addresses,
/// loop counters, conversions and predicates.
std::optional<Finding> instruction_overhead(const RuleContext& context) {
  constexpr double kWarp = 32;
  const InstructionWork& work = context.work().instructions;
  const Value<double> floating = work.fp64_add + work.fp64_mul + work.fp64_fma + work.fp32_add + work.fp32_mul +
                                 work.fp32_fma + work.fp16_add + work.fp16_mul + work.fp16_fma;
  if (!context.explained() || context.binding().resource != "issue" || !floating || !work.load_store ||
      !work.warp_instructions || *work.warp_instructions <= 0) {
    return std::nullopt;
  }
  // Divergent instructions hold fewer than 32 threads; that loss has a finding of its own.
  const double threads = context.kernel().execution.threads_per_instruction.value_or(kWarp);
  const double useful = *floating / std::max(threads, 1.0) + *work.load_store + work.special_function.value_or(0);
  const double overhead = std::clamp(1 - useful / *work.warp_instructions, 0.0, 1.0);
  const Seconds saving = context.saved_by_shrinking(
      [&](std::string_view resource) { return resource == "issue" || resource == "alu" ? 1 - overhead : 1; });
  return finding(context, "instruction-overhead", saving,
                 {{"overhead", overhead, Unit::kRatio}, {"instructions", *work.warp_instructions, Unit::kCount}});
}

std::optional<Finding> special_functions(const RuleContext& context) {
  if (!context.explained() || context.binding().resource != "special_function") return std::nullopt;
  const Seconds saving =
      context.saved_by_shrinking([&](std::string_view resource) { return resource == "special_function" ? 0.5 : 1; });
  return finding(context, "special-functions", saving, {{"instructions", context.binding().amount, Unit::kCount}});
}

/// More than a roof allows: the roof is drawn at the wrong clock, caches served what was counted as DRAM traffic, or
/// sparse operations were held against a dense roof.
std::optional<Finding> above_the_roof(const RuleContext& context) {
  constexpr double kRounding = 0.02;
  const ResourceTime& binding = context.binding();
  if (binding.fraction <= 1 + kRounding) return std::nullopt;
  const ReportKernel& kernel = context.kernel();
  const Ceiling* fp32 = find_ceiling(context.machine(), core(DataType::kFp32));
  const bool faster_clock = kernel.roof.basis != RoofBasis::kMeasuredClock && kernel.conditions.sm_clock &&
                            fp32 != nullptr && fp32->clock && *kernel.conditions.sm_clock > *fp32->clock;
  const bool is_memory = !level_of_resource(binding.resource).empty();
  const bool counted = kernel.work.bytes.dram && kernel.work.bytes.dram.provenance() <= Provenance::kCounted;
  std::string why = "peak";
  if (is_memory && !counted) {
    why = "cache";
  } else if (!is_memory && faster_clock) {
    why = "clock";
  } else if (!is_memory && !kernel.conditions.sm_clock) {
    why = "clock-unknown";
  }
  return note("above-the-roof", FindingSeverity::kNotice, "a kernel above its roof has no time to save there",
              {{"resource", binding.resource, Unit::kNone},
               {"fraction", binding.fraction, Unit::kRatio},
               {"above_cause", why, Unit::kNone}});
}

}  // namespace ridge
