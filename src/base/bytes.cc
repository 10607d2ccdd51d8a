#include "base/bytes.h"

#include <algorithm>
#include <cstring>

namespace ridge {

std::uint64_t ByteSource::skip(std::uint64_t /*n*/) {
  return 0;
}

namespace {

class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::string_view bytes) : bytes_(bytes) {}
  Result<std::size_t> read(std::span<char> out) override {
    const std::size_t n = std::min(out.size(), bytes_.size());
    if (n > 0) std::memcpy(out.data(), bytes_.data(), n);
    bytes_.remove_prefix(n);
    return n;
  }
  std::uint64_t skip(std::uint64_t n) override {
    const std::size_t step = static_cast<std::size_t>(std::min<std::uint64_t>(n, bytes_.size()));
    bytes_.remove_prefix(step);
    return step;
  }

 private:
  std::string_view bytes_;
};

}  // namespace

std::unique_ptr<ByteSource> memory_source(std::string_view bytes) {
  return std::make_unique<MemorySource>(bytes);
}

/// Makes the buffer able to hold at least one more chunk, but at most doubles it: a huge `want` costs nothing until
/// the bytes arrive.
void ByteReader::make_room(std::size_t want) {
  if (begin_ > 0) {
    std::memmove(buffer_.get(), buffer_.get() + begin_, available());
    filled_ -= begin_;
    begin_ = 0;
  }
  const std::size_t useful = std::min(std::max(want, kChunk), std::max(2 * capacity_, kChunk));
  if (useful <= capacity_) return;
  // allow(new): make_unique would clear what is overwritten at once
  std::unique_ptr<char[]> larger(new char[useful]);
  if (filled_ > 0) std::memcpy(larger.get(), buffer_.get(), filled_);
  buffer_ = std::move(larger);
  capacity_ = useful;
}

bool ByteReader::fill() {
  Result<std::size_t> n = source_->read(std::span<char>(buffer_.get() + filled_, capacity_ - filled_));
  if (!n) {
    error_ = n.error();
    ended_ = true;
    return false;
  }
  filled_ += *n;
  ended_ = *n == 0;
  return !ended_;
}

std::string_view ByteReader::peek(std::size_t want) {
  while (available() < want && !ended_) {
    if (begin_ + want > capacity_ || filled_ == capacity_) make_room(want);
    if (!fill()) break;
  }
  return {buffer_.get() + begin_, available()};
}

void ByteReader::consume(std::size_t n) {
  n = std::min(n, available());
  begin_ += n;
  offset_ += n;
}

std::uint64_t ByteReader::skip(std::uint64_t n) {
  const auto at_hand = static_cast<std::size_t>(std::min<std::uint64_t>(n, available()));
  consume(at_hand);
  std::uint64_t done = at_hand;
  // Within one chunk reading is cheaper than a system call; beyond it the bytes need not be touched at all.
  if (n - done > kChunk && !ended_) {
    const std::uint64_t jumped = source_->skip(n - done);
    offset_ += jumped;
    done += jumped;
  }
  while (done < n) {
    const std::size_t step = static_cast<std::size_t>(std::min<std::uint64_t>(n - done, peek(1).size()));
    if (step == 0) break;
    consume(step);
    done += step;
  }
  return done;
}

Result<std::string> read_all(ByteSource& source, std::size_t limit) {
  std::string all;
  char chunk[16384];
  while (true) {
    const Result<std::size_t> n = source.read(chunk);
    if (!n) return fail(n.error());
    if (*n == 0) return all;
    if (all.size() + *n > limit) {
      return fail(bad_input("more than " + std::to_string(limit) + " bytes", "", "give a smaller file"));
    }
    all.append(chunk, *n);
  }
}

}  // namespace ridge
