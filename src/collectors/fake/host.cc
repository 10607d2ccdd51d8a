// CUPTI's host profiler: metrics, config images and values, for which no GPU is needed.
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>

#include "collectors/fake/export.h"
#include "collectors/fake/lasting.h"
#include "collectors/fake/metrics.h"
#include "collectors/fake/profiler_common.h"

namespace ridge::collectors::fake {
namespace {

struct Host {
  bool sampling = false;
  std::vector<std::string> metrics;
};

struct Hosts {
  std::mutex mutex;
  std::vector<std::unique_ptr<Host>> all;
};

Hosts& hosts() {
  return lasting<Hosts>();
}

/// With the mutex held. nullptr: no such object.
Host* find(const abi::HostObject* object) {
  for (const auto& one : hosts().all) {
    if (static_cast<const void*>(one.get()) == object) return one.get();
  }
  return nullptr;
}

bool class_of(abi::MetricType type, MetricClass& metric) {
  if (type < 0 || type >= abi::kMetricTypeCount) return false;
  metric = static_cast<MetricClass>(type);
  return true;
}

/// A name with or without a form; false: the chip has no such metric.
bool known(const char* text, bool sampling, MetricName& name) {
  if (text == nullptr) return false;
  if (parse_metric(text, sampling, name)) return true;
  const std::string_view base(text);
  for (const MetricClass type : {MetricClass::kCounter, MetricClass::kRatio, MetricClass::kThroughput}) {
    for (const char* one : base_metrics(type, sampling)) {
      if (base != one) continue;
      name = {base, {}, {}, type};
      return true;
    }
  }
  return false;
}

Config config_of(const Host& host) {
  return {host.sampling, static_cast<std::uint32_t>(passes_of(host.metrics)), host.metrics};
}

const char* dimension(std::string_view base) {
  if (base.find("bytes") != std::string_view::npos) return "byte";
  if (base.find("time_") != std::string_view::npos) return "nanosecond";
  if (base.find("cycles") != std::string_view::npos) return "cycle";
  return base.find("inst") != std::string_view::npos ? "inst" : "";
}

}  // namespace

std::atomic<bool>& profiler_initialised() {
  static std::atomic<bool> is{false};
  return is;
}

// NOLINTBEGIN(readability-identifier-naming): the vendor's names
RIDGE_FAKE_EXPORT abi::Result cuptiProfilerInitialize(abi::ProfilerInitializeParams* params) {
  if (!valid(params)) return abi::kErrorInvalidParameter;
  if (world() == nullptr) return abi::kErrorUnknown;
  profiler_initialised().store(true);
  return abi::kSuccess;
}
RIDGE_FAKE_EXPORT abi::Result cuptiProfilerDeInitialize(abi::ProfilerInitializeParams* params) {
  if (!valid(params)) return abi::kErrorInvalidParameter;
  profiler_initialised().store(false);
  return abi::kSuccess;
}

RIDGE_FAKE_EXPORT abi::Result cuptiDeviceGetChipName(abi::DeviceGetChipNameParams* params) {
  if (!valid(params)) return abi::kErrorInvalidParameter;
  if (world() == nullptr) return abi::kErrorNotInitialized;
  if (params->deviceIndex >= world()->script.devices.size()) return abi::kErrorInvalidDevice;
  params->pChipName = world()->script.devices[params->deviceIndex].chip.c_str();
  return abi::kSuccess;
}

RIDGE_FAKE_EXPORT abi::Result cuptiProfilerDeviceSupported(abi::DeviceSupportedParams* params) {
  if (!valid(params)) return abi::kErrorInvalidParameter;
  if (world() == nullptr || !profiler_initialised()) return abi::kErrorNotInitialized;
  if (params->cuDevice < 0 || static_cast<std::size_t>(params->cuDevice) >= world()->script.devices.size()) {
    return abi::kErrorInvalidDevice;
  }
  params->isSupported = params->architecture = params->sli = params->vGpu = abi::kSupportSupported;
  params->confidentialCompute = params->cmp = params->wsl = abi::kSupportSupported;
  return abi::kSuccess;
}

RIDGE_FAKE_EXPORT abi::Result cuptiProfilerHostGetSupportedChips(abi::HostGetSupportedChipsParams* params) {
  static const char* const kChips[] = {"GH100"};
  if (!valid(params)) return abi::kErrorInvalidParameter;
  params->numChips = std::size(kChips);
  params->ppChipNames = kChips;
  return abi::kSuccess;
}

RIDGE_FAKE_EXPORT abi::Result cuptiProfilerHostInitialize(abi::HostInitializeParams* params) {
  if (!valid(params) || params->pChipName == nullptr) return abi::kErrorInvalidParameter;
  if (!knows_chip(params->pChipName)) return abi::kErrorInvalidChipName;
  Hosts& here = hosts();
  const std::lock_guard lock(here.mutex);
  here.all.push_back(std::make_unique<Host>());
  here.all.back()->sampling = params->profilerType == abi::kTypePmSampling;
  params->pHostObject = reinterpret_cast<abi::HostObject*>(here.all.back().get());
  return abi::kSuccess;
}

RIDGE_FAKE_EXPORT abi::Result cuptiProfilerHostDeinitialize(abi::HostDeinitializeParams* params) {
  if (!valid(params)) return abi::kErrorInvalidParameter;
  Hosts& here = hosts();
  const std::lock_guard lock(here.mutex);
  const Host* const host = find(params->pHostObject);
  if (host == nullptr) return abi::kErrorInvalidParameter;
  std::erase_if(here.all, [&](const auto& one) { return one.get() == host; });
  return abi::kSuccess;
}

RIDGE_FAKE_EXPORT abi::Result cuptiProfilerHostGetBaseMetrics(abi::HostGetBaseMetricsParams* params) {
  MetricClass type{};
  if (!valid(params) || !class_of(params->metricType, type)) return abi::kErrorInvalidParameter;
  const std::lock_guard lock(hosts().mutex);
  const Host* const host = find(params->pHostObject);
  if (host == nullptr) return abi::kErrorInvalidParameter;
  const std::vector<const char*>& names = base_metrics(type, host->sampling);
  params->ppMetricNames = const_cast<const char**>(names.data());  // the vendor's declaration; nobody writes to it
  params->numMetrics = names.size();
  return abi::kSuccess;
}

RIDGE_FAKE_EXPORT abi::Result cuptiProfilerHostGetSubMetrics(abi::HostGetSubMetricsParams* params) {
  if (!valid(params)) return abi::kErrorInvalidParameter;
  const std::lock_guard lock(hosts().mutex);
  const Host* const host = find(params->pHostObject);
  if (host == nullptr) return abi::kErrorInvalidParameter;
  MetricName name;
  if (!known(params->pMetricName, host->sampling, name)) return abi::kErrorInvalidMetricName;
  const std::vector<const char*>& all = forms(name.type);
  params->ppSubMetrics = const_cast<const char**>(all.data());  // as above
  params->numOfSubmetrics = all.size();
  return abi::kSuccess;
}

RIDGE_FAKE_EXPORT abi::Result cuptiProfilerHostGetMetricProperties(abi::HostGetMetricPropertiesParams* params) {
  static thread_local std::string unit;
  if (!valid(params)) return abi::kErrorInvalidParameter;
  const std::lock_guard lock(hosts().mutex);
  const Host* const host = find(params->pHostObject);
  if (host == nullptr) return abi::kErrorInvalidParameter;
  MetricName name;
  if (!known(params->pMetricName, host->sampling, name)) return abi::kErrorInvalidMetricName;
  unit = name.base.substr(0, name.base.find("__"));
  params->pDescription = "a metric of the fake GPU";
  params->pHwUnit = unit.c_str();
  params->pDimUnit = dimension(name.base);
  params->metricType = static_cast<abi::MetricType>(name.type);
  return abi::kSuccess;
}

RIDGE_FAKE_EXPORT abi::Result cuptiProfilerHostConfigAddMetrics(abi::HostConfigAddMetricsParams* params) {
  if (!valid(params) || params->numMetrics == 0) return abi::kErrorInvalidParameter;
  const std::lock_guard lock(hosts().mutex);
  Host* const host = find(params->pHostObject);
  if (host == nullptr) return abi::kErrorInvalidParameter;
  const auto names = names_of(params->ppMetricNames, params->numMetrics);
  MetricName name;
  for (const std::string& text : names) {
    // What CUPTI 13.0 says to a name that it does not know, or that has no form.
    if (!parse_metric(text, host->sampling, name)) return abi::kErrorInvalidParameter;
  }
  host->metrics.insert(host->metrics.end(), names.begin(), names.end());
  return abi::kSuccess;
}

RIDGE_FAKE_EXPORT abi::Result cuptiProfilerHostGetConfigImageSize(abi::HostGetConfigImageSizeParams* params) {
  if (!valid(params)) return abi::kErrorInvalidParameter;
  const std::lock_guard lock(hosts().mutex);
  const Host* const host = find(params->pHostObject);
  if (host == nullptr) return abi::kErrorInvalidParameter;
  if (host->metrics.empty()) return abi::kErrorUnknown;
  params->configImageSize = write_config(config_of(*host)).size();
  return abi::kSuccess;
}

RIDGE_FAKE_EXPORT abi::Result cuptiProfilerHostGetConfigImage(abi::HostGetConfigImageParams* params) {
  if (!valid(params) || params->pConfigImage == nullptr) return abi::kErrorInvalidParameter;
  const std::lock_guard lock(hosts().mutex);
  const Host* const host = find(params->pHostObject);
  if (host == nullptr) return abi::kErrorInvalidParameter;
  if (host->metrics.empty()) return abi::kErrorUnknown;
  const std::string image = write_config(config_of(*host));
  if (params->configImageSize < image.size()) return abi::kErrorInvalidParameter;
  std::copy(image.begin(), image.end(), params->pConfigImage);
  return abi::kSuccess;
}

RIDGE_FAKE_EXPORT abi::Result cuptiProfilerHostGetNumOfPasses(abi::HostGetNumOfPassesParams* params) {
  if (!valid(params) || params->pConfigImage == nullptr) return abi::kErrorInvalidParameter;
  const auto config = read_config({params->pConfigImage, params->configImageSize});
  if (!config) return abi::kErrorInvalidParameter;
  params->numOfPasses = config->passes;
  return abi::kSuccess;
}

RIDGE_FAKE_EXPORT abi::Result cuptiProfilerHostEvaluateToGpuValues(abi::HostEvaluateToGpuValuesParams* params) {
  if (!valid(params) || params->ppMetricNames == nullptr || params->pMetricValues == nullptr || world() == nullptr) {
    return abi::kErrorInvalidParameter;
  }
  // Only read: the image is the caller's, and const there.
  const auto image =
      CounterImage::open(const_cast<std::uint8_t*>(params->pCounterDataImage), params->counterDataImageSize);
  if (!image || params->rangeIndex >= image->filled() || image->device() >= world()->script.devices.size()) {
    return abi::kErrorInvalidParameter;
  }
  const CounterImage::Record record = image->record(params->rangeIndex);
  const Window window{static_cast<double>(record.end - record.start) * 1e-9, record.active};
  for (std::size_t i = 0; i < params->numMetrics; ++i) {
    MetricName name;
    if (params->ppMetricNames[i] == nullptr || !parse_metric(params->ppMetricNames[i], false, name)) {
      return abi::kErrorInvalidMetricName;
    }
    params->pMetricValues[i] = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t base = 0; base < image->bases().size(); ++base) {
      if (image->bases()[base] != name.base) continue;
      const double amount = image->amount(params->rangeIndex, base);
      params->pMetricValues[i] = form_value(name, amount, window, world()->script.devices[image->device()]);
    }
  }
  return abi::kSuccess;
}

// NOLINTEND(readability-identifier-naming)

}  // namespace ridge::collectors::fake
