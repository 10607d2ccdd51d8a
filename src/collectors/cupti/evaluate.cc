#include "collectors/cupti/evaluate.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "model/metric/unit.h"

namespace ridge::collectors::cupti {
namespace {

constexpr std::string_view kDuration = "gpu__time_duration.sum";

/// In SI base units.
class ValueReader : public CounterReader {
 public:
  ValueReader(std::span<const std::string> metrics, std::span<const double> values) {
    for (std::size_t i = 0; i < metrics.size() && i < values.size(); ++i) values_.emplace(metrics[i], values[i]);
  }
  [[nodiscard]] Value<double> get(std::string_view name) const override {
    const auto found = values_.find(name);
    if (found == values_.end()) return {};
    if (!std::isfinite(found->second)) return Value<double>::missing("the counter was not collected in every pass");
    if (found->second < 0) return Value<double>::missing("the counter was negative");
    return {found->second * unit_of_metric(name).factor, Provenance::kMeasured};
  }

 private:
  std::unordered_map<std::string_view, double> values_;
};

}  // namespace

Result<Evaluator> Evaluator::make(const SharedCalls& calls, const std::string& chip, const wire::CounterSetup& setup) {
  auto host = Host::make(calls, chip, Use::kRange);
  if (!host) return fail(host.error());
  RIDGE_TRY(host->schedule(setup.metrics));
  return Evaluator(std::move(*host), setup.metrics);
}

Result<std::vector<double>> Evaluator::values(std::string_view image) const {
  auto info = abi::params<abi::RangeGetCounterDataInfoParams>();
  info.pCounterDataImage = reinterpret_cast<const std::uint8_t*>(image.data());
  info.counterDataImageSize = image.size();
  const Calls& calls = host_.calls();
  abi::Result result = calls.range_info(&info);
  if (result != abi::kSuccess) return fail(call_failed(calls, result, "cuptiRangeProfilerGetCounterDataInfo"));
  if (info.numTotalRanges == 0) {
    return fail(not_available("the replay of a launch left no counters", calls.path, "profile with --tier sampling"));
  }
  std::vector<double> values(metrics_.size());
  std::vector<const char*> names = c_names(metrics_);
  result = host_.evaluate({info.pCounterDataImage, image.size()}, 0, names, values.data());
  if (result != abi::kSuccess) return fail(call_failed(calls, result, "cuptiProfilerHostEvaluateToGpuValues"));
  return values;
}

EvaluatedLaunch measurement_of_values(std::span<const std::string> metrics, std::span<const double> values,
                                      LaunchFacts facts, const MetricIndex& index) {
  const ValueReader reader(metrics, values);
  EvaluatedLaunch result;
  result.duration = transform(reader.get(kDuration), [](double seconds) { return Seconds(seconds); });
  facts.duration = result.duration;
  result.measurement = measurement_from_nvidia(reader, facts);
  std::vector<RawMetric>& raw = result.measurement.raw;
  for (std::size_t i = 0; i < metrics.size() && i < values.size(); ++i) {
    if (!std::isfinite(values[i])) {
      ++result.not_collected;
      continue;
    }
    const MetricUnit unit = unit_of_metric(metrics[i]);
    raw.push_back({index(metrics[i], unit.name), values[i] * unit.factor});
  }
  std::sort(raw.begin(), raw.end(), [](const RawMetric& a, const RawMetric& b) { return a.metric < b.metric; });
  return result;
}

}  // namespace ridge::collectors::cupti
