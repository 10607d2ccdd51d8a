#include "collectors/agent/filter.h"

#include <algorithm>

namespace ridge::collectors::agent {
namespace {

// A program that launches more graphs than this while ranges matter forgets the oldest: better than growing for ever.
constexpr std::size_t kGraphsRemembered = 1U << 20U;

wire::Nanoseconds end_of(const wire::Settings& settings, wire::Nanoseconds hello) {
  return settings.duration == 0 ? 0 : hello + settings.delay + settings.duration;
}

}  // namespace

Filter::Filter(const wire::Settings& settings, wire::Nanoseconds hello)
    : settings_(settings),
      opens_(hello + settings.delay),
      closes_(end_of(settings, hello)),
      by_range_(!settings.range.empty()),
      by_position_(settings.skip > 0 || settings.count > 0),
      capturing_(settings.from_start) {}

bool Filter::over(wire::Nanoseconds now) const {
  if (closes_ != 0 && now >= closes_) return true;
  return settings_.count > 0 && matched_ >= settings_.skip + settings_.count;
}

bool Filter::window_open(wire::Nanoseconds now) const {
  return capturing_ && now >= opens_ && (closes_ == 0 || now < closes_);
}

bool Filter::device_wanted(std::uint32_t device) const {
  const auto& wanted = settings_.devices;
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), device) != wanted.end();
}

bool Filter::take_position() {
  if (!by_position_) return true;
  const std::uint64_t position = matched_++;
  return position >= settings_.skip && (settings_.count == 0 || position - settings_.skip < settings_.count);
}

bool Filter::at_launch(std::uint32_t correlation, std::uint32_t device, bool in_range, wire::Nanoseconds now) {
  const bool candidate = device_wanted(device) && window_open(now) && (!by_range_ || in_range);
  const bool taken = candidate && take_position();
  if (needs_launches()) launches_[correlation] = taken;
  return taken;
}

void Filter::at_graph_launch(std::uint32_t correlation, bool in_range) {
  if (!by_range_) return;
  if (graphs_.size() >= kGraphsRemembered) graphs_.clear();
  graphs_[correlation] = in_range;
}

bool Filter::at_record(std::uint32_t correlation, std::uint32_t device, bool from_graph, wire::Nanoseconds start) {
  const bool outside = start != 0 && (start < opens_ || (closes_ != 0 && start >= closes_));
  if (!device_wanted(device) || outside) return false;
  if (!needs_launches()) return true;
  if (!from_graph) {
    const auto known = launches_.find(correlation);
    if (known != launches_.end()) {
      const bool taken = known->second;
      launches_.erase(known);
      return taken;
    }
  }
  if (by_range_) {
    const auto graph = graphs_.find(correlation);
    if (graph == graphs_.end() || !graph->second) return false;
  }
  return take_position();
}

}  // namespace ridge::collectors::agent
