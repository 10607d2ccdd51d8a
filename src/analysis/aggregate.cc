#include "analysis/aggregate.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "analysis/evidence.h"

namespace ridge {
namespace {

constexpr std::array kExecutionFields{&Execution::achieved_occupancy, &Execution::theoretical_occupancy,
                                      &Execution::waves_per_sm,       &Execution::threads_per_instruction,
                                      &Execution::issue_active,       &Execution::sm_active,
                                      &Execution::l1_hit_rate,        &Execution::l2_hit_rate,
                                      &Execution::tensor_active,      &Execution::compute_throughput,
                                      &Execution::memory_throughput,  &Execution::dram_throughput,
                                      &Execution::l1_throughput,      &Execution::limit_registers,
                                      &Execution::limit_shared,       &Execution::limit_warps,
                                      &Execution::limit_blocks,       &Execution::limit_barriers};

constexpr std::size_t kFields = kWorkFields + kExecutionFields.size();
using Fields = std::bitset<kFields>;

/// A launch and its evidence.
struct Item {
  const Launch* launch = nullptr;
  LaunchEvidence evidence;
};
using Items = std::vector<Item>;

Items items_of(const Profile& profile, const LaunchIndices& launches) {
  Items items;
  items.reserve(launches.size());
  for (const std::uint32_t index : launches) {
    const Launch& launch = profile.launches[index];
    const bool same = !items.empty() && launch.measurement == items.back().launch->measurement;
    // Launches that share a representative need not be looked through one by one.
    Item item{&launch, same ? items.back().evidence : evidence_of(profile, launch)};
    if (same) item.evidence.samples = usable_samples(profile, launch);
    items.push_back(item);
  }
  return items;
}

/// Which scalar fields of work and execution have a value. Samples count where they are all there is: what they add to
/// counters must not make the launches without them incomplete.
Fields present_fields(const LaunchEvidence& evidence) {
  Fields fields;
  Work work;
  if (evidence.counters == nullptr) {
    const SampledNumbers numbers = sampled_numbers(evidence);
    work.bytes.dram = numbers.dram, work.bytes.l2 = numbers.l2;
    work.bytes.dram_read = numbers.dram_read, work.bytes.dram_write = numbers.dram_write;
    work.instructions.warp_instructions = numbers.warp_instructions;
  }
  std::size_t index = 0;
  visit_fields([&](std::string_view, const auto& value) { fields.set(index++, value.has_value()); },
               evidence.counters == nullptr ? std::as_const(work) : evidence.counters->work);
  for (const auto field : kExecutionFields) {
    const bool has = evidence.counters == nullptr ? execution_field(evidence, field).has_value()
                                                  : (evidence.counters->execution.*field).has_value();
    fields.set(index++, has);
  }
  return fields;
}

bool has_any(const LaunchEvidence& evidence) {
  return evidence.counters != nullptr || evidence.samples != nullptr;
}

/// The fields of each item, those of a shared representative looked up once.
std::vector<Fields> fields_of(const Items& items) {
  std::vector<Fields> all;
  all.reserve(items.size());
  const Measurement* last = nullptr;
  for (const Item& item : items) {
    const Measurement* counters = item.evidence.counters;
    const bool same = counters != nullptr && counters == last;
    all.push_back(same ? all.back() : has_any(item.evidence) ? present_fields(item.evidence) : Fields());
    last = counters;
  }
  return all;
}

/// The fields that at least half of the launches with any evidence have.
Fields expected_fields(const std::vector<Fields>& all) {
  std::array<std::uint32_t, kFields> counts{};
  std::uint32_t with_any = 0;
  for (const Fields& fields : all) {
    if (fields.none()) continue;
    ++with_any;
    for (std::size_t i = 0; i < kFields; ++i) counts[i] += fields[i] ? 1 : 0;
  }
  Fields expected;
  for (std::size_t i = 0; i < kFields; ++i) expected.set(i, counts[i] > 0 && 2 * counts[i] >= with_any);
  return expected;
}

Items complete_items(const Items& items) {
  const std::vector<Fields> all = fields_of(items);
  const Fields expected = expected_fields(all);
  Items complete;
  if (expected.none()) return complete;
  const bool timed =
      std::any_of(items.begin(), items.end(), [](const Item& item) { return item.launch->duration.has_value(); });
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (timed && !items[i].launch->duration) continue;
    if ((all[i] & expected) == expected) complete.push_back(items[i]);
  }
  return complete;
}

/// Those that would have the traffic of another launch, unless all would.
void drop_others_traffic(Items& items) {
  const auto is_others = [](const Item& item) {
    return item.evidence.origin == CounterOrigin::kRepresentative && item.evidence.samples == nullptr;
  };
  if (!std::all_of(items.begin(), items.end(), is_others)) std::erase_if(items, is_others);
}

/// Each measurement once, with how many of the launches it speaks for, in the order of their first.
std::vector<std::pair<const Measurement*, std::size_t>> distinct_counters(const Items& items) {
  std::vector<std::pair<const Measurement*, std::size_t>> distinct;
  std::unordered_map<const Measurement*, std::size_t> places;
  for (const Item& item : items) {
    const auto [place, is_new] = places.emplace(item.evidence.counters, distinct.size());
    if (is_new) distinct.emplace_back(item.evidence.counters, 0);
    ++distinct[place->second].second;
  }
  return distinct;
}

Work missing_work(Reason reason) {
  Work work;
  visit_fields([&](std::string_view, auto& value) { value = std::decay_t<decltype(value)>::missing(reason); }, work);
  return work;
}

Work times(const Work& work, std::size_t count) {
  if (count == 1) return work;
  Work product = work;
  const double factor = static_cast<double>(count);
  visit_fields([&](std::string_view, auto& value) { value = value * factor; }, product);
  for (ComputeWork& part : product.compute) part.amount = part.amount * factor;
  return product;
}

/// Replaces the sums that some launches have from samples.
void add_samples(const Items& items, Work& sum) {
  SampledNumbers total;
  const auto add = [](auto& to, const auto& from, bool is_first) { to = is_first ? from : to + from; };
  for (std::size_t i = 0; i < items.size(); ++i) {
    const SampledNumbers each = sampled_numbers(items[i].evidence);
    add(total.dram, each.dram, i == 0);
    add(total.dram_read, each.dram_read, i == 0);
    add(total.dram_write, each.dram_write, i == 0);
    add(total.l2, each.l2, i == 0);
    add(total.warp_instructions, each.warp_instructions, i == 0);
    total.any = total.any || each.any;
  }
  if (!total.any) return;
  const auto take = [](auto& to, const auto& from) {
    if (from) to = from;
  };
  take(sum.bytes.dram, total.dram);
  take(sum.bytes.dram_read, total.dram_read);
  take(sum.bytes.dram_write, total.dram_write);
  take(sum.bytes.l2, total.l2);
  take(sum.instructions.warp_instructions, total.warp_instructions);
}

Work sum_of_work(const Profile& profile, const Items& items) {
  Work sum;
  bool is_first = true;
  for (const auto& [counters, count] : distinct_counters(items)) {
    const Work part = counters == nullptr ? missing_work(reason_for_no_evidence(profile, *items.front().launch))
                                          : times(counters->work, count);
    if (is_first) {
      sum = part;
    } else {
      sum += part;
    }
    is_first = false;
  }
  const bool any_samples =
      std::any_of(items.begin(), items.end(), [](const Item& item) { return item.evidence.samples != nullptr; });
  if (any_samples) add_samples(items, sum);
  return sum;
}

/// Mean of one field over launches, weighted by their durations; launches without the field do not count.
template <class T, class Get>
Value<T> weighted_mean(const Items& items, Get get) {
  double sum = 0, weights = 0;
  Value<T> result;
  for (const Item& item : items) {
    const Value<T> value = get(item.evidence);
    if (!value) {
      if (!result) result = value;
      continue;
    }
    const double weight = item.launch->duration ? item.launch->duration->count() : 0;
    if (items.size() == 1 || weight <= 0) {
      if (!result) result = value;
      continue;
    }
    if constexpr (std::is_same_v<T, double>) {
      sum += weight * *value;
    } else {
      sum += weight * value->count();
    }
    weights += weight;
    const bool is_weaker = result && weights > weight;  // the mean is as good as its weakest part
    result =
        Value<T>(T(sum / weights), is_weaker ? combine(result.provenance(), value.provenance()) : value.provenance());
  }
  return result;
}

std::vector<StallReason> mean_stalls(const Items& items) {
  std::vector<StallReason> sums;
  double weights = 0;
  for (const Item& item : items) {
    if (item.evidence.counters == nullptr) continue;
    const Launch& launch = *item.launch;
    const double weight = launch.duration && *launch.duration > Seconds(0) ? launch.duration->count() : 1;
    weights += weight;
    for (const StallReason& stall : item.evidence.counters->execution.stalls) {
      const auto same =
          std::find_if(sums.begin(), sums.end(), [&](const StallReason& sum) { return sum.name == stall.name; });
      if (same == sums.end()) {
        sums.push_back({stall.name, weight * stall.warps_per_issue});
      } else {
        same->warps_per_issue += weight * stall.warps_per_issue;
      }
    }
  }
  for (StallReason& stall : sums) stall.warps_per_issue /= weights;
  return sums;
}

Execution mean_execution(const Items& items) {
  Execution mean;
  for (const auto field : kExecutionFields) {
    mean.*field = weighted_mean<double>(
        items, [field](const LaunchEvidence& evidence) { return execution_field(evidence, field); });
  }
  mean.stalls = mean_stalls(items);
  return mean;
}

template <class T>
void mean_condition(const Items& items, Conditions& mean, Value<T> Conditions::*field) {
  mean.*field = weighted_mean<T>(items, [field](const LaunchEvidence& evidence) {
    return evidence.counters == nullptr ? Value<T>() : evidence.counters->conditions.*field;
  });
}

Conditions mean_conditions(const Items& items, const Value<Hertz>& running_clock) {
  Conditions mean;
  for (const auto field : {&Conditions::sm_clock, &Conditions::l2_clock, &Conditions::dram_clock}) {
    mean_condition(items, mean, field);
  }
  for (const auto field : {&Conditions::dram_peak, &Conditions::l2_peak}) {
    mean_condition(items, mean, field);
  }
  for (const auto field : {&Conditions::l2_slices, &Conditions::fp32_fma_per_clock, &Conditions::fp64_fma_per_clock}) {
    mean_condition(items, mean, field);
  }
  if (!mean.sm_clock && running_clock) mean.sm_clock = running_clock;
  return mean;
}

KernelEvidence evidence_of_sum(const Items& items) {
  KernelEvidence sum;
  sum.uncertainty = Value<double>::missing("no launch has samples");
  double seconds = 0, shared = 0;
  for (const Item& item : items) {
    const LaunchEvidence& evidence = item.evidence;
    if (evidence.origin == CounterOrigin::kOwn) ++sum.measured;
    if (evidence.origin == CounterOrigin::kRepresentative) ++sum.represented;
    if (evidence.samples == nullptr || !sampled_numbers(evidence).any) continue;
    ++sum.sampled;
    const double weight = item.launch->duration ? item.launch->duration->count() : 0;
    seconds += weight;
    shared += weight * static_cast<double>(evidence.samples->uncertainty);
  }
  if (seconds > 0) sum.uncertainty = Value<double>(shared / seconds, Provenance::kSampled);
  return sum;
}

Value<Seconds> sum_of_durations(const Items& items) {
  Value<Seconds> sum;
  for (const Item& item : items) {
    const Value<Seconds>& duration = item.launch->duration;
    if (duration) sum = sum ? sum + duration : duration;
  }
  return sum;
}

void fill_durations(const Items& items, Aggregate& result) {
  std::vector<Seconds> durations;
  durations.reserve(items.size());
  Value<Seconds> first;
  for (const Item& item : items) {
    const Value<Seconds>& duration = item.launch->duration;
    if (!first) first = duration;
    if (duration) durations.push_back(*duration);
  }
  result.without_duration = static_cast<std::uint32_t>(items.size() - durations.size());
  result.duration = sum_of_durations(items);
  if (durations.empty()) {
    result.duration = result.duration_min = result.duration_median = result.duration_max = first;
    return;
  }
  std::sort(durations.begin(), durations.end());
  const std::size_t middle = durations.size() / 2;
  const Seconds median =
      durations.size() % 2 == 1 ? durations[middle] : (durations[middle - 1] + durations[middle]) / 2.0;
  const Provenance provenance = result.duration.provenance();
  result.duration_min = Value<Seconds>(durations.front(), provenance);
  result.duration_median = Value<Seconds>(median, provenance);
  result.duration_max = Value<Seconds>(durations.back(), provenance);
}

/// Nothing to add up, but why is worth saying: what the first launch's counters say, or the recording.
void fill_reasons(const Profile& profile, const Launch& first, Aggregate& result) {
  if (const Measurement* counters = measurement_of(profile, first)) {
    result.work = counters->work;
  } else if (recording_of(profile, first) != nullptr) {
    const Reason reason = reason_for_no_evidence(profile, first);
    result.work = missing_work(reason);
    for (const auto field : kExecutionFields) result.execution.*field = Value<double>::missing(reason);
  }
  result.measured_duration = Value<Seconds>::missing("no launch has counters");
}

}  // namespace

