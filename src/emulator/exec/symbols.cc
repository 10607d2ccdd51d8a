#include "emulator/exec/symbols.h"

#include <algorithm>
#include <string>

#include "emulator/exec/alignment.h"
#include "emulator/exec/errors.h"
#include "emulator/ptx/lexer.h"

namespace ridge::emulator {
namespace {

constexpr std::uint32_t kSlotAlignment = 64;
constexpr std::uint64_t kLargestArea = 1 << 16;

// "%r12" -> "%r" and 12; numbers with leading zeros are names of their own.
std::optional<std::pair<std::string_view, std::uint32_t>> numbered(std::string_view name) {
  const std::size_t end = name.find_last_not_of("0123456789");
  if (end == std::string_view::npos || end + 1 == name.size()) return std::nullopt;
  const std::string_view digits = name.substr(end + 1);
  if (digits.size() > 8 || (digits.size() > 1 && digits.front() == '0')) return std::nullopt;
  std::uint32_t number = 0;
  for (const char digit : digits) number = number * 10 + static_cast<std::uint32_t>(digit - '0');
  return std::pair{name.substr(0, end + 1), number};
}

class Layout {
 public:
  Layout(Body& body, std::uint32_t function, std::vector<SharedVariable>& shared)
      : body_(body), function_(function), shared_(shared) {}

  Result<void> scope(const ptx::Scope& scope, std::uint32_t index) {
    for (const ptx::Statement& statement : scope.statements) {
      RIDGE_TRY(std::visit([&](const auto& each) { return add(each, index); }, statement));
    }
    return {};
  }

  Result<void> add(const ptx::Instruction& instruction, std::uint32_t scope) {
    body_.items.push_back({&instruction, scope});
    return {};
  }
  Result<void> add(const ptx::Label& label, std::uint32_t scope) {
    Symbol symbol;
    symbol.kind = SymbolKind::kLabel;
    symbol.value = body_.items.size();
    return body_.symbols.define(scope, label.name, symbol, label.at);
  }
  Result<void> add(const ptx::Table& table, std::uint32_t scope) {
    Symbol symbol;
    symbol.kind = SymbolKind::kTable;
    symbol.table = &table;
    return body_.symbols.define(scope, table.label, symbol, {});
  }
  Result<void> add(const ptx::Pragma&, std::uint32_t) { return {}; }
  Result<void> add(const ptx::Scope& inner, std::uint32_t parent) { return scope(inner, body_.symbols.open(parent)); }

  Result<void> add(const ptx::Variable& variable, std::uint32_t scope) {
    switch (variable.space) {
      case ptx::Space::kRegister:
        return add_register(variable, scope);
      case ptx::Space::kParameter:
        return add_area(variable, scope, nullptr);
      case ptx::Space::kLocal:
        return add_local(variable, scope);
      case ptx::Space::kShared:
        shared_.push_back({&variable, function_, scope});
        return {};
      default:
        return fail(ptx::error_at(variable.at, "a variable of this kind cannot stand in a function",
                                  "declare it before the function"));
    }
  }

  Result<void> add_register(const ptx::Variable& variable, std::uint32_t scope) {
    const std::optional<Type> type = type_named(variable.type);
    if (!type) {
      return fail(ptx::error_at(variable.at, "a register cannot have the type ." + std::string(variable.type),
                                "use one of PTX's register types"));
    }
    Symbol symbol;
    symbol.type = *type;
    symbol.count = variable.count;
    symbol.vector = variable.vector;
    const Lane lane = lane_of(*type);
    constexpr std::uint32_t kMost = 1 << 20, kMostOfVectors = 1 << 12;  // vectors are held whether used or not
    const bool numbered_scalars = variable.count != 0 && variable.vector == 1;
    if (variable.count > (numbered_scalars ? kMost : kMostOfVectors) || body_.virtual_bytes > kVirtualSlots / 2) {
      return fail(ptx::error_at(variable.at, "too many registers", "declare fewer"));
    }
    if (numbered_scalars) {
      symbol.slot = kVirtualSlots + static_cast<Slot>(body_.virtual_bytes);
      body_.virtual_bytes += slot_bytes(lane) * variable.count;
    } else {
      symbol.slot = body_.allocate(lane, std::max(variable.count, 1U) * variable.vector);
    }
    return body_.symbols.define(scope, variable.name, symbol, variable.at);
  }

  /// A .param variable; `into` keeps those that belong to the function's signature.
  Result<void> add_area(const ptx::Variable& variable, std::uint32_t scope, std::vector<Area>* into) {
    if (variable.space == ptx::Space::kRegister) return add_register_parameter(variable, scope, into);
    const auto extent = extent_of(variable);
    if (!extent) return fail(extent.error());
    if (extent->bytes > kLargestArea) {
      return fail(ptx::error_at(variable.at, "a parameter of " + std::to_string(extent->bytes) + " bytes",
                                "pass a pointer to it"));
    }
    Symbol symbol;
    symbol.kind = SymbolKind::kArea;
    symbol.space = ptx::Space::kParameter;
    symbol.area = body_.allocate_area(extent->bytes);
    if (into != nullptr) into->push_back(symbol.area);
    return body_.symbols.define(scope, variable.name, symbol, variable.at);
  }

