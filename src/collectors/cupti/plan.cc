#include "collectors/cupti/plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "base/nearest.h"
#include "collectors/cupti/host.h"

namespace ridge::collectors::cupti {
namespace {

struct Scheduled {
  std::string image;
  std::size_t passes = 0;
};

/// A want with the spellings that the chip has.
struct Candidate {
  const Recipe* recipe = nullptr;
  const Want* want = nullptr;
  std::vector<const Alternative*> alternatives;  ///< the first is tried first
};

void append_new(std::vector<std::string>& names, const std::vector<std::string>& more) {
  for (const std::string& name : more) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
}

/// Rollups without a second part: ".avg, .max, .min or .sum".
std::string plain(std::vector<std::string> rollups) {
  const auto compound = [](const std::string& rollup) { return rollup.find('.', 1) != std::string::npos; };
  rollups.erase(std::remove_if(rollups.begin(), rollups.end(), compound), rollups.end());
  return fmt::format("{}", fmt::join(rollups, " or "));
}

class Planner {
 public:
  static Result<Planner> make(const SharedCalls& calls, const std::string& chip, Use use) {
    auto host = Host::make(calls, chip, use);
    if (!host) return fail(host.error());
    return Planner(calls, chip, use, std::move(*host));
  }

  /// Takes what of the recipe fits when it may add its passes; the rest goes to left_out().
  void take(const Recipe& recipe) {
    limit_ += recipe.passes;
    std::vector<Candidate> candidates;
    for (const Want& want : recipe.wants) {
      Candidate candidate{&recipe, &want, {}};
      for (const Alternative& alternative : want.alternatives) {
        if (exist(alternative.metrics)) candidate.alternatives.push_back(&alternative);
      }
      if (candidate.alternatives.empty()) {
        left_out_.push_back({recipe.name, want.what, Why::kNotOnChip});
      } else {
        candidates.push_back(std::move(candidate));
      }
    }
    fit(candidates);
  }

  /// Takes counters whatever they cost; those that the chip lacks go to wrong_names().
  Result<void> take(const std::vector<std::string>& metrics) {
    std::vector<std::string> known;
    for (const std::string& metric : metrics) {
      if (schedule({metric})) {
        known.push_back(metric);
      } else {
        wrong_names_.push_back(wrong_name(metric));
      }
    }
    if (known.empty()) return {};
    append_new(metrics_, known);
    auto scheduled = schedule(metrics_);
    if (!scheduled) return fail(scheduled.error());
    limit_ = std::max(limit_, scheduled->passes);
    scheduled_ = std::move(*scheduled);
    return {};
  }

  [[nodiscard]] const std::vector<std::string>& metrics() const { return metrics_; }
  /// How the library schedules these.
  [[nodiscard]] const Scheduled& scheduled() const { return scheduled_; }
  [[nodiscard]] const std::vector<Candidate>& taken() const { return taken_; }
  [[nodiscard]] const std::vector<LeftOut>& left_out() const { return left_out_; }
  [[nodiscard]] const std::vector<Error>& wrong_names() const { return wrong_names_; }

 private:
  Planner(SharedCalls calls, std::string chip, Use use, Host host)
      : calls_(std::move(calls)), chip_(std::move(chip)), use_(use), host_(std::move(host)) {}

  [[nodiscard]] Result<Scheduled> schedule(const std::vector<std::string>& metrics) const {
    auto host = Host::make(calls_, chip_, use_);
    if (!host) return fail(host.error());
    RIDGE_TRY(host->schedule(metrics));
    auto image = host->config_image();
    if (!image) return fail(image.error());
    const auto passes = host->passes(*image);
    if (!passes) return fail(passes.error());
    return Scheduled{std::move(*image), *passes};
  }

  [[nodiscard]] bool exist(const std::vector<std::string>& metrics) const {
    return std::all_of(metrics.begin(), metrics.end(), [&](const std::string& metric) { return host_.has(metric); });
  }

  /// Each in its preferred spelling, if all of them fit.
  bool take_all(std::span<const Candidate> candidates) {
    std::vector<std::string> metrics = metrics_;
    for (const Candidate& candidate : candidates) append_new(metrics, candidate.alternatives.front()->metrics);
    auto scheduled = schedule(metrics);
    if (!scheduled || scheduled->passes > limit_) return false;
    metrics_ = std::move(metrics);
    scheduled_ = std::move(*scheduled);
    taken_.insert(taken_.end(), candidates.begin(), candidates.end());
    return true;
  }

  /// All of them if they fit, else the halves: the first half first, as it is more important. Scheduling takes
  /// milliseconds, and mostly everything fits.
  void fit(std::span<const Candidate> candidates) {
    if (candidates.empty() || take_all(candidates)) return;
    if (candidates.size() > 1) {
      const std::size_t half = candidates.size() / 2;
      fit(candidates.first(half));
      fit(candidates.subspan(half));
      return;
    }
    Candidate other = candidates[0];
    while (other.alternatives.size() > 1) {
      other.alternatives.erase(other.alternatives.begin());
      if (take_all({&other, 1})) return;
    }
    left_out_.push_back({other.recipe->name, other.want->what, Why::kPasses});
  }

