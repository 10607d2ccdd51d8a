// A quantity on the command line: any text ends in a finite number or in one error.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/quantity_text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto parsed = ridge::parse_quantity({reinterpret_cast<const char*>(data), size}, "--fuzz");
  if (parsed && !std::isfinite(parsed->value)) std::abort();
  if (!parsed && parsed.error().what.empty()) std::abort();
  return 0;
}
