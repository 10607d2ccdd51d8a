// Barriers of a block and of a cluster.
#include <array>

#include "emulator/exec/block.h"
#include "emulator/exec/families.h"

namespace ridge::emulator {
namespace {

enum class Kind : std::uint8_t { kSync, kArrive, kAnd, kOr, kCount };

struct BarrierDetail {
  Kind kind = Kind::kSync;
  bool aligned = true;
  bool counts = false;  ///< the number of threads is given
  Slot number = kNoSlot, threads = kNoSlot, predicate = kNoSlot, result = kNoSlot;
};

const BarrierDetail& detail_of(const Step& step) {
  return *static_cast<const BarrierDetail*>(step.detail);
}

// Lanes that do not come with their warp: an aligned barrier needs all of them.
void check_convergence(Warp& warp, const Step& step, const BarrierDetail& detail, Mask mask) {
  if (!detail.aligned || mask == warp.live()) return;
  raise(warp, step, FaultKind::kDivergentBarrier, static_cast<std::uint32_t>(__builtin_ctz(mask)),
        ptx::Space::kRegister, 0, 0,
        std::to_string(__builtin_popcount(mask)) + " of " + std::to_string(__builtin_popcount(warp.live())) +
            " threads of the warp came to it together");
}

bool find_barrier(Warp& warp, const Step& step, const BarrierDetail& detail, Mask mask, std::uint32_t& number,
                  std::uint32_t& threads) {
  const auto lane = static_cast<std::uint32_t>(__builtin_ctz(mask));
  number = warp.word(detail.number)[lane];
  threads = detail.counts ? warp.word(detail.threads)[lane] : 0;
  constexpr std::uint32_t kBarriers = 16;
  if (number < kBarriers && (!detail.counts || (threads != 0 && threads % kLanes == 0))) return true;
  raise(warp, step, FaultKind::kBadOperand, lane, ptx::Space::kRegister, number < kBarriers ? threads : number, 0,
        "barriers are 0 to 15, and threads a multiple of 32");
  return false;
}

void barrier_step(Warp& warp, const Step& step, Mask mask) {
  const BarrierDetail& detail = detail_of(step);
  std::uint32_t number = 0, threads = 0;
  if (!find_barrier(warp, step, detail, mask, number, threads)) return;
  check_convergence(warp, step, detail, mask);
  Block& block = *warp.block;
  if (detail.kind == Kind::kArrive) {
    return block.arrive_at(number, threads, static_cast<std::uint32_t>(__builtin_popcount(mask)));
  }
  if (mask != warp.active) diverge(warp, mask, warp.pc, nullptr);
  if (detail.kind != Kind::kSync) block.barrier(number).add(warp.predicate(detail.predicate), mask);
  block.wait_at(warp, step, number, threads);
}

void add_barrier(Builder& builder) {
  BarrierDetail detail;
  detail.aligned = builder.opcode() == "bar" || builder.has("aligned");
  if (builder.has("arrive")) detail.kind = Kind::kArrive;
  std::size_t next = 0;
  if (builder.has("red")) {
    detail.kind = builder.has("and") ? Kind::kAnd : builder.has("or") ? Kind::kOr : Kind::kCount;
    detail.result = builder.destination(next++, detail.kind == Kind::kCount ? Type::kU32 : Type::kPredicate);
  }
  detail.number = builder.source(next++, Type::kU32);
  const std::size_t last = builder.has("red") ? builder.operand_count() - 1 : builder.operand_count();
  if (next < last) {
    detail.counts = true;
    detail.threads = builder.source(next++, Type::kU32);
  }
  if (builder.has("red")) detail.predicate = builder.predicate(last);
  builder.emit({.run = barrier_step, .detail = builder.keep(detail)});
}

// ---- clusters: arrive and wait are apart

void cluster_arrive(Warp& warp, const Step&, Mask mask) {
  Cluster& cluster = warp.block->cluster();
  cluster.arrived += static_cast<std::uint32_t>(__builtin_popcount(mask));
  warp.cluster_phase = cluster.phase;
  check_cluster(cluster);
  for (const Block* block : cluster.blocks) {
    for (Listener* each : warp.worker->listeners) each->ordered(block->where());
  }
}

void cluster_wait(Warp& warp, const Step& step, Mask mask) {
  Cluster& cluster = warp.block->cluster();
  if (cluster.phase != warp.cluster_phase) return tell_order(warp);
  if (mask != warp.active) diverge(warp, mask, warp.pc, nullptr);
  cluster.waiting.push_back({&warp, {warp.pc, warp.active, warp.join, warp.frame, 0}, &step});
  warp.active = 0;
  next_fragment(warp);
}

}  // namespace

void Barrier::add(Mask predicate, Mask mask) {
  const auto yes = static_cast<std::uint32_t>(__builtin_popcount(predicate & mask));
  true_ += yes;
  false_ += static_cast<std::uint32_t>(__builtin_popcount(mask)) - yes;
}

void Barrier::answer() const {
  for (const Waiting& each : waiting) {
    const BarrierDetail& detail = detail_of(*each.step);
    if (detail.kind == Kind::kSync) continue;
    std::byte* base = each.fragment.frame->base;
    const Mask mask = each.fragment.active;
    if (detail.kind == Kind::kCount) {
      auto* to = reinterpret_cast<std::uint32_t*>(base + detail.result);
      for (std::uint32_t i = 0; i < kLanes; ++i) to[i] = (mask >> i & 1U) != 0 ? true_ : to[i];
      continue;
    }
    const bool result = detail.kind == Kind::kAnd ? false_ == 0 : true_ != 0;
    Mask& to = *reinterpret_cast<Mask*>(base + detail.result);
    to = (to & ~mask) | (result ? mask : 0);
  }
}

bool select_barrier(Builder& builder) {
  const std::string_view opcode = builder.opcode();
  if (opcode == "barrier" && builder.has("cluster")) {
    builder.emit({.run = builder.has("arrive") ? cluster_arrive : cluster_wait});
    return true;
  }
  if (opcode != "bar" && opcode != "barrier") return false;
  if (builder.has("warp")) return false;
  add_barrier(builder);
  return true;
}

}  // namespace ridge::emulator
