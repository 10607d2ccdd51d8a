#include "cli/lab/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "lab/declare/registry.h"
#include "lab/run/profile.h"
#include "render/lab/labels.h"
#include "ridgepoint/analysis/analyse.h"
#include "ridgepoint/machines/match.h"

namespace ridge::cli {
namespace {

using render::LabGemmStory;
using render::LabGroup;
using render::LabStep;
using render::Language;

std::string in(const lab::Text& text, Language language) {
  return std::string(language == Language::kChinese ? text.chinese : text.english);
}

/// Facts that a step has whether it ran or not.
LabStep blank_step(const LabPlanStep& plan, Language language) {
  LabStep step;
  step.id = plan.kernel->id;
  step.label = plan.label;
  step.lesson = in(plan.kernel->lesson, language);
  return step;
}

/// A lesson that several rows share is told by the last of them; what a step changes is told by the one before.
void link_steps(std::vector<LabStep>& steps, const std::vector<const lab::KernelDeclaration*>& kernels,
                Language language) {
  for (std::size_t i = 0; i + 1 < kernels.size(); ++i) {
    if (kernels[i] == kernels[i + 1]) {
      steps[i].lesson.clear();
    } else {
      steps[i].next = in(kernels[i + 1]->change, language);
    }
  }
}

/// The same problem moves the same bytes at best; bookkeeping may differ.
constexpr double kSameBytes = 0.01;

/// Each against the step before it, where both solve the same problem, by the bytes declared for it.
void add_speedups(std::vector<LabStep>& steps, const std::vector<Value<Bytes>>& problems) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Value<double> ratio = i == 0 ? Value<double>() : problems[i - 1] / problems[i];
    if (i == 0) {
      steps[i].speedup = Value<double>::missing("the first step");
    } else if (!ratio || std::abs(*ratio - 1) > kSameBytes) {
      steps[i].speedup = Value<double>::missing("another problem than the step before");
    } else {
      steps[i].speedup = steps[i - 1].time / steps[i].time;
    }
  }
}

void add_work(LabStep& step, const Work& work) {
  step.flops = work.flops;
  step.dram = work.bytes.dram;
  step.intensity = work.flops / work.bytes.dram;
  step.speed = work.flops / step.time;
  step.dram_rate = work.bytes.dram / step.time;
}

const ReportKernel* find_kernel(const Report& report, const std::string& name) {
  const auto at = std::find_if(report.kernels.begin(), report.kernels.end(),
                               [&](const ReportKernel& kernel) { return kernel.full_name == name; });
  return at == report.kernels.end() ? nullptr : &*at;
}

render::LabCheck check_of(const lab::Check& check) {
  return {check.not_done.empty(), check.passed,   check.not_done, check.error,
          check.tolerance,        check.compared, check.elements, check.fault};
}

/// What the device said of the launch, in the place of what would have been measured.
void add_prediction(LabStep& step, const lab::Prediction& prediction) {
  step.time = prediction.duration;
  step.registers = prediction.configuration.registers_per_thread;
  step.emulated_fraction = prediction.fraction;
  step.of_vendor = Value<double>::missing("it was emulated");
  add_work(step, prediction.measurement.work);
}

void add_timing(LabStep& step, const lab::Run& run) {
  const auto measured = [](Seconds time) { return Value<Seconds>(time, Provenance::kMeasured); };
  step.time = measured(run.timing.median);
  step.least = measured(run.timing.least);
  step.most = measured(run.timing.most);
  step.samples = static_cast<int>(run.timing.samples.size());
  step.launches_per_sample = run.timing.launches_per_sample;
  step.copies = run.timing.copies;
  step.l2_resident = run.timing.l2_resident;
  step.clock = run.timing.reading.sm_clock;
  step.watts = run.timing.reading.watts;
  step.celsius = run.timing.reading.celsius;
  add_work(step, run.kernel.work);
}

