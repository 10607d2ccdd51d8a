// What the names in a function stand for, and its statements as one list.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "emulator/exec/program.h"
#include "ridgepoint/base/result.h"

namespace ridge::emulator {

enum class SymbolKind : std::uint8_t {
  kRegister,
  kArea,            ///< a parameter or .param variable of a frame
  kEntryParameter,  ///< value: offset
  kLocal,           ///< value: offset in the function's part of local memory
  kAddress,         ///< value: address; of shared variables the offset
  kLabel,           ///< value: index of the item that follows
  kTable,
  kFunction,  ///< value: index
};

struct Symbol {
  SymbolKind kind = SymbolKind::kRegister;
  ptx::Space space = ptx::Space::kRegister;
  Type type = Type::kB32;
  Slot slot = 0;             ///< of a register: the first, where there are several
  std::uint32_t count = 0;   ///< of %r<n>; 0: one of that very name
  std::uint32_t vector = 1;  ///< elements of a vector register, one slot each
  std::uint64_t value = 0;
  Area area;
  const ptx::Table* table = nullptr;
};

struct Item {
  const ptx::Instruction* instruction = nullptr;
  std::uint32_t scope = 0;
};

/// The names of the module, and of one function by scope. Scope 0 is the function's own.
class Symbols {
 public:
  /// `outer` may be nullptr: the module's own names.
  explicit Symbols(const Symbols* outer) : outer_(outer), scopes_(1) {}

  std::uint32_t open(std::uint32_t parent);
  /// Bad input where the scope has that name already.
  [[nodiscard]] Result<void> define(std::uint32_t scope, std::string_view name, const Symbol& symbol,
                                    const ptx::Position& at);
  /// The symbol; of a numbered register that very one.
  [[nodiscard]] std::optional<Symbol> find(std::uint32_t scope, std::string_view name) const;

 private:
  struct Scope {
    std::uint32_t parent = 0;
    std::unordered_map<std::string_view, Symbol> names;
  };
  const Symbols* outer_;
  std::vector<Scope> scopes_;
};

/// Numbered registers are given slots from here on when a body is laid out, and their real ones by slots.h.
inline constexpr Slot kVirtualSlots = 1 << 30;

/// A function's body: its instructions in order, its names, and what its frame must hold.
struct Body {
  explicit Body(const Symbols* module) : symbols(module) {}
  Symbols symbols;
  std::vector<Item> items;
  FunctionCode code;
  std::unordered_map<Slot, Slot> places;  ///< of numbered registers
  std::uint32_t virtual_bytes = 0;

  /// The real slot of a register's symbol.
  [[nodiscard]] Slot place(Slot slot) const;
  Slot carry = kNoSlot;  ///< the condition code of extended-precision arithmetic: a predicate, once it is used

  /// A slot above the base.
  Slot allocate(Lane lane, std::uint32_t count = 1);
  Area allocate_area(std::uint64_t bytes);
};

/// Bytes and alignment of a variable in memory; 0 bytes: an open dimension.
struct MemoryExtent {
  std::uint64_t bytes = 0;
  std::uint32_t alignment = 1;
};
[[nodiscard]] Result<MemoryExtent> extent_of(const ptx::Variable& variable);

/// Where shared variables of functions are noted to be placed later.
struct SharedVariable {
  const ptx::Variable* variable = nullptr;
  std::uint32_t function = 0, scope = 0;
};

/// Lays out a body. Shared variables declared in it go to `shared`.
[[nodiscard]] Result<Body> lay_out(const ptx::Function& function, std::uint32_t index, const Symbols& module,
                                   std::vector<SharedVariable>& shared);

}  // namespace ridge::emulator
