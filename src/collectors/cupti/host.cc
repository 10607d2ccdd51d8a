#include "collectors/cupti/host.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace ridge::collectors::cupti {
namespace {

constexpr abi::MetricType kKinds[] = {abi::kMetricCounter, abi::kMetricRatio, abi::kMetricThroughput};

Error no_such_chip(const Calls& calls, const std::string& chip, Use use, abi::Result result) {
  const std::vector<std::string> known = supported_chips(calls);
  if (std::find(known.begin(), known.end(), chip) != known.end()) {
    return not_available(fmt::format("CUPTI cannot {} the chip {} ({})",
                                     use == Use::kRange ? "replay launches on" : "sample", chip, calls.name(result)),
                         calls.path, "profile with another tier");
  }
  return not_available(
      fmt::format("CUPTI cannot plan counters for the chip \"{}\" ({})", chip, calls.name(result)), calls.path,
      known.empty() ? "see whether libnvperf_host.so of the same version is beside it"
                    : fmt::format("install a CUPTI that knows it; this one knows {}", fmt::join(known, ", ")));
}

}  // namespace

std::vector<const char*> c_names(const std::vector<std::string>& names) {
  std::vector<const char*> result;
  result.reserve(names.size());
  for (const std::string& name : names) result.push_back(name.c_str());
  return result;
}

Result<Host> Host::make(SharedCalls calls, const std::string& chip, Use use) {
  auto params = abi::params<abi::HostInitializeParams>();
  params.profilerType = use == Use::kRange ? abi::kTypeRangeProfiler : abi::kTypePmSampling;
  params.pChipName = chip.c_str();
  const abi::Result result = calls->host_initialise(&params);
  if (result != abi::kSuccess) return fail(no_such_chip(*calls, chip, use, result));
  return Host(std::move(calls), params.pHostObject);
}

Host::Host(Host&& other) noexcept : calls_(std::move(other.calls_)), object_(std::exchange(other.object_, nullptr)) {}

Host& Host::operator=(Host&& other) noexcept {
  std::swap(calls_, other.calls_);
  std::swap(object_, other.object_);
  return *this;
}

Host::~Host() {
  if (object_ == nullptr) return;
  auto params = abi::params<abi::HostDeinitializeParams>();
  params.pHostObject = object_;
  calls_->host_deinitialise(&params);
}

bool Host::has(const std::string& metric) const {
  auto params = abi::params<abi::HostGetMetricPropertiesParams>();
  params.pHostObject = object_;
  params.pMetricName = metric.c_str();
  return calls_->host_properties(&params) == abi::kSuccess;
}

std::vector<std::string> Host::base_metrics() const {
  std::vector<std::string> names;
  for (const abi::MetricType kind : kKinds) {
    auto params = abi::params<abi::HostGetBaseMetricsParams>();
    params.pHostObject = object_;
    params.metricType = kind;
    if (calls_->host_base_metrics(&params) != abi::kSuccess) continue;
    for (std::size_t i = 0; i < params.numMetrics; ++i) names.emplace_back(params.ppMetricNames[i]);
  }
  return names;
}

std::vector<std::string> Host::rollups(const std::string& base) const {
  std::vector<std::string> names;
  auto properties = abi::params<abi::HostGetMetricPropertiesParams>();
  properties.pHostObject = object_;
  properties.pMetricName = base.c_str();
  if (calls_->host_properties(&properties) != abi::kSuccess) return names;
  auto params = abi::params<abi::HostGetSubMetricsParams>();
  params.pHostObject = object_;
  params.pMetricName = base.c_str();
  params.metricType = properties.metricType;
  if (calls_->host_sub_metrics(&params) != abi::kSuccess) return names;
  for (std::size_t i = 0; i < params.numOfSubmetrics; ++i) names.emplace_back(params.ppSubMetrics[i]);
  return names;
}

Result<void> Host::schedule(const std::vector<std::string>& metrics) {
  std::vector<const char*> names = c_names(metrics);
  auto params = abi::params<abi::HostConfigAddMetricsParams>();
  params.pHostObject = object_;
  params.ppMetricNames = names.data();
  params.numMetrics = names.size();
  const abi::Result result = calls_->host_add(&params);
  if (result != abi::kSuccess) return fail(call_failed(*calls_, result, "cuptiProfilerHostConfigAddMetrics"));
  return {};
}

Result<std::string> Host::config_image() const {
  auto size = abi::params<abi::HostGetConfigImageSizeParams>();
  size.pHostObject = object_;
  abi::Result result = calls_->host_image_size(&size);
  if (result != abi::kSuccess) return fail(call_failed(*calls_, result, "cuptiProfilerHostGetConfigImageSize"));
  std::string image(size.configImageSize, '\0');
  auto params = abi::params<abi::HostGetConfigImageParams>();
  params.pHostObject = object_;
  params.configImageSize = image.size();
  params.pConfigImage = reinterpret_cast<std::uint8_t*>(image.data());
  result = calls_->host_image(&params);
  if (result != abi::kSuccess) return fail(call_failed(*calls_, result, "cuptiProfilerHostGetConfigImage"));
  return image;
}

Result<std::size_t> Host::passes(const std::string& config_image) const {
  std::string image = config_image;  // the call takes a pointer to what it may write
  auto params = abi::params<abi::HostGetNumOfPassesParams>();
  params.configImageSize = image.size();
  params.pConfigImage = reinterpret_cast<std::uint8_t*>(image.data());
  const abi::Result result = calls_->host_passes(&params);
  if (result != abi::kSuccess) return fail(call_failed(*calls_, result, "cuptiProfilerHostGetNumOfPasses"));
  return params.numOfPasses;
}

abi::Result Host::evaluate(std::span<const std::uint8_t> image, std::size_t index, std::vector<const char*>& metrics,
                           double* values) const {
  auto params = abi::params<abi::HostEvaluateToGpuValuesParams>();
  params.pHostObject = object_;
  params.pCounterDataImage = image.data();
  params.counterDataImageSize = image.size();
  params.rangeIndex = index;
  params.ppMetricNames = metrics.data();
  params.numMetrics = metrics.size();
  params.pMetricValues = values;
  return calls_->host_evaluate(&params);
}

}  // namespace ridge::collectors::cupti
