#include "base/decompress.h"

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

namespace ridge {
namespace {

std::string gzip(const std::string& text) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  std::string input = text;
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

/// With the checksum that the zstd program writes by default.
std::string zstd(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  out.resize(ZSTD_compress2(context, out.data(), out.size(), text.data(), text.size()));
  ZSTD_freeCCtx(context);
  return out;
}

std::string sample() {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += std::to_string(i * 7919) + '\n';
  return text;
}

Result<std::string> decode(const std::string& bytes) {
  return read_all(*decoded(memory_source(bytes), "f"), std::size_t{64} << 20);
}

TEST(DecompressTest, PassesPlainBytesThrough) {
  EXPECT_EQ(*decode("plain"), "plain");
  EXPECT_EQ(*decode("ab"), "ab");
  EXPECT_EQ(*decode(""), "");
}

TEST(DecompressTest, DecodesGzipZstdAndOneInsideTheOther) {
  const std::string text = sample();
  EXPECT_EQ(*decode(gzip(text)), text);
  EXPECT_EQ(*decode(zstd(text)), text);
  EXPECT_EQ(*decode(zstd(gzip(text))), text);
  EXPECT_EQ(*decode(gzip(zstd(text))), text);
}

TEST(DecompressTest, LeavesAThirdLayerPacked) {
  EXPECT_EQ(*decode(gzip(gzip(gzip("x")))), gzip("x"));
}

TEST(DecompressTest, JoinsGzipMembersAndZstdFramesAndIgnoresPadding) {
  EXPECT_EQ(*decode(gzip("one") + gzip("two") + std::string(512, '\0')), "onetwo");
  EXPECT_EQ(*decode(zstd("one") + zstd("two")), "onetwo");
}

TEST(DecompressTest, RefusesAMemberWhoseHeaderIsDamaged) {
  const std::string text = sample();
  for (const std::size_t byte : {0U, 1U, 2U}) {
    std::string second = gzip("two");
    second[byte] = 'X';
    for (const std::string& between : {std::string(), std::string(100'000, '\0')}) {
      std::string whole = gzip(text);
      whole += between;
      whole += second;
      ByteReader reader(decoded(memory_source(whole), "f.gz"));
      EXPECT_EQ(reader.skip(text.size()), text.size());
      EXPECT_TRUE(reader.at_end());
      ASSERT_TRUE(reader.error()) << byte << ' ' << between.size();
      EXPECT_EQ(reader.error()->code, ErrorCode::kBadInput);
    }
  }
}

std::string skippable(char kind, const std::string& content) {
  std::string frame = {kind, '\x2a', '\x4d', '\x18', static_cast<char>(content.size()), '\0', '\0', '\0'};
  return frame + content;
}

TEST(DecompressTest, SkipsZstdFramesThatHoldNoData) {
  const std::string text = sample();
  for (const char kind : {'\x50', '\x5a', '\x5f'}) {
    EXPECT_EQ(*decode(skippable(kind, "size") + zstd(text)), text);
    EXPECT_EQ(*decode(skippable(kind, "") + zstd("one") + skippable(kind, "abc") + zstd("two")), "onetwo");
    EXPECT_EQ(*decode(skippable(kind, "nothing else")), "");
    EXPECT_FALSE(decode(skippable(kind, "cut").substr(0, 10)));
  }
  EXPECT_EQ(*decode("\x60\x2a\x4d\x18"), "\x60\x2a\x4d\x18");
}

TEST(DecompressTest, DecodesWhatAWindowsShellWrites) {
  EXPECT_EQ(*decode(std::string("\xff\xfe"
                                "\"\0I\0D\0",
                                8)),
            "\"ID");
}

TEST(DecompressTest, DeliversWhatCameBeforeTheCutThenSaysSo) {
  const std::string text = sample();
  for (const std::string& whole : {gzip(text), zstd(text)}) {
    ByteReader reader(decoded(memory_source(std::string_view(whole).substr(0, whole.size() / 2)), "f.gz"));
    std::uint64_t read = 0;
    while (!reader.at_end()) read += reader.skip(4096);
    EXPECT_GT(read, text.size() / 10);
    EXPECT_LT(read, text.size());
    ASSERT_TRUE(reader.error());
    EXPECT_EQ(reader.error()->code, ErrorCode::kBadInput);
    EXPECT_NE(reader.error()->where.find("f.gz"), std::string::npos);
  }
}

TEST(DecompressTest, RefusesFlippedBytes) {
  for (std::string whole : {gzip(sample()), zstd(sample())}) {
    for (std::size_t i = 0; i < 200; ++i) whole[whole.size() / 3 + i] = static_cast<char>(i);
    const Result<std::string> refused = decode(whole);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kBadInput);
  }
}

TEST(DecompressTest, RefusesAZstdWindowThatWouldTakeTooMuchMemory) {
  std::string frame = "\x28\xb5\x2f\xfd";
  frame += '\0';                               // a window descriptor follows
  frame += static_cast<char>((31 - 10) << 3);  // 2 GiB
  frame += std::string(16, '\0');
  EXPECT_FALSE(decode(frame));
}

}  // namespace
}  // namespace ridge
