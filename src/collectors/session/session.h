// One profiled run: starts the program, collects the best evidence allowed, and hands it out in pieces as it comes.
//
// The program keeps its streams, arguments, environment (three variables are added), signals and status. Whatever fails
// on the way to evidence is an issue in the pieces (issues.h) and a step down in Recording::tier, not an Error; an
// Error means that the program could not be started or that the sink failed at the start. One run at a time in a
// process: it takes the process's signals while it lasts. See docs/design/live-profile.md. Not here: files (the
// sink's), reports.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ridgepoint/base/result.h"
#include "ridgepoint/model/profile.h"

namespace ridge::collectors::session {

enum class TierWish : unsigned char { kAuto, kCounters, kSampling, kTiming };

struct Options {
  std::vector<std::string> command;  ///< at least the program
  /// The program's, and where the socket may be (XDG_RUNTIME_DIR, TMPDIR). `ridge profile` passes its own on.
  std::map<std::string, std::string, std::less<>> environment;
  std::string tool_version;
  TierWish tier = TierWish::kAuto;
  bool trace_api = false;
  bool from_start = true;     ///< false: only between cudaProfilerStart and Stop
  Seconds delay, duration;    ///< duration 0: to the end
  std::string kernel_filter;  ///< POSIX extended expression; empty: every kernel
  std::uint64_t skip = 0, count = 0;
  std::string range;                                ///< only launches inside NVTX ranges of this name
  std::vector<std::uint32_t> devices;               ///< CUDA's numbers; empty: all
  std::vector<std::string> recipes = {"roofline"};  ///< "roofline", "memory", "stalls": data/recipes
  std::string recipe_file;                          ///< recipes of a person's own; empty: none
  std::vector<std::string> metrics;                 ///< further counters, by the vendor's name
  std::uint32_t samples_per_shape = 1;
  std::optional<Seconds> budget;             ///< of counters; absent: the larger of 10 s and a fifth of the run so far
  std::optional<Seconds> sampling_interval;  ///< absent: chosen, and widened when decoding cannot keep up
  std::string agent;                         ///< path of libridge_agent.so
  std::string cupti;                         ///< path chosen by the user; empty: found
};

/// New items since the last piece, in Profile's own tables; indices count over all pieces so far. `recordings` holds
/// the one recording in its present state in the first piece and, complete, in the last.
using Sink = std::function<Result<void>(const Profile& piece)>;

/// What happens, for a person at a terminal.
class Observer {
 public:
  virtual ~Observer() = default;
  /// Before the first replay: what it will cost.
  virtual void plan(std::size_t passes, Seconds each, Seconds at_most) = 0;
  /// A step down or another thing the person should know now; also in the pieces as an issue.
  virtual void notice(const Issue& issue) = 0;
};

struct Outcome {
  int exit_status = 0;       ///< the program's; 128 + n for signal n
  bool sink_failed = false;  ///< the disk was full: the program ran to its end, the file holds what came before
};

[[nodiscard]] Result<Outcome> run(const Options& options, const Sink& sink, Observer& observer);

}  // namespace ridge::collectors::session
