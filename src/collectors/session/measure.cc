#include "collectors/session/measure.h"

#include <algorithm>
#include <cmath>

#include "model/metric/nvidia.h"

namespace ridge::collectors::session {
namespace {

constexpr std::string_view kDuration = "gpu__time_duration.sum";

class Reader final : public CounterReader {
 public:
  explicit Reader(const std::vector<Counter>& counters) : counters_(counters) {}
  [[nodiscard]] Value<double> get(std::string_view name) const override {
    const auto found =
        std::find_if(counters_.begin(), counters_.end(), [&](const Counter& counter) { return counter.name == name; });
    if (found == counters_.end()) return {};
    if (std::isnan(found->value)) return Value<double>::missing("the counter gave no number");
    return Value<double>(found->value, Provenance::kMeasured);
  }

 private:
  const std::vector<Counter>& counters_;
};

}  // namespace

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
  const Reader reader(counters);
  LaunchFacts facts;
  facts.capability_major = static_cast<int>(device.capability / 10);
  facts.capability_minor = static_cast<int>(device.capability % 10);
  facts.configuration = configuration;
  facts.duration = transform(reader.get(kDuration), [](double seconds) { return Seconds(seconds); });
  facts.kernel_name = kernel_name;
  Measured result;
  result.duration = facts.duration;
  result.measurement = measurement_from_nvidia(reader, facts);
  for (const Counter& counter : counters) {
    if (std::isnan(counter.value)) continue;
    result.measurement.raw.push_back({tables.metric(counter.name, counter.unit), counter.value});
  }
  std::sort(result.measurement.raw.begin(), result.measurement.raw.end(),
            [](const RawMetric& a, const RawMetric& b) { return a.metric < b.metric; });
  return result;
}

}  // namespace ridge::collectors::session
