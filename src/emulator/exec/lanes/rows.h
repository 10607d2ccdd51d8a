// A family of instructions as a table: each row names an opcode, the modifiers it is about, the operands it takes and
// the handlers it has by type.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <span>
#include <string_view>

#include "emulator/exec/builder.h"
#include "emulator/exec/lanes/lanes.h"

namespace ridge::emulator {
namespace {

struct Row {
  std::string_view opcode;
  /// Modifiers beside the types, with spaces between: those that must be there, and after a ? one that may.
  std::string_view words;
  /// A letter each, the destination first: t the instruction's type, w twice as wide, u .u32, p a predicate.
  std::string_view operands;
  /// nullptr for a type that the row has not.
  Handler (*handler)(Type type);
  std::uint32_t flags = 0;
};

// ---- handlers by type

template <class T>
struct Tag {
  using type = T;
};
/// Types that a row has, as C++ knows them; .bN counts as .uN.
template <class... T>
struct Types {};
/// The same where the sign does not matter: unsigned types stand for both.
template <class... T>
struct AnySign {};

using Integers = Types<std::uint16_t, std::int16_t, std::uint32_t, std::int32_t, std::uint64_t, std::int64_t>;
using Wrapping = AnySign<std::uint16_t, std::uint32_t, std::uint64_t>;
using Signed = Types<std::int16_t, std::int32_t, std::int64_t>;
using Words = Types<std::uint32_t, std::int32_t, std::uint64_t, std::int64_t>;
using Short = Types<std::uint16_t, std::int16_t, std::uint32_t, std::int32_t>;

template <class T>
constexpr bool stands_for(Type type, bool any_sign) {
  if constexpr (std::is_floating_point_v<T>) {
    return type == (sizeof(T) == 4 ? Type::kF32 : Type::kF64);
  } else {
    return !is_floating(type) && size_of(type) == sizeof(T) && type != Type::kU16x2 && type != Type::kS16x2 &&
           (any_sign || is_signed_integer(type) == std::is_signed_v<T>);
  }
}

/// What `make(Tag<T>)` gives for the type; nullptr if it is none of them.
template <class Make, class... T>
Handler pick(Type type, Types<T...>, Make make, bool any_sign = false) {
  Handler found = nullptr;
  const auto look = [&](auto tag) {
    if (stands_for<typename decltype(tag)::type>(type, any_sign)) found = make(tag);
  };
  (look(Tag<T>{}), ...);
  return found;
}
template <class Make, class... T>
Handler pick(Type type, AnySign<T...>, Make make) {
  return pick(type, Types<T...>{}, make, true);
}

template <class Op, class List>
Handler unary_of(Type type) {
  return pick(type, List{}, []<class T>(Tag<T>) -> Handler { return unary<Op, T, T>; });
}
template <class Op, class List>
Handler binary_of(Type type) {
  return pick(type, List{}, []<class T>(Tag<T>) -> Handler { return binary<Op, T, T, T>; });
}
template <class Op, class List>
Handler ternary_of(Type type) {
  return pick(type, List{}, []<class T>(Tag<T>) -> Handler { return ternary<Op, T, T, T, T>; });
}

// ---- rows and instructions

/// Takes the first word off a list.
inline std::string_view next_word(std::string_view& words) {
  const std::size_t end = std::min(words.find(' '), words.size());
  const std::string_view word = words.substr(0, end);
  words.remove_prefix(std::min(end + 1, words.size()));
  return word;
}

inline bool has_word(std::string_view words, std::string_view wanted) {
  while (!words.empty()) {
    std::string_view word = next_word(words);
    if (word.starts_with('?')) word.remove_prefix(1);
    if (word == wanted) return true;
  }
  return false;
}

/// All modifiers that must be there are, and no others than the row knows.
inline bool fits(const Builder& builder, std::string_view words) {
  for (const std::string_view each : builder.instruction().modifiers) {
    if (!type_named(each) && !has_word(words, each)) return false;
  }
  while (!words.empty()) {
    const std::string_view word = next_word(words);
    if (!word.starts_with('?') && !builder.has(word)) return false;
  }
  return true;
}

inline Type wider(Type type) {
  const bool is_signed = is_signed_integer(type);
  if (size_of(type) == 2) return is_signed ? Type::kS32 : Type::kU32;
  return is_signed ? Type::kS64 : Type::kU64;
}

inline Type operand_type(char letter, Type type) {
  switch (letter) {
    case 'w':
      return wider(type);
    case 'u':
      return Type::kU32;
    case 'p':
      return Type::kPredicate;
    default:
      return type;
  }
}

/// The step of an instruction: its operands by the letters, none of them missing.
inline Step step_of(Builder& builder, std::string_view letters, Handler run, Type type) {
  Step step;
  step.run = run;
  const auto source = [&](std::size_t n) {
    if (n >= letters.size()) return kNoSlot;
    return letters[n] == 'p' ? builder.predicate(n) : builder.source(n, operand_type(letters[n], type));
  };
  step.a = source(1);
  step.b = source(2);
  step.c = source(3);
  if (letters.size() > 4) step.immediate = source(4);
  step.d = builder.destination(0, operand_type(letters[0], type));
  return step;
}

/// Emits the instruction by the first row that fits it; false if none does.
inline bool select_row(Builder& builder, std::span<const Row> rows) {
  if (builder.types().empty()) return false;
  const Type type = builder.type();
  for (const Row& row : rows) {
    if (row.opcode != builder.opcode() || row.operands.size() != builder.operand_count()) continue;
    if (!fits(builder, row.words)) continue;
    const Handler run = row.handler(type);
    if (run == nullptr) continue;
    Step step = step_of(builder, row.operands, run, type);
    step.flags = row.flags;
    builder.emit(step);
    return true;
  }
  return false;
}

}  // namespace
}  // namespace ridge::emulator
