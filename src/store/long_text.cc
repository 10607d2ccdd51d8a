#include "store/long_text.h"

#include <zlib.h>

namespace ridge::store {
namespace {

constexpr std::size_t kPlain = 512;
constexpr std::size_t kLengthBytes = 4;

const Bytef* bytes_of(std::string_view text) {
  return static_cast<const Bytef*>(static_cast<const void*>(text.data()));
}
Bytef* bytes_of(std::string& text, std::size_t from) {
  return static_cast<Bytef*>(static_cast<void*>(text.data() + from));
}

}  // namespace

std::optional<std::string> pack_text(const std::string& text) {
  if (text.size() <= kPlain || text.size() > kLongestText) return std::nullopt;
  uLongf size = compressBound(text.size());
  std::string packed(kLengthBytes + size, '\0');
  for (std::size_t i = 0; i < kLengthBytes; ++i) packed[i] = static_cast<char>(text.size() >> (8 * i) & 0xFFU);
  if (compress2(bytes_of(packed, kLengthBytes), &size, bytes_of(text), text.size(), Z_BEST_COMPRESSION) != Z_OK) {
    return std::nullopt;
  }
  packed.resize(kLengthBytes + size);
  if (packed.size() >= text.size()) return std::nullopt;
  return packed;
}

std::optional<std::string> unpack_text(std::string_view packed) {
  if (packed.size() < kLengthBytes) return std::nullopt;
  std::size_t length = 0;
  for (std::size_t i = 0; i < kLengthBytes; ++i) {
    length |= static_cast<std::size_t>(static_cast<unsigned char>(packed[i])) << (8 * i);
  }
  if (length > kLongestText) return std::nullopt;
  std::string text(length, '\0');
  uLongf size = length;
  const std::string_view data = packed.substr(kLengthBytes);
  if (uncompress(bytes_of(text, 0), &size, bytes_of(data), data.size()) != Z_OK || size != length) return std::nullopt;
  return text;
}

}  // namespace ridge::store
