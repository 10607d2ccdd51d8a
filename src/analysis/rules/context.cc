#include "analysis/rules/context.h"

#include <algorithm>

namespace ridge {

std::string_view name(FindingSeverity severity) {
  switch (severity) {
    case FindingSeverity::kInfo:
      return "info";
    case FindingSeverity::kNotice:
      return "notice";
    case FindingSeverity::kWarning:
      return "warning";
  }
  return "info";
}

namespace {

/// A saving below this share of the kernel's time is not worth a line.
constexpr double kWorthMentioning = 0.01;
/// Shares of the kernel's time from which a saving is a notice, and a warning.
constexpr double kNoticeable = 0.05;
constexpr double kLarge = 0.20;

FindingSeverity severity_of(double share) {
  if (share >= kLarge) return FindingSeverity::kWarning;
  return share >= kNoticeable ? FindingSeverity::kNotice : FindingSeverity::kInfo;
}

Message advice(std::string_view rule, std::vector<Argument> evidence) {
  return Message("rule." + std::string(rule), std::move(evidence));
}

}  // namespace

bool RuleContext::timed() const {
  return !kernel_.roof.times.empty() && kernel_.duration && kernel_.measured_duration && kernel_.roof.fraction &&
         *kernel_.duration > Seconds(0) && *kernel_.measured_duration > Seconds(0);
}

const ResourceTime* RuleContext::time(std::string_view resource) const {
  return find_resource(kernel_.roof.times, resource);
}

double RuleContext::scale() const {
  return *kernel_.duration / *kernel_.measured_duration;
}

Seconds RuleContext::saved_by_shrinking(const std::function<double(std::string_view)>& keeps) const {
  Seconds longest{0};
  for (const ResourceTime& entry : kernel_.roof.times) {
    longest = std::max(longest, entry.least_time * std::clamp(keeps(entry.resource), 0.0, 1.0));
  }
  // What is left takes the longest least time at best. A kernel above its roof, which is then wrong, has only that much
  // to save as its measured time is longer.
  const Seconds saved = std::min(binding().least_time - longest, *kernel_.measured_duration - longest) * scale();
  return std::clamp(saved, Seconds(0), *kernel_.duration);
}

Seconds RuleContext::above_roof() const {
  return std::max(*kernel_.duration * (1 - fraction()), Seconds(0));
}

Seconds RuleContext::saved_above_roof(double share) const {
  return std::min(*kernel_.duration * std::clamp(share, 0.0, 1.0), above_roof());
}

std::optional<Finding> finding(const RuleContext& context, std::string_view rule, Seconds saving,
                               std::vector<Argument> evidence) {
  const Value<Seconds>& duration = context.kernel().duration;
  const double share = saving / *duration;
  if (share < kWorthMentioning) return std::nullopt;
  Finding result;
  result.rule = std::string(rule);
  result.severity = severity_of(share);
  result.advice = advice(rule, std::move(evidence));
  result.saving = Value<Seconds>(saving, combine(duration.provenance(), Provenance::kModelled));
  const Seconds rest = *duration - saving;
  result.speedup = rest > Seconds(0) ? Value<double>(*duration / rest, Provenance::kModelled)
                                     : Value<double>::missing("divided by zero");
  return result;
}

Finding note(std::string_view rule, FindingSeverity severity, std::string_view why_no_saving,
             std::vector<Argument> evidence) {
  Finding result;
  result.rule = std::string(rule);
  result.severity = severity;
  result.advice = advice(rule, std::move(evidence));
  result.saving = Value<Seconds>::missing(why_no_saving);
  result.speedup = Value<double>::missing(why_no_saving);
  return result;
}

}  // namespace ridge
