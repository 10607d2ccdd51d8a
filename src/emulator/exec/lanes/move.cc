// mov and prmt: copies, vectors packed into one register and back, and the clocks.
#include "emulator/exec/block.h"
#include "emulator/exec/lanes/families.h"
#include "emulator/exec/lanes/rows.h"
#include "emulator/number/bits.h"

namespace ridge::emulator::RIDGE_ISA {
namespace {

struct Copy {
  template <class T>
  static constexpr T of(T a) {
    return a;
  }
};

void copy_predicate(Warp& warp, const Step& step, Mask mask) {
  keep(warp, step.d, warp.predicate(step.a), mask);
}

/// One half (the step's flags: 0 or 1) of 128-bit lanes, and both.
void half_of_quads(Warp& warp, const Step& step, Mask mask) {
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    if ((mask & kLaneBits[i]) != 0) warp.wide(step.d)[i] = warp.wide(step.a)[2 * i + step.flags];
  }
}
void quads_of_halves(Warp& warp, const Step& step, Mask mask) {
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    if ((mask & kLaneBits[i]) == 0) continue;
    warp.wide(step.d)[2 * i] = warp.wide(step.a)[i];
    warp.wide(step.d)[2 * i + 1] = warp.wide(step.b)[i];
  }
}
void copy_quads(Warp& warp, const Step& step, Mask mask) {
  for (std::uint32_t i = 0; i < 2 * kLanes; ++i) {
    if ((mask & kLaneBits[i / 2]) != 0) warp.wide(step.d)[i] = warp.wide(step.a)[i];
  }
}

/// {a, b} as one, a in the lower part of `flags` bits.
template <class Whole>
RIDGE_LANE_CODE void join_two(Warp& warp, const Step& step, Mask mask) {
  const auto* a = warp.word(step.a);
  const auto* b = warp.word(step.b);
  const std::uint32_t bits = step.flags;
  const auto part = static_cast<std::uint32_t>((std::uint64_t{1} << bits) - 1);
  each_lane<Whole>(
      lanes<Whole>(warp, step.d), mask, [=](std::uint32_t i) __attribute__((always_inline)) {
        return static_cast<Whole>((a[i] & part) | static_cast<Whole>(b[i]) << bits);
      });
}
/// `flags` bits of a, from bit `immediate` on.
template <class Whole>
RIDGE_LANE_CODE void take_part(Warp& warp, const Step& step, Mask mask) {
  const auto* a = lanes<Whole>(warp, step.a);
  const auto from = static_cast<std::uint32_t>(step.immediate);
  const auto part = static_cast<std::uint32_t>((std::uint64_t{1} << step.flags) - 1);
  each_lane<std::uint32_t>(
      warp.word(step.d), mask, [=](std::uint32_t i) __attribute__((always_inline)) {
        return static_cast<std::uint32_t>(a[i] >> from) & part;
      });
}

/// A clock that is later at each look: flags say how far to shift the steps that the worker has taken.
template <class T>
void look_at_clock(Warp& warp, const Step& step, Mask mask) {
  const std::uint64_t now = ++warp.worker->clock >> step.flags;
  auto* d = lanes<T>(warp, step.d);
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    if ((mask & kLaneBits[i]) != 0) d[i] = static_cast<T>(now);
  }
}

template <number::Permutation kMode>
struct Prmt {
  static constexpr std::uint32_t of(std::uint32_t a, std::uint32_t b, std::uint32_t control) {
    return number::prmt(a, b, control, kMode);
  }
};

// ---- which handler

Handler copy_of(Type type) {
  switch (lane_of(type)) {
    case Lane::kMask:
      return copy_predicate;
    case Lane::kWord:
      return unary<Copy, std::uint32_t, std::uint32_t>;
    case Lane::kDouble:
      return unary<Copy, std::uint64_t, std::uint64_t>;
    case Lane::kQuad:
      break;
  }
  return copy_quads;
}

Type bits_of_size(std::uint32_t bytes) {
  switch (bytes) {
    case 1:
      return Type::kB8;
    case 2:
      return Type::kB16;
    case 4:
      return Type::kB32;
    case 8:
      return Type::kB64;
    default:
      return Type::kB128;
  }
}

/// {parts} to one register, two by two, so that nothing is written before all is read.
void emit_join(Builder& builder, std::vector<Slot> parts, std::uint32_t bytes, Slot to) {
  while (parts.size() > 1) {
    const bool last = parts.size() == 2;
    std::vector<Slot> joined;
    for (std::size_t i = 0; i + 1 < parts.size(); i += 2) {
      const Slot d = last ? to : builder.temporary(bits_of_size(2 * bytes));
      const Handler run = bytes == 8   ? quads_of_halves
                          : bytes == 4 ? join_two<std::uint64_t>
                                       : Handler{join_two<std::uint32_t>};
      Step step{.run = run, .d = d, .a = parts[i], .b = parts[i + 1]};
      step.flags = 8 * bytes;
      builder.emit(step);
      joined.push_back(d);
    }
    parts = std::move(joined);
    bytes *= 2;
  }
}

void emit_parts(Builder& builder, Slot whole, const std::vector<Slot>& parts, std::uint32_t bytes) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Step step{.run = half_of_quads, .d = parts[i], .a = whole};
    step.flags = static_cast<std::uint32_t>(i);
    if (bytes < 8) {
      const bool wide = bytes * parts.size() == 8;
      step.run = wide ? take_part<std::uint64_t> : take_part<std::uint32_t>;
      step.flags = 8 * bytes;
      step.immediate = static_cast<std::int64_t>(8 * bytes * i);
    }
    builder.emit(step);
  }
}

