#include "base/utf8.h"

#include <gtest/gtest.h>

namespace ridge {
namespace {

using namespace std::string_literals;

TEST(Utf8Test, LowersAsciiLettersOnly) {
  EXPECT_EQ(to_lower_ascii("NVIDIA H200-SXM @[`{"), "nvidia h200-sxm @[`{");
  EXPECT_EQ(to_lower_ascii("\u00c4\xc0Z"), "\u00c4\xc0z");
}

TEST(Utf8Test, AcceptsTextInAnyScript) {
  EXPECT_TRUE(is_valid_utf8("kernel_\xe5\x86\x85\xe6\xa0\xb8 \xf0\x9f\x98\x80"));
  EXPECT_TRUE(is_valid_utf8(""));
}

TEST(Utf8Test, RejectsOverlongSurrogateCutAndStrayBytes) {
  for (const std::string& bad : {"\xc0\xaf"s, "\xe0\x80\x80"s, "\xed\xa0\x80"s, "\xf4\x90\x80\x80"s, "\xff"s, "\x80"s,
                                 "ab\xe2\x82"s, "\xf0\x80\x80\x80"s}) {
    EXPECT_FALSE(is_valid_utf8(bad));
    EXPECT_TRUE(is_valid_utf8(to_valid_utf8(bad)));
  }
}

TEST(Utf8Test, ReplacesOnlyTheBytesThatAreWrong) {
  EXPECT_EQ(to_valid_utf8("a\xff"
                          "b\xe2\x82\xac"),
            "a\xef\xbf\xbd"
            "b\xe2\x82\xac");
}

TEST(Utf16DecoderTest, DecodesBothByteOrdersInPiecesOfAnySize) {
  const std::string little(
      "\xff\xfe"
      "a\0\xac\x20\x3d\xd8\x00\xde",
      10);
  std::string big;
  for (std::size_t i = 0; i + 1 < little.size(); i += 2) big += {little[i + 1], little[i]};
  const std::string expected = "a\xe2\x82\xac\xf0\x9f\x98\x80";
  for (const bool big_endian : {false, true}) {
    const std::string& bytes = big_endian ? big : little;
    for (std::size_t piece = 1; piece <= bytes.size(); ++piece) {
      Utf16Decoder decoder(big_endian);
      std::string out;
      for (std::size_t i = 0; i < bytes.size(); i += piece) decoder.append(bytes.substr(i, piece), out);
      decoder.append("", out);
      EXPECT_EQ(out, expected) << piece;
    }
  }
}

TEST(Utf16DecoderTest, MarksHalfAPairAndHalfAUnit) {
  Utf16Decoder decoder(false);
  std::string out;
  decoder.append(std::string("\x3d\xd8"
                             "a\0"
                             "b",
                             5),
                 out);
  decoder.append("", out);
  EXPECT_EQ(out,
            "\xef\xbf\xbd"
            "a\xef\xbf\xbd");
}

}  // namespace
}  // namespace ridge
