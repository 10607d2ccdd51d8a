#include "emulator/exec/bulk.h"

#include <array>
#include <cstring>

#include "emulator/exec/block.h"
#include "emulator/exec/control.h"
#include "emulator/exec/mbarrier.h"
#include "emulator/exec/tensor_map.h"

namespace ridge::emulator {
namespace {

struct BulkDetail {
  AddressOperand to, from, barrier;
  Slot bytes = kNoSlot;
  Slot blocks = kNoSlot;  ///< of a multicast: one bit a block of the cluster
  bool to_shared = true, from_shared = false;
  bool completes = false;  ///< on an mbarrier
  std::uint32_t rank = 0;  ///< of a tensor copy
  std::array<Slot, 5> coordinates{};
};

const BulkDetail& detail_of(const Step& step) {
  return *static_cast<const BulkDetail*>(step.detail);
}

std::uint64_t lane_address(const Warp& warp, const AddressOperand& operand, std::uint32_t lane) {
  const auto offset = static_cast<std::uint64_t>(operand.offset);
  if (operand.base == kNoSlot) return offset;
  return offset + (operand.wide ? warp.wide(operand.base)[lane] : warp.word(operand.base)[lane]);
}

// The blocks a copy goes to: cluster addresses of the same place in each, or the one that was named.
class Destinations {
 public:
  Destinations(const Warp& warp, const BulkDetail& detail, std::uint32_t lane) {
    const std::uint64_t to = lane_address(warp, detail.to, lane) % kWindowBytes;
    const std::uint64_t barrier = lane_address(warp, detail.barrier, lane) % kWindowBytes;
    if (detail.blocks == kNoSlot) {
      to_[count_] = to;
      barrier_[count_++] = barrier;
      return;
    }
    const std::uint32_t mask = warp.word(detail.blocks)[lane];
    for (std::uint32_t block = 0; block < kMost; ++block) {
      if ((mask >> block & 1U) == 0) continue;
      const std::uint64_t window = kClusterStride * (block + 1);
      to_[count_] = window + to % kClusterStride;
      barrier_[count_++] = window + barrier % kClusterStride;
    }
  }
  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] std::uint64_t to(std::uint32_t i) const { return to_[i]; }
  [[nodiscard]] std::uint64_t barrier(std::uint32_t i) const { return barrier_[i]; }

 private:
  static constexpr std::uint32_t kMost = 16;
  std::array<std::uint64_t, kMost> to_{}, barrier_{};
  std::uint32_t count_ = 0;
};

bool complete(Warp& warp, const Step& step, std::uint32_t lane, std::uint64_t barrier, std::uint64_t bytes) {
  constexpr std::uint32_t kBarrierBytes = 8;
  std::byte* at = cluster_memory(warp, step, lane, barrier, kBarrierBytes, kBarrierBytes);
  if (at == nullptr) return false;
  MbarrierRef(at).complete(static_cast<std::int64_t>(bytes));
  return true;
}

void copy_in(Warp& warp, const Step& step, std::uint32_t lane) {
  constexpr std::uint32_t kAlignment = 16;
  const BulkDetail& detail = detail_of(step);
  const std::uint32_t bytes = warp.word(detail.bytes)[lane];
  const std::uint64_t from = lane_address(warp, detail.from, lane);
  const std::byte* source = detail.from_shared ? shared_memory(warp, step, lane, from % kWindowBytes, bytes, kAlignment)
                                               : global_memory(warp, step, lane, from, bytes, kAlignment, false);
  if (source == nullptr) return;
  const Destinations destinations(warp, detail, lane);
  for (std::uint32_t i = 0; i < destinations.count(); ++i) {
    std::byte* target = cluster_memory(warp, step, lane, destinations.to(i), bytes, kAlignment);
    if (target == nullptr) return;
    std::memmove(target, source, bytes);
    tell_shared_written(warp, destinations.to(i), bytes);
    if (!complete(warp, step, lane, destinations.barrier(i), bytes)) return;
  }
  if (!detail.from_shared) tell(warp, step, BulkAccess{0, true, from, bytes, destinations.count()});
}

void copy_out(Warp& warp, const Step& step, std::uint32_t lane) {
  constexpr std::uint32_t kAlignment = 16;
  const BulkDetail& detail = detail_of(step);
  const std::uint32_t bytes = warp.word(detail.bytes)[lane];
  const std::uint64_t to = lane_address(warp, detail.to, lane);
  const std::byte* source =
      shared_memory(warp, step, lane, lane_address(warp, detail.from, lane) % kWindowBytes, bytes, kAlignment);
  std::byte* target = source == nullptr ? nullptr : global_memory(warp, step, lane, to, bytes, kAlignment, true);
  if (target == nullptr) return;
  std::memcpy(target, source, bytes);
  tell(warp, step, BulkAccess{0, false, to, bytes, 1});
}

void copy_bulk(Warp& warp, const Step& step, Mask mask) {
  constexpr std::uint32_t kPiece = 16;
  for (Mask rest = mask; rest != 0 && !warp.worker->stopped; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(rest));
    const std::uint32_t bytes = warp.word(detail_of(step).bytes)[lane];
    if (bytes % kPiece != 0) {
      return raise(warp, step, FaultKind::kBadOperand, lane, ptx::Space::kRegister, bytes, 0,
                   "a bulk copy of " + std::to_string(bytes) + " bytes, which is not a multiple of 16");
    }
    detail_of(step).to_shared ? copy_in(warp, step, lane) : copy_out(warp, step, lane);
  }
}

