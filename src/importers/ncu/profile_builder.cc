#include "importers/ncu/profile_builder.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "importers/ncu/launch_facts.h"
#include "model/metric/nvidia.h"
#include "model/profile/kernel_name.h"

namespace ridge::ncu {
namespace {

constexpr std::string_view kOverflow = "(metrics beyond the limit)";
constexpr std::string_view kNoName = "(no name)";
constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

/// The major or minor number of a compute capability; 0 for what cannot be one.
int capability_part(const Value<double>& stated) {
  const double number = stated.value_or(0);
  return number >= 0 && number < 100 ? static_cast<int>(number) : 0;
}

/// "9.0" as numbers; zeros when it is something else.
void parse_capability(std::string_view text, int& major, int& minor) {
  const char* const end = text.data() + text.size();
  const auto [dot, error] = std::from_chars(text.data(), end, major);
  if (error != std::errc() || dot == end || *dot != '.') return;
  std::from_chars(dot + 1, end, minor);
}

constexpr std::string_view kFlopCounters[] = {
    "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum.per_cycle_elapsed",
    "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum.per_cycle_elapsed",
    "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum",
    "sm__sass_thread_inst_executed_op_ffma_pred_on.sum.per_cycle_elapsed",
    "sm__sass_thread_inst_executed_op_ffma_pred_on.sum",
    "sm__sass_thread_inst_executed_op_dfma_pred_on.sum",
};
constexpr std::string_view kTimes[] = {"gpu__time_duration.sum", "gpu__time_duration.avg", "gpu__time_duration.max"};
constexpr std::string_view kDramCounters[] = {"dram__bytes.sum.per_second", "dram__bytes.sum", "dram__bytes_read.sum",
                                              "dram__bytes_op_read.sum", "dram__sectors_read.sum"};

}  // namespace

void sort_raw(std::vector<RawMetric>& raw) {
  const auto less = [](const RawMetric& a, const RawMetric& b) { return a.metric < b.metric; };
  if (!std::is_sorted(raw.begin(), raw.end(), less)) std::stable_sort(raw.begin(), raw.end(), less);
  const auto same = [](const RawMetric& a, const RawMetric& b) { return a.metric == b.metric; };
  raw.erase(std::unique(raw.begin(), raw.end(), same), raw.end());
}

/// One draft's counters by name; remembers what was asked for and could not be given.
class DraftReader final : public CounterReader {
 public:
  DraftReader(const ProfileBuilder& builder, const LaunchDraft& draft)
      : builder_(builder), draft_(draft), position_(builder.profile_.metrics.size(), kNone) {
    for (std::size_t i = 0; i < draft.raw.size(); ++i) position_[draft.raw[i].metric] = static_cast<std::uint32_t>(i);
  }

  Value<double> get(std::string_view name) const override {
    const auto found = builder_.metric_index_.find(name);
    if (found == builder_.metric_index_.end()) return {};
    const std::uint32_t metric = found->second;
    if (position_[metric] != kNone) {
      const double value = draft_.raw[position_[metric]].value;
      if (!(value < 0)) return {value, Provenance::kMeasured};
      if (!name.starts_with("device__attribute")) negatives_.push_back(metric);
      return Value<double>::missing("negative in the report");
    }
    if (is_not_a_number(name)) {
      not_numbers_.push_back(metric);
      return Value<double>::missing("not a number in the report");
    }
    const auto unknown = builder_.unknown_units_.find(metric);
    if (unknown == builder_.unknown_units_.end()) return {};
    builder_.wanted_unknown_.push_back(metric);
    return Value<double>::missing("its unit is not known");
  }
  /// Recorded, whether it can be used or not.
  [[nodiscard]] bool is_there(std::string_view name) const {
    const auto found = builder_.metric_index_.find(name);
    return found != builder_.metric_index_.end() && position_[found->second] != kNone;
  }
  [[nodiscard]] bool is_not_a_number(std::string_view name) const {
    const auto found = builder_.metric_index_.find(name);
    return found != builder_.metric_index_.end() &&
           std::find(draft_.not_numbers.begin(), draft_.not_numbers.end(), found->second) != draft_.not_numbers.end();
  }
  /// The metrics that were asked for in vain because nothing can be less than 0 of what they count.
  [[nodiscard]] const std::vector<std::uint32_t>& wanted_negatives() const {
    std::sort(negatives_.begin(), negatives_.end());
    negatives_.erase(std::unique(negatives_.begin(), negatives_.end()), negatives_.end());
    return negatives_;
  }
  /// How many different metrics were asked for in vain because they are not numbers.
  [[nodiscard]] std::size_t wanted_not_numbers() const {
    std::sort(not_numbers_.begin(), not_numbers_.end());
    not_numbers_.erase(std::unique(not_numbers_.begin(), not_numbers_.end()), not_numbers_.end());
    return not_numbers_.size();
  }

