// The calls that both uses of CUPTI's range profiler share: replaying a launch (counters.h), and counting a range of
// the program (range_counters.h).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "collectors/agent/cupti.h"
#include "collectors/wire/messages.h"

namespace ridge::collectors::agent {

struct ProfilerFailure {
  abi::Result code = abi::kSuccess;
  std::string call;
  /// No permission, no such interface on this device: asking again is of no use.
  [[nodiscard]] bool for_good() const;
  /// Another profiler, or our own sampler, has the counters.
  [[nodiscard]] bool busy() const { return code == abi::kErrorHardwareBusy; }
};
using ProfilerOutcome = std::optional<ProfilerFailure>;  ///< none: it went well

/// What is counted: metrics for the image, and the collector's configuration of the hardware.
struct ProfilerRecipe {
  std::vector<std::string> metrics;
  std::string config;
};

/// Recipes by what they are for, a device or more. Any thread: they come while others are counted with.
template <class Place>
class ProfilerRecipes {
 public:
  void add(const Place& place, const wire::CounterSetup& setup) {
    auto recipe = std::make_shared<const ProfilerRecipe>(ProfilerRecipe{setup.metrics, setup.config_image});
    const std::lock_guard lock(mutex_);
    recipes_[place] = std::move(recipe);
  }
  /// nullptr: it was not set up.
  [[nodiscard]] std::shared_ptr<const ProfilerRecipe> find(const Place& place) {
    const std::lock_guard lock(mutex_);
    const auto known = recipes_.find(place);
    return known == recipes_.end() ? nullptr : known->second;
  }

 private:
  std::mutex mutex_;
  std::map<Place, std::shared_ptr<const ProfilerRecipe>> recipes_;
};

[[nodiscard]] ProfilerOutcome outcome(abi::Result result, const char* call);

[[nodiscard]] ProfilerOutcome enable_profiler(const Cupti& cupti, abi::Context context,
                                              abi::RangeProfilerObject*& session);
/// Makes the context current for the call: it may be another thread's.
ProfilerOutcome disable_profiler(const Cupti& cupti, const Driver& driver, abi::Context context,
                                 abi::RangeProfilerObject* session);
/// An image that holds no counters yet, for so many ranges.
[[nodiscard]] ProfilerOutcome make_image(const Cupti& cupti, abi::RangeProfilerObject* session,
                                         const std::vector<std::string>& metrics, std::size_t ranges,
                                         std::uint32_t tree_nodes, std::string& image);
/// The struct of SetConfig with all but what the two uses differ in.
[[nodiscard]] abi::RangeSetConfigParams config_params(abi::RangeProfilerObject* session, const ProfilerRecipe& recipe,
                                                      std::string& image);
/// Tries again for a while where others have the counters: a process that just ended, or a sampler that was just told
/// to stop, may still have them for a moment.
[[nodiscard]] ProfilerOutcome start_profiler(const Cupti& cupti, abi::RangeProfilerObject* session);
/// What was counted goes into the image of SetConfig.
[[nodiscard]] ProfilerOutcome decode_profiler(const Cupti& cupti, abi::RangeProfilerObject* session);

/// A context made current for a while, on a thread where another one or none is.
class CurrentContext {
 public:
  CurrentContext(const Driver& driver, abi::Context context) : driver_(driver) {
    pushed_ = driver.push_context != nullptr && driver.pop_context != nullptr && driver.push_context(context) == 0;
  }
  ~CurrentContext() {
    abi::Context popped = nullptr;
    if (pushed_) driver_.pop_context(&popped);
  }
  CurrentContext(const CurrentContext&) = delete;
  CurrentContext& operator=(const CurrentContext&) = delete;

 private:
  const Driver& driver_;
  bool pushed_ = false;
};

}  // namespace ridge::collectors::agent
