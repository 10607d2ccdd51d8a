#include "collectors/agent/counters.h"

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

Counters::Outcome outcome(abi::Result result, const char* call) {
  if (result == abi::kSuccess) return std::nullopt;
  return Counters::Failure{result, call};
}

std::uint8_t* bytes_of(std::string& text) {
  return static_cast<std::uint8_t*>(static_cast<void*>(text.data()));
}

const std::uint8_t* bytes_of(const std::string& text) {
  return static_cast<const std::uint8_t*>(static_cast<const void*>(text.data()));
}

// A context made current for a while, on a thread where another one or none is.
class Current {
 public:
  Current(const Driver& driver, abi::Context context) : driver_(driver) {
    pushed_ = driver.push_context != nullptr && driver.pop_context != nullptr && driver.push_context(context) == 0;
  }
  ~Current() {
    abi::Context popped = nullptr;
    if (pushed_) driver_.pop_context(&popped);
  }
  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;

 private:
  const Driver& driver_;
  bool pushed_ = false;
};

}  // namespace

bool Counters::Failure::for_good() const {
  return std::find(kForGood.begin(), kForGood.end(), code) != kForGood.end();
}

void Counters::add_recipe(const wire::CounterSetup& setup) {
  auto recipe = std::make_shared<Recipe>();
  recipe->metrics = setup.metrics;
  recipe->config = setup.config_image;
  const std::lock_guard lock(recipes_mutex_);
  recipes_[{setup.device, setup.recipe}] = std::move(recipe);
}

std::shared_ptr<const Counters::Recipe> Counters::find(Place place) {
  const std::lock_guard lock(recipes_mutex_);
  const auto known = recipes_.find(place);
  return known == recipes_.end() ? nullptr : known->second;
}

Counters::Outcome Counters::initialise() {
  if (initialised_) return std::nullopt;
  if (!cupti_.can_count()) return Failure{abi::kErrorApiNotImplemented, "the range profiler of " + cupti_.path};
  auto params = abi::params<abi::ProfilerInitializeParams>();
  auto failure = outcome(cupti_.profiler_initialize(&params), "cuptiProfilerInitialize");
  initialised_ = !failure;
  return failure;
}

Counters::Outcome Counters::enable(abi::Context context) {
  if (sessions_.contains(context)) return std::nullopt;
  auto params = abi::params<abi::RangeEnableParams>();
  params.ctx = context;
  auto failure = outcome(cupti_.range_enable(&params), "cuptiRangeProfilerEnable");
  if (!failure) sessions_[context].object = params.pRangeProfilerObject;
  return failure;
}

Counters::Outcome Counters::enable_for(abi::Context context, std::uint32_t recipe) {
  const auto known = sessions_.find(context);
  if (known == sessions_.end() || !known->second.recipe) return enable(context);
  Session& session = known->second;
  if (*session.recipe == recipe) {
    session.lent = false;
    return std::nullopt;
  }
  if (recipe == 0 && !session.lent) {
    session.lent = true;
    return std::nullopt;
  }
  auto failed = disable(context, session.object);
  sessions_.erase(known);
  if (failed) return failed;
  return enable(context);
}

Counters::Outcome Counters::prepare_image(Place place, const Recipe& recipe, abi::RangeProfilerObject* session) {
  if (pristine_.contains(place)) return std::nullopt;
  std::vector<const char*> names;
  names.reserve(recipe.metrics.size());
  for (const auto& metric : recipe.metrics) names.push_back(metric.c_str());
  auto size = abi::params<abi::RangeGetCounterDataSizeParams>();
  size.pRangeProfilerObject = session;
  size.pMetricNames = names.data();
  size.numMetrics = names.size();
  size.maxNumOfRanges = 1;
  size.maxNumRangeTreeNodes = 1;
  if (auto failed = outcome(cupti_.range_get_counter_data_size(&size), "cuptiRangeProfilerGetCounterDataSize")) {
    return failed;
  }
  std::string image(size.counterDataSize, '\0');
  auto initialize = abi::params<abi::RangeCounterDataImageInitializeParams>();
  initialize.pRangeProfilerObject = session;
  initialize.counterDataSize = image.size();
  initialize.pCounterData = bytes_of(image);
  auto failed =
      outcome(cupti_.range_counter_data_image_initialize(&initialize), "cuptiRangeProfilerCounterDataImageInitialize");
  if (!failed) pristine_[place] = std::move(image);
  return failed;
}

