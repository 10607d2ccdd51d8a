// Any bytes are an array or an error that says where, never a crash; an array written again reads the same.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "emulator/job/npy.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto* bytes = static_cast<const char*>(static_cast<const void*>(data));
  const auto array = ridge::emulator::parse_npy(std::string(bytes, size), "fuzz.npy");
  if (!array) {
    if (array.error().what.empty() || array.error().where != "fuzz.npy") std::abort();
    return 0;
  }
  const auto again =
      ridge::emulator::parse_npy(ridge::emulator::encode_npy(array->type, array->shape, array->data()), "fuzz.npy");
  if (!again || again->shape != array->shape || again->count() != array->count()) std::abort();
  const auto before = array->data(), after = again->data();
  if (!std::equal(before.begin(), before.end(), after.begin(), after.end())) std::abort();
  return 0;
}
