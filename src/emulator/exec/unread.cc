#include "emulator/exec/unread.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_set>

#include "emulator/ptx/opcodes.h"

namespace ridge::emulator {
namespace {

bool can_be_reduction(const ptx::Instruction& instruction) {
  const auto keeps_result = [](std::string_view modifier) {
    return modifier == "exch" || modifier == "cas" || modifier == "acquire" || modifier == "acq_rel";
  };
  const auto& all = instruction.modifiers;
  return instruction.opcode == "atom" && !instruction.operands.empty() &&
         std::none_of(all.begin(), all.end(), keeps_result);
}

// Whether the first operand is a result and nothing else; a call's are not told apart.
bool begins_with_result(const ptx::Instruction& instruction) {
  const auto form = ptx::match(instruction);
  return form && instruction.opcode != "call" && (*form)->operands.starts_with("d");
}

template <class F>
void each_register(const Body& body, const Item& item, const ptx::Operand& operand, const F& f) {
  if (!operand.name.empty()) {
    const auto symbol = body.symbols.find(item.scope, operand.name);
    if (symbol && symbol->kind == SymbolKind::kRegister) f(symbol->slot);
  }
  for (const ptx::Operand& each : operand.parts) each_register(body, item, each, f);
}

// A destination that is not a register, such as a result of the function, may be read by others.
bool only_registers(const Body& body, const Item& item, const ptx::Operand& operand) {
  if (!operand.name.empty()) {
    const auto symbol = body.symbols.find(item.scope, operand.name);
    if (!symbol || symbol->kind != SymbolKind::kRegister) return false;
  }
  return std::all_of(operand.parts.begin(), operand.parts.end(),
                     [&](const ptx::Operand& each) { return only_registers(body, item, each); });
}

std::unordered_set<Slot> registers_read(const Body& body) {
  std::unordered_set<Slot> read;
  for (const Item& item : body.items) {
    const auto& operands = item.instruction->operands;
    for (std::size_t i = begins_with_result(*item.instruction) ? 1 : 0; i < operands.size(); ++i) {
      each_register(body, item, operands[i], [&](Slot slot) { read.insert(slot); });
    }
  }
  return read;
}

}  // namespace

std::vector<bool> unread_atomics(const Body& body) {
  std::vector<bool> unread(body.items.size(), false);
  std::optional<std::unordered_set<Slot>> read;  // most functions have no atomics
  for (std::size_t i = 0; i < body.items.size(); ++i) {
    const Item& item = body.items[i];
    if (!can_be_reduction(*item.instruction)) continue;
    const ptx::Operand& result = item.instruction->operands[0];
    if (!only_registers(body, item, result)) continue;
    if (!read) read = registers_read(body);
    unread[i] = true;
    each_register(body, item, result, [&](Slot slot) { unread[i] = unread[i] && read->count(slot) == 0; });
  }
  return unread;
}

}  // namespace ridge::emulator
