#include "collectors/agent/profiler.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>

namespace ridge::collectors::agent {
namespace {

constexpr std::array<abi::Result, 13> kForGood = {abi::kErrorApiNotImplemented,
                                                  abi::kErrorNotSupported,
                                                  abi::kErrorNotCompatible,
                                                  abi::kErrorVirtualizedDeviceNotSupported,
                                                  abi::kErrorInsufficientPrivileges,
                                                  abi::kErrorOldProfilerApiInitialized,
                                                  abi::kErrorVirtualizedDeviceInsufficientPrivileges,
                                                  abi::kErrorConfidentialComputingNotSupported,
                                                  abi::kErrorCmpDeviceNotSupported,
                                                  abi::kErrorMigDeviceNotSupported,
                                                  abi::kErrorSliDeviceNotSupported,
                                                  abi::kErrorWslDeviceNotSupported,
                                                  abi::kErrorInvalidChipName};

constexpr int kAttempts = 15;
constexpr std::chrono::milliseconds kBetweenAttempts{40};

std::uint8_t* bytes_of(std::string& text) {
  return static_cast<std::uint8_t*>(static_cast<void*>(text.data()));
}

const std::uint8_t* bytes_of(const std::string& text) {
  return static_cast<const std::uint8_t*>(static_cast<const void*>(text.data()));
}

}  // namespace

bool ProfilerFailure::for_good() const {
  return std::find(kForGood.begin(), kForGood.end(), code) != kForGood.end();
}

ProfilerOutcome outcome(abi::Result result, const char* call) {
  if (result == abi::kSuccess) return std::nullopt;
  return ProfilerFailure{result, call};
}

ProfilerOutcome enable_profiler(const Cupti& cupti, abi::Context context, abi::RangeProfilerObject*& session) {
  auto params = abi::params<abi::RangeEnableParams>();
  params.ctx = context;
  auto failure = outcome(cupti.range_enable(&params), "cuptiRangeProfilerEnable");
  if (!failure) session = params.pRangeProfilerObject;
  return failure;
}

ProfilerOutcome disable_profiler(const Cupti& cupti, const Driver& driver, abi::Context context,
                                 abi::RangeProfilerObject* session) {
  const CurrentContext current(driver, context);
  auto params = abi::params<abi::RangeDisableParams>();
  params.pRangeProfilerObject = session;
  return outcome(cupti.range_disable(&params), "cuptiRangeProfilerDisable");
}

ProfilerOutcome make_image(const Cupti& cupti, abi::RangeProfilerObject* session,
                           const std::vector<std::string>& metrics, std::size_t ranges, std::uint32_t tree_nodes,
                           std::string& image) {
  std::vector<const char*> names;
  names.reserve(metrics.size());
  for (const auto& metric : metrics) names.push_back(metric.c_str());
  auto size = abi::params<abi::RangeGetCounterDataSizeParams>();
  size.pRangeProfilerObject = session;
  size.pMetricNames = names.data();
  size.numMetrics = names.size();
  size.maxNumOfRanges = ranges;
  size.maxNumRangeTreeNodes = tree_nodes;
  if (auto failed = outcome(cupti.range_get_counter_data_size(&size), "cuptiRangeProfilerGetCounterDataSize")) {
    return failed;
  }
  std::string made(size.counterDataSize, '\0');
  auto initialize = abi::params<abi::RangeCounterDataImageInitializeParams>();
  initialize.pRangeProfilerObject = session;
  initialize.counterDataSize = made.size();
  initialize.pCounterData = bytes_of(made);
  auto failed =
      outcome(cupti.range_counter_data_image_initialize(&initialize), "cuptiRangeProfilerCounterDataImageInitialize");
  if (!failed) image = std::move(made);
  return failed;
}

abi::RangeSetConfigParams config_params(abi::RangeProfilerObject* session, const ProfilerRecipe& recipe,
                                        std::string& image) {
  auto config = abi::params<abi::RangeSetConfigParams>();
  config.pRangeProfilerObject = session;
  config.configSize = recipe.config.size();
  config.pConfig = bytes_of(recipe.config);
  config.counterDataImageSize = image.size();
  config.pCounterDataImage = bytes_of(image);
  config.numNestingLevels = 1;
  config.minNestingLevel = 1;
  return config;
}

ProfilerOutcome start_profiler(const Cupti& cupti, abi::RangeProfilerObject* session) {
  auto params = abi::params<abi::RangeStartParams>();
  params.pRangeProfilerObject = session;
  abi::Result result = cupti.range_start(&params);
  for (int attempt = 1; result == abi::kErrorHardwareBusy && attempt < kAttempts; ++attempt) {
    std::this_thread::sleep_for(kBetweenAttempts);
    result = cupti.range_start(&params);
  }
  return outcome(result, "cuptiRangeProfilerStart");
}

ProfilerOutcome decode_profiler(const Cupti& cupti, abi::RangeProfilerObject* session) {
  auto decode = abi::params<abi::RangeDecodeDataParams>();
  decode.pRangeProfilerObject = session;
  if (auto failed = outcome(cupti.range_decode_data(&decode), "cuptiRangeProfilerDecodeData")) return failed;
  if (decode.numOfRangeDropped != 0) return ProfilerFailure{abi::kErrorUnknown, "a range was dropped while decoding"};
  return std::nullopt;
}

}  // namespace ridge::collectors::agent
