#include "emulator/exec/scalar/scalar.h"

#include <array>
#include <utility>
#include <vector>

#include "emulator/exec/lanes/converted.h"

namespace ridge::emulator {
namespace {

using number::Rounding;

constexpr auto kRoundings = std::to_array<std::pair<std::string_view, Rounding>>({{"rn", Rounding::kNearestEven},
                                                                                  {"rz", Rounding::kZero},
                                                                                  {"rm", Rounding::kDown},
                                                                                  {"rp", Rounding::kUp},
                                                                                  {"rna", Rounding::kNearestAway},
                                                                                  {"rni", Rounding::kNearestEven},
                                                                                  {"rzi", Rounding::kZero},
                                                                                  {"rmi", Rounding::kDown},
                                                                                  {"rpi", Rounding::kUp}});

/// Detail of a step: a function, where its operands are, and how wide its result is.
struct ScalarStep {
  Scalar scalar;
  struct Source {
    Slot slot = kNoSlot;
    bool wide = false;
  };
  std::array<Source, 5> sources;
  std::uint32_t count = 0;
  std::uint32_t part_bits = 0;
  Lane to = Lane::kWord;
};

std::uint64_t applied(const ScalarStep& detail, const ScalarOperands& operands) {
  const Scalar& scalar = detail.scalar;
  if (scalar.parts == 1) return scalar.function(operands, scalar.options);
  std::uint64_t result = 0;
  for (std::uint32_t part = 0; part < scalar.parts; ++part) {
    const std::uint32_t from = part * detail.part_bits;
    ScalarOperands one{};
    for (std::uint32_t n = 0; n < detail.count; ++n) {
      one[n] = operands[n] >> from & ((std::uint64_t{1} << detail.part_bits) - 1);
    }
    result |= scalar.function(one, scalar.options) << from;
  }
  return result;
}

void run_scalar(Warp& warp, const Step& step, Mask mask) {
  const auto& detail = *static_cast<const ScalarStep*>(step.detail);
  Mask result_bits = 0;
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    if ((mask & kLaneBits[lane]) == 0) continue;
    ScalarOperands operands{};
    for (std::uint32_t n = 0; n < detail.count; ++n) {
      const ScalarStep::Source& source = detail.sources[n];
      operands[n] = source.wide ? warp.wide(source.slot)[lane] : warp.word(source.slot)[lane];
    }
    const std::uint64_t result = applied(detail, operands);
    if (detail.to == Lane::kMask) {
      result_bits |= result != 0 ? kLaneBits[lane] : 0;
    } else if (detail.to == Lane::kDouble) {
      warp.wide(step.d)[lane] = result;
    } else {
      warp.word(step.d)[lane] = static_cast<std::uint32_t>(result);
    }
  }
  if (detail.to == Lane::kMask) keep(warp, step.d, result_bits, mask);
}

}  // namespace

ScalarOptions read_options(const Builder& builder) {
  ScalarOptions options;
  for (const std::string_view each : builder.instruction().modifiers) {
    for (const auto& [name, rounding] : kRoundings) {
      if (each == name) options.mode.rounding = rounding;
    }
  }
  options.mode.ftz = builder.has("ftz");
  options.mode.sat = builder.has("sat");
  options.mode.relu = builder.has("relu");
  options.satfinite = builder.has("satfinite");
  options.nan = builder.has("NaN");
  options.xorsign_abs = builder.has("xorsign");
  options.abs = builder.has("abs") && !options.xorsign_abs;
  return options;
}

const number::Format* format_of(Type type) {
  switch (type) {
    case Type::kF64:
      return &number::kF64;
    case Type::kF32:
    case Type::kF32x2:
      return &number::kF32;
    case Type::kF16:
    case Type::kF16x2:
      return &number::kF16;
    case Type::kBf16:
    case Type::kBf16x2:
      return &number::kBf16;
    case Type::kTf32:
      return &number::kTf32;
    default:
      return nullptr;
  }
}

number::Integer integer_of(Type type) {
  return {8 * static_cast<int>(size_of(type)), is_signed_integer(type)};
}

bool is_pair(Type type) {
  return type == Type::kF32x2 || type == Type::kF16x2 || type == Type::kBf16x2;
}

void emit_scalar(Builder& builder, const Scalar& scalar, Type to, std::initializer_list<Type> from) {
  ScalarStep detail;
  detail.scalar = scalar;
  detail.part_bits = 8 * size_of(to) / scalar.parts;
  detail.to = lane_of(to);
  std::size_t n = 0;
  for (const Type each : from) {
    for (const Slot slot : builder.sources(builder.operand(++n), each)) {
      if (detail.count < detail.sources.size()) detail.sources[detail.count++] = {slot, size_of(each) == 8};
    }
  }
  emit_conversion(builder, {.run = run_scalar, .detail = builder.keep(detail)}, to);
}

}  // namespace ridge::emulator