  [[nodiscard]] Error wrong_name(const std::string& metric) const {
    // The base may hold dots of its own, but only before the unit's "__".
    const std::size_t unit = metric.find("__");
    const std::size_t dot = unit == std::string::npos ? std::string::npos : metric.find('.', unit);
    const std::string base = metric.substr(0, dot);
    const std::string rollup = dot == std::string::npos ? "" : metric.substr(dot);
    const std::vector<std::string> rollups = host_.rollups(base);
    if (!rollups.empty()) {
      const std::string near = rollup.empty() ? "" : nearest(rollup, rollups);
      return usage_error(
          fmt::format("{} cannot be collected on {} like that", metric, chip_), "--metrics",
          near.empty() ? fmt::format("write {} with {}", base, plain(rollups)) : fmt::format("write {}{}", base, near));
    }
    const std::string near = nearest(base, alike(base));
    return usage_error(fmt::format("{} has no counter {}", chip_, metric), "--metrics",
                       near.empty() ? "see the vendor's list of metrics for the chip"
                                    : fmt::format("did you mean {}{}?", near, rollup.empty() ? ".sum" : rollup));
  }

  /// Counters of the same unit; all of them if the unit is wrong.
  [[nodiscard]] std::vector<std::string> alike(const std::string& base) const {
    std::vector<std::string> names = host_.base_metrics();
    const std::string unit = base.substr(0, base.find("__") + 2);
    const auto other = [&](const std::string& name) { return !name.starts_with(unit); };
    if (!std::all_of(names.begin(), names.end(), other)) {
      names.erase(std::remove_if(names.begin(), names.end(), other), names.end());
    }
    return names;
  }

  SharedCalls calls_;
  std::string chip_;
  Use use_;
  Host host_;
  std::size_t limit_ = 0;
  std::vector<std::string> metrics_;
  Scheduled scheduled_;
  std::vector<Candidate> taken_;
  std::vector<LeftOut> left_out_;
  std::vector<Error> wrong_names_;
};

void add_setup(const Planner& planner, const std::string& name_hint, Plan& plan) {
  wire::CounterSetup setup;
  setup.recipe = static_cast<std::uint32_t>(plan.setups.size());
  setup.passes = static_cast<std::uint32_t>(planner.scheduled().passes);
  setup.metrics = planner.metrics();
  setup.config_image = planner.scheduled().image;
  setup.name_hint = name_hint;
  plan.setups.push_back(std::move(setup));
}

}  // namespace

Result<Plan> make_plan(const SharedCalls& calls, const Recipes& recipes, const PlanRequest& request) {
  auto planner = Planner::make(calls, request.chip, Use::kRange);
  if (!planner) return fail(planner.error());
  std::vector<Recipe> wanted;
  for (const std::string& name : request.recipes) {
    auto recipe = recipes.find(name);
    if (!recipe) return fail(recipe.error());
    wanted.push_back(std::move(*recipe));
  }
  for (const Recipe& recipe : wanted) planner->take(recipe);
  if (!request.metrics.empty()) RIDGE_TRY(planner->take(request.metrics));
  if (planner->metrics().empty()) {
    return fail(usage_error(fmt::format("nothing of what is asked for can be counted on {}", request.chip), "",
                            "ask for another recipe"));
  }
  Plan plan;
  add_setup(*planner, "", plan);
  if (request.tensor) {
    const auto tensor = recipes.find("tensor");
    if (!tensor) return fail(tensor.error());
    const std::size_t before = planner->taken().size();
    planner->take(*tensor);
    if (planner->taken().size() > before) add_setup(*planner, tensor->name_hint, plan);
  }
  plan.left_out = planner->left_out();
  plan.wrong_names = planner->wrong_names();
  return plan;
}

Result<SamplingPlan> make_sampling_plan(const SharedCalls& calls, const Recipe& recipe, const std::string& chip) {
  auto planner = Planner::make(calls, chip, Use::kSampling);
  if (!planner) return fail(planner.error());
  planner->take(recipe);
  if (planner->metrics().empty()) {
    return fail(not_available(fmt::format("no counter of the recipe \"{}\" can be sampled on {}", recipe.name, chip),
                              calls->path, "profile with --tier counters or --tier timing"));
  }
  SamplingPlan plan;
  plan.config_image = planner->scheduled().image;
  for (const Candidate& candidate : planner->taken()) {
    const Alternative& alternative = *candidate.alternatives.front();
    plan.metrics.push_back({candidate.want->what, alternative.metrics.front(), alternative.scale});
  }
  plan.left_out = planner->left_out();
  return plan;
}

}  // namespace ridge::collectors::cupti