// ---- tensor maps

std::optional<TensorMap> map_of(Warp& warp, const Step& step, std::uint32_t lane, const AddressOperand& operand) {
  const std::byte* at = generic_memory(warp, step, lane, lane_address(warp, operand, lane), kTensorMapBytes, 64, false);
  if (at == nullptr) return std::nullopt;
  auto map = decode_tensor_map(std::span<const std::byte, kTensorMapBytes>(at, kTensorMapBytes));
  if (!map || map->rank != detail_of(step).rank) {
    raise(warp, step, FaultKind::kBadOperand, lane, ptx::Space::kGlobal, 0, 0,
          "this is no tensor map of the emulator's, or of another rank");
    return std::nullopt;
  }
  return map;
}

// One run of the box: innermost elements, at the outer coordinates `index` of the box.
struct Run {
  std::uint64_t address = 0;
  std::uint64_t skipped = 0, bytes = 0;  ///< bytes of the box before and within the tensor
};

Run run_of(const TensorMap& map, const std::array<std::int64_t, 5>& corner, const std::array<std::uint32_t, 5>& index) {
  Run run;
  const auto width = std::int64_t{map.box[0]};
  const std::int64_t first = std::clamp<std::int64_t>(-corner[0], 0, width);
  const std::int64_t last = std::clamp<std::int64_t>(std::int64_t{map.extent[0]} - corner[0], first, width);
  std::uint64_t address = map.address;
  bool inside = true;
  for (std::uint32_t d = 1; d < map.rank; ++d) {
    const std::int64_t at = corner[d] + index[d];
    inside = inside && at >= 0 && at < std::int64_t{map.extent[d]};
    address += static_cast<std::uint64_t>(at) * map.stride[d];
  }
  run.skipped = static_cast<std::uint64_t>(first) * map.element_bytes;
  run.bytes = inside ? static_cast<std::uint64_t>(last - first) * map.element_bytes : 0;
  run.address = address + static_cast<std::uint64_t>(corner[0] + first) * map.element_bytes;
  return run;
}

bool advance(std::array<std::uint32_t, 5>& index, const TensorMap& map) {
  for (std::uint32_t d = 1; d < map.rank; ++d) {
    if (++index[d] < map.box[d]) return true;
    index[d] = 0;
  }
  return false;
}

std::uint64_t box_bytes(const TensorMap& map) {
  std::uint64_t bytes = map.element_bytes;
  for (std::uint32_t d = 0; d < map.rank; ++d) bytes *= map.box[d];
  return bytes;
}

