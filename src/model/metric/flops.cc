#include "model/metric/flops.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/utf8.h"
#include "model/metric/tensor_ops.h"

namespace ridge {
namespace {

/// Thread instructions, predicated on, of one opcode: "ffma".
Value<double> opcode(const Counters& counters, std::string_view op) {
  const std::string tail = std::string("__sass_thread_inst_executed_op_").append(op).append("_pred_on");
  const Value<double> by_scheduler = counters.count("smsp" + tail, "smsp");
  return by_scheduler ? by_scheduler : either(by_scheduler, counters.count("sm" + tail, "sm"));
}

struct Opcodes {
  Value<double> add, mul, fma;
  [[nodiscard]] bool any() const { return add || mul || fma; }
};

Opcodes opcodes(const Counters& counters, char type) {
  const auto of = [&](std::string_view op) { return opcode(counters, std::string(1, type).append(op)); };
  return {of("add"), of("mul"), of("fma")};
}

/// add + mul + 2 x fma; times `width` where one thread instruction works on a packed pair.
Value<Flops> flops_of(const Opcodes& ops, double width) {
  if (ops.any() && !(ops.add && ops.mul && ops.fma)) {
    return Value<Flops>::missing("only some of the add, mul and fma counters were collected");
  }
  return transform(ops.add + ops.mul + ops.fma * 2.0, [width](double x) { return Flops(width * x); });
}

/// Packed fp32 of Blackwell (FADD2, FMUL2, FFMA2): one thread instruction does two. Absent on other chips.
Value<Flops> packed_fp32(const Counters& counters) {
  const Value<double> add = opcode(counters, "fadd2"), mul = opcode(counters, "fmul2"), fma = opcode(counters, "ffma2");
  return transform(sum_of_present({add, mul, fma * 2.0}), [](double x) { return Flops(2 * x); });
}

/// The compiler loads constants with HFMA2 (`HFMA2 R,-RZ,RZ,imm`): up to this many a thread are taken for such.
constexpr double kMaxConstantLoadsPerThread = 4;
/// Or any number of them below this share of the other floating-point instructions, as in loops that reload constants.
constexpr double kFewBesideOthers = 0.1;

/// A kernel that computes in half precision mostly says so in its signature or name.
bool name_suggests_half(std::string_view name) {
  constexpr std::array kParts{std::string_view("half"), std::string_view("bfloat16"), std::string_view("bf16"),
                              std::string_view("fp16"), std::string_view("f16"),      std::string_view("hgemm"),
                              std::string_view("haxpy")};
  const std::string lower = to_lower_ascii(name);
  return std::any_of(kParts.begin(), kParts.end(),
                     [&](std::string_view part) { return lower.find(part) != std::string::npos; });
}

/// Whether HFMA2 instructions look like constant loads rather than arithmetic; `others` are the thread instructions of
/// double and single precision.
bool looks_like_constant_loads(const Opcodes& half, const Value<double>& others, const LaunchFacts& facts) {
  if (!half.fma || !half.add || !half.mul || *half.add > 0 || *half.mul > 0 || *half.fma == 0) return false;
  if (*half.fma <= kFewBesideOthers * others.value_or(0)) return true;
  const Value<double> threads = facts.configuration.blocks() * facts.configuration.threads_per_block();
  // The recording's rates round, hence half an instruction of slack.
  return threads && *half.fma <= (kMaxConstantLoadsPerThread + 0.5) * *threads &&
         !name_suggests_half(facts.kernel_name);
}

constexpr std::string_view kConstantLoads =
    "only HFMA2 instructions, a few per thread: the compiler loads constants with these, so they are not counted";
constexpr std::string_view kOnlyConstantLoads =
    "no floating-point instruction but a few HFMA2 per thread, which may be half-precision work or constants being "
    "loaded";
constexpr std::string_view kNoCounters = "no floating-point counter was collected";

void add_part(Work& work, const ComputeKey& key, const Value<Flops>& amount, bool collected) {
  if (amount ? *amount > Flops(0) : collected) work.compute.push_back({key, amount});
}

/// The sum of every known part. A part that is missing although its counters exist makes the sum missing too.
Value<Flops> total(const Work& work, bool counted) {
  if (!counted) return Value<Flops>::missing(kNoCounters);
  Value<Flops> sum(Flops(0), Provenance::kMeasured);
  for (const ComputeWork& part : work.compute) {
    if (!is_floating_point(part.key.type)) continue;
    sum = sum + part.amount;
  }
  return sum;
}

}  // namespace

void count_flops(const Counters& counters, const LaunchFacts& facts, Work& work) {
  const Opcodes fp64 = opcodes(counters, 'd'), fp32 = opcodes(counters, 'f'), half = opcodes(counters, 'h');
  InstructionWork& instructions = work.instructions;
  instructions.fp64_add = fp64.add, instructions.fp64_mul = fp64.mul, instructions.fp64_fma = fp64.fma;
  instructions.fp32_add = fp32.add, instructions.fp32_mul = fp32.mul, instructions.fp32_fma = fp32.fma;
  instructions.fp16_add = half.add, instructions.fp16_mul = half.mul, instructions.fp16_fma = half.fma;

  const TensorWork tensor = tensor_work(counters, facts);
  const Value<Flops> packed = packed_fp32(counters);
  Value<Flops> fp32_flops = flops_of(fp32, 1);
  if (fp32_flops && packed) fp32_flops = fp32_flops + packed;
  add_part(work, core(DataType::kFp64), flops_of(fp64, 1), fp64.any());
  add_part(work, core(DataType::kFp32), fp32_flops, fp32.any());
  work.compute.insert(work.compute.end(), tensor.parts.begin(), tensor.parts.end());
  const bool counted = fp64.any() || fp32.any() || half.any() || tensor.counted;
  work.flops = total(work, counted);

  Value<Flops> half_flops = flops_of(half, 2);
  const Value<double> others = sum_of_present({fp64.add, fp64.mul, fp64.fma, fp32.add, fp32.mul, fp32.fma});
  const bool constants = looks_like_constant_loads(half, others, facts);
  if (constants) half_flops = Value<Flops>::missing(kConstantLoads);
  add_part(work, core(DataType::kFp16), half_flops, half.any());
  if (constants && work.flops && *work.flops == Flops(0)) {
    work.flops = Value<Flops>::missing(kOnlyConstantLoads);
  } else if (!constants && half.any()) {
    work.flops = work.flops + half_flops;
  }
  if (!tensor.counted && tensor_cores_were_used(counters, facts)) work.flops = Value<Flops>::missing(kTensorUncounted);
}

}  // namespace ridge