 private:
  const ProfileBuilder& builder_;
  const LaunchDraft& draft_;
  std::vector<std::uint32_t> position_;
  mutable std::vector<std::uint32_t> not_numbers_, negatives_;
};

std::uint32_t ProfileBuilder::metric(std::string_view name, std::string_view unit) {
  const auto found = metric_index_.find(name);
  if (found != metric_index_.end()) return found->second;
  if (profile_.metrics.size() == kMaxMetrics && name != kOverflow) return metric(kOverflow, "");
  const auto index = static_cast<std::uint32_t>(profile_.metrics.size());
  profile_.metrics.push_back({std::string(name), std::string(unit)});
  metric_index_.emplace(name, index);
  return index;
}

void ProfileBuilder::mark_unknown_unit(std::string_view name, std::string_view unit) {
  unknown_units_.emplace(metric(name, ""), unit);
}

LaunchDraft& ProfileBuilder::add(LaunchDraft draft) {
  return drafts_.emplace_back(std::move(draft));
}

void ProfileBuilder::put_not_a_number(LaunchDraft& draft, std::uint32_t metric) const {
  if (draft.not_numbers.size() < profile_.metrics.size() + kSlack) draft.not_numbers.push_back(metric);
}

void ProfileBuilder::issue(Severity severity, Message message) {
  profile_.issues.push_back({severity, std::move(message)});
}

std::uint32_t ProfileBuilder::kernel(const LaunchDraft& draft) {
  const std::string& full = draft.full_name.empty() ? draft.function_name : draft.full_name;
  std::string key = full.empty() ? draft.mangled_name : full;
  if (key.empty()) key = kNoName;
  const auto [found, is_new] =
      kernel_index_.emplace(key + '\0' + draft.mangled_name, static_cast<std::uint32_t>(profile_.kernels.size()));
  if (is_new) profile_.kernels.push_back({short_kernel_name(key), key, draft.mangled_name});
  return found->second;
}

std::uint32_t ProfileBuilder::device(const LaunchDraft& draft, const DraftReader& reader) {
  const auto number = [&](std::string_view name) {
    const Value<double> value = reader.get(name);
    return value ? std::to_string(*value) : std::string();
  };
  const std::string key = std::to_string(draft.device) + '|' + draft.device_name + '|' + draft.capability + '|' +
                          number("device__attribute_pci_bus_id") + '|' + number("device__attribute_pci_device_id") +
                          '|' + number("device__attribute_multiprocessor_count");
  const auto [found, is_new] = device_index_.emplace(key, static_cast<std::uint32_t>(profile_.devices.size()));
  if (!is_new) return found->second;
  Device device;
  device.index = draft.device;
  device.name = draft.device_name;
  device.attributes = attributes_of(reader);
  const Value<double> chip = reader.get("device__attribute_chip");
  if (chip && *chip > 0 && *chip < 65536) device.chip = chip_name(static_cast<int>(*chip));
  int major = 0, minor = 0;
  parse_capability(draft.capability, major, minor);
  DeviceAttributes& a = device.attributes;
  if (major > 0 && !a.compute_capability_major) {
    a.compute_capability_major = Value<double>(major, Provenance::kReported);
    a.compute_capability_minor = Value<double>(minor, Provenance::kReported);
  }
  profile_.devices.push_back(std::move(device));
  return found->second;
}

std::uint32_t ProfileBuilder::configuration(const Configuration& wanted) {
  const auto dims = [](const std::optional<Dim3>& dim) {
    const Dim3 d = dim.value_or(Dim3{0, 0, 0});
    return (d.x * std::uint64_t{0x9e3779b97f4a7c15} + d.y) * 0x100000001b3 + d.z;
  };
  std::vector<std::uint32_t>& alike = configuration_index_[dims(wanted.grid) * 31 + dims(wanted.block)];
  for (const std::uint32_t index : alike) {
    if (profile_.configurations[index] == wanted) return index;
  }
  alike.push_back(static_cast<std::uint32_t>(profile_.configurations.size()));
  profile_.configurations.push_back(wanted);
  return alike.back();
}

void ProfileBuilder::build(LaunchDraft& draft) {
  sort_raw(draft.raw);
  const DraftReader reader(*this, draft);
  Launch launch;
  launch.kernel = kernel(draft);
  launch.device = device(draft, reader);
  launch.source_id = draft.source_id;
  launch.process_id = draft.process_id;
  launch.context = draft.context;
  launch.stream = draft.stream;
  launch.start = Value<Seconds>::missing("the profiler replays kernels and records no start time");
  launch.duration = duration_of(reader);

  LaunchFacts facts;
  facts.configuration = configuration_of(reader, draft.grid, draft.block);
  facts.duration = launch.duration;
  facts.kernel_name = profile_.kernels[launch.kernel].full_name;
  const DeviceAttributes& attributes = profile_.devices[launch.device].attributes;
  facts.capability_major = capability_part(attributes.compute_capability_major);
  facts.capability_minor = capability_part(attributes.compute_capability_minor);
  Measurement measurement = measurement_from_nvidia(reader, facts);

  launch.configuration = configuration(facts.configuration);
  note_missing(draft, launch, measurement, reader);
  if (draft.raw.empty() && draft.hot_lines.empty()) {
    profile_.launches.push_back(launch);  // nothing was measured, so there is no measurement
    return;
  }
  measurement.raw = std::move(draft.raw);
  measurement.hot_lines = std::move(draft.hot_lines);
  launch.measurement = static_cast<std::uint32_t>(profile_.measurements.size());
  profile_.measurements.push_back(std::move(measurement));
  profile_.launches.push_back(launch);
}

void ProfileBuilder::note_missing(const LaunchDraft& draft, const Launch& launch, const Measurement& measurement,
                                  const DraftReader& reader) {
  const auto any = [&](const auto& names) {
    return std::any_of(std::begin(names), std::end(names),
                       [&](std::string_view name) { return reader.is_there(name) || reader.is_not_a_number(name); });
  };
  if (!draft.from_source_page && !launch.duration && !any(kTimes)) ++missing_.duration;
  if (!measurement.work.flops && !any(kFlopCounters)) ++missing_.flops;
  if (!draft.from_source_page && !measurement.work.bytes.dram && !any(kDramCounters)) ++missing_.dram;
  const std::size_t bad = reader.wanted_not_numbers();
  missing_.not_numbers += bad;
  if (bad > 0) ++missing_.launches_with_not_numbers;
  for (const std::uint32_t metric : reader.wanted_negatives()) {
    if (missing_.negatives++ == 0) missing_.first_negative = metric;
  }
}

void ProfileBuilder::report_missing() {
  const auto count = [](std::string name, std::size_t n) {
    return Argument{std::move(name), static_cast<double>(n), Unit::kCount};
  };
  const Argument command{"command", command_, Unit::kNone};
  const Argument all = count("launches", profile_.launches.size());
  if (missing_.flops > 0)
    issue(Severity::kNotice, Message("flops-not-collected", {count("missing", missing_.flops), all, command}));
  if (missing_.dram > 0)
    issue(Severity::kNotice, Message("dram-not-collected", {count("missing", missing_.dram), all, command}));
  if (missing_.duration > 0)
    issue(Severity::kNotice, Message("duration-not-collected", {count("missing", missing_.duration), all, command}));
  if (missing_.negatives > 0) {
    issue(Severity::kError,
          Message("values-negative", {count("values", missing_.negatives),
                                      {"metric", profile_.metrics[missing_.first_negative].name, Unit::kNone}}));
  }
  if (missing_.not_numbers > 0) {
    issue(Severity::kNotice,
          Message("values-not-numbers",
                  {count("values", missing_.not_numbers), count("missing", missing_.launches_with_not_numbers), all}));
  }
}

/// A unit that spoils only metrics nobody reads is worth a line; one that spoils a wanted metric stops the import.
void ProfileBuilder::report_unknown_units() {
  for (const auto& [metric, unit] : unknown_units_) {
    issue(Severity::kError, Message("unknown-unit", {{"unit", unit, Unit::kNone},
                                                     {"metric", profile_.metrics[metric].name, Unit::kNone}}));
  }
}

Result<Profile> ProfileBuilder::finish() {
  profile_.measurements.reserve(drafts_.size());
  profile_.launches.reserve(drafts_.size());
  for (LaunchDraft& draft : drafts_) build(draft);
  drafts_.clear();
  if (!wanted_unknown_.empty()) {
    const std::uint32_t metric = *std::min_element(wanted_unknown_.begin(), wanted_unknown_.end());
    return fail(bad_input("the unit \"" + unknown_units_[metric] + "\" of " + profile_.metrics[metric].name +
                              " is not known or does not fit it",
                          profile_.sources.front().path, "export the page again with --print-units base"));
  }
  report_unknown_units();
  report_missing();
  return std::move(profile_);
}

}  // namespace ridge::ncu
