// Writes the protobuf wire format: the opposite of importers/ncu/wire.h, for tests and tools.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace ridge::testing {

class WireWriter {
 public:
  WireWriter& varint(std::uint32_t number, std::uint64_t value) {
    tag(number, 0);
    raw_varint(value);
    return *this;
  }
  WireWriter& fixed64(std::uint32_t number, double value) {
    tag(number, 1);
    little_endian(std::bit_cast<std::uint64_t>(value), 8);
    return *this;
  }
  WireWriter& fixed32(std::uint32_t number, float value) {
    tag(number, 5);
    little_endian(std::bit_cast<std::uint32_t>(value), 4);
    return *this;
  }
  WireWriter& bytes(std::uint32_t number, std::string_view value) {
    tag(number, 2);
    raw_varint(value.size());
    text_ += value;
    return *this;
  }
  [[nodiscard]] const std::string& text() const { return text_; }

  void raw_varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) text_.push_back(static_cast<char>(value | 0x80));
    text_.push_back(static_cast<char>(value));
  }
  void little_endian(std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) text_.push_back(static_cast<char>(value >> (8 * i)));
  }

 private:
  void tag(std::uint32_t number, unsigned type) { raw_varint(std::uint64_t{number} << 3 | type); }
  std::string text_;
};

}  // namespace ridge::testing
