#include "emulator/exec/classify.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "emulator/exec/type.h"

namespace ridge::emulator {
namespace {

// The type that the instruction computes in: the last one, but for conversions the first.
Type type_of(const ptx::Instruction& instruction) {
  Type type = Type::kB32;
  for (const std::string_view each : instruction.modifiers) {
    if (const auto named = type_named(each)) type = *named;
  }
  return type;
}

// What ptxas makes of an instruction: from the code of ptxas 13.0 for sm_90, the straight way to the result (what
// subnormal, huge or infinite operands take in addition is in a subroutine, or switched off by a predicate). That of
// div.rn.f32, rcp.rn.f32, ex2.approx and rsqrt.approx agrees with the recorded counters of the lab
// (tests/data/h200/lab_truth.csv): softmax_passes has five fma and two more instructions of XU for each division,
// softmax_fused two fma and an add for each reciprocal, layernorm ten fma and five of XU for two divisions and a
// reciprocal square root.
struct Expansion {
  std::string_view opcode, modifier;
  Type type{};
  FloatingWork work;
  double special_functions = 0;
  double machine_instructions = 1;
  bool flushed_only = false;  ///< only with .ftz
};
constexpr auto kExpansions = std::to_array<Expansion>({
    {"div", "rn", Type::kF32, {0, 0, 5}, 2, 9},      {"div", "full", Type::kF32, {0, 1, 0}, 1, 4},
    {"div", "approx", Type::kF32, {0, 1, 0}, 1, 4},  {"rcp", "rn", Type::kF32, {1, 0, 2}, 1, 8},
    {"rcp", "rz", Type::kF32, {1, 0, 2}, 1, 8},      {"rcp", "approx", Type::kF32, {0, 0, 0}, 1, 1, true},
    {"rcp", "approx", Type::kF32, {0, 2, 0}, 1, 4},  {"sqrt", "rn", Type::kF32, {0, 2, 2}, 1, 9},
    {"sqrt", "approx", Type::kF32, {0, 0, 0}, 1, 4}, {"rsqrt", "approx", Type::kF32, {0, 0, 0}, 1, 2},
    {"ex2", "approx", Type::kF32, {0, 0, 0}, 1, 2},  {"lg2", "approx", Type::kF32, {0, 0, 0}, 1, 2},
    {"sin", "approx", Type::kF32, {0, 1, 0}, 1, 2},  {"cos", "approx", Type::kF32, {0, 1, 0}, 1, 2},
    {"tanh", "approx", Type::kF32, {0, 0, 0}, 1, 1}, {"div", "rn", Type::kF64, {0, 1, 7}, 1, 16},
    {"rcp", "rn", Type::kF64, {0, 0, 5}, 1, 12},     {"sqrt", "rn", Type::kF64, {0, 3, 5}, 1, 16},
    {"rcp", "approx", Type::kF64, {0, 0, 0}, 1, 1},  {"rsqrt", "approx", Type::kF64, {0, 2, 3}, 1, 8},
});

const Expansion* expansion_of(const ptx::Instruction& instruction, Type type) {
  for (const Expansion& each : kExpansions) {
    const bool flushed = !each.flushed_only || ptx::has_modifier(instruction, "ftz");
    if (each.opcode == instruction.opcode && each.type == type && ptx::has_modifier(instruction, each.modifier) &&
        flushed)
      return &each;
  }
  return nullptr;
}

FloatingWork floating_work(std::string_view opcode) {
  if (opcode == "add" || opcode == "sub") return {1, 0, 0};
  if (opcode == "mul") return {0, 1, 0};
  if (opcode == "fma" || opcode == "mad") return {0, 0, 1};
  return {};
}

void classify_half(OpWork& work, const ptx::Instruction& instruction, Type type) {
  work.pipe = Pipe::kHalf;
  work.half = floating_work(instruction.opcode);
  work.brain = type == Type::kBf16 || type == Type::kBf16x2;
  work.half_width = type == Type::kF16x2 || type == Type::kBf16x2 ? 2 : 1;
}

void classify_floating(OpWork& work, const ptx::Instruction& instruction) {
  const Type type = type_of(instruction);
  if (const Expansion* expansion = expansion_of(instruction, type)) {
    (type == Type::kF64 ? work.fp64 : work.fp32) = expansion->work;
    work.pipe = Pipe::kXu;
    work.special_functions = expansion->special_functions;
    work.machine_instructions = expansion->machine_instructions;
    work.expanded = expansion->machine_instructions > 1;
    return;
  }
  const FloatingWork plain = floating_work(instruction.opcode);
  const bool counts = plain.add + plain.mul + plain.fma > 0;
  switch (type) {
    case Type::kF32:
      work.fp32 = plain;
      work.pipe = counts ? Pipe::kFma : Pipe::kAlu;
      break;
    case Type::kF32x2:
      work.fp32 = {2 * plain.add, 2 * plain.mul, 2 * plain.fma};
      work.machine_instructions = 2;
      work.pipe = Pipe::kFma;
      break;
    case Type::kF64:
      work.fp64 = plain;
      work.pipe = Pipe::kFp64;
      break;
    default:
      classify_half(work, instruction, type);
      break;
  }
}

void classify_integer(OpWork& work, const ptx::Instruction& instruction) {
  const std::string_view opcode = instruction.opcode;
  work.integer = true;
  work.pipe = opcode == "mul" || opcode == "mad" || opcode == "dp4a" || opcode == "dp2a" ? Pipe::kFma : Pipe::kAlu;
  if (opcode == "popc" || opcode == "brev" || opcode == "bfind" || opcode == "clz") work.pipe = Pipe::kXu;
  const bool wide = size_of(type_of(instruction)) == 8;
  if (opcode == "div" || opcode == "rem") {
    // A reciprocal, products and corrections; 64 bits go through a called routine.
    work.machine_instructions = wide ? 70 : 20;
    work.special_functions = 3;
    work.expanded = true;
  } else if (wide) {
    work.machine_instructions = opcode == "mul" || opcode == "mad" ? 4 : 2;
  }
}

// Conversions that meet a floating-point type take the XU pipe, but for those between f32 and halves and those of a
// whole word to f32 (sin_map, divergence and layernorm of the lab have an XU instruction less than conversions).
void classify_move(OpWork& work, const ptx::Instruction& instruction) {
  work.pipe = Pipe::kAlu;
  work.integer = instruction.opcode == "prmt" || instruction.opcode == "bfi";
  if (instruction.opcode != "cvt") return;
  bool floating = false, whole = false, wide = false;
  const bool of_word = ptx::has_modifier(instruction, "f32") &&
                       (ptx::has_modifier(instruction, "s32") || ptx::has_modifier(instruction, "u32"));
  if (of_word && type_named(instruction.modifiers.back()) != Type::kF32) return;
  for (const std::string_view each : instruction.modifiers) {
    const auto type = type_named(each);
    if (!type) continue;
    floating = floating || is_floating(*type);
    whole = whole || !is_floating(*type);
    wide = wide || *type == Type::kF64;
  }
  if ((floating && whole) || wide) {
    work.pipe = Pipe::kXu;
    work.special_functions = 1;
  }
}

// ---- tensor products

struct Shape {
  double m = 0, n = 0, k = 0;
};

std::optional<Shape> shape_of(const ptx::Instruction& instruction) {
  for (std::string_view each : instruction.modifiers) {
    std::array<double, 3> sizes{};
    std::size_t found = 0;
    for (const char letter : {'m', 'n', 'k'}) {
      if (each.empty() || each.front() != letter) break;
      each.remove_prefix(1);
      unsigned value = 0;
      const auto [end, error] = std::from_chars(each.data(), each.data() + each.size(), value);
      if (error != std::errc()) break;
      each.remove_prefix(static_cast<std::size_t>(end - each.data()));
      sizes[found++] = value;
    }
    if (found == 3 && each.empty()) return Shape{sizes[0], sizes[1], sizes[2]};
  }
  return std::nullopt;
}

std::optional<DataType> tensor_type(const ptx::Instruction& instruction) {
  constexpr auto kTypes = std::to_array<std::pair<std::string_view, DataType>>({{"bf16", DataType::kBf16},
                                                                                {"tf32", DataType::kTf32},
                                                                                {"e4m3", DataType::kFp8},
                                                                                {"e5m2", DataType::kFp8},
                                                                                {"s8", DataType::kInt8},
                                                                                {"u8", DataType::kInt8},
                                                                                {"s4", DataType::kInt4},
                                                                                {"u4", DataType::kInt4},
                                                                                {"b1", DataType::kInt1},
                                                                                {"f64", DataType::kFp64},
                                                                                {"f16", DataType::kFp16}});
  for (const auto& [word, type] : kTypes) {
    if (ptx::has_modifier(instruction, word)) return type;
  }
  return std::nullopt;
}

// The accumulator stands first among the types: mma.sync...f32.bf16.bf16.f32.
Accumulator accumulator_of(const ptx::Instruction& instruction, DataType type) {
  if (type == DataType::kFp64 || type == DataType::kInt8 || type == DataType::kInt4 || type == DataType::kInt1) {
    return Accumulator::kAny;
  }
  for (const std::string_view each : instruction.modifiers) {
    if (each == "f32") return Accumulator::kFp32;
    if (each == "f16") return Accumulator::kFp16;
  }
  return Accumulator::kFp32;
}

void classify_matrix(OpWork& work, const ptx::Instruction& instruction) {
  const bool group = instruction.opcode == "wgmma";
  const bool multiplies = ptx::has_modifier(instruction, "mma_async") || instruction.opcode == "mma" ||
                          (instruction.opcode == "wmma" && ptx::has_modifier(instruction, "mma"));
  if (!multiplies) {
    work.pipe = group ? Pipe::kNone : Pipe::kLsu;
    return;
  }
  work.pipe = Pipe::kTensor;
  const auto shape = shape_of(instruction);
  auto type = tensor_type(instruction);
  if (!shape) return;
  if (!type) type = DataType::kFp16;  // wmma names only the accumulators of half products
  const bool sparse = ptx::has_modifier(instruction, "sp") || ptx::has_modifier(instruction, "sp::ordered_metadata");
  work.tensor = tensor(*type, group ? TensorPath::kWgmma : TensorPath::kMmaSync,
                       sparse ? Sparsity::kSparse : Sparsity::kDense, accumulator_of(instruction, *type));
  // One of the four warps of a group does a quarter of wgmma's rows.
  work.tensor_operations = 2 * shape->m * shape->n * shape->k / (group ? 4 : 1);
}

}  // namespace

std::string_view name(Pipe pipe) {
  constexpr std::array<std::string_view, 9> kNames = {"none", "alu",    "fma", "half",  "fp64",
                                                      "xu",   "tensor", "lsu", "branch"};
  return kNames[static_cast<std::size_t>(pipe)];
}

OpWork classify(const ptx::Instruction& instruction, const ptx::Form& form) {
  OpWork work;
  switch (form.family) {
    case ptx::Family::kInteger:
    case ptx::Family::kVideo:
      classify_integer(work, instruction);
      break;
    case ptx::Family::kFloat:
    case ptx::Family::kHalf:
      classify_floating(work, instruction);
      break;
    case ptx::Family::kCompare:
    case ptx::Family::kLogic:
      work.pipe = Pipe::kAlu;
      work.integer = form.family == ptx::Family::kLogic || !is_floating(type_of(instruction));
      if (size_of(type_of(instruction)) == 8) work.machine_instructions = 2;
      break;
    case ptx::Family::kMove:
      classify_move(work, instruction);
      break;
    case ptx::Family::kMemory:
    case ptx::Family::kAtomic:
    case ptx::Family::kTexture:
    case ptx::Family::kAsync:
    case ptx::Family::kWarp:
      work.pipe = Pipe::kLsu;
      break;
    case ptx::Family::kMatrix:
      classify_matrix(work, instruction);
      break;
    case ptx::Family::kControl:
      work.pipe = Pipe::kBranch;
      break;
    default:
      break;
  }
  return work;
}

}  // namespace ridge::emulator
