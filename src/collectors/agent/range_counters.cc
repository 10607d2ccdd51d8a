#include "collectors/agent/range_counters.h"

namespace ridge::collectors::agent {
namespace {

// CUPTI's own code wants room for more than the one range that there is.
constexpr std::size_t kRanges = 4;
constexpr std::uint32_t kTreeNodes = 8;

}  // namespace

ProfilerOutcome RangeCounters::begin(abi::Context context, std::uint32_t device) {
  const auto recipe = recipes_.find(device);
  if (!recipe) return ProfilerFailure{abi::kErrorInvalidParameter, "counters of ranges that were not set up"};
  if (context_ != context || running_) {
    if (auto failed = disable()) return failed;
  }
  if (session_ == nullptr) {
    if (auto failed = enable_profiler(cupti_, context, session_)) return failed;
    context_ = context;
  }
  auto failed = begin_in_session(device, *recipe);
  // Its state is not known: the next range begins with a new session.
  if (failed) disable();
  return failed;
}

ProfilerOutcome RangeCounters::begin_in_session(std::uint32_t device, const ProfilerRecipe& recipe) {
  std::string& pristine = pristine_[device];
  if (pristine.empty()) {
    if (auto failed = make_image(cupti_, session_, recipe.metrics, kRanges, kTreeNodes, pristine)) return failed;
  }
  image_ = pristine;
  auto config = config_params(session_, recipe, image_);
  config.range = abi::kUserRange;
  config.replayMode = abi::kUserReplay;
  config.maxRangesPerPass = kRanges;
  if (auto failed = outcome(cupti_.range_set_config(&config), "cuptiRangeProfilerSetConfig")) return failed;
  if (auto failed = start_profiler(cupti_, session_)) return failed;
  running_ = true;
  return push();
}

ProfilerOutcome RangeCounters::push() {
  auto params = abi::params<abi::RangePushParams>();
  params.pRangeProfilerObject = session_;
  params.pRangeName = "range";
  return outcome(cupti_.range_push(&params), "cuptiRangeProfilerPushRange");
}

ProfilerOutcome RangeCounters::pop_and_stop() {
  auto pop = abi::params<abi::RangePopParams>();
  pop.pRangeProfilerObject = session_;
  if (auto failed = outcome(cupti_.range_pop(&pop), "cuptiRangeProfilerPopRange")) return failed;
  auto stop = abi::params<abi::RangeStopParams>();
  stop.pRangeProfilerObject = session_;
  if (auto failed = outcome(cupti_.range_stop(&stop), "cuptiRangeProfilerStop")) return failed;
  running_ = false;
  if (stop.isAllPassSubmitted == 0) return ProfilerFailure{abi::kErrorUnknown, "counters of ranges take more passes"};
  return decode_profiler(cupti_, session_);
}

ProfilerOutcome RangeCounters::end(std::string& image) {
  if (!running_) return ProfilerFailure{abi::kErrorInvalidOperation, "the counters of the range were given away"};
  auto failed = pop_and_stop();
  if (failed) {
    disable();
  } else {
    image = std::move(image_);
  }
  return failed;
}

ProfilerOutcome RangeCounters::disable() {
  if (session_ == nullptr) return std::nullopt;
  auto failed = disable_profiler(cupti_, driver_, context_, session_);
  session_ = nullptr;
  context_ = nullptr;
  running_ = false;
  return failed;
}

void RangeCounters::forget(abi::Context context) {
  if (context_ == context) disable();
}

}  // namespace ridge::collectors::agent
