// The session's Backend over CUPTI and NVML.
#include <map>

#include "collectors/cupti/evaluate.h"
#include "collectors/cupti/find.h"
#include "collectors/cupti/plan.h"
#include "collectors/cupti/sampler.h"
#include "collectors/nvml/nvml.h"
#include "collectors/session/backend.h"
#include "model/profile/throttle.h"

namespace ridge::collectors::session {
namespace {

class NvmlGauge final : public Gauge {
 public:
  explicit NvmlGauge(std::unique_ptr<nvml::Gpu> gpu) : gpu_(std::move(gpu)) {}

  [[nodiscard]] device::Reading read() override { return gpu_->read(); }
  [[nodiscard]] Result<std::vector<std::uint64_t>> processes() override {
    const Result<std::vector<nvml::Process>> all = gpu_->processes();
    if (!all) return fail(all.error());
    std::vector<std::uint64_t> ids;
    for (const nvml::Process& process : *all) ids.push_back(process.id);
    return ids;
  }
  [[nodiscard]] bool is_divided() override { return gpu_->mig().value_or(false); }
  [[nodiscard]] std::vector<std::string> slowing(std::uint64_t throttle_reasons) const override {
    std::vector<std::string> names;
    for (const std::string_view name : throttle_names(throttle_reasons & kSlowingReasons)) {
      names.emplace_back(name);
    }
    return names;
  }

 private:
  std::unique_ptr<nvml::Gpu> gpu_;
};

class PmSampler final : public Sampler {
 public:
  explicit PmSampler(std::unique_ptr<cupti::Sampler> sampler) : sampler_(std::move(sampler)) {}

  [[nodiscard]] Result<void> start(Seconds interval) override {
    return sampler_->start(cupti::nanoseconds(static_cast<std::int64_t>(interval.count() * 1e9)));
  }
  [[nodiscard]] bool busy() const override { return sampler_->refusal() == cupti::Refusal::kBusy; }
  [[nodiscard]] Result<Batch> collect() override {
    if (ended_) return fail(*std::exchange(ended_, std::nullopt));
    cupti::Sampler::Batch from = sampler_->collect();
    ended_ = std::move(from.error);  // told after the last samples
    if (ended_ && from.samples.empty()) return fail(*std::exchange(ended_, std::nullopt));
    Batch batch;
    batch.behind = from.behind;
    batch.samples.reserve(from.samples.size());
    for (const cupti::Sample& sample : from.samples) batch.samples.push_back(converted(sample));
    return batch;
  }
  void stop() override { sampler_->stop(); }
  [[nodiscard]] Seconds shortest_interval() const override { return seconds(cupti::SamplerSettings{}.shortest); }
  [[nodiscard]] Seconds needed_interval() const override { return seconds(sampler_->needed_interval()); }

 private:
  static Seconds seconds(cupti::nanoseconds time) { return Seconds(static_cast<double>(time.count()) * 1e-9); }
  static DeviceSample converted(const cupti::Sample& from) {
    DeviceSample to;
    to.start = from.start;
    to.end = from.end;
    to.dram_read = from[cupti::Quantity::kDramRead];
    to.dram_write = from[cupti::Quantity::kDramWrite];
    to.l2 = from[cupti::Quantity::kL2];
    to.warp_instructions = from[cupti::Quantity::kWarpInstructions];
    to.sm_active = from[cupti::Quantity::kSmActive];
    to.occupancy = from[cupti::Quantity::kOccupancy];
    to.tensor_active = from[cupti::Quantity::kTensorActive];
    return to;
  }

  std::unique_ptr<cupti::Sampler> sampler_;
  std::optional<Error> ended_;
};

class VendorBackend final : public Backend {
 public:
  [[nodiscard]] Result<std::string> find_cupti(const std::string& chosen) override {
    Result<cupti::FoundLibrary> found = cupti::choose_library(cupti::places_here(chosen, 0));
    if (!found) return fail(found.error());
    path_ = found->path;
    return path_;
  }

  [[nodiscard]] Result<CounterPlan> plan(const wire::DeviceFound& device, const Options& options) override {
    RIDGE_TRY(open(device));
    const Result<cupti::Recipes> recipes = cupti::Recipes::with(options.recipe_file);
    if (!recipes) return fail(recipes.error());
    cupti::PlanRequest request;
    request.chip = device.chip;
    request.recipes = options.recipes;
    request.metrics = options.metrics;
    Result<cupti::Plan> plan = cupti::make_plan(calls_, *recipes, request);
    if (!plan) return fail(plan.error());
    add_range_setup(device.chip, *recipes, *plan);
    for (const wire::CounterSetup& setup : plan->setups) {
      Result<cupti::Evaluator> evaluator = cupti::Evaluator::make(calls_, device.chip, setup);
      if (!evaluator) return fail(evaluator.error());
      evaluators_.insert_or_assign(std::make_pair(device.chip, setup.recipe), *std::move(evaluator));
    }
    CounterPlan result{std::move(plan->setups), {}, {}, {}};
    for (const Error& wrong : plan->wrong_names) result.wrong_names.push_back(wrong.what + ": " + wrong.remedy);
    for (cupti::LeftOut& item : plan->left_out) {
      const auto recipe = recipes->find(item.recipe);
      if (item.why == cupti::Why::kPasses) {
        result.no_pass.push_back(std::move(item.what));
      } else if (recipe && recipe->own) {
        result.not_on_chip.push_back(std::move(item.what));
      }
    }
    return result;
  }