void add_run(LabStep& step, const lab::Run& run, const Report& report) {
  step.sizes = run.kernel.sizes;
  step.check = check_of(run.check);
  step.from_ptx = run.from_ptx;
  if (!run.vendor) step.registers = Value<double>(run.facts.registers, Provenance::kReported);
  if (run.predicted()) {
    add_prediction(step, *run.prediction);
  } else if (run.timed()) {
    add_timing(step, run);
  } else {
    return;
  }
  const ReportKernel* kernel = find_kernel(report, run.name);
  if (kernel == nullptr) return;
  step.times = kernel->roof.times;
  step.resource = kernel->roof.resource;
  step.fraction = kernel->roof.fraction;
  step.verdict = kernel->verdict;
  step.side = kernel->side;
}

/// The numbers behind the comparison of a naive and a tiled product; times are added by the caller.
LabGemmStory story_of(const lab::BoundKernel& slower, const lab::BoundKernel& faster, const Machine* machine) {
  LabGemmStory story;
  story.slower = slower.declaration->id;
  story.faster = faster.declaration->id;
  story.slower_load_requests = *slower.work.access.global_load_requests;
  story.faster_load_requests = *faster.work.access.global_load_requests;
  story.slower_wavefronts = *slower.work.access.l1_wavefronts;
  story.faster_wavefronts = *faster.work.access.l1_wavefronts;
  story.faster_shared_wavefronts = *faster.work.access.shared_load_wavefronts;
  story.l2 = *slower.work.bytes.l2_read;
  story.dram = *slower.work.bytes.dram_read;
  story.operands = *slower.work.bytes.dram_read;
  if (machine == nullptr) return story;
  const MemoryLevel* l2 = find_level(*machine, Level::kL2);
  if (l2 != nullptr) story.l2_capacity = l2->capacity;
  Value<Bytes> moved = slower.work.bytes.dram_read;
  const auto outgrown = lab::evaluate(slower.declaration->dram_read_outgrown, slower.variables);
  if (outgrown && story.l2_capacity && story.operands > *story.l2_capacity) {
    moved = story.dram_outgrown = Value<Bytes>(Bytes(*outgrown), Provenance::kModelled);
  }
  const RoofBasis basis = RoofBasis::kMeasuredClock;
  story.dram_time = moved / memory_roof(*machine, Level::kDram, {}, basis);
  const auto times = least_times({slower.work, {}, {}, {}}, *machine, basis);
  if (const ResourceTime* l1 = find_resource(times, "l1")) story.l1_time = {l1->least_time, Provenance::kModelled};
  return story;
}

const LabStep* find_step(const LabGroup& group, std::string_view id) {
  const auto at =
      std::find_if(group.steps.begin(), group.steps.end(), [&](const LabStep& step) { return step.id == id; });
  return at == group.steps.end() || !at->time ? nullptr : &*at;
}

Value<double> busy(const LabStep& step) {
  const ResourceTime* l1 = find_resource(step.times, "l1");
  if (l1 == nullptr || l1->fraction <= 0) return {};
  return Value<double>(l1->fraction, Provenance::kModelled);
}

/// Told where both steps have a time; `ran`: a time of the kernel itself, not the least it could take.
void add_story(LabGroup& group, const std::vector<lab::BoundKernel>& kernels, const Machine* machine, bool ran) {
  const LabStep* naive = find_step(group, "gemm_naive");
  const LabStep* tiled = find_step(group, "gemm_tiled");
  if (naive == nullptr || tiled == nullptr) return;
  const auto bound = [&](const LabStep& step) -> const lab::BoundKernel& {
    return *std::find_if(kernels.begin(), kernels.end(),
                         [&](const lab::BoundKernel& kernel) { return kernel.declaration->id == step.id; });
  };
  LabGemmStory story = story_of(bound(*naive), bound(*tiled), machine);
  if (ran) {
    story.slower_time = naive->time;
    story.faster_time = tiled->time;
    story.slower_busy = busy(*naive);
    story.faster_busy = busy(*tiled);
  }
  group.stories.push_back(std::move(story));
}