std::vector<LaunchIndices> group_launches(const Profile& profile) {
  const auto key = [&](std::uint32_t index) {
    const Launch& launch = profile.launches[index];
    return std::tuple(launch.kernel, launch.configuration, launch.device);
  };
  LaunchIndices order(profile.launches.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  std::vector<LaunchIndices> groups;
  for (const std::uint32_t index : order) {
    if (groups.empty() || key(groups.back().front()) != key(index)) groups.emplace_back();
    groups.back().push_back(index);
  }
  std::sort(groups.begin(), groups.end(),
            [](const LaunchIndices& a, const LaunchIndices& b) { return a.front() < b.front(); });
  return groups;
}

Aggregate aggregate(const Profile& profile, const LaunchIndices& launches, const Value<Hertz>& running_clock,
                    Traffic traffic) {
  Aggregate result;
  const Items items = items_of(profile, launches);
  fill_durations(items, result);
  Items complete = complete_items(items);
  if (traffic == Traffic::kOwn) drop_others_traffic(complete);
  if (complete.empty()) {
    fill_reasons(profile, profile.launches[launches.front()], result);
    return result;
  }
  result.work = sum_of_work(profile, complete);
  result.execution = mean_execution(complete);
  result.conditions = mean_conditions(complete, running_clock);
  result.evidence = evidence_of_sum(complete);
  result.measured = static_cast<std::uint32_t>(complete.size());
  result.without_counters = static_cast<std::uint32_t>(launches.size() - complete.size());
  result.measured_duration = sum_of_durations(complete);
  return result;
}

}  // namespace ridge
