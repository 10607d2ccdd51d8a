#include "base/bytes.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace ridge {
namespace {

/// Delivers `piece` bytes a call, then fails if asked to.
class SlowSource final : public ByteSource {
 public:
  SlowSource(std::string text, std::size_t piece, bool fails) : text_(std::move(text)), piece_(piece), fails_(fails) {}
  Result<std::size_t> read(std::span<char> out) override {
    if (used_ == text_.size() && fails_) return fail(bad_input("cut", "here", "again"));
    largest_request = std::max(largest_request, out.size());
    const std::size_t n = std::min({piece_, out.size(), text_.size() - used_});
    text_.copy(out.data(), n, used_);
    used_ += n;
    return n;
  }
  std::size_t largest_request = 0;

 private:
  std::string text_;
  std::size_t piece_;
  bool fails_;
  std::size_t used_ = 0;
};

TEST(ByteReaderTest, GivesTheSameBytesWholeAndInOneBytePieces) {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += std::to_string(i) + ",";
  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, text.size()}) {
    ByteReader reader(std::make_unique<SlowSource>(text, piece, false));
    std::string got;
    while (!reader.at_end()) {
      const std::string_view window = reader.peek(100);
      const std::size_t n = std::min<std::size_t>(window.size(), 33);
      got += window.substr(0, n);
      reader.consume(n);
    }
    EXPECT_EQ(got, text) << piece;
    EXPECT_EQ(reader.offset(), text.size());
  }
}

TEST(ByteReaderTest, SkipsNoFurtherThanTheEnd) {
  const std::string text(1'000'000, 'x');
  ByteReader reader(memory_source(text));
  EXPECT_EQ(reader.peek(10).substr(0, 3), "xxx");
  EXPECT_EQ(reader.skip(600'000), 600'000U);
  EXPECT_EQ(reader.skip(600'000), 400'000U);
  EXPECT_TRUE(reader.at_end());
  EXPECT_EQ(reader.offset(), text.size());
  EXPECT_FALSE(reader.error());
}

TEST(ByteReaderTest, AllocatesForBytesThatArriveAndNotForBytesAskedFor) {
  auto source = std::make_unique<SlowSource>(std::string(1000, 'y'), 1000, false);
  const SlowSource* watched = source.get();
  ByteReader reader(std::move(source));
  EXPECT_EQ(reader.peek(std::size_t{1} << 40).size(), 1000U);
  EXPECT_LE(watched->largest_request, 2 * ByteReader::kChunk);
}

TEST(ByteReaderTest, KeepsWhatArrivedBeforeAFailure) {
  ByteReader reader(std::make_unique<SlowSource>("abc", 2, true));
  EXPECT_EQ(reader.peek(10), "abc");
  ASSERT_TRUE(reader.error());
  EXPECT_EQ(reader.error()->what, "cut");
  reader.consume(3);
  EXPECT_TRUE(reader.at_end());
}

TEST(ReadAllTest, RefusesMoreThanTheLimit) {
  EXPECT_EQ(*read_all(*memory_source("12345"), 5), "12345");
  const Result<std::string> refused = read_all(*memory_source("123456"), 5);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kBadInput);
}

}  // namespace
}  // namespace ridge