 private:
  // A parameter that is a register: its slot seen as memory, one value a lane.
  Result<void> add_register_parameter(const ptx::Variable& variable, std::uint32_t scope, std::vector<Area>* into) {
    RIDGE_TRY(add_register(variable, scope));
    const Symbol symbol = *body_.symbols.find(scope, variable.name);
    const std::uint32_t stride = slot_bytes(lane_of(symbol.type)) / kLanes;
    if (into != nullptr) into->push_back({symbol.slot, stride, stride});
    return {};
  }

  Result<void> add_local(const ptx::Variable& variable, std::uint32_t scope) {
    const auto extent = extent_of(variable);
    if (!extent) return fail(extent.error());
    const std::uint64_t offset = round_up(body_.code.local_bytes, extent->alignment);
    if (offset > kMostLocal || extent->bytes > kMostLocal - offset) {
      return fail(
          ptx::error_at(variable.at, "a thread's local memory would exceed 512 KiB", "declare a smaller variable"));
    }
    body_.code.local_bytes = static_cast<std::uint32_t>(offset + extent->bytes);
    Symbol symbol;
    symbol.kind = SymbolKind::kLocal;
    symbol.space = ptx::Space::kLocal;
    symbol.value = offset;
    return body_.symbols.define(scope, variable.name, symbol, variable.at);
  }

  Body& body_;
  std::uint32_t function_;
  std::vector<SharedVariable>& shared_;
};

}  // namespace

std::uint32_t Symbols::open(std::uint32_t parent) {
  scopes_.push_back({parent, {}});
  return static_cast<std::uint32_t>(scopes_.size() - 1);
}

Result<void> Symbols::define(std::uint32_t scope, std::string_view name, const Symbol& symbol,
                             const ptx::Position& at) {
  if (scopes_[scope].names.emplace(name, symbol).second) return {};
  return fail(ptx::error_at(at, "'" + std::string(name) + "' is declared twice", "rename one of them"));
}

std::optional<Symbol> Symbols::find(std::uint32_t scope, std::string_view name) const {
  const auto number = numbered(name);
  for (;;) {
    const auto& names = scopes_[scope].names;
    if (const auto found = names.find(name); found != names.end()) return found->second;
    if (number) {
      const auto range = names.find(number->first);
      if (range != names.end() && range->second.kind == SymbolKind::kRegister && number->second < range->second.count) {
        Symbol symbol = range->second;
        const std::uint32_t bytes = slot_bytes(lane_of(symbol.type)) * symbol.vector;
        symbol.slot += static_cast<Slot>(bytes * number->second);
        return symbol;
      }
    }
    if (scope == 0) break;
    scope = scopes_[scope].parent;
  }
  return outer_ == nullptr ? std::nullopt : outer_->find(0, name);
}

Slot Body::place(Slot slot) const {
  if (slot < kVirtualSlots) return slot;
  const auto found = places.find(slot);
  return found == places.end() ? 0 : found->second;
}

Slot Body::allocate(Lane lane, std::uint32_t count) {
  const auto slot = static_cast<Slot>(code.register_bytes);
  const std::uint64_t bytes = std::uint64_t{slot_bytes(lane)} * count;
  code.register_bytes += static_cast<std::uint32_t>(round_up(bytes, kSlotAlignment));
  return slot;
}

Area Body::allocate_area(std::uint64_t bytes) {
  Area area;
  area.slot = static_cast<Slot>(code.register_bytes);
  area.bytes = static_cast<std::uint32_t>(bytes);
  area.stride = static_cast<std::uint32_t>(round_up(std::max<std::uint64_t>(bytes, 1), 16));
  code.register_bytes += static_cast<std::uint32_t>(round_up(std::uint64_t{area.stride} * kLanes, kSlotAlignment));
  return area;
}

Result<MemoryExtent> extent_of(const ptx::Variable& variable) {
  // Handles of textures and surfaces: what uses them is refused at its own line.
  const bool handle = variable.type == "texref" || variable.type == "samplerref" || variable.type == "surfref";
  const std::optional<Type> type = handle ? Type::kB64 : type_named(variable.type);
  if (!type || *type == Type::kPredicate) {
    return fail(unsupported_at(variable.at,
                               "variables of the type ." + std::string(variable.type) + " are not emulated",
                               "use plain memory instead"));
  }
  constexpr std::uint64_t kLargest = std::uint64_t{1} << 40;
  std::uint64_t elements = variable.vector;
  for (const std::uint64_t each : variable.dimensions) {
    if (each != 0 && elements > kLargest / each) {
      return fail(ptx::error_at(variable.at, "'" + std::string(variable.name) + "' is larger than any memory",
                                "declare a smaller variable"));
    }
    elements *= each;
  }
  if (variable.open_dimension) elements = 0;
  const std::uint32_t natural = size_of(*type) * variable.vector;
  return MemoryExtent{elements * size_of(*type), std::max(variable.alignment, natural)};
}

Result<Body> lay_out(const ptx::Function& function, std::uint32_t index, const Symbols& module,
                     std::vector<SharedVariable>& shared) {
  Body body(&module);
  body.code.source = &function;
  Layout layout(body, index, shared);
  if (!function.entry) {
    for (const ptx::Variable& each : function.results) RIDGE_TRY(layout.add_area(each, 0, &body.code.results));
    for (const ptx::Variable& each : function.parameters) RIDGE_TRY(layout.add_area(each, 0, &body.code.parameters));
  }
  RIDGE_TRY(layout.scope(*function.body, 0));
  return body;
}

}  // namespace ridge::emulator
