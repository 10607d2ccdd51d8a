// The protobuf wire format, read without a schema: enough to walk a message and to step over what nobody wants without
// touching its bytes. Why not generated code: docs/design/ncu-report.md.
//
// Not modelled: groups (wire types 3 and 4), which no report uses; they count as damage.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace ridge::ncu {

static_assert(std::endian::native == std::endian::little, "fixed-width fields are read in place");

enum class WireType : std::uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

/// Reads a varint at `text`; returns its length, or 0 if it is cut or longer than ten bytes.
inline std::size_t read_varint(std::string_view text, std::uint64_t& value) {
  if (!text.empty() && static_cast<unsigned char>(text[0]) < 0x80) {
    value = static_cast<unsigned char>(text[0]);
    return 1;
  }
  std::uint64_t result = 0;
  for (std::size_t i = 0; i < text.size() && i < 10; ++i) {
    const std::uint64_t byte = static_cast<unsigned char>(text[i]);
    result |= (byte & 0x7f) << (7 * i);
    if (byte < 0x80) {
      value = result;
      return i + 1;
    }
  }
  return 0;
}

struct WireField {
  std::uint32_t number = 0;
  WireType type = WireType::kVarint;
  std::uint64_t value = 0;  ///< the varint, or the bits of a fixed-width field
  std::string_view bytes;   ///< of a length-delimited field

  [[nodiscard]] double as_double() const { return std::bit_cast<double>(value); }
  [[nodiscard]] float as_float() const { return std::bit_cast<float>(static_cast<std::uint32_t>(value)); }
};

/// The tag and, for length-delimited fields, the length at the front of a field; the rest is not looked at.
struct WireHead {
  std::uint32_t number = 0;
  WireType type = WireType::kVarint;
  std::uint64_t length = 0;  ///< bytes after the head; for a varint unknown (0)
  std::size_t size = 0;      ///< of the head itself; 0 when it is cut or damaged
};

inline WireHead read_head(std::string_view text) {
  WireHead head;
  std::uint64_t tag = 0;
  const std::size_t n = read_varint(text, tag);
  const auto type = static_cast<WireType>(tag & 7);
  if (n == 0 || tag >> 3 == 0 || tag >> 3 > 0x1fffffff) return head;
  head.number = static_cast<std::uint32_t>(tag >> 3);
  head.type = type;
  switch (type) {
    case WireType::kVarint:
      break;
    case WireType::kFixed64:
      head.length = 8;
      break;
    case WireType::kFixed32:
      head.length = 4;
      break;
    case WireType::kBytes: {
      const std::size_t m = read_varint(text.substr(n), head.length);
      if (m == 0) return head;
      head.size = n + m;
      return head;
    }
    default:
      return head;
  }
  head.size = n;
  return head;
}

/// Walks the fields of one message that lies in memory.
class WireReader {
 public:
  explicit WireReader(std::string_view message) : rest_(message) {}

  /// False at the end or at damage.
  bool next(WireField& field) {
    if (rest_.empty()) return false;
    const WireHead head = read_head(rest_);
    if (head.size == 0) return stop();
    field.number = head.number;
    field.type = head.type;
    rest_.remove_prefix(head.size);
    if (head.type == WireType::kVarint) {
      const std::size_t n = read_varint(rest_, field.value);
      if (n == 0) return stop();
      rest_.remove_prefix(n);
      return true;
    }
    if (head.length > rest_.size()) return stop();
    field.bytes = rest_.substr(0, head.length);
    field.value = 0;
    if (head.type != WireType::kBytes) std::memcpy(&field.value, field.bytes.data(), head.length);
    rest_.remove_prefix(head.length);
    return true;
  }
  [[nodiscard]] bool damaged() const { return damaged_; }

 private:
  bool stop() {
    damaged_ = true;
    return false;
  }
  std::string_view rest_;
  bool damaged_ = false;
};

}  // namespace ridge::ncu