LabGroup measured_group(const LabGroupOutcome& outcome, const Report& report, const Machine* machine,
                        Language language) {
  LabGroup group{outcome.ladder, outcome.sizes, {}, {}};
  std::vector<const lab::KernelDeclaration*> kernels;
  std::vector<lab::BoundKernel> bound;
  std::vector<Value<Bytes>> problems;
  for (const LabOutcome& done : outcome.steps) {
    LabStep step = blank_step(done.step, language);
    step.skipped = done.skipped;
    if (done.run) {
      add_run(step, *done.run, report);
      bound.push_back(done.run->kernel);
    }
    group.steps.push_back(std::move(step));
    kernels.push_back(done.step.kernel);
    problems.push_back(done.run ? done.run->kernel.work.bytes.dram : Value<Bytes>());
  }
  link_steps(group.steps, kernels, language);
  add_speedups(group.steps, problems);
  if (outcome.vendor) {
    LabStep vendor;
    vendor.id = vendor.label = outcome.vendor->name;
    vendor.vendor = true;
    add_run(vendor, *outcome.vendor, report);
    for (LabStep& step : group.steps) step.of_vendor = vendor.time / step.time;
    group.steps.push_back(std::move(vendor));
  }
  add_story(group, bound, machine, true);
  return group;
}

Value<double> none(const char* reason) {
  return Value<double>::missing(reason);
}

/// 10 x major + minor of "9.0"; 0 of a GPU that has no such number.
int capability_of(const Machine& machine) {
  int major = 0, minor = 0;
  const char* const end = machine.compute_capability.data() + machine.compute_capability.size();
  const auto [point, error] = std::from_chars(machine.compute_capability.data(), end, major);
  if (error != std::errc() || point == end || *point != '.') return 0;
  return std::from_chars(point + 1, end, minor).ec == std::errc() ? 10 * major + minor : 0;
}

/// Why there is no paper model; empty if there is. A machine of another vendor runs no kernel of the lab, but
/// arithmetic and bytes are the same anywhere, as long as it has the units.
std::string unfit(const lab::KernelDeclaration& kernel, const lab::BoundKernel& bound, const Machine& machine) {
  const int capability = capability_of(machine);
  if (capability > 0 && !lab::runs_on(kernel, capability)) {
    return fmt::format("{} needs {}", kernel.id, lab::what_it_needs(kernel));
  }
  for (const ComputeWork& part : bound.work.compute) {
    if (find_ceiling(machine, part.key) == nullptr) {
      return fmt::format("{} needs {}, for which {} has no rate", kernel.id, name(part.key), machine.name);
    }
  }
  return {};
}

/// The largest least time, as if nothing else cost anything.
LabStep paper_step(const LabPlanStep& plan, const lab::BoundKernel& bound, const Machine& machine, Language language) {
  LabStep step = blank_step(plan, language);
  step.sizes = bound.sizes;
  step.skipped = unfit(*plan.kernel, bound, machine);
  step.times = least_times({bound.work, {}, {}, {}}, machine, RoofBasis::kDatasheet);
  step.fraction = none("nothing was measured");
  step.of_vendor = none("nothing was measured");
  step.side = place(bound.work, machine, {}, RoofBasis::kDatasheet).side;
  if (!step.skipped.empty()) {
    step.times.clear();
    step.time = Value<Seconds>::missing("the machine cannot run it");
  } else if (step.times.empty()) {
    step.time = Value<Seconds>::missing("the machine's rates are not known");
  } else {
    step.time = Value<Seconds>(step.times.front().least_time, Provenance::kModelled);
    step.resource = step.times.front().resource;
    step.verdict = level_of_resource(step.resource).empty() ? Verdict::kComputeBound : Verdict::kMemoryBound;
  }
  add_work(step, bound.work);
  return step;
}

/// A run that takes exactly its least time, so that the chart shows where the kernel could be.
lab::Run imagined_run(const lab::BoundKernel& bound, const LabStep& step) {
  lab::Run run;
  run.kernel = bound;
  run.name = fmt::format("{} {}", bound.declaration->id, bound.sizes);
  run.timing.samples = {*step.time};
  return run;
}

int sms_of(const Machine& machine) {
  return std::max(machine.sm_count, 1);
}

std::vector<lab::Run> runs_of(const LabMeasurement& measurement) {
  std::vector<lab::Run> runs;
  for (const LabGroupOutcome& group : measurement.groups) {
    for (const LabOutcome& done : group.steps) {
      if (done.run) runs.push_back(*done.run);
    }
    if (group.vendor) runs.push_back(*group.vendor);
  }
  return runs;
}

