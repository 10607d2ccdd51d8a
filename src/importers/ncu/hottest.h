// Which lines are worth keeping: a kernel has thousands of instructions and a reader looks at a few.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace ridge::ncu {

/// Keeps the `limit` lines with most samples and as many with most excess sectors, most samples first; lines with
/// neither go. T has `samples` and `excess_sectors`.
template <class T>
void keep_hottest(std::vector<T>& lines, std::size_t limit) {
  const auto by_samples = [](const T& a, const T& b) { return a.samples > b.samples; };
  const auto by_excess = [](const T& a, const T& b) { return a.excess_sectors > b.excess_sectors; };
  std::erase_if(lines, [](const T& l) { return !(l.samples > 0 || l.excess_sectors > 0); });
  std::stable_sort(lines.begin(), lines.end(), by_samples);
  if (lines.size() <= limit) return;
  const auto rest = lines.begin() + static_cast<std::ptrdiff_t>(limit);
  std::stable_sort(rest, lines.end(), by_excess);
  const auto end = std::find_if(rest, lines.end(), [](const T& l) { return !(l.excess_sectors > 0); });
  lines.erase(std::min(end, lines.begin() + static_cast<std::ptrdiff_t>(std::min(lines.size(), 2 * limit))),
              lines.end());
  std::stable_sort(lines.begin(), lines.end(), by_samples);
}

}  // namespace ridge::ncu
