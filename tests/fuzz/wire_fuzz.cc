// What a profiled program may write into the collector's socket: any bytes. Whatever is accepted is what was sent, byte
// by byte, and the same in whatever pieces it comes.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "collectors/wire/codec.h"

namespace {

using ridge::collectors::wire::Decoder;

void require(bool condition) {
  if (!condition) std::abort();
}

/// The accepted frames, encoded again; `step` bytes at a time.
std::string accepted(std::string_view bytes, std::size_t step) {
  Decoder decoder;
  std::string frames;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(step, bytes.size()))) {
    decoder.feed(bytes.substr(0, step));
    while (const auto message = decoder.next()) encode(*message, frames);
  }
  if (decoder.damaged()) require(!decoder.next());
  return frames;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string whole = accepted(bytes, size + 1);
  require(bytes.starts_with(whole));
  require(accepted(bytes, 7) == whole);
  return 0;
}
