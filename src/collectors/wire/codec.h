// Messages as bytes: a frame is its length (4 bytes), its kind (1 byte) and its fields in order, all little-endian;
// texts and lists begin with their length (4 bytes).
//
// Bytes from the other end are not trusted: a program may write into the socket, or die in the middle of a frame. A
// Decoder never reads past what it was given, never allocates for a length that is not there, and once it met damage it
// yields nothing more.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "collectors/wire/messages.h"

namespace ridge::collectors::wire {

/// Of one frame; a longer one is damage. A batch of launches is far below it, an image of counters a megabyte.
inline constexpr std::size_t kLargestFrame = std::size_t{16} << 20;

/// Appends the message's frame to `bytes`, however long: one above kLargestFrame, which a Decoder takes for damage,
/// with all that follows, is for the caller to keep from being sent.
void encode(const Message& message, std::string& bytes);
[[nodiscard]] std::string encode(const Message& message);

class Decoder {
 public:
  /// More bytes, as they come from the socket.
  void feed(std::string_view bytes);
  /// The next whole message; none: more bytes are needed, or damaged().
  [[nodiscard]] std::optional<Message> next();
  [[nodiscard]] bool damaged() const { return damaged_; }
  /// Bytes of an unfinished frame: not 0 at the end of a stream means that the last message was cut.
  [[nodiscard]] std::size_t pending() const { return bytes_.size() - used_; }

 private:
  std::string bytes_;
  std::size_t used_ = 0;
  bool damaged_ = false;
};

}  // namespace ridge::collectors::wire
