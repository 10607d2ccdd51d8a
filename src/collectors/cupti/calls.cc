#include "collectors/cupti/calls.h"

#include <fmt/format.h>

namespace ridge::collectors::cupti {
namespace {

constexpr const char* kRemedy = "install the CUDA toolkit's CUPTI (12.6 or later), or name another with --cupti PATH";

bool find_host_calls(Calls& calls) {
  const Library& library = calls.library;
  return library.find("cuptiGetResultString", calls.result_string) &&
         library.find("cuptiGetTimestamp", calls.timestamp) &&
         library.find("cuptiProfilerInitialize", calls.initialise) &&
         library.find("cuptiProfilerDeviceSupported", calls.device_supported) &&
         library.find("cuptiDeviceGetChipName", calls.chip_name) &&
         library.find("cuptiProfilerHostInitialize", calls.host_initialise) &&
         library.find("cuptiProfilerHostDeinitialize", calls.host_deinitialise) &&
         library.find("cuptiProfilerHostGetSupportedChips", calls.host_chips) &&
         library.find("cuptiProfilerHostGetBaseMetrics", calls.host_base_metrics) &&
         library.find("cuptiProfilerHostGetSubMetrics", calls.host_sub_metrics) &&
         library.find("cuptiProfilerHostGetMetricProperties", calls.host_properties) &&
         library.find("cuptiProfilerHostConfigAddMetrics", calls.host_add) &&
         library.find("cuptiProfilerHostGetConfigImageSize", calls.host_image_size) &&
         library.find("cuptiProfilerHostGetConfigImage", calls.host_image) &&
         library.find("cuptiProfilerHostGetNumOfPasses", calls.host_passes) &&
         library.find("cuptiProfilerHostEvaluateToGpuValues", calls.host_evaluate) &&
         library.find("cuptiRangeProfilerGetCounterDataInfo", calls.range_info);
}

void find_sampling_calls(Calls& calls) {
  const Library& library = calls.library;
  const bool all = library.find("cuptiPmSamplingEnable", calls.pm_enable) &&
                   library.find("cuptiPmSamplingDisable", calls.pm_disable) &&
                   library.find("cuptiPmSamplingSetConfig", calls.pm_configure) &&
                   library.find("cuptiPmSamplingStart", calls.pm_start) &&
                   library.find("cuptiPmSamplingStop", calls.pm_stop) &&
                   library.find("cuptiPmSamplingDecodeData", calls.pm_decode) &&
                   library.find("cuptiPmSamplingGetCounterDataSize", calls.pm_image_size) &&
                   library.find("cuptiPmSamplingCounterDataImageInitialize", calls.pm_clear) &&
                   library.find("cuptiPmSamplingGetCounterDataInfo", calls.pm_info) &&
                   library.find("cuptiPmSamplingCounterDataGetSampleInfo", calls.pm_sample);
  if (!all) calls.pm_sample = nullptr;
}

}  // namespace

std::string Calls::name(abi::Result result) const {
  const char* text = nullptr;
  if (result_string != nullptr && result_string(result, &text) == abi::kSuccess && text != nullptr) return text;
  return fmt::format("CUPTI error {}", result);
}

Result<SharedCalls> open_calls(const std::string& path) {
  const auto calls = std::make_shared<Calls>();
  // CUPTI asks the loader for its helper by name: with it loaded already, it gets the one that it was made with.
  // Whether one is needed and was found shows in supported_chips().
  const std::string helper = path.substr(0, path.rfind('/') + 1) + "libnvperf_host.so";
  const auto nvperf = Library::open({helper.c_str()}, kRemedy);
  auto library = Library::open({path.c_str()}, kRemedy);
  if (!library) return fail(library.error());
  if (nvperf) calls->nvperf = *nvperf;
  calls->library = *library;
  calls->path = path;
  abi::GetVersion* version = nullptr;
  if (!calls->library.find("cuptiGetVersion", version) || version(&calls->version) != abi::kSuccess) {
    return fail(not_available("the library does not tell its version, so it is not CUPTI", path, kRemedy));
  }
  if (!find_host_calls(*calls)) {
    return fail(
        not_available(fmt::format("CUPTI {} is too old: it lacks the range profiler", calls->version), path, kRemedy));
  }
  find_sampling_calls(*calls);
  return SharedCalls(calls);
}

std::vector<std::string> supported_chips(const Calls& calls) {
  auto params = abi::params<abi::HostGetSupportedChipsParams>();
  std::vector<std::string> chips;
  if (calls.host_chips(&params) != abi::kSuccess) return chips;
  for (std::size_t i = 0; i < params.numChips; ++i) chips.emplace_back(params.ppChipNames[i]);
  return chips;
}

Error call_failed(const Calls& calls, abi::Result result, const char* call) {
  return not_available(fmt::format("CUPTI says {} to {}", calls.name(result), call), calls.path,
                       "run ridge doctor to see what works here");
}

}  // namespace ridge::collectors::cupti
