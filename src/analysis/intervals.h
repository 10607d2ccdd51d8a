// A set of time intervals and how much of the time they cover together: overlaps count once, as utilisation needs it
// (kernels of several streams run at the same time, and their sum may exceed the wall time).
#pragma once

#include <utility>
#include <vector>

#include "ridgepoint/base/units.h"

namespace ridge {

class Intervals {
 public:
  void add(Seconds start, Seconds duration);
  void add_all(const Intervals& other);
  /// Sorts and joins what overlaps; the functions below are of joined intervals.
  void join();

  [[nodiscard]] bool empty() const { return parts_.empty(); }
  [[nodiscard]] Seconds covered() const;
  /// From the first start to the last end.
  [[nodiscard]] Seconds span() const;
  [[nodiscard]] Seconds longest_gap() const;
  [[nodiscard]] bool contains(Seconds time) const;

 private:
  std::vector<std::pair<double, double>> parts_;  ///< start and end
};

}  // namespace ridge
