// Asynchronous copies by lanes, and mbarrier.
//
// A copy is done when it is issued: groups and waits order nothing any more, and only count. A program that reads
// before it waits is therefore not found out.
#include <cstring>

#include "emulator/exec/block.h"
#include "emulator/exec/bulk.h"
#include "emulator/exec/control.h"
#include "emulator/exec/families.h"
#include "emulator/exec/mbarrier.h"

namespace ridge::emulator {
namespace {

struct CopyDetail {
  AddressOperand to, from;
  std::uint32_t bytes = 0;
  Slot source_bytes = kNoSlot;  ///< fewer: the rest is zeros
  Slot ignore = kNoSlot;        ///< a predicate: all zeros
  bool bypass_l1 = false;
};

void copy_lanes(Warp& warp, const Step& step, Mask mask) {
  const auto& detail = *static_cast<const CopyDetail*>(step.detail);
  LaneAddresses from, to;
  lane_addresses(warp, detail.from.base, detail.from.wide, detail.from.offset, from);
  lane_addresses(warp, detail.to.base, detail.to.wide, detail.to.offset, to);
  Mask reads = 0;
  for (Mask rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(rest));
    to.at[lane] %= kWindowBytes;  // generic addresses of shared memory are taken as well
    std::byte* target = shared_memory(warp, step, lane, to.at[lane], detail.bytes, detail.bytes);
    if (target == nullptr) return;
    std::uint32_t bytes = detail.bytes;
    if (detail.source_bytes != kNoSlot) bytes = std::min(bytes, warp.word(detail.source_bytes)[lane]);
    if (detail.ignore != kNoSlot && (warp.predicate(detail.ignore) >> lane & 1U) != 0) bytes = 0;
    std::memset(target, 0, detail.bytes);
    if (bytes == 0) {
      tell_shared_written(warp, to.at[lane], detail.bytes);
      continue;
    }
    const std::byte* source = global_memory(warp, step, lane, from.at[lane], bytes, detail.bytes, false);
    if (source == nullptr) return;
    std::memcpy(target, source, bytes);
    reads |= Mask{1} << lane;
  }
  Access access;
  access.kind = AccessKind::kAsyncCopy;
  access.bypass_l1 = detail.bypass_l1;
  access.mask = reads;
  access.bytes = detail.bytes;
  access.addresses = from.at;
  access.to_shared = to.at;
  if (reads != 0) tell(warp, step, access);
}

void add_copy(Builder& builder) {
  CopyDetail detail;
  detail.to = builder.address(0);
  detail.from = builder.address(1);
  detail.bytes = static_cast<std::uint32_t>(builder.integer(2));
  detail.bypass_l1 = builder.has("cg");
  if (detail.bytes != 4 && detail.bytes != 8 && detail.bytes != 16) {
    return builder.reject("cp.async copies 4, 8 or 16 bytes", "use one of these");
  }
  if (builder.operand_count() > 3 && !(builder.has("L2::cache_hint") && builder.operand_count() == 4)) {
    const ptx::Operand& extra = builder.operand(3);
    const auto symbol = extra.kind == ptx::OperandKind::kName ? builder.symbol(extra.name) : std::nullopt;
    if (symbol && symbol->type == Type::kPredicate) {
      detail.ignore = builder.predicate(extra);
    } else {
      detail.source_bytes = builder.source(extra, Type::kU32);
    }
  }
  builder.emit({.run = copy_lanes, .detail = builder.keep(detail)});
}

// ---- mbarrier

enum class Operation : std::uint8_t {
  kInit,
  kExpect,
  kComplete,
  kArrive,
  kDrop,
  kArriveExpect,
  kDropExpect,
  kArriveCopies
};

struct MbarrierDetail {
  Operation operation{};
  AddressOperand at;
  bool cluster = false;
  Slot operand = kNoSlot;  ///< a count or bytes
  Slot token = kNoSlot;
};

std::byte* mbarrier_at(Warp& warp, const Step& step, std::uint32_t lane, std::uint64_t address) {
  constexpr std::uint32_t kBytes = 8;
  return cluster_memory(warp, step, lane, address % kWindowBytes, kBytes, kBytes);
}

void mbarrier_lane(MbarrierRef barrier, Warp& warp, const MbarrierDetail& detail, std::uint32_t lane) {
  const std::uint32_t operand = detail.operand == kNoSlot ? 1 : warp.word(detail.operand)[lane];
  std::uint64_t token = 0;
  switch (detail.operation) {
    case Operation::kInit:
      return barrier.init(operand);
    case Operation::kExpect:
      return barrier.expect(operand);
    case Operation::kComplete:
      return barrier.complete(operand);
    case Operation::kArriveExpect:
    case Operation::kDropExpect:
      barrier.expect(operand);
      token = barrier.arrive(1, detail.operation == Operation::kDropExpect);
      break;
    default:
      token = barrier.arrive(operand, detail.operation == Operation::kDrop);
      break;
  }
  if (detail.token != kNoSlot) warp.wide(detail.token)[lane] = token;
}

void mbarrier_step(Warp& warp, const Step& step, Mask mask) {
  const auto& detail = *static_cast<const MbarrierDetail*>(step.detail);
  LaneAddresses addresses;
  lane_addresses(warp, detail.at.base, detail.at.wide, detail.at.offset, addresses);
  for (Mask rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(rest));
    std::byte* at = mbarrier_at(warp, step, lane, addresses.at[lane]);
    if (at == nullptr) return;
    mbarrier_lane(MbarrierRef(at), warp, detail, lane);
    if (detail.operation == Operation::kInit)
      tell_shared_written(warp, addresses.at[lane] % kWindowBytes, sizeof(std::uint64_t));
  }
}

