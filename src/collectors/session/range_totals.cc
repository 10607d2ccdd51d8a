#include "collectors/session/range_totals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ridge::collectors::session {
namespace {

constexpr std::size_t kNamesKept = 10'000;  // a program may put a number into each name
constexpr std::size_t kNamesTold = 32;

/// The names that the recipe "range" may ask for, chips differing.
struct RangeCounter {
  std::string_view name;
  std::uint32_t bit;
  std::uint64_t wire::RangeValues::*value;
};
constexpr RangeCounter kCounters[] = {
    {"dram__bytes_read.sum", wire::RangeValues::kDramRead, &wire::RangeValues::dram_read},
    {"dram__bytes_op_read.sum", wire::RangeValues::kDramRead, &wire::RangeValues::dram_read},
    {"dram__bytes_write.sum", wire::RangeValues::kDramWrite, &wire::RangeValues::dram_write},
    {"dram__bytes_op_write.sum", wire::RangeValues::kDramWrite, &wire::RangeValues::dram_write},
    {"sm__inst_executed.sum", wire::RangeValues::kWarpInstructions, &wire::RangeValues::warp_instructions},
    {"smsp__inst_executed.sum", wire::RangeValues::kWarpInstructions, &wire::RangeValues::warp_instructions},
};

double seconds(Nanoseconds time) {
  return static_cast<double>(time) * 1e-9;
}

}  // namespace

wire::RangeValues range_values(std::uint32_t id, const std::vector<Counter>& counters) {
  wire::RangeValues values;
  values.id = id;
  for (const Counter& counter : counters) {
    if (!std::isfinite(counter.value) || counter.value < 0) continue;
    const auto known = std::find_if(std::begin(kCounters), std::end(kCounters),
                                    [&](const RangeCounter& each) { return each.name == counter.name; });
    if (known == std::end(kCounters)) continue;
    values.*(known->value) = static_cast<std::uint64_t>(std::llround(counter.value));
    values.have |= known->bit;
  }
  return values;
}

Value<Bytes> dram_bytes(const wire::RangeValues& values) {
  constexpr std::uint32_t kBoth = wire::RangeValues::kDramRead | wire::RangeValues::kDramWrite;
  if ((values.have & kBoth) != kBoth) return Value<Bytes>::missing("the range's DRAM traffic was not counted");
  return Value<Bytes>(Bytes(static_cast<double>(values.dram_read + values.dram_write)), Provenance::kMeasured);
}

void RangeTotals::add(const std::string& name, Nanoseconds took) {
  if (totals_.size() >= kNamesKept && !totals_.contains(name)) return;
  Total& total = totals_[name];
  ++total.count;
  total.time += took;
}

void RangeTotals::add(const std::string& name, const wire::RangeMeasured& range, const wire::RangeValues& values) {
  add(name, range.end - range.start);
  const auto found = totals_.find(name);
  if (found == totals_.end()) return;
  Total& total = found->second;
  if (range.kernels_known) ++total.kernels_known;
  total.launches += range.launches;
  total.kernel_time += range.kernel_nanoseconds;
  if (dram_bytes(values)) ++total.bytes_known;
  total.read += static_cast<double>(values.dram_read);
  total.written += static_cast<double>(values.dram_write);
  if ((values.have & wire::RangeValues::kWarpInstructions) != 0) ++total.instructions_known;
  total.instructions += values.warp_instructions;
}

std::string RangeTotals::text(const Total& total) {
  std::string text =
      fmt::format("{} {}, {:.6f} s", total.count, total.count == 1 ? "time" : "times", seconds(total.time));
  if (total.kernels_known == total.count) {
    text += fmt::format("; kernels {:.6f} s in {} {}", seconds(total.kernel_time), total.launches,
                        total.launches == 1 ? "launch" : "launches");
  }
  if (total.bytes_known == total.count) {
    text += fmt::format("; DRAM {:.0f} bytes read, {:.0f} written", total.read, total.written);
  }
  if (total.instructions_known == total.count) text += fmt::format("; {} warp instructions", total.instructions);
  return text;
}

void RangeTotals::tell(Recording& recording) const {
  std::vector<std::pair<const std::string*, const Total*>> longest;
  for (const auto& [name, total] : totals_) longest.emplace_back(&name, &total);
  std::stable_sort(longest.begin(), longest.end(),
                   [](const auto& a, const auto& b) { return a.second->time > b.second->time; });
  if (longest.size() > kNamesTold) longest.resize(kNamesTold);
  for (const auto& [name, total] : longest) recording.facts.emplace_back("range " + *name, text(*total));
}

}  // namespace ridge::collectors::session
