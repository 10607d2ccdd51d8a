// Plans: what is counted on a chip, in how many passes, and what does not fit. Needs no GPU: the library schedules from
// the chip's name.
//
// Wants that the chip lacks, or that would take more passes than their recipe may add, are left out by priority and
// listed. Counters that a person asked for by name take as many passes as they need; a wrong name is told and costs the
// others nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "collectors/cupti/calls.h"
#include "collectors/cupti/recipes.h"
#include "collectors/wire/messages.h"
#include "ridgepoint/base/result.h"

namespace ridge::collectors::cupti {

enum class Why : unsigned char {
  kNotOnChip,  ///< none of the spellings exists there
  kPasses,     ///< it would have taken another pass
};

struct LeftOut {
  std::string recipe, what;
  Why why = Why::kNotOnChip;
};

struct PlanRequest {
  std::string chip;                                 ///< "GH100", as cuptiDeviceGetChipName says
  std::vector<std::string> recipes = {"roofline"};  ///< merged, in this order
  std::vector<std::string> metrics;                 ///< further counters, by name
  bool tensor = true;                               ///< plan the recipe "tensor" on top, as another setup
};

/// Setup 0 is what every representative gets; setup 1, where there is one, is the same with the tensor counters. Their
/// `device` is for the caller to fill in.
struct Plan {
  std::vector<wire::CounterSetup> setups;
  std::vector<LeftOut> left_out;
  std::vector<Error> wrong_names;  ///< of PlanRequest::metrics, each with what to write instead
};
[[nodiscard]] Result<Plan> make_plan(const SharedCalls& calls, const Recipes& recipes, const PlanRequest& request);

/// One sampled quantity: which counter, and what it is multiplied with.
struct SampledMetric {
  std::string what;  ///< "dram_read"
  std::string metric;
  double scale = 1;
};

struct SamplingPlan {
  std::vector<SampledMetric> metrics;
  std::string config_image;
  std::vector<LeftOut> left_out;
};
/// What of the recipe fits into one pass. An error if the chip cannot be sampled or nothing is left.
[[nodiscard]] Result<SamplingPlan> make_sampling_plan(const SharedCalls& calls, const Recipe& recipe,
                                                      const std::string& chip);

}  // namespace ridge::collectors::cupti