/// The page's profile, with its machine, analysed and put into tables.
void show_runs(LabPage& page, const LabMeasurement& measurement, const lab::RunOptions& options, Language language) {
  page.report = analyse(page.profile);
  const auto& resolved = page.profile.devices.front().machine;
  const Machine* machine = resolved ? &*resolved : nullptr;
  page.view.machine_id = machine == nullptr ? "" : machine->id;
  page.view.seed = options.seed;
  page.view.timed = !options.check_only;
  page.view.notes = measurement.notes;
  for (const LabGroupOutcome& group : measurement.groups) {
    page.view.groups.push_back(measured_group(group, page.report, machine, language));
  }
}

}  // namespace

LabPage measured_page(const LabMeasurement& measurement, const device::Identity& gpu, const lab::RunOptions& options,
                      const Database& database, const std::string& taken, Language language) {
  LabPage page;
  page.profile = lab::make_profile(gpu, runs_of(measurement), taken);
  resolve_machines(page.profile, database);
  page.view.machine = gpu.name;
  page.view.driver = gpu.driver;
  show_runs(page, measurement, options, language);
  return page;
}

LabPage emulated_page(const LabMeasurement& measurement, const Machine& machine, const lab::RunOptions& options,
                      const std::string& taken, Language language) {
  LabPage page;
  device::Identity gpu;
  gpu.name = machine.name;
  page.profile = lab::make_profile(gpu, runs_of(measurement), taken);
  page.profile.devices.front().machine = machine;
  page.view.emulated = true;
  page.view.machine = machine.name;
  show_runs(page, measurement, options, language);
  return page;
}

Result<LabPage> paper_page(const std::vector<LabPlanGroup>& plan, const Machine& machine, Language language) {
  LabPage page;
  page.view.paper = true;
  page.view.machine = machine.name;
  page.view.machine_id = machine.id;
  std::vector<lab::Run> imagined;
  for (const LabPlanGroup& part : plan) {
    LabGroup group{part.ladder, part.sizes, {}, {}};
    std::vector<const lab::KernelDeclaration*> kernels;
    std::vector<lab::BoundKernel> bound;
    std::vector<Value<Bytes>> problems;
    for (const LabPlanStep& step : part.steps) {
      auto kernel = lab::bind_kernel(*step.kernel, step.sizes, sms_of(machine));
      if (!kernel) return fail(kernel.error());
      group.steps.push_back(paper_step(step, *kernel, machine, language));
      if (group.steps.back().time) imagined.push_back(imagined_run(*kernel, group.steps.back()));
      kernels.push_back(step.kernel);
      problems.push_back(kernel->work.bytes.dram);
      bound.push_back(*std::move(kernel));
    }
    link_steps(group.steps, kernels, language);
    add_speedups(group.steps, problems);
    add_story(group, bound, &machine, false);
    page.view.groups.push_back(std::move(group));
  }
  device::Identity gpu;
  gpu.name = machine.name;
  page.profile = lab::make_profile(gpu, imagined, "");
  page.profile.devices.front().machine = machine;
  page.report = analyse(page.profile, {RoofBasis::kDatasheet});
  return page;
}

std::vector<render::LabListEntry> lab_entries(Language language) {
  std::vector<render::LabListEntry> entries;
  for (const lab::KernelDeclaration& kernel : lab::kernels()) {
    render::LabListEntry entry{std::string(kernel.id),         std::string(kernel.ladder),
                               in(kernel.lesson, language),    "",
                               std::string(kernel.work.flops), ""};
    for (const lab::Parameter& parameter : kernel.parameters) {
      entry.parameters +=
          fmt::format("{}{}={}", entry.parameters.empty() ? "" : " ", parameter.name, parameter.initial);
      if (parameter.multiple > 1) entry.parameters += fmt::format(" (x{:.0f})", parameter.multiple);
    }
    entry.needs = fmt::format("sm_{}{}", kernel.capability, kernel.only_capability ? "a" : "");
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace ridge::cli
