// cvt as vectors do not have it: saturation, other roundings, and the narrow formats.
#include <algorithm>

#include "emulator/exec/scalar/scalar.h"

namespace ridge::emulator {
namespace {

using Operands = ScalarOperands;
using Options = ScalarOptions;

number::Conversion conversion(const Options& how) {
  return {how.mode.rounding, how.mode.ftz, how.mode.sat, how.mode.relu, how.satfinite};
}
std::uint32_t word(std::uint64_t operand) {
  return static_cast<std::uint32_t>(operand);
}

// ---- between registers' own types

std::uint64_t integer_to_integer(const Operands& x, const Options& how) {
  return number::integer_to_integer(x[0], how.from_integer, how.to_integer, how.mode.sat);
}
std::uint64_t float_to_integer(const Operands& x, const Options& how) {
  return number::float_to_integer(*how.from, x[0], how.to_integer, how.mode.rounding, how.mode.ftz);
}
std::uint64_t integer_to_float(const Operands& x, const Options& how) {
  return number::integer_to_float(how.from_integer, x[0], *how.to, how.mode.rounding, how.mode.sat);
}
std::uint64_t float_to_float(const Operands& x, const Options& how) {
  return number::float_to_float(*how.from, x[0], *how.to, conversion(how));
}
std::uint64_t to_integral(const Operands& x, const Options& how) {
  return number::round_to_integral(*how.to, x[0], how.mode.rounding, how.mode.ftz, how.mode.sat);
}
std::uint64_t to_tf32(const Operands& x, const Options& how) {
  return number::f32_to_tf32(word(x[0]), conversion(how));
}

// ---- pairs and fours of narrow formats

std::uint64_t to_pair(const Operands& x, const Options& how) {
  return number::f32_to_pair(word(x[0]), word(x[1]), *how.to, conversion(how));
}
std::uint64_t to_pair_stochastic(const Operands& x, const Options& how) {
  return number::f32_to_pair_stochastic(word(x[0]), word(x[1]), *how.to, conversion(how), word(x[2]));
}
std::uint64_t to_four_stochastic(const Operands& x, const Options& how) {
  return number::f32_to_four_stochastic({word(x[0]), word(x[1]), word(x[2]), word(x[3])}, *how.to, conversion(how),
                                        word(x[4]));
}
std::uint64_t halves_to_pair(const Operands& x, const Options& how) {
  return number::f16x2_to_pair(word(x[0]), *how.to, conversion(how));
}
std::uint64_t pair_to_halves(const Operands& x, const Options& how) {
  return number::pair_to_f16x2(word(x[0]), *how.from, conversion(how));
}

std::uint64_t to_ue8m0(const Operands& x, const Options& how) {
  const auto code = [&](std::uint64_t value) -> std::uint64_t {
    return number::f32_to_ue8m0(word(value), how.mode.rounding, how.satfinite);
  };
  return code(x[0]) << 8 | code(x[1]);
}
std::uint64_t bfloats_to_ue8m0(const Operands& x, const Options& how) {
  const auto code = [&](std::uint64_t value) -> std::uint64_t {
    return number::bf16_to_ue8m0(static_cast<std::uint16_t>(value), how.mode.rounding, how.satfinite);
  };
  return code(x[0] >> 16) << 8 | code(x[0]);
}
std::uint64_t ue8m0_to_bfloats(const Operands& x, const Options&) {
  const auto value = [](std::uint64_t code) -> std::uint64_t {
    return number::ue8m0_to_bf16(static_cast<std::uint8_t>(code));
  };
  return value(x[0] >> 8) << 16 | value(x[0]);
}

std::uint64_t pack(const Operands& x, const Options& how) {
  return number::pack_saturated(word(x[0]), word(x[1]), word(x[2]), how.to_integer);
}

// ---- which

struct NarrowFormat {
  std::string_view name;
  const number::Format* format;
  Type pair;  ///< the register of two
};
constexpr NarrowFormat kNarrow[] = {{"e4m3", &number::kE4m3, Type::kB16},
                                    {"e5m2", &number::kE5m2, Type::kB16},
                                    {"e2m1", &number::kE2m1, Type::kB8},
                                    {"e2m3", &number::kE2m3, Type::kB16},
                                    {"e3m2", &number::kE3m2, Type::kB16}};

/// "e4m3x2" -> the row of e4m3.
const NarrowFormat* narrow_named(std::string_view modifier) {
  for (const NarrowFormat& each : kNarrow) {
    if (modifier.starts_with(each.name)) return &each;
  }
  return nullptr;
}

bool select_narrow(Builder& builder) {
  const std::string_view from = builder.instruction().modifiers.back();
  const std::string_view to = builder.instruction().modifiers[builder.instruction().modifiers.size() - 2];
  Scalar scalar{nullptr, read_options(builder), 1};
  if (const NarrowFormat* source = narrow_named(from)) {
    scalar.options.from = source->format;
    scalar.function = pair_to_halves;
    emit_scalar(builder, scalar, Type::kF16x2, {source->pair});
    return true;
  }
  const NarrowFormat* target = narrow_named(to);
  if (target == nullptr) return false;
  scalar.options.to = target->format;
  if (to.ends_with("x4")) {
    scalar.function = to_four_stochastic;
    emit_scalar(builder, scalar, target->pair == Type::kB8 ? Type::kB16 : Type::kB32, {Type::kF32, Type::kB32});
  } else if (from == "f16x2") {
    scalar.function = halves_to_pair;
    emit_scalar(builder, scalar, target->pair, {Type::kF16x2});
  } else {
    scalar.function = to_pair;
    emit_scalar(builder, scalar, target->pair, {Type::kF32, Type::kF32});
  }
  return true;
}

bool select_ue8m0(Builder& builder) {
  if (!builder.has("ue8m0x2")) return false;
  Scalar scalar{ue8m0_to_bfloats, read_options(builder), 1};
  const std::string_view from = builder.instruction().modifiers.back();
  if (from == "ue8m0x2") {
    emit_scalar(builder, scalar, Type::kBf16x2, {Type::kB16});
  } else if (from == "bf16x2") {
    scalar.function = bfloats_to_ue8m0;
    emit_scalar(builder, scalar, Type::kB16, {Type::kBf16x2});
  } else {
    scalar.function = to_ue8m0;
    emit_scalar(builder, scalar, Type::kB16, {Type::kF32, Type::kF32});
  }
  return true;
}

bool select_pack(Builder& builder) {
  if (!builder.has("pack")) return false;
  struct Target {
    std::string_view name;
    number::Integer type;
  };
  constexpr Target kTargets[] = {{"u16", number::kU16}, {"s16", number::kS16}, {"u8", number::kU8}, {"s8", number::kS8},
                                 {"u4", {4, false}},    {"s4", {4, true}},     {"u2", {2, false}},  {"s2", {2, true}}};
  Scalar scalar{pack, read_options(builder), 1};
  for (const Target& each : kTargets) {
    if (builder.has(each.name)) scalar.options.to_integer = each.type;
  }
  if (builder.operand_count() == 3) {
    emit_scalar(builder, scalar, Type::kB32, {Type::kS32, Type::kS32});
  } else {
    emit_scalar(builder, scalar, Type::kB32, {Type::kS32, Type::kS32, Type::kB32});
  }
  return true;
}

/// To pairs of f16 or bf16 from two f32.
bool select_pair(Builder& builder, Type to) {
  Scalar scalar{to_pair, read_options(builder), 1};
  scalar.options.to = format_of(to);
  if (builder.has("rs")) {
    scalar.function = to_pair_stochastic;
    emit_scalar(builder, scalar, to, {Type::kF32, Type::kF32, Type::kB32});
  } else {
    emit_scalar(builder, scalar, to, {Type::kF32, Type::kF32});
  }
  return true;
}

bool rounds_to_integral(const Builder& builder) {
  const std::string_view words[] = {"rni", "rzi", "rmi", "rpi"};
  return std::any_of(std::begin(words), std::end(words), [&](std::string_view each) { return builder.has(each); });
}

ScalarFunction function_of(const Builder& builder, const Options& how, Type to) {
  if (to == Type::kTf32) return to_tf32;
  if (how.from == nullptr) return how.to == nullptr ? integer_to_integer : integer_to_float;
  if (how.to == nullptr) return float_to_integer;
  return how.to == how.from && rounds_to_integral(builder) ? to_integral : float_to_float;
}

}  // namespace

bool select_scalar_convert(Builder& builder) {
  if (builder.opcode() != "cvt") return false;
  if (select_pack(builder) || select_ue8m0(builder) || select_narrow(builder)) return true;
  if (builder.types().size() != 2) return false;
  const Type to = builder.types()[0], from = builder.types()[1];
  if (is_pair(to)) return select_pair(builder, to);
  Scalar scalar{nullptr, read_options(builder), 1};
  scalar.options.to = format_of(to);
  scalar.options.from = format_of(from);
  scalar.options.to_integer = integer_of(to);
  scalar.options.from_integer = integer_of(from);
  scalar.function = function_of(builder, scalar.options, to);
  emit_scalar(builder, scalar, to, {from});
  return true;
}

}  // namespace ridge::emulator
