// From NVIDIA counters to a Measurement: the one place that knows which counter means what on which chip. Used by every
// producer that has such counters, whatever file or library they came from.
#pragma once

#include <string_view>

#include "ridgepoint/model/profile.h"

namespace ridge {

/// Counters of one launch by their vendor name ("dram__bytes_read.sum"), in SI base units (bytes, seconds, hertz; per
/// cent as 0..100 like the source). A counter that is absent or was not a number is missing with its reason.
class CounterReader {
 public:
  virtual ~CounterReader() = default;
  [[nodiscard]] virtual Value<double> get(std::string_view name) const = 0;
};

/// Attributes needed beside the counters.
struct LaunchFacts {
  int capability_major = 0, capability_minor = 0;  ///< 0.0 when unknown
  Configuration configuration;
  Value<Seconds> duration;
  std::string_view kernel_name;  ///< only to tell that tensor cores were used when no counter says so
};

/// Work, execution and conditions; `raw` and `hot_lines` are left to the caller.
[[nodiscard]] Measurement measurement_from_nvidia(const CounterReader& counters, const LaunchFacts& facts);

}  // namespace ridge
