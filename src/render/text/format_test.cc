#include "render/text/format.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "render/text/unicode.h"
#include "ridgepoint/base/units.h"

namespace ridge::render {
namespace {

struct NumberCase {
  double value;
  Unit unit;
  const char* text;
};

class FormatNumberTest : public testing::TestWithParam<NumberCase> {};

TEST_P(FormatNumberTest, ScalesToSiWithFourDigitsAtMost) {
  EXPECT_EQ(format_number(GetParam().value, GetParam().unit), GetParam().text);
}

INSTANTIATE_TEST_SUITE_P(
    Units, FormatNumberTest,
    testing::Values(NumberCase{3.48e12, Unit::kBytesPerSecond, "3.48 TB/s"},
                    NumberCase{864e9, Unit::kBytesPerSecond, "864 GB/s"},
                    NumberCase{137438953472.0, Unit::kFlops, "137.4 GFLOP"}, NumberCase{1.2e9, Unit::kBytes, "1.2 GB"},
                    NumberCase{1024, Unit::kBytes, "1.024 kB"}, NumberCase{1, Unit::kBytes, "1 B"},
                    NumberCase{999, Unit::kBytes, "999 B"}, NumberCase{3.45e-4, Unit::kSeconds, "345 us"},
                    NumberCase{1.39e-3, Unit::kSeconds, "1.39 ms"}, NumberCase{22.66e-3, Unit::kSeconds, "22.66 ms"},
                    NumberCase{12, Unit::kSeconds, "12 s"}, NumberCase{86400, Unit::kSeconds, "86,400 s"},
                    NumberCase{5e-9, Unit::kSeconds, "5 ns"}, NumberCase{1.98e9, Unit::kHertz, "1.98 GHz"},
                    NumberCase{91.6e12, Unit::kFlopsPerSecond, "91.6 TFLOP/s"},
                    NumberCase{1.0 / 12, Unit::kFlopsPerByte, "0.08333 FLOP/B"},
                    NumberCase{682.67, Unit::kFlopsPerByte, "682.7 FLOP/B"},
                    NumberCase{41234567, Unit::kFlopsPerByte, "41.23 MFLOP/B"},
                    NumberCase{0.054, Unit::kRatio, "5.4 %"}, NumberCase{0.07, Unit::kRatio, "7.0 %"},
                    NumberCase{1.066, Unit::kRatio, "106.6 %"}, NumberCase{0.00123, Unit::kRatio, "0.12 %"},
                    NumberCase{1e-9, Unit::kRatio, "<0.001 %"}, NumberCase{1, Unit::kRatio, "100.0 %"},
                    NumberCase{1.2807, Unit::kFactor, "1.28x"}, NumberCase{1270.4, Unit::kFactor, "1,270x"},
                    NumberCase{12.34, Unit::kFactor, "12.3x"}, NumberCase{4096, Unit::kCount, "4,096"},
                    NumberCase{999999, Unit::kCount, "999,999"}, NumberCase{5.37e6, Unit::kCount, "5.37 M"},
                    NumberCase{0.5, Unit::kCount, "0.5"}, NumberCase{137438953472.0, Unit::kNone, "137,438,953,472"},
                    NumberCase{2.5, Unit::kPerCycle, "2.5/cycle"}));

INSTANTIATE_TEST_SUITE_P(
    Edges, FormatNumberTest,
    testing::Values(NumberCase{0, Unit::kBytes, "0 B"}, NumberCase{0, Unit::kSeconds, "0 s"},
                    NumberCase{0, Unit::kRatio, "0 %"}, NumberCase{-0.0, Unit::kFlops, "0 FLOP"},
                    NumberCase{0, Unit::kFactor, "0.00x"}, NumberCase{-1.5e-3, Unit::kSeconds, "-1.5 ms"},
                    NumberCase{-2e9, Unit::kBytes, "-2 GB"}, NumberCase{-0.25, Unit::kRatio, "-25.0 %"},
                    NumberCase{999.96e9, Unit::kBytes, "1 TB"}, NumberCase{999.94e9, Unit::kBytes, "999.9 GB"},
                    NumberCase{0.00099996, Unit::kSeconds, "1 ms"}, NumberCase{0.5, Unit::kBytes, "0.5 B"},
                    NumberCase{std::nan(""), Unit::kSeconds, "nan"},
                    NumberCase{std::numeric_limits<double>::infinity(), Unit::kBytes, "inf"},
                    NumberCase{-std::numeric_limits<double>::infinity(), Unit::kBytes, "-inf"}));

TEST(FormatTest, NoUnitShowsAnExponentForNumbersThatHappen) {
  for (int unit = 0; unit <= static_cast<int>(Unit::kPerCycle); ++unit) {
    for (double value = 1e-8; value < 1e15; value *= 7.3) {
      const std::string text = format_number(value, static_cast<Unit>(unit));
      if (static_cast<Unit>(unit) == Unit::kRatio || static_cast<Unit>(unit) == Unit::kFactor) {
        if (value > 1e4) continue;
      }
      if (static_cast<Unit>(unit) == Unit::kSeconds && value > 1e5) continue;
      EXPECT_EQ(text.find("e+"), std::string::npos) << text;
      EXPECT_EQ(text.find("e-"), std::string::npos) << text;
    }
  }
}

TEST(FormatTest, NumbersBeyondEveryPrefixStayShort) {
  EXPECT_LT(format_number(1e300, Unit::kBytes).size(), 20u);
  EXPECT_LT(format_number(1e-300, Unit::kSeconds).size(), 20u);
  EXPECT_LT(format_number(-1.7e308, Unit::kNone).size(), 20u);
}

TEST(FormatTest, MissingIsADash) {
  EXPECT_EQ(format_value(Value<Bytes>::missing("no counter"), Unit::kBytes), "\u2013");
  EXPECT_EQ(format_value(Value<Bytes>(Bytes(2e9), Provenance::kMeasured), Unit::kBytes), "2 GB");
  EXPECT_EQ(format_value(Value<double>(0.5, Provenance::kMeasured), Unit::kRatio), "50.0 %");
}

TEST(DisplayWidthTest, CountsWideAndCombiningCharacters) {
  EXPECT_EQ(display_width("gemm"), 4);
  EXPECT_EQ(display_width("\u5185\u5B58"), 4);  // two Han characters
  EXPECT_EQ(display_width("e\u0301"), 1);       // e + combining acute
  EXPECT_EQ(display_width("\u2026\u2013"), 2);  // punctuation is narrow
  EXPECT_EQ(display_width("\U0001F680"), 2);    // emoji
  EXPECT_EQ(display_width("\xFF\xC0"), 2);      // each invalid byte is one
}

TEST(PrintableTest, MakesWhatCannotBeSeenVisible) {
  EXPECT_EQ(printable("a\x1B[31mb"), "a\\x1B[31mb");
  EXPECT_EQ(printable("a\nb\tc\r"), "a\\x0Ab\\x09c\\x0D");
  EXPECT_EQ(printable("\u202Eevil"), "\\u{202E}evil");
  EXPECT_EQ(printable("\u0085x"), "\\x85x");
  EXPECT_EQ(printable("bad \xC3("), "bad \\xC3(");
  EXPECT_EQ(printable("\xED\xA0\x80"), "\\xED\\xA0\\x80");  // a surrogate is not UTF-8
  EXPECT_EQ(printable("\xC0\xAF"), "\\xC0\\xAF");           // an overlong slash
  EXPECT_EQ(printable("\u77E9\u9635 ok"), "\u77E9\u9635 ok");
}

TEST(ShortenTest, KeepsBothEndsWhenThereIsRoomAndCountsColumns) {
  EXPECT_EQ(shorten("short", 10), "short");
  EXPECT_EQ(shorten("abcdefghijklmnopqrstuvwxyz", 10), "abcdefghi\u2026");
  const std::string cut = shorten("abcdefghijklmnopqrstuvwxyz", 20);
  EXPECT_EQ(display_width(cut), 20);
  EXPECT_TRUE(cut.ends_with("uvwxyz"));
  EXPECT_LE(display_width(shorten("\u5185\u5B58\u5185\u5B58\u5185\u5B58", 6)), 6);
  EXPECT_EQ(shorten("abc", 0), "");
}

TEST(AsciiOnlyTest, KeepsTheWidth) {
  EXPECT_EQ(ascii_only("a\u2026b\u2013"), "a~b-");
  EXPECT_EQ(ascii_only("\u2500\u2502"), "-|");
  EXPECT_EQ(ascii_only("\u5185x"), "??x");
}

TEST(EscapeTest, JsonSpellsHiddenCharactersOut) {
  EXPECT_EQ(escape_json("{\n \"a\": \"x\u202ey\u009bz\x7f\u4f60\"\n}\n"),
            "{\n \"a\": \"x\\u202ey\\u009bz\\u007f\u4f60\"\n}\n");
  EXPECT_EQ(escape_json("\"\U000e0001\""), "\"\\udb40\\udc01\"");
}

TEST(EscapeTest, HtmlNeutralisesMarkup) {
  EXPECT_EQ(escape_html("</script><b a=\"1\" c='2'>&"), "&lt;/script&gt;&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;");
}

TEST(EscapeTest, MarkdownNeutralisesMarkup) {
  EXPECT_EQ(escape_markdown("a|b`c*d"), "a\\|b\\`c\\*d");
  EXPECT_EQ(escape_markdown("gemm_naive __x <b> @all"), "gemm_naive \\__x &lt;b&gt; &#64;all");
  EXPECT_EQ(escape_markdown("two\nlines"), "two\\\\x0Alines");
}

TEST(EscapeTest, CsvGuardsFormulasButNotNumbers) {
  EXPECT_EQ(escape_csv("=cmd|' /C calc'!A0"), "\"'=cmd|' /C calc'!A0\"");
  EXPECT_EQ(escape_csv("@SUM(1)"), "\"'@SUM(1)\"");
  EXPECT_EQ(escape_csv("-1.5e-3"), "-1.5e-3");
  EXPECT_EQ(escape_csv("+7"), "+7");
  EXPECT_EQ(escape_csv("-1+cmd"), "\"'-1+cmd\"");
  EXPECT_EQ(escape_csv("  =1+1"), "\"'  =1+1\"");
  EXPECT_EQ(escape_csv("\t=1+1"), "\"'\\x09=1+1\"");
  EXPECT_EQ(escape_csv("f<int, 2>(\"x\")"), "\"f<int, 2>(\"\"x\"\")\"");
  EXPECT_EQ(escape_csv("plain"), "plain");
}

}  // namespace
}  // namespace ridge::render
