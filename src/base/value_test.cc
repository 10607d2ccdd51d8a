#include "ridgepoint/base/value.h"

#include <gtest/gtest.h>

#include "ridgepoint/base/units.h"

namespace ridge {
namespace {

TEST(ValueTest, MissingIsNotZero) {
  const Value<Bytes> unknown = Value<Bytes>::missing("nan in the report");
  EXPECT_FALSE(unknown.has_value());
  EXPECT_EQ(unknown.reason().text(), "nan in the report");
  EXPECT_NE(unknown, (Value<Bytes>(Bytes(0), Provenance::kMeasured)));
}

TEST(ValueTest, DefaultSaysNotCollected) {
  EXPECT_EQ(Value<double>().reason().text(), "not collected");
  EXPECT_EQ(Reason("not collected"), Reason());
}

TEST(ValueTest, SumOfMissingKeepsTheReason) {
  const Value<Bytes> a(Bytes(3), Provenance::kMeasured);
  const auto sum = a + Value<Bytes>::missing("no DRAM counters on this chip");
  EXPECT_FALSE(sum.has_value());
  EXPECT_EQ(sum.reason().text(), "no DRAM counters on this chip");
}

TEST(ValueTest, ResultIsOnlyAsGoodAsItsWeakestOperand) {
  const Value<Flops> work(Flops(8), Provenance::kDeclared);
  const Value<Bytes> bytes(Bytes(2), Provenance::kMeasured);
  const auto intensity = work / bytes;
  ASSERT_TRUE(intensity.has_value());
  EXPECT_EQ(*intensity, FlopsPerByte(4));
  EXPECT_EQ(intensity.provenance(), Provenance::kDeclared);
}

TEST(ValueTest, DivisionByZeroIsMissing) {
  const Value<Flops> work(Flops(8), Provenance::kMeasured);
  const auto intensity = work / Value<Bytes>(Bytes(0), Provenance::kMeasured);
  EXPECT_FALSE(intensity.has_value());
  EXPECT_EQ(intensity.reason().text(), "divided by zero");
}

}  // namespace
}  // namespace ridge
