// CUPTI's range profiler: the counters of one launch, by replaying it inside its own API call.
//
// The order of calls is the library's: Enable a context, make an image, SetConfig and Start before the launch, Stop and
// DecodeData after it, Disable when the device's counters go to somebody else. Enable and the image (2 to 3 ms) are
// done once and kept. A session's first Start decides which passes run, whatever SetConfig says later (seen with CUPTI
// 13.0: counters of a second set come out as NaN), so another recipe needs a new session, and its Start takes 0.13 s.
// Recipe 0 is contained in all others: one launch of it is measured with the passes of the session that is there, a
// second one in a row is worth the new session. Not thread-safe but for add_recipe(): the owner lets no other launch of
// the process run meanwhile.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "collectors/agent/profiler.h"
#include "collectors/wire/messages.h"

namespace ridge::collectors::agent {

class Counters {
 public:
  Counters(const Cupti& cupti, const Driver& driver) : cupti_(cupti), driver_(driver) {}

  using Failure = ProfilerFailure;
  using Outcome = ProfilerOutcome;

  void add_recipe(const wire::CounterSetup& setup) { recipes_.add({setup.device, setup.recipe}, setup); }
  /// Once a process, before the first begin().
  Outcome initialise();
  /// Starts and stops the base recipe with no launch in between: the first start of a context takes 0.2 to 0.7 s.
  Outcome warm_up(abi::Context context, std::uint32_t device);
  /// Before the launch, on its thread.
  Outcome begin(abi::Context context, std::uint32_t device, std::uint32_t recipe);
  /// After it. The image is the collector's to evaluate.
  Outcome end(std::string& image);
  /// Ends what begin() started without reading it.
  void cancel();
  /// Gives the hardware back. What could not be disabled is said and forgotten.
  Outcome disable_all();
  /// The context is about to be destroyed.
  void forget(abi::Context context);

 private:
  using Recipe = ProfilerRecipe;
  using Place = std::pair<std::uint32_t, std::uint32_t>;  // device, recipe
  struct Session {
    abi::RangeProfilerObject* object = nullptr;
    std::optional<std::uint32_t> recipe;  ///< whose passes run; none: not started yet
    bool lent = false;                    ///< the last launch was of recipe 0, in a session of another
  };
  Outcome enable(abi::Context context);
  Outcome enable_for(abi::Context context, std::uint32_t recipe);
  Outcome prepare_image(Place place, const Recipe& recipe, abi::RangeProfilerObject* session);
  Outcome disable(abi::Context context, abi::RangeProfilerObject* session) {
    return disable_profiler(cupti_, driver_, context, session);
  }

  const Cupti& cupti_;
  const Driver& driver_;
  std::atomic<bool> initialised_ = false;
  ProfilerRecipes<Place> recipes_;
  std::map<Place, std::string> pristine_;  // images that hold no counters yet
  std::map<abi::Context, Session> sessions_;
  abi::Context context_ = nullptr;  // between begin() and end()
  std::shared_ptr<const Recipe> recipe_;
  std::string image_;
};

}  // namespace ridge::collectors::agent
