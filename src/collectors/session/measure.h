// Counters of one replayed launch as a Measurement, in the model's terms and raw.
#pragma once

#include <vector>

#include "collectors/session/backend.h"
#include "collectors/session/tables.h"

namespace ridge::collectors::session {

/// Adds what `more` has: of a counter that both have, a number stays.
void add_counters(std::vector<Counter>& counters, std::vector<Counter> more);

struct Measured {
  Measurement measurement;
  Value<Seconds> duration;  ///< the counter's
};
/// Interns the counters' names in `tables`.
[[nodiscard]] Measured measurement_of(const std::vector<Counter>& counters, const Configuration& configuration,
                                      const wire::DeviceFound& device, std::string_view kernel_name, Tables& tables);

}  // namespace ridge::collectors::session
