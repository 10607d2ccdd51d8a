// The instructions of PTX, in one table: what is legal.
//
// Each row is one form of an instruction in a small notation. Modifiers stand in the order PTX wants them:
//   .f32             must stand there
//   (.s32|.u32)      one of these
//   {.ftz}           may stand there
//   {.rn|.rz}        one of these may
//   $int             a named set, one of its members must stand there; {$rnd}: may
// Operands, separated by commas, in braces if they may be left out:
//   d destination register, p destination predicate, d|p a destination and maybe a predicate, a source (register,
//   symbol or constant), q source predicate (maybe negated), i constant, m address, v vector of registers, dv and av
//   vector or single register (as .v2, .v4 say), l label, f function, t name of a table, () list of a call, *
//   anything
// Documentation, the legality of a module and the coverage of the emulator all come from here. Not in it: rules that
// tie operand types together beyond a form's own types, and limits that only ptxas knows.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "emulator/ptx/module.h"
#include "ridgepoint/base/result.h"

namespace ridge::ptx {

enum class Family : std::uint8_t {
  kInteger,
  kFloat,
  kHalf,
  kCompare,
  kLogic,
  kMove,
  kMemory,
  kAsync,
  kMatrix,
  kControl,
  kBarrier,
  kWarp,
  kAtomic,
  kTexture,
  kVideo,
  kOther,
};
[[nodiscard]] std::string_view name(Family family);

struct Form {
  std::string_view opcode;
  std::string_view modifiers;
  std::string_view operands;
  Family family = Family::kOther;
};

/// A named set of modifiers: "int" -> "u16", "u32", ...; an entry with * stands for numbers, as in "m64n*k*".
struct ModifierSet {
  std::string_view name;
  std::span<const std::string_view> members;
};

/// All forms; those of one opcode stand together.
[[nodiscard]] std::span<const Form> forms();
[[nodiscard]] std::span<const ModifierSet> sets();
/// None of a set that is not there.
[[nodiscard]] std::span<const std::string_view> members(std::string_view set);

/// The form an instruction has, or an error at its line that says what is wrong: an opcode that PTX has not, a modifier
/// that cannot stand there (and those that can), operands that do not fit. Versions and targets are not compared with
/// the module's.
[[nodiscard]] Result<const Form*> match(const Instruction& instruction);

}  // namespace ridge::ptx
