#include "emulator/exec/fault.h"

#include <array>

#include "emulator/exec/launch.h"

namespace ridge::emulator {
namespace {

std::string hexadecimal(std::uint64_t value) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  do {
    text.insert(text.begin(), kDigits[value % 16]);
    value /= 16;
  } while (value != 0);
  return "0x" + text;
}

std::string_view space_name(ptx::Space space) {
  constexpr std::array<std::string_view, 7> kNames = {"register",  "constant", "global", "local",
                                                      "parameter", "shared",   "texture"};
  return kNames[static_cast<std::size_t>(space)];
}

std::string triple(std::uint64_t linear, const Dim3& extent) {
  return "(" + std::to_string(linear % extent.x) + "," + std::to_string(linear / extent.x % extent.y) + "," +
         std::to_string(linear / extent.x / extent.y) + ")";
}

std::string place_of(const Site& site, const ptx::Module& module) {
  const ptx::Instruction& instruction = *site.instruction;
  std::string place = "'" + ptx::spelled(instruction) + "', PTX line " + std::to_string(instruction.at.line);
  const std::string_view path = ptx::path_of(module, instruction.source);
  if (!path.empty()) place.append(", ").append(path).append(":" + std::to_string(instruction.source.line));
  return place;
}

}  // namespace

std::string_view name(FaultKind kind) {
  constexpr std::array<std::string_view, 12> kNames = {"out-of-bounds access",
                                                       "misaligned access",
                                                       "write to read-only memory",
                                                       "call of no function",
                                                       "trap",
                                                       "failed assertion",
                                                       "deadlock",
                                                       "divergent barrier",
                                                       "value not allowed",
                                                       "unsupported",
                                                       "uninitialised read",
                                                       "race"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string describe(const Fault& fault, const Program& program, const LaunchRequest& request) {
  std::string text(name(fault.kind));
  if (fault.bytes != 0) {
    text += " of " + std::to_string(fault.bytes) + " bytes of " + std::string(space_name(fault.space)) + " memory at " +
            hexadecimal(fault.address);
  }
  if (!fault.text.empty()) text += ": " + fault.text;
  text += " (thread " + triple(fault.thread, request.block) + " of block " + triple(fault.block, request.grid);
  if (fault.site < program.sites.size()) text += "; " + place_of(program.sites[fault.site], *program.module);
  return text + ")";
}

}  // namespace ridge::emulator
