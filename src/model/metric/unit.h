// Units of NVIDIA counters that come without one (.ncu-rep containers, CUPTI): the vendor's base units, which differ
// from SI only for times (nanoseconds). Not here: units that a recording states (importers).
#pragma once

#include <string>
#include <string_view>

namespace ridge {

struct MetricUnit {
  std::string name;   ///< SI base unit: "byte", "byte/s", "s", "hz", "%", "inst/cycle", or empty
  double factor = 1;  ///< stated value x factor = value in `name`
};

/// From the metric's name. `name` is empty where that does not tell.
[[nodiscard]] MetricUnit unit_of_metric(std::string_view metric);

}  // namespace ridge
