#include "cli/lab/measure.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridge::cli {
namespace {

class Measuring {
 public:
  explicit Measuring(const LabBench& bench)
      : bench_(bench), runner_(bench.device, bench.telemetry, bench.images, bench.options) {}

  Result<LabGroupOutcome> group(const LabPlanGroup& plan) {
    LabGroupOutcome outcome{plan.ladder, plan.sizes, {}, std::nullopt};
    for (const LabPlanStep& step : plan.steps) {
      auto done = one(step);
      if (!done) return fail(done.error());
      outcome.steps.push_back(*std::move(done));
    }
    RIDGE_TRY(add_vendor(plan, outcome));
    return outcome;
  }

  [[nodiscard]] const std::optional<Error>& last_refusal() const { return refusal_; }
  [[nodiscard]] std::vector<std::string> take_notes() { return std::move(notes_); }

 private:
  Result<LabOutcome> one(const LabPlanStep& step) {
    if (bench_.progress) bench_.progress(step.label);
    auto bound = lab::bind_kernel(*step.kernel, step.sizes, bench_.device.identity().sm_count);
    if (!bound) return fail(bound.error());
    auto run = runner_.run(*bound);
    if (run) return LabOutcome{step, *std::move(run), ""};
    if (run.error().code != ErrorCode::kNotAvailable) return fail(run.error());
    refusal_ = run.error();
    return LabOutcome{step, std::nullopt, to_string(run.error())};
  }

  Result<void> add_vendor(const LabPlanGroup& plan, LabGroupOutcome& outcome) {
    const LabPlanStep& last = plan.steps.back();
    if (bench_.blas == nullptr || last.kernel->vendor == lab::VendorProduct::kNone) return {};
    auto bound = lab::bind_kernel(*last.kernel, last.sizes, bench_.device.identity().sm_count);
    if (!bound) return fail(bound.error());
    if (bench_.progress) bench_.progress("cuBLAS " + bound->sizes);
    auto run = runner_.run_vendor(*bound, *bench_.blas);
    if (run) {
      outcome.vendor = *std::move(run);
    } else if (run.error().code == ErrorCode::kNotAvailable) {
      notes_.push_back(to_string(run.error()));
    } else {
      return fail(run.error());
    }
    return {};
  }

  const LabBench& bench_;
  lab::Runner runner_;
  std::optional<Error> refusal_;
  std::vector<std::string> notes_;
};

bool wrong(const std::optional<lab::Run>& run) {
  return run && run->wrong();
}

}  // namespace

bool LabMeasurement::all_right() const {
  return std::none_of(groups.begin(), groups.end(), [](const LabGroupOutcome& group) {
    return wrong(group.vendor) || std::any_of(group.steps.begin(), group.steps.end(),
                                              [](const LabOutcome& outcome) { return wrong(outcome.run); });
  });
}

Result<LabMeasurement> measure(const std::vector<LabPlanGroup>& plan, const LabBench& bench) {
  Measuring measuring(bench);
  LabMeasurement measurement;
  bool any = false;
  for (const LabPlanGroup& group : plan) {
    auto outcome = measuring.group(group);
    if (!outcome) return fail(outcome.error());
    for (const LabOutcome& step : outcome->steps) any = any || step.run;
    measurement.groups.push_back(*std::move(outcome));
  }
  measurement.notes = measuring.take_notes();
  if (!any && measuring.last_refusal()) return fail(*measuring.last_refusal());
  return measurement;
}

Result<std::string> launch_once(const std::vector<LabPlanStep>& plan, const LabBench& bench) {
  lab::Runner runner(bench.device, bench.telemetry, bench.images, bench.options);
  std::string list = "index,kernel,sizes,sms\n";
  int index = 0;
  for (const LabPlanStep& step : plan) {
    const int sms = bench.device.identity().sm_count;
    const auto bound = lab::bind_kernel(*step.kernel, step.sizes, sms);
    if (!bound) return fail(bound.error());
    if (bench.progress) bench.progress(fmt::format("{} {}", step.label, bound->sizes));
    const auto launched = runner.run_once(*bound);
    if (!launched && launched.error().code != ErrorCode::kNotAvailable) return fail(launched.error());
    if (launched) list += fmt::format("{},{},{},{}\n", index++, step.kernel->id, bound->sizes, sms);
  }
  return list;
}

}  // namespace ridge::cli
