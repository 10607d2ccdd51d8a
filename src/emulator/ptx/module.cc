#include "emulator/ptx/module.h"

#include <algorithm>
#include <tuple>

namespace ridge::ptx {

bool operator==(const Operand& a, const Operand& b) {
  return std::tie(a.kind, a.element, a.negated, a.minus, a.name, a.selector, a.bits, a.offset, a.parts) ==
         std::tie(b.kind, b.element, b.negated, b.minus, b.name, b.selector, b.bits, b.offset, b.parts);
}

bool operator==(const Instruction& a, const Instruction& b) {
  return std::tie(a.guard, a.opcode, a.modifiers, a.operands) == std::tie(b.guard, b.opcode, b.modifiers, b.operands);
}

bool operator==(const Variable& a, const Variable& b) {
  const auto fields = [](const Variable& each) {
    return std::tie(each.space, each.linkage, each.alignment, each.vector, each.type, each.name, each.count,
                    each.dimensions, each.open_dimension, each.initial, each.attributes, each.pointee_alignment);
  };
  return fields(a) == fields(b);
}

bool operator==(const Scope& a, const Scope& b) {
  return a.statements == b.statements;
}

bool operator==(const Function& a, const Function& b) {
  return std::tie(a.entry, a.linkage, a.name, a.results, a.parameters, a.directives, a.body) ==
         std::tie(b.entry, b.linkage, b.name, b.results, b.parameters, b.directives, b.body);
}

bool operator==(const Module& a, const Module& b) {
  return std::tie(a.version_major, a.version_minor, a.target, a.address_size, a.files, a.items) ==
         std::tie(b.version_major, b.version_minor, b.target, b.address_size, b.files, b.items);
}

bool has_modifier(const Instruction& instruction, std::string_view modifier) {
  const auto& all = instruction.modifiers;
  return std::find(all.begin(), all.end(), modifier) != all.end();
}

std::string spelled(const Instruction& instruction) {
  std::string text(instruction.opcode);
  for (const std::string_view each : instruction.modifiers) text.append(".").append(each);
  return text;
}

std::string_view path_of(const Module& module, const SourceLine& line) {
  if (line.file == 0) return {};
  for (const SourceFile& each : module.files) {
    if (each.number == line.file) return each.path;
  }
  return {};
}

std::vector<const Function*> entries(const Module& module) {
  std::vector<const Function*> found;
  for (const auto& item : module.items) {
    const auto* function = std::get_if<Function>(&item);
    if (function != nullptr && function->entry && function->body) found.push_back(function);
  }
  return found;
}

}  // namespace ridge::ptx
