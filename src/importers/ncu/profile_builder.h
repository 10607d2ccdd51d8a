// Collects launches with their raw counters, from any page or container, and turns them into a Profile: shared tables,
// configurations, device attributes, measurements, and the issues that concern every format alike.
//
// Launches stay drafts until finish(), because pages of one run may follow each other in a file and add to the same
// launch. A draft costs what its part of the profile costs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ridgepoint/base/result.h"
#include "ridgepoint/model/profile.h"

namespace ridge::ncu {

struct LaunchDraft {
  std::string full_name;  ///< demangled if known
  std::string function_name, mangled_name;
  std::optional<Dim3> grid, block;
  std::uint64_t source_id = 0, process_id = 0, context = 0, stream = 0;
  std::int64_t device = 0;
  std::string capability;   ///< "9.0", from a CSV column
  std::string device_name;  ///< device__attribute_display_name
  std::vector<RawMetric> raw;
  std::vector<std::uint32_t> not_numbers;  ///< metrics whose value was NaN, n/a or empty
  std::vector<HotLine> hot_lines;
  bool from_source_page = false;  ///< only counters per instruction: no time
};

/// Hash that lets a table of strings be searched with a view.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};
template <class T>
using TextMap = std::unordered_map<std::string, T, TextHash, std::equal_to<>>;

/// Sorts by metric and keeps the first value of each.
void sort_raw(std::vector<RawMetric>& raw);

class ProfileBuilder {
 public:
  explicit ProfileBuilder(Source source) { profile_.sources.push_back(std::move(source)); }

  /// Index of a metric; the unit of its first mention stays.
  std::uint32_t metric(std::string_view name, std::string_view unit);
  /// Values of this metric cannot be converted. If the analysis wants it, finish() fails and names the unit.
  void mark_unknown_unit(std::string_view name, std::string_view unit);

  LaunchDraft& add(LaunchDraft draft);
  /// Adds a value; the first of a metric stays. A metric repeated without end does not fill the memory.
  void put(LaunchDraft& draft, std::uint32_t metric, double value) const {
    if (draft.raw.size() > 2 * profile_.metrics.size() + kSlack) sort_raw(draft.raw);
    draft.raw.push_back({metric, value});
  }
  /// The metric was there and held no number.
  void put_not_a_number(LaunchDraft& draft, std::uint32_t metric) const;
  [[nodiscard]] std::vector<LaunchDraft>& drafts() { return drafts_; }
  void issue(Severity severity, Message message);
  [[nodiscard]] Source& source() { return profile_.sources.front(); }
  /// How to collect what is missing; `{set}` stands for the options to add.
  void set_command(std::string command) { command_ = std::move(command); }
  [[nodiscard]] bool empty() const { return drafts_.empty(); }
  /// A hundred times more than a profiler records in a day; beyond it a small file could ask for all memory.
  [[nodiscard]] bool full() const { return drafts_.size() >= kMaxLaunches; }
  static constexpr std::size_t kMaxLaunches = 1'000'000;
  static constexpr std::size_t kSlack = 1024;
  static constexpr std::size_t kMaxMetrics = std::size_t{1} << 20;

  [[nodiscard]] Result<Profile> finish();

 private:
  friend class DraftReader;

  void build(LaunchDraft& draft);
  std::uint32_t kernel(const LaunchDraft& draft);
  std::uint32_t configuration(const Configuration& wanted);
  std::uint32_t device(const LaunchDraft& draft, const class DraftReader& reader);
  void note_missing(const LaunchDraft& draft, const Launch& launch, const Measurement& measurement,
                    const class DraftReader& reader);
  void report_missing();
  void report_unknown_units();

  Profile profile_;
  std::vector<LaunchDraft> drafts_;
  TextMap<std::uint32_t> metric_index_;
  TextMap<std::uint32_t> kernel_index_;
  TextMap<std::uint32_t> device_index_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> configuration_index_;  ///< by a hash of the dimensions
  std::unordered_map<std::uint32_t, std::string> unknown_units_;                       ///< by metric
  mutable std::vector<std::uint32_t> wanted_unknown_;                                  ///< those the analysis asked for
  std::string command_;

  struct Missing {
    std::size_t flops = 0, dram = 0, duration = 0, not_numbers = 0, launches_with_not_numbers = 0, negatives = 0;
    std::uint32_t first_negative = 0;
  } missing_;
};

}  // namespace ridge::ncu
