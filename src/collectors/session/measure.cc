#include "collectors/session/measure.h"

#include <algorithm>
#include <cmath>

#include "collectors/cupti/evaluate.h"

namespace ridge::collectors::session {

void add_counters(std::vector<Counter>& counters, std::vector<Counter> more) {
  for (Counter& counter : more) {
    const auto found = std::find_if(counters.begin(), counters.end(),
                                    [&](const Counter& known) { return known.name == counter.name; });
    if (found == counters.end()) {
      counters.push_back(std::move(counter));
    } else if (std::isnan(found->value)) {
      found->value = counter.value;
    }
  }
}

Measured measurement_of(const std::vector<Counter>& counters, const Configuration& configuration,
                        const wire::DeviceFound& device, std::string_view kernel_name, Tables& tables) {
  std::vector<std::string> names;
  std::vector<double> values;
  for (const Counter& counter : counters) {
    names.push_back(counter.name);
    values.push_back(counter.value);
  }
  LaunchFacts facts;
  facts.capability_major = static_cast<int>(device.capability / 10);
  facts.capability_minor = static_cast<int>(device.capability % 10);
  facts.configuration = configuration;
  facts.kernel_name = kernel_name;
  const auto intern = [&](const std::string& name, const std::string& unit) { return tables.metric(name, unit); };
  cupti::EvaluatedLaunch evaluated = cupti::measurement_of_values(names, values, facts, intern);
  return {std::move(evaluated.measurement), evaluated.duration};
}

}  // namespace ridge::collectors::session
