// A PTX module as text says it: nothing resolved, nothing checked against the instruction table (match()
// in opcodes.h does that).
//
// Names and modifiers are views into the source text, which the Module keeps alive. Positions and source lines do not
// take part in comparisons, so that a module equals what its own printing parses to. Numbers are their bits; how they
// were spelled is not kept. Debug sections (.section) are skipped, as are attributes of functions (.attribute after
// .func: they change nothing here); .loc stays with the instructions that follow it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "emulator/ptx/token.h"

namespace ridge::ptx {

/// Where an instruction stands in the program's own source: index into Module::files by number, line, column; file 0:
/// not known.
struct SourceLine {
  std::uint32_t file = 0, line = 0, column = 0;
};

enum class OperandKind : std::uint8_t {
  kName,     ///< register, special register, symbol, label or function
  kInteger,  ///< bits, two's complement
  kFloat32,
  kFloat64,
  kAddress,  ///< [parts[0] + offset] or [parts[0], parts[1], ...]
  kVector,   ///< {parts...}
  kPair,     ///< parts[0]|parts[1]
  kList,     ///< (parts...) of a call
  kSink,     ///< _
};

struct Operand {
  OperandKind kind = OperandKind::kName;
  char element = 0;           ///< 'x' of %tid.x, else 0
  bool negated = false;       ///< !%p1; only of kName
  bool minus = false;         ///< -%r1, where an instruction allows it; only of kName
  std::string_view name;      ///< of kName
  std::string_view selector;  ///< "b0" of %r1.b0: the parts that a video instruction takes
  std::uint64_t bits = 0;
  std::int64_t offset = 0;  ///< of kAddress, and of a name in name+4
  std::vector<Operand> parts;
  Position at;
};
[[nodiscard]] bool operator==(const Operand& a, const Operand& b);

struct Guard {
  std::string_view predicate;
  bool negated = false;
  friend bool operator==(const Guard&, const Guard&) = default;
};

struct Instruction {
  std::optional<Guard> guard;
  std::string_view opcode;                  ///< "ld"
  std::vector<std::string_view> modifiers;  ///< "global", "v4", "f32": without their dots
  std::vector<Operand> operands;
  Position at;
  SourceLine source;
};
[[nodiscard]] bool operator==(const Instruction& a, const Instruction& b);

enum class Space : std::uint8_t { kRegister, kConstant, kGlobal, kLocal, kParameter, kShared, kTexture };

/// An element of an initial value: a number, or the address of a symbol plus an offset.
struct InitialValue {
  OperandKind kind = OperandKind::kInteger;
  std::uint64_t bits = 0;
  std::string_view symbol;  ///< empty: a number
  bool generic = false;     ///< generic(symbol)
  std::uint64_t mask = 0;   ///< 0xFF00(symbol): the bits that are taken; 0: all
  friend bool operator==(const InitialValue&, const InitialValue&) = default;
};

/// A declared variable, register or parameter.
struct Variable {
  Space space = Space::kRegister;
  std::vector<std::string_view> linkage;  ///< "extern", "visible", "weak", "common"
  std::uint32_t alignment = 0;            ///< bytes; 0: the type's own
  std::uint32_t vector = 1;               ///< elements: .v2, .v4
  std::string_view type;                  ///< "b32"; "texref" and the like for opaque ones
  std::string_view name;
  std::uint32_t count = 0;  ///< of %r<10>: so many registers, name0 to name9; 0: one of that very name
  std::vector<std::uint64_t> dimensions;
  bool open_dimension = false;  ///< [] first
  /// As memory is: row by row, a vector's elements last, zeros where inner braces leave elements out; those that are
  /// missing at the end are zero.
  std::vector<InitialValue> initial;
  std::vector<std::string_view> attributes;  ///< of parameters: "ptr", "global"; of others: "managed"
  std::uint32_t pointee_alignment = 0;       ///< of a parameter with "ptr"; 0: not said
  Position at;
};
[[nodiscard]] bool operator==(const Variable& a, const Variable& b);

struct Label {
  std::string_view name;
  Position at;
  friend bool operator==(const Label& a, const Label& b) { return a.name == b.name; }
};

/// A label that stands for a list: .branchtargets, .calltargets, or the .callprototype of an indirect call.
struct Table {
  std::string_view label;
  std::string_view kind;  ///< "branchtargets"
  std::vector<std::string_view> targets;
  std::vector<Variable> results, parameters;  ///< of a prototype
  bool noreturn = false;
  friend bool operator==(const Table&, const Table&) = default;
};

/// .pragma "nounroll";
struct Pragma {
  std::vector<std::string_view> texts;
  friend bool operator==(const Pragma&, const Pragma&) = default;
};

struct Scope;
using Statement = std::variant<Instruction, Label, Variable, Table, Pragma, Scope>;
struct Scope {
  std::vector<Statement> statements;
};
[[nodiscard]] bool operator==(const Scope& a, const Scope& b);

/// .maxntid 256, 1, 1 and the like.
struct FunctionDirective {
  std::string_view name;
  std::vector<std::uint64_t> values;
  std::vector<std::string_view> texts;
  friend bool operator==(const FunctionDirective&, const FunctionDirective&) = default;
};

struct Function {
  bool entry = false;
  std::vector<std::string_view> linkage;
  std::string_view name;
  std::vector<Variable> results, parameters;
  std::vector<FunctionDirective> directives;
  std::optional<Scope> body;  ///< absent: a declaration
  Position at;
};
[[nodiscard]] bool operator==(const Function& a, const Function& b);

struct Alias {
  std::string_view name, target;
  friend bool operator==(const Alias&, const Alias&) = default;
};

struct SourceFile {
  std::uint32_t number = 0;
  std::string_view path;
  friend bool operator==(const SourceFile&, const SourceFile&) = default;
};

struct Module {
  std::shared_ptr<const std::string> text;  ///< what every view points into
  std::uint32_t version_major = 0, version_minor = 0;
  std::vector<std::string_view> target;  ///< "sm_90a", "debug"
  std::uint32_t address_size = 0;        ///< 32 or 64; 0: not said, 32 by the language
  std::vector<SourceFile> files;
  std::vector<std::variant<Variable, Function, Alias, Pragma>> items;  ///< in the text's order
};
/// Compares what the modules say, not where.
[[nodiscard]] bool operator==(const Module& a, const Module& b);

[[nodiscard]] bool has_modifier(const Instruction& instruction, std::string_view modifier);
/// "ld.global.f32": without its operands.
[[nodiscard]] std::string spelled(const Instruction& instruction);
/// The file of a source line; empty where it is not known.
[[nodiscard]] std::string_view path_of(const Module& module, const SourceLine& line);
/// Entry points that have a body, in order.
[[nodiscard]] std::vector<const Function*> entries(const Module& module);

}  // namespace ridge::ptx