void test_wait(Warp& warp, const Step& step, Mask mask) {
  const bool wide = (step.flags & 1U) != 0, parity = (step.flags & 2U) != 0, may_suspend = (step.flags & 4U) != 0;
  LaneAddresses addresses;
  lane_addresses(warp, step.a, wide, step.immediate, addresses);
  Mask result = 0;
  for (Mask rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(rest));
    std::byte* at = mbarrier_at(warp, step, lane, addresses.at[lane]);
    if (at == nullptr) return;
    const MbarrierRef barrier(at);
    const bool passed =
        parity ? barrier.passed_parity((warp.word(step.b)[lane] & 1U) != 0) : barrier.passed(warp.wide(step.b)[lane]);
    result |= Mask{passed} << lane;
  }
  Mask& d = warp.predicate(step.d);
  d = (d & ~mask) | result;
  if (result != 0) tell_order(warp);
  if (may_suspend && result != mask) warp.budget = 0;  // others may bring what is awaited
}

void pending_count(Warp& warp, const Step& step, Mask mask) {
  for (Mask rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(rest));
    warp.word(step.d)[lane] = MbarrierRef::pending(warp.wide(step.a)[lane]);
  }
}

void add_wait(Builder& builder) {
  const AddressOperand at = builder.address(1);
  const bool parity = builder.has("parity");
  Step step;
  step.run = test_wait;
  step.d = builder.destination(0, Type::kPredicate);
  step.a = at.base;
  step.b = builder.source(2, parity ? Type::kU32 : Type::kB64);
  step.immediate = at.offset;
  step.flags = (at.wide ? 1U : 0U) | (parity ? 2U : 0U) | (builder.has("try_wait") ? 4U : 0U);
  builder.emit(step);
}

Operation operation_of(const Builder& builder) {
  const bool expects = builder.has("expect_tx");
  if (builder.has("init")) return Operation::kInit;
  if (builder.has("arrive")) return expects ? Operation::kArriveExpect : Operation::kArrive;
  if (builder.has("arrive_drop")) return expects ? Operation::kDropExpect : Operation::kDrop;
  return builder.has("complete_tx") ? Operation::kComplete : Operation::kExpect;
}

void add_mbarrier(Builder& builder) {
  if (builder.has("test_wait") || builder.has("try_wait")) return add_wait(builder);
  if (builder.has("inval")) return builder.emit({.run = nothing});
  if (builder.has("pending_count")) {
    return builder.emit(
        {.run = pending_count, .d = builder.destination(0, Type::kU32), .a = builder.source(1, Type::kB64)});
  }
  MbarrierDetail detail;
  detail.operation = operation_of(builder);
  std::size_t next = 0;
  if (builder.operand(0).kind != ptx::OperandKind::kAddress) {
    const bool sink = builder.operand(0).kind == ptx::OperandKind::kSink;
    if (!sink) detail.token = builder.destination(0, Type::kB64);
    ++next;
  }
  detail.at = builder.address(next++);
  if (next < builder.operand_count()) detail.operand = builder.source(next, Type::kU32);
  builder.emit({.run = mbarrier_step, .detail = builder.keep(detail)});
}

// The copies before it are done, so that it is an arrival; without .noinc it undoes the one it adds.
void add_arrive_of_copies(Builder& builder) {
  if (!builder.has("noinc")) return builder.emit({.run = nothing});
  MbarrierDetail detail;
  detail.operation = Operation::kArriveCopies;
  detail.at = builder.address(0);
  builder.emit({.run = mbarrier_step, .detail = builder.keep(detail)});
}

}  // namespace

bool select_async(Builder& builder) {
  if (builder.opcode() == "mbarrier") {
    add_mbarrier(builder);
    return true;
  }
  if (builder.opcode() == "st" && builder.has("bulk")) {
    add_bulk_fill(builder);
    return true;
  }
  if (builder.opcode() != "cp") return false;
  if (builder.has("bulk")) return select_bulk(builder);
  if (builder.has("commit_group") || builder.has("wait_group") || builder.has("wait_all")) {
    builder.emit({.run = nothing});
  } else if (builder.has("arrive") || builder.has("mbarrier")) {
    add_arrive_of_copies(builder);
  } else {
    add_copy(builder);
  }
  return true;
}

}  // namespace ridge::emulator
