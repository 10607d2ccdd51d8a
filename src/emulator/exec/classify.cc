#include "emulator/exec/classify.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

namespace ridge::emulator {
namespace {

using Word = std::string_view;

bool has(const ptx::Instruction& instruction, Word modifier) {
  const auto& all = instruction.modifiers;
  return std::find(all.begin(), all.end(), modifier) != all.end();
}

template <std::size_t kCount>
bool contains(const std::array<Word, kCount>& words, Word word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// ---- instructions that ptxas expands
//
// From the code of ptxas 13.0 for sm_90, the straight way to the result: what subnormal, huge or infinite operands take
// in addition is in a subroutine or switched off by a predicate. That of div.rn.f32, rcp.rn.f32, ex2.approx and
// rsqrt.approx agrees with the recorded counters of the lab (tests/data/h200/lab_truth.csv): softmax_passes has five
// fma and two more instructions of XU for each division, softmax_fused two fma and an add for each reciprocal,
// layernorm ten fma and five of XU for two divisions and a reciprocal square root.
struct Expansion {
  Word opcode, how, type;  ///< `how`: a modifier it must have; empty: any
  FloatingCounts fp32, fp64;
  std::uint8_t special = 0;
  bool flushed_only = false;  ///< only with .ftz
};
constexpr auto kExpansions = std::to_array<Expansion>({
    {"div", "rn", "f32", {0, 0, 5}, {}, 2},  // MUFU.RCP and FCHK
    {"div", "full", "f32", {0, 1, 0}, {}, 1},      {"div", "approx", "f32", {0, 1, 0}, {}, 1},
    {"rcp", "rn", "f32", {1, 0, 2}, {}, 1},        {"rcp", "rz", "f32", {1, 0, 2}, {}, 1},
    {"rcp", "approx", "f32", {}, {}, 1, true},     {"rcp", "approx", "f32", {0, 2, 0}, {}, 1},
    {"sqrt", "rn", "f32", {0, 2, 2}, {}, 1},       {"sqrt", "approx", "f32", {}, {}, 1},
    {"rsqrt", "approx", "f32", {}, {}, 1},         {"ex2", "approx", "f32", {}, {}, 1},
    {"lg2", "approx", "f32", {}, {}, 1},           {"sin", "approx", "f32", {0, 1, 0}, {}, 1},
    {"cos", "approx", "f32", {0, 1, 0}, {}, 1},    {"tanh", "approx", "f32", {}, {}, 1},
    {"div", "rn", "f64", {0, 0, 1}, {0, 1, 7}, 1}, {"rcp", "rn", "f64", {}, {0, 0, 5}, 1},
    {"sqrt", "rn", "f64", {}, {0, 3, 4}, 1},       {"rcp", "approx", "f64", {}, {}, 1},
    {"rsqrt", "approx", "f64", {}, {0, 2, 3}, 1},
});
constexpr std::array<Word, 9> kExpanded = {"div", "rcp", "sqrt", "rsqrt", "ex2", "lg2", "sin", "cos", "tanh"};

OpWork expanded(const ptx::Instruction& instruction) {
  OpWork work;
  work.pipe = has(instruction, "f64") ? Pipe::kFp64 : Pipe::kXu;
  for (const Expansion& each : kExpansions) {
    if (each.opcode != instruction.opcode || !has(instruction, each.how) || !has(instruction, each.type)) continue;
    if (each.flushed_only && !has(instruction, "ftz")) continue;
    work.fp32 = each.fp32;
    work.fp64 = each.fp64;
    work.special = each.special;
    return work;
  }
  work.known = false;
  work.special = 1;
  return work;
}

// ---- floating-point arithmetic

FloatingCounts arithmetic(Word opcode) {
  if (opcode == "add" || opcode == "sub") return {1, 0, 0};
  if (opcode == "mul") return {0, 1, 0};
  if (opcode == "fma" || opcode == "mad") return {0, 0, 1};
  return {};
}

FloatingCounts twice(FloatingCounts counts) {
  const auto two = [](std::uint8_t n) { return static_cast<std::uint8_t>(2 * n); };
  return {two(counts.add), two(counts.mul), two(counts.fma)};
}

OpWork floating(const ptx::Instruction& instruction, bool half) {
  if (contains(kExpanded, instruction.opcode) && !half) return expanded(instruction);
  OpWork work;
  const FloatingCounts counts = arithmetic(instruction.opcode);
  const bool computes = counts.add + counts.mul + counts.fma != 0;
  work.pipe = computes ? Pipe::kFma : Pipe::kAlu;
  if (contains(kExpanded, instruction.opcode)) {  // ex2 and tanh of halves
    work.pipe = Pipe::kXu;
    work.special = has(instruction, "f16x2") || has(instruction, "bf16x2") ? 2 : 1;
    work.known = false;
  } else if (has(instruction, "f64")) {
    work.fp64 = counts;
    work.pipe = Pipe::kFp64;
  } else if (has(instruction, "f32x2")) {
    work.fp32 = twice(counts);
  } else if (half && !has(instruction, "f32")) {
    work.fp16 = counts;
  } else {
    work.fp32 = counts;
  }
  return work;
}

// ---- integers, moves, conversions

constexpr std::array<Word, 5> kOnXu = {"popc", "clz", "bfind", "brev", "fns"};
constexpr std::array<Word, 7> kMultiplies = {"mul", "mad", "mul24", "mad24", "madc", "dp4a", "dp2a"};

OpWork integer(const ptx::Instruction& instruction) {
  OpWork work;
  work.integer = true;
  work.pipe = contains(kMultiplies, instruction.opcode) ? Pipe::kFma : Pipe::kAlu;
  if (contains(kOnXu, instruction.opcode)) {
    work.pipe = Pipe::kXu;
    work.special = 1;
  } else if (instruction.opcode == "div" || instruction.opcode == "rem") {
    work.known = false;  // a reciprocal and more, unless the divisor is a constant
  }
  return work;
}

bool names_integer(Word type) {
  return type.size() > 1 && (type[0] == 's' || type[0] == 'u') && type[1] >= '1' && type[1] <= '9';
}

// Between integers and floating-point numbers, and to integral values: XU; also to and from f64.
OpWork conversion(const ptx::Instruction& instruction) {
  OpWork work;
  bool integers = false, floats = false;
  for (const Word each : instruction.modifiers) {
    integers = integers || names_integer(each);
    floats = floats || each == "f32" || each == "f16" || each == "f64" || each == "bf16";
  }
  const bool integral =
      has(instruction, "rni") || has(instruction, "rzi") || has(instruction, "rmi") || has(instruction, "rpi");
  const bool special = (integers && floats) || integral || has(instruction, "f64");
  work.pipe = special ? Pipe::kXu : Pipe::kAlu;
  work.special = special ? 1 : 0;
  return work;
}

OpWork move(const ptx::Instruction& instruction) {
  if (instruction.opcode == "cvt") return conversion(instruction);
  constexpr std::array<Word, 4> kComputes = {"prmt", "mapa", "cvta", "isspacep"};
  if (!contains(kComputes, instruction.opcode)) return {};
  return {.pipe = Pipe::kAlu, .integer = true};
}

// ---- matrices

std::uint32_t number_after(Word text, char letter) {
  const std::size_t at = text.find(letter);
  std::uint32_t value = 0;
  if (at != Word::npos) std::from_chars(text.data() + at + 1, text.data() + text.size(), value);
  return value;
}

double operations(const ptx::Instruction& instruction) {
  for (const Word each : instruction.modifiers) {
    const double m = number_after(each, 'm'), n = number_after(each, 'n'), k = number_after(each, 'k');
    if (m * n * k == 0) continue;
    // m8n8k4 of f16 is four products.
    const bool four = m == 8 && k == 4 && instruction.opcode == "mma" && has(instruction, "f16");
    return 2 * m * n * k * (four ? 4 : 1);
  }
  return 0;
}

struct ElementType {
  Word word;
  DataType type;
};
constexpr auto kElementTypes = std::to_array<ElementType>({{"bf16", DataType::kBf16},
                                                           {"tf32", DataType::kTf32},
                                                           {"f64", DataType::kFp64},
                                                           {"e4m3", DataType::kFp8},
                                                           {"e5m2", DataType::kFp8},
                                                           {"e3m2", DataType::kFp6},
                                                           {"e2m3", DataType::kFp6},
                                                           {"e2m1", DataType::kFp4},
                                                           {"s8", DataType::kInt8},
                                                           {"u8", DataType::kInt8},
                                                           {"s4", DataType::kInt4},
                                                           {"u4", DataType::kInt4},
                                                           {"b1", DataType::kInt1},
                                                           {"f16", DataType::kFp16}});

DataType element_type(const ptx::Instruction& instruction) {
  for (const auto& [word, type] : kElementTypes) {
    // Of small floats f16 may be the result alone; it stands last in the table.
    if (has(instruction, word)) return type;
  }
  return DataType::kFp16;  // wmma names only the sums then
}

// Accumulators are told apart where counters do.
Accumulator accumulator(DataType type, const ptx::Instruction& instruction, TensorPath path) {
  if (type == DataType::kBf16 || type == DataType::kTf32) return Accumulator::kFp32;
  if (type != DataType::kFp16 || path == TensorPath::kWgmma) return Accumulator::kAny;
  return has(instruction, "f32") ? Accumulator::kFp32 : Accumulator::kFp16;
}

OpWork matrix(const ptx::Instruction& instruction) {
  const Word opcode = instruction.opcode;
  if (opcode == "ldmatrix" || opcode == "stmatrix") return {.pipe = Pipe::kLsu};
  if (opcode == "movmatrix") return {.pipe = Pipe::kAlu};
  if (opcode == "wmma" && !has(instruction, "mma")) return {.pipe = Pipe::kLsu};
  const bool group = opcode == "wgmma";
  if ((group && !has(instruction, "mma_async")) || opcode == "setmaxnreg") return {.pipe = Pipe::kControl};
  if (opcode == "tcgen05") return {.pipe = Pipe::kTensor, .known = false};
  OpWork work;
  work.pipe = Pipe::kTensor;
  const DataType type = element_type(instruction);
  const TensorPath path = group ? TensorPath::kWgmma : TensorPath::kMmaSync;
  const bool sparse = has(instruction, "sp") || has(instruction, "sp::ordered_metadata");
  const ComputeKey key =
      tensor(type, path, sparse ? Sparsity::kSparse : Sparsity::kDense, accumulator(type, instruction, path));
  work.tensor = TensorWork{key, operations(instruction) / (group ? 4 : 1)};
  return work;
}

// ---- the rest

OpWork warp_wide(const ptx::Instruction& instruction) {
  if (instruction.opcode == "shfl") return {.pipe = Pipe::kLsu};
  return {.pipe = Pipe::kAlu};
}

OpWork comparison(const ptx::Instruction& instruction) {
  const bool floats = has(instruction, "f32") || has(instruction, "f16") || has(instruction, "f16x2") ||
                      has(instruction, "bf16") || has(instruction, "bf16x2");
  if (has(instruction, "f64")) return {.pipe = Pipe::kFp64};
  const bool selects = instruction.opcode == "selp" || instruction.opcode == "slct";
  return {.pipe = Pipe::kAlu, .integer = !floats && !selects};
}

OpWork control(const ptx::Instruction& instruction) {
  constexpr std::array<Word, 6> kBranches = {"bra", "brx", "call", "ret", "exit", "trap"};
  return {.pipe = contains(kBranches, instruction.opcode) ? Pipe::kBranch : Pipe::kControl};
}

OpWork memory(const ptx::Instruction& instruction) {
  const Word opcode = instruction.opcode;
  // Kernel parameters and constants are operands, or read by the constant cache.
  if (opcode == "ld" && (has(instruction, "param") || has(instruction, "const"))) return {};
  return {.pipe = Pipe::kLsu};
}

}  // namespace

OpWork classify(const ptx::Instruction& instruction, const ptx::Form& form) {
  using enum ptx::Family;
  switch (form.family) {
    case kInteger:
    case kLogic:
    case kVideo:
      return integer(instruction);
    case kFloat:
      return floating(instruction, false);
    case kHalf:
      return floating(instruction, true);
    case kCompare:
      return comparison(instruction);
    case kMove:
      return move(instruction);
    case kMemory:
    case kAtomic:
      return memory(instruction);
    case kAsync:
      return {.pipe = has(instruction, "bulk") ? Pipe::kBulk : Pipe::kLsu};
    case kMatrix:
      return matrix(instruction);
    case kControl:
      return control(instruction);
    case kBarrier:
      return {.pipe = Pipe::kControl};
    case kWarp:
      return warp_wide(instruction);
    case kTexture:
      return {.pipe = Pipe::kTexture};
    case kOther:
      return {};
  }
  return {};
}

}  // namespace ridge::emulator
