// Bytes from anywhere, a window at a time: a file, memory, or another source behind a decoder.
//
// A ByteSource is pulled; a ByteReader keeps one contiguous window over it. Memory is bounded by the largest window
// asked for, never by a length the data claims: the buffer grows only as bytes really arrive.
// Not modelled: writing, seeking backwards. Files are read, not mapped, because a mapped file that shrinks kills the
// process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ridgepoint/base/result.h"

namespace ridge {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Fills up to out.size() bytes and returns how many; 0 only at the end. `out` is not empty.
  [[nodiscard]] virtual Result<std::size_t> read(std::span<char> out) = 0;
  /// Skips up to n bytes without delivering them and returns how many. 0 means "cannot skip here, read instead".
  [[nodiscard]] virtual std::uint64_t skip(std::uint64_t n);
};

/// Bytes that outlive the source.
[[nodiscard]] std::unique_ptr<ByteSource> memory_source(std::string_view bytes);

class ByteReader {
 public:
  static constexpr std::size_t kChunk = std::size_t{256} << 10;

  explicit ByteReader(std::unique_ptr<ByteSource> source) : source_(std::move(source)) {}

  /// What is at hand from the current offset: at least `want` bytes unless the source ends or fails before. Views stay
  /// valid until the next call of peek or skip.
  [[nodiscard]] std::string_view peek(std::size_t want);
  /// Moves on by n bytes of the last peek.
  void consume(std::size_t n);
  /// Moves on by n bytes, or fewer at the end; returns how many.
  std::uint64_t skip(std::uint64_t n);
  [[nodiscard]] std::uint64_t offset() const { return offset_; }
  /// True when no byte is left (or the source failed: see error()).
  [[nodiscard]] bool at_end() { return peek(1).empty(); }
  /// The failure that ended the data, if one did.
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

 private:
  [[nodiscard]] std::size_t available() const { return filled_ - begin_; }
  void make_room(std::size_t want);
  bool fill();

  std::unique_ptr<ByteSource> source_;
  std::unique_ptr<char[]> buffer_;  ///< not initialised: a vector would clear what read() is about to overwrite
  std::size_t capacity_ = 0;
  std::size_t begin_ = 0, filled_ = 0;
  std::uint64_t offset_ = 0;
  bool ended_ = false;
  std::optional<Error> error_;
};

/// Reads to the end of a source; an error beyond `limit` bytes.
[[nodiscard]] Result<std::string> read_all(ByteSource& source, std::size_t limit);

}  // namespace ridge