// Bytes of a run between a line of the box and memory, 16 at a time where they are swizzled.
template <class Move>
void move_swizzled(std::uint64_t base, std::uint64_t offset, std::uint64_t bytes, Swizzle swizzle, Move move) {
  constexpr std::uint64_t kPiece = 16;
  for (std::uint64_t done = 0; done < bytes;) {
    const std::uint64_t at = offset + done;
    const std::uint64_t piece = std::min(bytes - done, kPiece - at % kPiece);
    move(swizzled(base, at, swizzle) - base, done, piece);
    done += piece;
  }
}

struct Box {
  TensorMap map;
  std::array<std::int64_t, 5> corner{};
};

std::optional<Box> box_of(Warp& warp, const Step& step, std::uint32_t lane, const AddressOperand& operand) {
  const auto map = map_of(warp, step, lane, operand);
  if (!map) return std::nullopt;
  Box box{*map, {}};
  for (std::uint32_t d = 0; d < map->rank; ++d) {
    box.corner[d] = static_cast<std::int32_t>(warp.word(detail_of(step).coordinates[d])[lane]);
  }
  return box;
}

bool fill_box(Warp& warp, const Step& step, std::uint32_t lane, const Box& box, std::uint64_t to) {
  const TensorMap& map = box.map;
  const std::uint64_t bytes = box_bytes(map);
  std::byte* target = cluster_memory(warp, step, lane, to, static_cast<std::uint32_t>(bytes), 128);
  if (target == nullptr) return false;
  std::memset(target, 0, bytes);
  std::array<std::uint32_t, 5> index{};
  const std::uint64_t line_bytes = std::uint64_t{map.box[0]} * map.element_bytes;
  std::uint64_t line = 0;
  do {
    const Run run = run_of(map, box.corner, index);
    if (run.bytes != 0) {
      const std::byte* from =
          global_memory(warp, step, lane, run.address, static_cast<std::uint32_t>(run.bytes), 1, false);
      if (from == nullptr) return false;
      move_swizzled(to % kClusterStride, line + run.skipped, run.bytes, map.swizzle,
                    [&](std::uint64_t place, std::uint64_t done, std::uint64_t piece) {
                      std::memcpy(target + place, from + done, piece);
                    });
    }
    line += line_bytes;
  } while (advance(index, map));
  return true;
}

void tell_box(Warp& warp, const Step& step, const Box& box, bool to_shared, std::uint32_t destinations) {
  std::array<std::uint32_t, 5> index{};
  do {
    const Run run = run_of(box.map, box.corner, index);
    if (run.bytes == 0) continue;
    tell(warp, step, BulkAccess{0, to_shared, run.address, static_cast<std::uint32_t>(run.bytes), destinations});
  } while (advance(index, box.map));
}

void tensor_in(Warp& warp, const Step& step, std::uint32_t lane) {
  const BulkDetail& detail = detail_of(step);
  const auto box = box_of(warp, step, lane, detail.from);
  if (!box) return;
  const Destinations destinations(warp, detail, lane);
  for (std::uint32_t i = 0; i < destinations.count(); ++i) {
    if (!fill_box(warp, step, lane, *box, destinations.to(i))) return;
    tell_shared_written(warp, destinations.to(i), box_bytes(box->map));
    if (!complete(warp, step, lane, destinations.barrier(i), box_bytes(box->map))) return;
  }
  tell_box(warp, step, *box, true, destinations.count());
}

void tensor_out(Warp& warp, const Step& step, std::uint32_t lane) {
  const BulkDetail& detail = detail_of(step);
  const auto box = box_of(warp, step, lane, detail.to);
  if (!box) return;
  const TensorMap& map = box->map;
  const std::uint64_t from = lane_address(warp, detail.from, lane) % kWindowBytes;
  const std::byte* source = shared_memory(warp, step, lane, from, static_cast<std::uint32_t>(box_bytes(map)), 128);
  if (source == nullptr) return;
  std::array<std::uint32_t, 5> index{};
  std::uint64_t line = 0;
  do {
    const Run run = run_of(map, box->corner, index);
    if (run.bytes != 0) {
      std::byte* to = global_memory(warp, step, lane, run.address, static_cast<std::uint32_t>(run.bytes), 1, true);
      if (to == nullptr) return;
      move_swizzled(from, line + run.skipped, run.bytes, map.swizzle,
                    [&](std::uint64_t place, std::uint64_t done, std::uint64_t piece) {
                      std::memcpy(to + done, source + place, piece);
                    });
    }
    line += std::uint64_t{map.box[0]} * map.element_bytes;
  } while (advance(index, map));
  tell_box(warp, step, *box, false, 1);
}

