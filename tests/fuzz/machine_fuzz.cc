// A user's machine file: any bytes end in a machine or in one error, and what was read is written and read back equal.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "ridgepoint/machines/database.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view toml(reinterpret_cast<const char*>(data), size);
  const auto machine = ridge::parse_machine(toml, "fuzz");
  if (!machine) {
    if (machine.error().what.empty() || machine.error().remedy.empty()) std::abort();
    return 0;
  }
  const auto again = ridge::parse_machine(ridge::serialise_machine(*machine), "again");
  if (!again || again->ceilings.size() != machine->ceilings.size() || again->sm_count != machine->sm_count) {
    std::abort();
  }
  return 0;
}
