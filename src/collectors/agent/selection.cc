#include "collectors/agent/selection.h"

#include <algorithm>

namespace ridge::collectors::agent {
namespace {

constexpr wire::Nanoseconds kLeastBudget = 10'000'000'000;
constexpr wire::Nanoseconds kShareOfRun = 5;  // a fifth
constexpr std::uint32_t kAttempts = 2;

}  // namespace

std::size_t LaunchKeyHash::operator()(const LaunchKey& key) const {
  std::uint64_t hash = key.kernel;
  const auto mix = [&hash](std::uint32_t number) {
    hash = (hash ^ number) * 0x9E3779B97F4A7C15U;
    hash ^= hash >> 29U;
  };
  for (const auto number : key.grid) mix(number);
  for (const auto number : key.block) mix(number);
  mix(key.shared_dynamic);
  return hash;
}

void Selection::add_recipe(const wire::CounterSetup& setup) {
  Recipe recipe;
  recipe.has_hint = !setup.name_hint.empty();
  if (recipe.has_hint) recipe.hint = Pattern(setup.name_hint);
  recipes_[setup.device][setup.recipe] = recipe;
  hinted_.clear();
}

void Selection::decide(const wire::Decide& decision) {
  State& state = states_[LaunchKey{decision.kernel, decision.grid, decision.block, decision.shared_dynamic}];
  const bool there = std::find(state.asked.begin(), state.asked.end(), decision.recipe) != state.asked.end();
  if (!there) state.asked.push_back(decision.recipe);
}

Selection::State& Selection::seen(const Launch& launch) {
  State& state = states_[launch.key];
  if (launch.kernel->collective) {
    state.kind = Kind::kCollective;
  } else if (launch.cooperative) {
    state.kind = Kind::kCooperative;
  }
  state.alone = state.alone || !launch.in_graph;
  state.recorded = state.recorded || launch.recorded;
  return state;
}

std::uint32_t Selection::first_recipe(const Launch& launch) {
  const auto [place, fresh] = hinted_.try_emplace({launch.device, launch.key.kernel}, 0);
  if (!fresh) return place->second;
  for (const auto& [number, recipe] : recipes_[launch.device]) {
    if (recipe.has_hint && launch.kernel->matches(recipe.hint)) place->second = number;
  }
  return place->second;
}

std::optional<std::uint32_t> Selection::wanted(const Launch& launch) {
  State& state = seen(launch);
  const auto recipes = recipes_.find(launch.device);
  if (given_up_ || recipes == recipes_.end() || launch.in_graph || !launch.recorded) return std::nullopt;
  if (state.kind != Kind::kOrdinary || state.in_work) return std::nullopt;
  if (state.samples < settings_.samples_per_shape && !state.given_up) {
    const std::uint32_t first = first_recipe(launch);
    if (recipes->second.contains(first)) return first;
    return std::nullopt;
  }
  for (const std::uint32_t number : state.asked) {
    if (recipes->second.contains(number)) return number;
  }
  return std::nullopt;
}

bool Selection::budget_spent(wire::Nanoseconds now) const {
  const wire::Nanoseconds elapsed = now > started_ ? now - started_ : 0;
  const wire::Nanoseconds budget =
      settings_.budget != 0 ? settings_.budget : std::max(kLeastBudget, elapsed / kShareOfRun);
  return spent_ + last_cost_ > budget;
}

bool Selection::affordable(const LaunchKey& key, wire::Nanoseconds now) {
  const bool spent = budget_spent(now);
  states_[key].over_budget = spent;
  return !spent;
}

void Selection::measured(const LaunchKey& key, std::uint32_t recipe, bool well, wire::Nanoseconds cost) {
  spent_ += cost;
  // The first replay starts the profiler too: what the next one costs is better told by a later one.
  last_cost_ = last_cost_ == 0 ? cost / 4 : cost;
  State& state = states_[key];
  state.in_work = false;
  const auto asked = std::find(state.asked.begin(), state.asked.end(), recipe);
  const bool first = asked == state.asked.end() || state.samples < settings_.samples_per_shape;
  if (well) {
    if (first) ++state.samples;
    if (asked != state.asked.end()) state.asked.erase(asked);
    return;
  }
  if (++state.failures[recipe] < kAttempts) return;
  if (asked != state.asked.end()) state.asked.erase(asked);
  if (first) state.given_up = true;
}

wire::CounterProgress Selection::progress() const {
  wire::CounterProgress progress;
  progress.spent = spent_;
  for (const auto& [key, state] : states_) {
    ++progress.seen;
    if (state.samples > 0) {
      ++progress.measured;
    } else if (!state.recorded) {
      ++progress.filtered;
    } else if (state.kind == Kind::kCollective) {
      ++progress.collectives;
    } else if (state.kind == Kind::kCooperative) {
      ++progress.cooperative;
    } else if (!state.alone) {
      ++progress.in_graphs;
    } else if (state.given_up) {
      ++progress.failed;
    } else if (state.over_budget) {
      ++progress.over_budget;
    }
  }
  return progress;
}

}  // namespace ridge::collectors::agent
