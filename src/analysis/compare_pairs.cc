#include "analysis/compare_pairs.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <type_traits>

namespace ridge {
namespace {

/// FLOP counts of the same problem differ by bookkeeping at most.
constexpr double kSameFlops = 1e-3;
/// DRAM traffic of the same problem: write-back and prefetching differ between implementations.
constexpr double kSameDram = 0.25;
/// Below this there is nothing to explain.
constexpr double kLeastFactor = 1.05;
/// Wavefront excess or sector excess is the story from this factor on.
constexpr double kMuchMore = 1.5;
constexpr std::size_t kMostPairs = 20;

double per_launch(double sum, const ReportKernel& kernel) {
  return kernel.measured_launches > 0 ? sum / kernel.measured_launches : 0;
}

/// One measured launch's worth of what pairs are matched and explained by.
struct Portrait {
  const ReportKernel* kernel;
  double seconds, flops, dram, l1, l2, shared_excess, excess_sectors, threads;
};

template <class T>
double amount(const Value<T>& value, const ReportKernel& kernel) {
  if constexpr (std::is_same_v<T, double>) {
    return per_launch(value.value_or(0), kernel);
  } else {
    return per_launch(value.value_or(T(0)).count(), kernel);
  }
}

/// L1 traffic as a whole: what passes the tag stage, and shared memory, which has a data path of its own.
Portrait portrait(const ReportKernel& kernel) {
  const Work& work = kernel.work;
  const Configuration& configuration = kernel.configuration;
  return {&kernel,
          amount(kernel.measured_duration, kernel),
          amount(work.flops, kernel),
          amount(work.bytes.dram, kernel),
          amount(work.bytes.l1, kernel),
          amount(work.bytes.l2, kernel),
          amount(work.access.shared_wavefronts_excess, kernel),
          amount(work.access.excess_sectors, kernel),
          (configuration.blocks() * configuration.threads_per_block()).value_or(0)};
}

bool comparable(const ReportKernel& kernel) {
  return kernel.measured_duration && kernel.measured_launches > 0 && kernel.work.flops && kernel.work.bytes.dram &&
         *kernel.work.bytes.dram > Bytes(0);
}

bool close(double a, double b, double tolerance) {
  return std::abs(a - b) <= tolerance * std::max(a, b);
}

bool same_problem(const Portrait& a, const Portrait& b) {
  if (a.kernel->machine != b.kernel->machine || !close(a.flops, b.flops, kSameFlops)) return false;
  // Without arithmetic to tell problems apart, the same number of threads must do it.
  if (a.flops == 0 && (a.threads == 0 || a.threads != b.threads)) return false;
  return close(a.dram, b.dram, kSameDram) && a.kernel->full_name != b.kernel->full_name;
}

const MemoryLevel* l2_of(const ReportMachine& machine) {
  return find_level(machine.machine, Level::kL2);
}

/// Instances of one template share their short name; then the full ones are needed to tell them apart.
std::vector<Argument> common_arguments(const Portrait& slow, const Portrait& fast) {
  const bool alike = slow.kernel->name == fast.kernel->name;
  return {{"slower", alike ? slow.kernel->full_name : slow.kernel->name, Unit::kNone},
          {"faster", alike ? fast.kernel->full_name : fast.kernel->name, Unit::kNone},
          {"factor", slow.seconds / fast.seconds, Unit::kFactor},
          {"dram_slower", slow.dram, Unit::kBytes},
          {"dram_faster", fast.dram, Unit::kBytes}};
}

/// The kind of arithmetic that most of a kernel's operations are.
std::string unit_of(const ReportKernel& kernel) {
  const ComputeWork* most = nullptr;
  for (const ComputeWork& part : kernel.work.compute) {
    if (part.amount && (most == nullptr || *part.amount > *most->amount)) most = &part;
  }
  return most == nullptr ? "" : short_name(most->key);
}

/// Whether `excess` is at least a quarter of `all`: less is not the story.
bool is_large_part(double excess, const Value<double>& all, const ReportKernel& kernel) {
  constexpr double kLargePart = 0.25;
  const double whole = amount(all, kernel);
  return excess > 0 && excess >= kLargePart * whole;
}

bool conflicts_explain(const Portrait& slow, const Portrait& fast) {
  return slow.shared_excess > kMuchMore * fast.shared_excess &&
         is_large_part(slow.shared_excess, slow.kernel->work.access.l1_wavefronts, *slow.kernel);
}

bool sectors_explain(const Portrait& slow, const Portrait& fast) {
  const AccessWork& access = slow.kernel->work.access;
  return slow.excess_sectors > kMuchMore * fast.excess_sectors &&
         is_large_part(slow.excess_sectors, access.global_load_sectors + access.global_store_sectors, *slow.kernel);
}

/// Picks what the two really differ in, from the arithmetic unit down the levels.
Message explain(const Portrait& slow, const Portrait& fast, const ReportMachine& machine) {
  std::vector<Argument> arguments = common_arguments(slow, fast);
  const auto add = [&](const char* name, double value, Unit unit) { arguments.push_back({name, value, unit}); };
  const std::string slow_unit = unit_of(*slow.kernel), fast_unit = unit_of(*fast.kernel);
  if (slow_unit != fast_unit) {
    arguments.push_back({"where", slow_unit, Unit::kNone});
    arguments.push_back({"nearest", fast_unit, Unit::kNone});
    return Message("comparison.other-unit", std::move(arguments));
  }
  if (conflicts_explain(slow, fast)) {
    add("excess", slow.shared_excess - fast.shared_excess, Unit::kCount);
    return Message("comparison.bank-conflicts", std::move(arguments));
  }
  if (sectors_explain(slow, fast)) {
    add("excess", slow.excess_sectors - fast.excess_sectors, Unit::kCount);
    return Message("comparison.uncoalesced", std::move(arguments));
  }
  if (slow.l1 > 0 && fast.l1 > 0 && slow.l1 > kMuchMore * fast.l1) {
    add("l1_slower", slow.l1, Unit::kBytes);
    add("l1_faster", fast.l1, Unit::kBytes);
    add("l1_factor", slow.l1 / fast.l1, Unit::kFactor);
    const MemoryLevel* l2 = l2_of(machine);
    if (l2 != nullptr && l2->capacity && std::max(slow.dram, fast.dram) <= l2->capacity->count()) {
      add("l2_capacity", l2->capacity->count(), Unit::kBytes);
      return Message("comparison.l1-traffic-in-l2", std::move(arguments));
    }
    return Message("comparison.l1-traffic", std::move(arguments));
  }
  arguments.push_back({"where", slow.kernel->roof.resource, Unit::kNone});
  arguments.push_back({"nearest", fast.kernel->roof.resource, Unit::kNone});
  return Message("comparison.same-work", std::move(arguments));
}

struct Pair {
  const Portrait* slow;
  const Portrait* fast;
};

/// Within a run of equal problems, each against the fastest: n - 1 pairs, not n squared.
void pair_up(std::vector<const Portrait*>& group, std::vector<Pair>& pairs) {
  const auto fastest = std::min_element(group.begin(), group.end(),
                                        [](const Portrait* a, const Portrait* b) { return a->seconds < b->seconds; });
  for (const Portrait* portrait : group) {
    if (portrait->seconds > kLeastFactor * (*fastest)->seconds && same_problem(*portrait, **fastest)) {
      pairs.push_back({portrait, *fastest});
    }
  }
}

}  // namespace

std::vector<Comparison> compare_pairs(const std::vector<ReportKernel>& kernels,
                                      const std::vector<ReportMachine>& machines) {
  std::vector<Portrait> portraits;
  for (const ReportKernel& kernel : kernels) {
    if (comparable(kernel)) portraits.push_back(portrait(kernel));
  }
  std::stable_sort(portraits.begin(), portraits.end(), [](const Portrait& a, const Portrait& b) {
    return std::tuple(a.kernel->machine, a.flops, a.flops == 0 ? a.threads : 0, a.dram) <
           std::tuple(b.kernel->machine, b.flops, b.flops == 0 ? b.threads : 0, b.dram);
  });
  std::vector<Pair> pairs;
  std::vector<const Portrait*> group;
  for (const Portrait& portrait : portraits) {
    if (!group.empty() && !close(group.front()->dram, portrait.dram, kSameDram)) {
      pair_up(group, pairs);
      group.clear();
    } else if (!group.empty() && !close(group.front()->flops, portrait.flops, kSameFlops)) {
      pair_up(group, pairs);
      group.clear();
    }
    group.push_back(&portrait);
  }
  if (!group.empty()) pair_up(group, pairs);
  std::stable_sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) {
    return a.slow->seconds - a.fast->seconds > b.slow->seconds - b.fast->seconds;
  });
  if (pairs.size() > kMostPairs) pairs.resize(kMostPairs);
  std::vector<Comparison> result;
  for (const Pair& pair : pairs) {
    result.push_back({pair.slow->kernel->id, pair.fast->kernel->id,
                      explain(*pair.slow, *pair.fast, machines[pair.slow->kernel->machine])});
  }
  return result;
}

}  // namespace ridge
