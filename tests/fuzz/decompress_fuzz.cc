// gzip, zstd and UTF-16, alone and inside each other.
#include <cstdint>
#include <cstdlib>

#include "base/decompress.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::uint64_t kEnough = std::uint64_t{16} << 20;  // a small input can hold gigabytes
  ridge::ByteReader reader(
      ridge::decoded(ridge::memory_source(std::string_view(reinterpret_cast<const char*>(data), size)), "fuzz"));
  while (!reader.at_end() && reader.offset() < kEnough) reader.skip(4096);
  if (reader.error() && reader.error()->what.empty()) std::abort();
  return 0;
}
