#include "ridgepoint/model/work.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace ridge {
namespace {

TEST(WorkTest, FieldPathsAreUnique) {
  std::set<std::string_view> paths;
  int fields = 0;
  Work work;
  visit_fields(
      [&](std::string_view path, auto&) {
        paths.insert(path);
        ++fields;
      },
      work);
  EXPECT_EQ(static_cast<int>(paths.size()), fields);
  EXPECT_GT(fields, 30);
  EXPECT_EQ(fields, static_cast<int>(kWorkFields));
}

TEST(WorkTest, SumAddsFieldsAndKeepsMissingOnesMissing) {
  Work a, b;
  a.bytes.dram = {Bytes(10), Provenance::kMeasured};
  b.bytes.dram = {Bytes(5), Provenance::kMeasured};
  a.bytes.l2 = {Bytes(7), Provenance::kMeasured};
  b.bytes.l2 = Value<Bytes>::missing("nan in the report");
  Work sum = a;
  sum += b;
  EXPECT_EQ(*sum.bytes.dram, Bytes(15));
  EXPECT_FALSE(sum.bytes.l2.has_value());
  EXPECT_EQ(sum.bytes.l2.reason().text(), "nan in the report");
}

TEST(WorkTest, ComputePartsAreMatchedByKey) {
  Work a, b;
  a.compute = {{core(DataType::kFp32), {Flops(2), Provenance::kMeasured}}};
  b.compute = {{tensor(DataType::kBf16, TensorPath::kWgmma), {Flops(8), Provenance::kMeasured}},
               {core(DataType::kFp32), {Flops(3), Provenance::kMeasured}}};
  Work sum = a;
  sum += b;
  ASSERT_EQ(sum.compute.size(), 2u);
  EXPECT_EQ(*sum.compute[0].amount, Flops(5));
  EXPECT_EQ(*sum.compute[1].amount, Flops(8));
}

}  // namespace
}  // namespace ridge
