// What several measurements of like launches say together, value by value and counter by counter.
//
// Values taken from another launch are kSampled. FLOP are left to the caller: a total is only as good as the counters
// behind it, so it is converted anew from the counters of all (UnionReader).
#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/metric/nvidia.h"
#include "ridgepoint/model/profile.h"

namespace ridge {

/// Raw counters of several launches of one shape under their names: those of the first that has one.
class UnionReader final : public CounterReader {
 public:
  /// `metrics` outlives the reader.
  explicit UnionReader(const std::vector<MetricName>& metrics) : metrics_(metrics) {}

  void add(const Measurement& measurement, Provenance provenance);
  [[nodiscard]] Value<double> get(std::string_view name) const override;

 private:
  const std::vector<MetricName>& metrics_;
  std::unordered_map<std::string_view, Value<double>> values_;
};

/// Whether both hold the same counters, whatever their values.
[[nodiscard]] bool same_counters(const Measurement& a, const Measurement& b);

/// Adds the counters that `to` lacks; both are sorted by metric, and so is the result.
void add_raw(std::vector<RawMetric>& to, const std::vector<RawMetric>& from);

/// Values, stall reasons and lines that `to` lacks, except FLOP.
void fill(Measurement& to, const Measurement& from);

/// Every value as one of another launch.
void make_sampled(Measurement& measurement);

}  // namespace ridge
