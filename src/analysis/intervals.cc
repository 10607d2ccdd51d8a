#include "analysis/intervals.h"

#include <algorithm>
#include <cmath>

namespace ridge {

void Intervals::add(Seconds start, Seconds duration) {
  const double from = start.count(), length = duration.count();
  if (!std::isfinite(from) || !std::isfinite(length) || length < 0) return;
  parts_.emplace_back(from, from + length);
}

void Intervals::add_all(const Intervals& other) {
  parts_.insert(parts_.end(), other.parts_.begin(), other.parts_.end());
}

void Intervals::join() {
  std::sort(parts_.begin(), parts_.end());
  std::size_t last = 0;
  for (std::size_t i = 1; i < parts_.size(); ++i) {
    if (parts_[i].first <= parts_[last].second) {
      parts_[last].second = std::max(parts_[last].second, parts_[i].second);
    } else {
      parts_[++last] = parts_[i];
    }
  }
  if (!parts_.empty()) parts_.resize(last + 1);
}

Seconds Intervals::covered() const {
  double sum = 0;
  for (const auto& [start, end] : parts_) sum += end - start;
  return Seconds(sum);
}

Seconds Intervals::span() const {
  return parts_.empty() ? Seconds(0) : Seconds(parts_.back().second - parts_.front().first);
}

Seconds Intervals::longest_gap() const {
  double longest = 0;
  for (std::size_t i = 1; i < parts_.size(); ++i) longest = std::max(longest, parts_[i].first - parts_[i - 1].second);
  return Seconds(longest);
}

bool Intervals::contains(Seconds time) const {
  const auto after = std::upper_bound(parts_.begin(), parts_.end(), time.count(),
                                      [](double at, const auto& part) { return at < part.first; });
  return after != parts_.begin() && time.count() <= std::prev(after)->second;
}

}  // namespace ridge
