// What a rule sees, and the two ways of turning a cause into seconds.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "ridgepoint/analysis/report.h"

namespace ridge {

class RuleContext {
 public:
  RuleContext(const ReportKernel& kernel, const Machine& machine) : kernel_(kernel), machine_(machine) {}

  [[nodiscard]] const ReportKernel& kernel() const { return kernel_; }
  [[nodiscard]] const Machine& machine() const { return machine_; }
  [[nodiscard]] const Work& work() const { return kernel_.work; }

  /// A measured duration and at least one resource: without them no rule can say what it would save.
  [[nodiscard]] bool timed() const;
  [[nodiscard]] const ResourceTime* time(std::string_view resource) const;
  /// Precondition: timed().
  [[nodiscard]] const ResourceTime& binding() const { return kernel_.roof.times.front(); }
  [[nodiscard]] double fraction() const { return kernel_.roof.fraction.value_or(0); }
  [[nodiscard]] bool explained() const { return fraction() >= kBoundFraction; }

  /// Time saved when each resource's least time shrinks to `keeps(resource)` of itself: how far the binding least time
  /// falls before another resource binds. Of all launches, never more than the binding resource's time.
  [[nodiscard]] Seconds saved_by_shrinking(const std::function<double(std::string_view)>& keeps) const;
  /// `share` of the whole time, but never more than lies above the roof.
  [[nodiscard]] Seconds saved_above_roof(double share) const;
  /// Time above the binding resource's least time, of all launches.
  [[nodiscard]] Seconds above_roof() const;

 private:
  [[nodiscard]] double scale() const;

  const ReportKernel& kernel_;
  const Machine& machine_;
};

/// A finding with its saving and a severity that follows from it; nothing if it would save next to nothing.
[[nodiscard]] std::optional<Finding> finding(const RuleContext& context, std::string_view rule, Seconds saving,
                                             std::vector<Argument> evidence);
/// A finding whose saving is not known, for the given reason.
[[nodiscard]] Finding note(std::string_view rule, FindingSeverity severity, std::string_view why_no_saving,
                           std::vector<Argument> evidence);

using Rule = std::optional<Finding> (*)(const RuleContext&);

// memory.cc
[[nodiscard]] std::optional<Finding> uncoalesced_access(const RuleContext& context);
[[nodiscard]] std::optional<Finding> bank_conflicts(const RuleContext& context);
[[nodiscard]] std::optional<Finding> local_memory(const RuleContext& context);
[[nodiscard]] std::optional<Finding> operand_reuse(const RuleContext& context);
[[nodiscard]] std::optional<Finding> cache_reuse(const RuleContext& context);
[[nodiscard]] std::optional<Finding> bytes_in_flight(const RuleContext& context);
// launch.cc
[[nodiscard]] std::optional<Finding> low_occupancy(const RuleContext& context);
[[nodiscard]] std::optional<Finding> short_launches(const RuleContext& context);
[[nodiscard]] std::optional<Finding> small_grid(const RuleContext& context);
[[nodiscard]] std::optional<Finding> partial_waves(const RuleContext& context);
[[nodiscard]] std::optional<Finding> stalls(const RuleContext& context);
// arithmetic.cc
[[nodiscard]] std::optional<Finding> divergence(const RuleContext& context);
[[nodiscard]] std::optional<Finding> instruction_overhead(const RuleContext& context);
[[nodiscard]] std::optional<Finding> slow_precision(const RuleContext& context);
[[nodiscard]] std::optional<Finding> slow_tensor_path(const RuleContext& context);
[[nodiscard]] std::optional<Finding> tensor_available(const RuleContext& context);
[[nodiscard]] std::optional<Finding> special_functions(const RuleContext& context);
[[nodiscard]] std::optional<Finding> above_the_roof(const RuleContext& context);

}  // namespace ridge
