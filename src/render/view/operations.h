// Integer work of tensor units. It is no FLOP and stands in no FLOP total, yet it is what an int8 matrix product does:
// for people its amount, rate and intensity are shown in operations (OP, OP/s, OP/B) where FLOP would say nothing. Not
// here: integer instructions of ordinary cores, which are addresses and counters for the most part.
#pragma once

#include <optional>
#include <string>

#include "ridgepoint/analysis/report.h"

namespace ridge::render {

struct IntegerWork {
  Value<Flops> amount;
  Value<FlopsPerSecond> speed;
  Value<FlopsPerByte> dram, l2, l1;
};
/// Of a kernel that does more integer operations on tensor units than FLOP; none of any other.
[[nodiscard]] std::optional<IntegerWork> integer_work(const ReportKernel& kernel);

/// "137.4 GFLOP" -> "137.4 GOP", "FLOP/s" -> "OP/s".
[[nodiscard]] std::string as_operations(std::string text);
/// A rate of the ceiling or work named `resource`: in OP/s for integer types.
[[nodiscard]] std::string compute_rate_text(std::string_view resource, double per_second);
/// "850.6 FLOP/B" or "850.6 OP/B".
[[nodiscard]] std::string intensity_of(std::string_view resource, double per_byte);

}  // namespace ridge::render
