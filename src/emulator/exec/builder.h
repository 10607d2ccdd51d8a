// One instruction on its way to its steps: what a family of instructions asks for and emits.
//
// A family has a function `bool select(Builder&)`: false if the instruction is not its own, else it has emitted steps
// or called refuse(). Operands are asked for by number and type and come back as slots; errors are kept and end the
// decoding after the family returns, so that families need not check each operand.
//
// What the builder takes off their hands: guards, constants, special registers, addresses of symbols, registers wider
// than the type (allowed for ld, st, cvt and .bN moves: narrowed before, widened after), negated predicates.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "emulator/exec/program.h"
#include "emulator/exec/symbols.h"

namespace ridge::emulator {

/// What all functions of a program share while they are decoded.
struct Pool {
  Program program;
  std::map<std::pair<Lane, std::uint64_t>, Slot> constants;
  std::map<std::pair<Special, bool>, Slot> special_slots;
  std::vector<std::pair<Slot, std::vector<std::byte>>> images;  ///< bytes at slots below the base
  std::uint32_t prefix_bytes = 0;
  std::uint32_t temporary_bytes = 0;

  [[nodiscard]] Slot constant(Lane lane, std::uint64_t value);
  [[nodiscard]] Slot special(Special which, bool wide);
  [[nodiscard]] Slot allocate_shared(Lane lane);
  /// Where the constants go once all are known.
  void finish();
};

struct AddressOperand {
  Slot base = kNoSlot;           ///< lanes that hold an address, or kNoSlot: the offset is all there is
  bool wide = true;              ///< 64-bit lanes
  std::int64_t offset = 0;       ///< with a symbol's address added
  std::optional<Symbol> symbol;  ///< named directly: [name + 4]
};

class Builder {
 public:
  Builder(Pool& pool, Body& body, const Item& item, const ptx::Form& form, std::uint32_t site);

  [[nodiscard]] const ptx::Instruction& instruction() const { return *item_.instruction; }
  [[nodiscard]] const ptx::Form& form() const { return form_; }
  [[nodiscard]] const Site& site() const { return pool_.program.sites[site_]; }
  [[nodiscard]] std::string_view opcode() const { return instruction().opcode; }
  [[nodiscard]] bool has(std::string_view modifier) const;
  /// The modifiers that name types, in order.
  [[nodiscard]] const std::vector<Type>& types() const { return types_; }
  /// The last of them: what the instruction works on. Precondition: there is one.
  [[nodiscard]] Type type() const { return types_.back(); }
  [[nodiscard]] std::size_t operand_count() const { return instruction().operands.size(); }
  [[nodiscard]] const ptx::Operand& operand(std::size_t n) const { return instruction().operands[n]; }
  /// The number of elements .v2, .v4, .v8 say, else 1.
  [[nodiscard]] std::uint32_t vector_length() const;

  [[nodiscard]] Slot source(std::size_t n, Type type) { return source(operand(n), type); }
  [[nodiscard]] Slot source(const ptx::Operand& operand, Type type);
  /// A predicate to read, negated or not.
  [[nodiscard]] Slot predicate(std::size_t n) { return predicate(operand(n)); }
  [[nodiscard]] Slot predicate(const ptx::Operand& operand);
  [[nodiscard]] Slot destination(std::size_t n, Type type) { return destination(operand(n), type); }
  /// `_` gives a slot that nobody reads.
  [[nodiscard]] Slot destination(const ptx::Operand& operand, Type type);
  /// The parts of p|q: {first, second}; the second is kNoSlot where there is none.
  [[nodiscard]] std::pair<Slot, Slot> destination_pair(std::size_t n, Type first, Type second);
  [[nodiscard]] std::vector<Slot> sources(const ptx::Operand& vector, Type type);
  [[nodiscard]] std::vector<Slot> destinations(const ptx::Operand& vector, Type type);
  [[nodiscard]] AddressOperand address(std::size_t n) { return address(operand(n)); }
  [[nodiscard]] AddressOperand address(const ptx::Operand& operand);
  /// An integer that must be known now.
  [[nodiscard]] std::int64_t integer(std::size_t n);
  [[nodiscard]] std::optional<Symbol> symbol(std::string_view name) const;
  [[nodiscard]] Slot temporary(Type type);
  [[nodiscard]] Slot constant(Type type, std::uint64_t bits) { return pool_.constant(lane_of(type), bits); }
  [[nodiscard]] Body& body() { return body_; }
  [[nodiscard]] Program& program() { return pool_.program; }

  /// Keeps something a handler needs for as long as the program lives.
  template <class T>
  const T* keep(T value) {
    auto kept = std::make_shared<T>(std::move(value));
    const T* pointer = kept.get();
    pool_.program.details.push_back(std::move(kept));
    return pointer;
  }

  /// Adds a step with the instruction's guard. The first one counts as the instruction; the others do not.
  void emit(Step step);
  /// Adds a step that all active lanes run and that does not count.
  void emit_uncounted(Step step);
  /// The step that was emitted last for this instruction.
  [[nodiscard]] Step& last();

  /// Legal PTX that is not emulated.
  void refuse(std::string what, std::string remedy = "use another form of it");
  /// PTX that is not legal.
  void reject(std::string what, std::string remedy);

  /// Ends the instruction: what must follow its steps. The first error, if there was one.
  [[nodiscard]] Result<void> finish();

 private:
  [[nodiscard]] Slot register_source(const Symbol& symbol, const ptx::Operand& operand, Type type);
  [[nodiscard]] Slot named_source(const ptx::Operand& operand, Type type);
  [[nodiscard]] Slot symbol_address(const Symbol& symbol, std::int64_t offset, Type type);
  [[nodiscard]] std::optional<Slot> special_source(const ptx::Operand& operand, Type type);
  void place_guard(Step& step);

  Pool& pool_;
  Body& body_;
  Item item_;
  const ptx::Form& form_;
  std::uint32_t site_;
  std::vector<Type> types_;
  Slot guard_ = kNoSlot;
  Mask invert_ = 0;
  bool counted_ = false;
  std::vector<Step> after_;
  std::optional<Error> error_;
};

/// True if the instruction was this family's: steps were emitted, or an error was kept.
using Select = bool (*)(Builder&);

}  // namespace ridge::emulator
