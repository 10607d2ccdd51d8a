#include "ridgepoint/model/work.h"

#include <algorithm>

namespace ridge {
namespace {

/// Sums matching parts. A part present on one side only is kept as it is: the other side did none of it.
std::vector<ComputeWork> add_compute(const std::vector<ComputeWork>& a, const std::vector<ComputeWork>& b) {
  std::vector<ComputeWork> sum = a;
  for (const ComputeWork& part : b) {
    const auto same = std::find_if(sum.begin(), sum.end(), [&](const ComputeWork& x) { return x.key == part.key; });
    if (same == sum.end())
      sum.push_back(part);
    else
      same->amount = same->amount + part.amount;
  }
  return sum;
}

}  // namespace

Work operator+(const Work& a, const Work& b) {
  Work sum = a;
  visit_fields([](std::string_view, auto& to, const auto& from) { to = to + from; }, sum, b);
  sum.compute = add_compute(a.compute, b.compute);
  return sum;
}

const Value<Bytes>& bytes_at(const TrafficWork& traffic, std::string_view level) {
  if (level == "l2") return traffic.l2;
  if (level == "l1") return traffic.l1;
  if (level == "shared") return traffic.shared;
  if (level == "host_link") return traffic.host_link;
  if (level == "peer_link") return traffic.peer_link;
  return traffic.dram;
}

}  // namespace ridge
