// CUPTI's range profiler once more: the counters of a range of the program, in one pass and with nothing run again.
//
// Ranges of the user and replayed launches need sessions of their own, as a session's first Start decides what runs
// (counters.h); the owner disables the one before it begins the other. One range at a time. Not thread-safe but for
// add_recipe(): the owner lets no launch of the process begin meanwhile.
#pragma once

#include <map>

#include "collectors/agent/profiler.h"
#include "collectors/wire/messages.h"

namespace ridge::collectors::agent {

class RangeCounters {
 public:
  RangeCounters(const Cupti& cupti, const Driver& driver) : cupti_(cupti), driver_(driver) {}

  /// Of wire::kRangeRecipe.
  void add_recipe(const wire::CounterSetup& setup) { recipes_.add(setup.device, setup); }
  /// There is something to count on the device.
  [[nodiscard]] bool has(std::uint32_t device) { return recipes_.find(device) != nullptr; }
  /// The profiler is initialised, and the context current.
  ProfilerOutcome begin(abi::Context context, std::uint32_t device);
  /// The image is the collector's to evaluate.
  ProfilerOutcome end(std::string& image);
  /// Gives the hardware back; what began is lost.
  ProfilerOutcome disable();
  /// The context is about to be destroyed.
  void forget(abi::Context context);

 private:
  ProfilerOutcome begin_in_session(std::uint32_t device, const ProfilerRecipe& recipe);
  ProfilerOutcome push();
  ProfilerOutcome pop_and_stop();

  const Cupti& cupti_;
  const Driver& driver_;
  ProfilerRecipes<std::uint32_t> recipes_;         // by device
  std::map<std::uint32_t, std::string> pristine_;  // likewise by device: images without counters
  abi::Context context_ = nullptr;
  abi::RangeProfilerObject* session_ = nullptr;
  bool running_ = false;
  std::string image_;
};

}  // namespace ridge::collectors::agent