/// Operands that are vectors of as many parts as fit; the bytes of a part.
std::optional<std::uint32_t> part_bytes(Builder& builder, const ptx::Operand& vector, Type whole) {
  const std::size_t parts = vector.parts.size();
  const std::uint32_t bytes = size_of(whole);
  if ((parts == 2 || parts == 4) && bytes > parts / 2 && bytes / parts * parts == bytes) {
    const auto each = static_cast<std::uint32_t>(bytes / parts);
    if (each < 8 || parts == 2) return each;
  }
  builder.reject("these parts do not make up one register of the type", "use two or four parts of equal size");
  return std::nullopt;
}

bool select_vector(Builder& builder, Type type) {
  const ptx::Operand& to = builder.operand(0);
  const ptx::Operand& from = builder.operand(1);
  if (from.kind == ptx::OperandKind::kVector) {
    const auto bytes = part_bytes(builder, from, type);
    if (!bytes) return true;
    const auto parts = builder.sources(from, bits_of_size(*bytes));
    emit_join(builder, parts, *bytes, builder.destination(to, type));
  } else {
    const auto bytes = part_bytes(builder, to, type);
    if (!bytes) return true;
    const Slot whole = builder.source(from, type);
    emit_parts(builder, whole, builder.destinations(to, bits_of_size(*bytes)), *bytes);
  }
  return true;
}

/// The elements of an operand of mov.v2 or .v4: its parts, or those of a vector register.
std::vector<ptx::Operand> elements(const ptx::Operand& operand, std::uint32_t count) {
  if (operand.kind == ptx::OperandKind::kVector) return operand.parts;
  std::vector<ptx::Operand> result(count, operand);
  for (std::uint32_t i = 0; i < count; ++i) result[i].element = "xyzw"[i];
  return result;
}

bool select_vector_copy(Builder& builder, Type type) {
  const std::uint32_t count = builder.vector_length();
  const auto to = elements(builder.operand(0), count), from = elements(builder.operand(1), count);
  if (to.size() != count || from.size() != count) {
    builder.reject("a vector of another length than the instruction's", "name as many registers as .v2 or .v4 say");
    return true;
  }
  std::vector<Slot> held;
  for (const ptx::Operand& each : from) {
    held.push_back(builder.temporary(type));
    const Slot source = builder.source(each, type);
    builder.emit({.run = copy_of(type), .d = held.back(), .a = source});
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    builder.emit({.run = copy_of(type), .d = builder.destination(to[i], type), .a = held[i]});
  }
  return true;
}

bool select_clock(Builder& builder, Type type) {
  struct Clock {
    std::string_view name;
    std::uint32_t shift;
  };
  constexpr Clock kClocks[] = {{"%clock", 0},       {"%clock_hi", 32},      {"%clock64", 0},
                               {"%globaltimer", 0}, {"%globaltimer_lo", 0}, {"%globaltimer_hi", 32}};
  for (const Clock& each : kClocks) {
    if (builder.operand(1).name != each.name) continue;
    Step step{.run = size_of(type) == 8 ? look_at_clock<std::uint64_t> : look_at_clock<std::uint32_t>};
    step.d = builder.destination(0, type);
    step.flags = each.shift;
    builder.emit(step);
    return true;
  }
  return false;
}

bool select_mov(Builder& builder) {
  if (builder.opcode() != "mov" || builder.types().empty()) return false;
  const Type type = builder.type();
  if (type == Type::kPredicate) {
    const Slot from = builder.predicate(1);
    builder.emit({.run = copy_predicate, .d = builder.destination(0, type), .a = from});
    return true;
  }
  if (builder.vector_length() > 1) return select_vector_copy(builder, type);
  const bool vector =
      builder.operand(0).kind == ptx::OperandKind::kVector || builder.operand(1).kind == ptx::OperandKind::kVector;
  if (vector) return select_vector(builder, type);
  if (select_clock(builder, type)) return true;
  const Slot from = builder.source(1, type);
  builder.emit({.run = copy_of(type), .d = builder.destination(0, type), .a = from});
  return true;
}

template <number::Permutation kMode>
Handler prmt_of(Type type) {
  return ternary_of<Prmt<kMode>, AnySign<std::uint32_t>>(type);
}

using number::Permutation;
constexpr Row kRows[] = {
    {"prmt", "", "tttt", prmt_of<Permutation::kIndex>},
    {"prmt", "f4e", "tttt", prmt_of<Permutation::kForward4>},
    {"prmt", "b4e", "tttt", prmt_of<Permutation::kBackward4>},
    {"prmt", "rc8", "tttt", prmt_of<Permutation::kReplicate8>},
    {"prmt", "ecl", "tttt", prmt_of<Permutation::kEdgeLeft>},
    {"prmt", "ecr", "tttt", prmt_of<Permutation::kEdgeRight>},
    {"prmt", "rc16", "tttt", prmt_of<Permutation::kReplicate16>},
};

}  // namespace

bool select_move(Builder& builder) {
  return select_mov(builder) || select_row(builder, kRows);
}

}  // namespace ridge::emulator::RIDGE_ISA
