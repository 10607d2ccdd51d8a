#include "analysis/compare_pairs.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <type_traits>
#include <utility>

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
  double seconds, flops, dram;
  double l1;                 ///< bytes of global and local memory through the tag stage
  double wavefronts;         ///< of the L1 data stage, which serves shared memory too
  double shared_wavefronts;  ///< those of shared memory
  double shared_excess, excess_sectors, threads;
};

template <class T>
double amount(const Value<T>& value, const ReportKernel& kernel) {
  if constexpr (std::is_same_v<T, double>) {
    return per_launch(value.value_or(0), kernel);
  } else {
    return per_launch(value.value_or(T(0)).count(), kernel);
  }
}

Portrait portrait(const ReportKernel& kernel) {
  const Work& work = kernel.work;
  const Configuration& configuration = kernel.configuration;
  return {&kernel,
          amount(kernel.measured_duration, kernel),
          amount(work.flops, kernel),
          amount(work.bytes.dram, kernel),
          amount(work.bytes.l1, kernel),
          amount(work.access.l1_wavefronts, kernel),
          amount(work.access.shared_wavefronts, kernel),
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

const MemoryLevel* l2_of(const ReportMachine& machine) {
  return find_level(machine.machine, Level::kL2);
}

std::vector<Argument> common_arguments(const Portrait& slow, const Portrait& fast) {
  return {{"slower", slow.kernel->id, Unit::kNone},
          {"faster", fast.kernel->id, Unit::kNone},
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

/// Whether the data of both fit into L2, so that neither moves its operands through DRAM more than once.
bool is_held_by_l2(const Portrait& slow, const Portrait& fast, const MemoryLevel* l2) {
  return l2 != nullptr && l2->capacity && std::max(slow.dram, fast.dram) <= l2->capacity->count();
}

/// Fewer bytes through L1's tag stage. Where reads moved to shared memory they still pass the data stage, and its
/// wavefronts say what was really saved.
Message explain_l1(const Portrait& slow, const Portrait& fast, const MemoryLevel* l2) {
  std::vector<Argument> arguments = common_arguments(slow, fast);
  const auto add = [&](const char* name, double value, Unit unit) { arguments.push_back({name, value, unit}); };
  add("l1_slower", slow.l1, Unit::kBytes);
  add("l1_faster", fast.l1, Unit::kBytes);
  add("l1_factor", slow.l1 / fast.l1, Unit::kFactor);
  const bool in_l2 = is_held_by_l2(slow, fast, l2);
  if (in_l2) add("l2_capacity", l2->capacity->count(), Unit::kBytes);
  const bool moved =
      slow.wavefronts > 0 && fast.wavefronts > 0 && fast.shared_wavefronts > kMuchMore * slow.shared_wavefronts;
  if (!moved) return Message(in_l2 ? "comparison.l1-traffic-in-l2" : "comparison.l1-traffic", std::move(arguments));
  add("wavefronts_slower", slow.wavefronts, Unit::kCount);
  add("wavefronts_faster", fast.wavefronts, Unit::kCount);
  add("wavefront_factor", slow.wavefronts / fast.wavefronts, Unit::kFactor);
  add("shared_share", std::min(fast.shared_wavefronts / fast.wavefronts, 1.0), Unit::kRatio);
  return Message(in_l2 ? "comparison.moved-to-shared-in-l2" : "comparison.moved-to-shared", std::move(arguments));
}

/// Nothing that was counted tells the two apart; what each is nearest to does.
Message explain_same_work(const Portrait& slow, const Portrait& fast) {
  std::vector<Argument> arguments = common_arguments(slow, fast);
  const RoofPlacement &slow_roof = slow.kernel->roof, &fast_roof = fast.kernel->roof;
  arguments.push_back({"where", slow_roof.resource, Unit::kNone});
  if (slow_roof.resource != fast_roof.resource) {
    arguments.push_back({"nearest", fast_roof.resource, Unit::kNone});
    return Message("comparison.same-work", std::move(arguments));
  }
  if (!slow_roof.fraction || !fast_roof.fraction) return Message("comparison.unexplained", std::move(arguments));
  arguments.push_back({"fraction_slower", *slow_roof.fraction, Unit::kRatio});
  arguments.push_back({"fraction_faster", *fast_roof.fraction, Unit::kRatio});
  return Message("comparison.same-limit", std::move(arguments));
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
  if (slow.l1 > 0 && fast.l1 > 0 && slow.l1 > kMuchMore * fast.l1) return explain_l1(slow, fast, l2_of(machine));
  if (fast.wavefronts > 0 && slow.wavefronts > kMuchMore * fast.wavefronts) {
    add("wavefronts_slower", slow.wavefronts, Unit::kCount);
    add("wavefronts_faster", fast.wavefronts, Unit::kCount);
    add("wavefront_factor", slow.wavefronts / fast.wavefronts, Unit::kFactor);
    return Message("comparison.wavefronts", std::move(arguments));
  }
  return explain_same_work(slow, fast);
}

struct Pair {
  const Portrait* slow;
  const Portrait* fast;
};

using Group = std::vector<const Portrait*>;

/// Splits a group where an entry, in the order of `value`, is no longer within `tolerance` of its part's first.
std::vector<Group> split(Group group, double Portrait::*value, double tolerance) {
  std::stable_sort(group.begin(), group.end(),
                   [value](const Portrait* a, const Portrait* b) { return a->*value < b->*value; });
  std::vector<Group> parts;
  for (const Portrait* portrait : group) {
    if (parts.empty() || !close(parts.back().front()->*value, portrait->*value, tolerance)) parts.emplace_back();
    parts.back().push_back(portrait);
  }
  return parts;
}

/// Groups of one problem: one file and machine, equal arithmetic, and of these equal DRAM traffic. Without arithmetic
/// to tell problems apart, the same number of threads must do it.
std::vector<Group> problems(const std::vector<Portrait>& portraits) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, Group> places;
  for (const Portrait& portrait : portraits) {
    places[{portrait.kernel->source, portrait.kernel->machine}].push_back(&portrait);
  }
  std::vector<Group> result;
  for (const auto& [place, all] : places) {
    for (const Group& same_flops : split(all, &Portrait::flops, kSameFlops)) {
      const bool idle = same_flops.front()->flops == 0;
      for (const Group& same_size : idle ? split(same_flops, &Portrait::threads, 0) : std::vector<Group>{same_flops}) {
        if (idle && same_size.front()->threads == 0) continue;
        for (Group& problem : split(same_size, &Portrait::dram, kSameDram)) result.push_back(std::move(problem));
      }
    }
  }
  return result;
}

/// Within a group of equal problems, each against the fastest: n - 1 pairs, not n squared.
void pair_up(const Group& group, std::vector<Pair>& pairs) {
  const Portrait* fastest = *std::min_element(
      group.begin(), group.end(), [](const Portrait* a, const Portrait* b) { return a->seconds < b->seconds; });
  for (const Portrait* portrait : group) {
    const bool slower = portrait->seconds > kLeastFactor * fastest->seconds;
    if (slower && portrait->kernel->full_name != fastest->kernel->full_name) pairs.push_back({portrait, fastest});
  }
}

}  // namespace

std::vector<Comparison> compare_pairs(const std::vector<ReportKernel>& kernels,
                                      const std::vector<ReportMachine>& machines) {
  std::vector<Portrait> portraits;
  for (const ReportKernel& kernel : kernels) {
    if (comparable(kernel)) portraits.push_back(portrait(kernel));
  }
  std::vector<Pair> pairs;
  for (const Group& problem : problems(portraits)) pair_up(problem, pairs);
  std::stable_sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) {
    return a.slow->seconds - a.fast->seconds > b.slow->seconds - b.fast->seconds;
  });
  if (pairs.size() > kMostPairs) pairs.resize(kMostPairs);
  std::vector<Comparison> result;
  result.reserve(pairs.size());
  for (const Pair& pair : pairs) {
    result.push_back({pair.slow->kernel->id, pair.fast->kernel->id,
                      explain(*pair.slow, *pair.fast, machines[pair.slow->kernel->machine])});
  }
  return result;
}

}  // namespace ridge
