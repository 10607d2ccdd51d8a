// From the facts of a machine to what works on it, why the rest does not, and what to do about that.
//
// Pure: the same facts give the same diagnosis. Messages are of the catalogue ("doctor.*"). Not here: finding facts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/doctor/facts.h"
#include "ridgepoint/model/message.h"

namespace ridge::doctor {

enum class Level : unsigned char { kGood, kNote, kProblem };
[[nodiscard]] std::string_view name(Level level);  ///< "good", "note", "problem"

/// Where a remedy can be used.
enum class Where : unsigned char { kHere, kBareMetal, kContainer, kRented, kWsl };
[[nodiscard]] std::string_view name(Where where);  ///< "here", "bare-metal", "container", "rented", "wsl"

struct Fix {
  Where where = Where::kHere;
  Message message;
};

struct Finding {
  Level level = Level::kNote;
  Message message;
  std::vector<Fix> fixes;  ///< those for where the program runs come first
};

enum class State : unsigned char {
  kWorks,
  kFails,
  kUnknown,   ///< could not be tried
  kNotBuilt,  ///< this version has no such tier
};
[[nodiscard]] std::string_view name(State state);  ///< "works", "fails", "unknown", "not-built"

struct TierState {
  std::string tier;  ///< "counters", "sampling", "timing", "emulation", "paper", "import"
  State state = State::kUnknown;
  Message reason;  ///< why, also where it works
  std::vector<Fix> fixes;
};

struct Diagnosis {
  std::vector<TierState> tiers;  ///< the best evidence first
  std::vector<Finding> findings;

  /// At least times of a program's kernels can be had.
  [[nodiscard]] bool can_profile() const;
};

[[nodiscard]] Diagnosis diagnose(const Facts& facts);

}  // namespace ridge::doctor
