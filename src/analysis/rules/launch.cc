// Rules about filling the chip: occupancy, waves, grids, and what warps wait for.
#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/rules/context.h"

namespace ridge {
namespace {

/// 0 if not recorded.
double blocks_of(const RuleContext& context) {
  return context.kernel().configuration.blocks().value_or(0);
}

/// Blocks that fit on one SM, as recorded; 0 if not.
double blocks_per_sm(const Execution& execution) {
  double least = 0;
  for (const Value<double>* limit : {&execution.limit_registers, &execution.limit_shared, &execution.limit_warps,
                                     &execution.limit_blocks, &execution.limit_barriers}) {
    if (*limit && (least == 0 || **limit < least)) least = **limit;
  }
  return least;
}

/// Share of the stalls that more warps would cover: waiting for memory, for shared memory and for fixed latencies. Not
/// barriers, queues or busy pipes, which more warps only make longer. 1 where stalls were not recorded.
double hideable_share(const Execution& execution) {
  constexpr std::array kHideable{std::string_view("long_scoreboard"), std::string_view("short_scoreboard"),
                                 std::string_view("wait"), std::string_view("branch_resolving")};
  double hideable = 0, sum = 0;
  for (const StallReason& stall : execution.stalls) {
    if (stall.name == "selected" || stall.name == "not_selected") continue;
    sum += stall.warps_per_issue;
    if (std::find(kHideable.begin(), kHideable.end(), stall.name) != kHideable.end()) hideable += stall.warps_per_issue;
  }
  return sum > 0 ? hideable / sum : 1;
}

/// Of the launches that the work is of, as the verdict takes it: others may have no duration.
Seconds mean_duration(const RuleContext& context) {
  return *context.kernel().measured_duration / std::max<double>(context.kernel().measured_launches, 1);
}

double waves_of(const RuleContext& context) {
  const Execution& execution = context.kernel().execution;
  if (execution.waves_per_sm) return *execution.waves_per_sm;
  const double per_sm = blocks_per_sm(execution);
  return per_sm > 0 && context.machine().sm_count > 0 ? blocks_of(context) / (per_sm * context.machine().sm_count) : 0;
}

/// Stall reasons that point at something to change; the message catalogue has an entry for each.
bool has_advice(std::string_view stall) {
  constexpr std::array kAdvised{std::string_view("barrier"),          std::string_view("drain"),
                                std::string_view("imc_miss"),         std::string_view("lg_throttle"),
                                std::string_view("long_scoreboard"),  std::string_view("math_pipe_throttle"),
                                std::string_view("mio_throttle"),     std::string_view("no_instruction"),
                                std::string_view("short_scoreboard"), std::string_view("wait")};
  return std::find(kAdvised.begin(), kAdvised.end(), stall) != kAdvised.end();
}

}  // namespace

/// Occupancy is a means: it hides latency. A kernel whose binding resource is busy has nothing to hide, however few
/// warps it runs.
std::optional<Finding> low_occupancy(const RuleContext& context) {
  const OccupancyReport& occupancy = context.kernel().occupancy;
  // With low confidence a resource that was not counted may be what is busy.
  if (context.explained() || context.kernel().confidence == "low") return std::nullopt;
  if (!occupancy.theoretical || *occupancy.theoretical >= 1) return std::nullopt;
  const double blocks = blocks_of(context);
  if (blocks > 0 && blocks < context.machine().sm_count) return std::nullopt;  // the grid is the problem
  const double above = context.above_roof() / *context.kernel().duration;
  const double share = std::min(1 - *occupancy.theoretical, above) * hideable_share(context.kernel().execution);
  const Seconds saving = context.saved_above_roof(share);
  return finding(context, "low-occupancy", saving,
                 {{"achieved", occupancy.achieved.value_or(*occupancy.theoretical), Unit::kRatio},
                  {"theoretical", *occupancy.theoretical, Unit::kRatio},
                  {"limiter", occupancy.limiter, Unit::kNone}});
}

/// Launching, filling and draining take the time of a short launch; only a timeline can say what else the GPU did.
std::optional<Finding> short_launches(const RuleContext& context) {
  if (context.kernel().verdict != Verdict::kOverheadBound || mean_duration(context) >= kShortLaunch) {
    return std::nullopt;
  }
  return note("short-launches", FindingSeverity::kNotice, "a timeline of the program is needed",
              {{"duration", mean_duration(context).count(), Unit::kSeconds},
               {"launches", static_cast<double>(context.kernel().runs()), Unit::kCount}});
}

std::optional<Finding> small_grid(const RuleContext& context) {
  const double blocks = blocks_of(context), sms = context.machine().sm_count;
  // More blocks do not make a launch shorter that is all launching.
  if (blocks <= 0 || blocks >= sms || mean_duration(context) < kShortLaunch) return std::nullopt;
  return finding(context, "small-grid", context.saved_above_roof(1 - blocks / sms),
                 {{"blocks", blocks, Unit::kCount}, {"sms", sms, Unit::kCount}});
}

/// The last wave fills only part of the SMs. Blocks of equal length are assumed; the recorded share of time that SMs
/// had work bounds the estimate.
std::optional<Finding> partial_waves(const RuleContext& context) {
  const double waves = waves_of(context);
  if (waves <= 0 || blocks_of(context) < context.machine().sm_count) return std::nullopt;
  double idle = 1 - waves / std::ceil(waves - 1e-9);
  const Value<double>& active = context.kernel().execution.sm_active;
  if (active) idle = std::min(idle, std::max(1 - *active, 0.0));
  return finding(context, "partial-waves", context.saved_above_roof(idle),
                 {{"waves", waves, Unit::kNone}, {"idle", idle, Unit::kRatio}});
}

/// What warps wait for when no resource is busy enough to explain the time. The time above the roof is shared out by
/// the warps each reason holds.
std::optional<Finding> stalls(const RuleContext& context) {
  if (context.explained() || context.kernel().verdict == Verdict::kOverheadBound) return std::nullopt;
  const StallReason* most = nullptr;
  double sum = 0;
  for (const StallReason& stall : context.kernel().execution.stalls) {
    if (stall.name == "selected" || stall.name == "not_selected") continue;
    sum += stall.warps_per_issue;
    if (most == nullptr || stall.warps_per_issue > most->warps_per_issue) most = &stall;
  }
  if (most == nullptr || sum <= 0) return std::nullopt;
  const double share = most->warps_per_issue / sum;
  const double above = context.above_roof() / *context.kernel().duration;
  return finding(context, "stalls", context.saved_above_roof(share * above),
                 {{"stall", most->name, Unit::kNone},
                  {"stall_advice", has_advice(most->name) ? most->name : "other", Unit::kNone},
                  {"share", share, Unit::kRatio}});
}

}  // namespace ridge