Counters::Outcome Counters::begin(abi::Context context, std::uint32_t device, std::uint32_t recipe) {
  const Place place{device, recipe};
  recipe_ = find(place);
  if (!recipe_) return Failure{abi::kErrorInvalidParameter, "a recipe that was not set up"};
  if (auto failed = initialise()) return failed;
  if (auto failed = enable_for(context, recipe)) return failed;
  auto* const session = sessions_[context].object;
  if (auto failed = prepare_image(place, *recipe_, session)) return failed;
  image_ = pristine_[place];
  auto config = abi::params<abi::RangeSetConfigParams>();
  config.pRangeProfilerObject = session;
  config.configSize = recipe_->config.size();
  config.pConfig = bytes_of(recipe_->config);
  config.counterDataImageSize = image_.size();
  config.pCounterDataImage = bytes_of(image_);
  config.range = abi::kAutoRange;
  config.replayMode = abi::kKernelReplay;
  config.maxRangesPerPass = 1;
  config.numNestingLevels = 1;
  config.minNestingLevel = 1;
  if (auto failed = outcome(cupti_.range_set_config(&config), "cuptiRangeProfilerSetConfig")) return failed;
  auto failed = start(session);
  if (failed) return failed;
  context_ = context;
  Session& started = sessions_[context];
  if (!started.recipe) started.recipe = recipe;
  return std::nullopt;
}

Counters::Outcome Counters::warm_up(abi::Context context, std::uint32_t device) {
  const Current current(driver_, context);
  auto failed = begin(context, device, 0);
  if (!failed) cancel();
  return failed;
}

// A process that just ended, or a sampler that was just told to stop, may still have the counters for a moment.
Counters::Outcome Counters::start(abi::RangeProfilerObject* session) {
  auto params = abi::params<abi::RangeStartParams>();
  params.pRangeProfilerObject = session;
  abi::Result result = cupti_.range_start(&params);
  for (int attempt = 1; result == abi::kErrorHardwareBusy && attempt < kAttempts; ++attempt) {
    std::this_thread::sleep_for(kBetweenAttempts);
    result = cupti_.range_start(&params);
  }
  return outcome(result, "cuptiRangeProfilerStart");
}

Counters::Outcome Counters::end(std::string& image) {
  const auto session = sessions_.find(context_);
  context_ = nullptr;
  if (session == sessions_.end()) return Failure{abi::kErrorInvalidContext, "cuptiRangeProfilerStop"};
  auto stop = abi::params<abi::RangeStopParams>();
  stop.pRangeProfilerObject = session->second.object;
  if (auto failed = outcome(cupti_.range_stop(&stop), "cuptiRangeProfilerStop")) {
    // Its state is not known: the next measurement begins with a new session.
    disable(session->first, session->second.object);
    sessions_.erase(session);
    return failed;
  }
  auto decode = abi::params<abi::RangeDecodeDataParams>();
  decode.pRangeProfilerObject = session->second.object;
  if (auto failed = outcome(cupti_.range_decode_data(&decode), "cuptiRangeProfilerDecodeData")) return failed;
  if (decode.numOfRangeDropped != 0) return Failure{abi::kErrorUnknown, "a range was dropped while decoding"};
  image = std::move(image_);
  return std::nullopt;
}

void Counters::cancel() {
  std::string unread;
  if (context_ != nullptr) end(unread);
}

Counters::Outcome Counters::disable(abi::Context context, abi::RangeProfilerObject* session) {
  const Current current(driver_, context);
  auto params = abi::params<abi::RangeDisableParams>();
  params.pRangeProfilerObject = session;
  return outcome(cupti_.range_disable(&params), "cuptiRangeProfilerDisable");
}

Counters::Outcome Counters::disable_all() {
  Outcome failure;
  for (const auto& [context, session] : sessions_) {
    auto failed = disable(context, session.object);
    if (failed) failure = failed;
  }
  sessions_.clear();
  return failure;
}

void Counters::forget(abi::Context context) {
  const auto session = sessions_.find(context);
  if (session == sessions_.end()) return;
  disable(context, session->second.object);
  sessions_.erase(session);
}

}  // namespace ridge::collectors::agent
