#include "ridgepoint/base/error.h"

#include <gtest/gtest.h>

#include <set>

namespace ridge {
namespace {

constexpr ErrorCode kAll[] = {ErrorCode::kUsage, ErrorCode::kBadInput, ErrorCode::kNotAvailable, ErrorCode::kInternal,
                              ErrorCode::kNotComparable};

TEST(ErrorTest, EachCodeHasItsOwnExitStatusAndName) {
  std::set<int> statuses;
  std::set<std::string_view> names;
  for (const ErrorCode code : kAll) {
    statuses.insert(exit_status(code));
    names.insert(name(code));
  }
  EXPECT_EQ(statuses, (std::set<int>{2, 3, 4, 5, 6}));
  EXPECT_EQ(names.size(), std::size(kAll));
}

TEST(ErrorTest, ReadsAsOneLineOfWhatWhereAndWhatToDo) {
  EXPECT_EQ(to_string(bad_input("the file is empty", "a.csv", "export it again")),
            "the file is empty (a.csv): export it again");
  EXPECT_EQ(to_string(usage_error("no file given", "", "")), "no file given");
}

}  // namespace
}  // namespace ridge