  [[nodiscard]] Result<std::vector<Counter>> evaluate(const wire::DeviceFound& device,
                                                      const wire::CounterImage& image) override {
    const auto evaluator = evaluators_.find({device.chip, image.recipe});
    if (evaluator == evaluators_.end()) {
      return fail(internal_error("these counters were never planned", device.chip, "report this"));
    }
    const Result<std::vector<double>> values = evaluator->second.values(image.image);
    if (!values) return fail(values.error());
    const std::vector<std::string>& names = evaluator->second.metrics();
    std::vector<Counter> counters;
    for (std::size_t i = 0; i < names.size() && i < values->size(); ++i) counters.push_back({names[i], (*values)[i]});
    return counters;
  }

  [[nodiscard]] Result<std::unique_ptr<Sampler>> sampler(const wire::DeviceFound& device,
                                                         const Options& options) override {
    RIDGE_TRY(open(device));
    const Result<cupti::Recipes> recipes = cupti::Recipes::with(options.recipe_file);
    if (!recipes) return fail(recipes.error());
    Result<cupti::Recipe> recipe = recipes->find(fine(options) ? "sampling-light" : "sampling");
    if (!recipe) return fail(recipe.error());
    Result<std::unique_ptr<cupti::Sampler>> sampler =
        cupti::Sampler::open(calls_, *recipe, device.chip, device.address);
    if (!sampler) return fail(sampler.error());
    return std::make_unique<PmSampler>(*std::move(sampler));
  }

  [[nodiscard]] Result<std::unique_ptr<Gauge>> gauge(const wire::DeviceFound& device) override {
    Result<nvml::Nvml> nvml = nvml::Nvml::open();
    if (!nvml) return fail(nvml.error());
    Result<std::unique_ptr<nvml::Gpu>> gpu = nvml->at(device.address);
    if (!gpu) return fail(gpu.error());
    return std::make_unique<NvmlGauge>(*std::move(gpu));
  }

 private:
  /// Decoding keeps up with all quantities at wide intervals only; DRAM traffic alone can be sampled finely.
  static bool fine(const Options& options) {
    constexpr Seconds kCoarse{100e-6};
    return !options.sampling_interval || *options.sampling_interval < kCoarse;
  }
  /// Counters of the program's own ranges, as far as one pass holds them. A chip that has none has figures of time
  /// alone.
  void add_range_setup(const std::string& chip, const cupti::Recipes& recipes, cupti::Plan& plan) const {
    cupti::PlanRequest request;
    request.chip = chip;
    request.recipes = {"range"};
    request.tensor = false;
    Result<cupti::Plan> range = cupti::make_plan(calls_, recipes, request);
    if (!range || range->setups.empty() || range->setups.front().passes != 1) return;
    range->setups.front().recipe = wire::kRangeRecipe;
    plan.setups.push_back(std::move(range->setups.front()));
  }
  /// The library in this process, for what needs no GPU.
  [[nodiscard]] Result<void> open(const wire::DeviceFound& device) {
    if (device.chip.empty()) {
      return fail(not_available("CUPTI does not tell the chip of this GPU", device.name, "install a newer CUPTI"));
    }
    if (path_.empty()) return fail(not_available("there is no CUPTI", "", "see ridge doctor"));
    if (calls_ != nullptr) return {};
    Result<cupti::SharedCalls> calls = cupti::open_calls(path_);
    if (!calls) return fail(calls.error());
    calls_ = *std::move(calls);
    return {};
  }

  std::string path_;
  cupti::SharedCalls calls_;
  std::map<std::pair<std::string, std::uint32_t>, cupti::Evaluator> evaluators_;
};

}  // namespace

std::unique_ptr<Backend> vendor_backend() {
  return std::make_unique<VendorBackend>();
}

Result<Outcome> run(const Options& options, const Sink& sink, Observer& observer) {
  const std::unique_ptr<Backend> backend = vendor_backend();
  return run_with(*backend, options, sink, observer);
}

}  // namespace ridge::collectors::session
