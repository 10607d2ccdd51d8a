// From what the counters of a replayed launch hold to numbers, and from these to a Measurement through the model's one
// conversion.
//
// Values that were not collected (NaN, or negative where nothing can be) are missing with a reason. The duration is the
// counter's (gpu__time_duration): a replayed launch has no times of its own.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/cupti/host.h"
#include "collectors/wire/messages.h"
#include "model/metric/nvidia.h"
#include "ridgepoint/base/result.h"

namespace ridge::collectors::cupti {

/// Evaluates images of one setup. Not for two threads at once.
class Evaluator {
 public:
  [[nodiscard]] static Result<Evaluator> make(const SharedCalls& calls, const std::string& chip,
                                              const wire::CounterSetup& setup);

  /// One value a metric of the setup, as the library gives them (nanoseconds, bytes, hertz; shares as per cent); NaN:
  /// not collected. An image that is damaged or empty is an error.
  [[nodiscard]] Result<std::vector<double>> values(std::string_view image) const;
  [[nodiscard]] const std::vector<std::string>& metrics() const { return metrics_; }

 private:
  Evaluator(Host host, std::vector<std::string> metrics) : host_(std::move(host)), metrics_(std::move(metrics)) {}

  Host host_;
  std::vector<std::string> metrics_;
};

/// Index of a metric in Profile::metrics, added if it is new.
using MetricIndex = std::function<std::uint32_t(const std::string& name, const std::string& unit)>;

struct EvaluatedLaunch {
  Measurement measurement;
  Value<Seconds> duration;
  std::size_t not_collected = 0;  ///< values that were no numbers
};

/// `values` as Evaluator gives them; `facts.duration` is not read: the counters say it.
[[nodiscard]] EvaluatedLaunch measurement_of_values(std::span<const std::string> metrics,
                                                    std::span<const double> values, LaunchFacts facts,
                                                    const MetricIndex& index);

}  // namespace ridge::collectors::cupti
