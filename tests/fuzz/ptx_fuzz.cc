// Any text is a module or an error, never a crash; what a module prints is the same module; every instruction is legal
// or an error that says where.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <variant>

#include "emulator/ptx/opcodes.h"
#include "emulator/ptx/parser.h"
#include "emulator/ptx/printer.h"

namespace {

void look_at(const ridge::ptx::Scope& scope) {
  for (const auto& statement : scope.statements) {
    if (const auto* instruction = std::get_if<ridge::ptx::Instruction>(&statement)) {
      const auto form = ridge::ptx::match(*instruction);
      if (!form && (form.error().what.empty() || form.error().where.empty())) std::abort();
    } else if (const auto* inner = std::get_if<ridge::ptx::Scope>(&statement)) {
      look_at(*inner);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto* bytes = static_cast<const char*>(static_cast<const void*>(data));
  const auto module = ridge::ptx::parse(std::string(bytes, size));
  if (!module) return 0;
  const std::string printed = ridge::ptx::print(*module);
  const auto again = ridge::ptx::parse(printed);
  if (!again || !(*again == *module)) std::abort();
  for (const auto& item : module->items) {
    const auto* function = std::get_if<ridge::ptx::Function>(&item);
    if (function != nullptr && function->body) look_at(*function->body);
  }
  return 0;
}
