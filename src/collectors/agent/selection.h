// Which launches are replayed for counters, and with which recipe: one or a few of each (kernel, grid, block, dynamic
// shared memory), never a collective, a cooperative launch or a graph's node, within the budget.
//
// A kernel whose name matches a recipe's hint gets that recipe in place of recipe 0 (which it contains); Decide asks
// for others on a later launch. What failed is tried once more. Not thread-safe: the owner locks. Pure: moments are
// given. Not here: who has the device's counters (lease.h), which launches are recorded at all (filter.h).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "collectors/agent/kernels.h"
#include "collectors/wire/messages.h"

namespace ridge::collectors::agent {

/// What makes two launches the same work, as far as can be told from outside.
struct LaunchKey {
  wire::TextId kernel = 0;
  std::array<std::uint32_t, 3> grid{}, block{};
  std::uint32_t shared_dynamic = 0;
  bool operator==(const LaunchKey&) const = default;
};
struct LaunchKeyHash {
  std::size_t operator()(const LaunchKey& key) const;
};

class Selection {
 public:
  Selection(const wire::Settings& settings, wire::Nanoseconds started) : settings_(settings), started_(started) {}

  void add_recipe(const wire::CounterSetup& setup);
  void decide(const wire::Decide& decision);
  /// Counters are not to be had any more; no launch is a candidate.
  void give_up() { given_up_ = true; }
  [[nodiscard]] bool given_up() const { return given_up_; }

  struct Launch {
    LaunchKey key;
    const KernelFacts* kernel = nullptr;
    std::uint32_t device = 0;
    bool cooperative = false;
    bool in_graph = false;
    bool recorded = true;  ///< it passed the filter
  };
  /// The recipe that the launch wants and may have by its nature; the budget is not asked.
  [[nodiscard]] std::optional<std::uint32_t> wanted(const Launch& launch);
  /// Whether another replay fits into the budget; if not, the launch's shape counts as left out for it.
  [[nodiscard]] bool affordable(const LaunchKey& key, wire::Nanoseconds now);
  [[nodiscard]] bool budget_spent(wire::Nanoseconds now) const;
  /// A replay of that shape begins: no other of it does until measured() or abandoned().
  void begin(const LaunchKey& key) { states_[key].in_work = true; }
  /// It did not come to a replay.
  void abandoned(const LaunchKey& key) { states_[key].in_work = false; }
  /// How a replay with that recipe went and what it cost.
  void measured(const LaunchKey& key, std::uint32_t recipe, bool well, wire::Nanoseconds cost);
  /// A record of a kernel, seen without its call: true if the shape is still to be measured.
  bool pending(const Launch& launch) { return wanted(launch).has_value(); }

  [[nodiscard]] wire::CounterProgress progress() const;

 private:
  enum class Kind : std::uint8_t { kOrdinary, kCollective, kCooperative };
  struct State {
    Kind kind = Kind::kOrdinary;
    bool alone = false;     ///< launched outside of a graph at least once
    bool recorded = false;  ///< passed the filter at least once
    bool over_budget = false, given_up = false, in_work = false;
    std::uint32_t samples = 0;
    std::vector<std::uint32_t> asked;                 ///< by Decide, still to do
    std::map<std::uint32_t, std::uint32_t> failures;  ///< by recipe
  };
  struct Recipe {
    Pattern hint;
    bool has_hint = false;
  };
  State& seen(const Launch& launch);
  [[nodiscard]] std::uint32_t first_recipe(const Launch& launch);

  const wire::Settings settings_;
  const wire::Nanoseconds started_;
  bool given_up_ = false;
  wire::Nanoseconds spent_ = 0, last_cost_ = 0;
  std::map<std::uint32_t, std::map<std::uint32_t, Recipe>> recipes_;        // by device and number
  std::map<std::pair<std::uint32_t, wire::TextId>, std::uint32_t> hinted_;  // by device and kernel
  std::unordered_map<LaunchKey, State, LaunchKeyHash> states_;
};

}  // namespace ridge::collectors::agent
