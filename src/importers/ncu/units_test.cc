#include "importers/ncu/units.h"

#include <gtest/gtest.h>

namespace ridge::ncu {
namespace {

struct UnitCase {
  std::string_view text, name;
  double factor;
};

TEST(UnitsTest, ReadsPrefixAndNameInEverySpelling) {
  const UnitCase cases[] = {
      {"nsecond", "s", 1e-9},
      {"ns", "s", 1e-9},
      {"us", "s", 1e-6},
      {"usecond", "s", 1e-6},
      {"msecond", "s", 1e-3},
      {"s", "s", 1},
      {"second", "s", 1},
      {"hz", "hz", 1},
      {"Ghz", "hz", 1e9},
      {"Mhz", "hz", 1e6},
      {"mhz", "hz", 1e6},
      {"GHz", "hz", 1e9},
      {"cycle/second", "hz", 1},
      {"cycle/nsecond", "hz", 1e9},
      {"cycle/usecond", "hz", 1e6},
      {"cycle/s", "hz", 1},
      {"byte", "byte", 1},
      {"Kbyte", "byte", 1e3},
      {"Mbyte", "byte", 1e6},
      {"mbyte", "byte", 1e6},
      {"Gbyte", "byte", 1e9},
      {"Tbyte/s", "byte/s", 1e12},
      {"Gbyte/second", "byte/s", 1e9},
      {"byte/second", "byte/s", 1},
      {"Kbyte/cycle", "byte/cycle", 1e3},
      {"sector/ns", "sector/s", 1e9},
      {"sector/us", "sector/s", 1e6},
      {"Kbyte/block", "byte/block", 1e3},
      {"register/thread", "register/thread", 1},
      {"%", "%", 1},
      {"inst/cycle", "inst/cycle", 1},
      {"warp", "warp", 1},
      {"branches", "branch", 1},
      {"SM", "SM", 1},
      {"pass", "pass", 1},
      {"samples", "sample", 1},
      {"", "", 1},
      {" us ", "s", 1e-6},
  };
  for (const UnitCase& c : cases) {
    const std::optional<MetricUnit> unit = parse_unit(c.text);
    ASSERT_TRUE(unit) << c.text;
    EXPECT_EQ(unit->name, c.name) << c.text;
    EXPECT_DOUBLE_EQ(unit->factor, c.factor) << c.text;
  }
}

TEST(UnitsTest, HasNoFactorForAUnitItDoesNotKnow) {
  for (const std::string_view text : {"fortnight", "Xbyte", "byte/fortnight", "/s", "byte/", "k", "byte/s/s"}) {
    EXPECT_FALSE(parse_unit(text)) << text;
  }
}

}  // namespace
}  // namespace ridge::ncu
