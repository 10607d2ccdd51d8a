// Rules about bytes on their way: coalescing, bank conflicts, spills, reuse.
#include <algorithm>
#include <cmath>

#include "analysis/rules/context.h"

namespace ridge {
namespace {

constexpr double kSectorBytes = 32;

double ratio(const Value<double>& a, const Value<double>& b) {
  return a && b && *b > 0 ? *a / *b : 0;
}

/// The part of the L1 data stage's wavefronts that is not shared memory.
double global_part_of_l1(const AccessWork& access) {
  if (!access.l1_wavefronts || *access.l1_wavefronts <= 0) return 1;
  return std::clamp(1 - access.shared_wavefronts.value_or(0) / *access.l1_wavefronts, 0.0, 1.0);
}

/// DRAM bytes that only local memory can explain: writes beyond the global stores, as far as local stores are that
/// many. Reads are left alone: how many of them caches served is not known.
double dram_bytes_of_local(const Work& work) {
  if (!work.bytes.dram_write || !work.access.local_store_sectors || !work.access.global_store_sectors) return 0;
  const double beyond = work.bytes.dram_write->count() - *work.access.global_store_sectors * kSectorBytes;
  return std::clamp(beyond, 0.0, *work.access.local_store_sectors * kSectorBytes);
}

bool of_l1(std::string_view resource) {
  return resource == "l1" || resource == "shared" || resource == "load_store";
}

}  // namespace

/// Sectors that carry nothing asked for take L1, L2 and, unless a cache merges them, DRAM time. DRAM keeps at least the
/// bytes that were asked for, however few sectors remain.
std::optional<Finding> uncoalesced_access(const RuleContext& context) {
  const AccessWork& access = context.work().access;
  const Value<double> sectors = access.global_load_sectors + access.global_store_sectors;
  if (!access.excess_sectors || !sectors || *sectors <= 0 || *access.excess_sectors <= 0) return std::nullopt;
  const double share = std::min(*access.excess_sectors / *sectors, 1.0);
  const double useful_bytes = std::max(*sectors - *access.excess_sectors, 0.0) * kSectorBytes;
  const double dram = context.work().bytes.dram.value_or(Bytes(0)).count();
  const double dram_keeps = dram > 0 ? std::max(1 - share, std::min(1.0, useful_bytes / dram)) : 1;
  const double global = global_part_of_l1(access);
  const Seconds saving = context.saved_by_shrinking([&](std::string_view resource) {
    if (resource == "l2") return 1 - share;
    if (resource == "dram") return dram_keeps;
    return resource == "l1" ? 1 - share * global : 1;
  });
  return finding(context, "uncoalesced-access", saving,
                 {{"excess", *access.excess_sectors, Unit::kCount},
                  {"share", share, Unit::kRatio},
                  {"loads", ratio(access.global_load_sectors, access.global_load_requests), Unit::kNone},
                  {"stores", ratio(access.global_store_sectors, access.global_store_requests), Unit::kNone}});
}

/// Wavefronts beyond one conflict-free pass. The hardware's conflict counter serves where the exact excess is missing.
std::optional<Finding> bank_conflicts(const RuleContext& context) {
  const AccessWork& access = context.work().access;
  const Value<double>& excess =
      access.shared_wavefronts_excess ? access.shared_wavefronts_excess : access.shared_bank_conflicts;
  if (!excess || !access.shared_wavefronts || *excess <= 0 || *access.shared_wavefronts <= 0) return std::nullopt;
  const double share = std::min(*excess / *access.shared_wavefronts, 1.0);
  const double of_stage =
      access.l1_wavefronts && *access.l1_wavefronts > 0 ? std::min(*excess / *access.l1_wavefronts, 1.0) : share;
  const Seconds saving = context.saved_by_shrinking([&](std::string_view resource) {
    if (resource == "shared") return 1 - share;
    return resource == "l1" ? 1 - of_stage : 1;
  });
  double ways = std::max(ratio(access.shared_load_wavefronts, access.shared_load_instructions),
                         ratio(access.shared_store_wavefronts, access.shared_store_instructions));
  if (ways <= 0) ways = 1 / std::max(1 - share, 1.0 / 32);
  return finding(context, "bank-conflicts", saving,
                 {{"excess", *excess, Unit::kCount}, {"share", share, Unit::kRatio}, {"ways", ways, Unit::kFactor}});
}

/// Spilled registers and indexed local arrays go through the same stages as global memory.
std::optional<Finding> local_memory(const RuleContext& context) {
  const Work& work = context.work();
  const Value<double> local = work.access.local_load_sectors + work.access.local_store_sectors;
  const Value<Bytes>&l1 = work.bytes.l1, &dram = work.bytes.dram;
  if (!local || *local <= 0 || !l1 || *l1 <= Bytes(0)) return std::nullopt;
  const double bytes = *local * kSectorBytes;
  const double share = std::min(bytes / l1->count(), 1.0);
  const double global = global_part_of_l1(work.access);
  const double of_dram = dram && *dram > Bytes(0) ? std::min(dram_bytes_of_local(work) / dram->count(), 1.0) : 0;
  const Seconds saving = context.saved_by_shrinking([&](std::string_view resource) {
    if (resource == "dram") return 1 - of_dram;
    if (resource == "l2" || resource == "load_store") return 1 - share;
    return resource == "l1" ? 1 - share * global : 1;
  });
  return finding(context, "local-memory", saving, {{"bytes", bytes, Unit::kBytes}, {"share", share, Unit::kRatio}});
}

/// Every operand is fetched again for each use: the L1 data stage runs full while arithmetic waits. Keeping a tile of
/// results in registers uses each fetched value several times.
std::optional<Finding> operand_reuse(const RuleContext& context) {
  // A fused multiply-add of a warp is 64 FLOP; below a few of them per wavefront, operands come from L1 each time.
  constexpr double kFewFlopsPerWavefront = 256;
  // Less than this times DRAM's bytes through L1 leaves nothing to reuse.
  constexpr double kReuseExists = 4;
  const Work& work = context.work();
  if (!of_l1(context.binding().resource) || !work.flops || *work.flops <= Flops(0)) return std::nullopt;
  const ResourceTime* stage = context.time("l1");
  if (stage == nullptr || stage->amount_unit != Unit::kCount) return std::nullopt;
  const double excess = work.access.shared_wavefronts_excess.value_or(0);
  const double flops_per_wavefront = work.flops->count() / std::max(stage->amount - excess, 1.0);
  const double through_l1 = work.bytes.l1.value_or(Bytes(0)).count() + work.bytes.shared.value_or(Bytes(0)).count();
  const double dram = work.bytes.dram.value_or(Bytes(0)).count();
  if (flops_per_wavefront >= kFewFlopsPerWavefront || (dram > 0 && through_l1 < kReuseExists * dram)) {
    return std::nullopt;
  }
  // Conflicts and their cure have a finding of their own.
  const double unavoidable = stage->amount > 0 ? std::min(excess / stage->amount, 1.0) : 0;
  const Seconds saving =
      context.saved_by_shrinking([&](std::string_view resource) { return of_l1(resource) ? unavoidable : 1; });
  return finding(context, "operand-reuse", saving,
                 {{"flops_per_wavefront", flops_per_wavefront, Unit::kNone},
                  {"through_l1", through_l1, Unit::kBytes},
                  {"dram", dram, Unit::kBytes}});
}

/// L2 delivers the same lines to the SMs over and over.
std::optional<Finding> cache_reuse(const RuleContext& context) {
  constexpr double kManyTimes = 2;
  const Work& work = context.work();
  if (context.binding().resource != "l2" || !work.bytes.l2_read || !work.bytes.dram_read) return std::nullopt;
  const double times = work.bytes.l2_read->count() / std::max(work.bytes.dram_read->count(), 1.0);
  if (times < kManyTimes) return std::nullopt;
  const Seconds saving =
      context.saved_by_shrinking([&](std::string_view resource) { return resource == "l2" ? 1 / times : 1; });
  return finding(context, "cache-reuse", saving,
                 {{"times", times, Unit::kFactor},
                  {"l2_read", work.bytes.l2_read->count(), Unit::kBytes},
                  {"dram_read", work.bytes.dram_read->count(), Unit::kBytes}});
}

/// Bound by DRAM, yet below what streaming kernels reach there: too few bytes are under way at a time.
std::optional<Finding> bytes_in_flight(const RuleContext& context) {
  // Share of the pin rate that well-tuned streaming reaches: triad and dot of public benchmarks, 4.4 to 4.5 of 4.8 TB/s
  // on an H200; other cards are alike.
  constexpr double kReachable = 0.92;
  if (context.binding().resource != "dram" || !context.explained()) return std::nullopt;
  const double fraction = context.fraction();
  const Seconds saving = context.saved_above_roof(1 - fraction / kReachable);
  return finding(context, "bytes-in-flight", saving,
                 {{"rate", context.kernel().dram_per_s.value_or(BytesPerSecond(0)).count(), Unit::kBytesPerSecond},
                  {"fraction", fraction, Unit::kRatio},
                  {"reachable", kReachable, Unit::kRatio}});
}

}  // namespace ridge
