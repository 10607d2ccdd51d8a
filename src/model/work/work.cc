#include "ridgepoint/model/work.h"

#include <algorithm>

namespace ridge {

Work& operator+=(Work& sum, const Work& work) {
  visit_fields([](std::string_view, auto& to, const auto& from) { to = to + from; }, sum, work);
  for (const ComputeWork& part : work.compute) {
    const auto same = std::find_if(sum.compute.begin(), sum.compute.end(),
                                   [&](const ComputeWork& entry) { return entry.key == part.key; });
    if (same == sum.compute.end()) {
      sum.compute.push_back(part);
    } else {
      same->amount = same->amount + part.amount;
    }
  }
  return sum;
}

}  // namespace ridge
