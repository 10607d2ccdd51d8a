// The fake chip's metrics: which there are, how many passes a set takes, and what a kernel counts for each.
//
// Names and their forms (".sum", ".avg.per_second", ...) are the vendor's for GH100, a part of them. A kernel counts
// what the script lists for it, in any form; what is not listed follows from what is (sectors are bytes / 32) and at
// last from the launch's threads and duration, so that every metric has a value and related ones agree. Counters that
// nothing decides are 0. The rules of passes are the fake's own: a unit counts eight things a pass, instructions by
// opcode take a pass of their own, and three tensor paths one.
//
// Amounts are sums over all instances of a unit; durations are seconds here. Not here: images (image.h).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/fake/script.h"

namespace ridge::collectors::fake {

enum class MetricClass : unsigned char { kCounter, kRatio, kThroughput };

/// "dram__bytes_read.sum.per_second": base, rollup (empty for ratios), and the rest.
struct MetricName {
  std::string_view base, rollup, form;
  MetricClass type = MetricClass::kCounter;
};

/// The chips whose metrics are known.
[[nodiscard]] bool knows_chip(std::string_view chip);
/// All base names of a class; those that can be sampled if `sampled`. The texts live for ever.
[[nodiscard]] const std::vector<const char*>& base_metrics(MetricClass type, bool sampled);
/// The forms that names of a class have, with their dots.
[[nodiscard]] const std::vector<const char*>& forms(MetricClass type);
/// False for a name that the chip does not have, or not in that form, or that cannot be sampled if `sampled`.
[[nodiscard]] bool parse_metric(std::string_view text, bool sampled, MetricName& name);
/// Passes that a set of full names takes.
[[nodiscard]] std::size_t passes_of(std::span<const std::string> names);

/// One execution of a kernel.
struct Execution {
  const Kernel* kernel = nullptr;
  const Device* device = nullptr;
  double seconds = 0, blocks = 1, threads = 1, warps = 1;
};

/// What an execution counts for a base name: the sum over instances; a ratio; a throughput's per cent. NaN where the
/// device tells none (the shared units of a MIG slice).
[[nodiscard]] double counted(std::string_view base, const Execution& execution);
/// Does the base name count the time that passes rather than work? Then it is amount x seconds.
[[nodiscard]] bool counts_time(std::string_view base, const Device& device, double& per_second);

/// The time over which a sum was counted.
struct Window {
  double seconds = 0, active = 0;
};
/// The value of a full name, given what was counted for its base.
[[nodiscard]] double form_value(const MetricName& name, double amount, const Window& window, const Device& device);

/// The share of a kernel's time in which its units are active.
inline constexpr double kActiveShare = 0.9;

}  // namespace ridge::collectors::fake
