// The metric catalogue: every quantity of the model by its path, what it means, how launches combine, and the counters
// it is read from. Source of docs/reference/metrics.md.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "ridgepoint/model/message.h"

namespace ridge {

enum class Polarity : unsigned char {
  kNeutral,  ///< work: neither good nor bad
  kMoreIsBetter,
  kLessIsBetter,
};
[[nodiscard]] std::string_view name(Polarity polarity);  ///< "neutral", "more is better", "less is better"

/// How the launches of a group make one value.
enum class Combine : unsigned char {
  kSum,           ///< work: added
  kTimeWeighted,  ///< ratios and clocks: mean weighted by duration
};
[[nodiscard]] std::string_view name(Combine combine);  ///< "sum", "time-weighted mean"

struct MetricInfo {
  std::string_view id;           ///< dotted path: "bytes.dram_read"; those of work as visit_fields spells them
  std::string_view name;         ///< "DRAM bytes read"
  std::string_view description;  ///< one sentence
  Unit unit = Unit::kCount;
  Polarity polarity = Polarity::kNeutral;
  Combine combine = Combine::kSum;
  /// NVIDIA counters in the order tried, " | " between alternatives.
  std::string_view counters;
};

/// In the order of visit_fields, then execution, then conditions.
[[nodiscard]] std::span<const MetricInfo> metric_catalogue();
[[nodiscard]] const MetricInfo* find_metric(std::string_view id);

/// The reference page, in Markdown.
[[nodiscard]] std::string metric_reference();

}  // namespace ridge
