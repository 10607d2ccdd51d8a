#include "analysis/rules/rules.h"

#include <algorithm>
#include <array>
#include <utility>

#include "analysis/rules/context.h"
#include "ridgepoint/analysis/analyse.h"

namespace ridge {
namespace {

struct Entry {
  std::string_view name;
  Rule rule;
};

constexpr std::array kRules{
    Entry{"above-the-roof", above_the_roof},
    Entry{"bank-conflicts", bank_conflicts},
    Entry{"bytes-in-flight", bytes_in_flight},
    Entry{"cache-reuse", cache_reuse},
    Entry{"divergence", divergence},
    Entry{"instruction-overhead", instruction_overhead},
    Entry{"local-memory", local_memory},
    Entry{"low-occupancy", low_occupancy},
    Entry{"operand-reuse", operand_reuse},
    Entry{"partial-waves", partial_waves},
    Entry{"short-launches", short_launches},
    Entry{"slow-precision", slow_precision},
    Entry{"slow-tensor-path", slow_tensor_path},
    Entry{"small-grid", small_grid},
    Entry{"special-functions", special_functions},
    Entry{"stalls", stalls},
    Entry{"tensor-available", tensor_available},
    Entry{"uncoalesced-access", uncoalesced_access},
};

}  // namespace

std::vector<std::string_view> rule_names() {
  std::vector<std::string_view> names;
  names.reserve(std::size(kRules));
  for (const Entry& entry : kRules) names.push_back(entry.name);
  return names;
}

std::vector<Finding> findings_of(const ReportKernel& kernel, const Machine& machine) {
  const RuleContext context(kernel, machine);
  std::vector<Finding> findings;
  if (!context.timed()) return findings;
  for (const Entry& entry : kRules) {
    if (std::optional<Finding> found = entry.rule(context)) findings.push_back(std::move(*found));
  }
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    return a.saving.value_or(Seconds(-1)) > b.saving.value_or(Seconds(-1));
  });
  return findings;
}

}  // namespace ridge