void copy_tensor(Warp& warp, const Step& step, Mask mask) {
  for (Mask rest = mask; rest != 0 && !warp.worker->stopped; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(rest));
    detail_of(step).to_shared ? tensor_in(warp, step, lane) : tensor_out(warp, step, lane);
  }
}

void set_coordinates(Builder& builder, const ptx::Operand& operand, BulkDetail& detail) {
  if (operand.parts.size() < 2) return builder.reject("the box has no coordinates", "write [map, {x, y}]");
  const auto slots = builder.sources(operand.parts[1], Type::kU32);
  if (slots.size() != detail.rank) return builder.reject("a coordinate is missing", "give one for each dimension");
  std::copy(slots.begin(), slots.end(), detail.coordinates.begin());
}

void add_tensor(Builder& builder) {
  for (const std::string_view each :
       {"im2col", "im2col::w", "im2col::w::128", "im2col_no_offs", "tile::gather4", "tile::scatter4"}) {
    if (builder.has(each)) return builder.refuse("." + std::string(each) + " is not emulated", "use .tile");
  }
  BulkDetail detail;
  for (const char rank : {'1', '2', '3', '4', '5'}) {
    if (builder.has(std::string{rank, 'd'})) detail.rank = static_cast<std::uint32_t>(rank - '0');
  }
  detail.to_shared = builder.has("complete_tx::bytes") || builder.has("mbarrier::complete_tx::bytes");
  detail.to = builder.address(0);
  detail.from = builder.address(1);
  set_coordinates(builder, builder.operand(detail.to_shared ? 1 : 0), detail);
  if (detail.to_shared) detail.barrier = builder.address(2);
  if (builder.has("multicast::cluster")) detail.blocks = builder.source(3, Type::kB16);
  builder.emit({.run = copy_tensor, .detail = builder.keep(detail)});
}

void add_plain(Builder& builder) {
  BulkDetail detail;
  detail.to_shared = builder.has("mbarrier::complete_tx::bytes");
  detail.from_shared = detail.to_shared && !builder.has("global");
  detail.to = builder.address(0);
  detail.from = builder.address(1);
  detail.bytes = builder.source(2, Type::kU32);
  if (detail.to_shared) detail.barrier = builder.address(3);
  if (builder.has("multicast::cluster")) detail.blocks = builder.source(4, Type::kB16);
  if (builder.has("cp_mask")) return builder.refuse(".cp_mask is not emulated", "copy whole pieces of 16 bytes");
  builder.emit({.run = copy_bulk, .detail = builder.keep(detail)});
}

void fill_bulk(Warp& warp, const Step& step, Mask mask) {
  LaneAddresses to;
  lane_addresses(warp, step.a, (step.flags & 1U) != 0, step.immediate, to);
  for (Mask rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(rest));
    const auto bytes = static_cast<std::uint32_t>(warp.wide(step.b)[lane]);
    std::byte* target = shared_memory(warp, step, lane, to.at[lane] % kWindowBytes, bytes, 8);
    if (target == nullptr) return;
    std::memset(target, 0, bytes);
    tell_shared_written(warp, to.at[lane] % kWindowBytes, bytes);
  }
}

}  // namespace

bool select_bulk(Builder& builder) {
  if (builder.has("commit_group") || builder.has("wait_group") || builder.has("prefetch")) {
    builder.emit({.run = nothing});
  } else if (builder.has("reduce")) {
    builder.refuse("bulk reductions are not emulated", "use red or atom");
  } else if (builder.has("tensor")) {
    add_tensor(builder);
  } else {
    add_plain(builder);
  }
  return true;
}

void add_bulk_fill(Builder& builder) {
  const AddressOperand at = builder.address(0);
  builder.emit({.run = fill_bulk,
                .a = at.base,
                .b = builder.source(1, Type::kU64),
                .flags = at.wide ? 1U : 0U,
                .immediate = at.offset});
}

}  // namespace ridge::emulator
