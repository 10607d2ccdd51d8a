// Ranges that a program marked or measured, summed up by name for the recording's facts: what a person sees of them
// without asking for every single one.
//
// A figure that one of a name's ranges lacks is left out of that name's line: a part of a sum is no sum.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "collectors/session/backend.h"

namespace ridge::collectors::session {

/// What counters of wire::kRangeRecipe say. Counters that are not numbers are left out, and so are those of other names
/// (a recipe of the user's may add some).
[[nodiscard]] wire::RangeValues range_values(std::uint32_t id, const std::vector<Counter>& counters);
/// Read and written; missing if one of them is not known.
[[nodiscard]] Value<Bytes> dram_bytes(const wire::RangeValues& values);

class RangeTotals {
 public:
  void add(const std::string& name, Nanoseconds took);
  void add(const std::string& name, const wire::RangeMeasured& range, const wire::RangeValues& values);
  /// "range forward" -> "20 times, 0.21 s; ...", the longest in sum first, and not more than a page of them.
  void tell(Recording& recording) const;

 private:
  struct Total {
    std::uint64_t count = 0, kernels_known = 0, bytes_known = 0, instructions_known = 0;
    std::uint64_t launches = 0, instructions = 0;
    Nanoseconds time = 0, kernel_time = 0;
    double read = 0, written = 0;
  };
  [[nodiscard]] static std::string text(const Total& total);

  std::map<std::string, Total> totals_;
};

}  // namespace ridge::collectors::session
