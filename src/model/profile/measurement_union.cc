#include "model/profile/measurement_union.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "model/profile/represent.h"

namespace ridge {
namespace {

// A new Value must be listed below; these stop the build where one was added.
static_assert(sizeof(Execution) == 18 * sizeof(Value<double>) + sizeof(std::vector<StallReason>));
static_assert(sizeof(Conditions) == 8 * sizeof(Value<double>));

/// Calls f(a.field, b.field) for every Value of two measurements that is no part of `work.compute`.
template <class F, class A, class B>
void visit_values(F f, A& a, B& b) {
  visit_fields([&](std::string_view, auto& x, auto& y) { f(x, y); }, a.work, b.work);
  for (const auto field :
       {&Execution::achieved_occupancy, &Execution::theoretical_occupancy, &Execution::limit_registers,
        &Execution::limit_shared, &Execution::limit_warps, &Execution::limit_blocks, &Execution::limit_barriers,
        &Execution::waves_per_sm, &Execution::threads_per_instruction, &Execution::issue_active, &Execution::sm_active,
        &Execution::l1_hit_rate, &Execution::l2_hit_rate, &Execution::tensor_active, &Execution::compute_throughput,
        &Execution::memory_throughput, &Execution::dram_throughput, &Execution::l1_throughput}) {
    f(a.execution.*field, b.execution.*field);
  }
  for (const auto field : {&Conditions::sm_clock, &Conditions::l2_clock, &Conditions::dram_clock}) {
    f(a.conditions.*field, b.conditions.*field);
  }
  for (const auto field : {&Conditions::dram_peak, &Conditions::l2_peak}) f(a.conditions.*field, b.conditions.*field);
  for (const auto field : {&Conditions::l2_slices, &Conditions::fp32_fma_per_clock, &Conditions::fp64_fma_per_clock}) {
    f(a.conditions.*field, b.conditions.*field);
  }
}

template <class T>
Value<T> sampled(const Value<T>& value) {
  return value ? Value<T>(*value, combine(value.provenance(), Provenance::kSampled)) : value;
}

}  // namespace

void UnionReader::add(const Measurement& measurement, Provenance provenance) {
  for (const RawMetric& raw : measurement.raw) {
    values_.emplace(metrics_[raw.metric].name, Value<double>(raw.value, provenance));
  }
}

Value<double> UnionReader::get(std::string_view name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) return {};
  if (std::isnan(*found->second)) return Value<double>::missing("not a number");
  return found->second;
}

bool same_counters(const Measurement& a, const Measurement& b) {
  return a.raw.size() == b.raw.size() &&
         std::equal(a.raw.begin(), a.raw.end(), b.raw.begin(),
                    [](const RawMetric& x, const RawMetric& y) { return x.metric == y.metric; });
}

void add_raw(std::vector<RawMetric>& to, const std::vector<RawMetric>& from) {
  std::vector<RawMetric> both;
  both.reserve(to.size() + from.size());
  std::set_union(to.begin(), to.end(), from.begin(), from.end(), std::back_inserter(both),
                 [](const RawMetric& a, const RawMetric& b) { return a.metric < b.metric; });
  to = std::move(both);
}

void fill(Measurement& to, const Measurement& from) {
  const Work own = to.work;
  visit_values(
      [](auto& mine, const auto& theirs) {
        if (!mine && theirs) mine = sampled(theirs);
      },
      to, from);
  to.work.flops = own.flops;
  if (to.execution.stalls.empty()) to.execution.stalls = from.execution.stalls;
  if (to.hot_lines.empty()) to.hot_lines = from.hot_lines;
}

void make_sampled(Measurement& measurement) {
  visit_values([](auto& value, const auto&) { value = sampled(value); }, measurement, measurement);
  for (ComputeWork& part : measurement.work.compute) part.amount = sampled(part.amount);
}

bool is_representative(const Measurement& measurement) {
  bool any = false, own = false;
  const auto look = [&](const auto& value, const auto&) {
    any = any || value.has_value();
    own = own || (value.has_value() && value.provenance() < Provenance::kSampled);
  };
  visit_values(look, measurement, measurement);
  for (const ComputeWork& part : measurement.work.compute) look(part.amount, part.amount);
  return any && !own;
}

}  // namespace ridge
