#include "collectors/agent/counters.h"

namespace ridge::collectors::agent {

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
  abi::RangeProfilerObject* made = nullptr;
  auto failure = enable_profiler(cupti_, context, made);
  if (!failure) sessions_[context].object = made;
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
  std::string image;
  auto failed = make_image(cupti_, session, recipe.metrics, 1, 1, image);
  if (!failed) pristine_[place] = std::move(image);
  return failed;
}

Counters::Outcome Counters::begin(abi::Context context, std::uint32_t device, std::uint32_t recipe) {
  const Place place{device, recipe};
  recipe_ = recipes_.find(place);
  if (!recipe_) return Failure{abi::kErrorInvalidParameter, "a recipe that was not set up"};
  if (auto failed = initialise()) return failed;
  if (auto failed = enable_for(context, recipe)) return failed;
  auto* const session = sessions_[context].object;
  if (auto failed = prepare_image(place, *recipe_, session)) return failed;
  image_ = pristine_[place];
  auto config = config_params(session, *recipe_, image_);
  config.range = abi::kAutoRange;
  config.replayMode = abi::kKernelReplay;
  config.maxRangesPerPass = 1;
  if (auto failed = outcome(cupti_.range_set_config(&config), "cuptiRangeProfilerSetConfig")) return failed;
  auto failed = start_profiler(cupti_, session);
  if (failed) return failed;
  context_ = context;
  Session& started = sessions_[context];
  if (!started.recipe) started.recipe = recipe;
  return std::nullopt;
}

Counters::Outcome Counters::warm_up(abi::Context context, std::uint32_t device) {
  const CurrentContext current(driver_, context);
  auto failed = begin(context, device, 0);
  if (!failed) cancel();
  return failed;
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
  if (auto failed = decode_profiler(cupti_, session->second.object)) return failed;
  image = std::move(image_);
  return std::nullopt;
}

void Counters::cancel() {
  std::string unread;
  if (context_ != nullptr) end(unread);
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
