#include "ridgepoint/model/profile.h"

namespace ridge {

std::string_view name(Severity severity) {
  switch (severity) {
    case Severity::kInfo:
      return "info";
    case Severity::kNotice:
      return "notice";
    case Severity::kError:
      return "error";
    case Severity::kDataLoss:
      return "data-loss";
  }
  return "error";
}

std::string_view name(Tier tier) {
  switch (tier) {
    case Tier::kTiming:
      return "timing";
    case Tier::kSampling:
      return "sampling";
    case Tier::kCounters:
      return "counters";
  }
  return "timing";
}

const Measurement* measurement_of(const Profile& profile, const Launch& launch) {
  return launch.measurement ? &profile.measurements[*launch.measurement] : nullptr;
}

}  // namespace ridge
