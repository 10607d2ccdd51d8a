// Fragments between memory and registers: ldmatrix, stmatrix, movmatrix, wmma.load and wmma.store; and what of wgmma
// has nothing to do. Layouts are in plan.h.
#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include "emulator/exec/access.h"
#include "emulator/exec/block.h"
#include "emulator/exec/control.h"
#include "emulator/exec/families.h"
#include "emulator/exec/matrix/plan.h"
#include "emulator/exec/warp_ops.h"

namespace ridge::emulator {
namespace {

bool is_shared(const Builder& builder) {
  return builder.has("shared") || builder.has("shared::cta");
}

// Host memory of a lane's address, and the space and offset that listeners are told.
std::byte* memory_at(Warp& warp, const Step& step, bool shared, std::uint32_t lane, std::uint64_t address,
                     std::uint32_t bytes, bool writes) {
  return shared ? shared_memory(warp, step, lane, address, bytes, bytes)
                : generic_memory(warp, step, lane, address, bytes, bytes, writes);
}

void tell_of(Warp& warp, const Step& step, AccessKind kind, bool shared, Mask mask, std::uint32_t bytes,
             const LaneAddresses& told) {
  if (warp.worker->listeners.empty()) return;
  LaneAddresses addresses = told;
  const std::uint64_t any = addresses.at[__builtin_ctz(mask)];
  const bool window = !shared && any - kSharedWindow < kWindowBytes;
  if (window) {
    for (std::uint64_t& each : addresses.at) each -= kSharedWindow;
  }
  Access access;
  access.kind = kind;
  access.space = shared || window ? ptx::Space::kShared : ptx::Space::kGlobal;
  access.mask = mask;
  access.bytes = bytes;
  access.addresses = addresses.at;
  tell(warp, step, access);
}

// ---- ldmatrix, stmatrix: lanes 8i to 8i + 7 hold the addresses of the rows of matrix i

constexpr std::uint32_t kRows = 8, kRowBytes = 16;

struct MatrixMove {
  std::vector<Slot> registers;
  bool transposed = false, shared = false, wide = true;
};

void transpose_halves(const std::byte* from, std::byte* to) {
  std::array<std::uint16_t, kRows * kRows> in, out;
  std::memcpy(in.data(), from, sizeof in);
  for (std::uint32_t i = 0; i < kRows; ++i) {
    for (std::uint32_t j = 0; j < kRows; ++j) out[j * kRows + i] = in[i * kRows + j];
  }
  std::memcpy(to, out.data(), sizeof out);
}

// Shared memory if all rows lie in it and are aligned, else nullptr: each is looked at then, to say which does not.
std::byte* whole_shared(Warp& warp, const LaneAddresses& addresses, Mask all) {
  const auto shared = warp.block->shared();
  std::uint64_t bits = 0, highest = 0;
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    const std::uint64_t at = (all >> i & 1U) != 0 ? addresses.at[i] : 0;
    bits |= at;
    highest = std::max(highest, at);
  }
  return bits % kRowBytes == 0 && highest + kRowBytes <= shared.size() ? shared.data() : nullptr;
}

// Calls `each(row, memory)` for all rows; rows of lanes that are not there are left out. False after a fault.
template <class F>
bool for_each_row(Warp& warp, const Step& step, Mask all, AccessKind kind, F each) {
  const auto& move = *static_cast<const MatrixMove*>(step.detail);
  const auto rows = static_cast<std::uint32_t>(move.registers.size()) * kRows;
  LaneAddresses addresses;
  lane_addresses(warp, step.a, move.wide, step.immediate, addresses);
  if (rows < kLanes) all &= (Mask{1} << rows) - 1;
  if (all == 0) return false;
  std::byte* whole = move.shared ? whole_shared(warp, addresses, all) : nullptr;
  for (Mask left = all; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(left));
    const std::uint64_t at = addresses.at[lane];
    std::byte* memory = whole != nullptr
                            ? whole + at
                            : memory_at(warp, step, move.shared, lane, at, kRowBytes, kind == AccessKind::kStore);
    if (memory == nullptr) return false;
    each(lane, memory);
  }
  tell_of(warp, step, kind, move.shared, all, kRowBytes, addresses);
  return true;
}

void load_matrix(Warp& warp, const Step& step, Mask mask) {
  const Mask all = whole_warp(warp, step, mask);
  if (all == 0) return;
  const auto& move = *static_cast<const MatrixMove*>(step.detail);
  std::array<std::byte, kLanes * kRowBytes> rows{};
  const bool fine = for_each_row(warp, step, all, AccessKind::kLoad, [&](std::uint32_t row, const std::byte* memory) {
    std::memcpy(rows.data() + row * kRowBytes, memory, kRowBytes);
  });
  if (!fine) return;
  for (std::size_t i = 0; i < move.registers.size(); ++i) {
    const std::byte* tile = rows.data() + i * kTileBytes;
    std::byte* to = warp.base + move.registers[i];
    if (move.transposed) {
      transpose_halves(tile, to);
    } else {
      std::memcpy(to, tile, kTileBytes);
    }
  }
}

void store_matrix(Warp& warp, const Step& step, Mask mask) {
  const Mask all = whole_warp(warp, step, mask);
  if (all == 0) return;
  const auto& move = *static_cast<const MatrixMove*>(step.detail);
  std::array<std::byte, kLanes * kRowBytes> rows{};
  for (std::size_t i = 0; i < move.registers.size(); ++i) {
    std::byte* tile = rows.data() + i * kTileBytes;
    const std::byte* from = warp.base + move.registers[i];
    if (move.transposed) {
      transpose_halves(from, tile);
    } else {
      std::memcpy(tile, from, kTileBytes);
    }
  }
  (void)for_each_row(warp, step, all, AccessKind::kStore, [&](std::uint32_t row, std::byte* memory) {
    std::memcpy(memory, rows.data() + row * kRowBytes, kRowBytes);
  });
}

void transpose_matrix(Warp& warp, const Step& step, Mask mask) {
  if (whole_warp(warp, step, mask) != 0) transpose_halves(warp.base + step.a, warp.base + step.d);
}

bool select_matrix_move(Builder& builder) {
  const bool loads = builder.opcode() == "ldmatrix";
  if (!builder.has("m8n8")) {
    builder.refuse(std::string(builder.opcode()) + " of 8-bit and smaller elements is not emulated", "use .m8n8 .b16");
    return true;
  }
  const AddressOperand address = builder.address(loads ? 1 : 0);
  MatrixMove move;
  move.registers =
      loads ? builder.destinations(builder.operand(0), Type::kB32) : builder.sources(builder.operand(1), Type::kB32);
  move.transposed = builder.has("trans");
  move.shared = is_shared(builder);
  move.wide = address.wide;
  const std::size_t expected = builder.has("x1") ? 1 : builder.has("x2") ? 2 : 4;
  if (move.registers.size() != expected) {
    builder.reject("the vector needs " + std::to_string(expected) + " registers", "count them as .x1, .x2 or .x4 says");
    return true;
  }
  Step step{.run = loads ? load_matrix : store_matrix, .a = address.base, .immediate = address.offset};
  // A shared variable that is named where a generic address is meant: its place in the window.
  if (!move.shared && address.symbol && address.symbol->space == ptx::Space::kShared) move.shared = true;
  step.detail = builder.keep(std::move(move));
  builder.emit(step);
  return true;
}

bool select_transpose(Builder& builder) {
  builder.emit({.run = transpose_matrix, .d = builder.destination(0, Type::kB32), .a = builder.source(1, Type::kB32)});
  return true;
}

// ---- wmma.load and wmma.store

/// The elements of one register of one lane: a row of memory, or one of each of several.
struct Piece {
  std::uint32_t row = 0, column = 0;  ///< of the first
};

struct FragmentMove {
  std::vector<Slot> registers;
  std::vector<std::array<Piece, kLanes>> pieces;  ///< by register, without copies
  std::uint32_t bits = 0;                         ///< of an element
  std::uint32_t count = 1;                        ///< elements in a register
  bool along_row = true;                          ///< a register's elements are of one row, else of one column
  bool row_major = true;
  bool shared = false, wide = true;
  Slot stride = kNoSlot;
};

// Elements that lie side by side move at once.
struct Run {
  std::uint32_t runs = 1, bytes = 4;
};
Run run_of(const FragmentMove& move) {
  if (move.count == 1 || move.along_row == move.row_major) return {1, move.count * move.bits / 8};
  return {move.count, move.bits / 8};
}

std::uint64_t offset_of(const FragmentMove& move, const Piece& piece, std::uint32_t run, std::uint64_t stride) {
  const std::uint64_t row = piece.row + (move.along_row ? 0 : run), column = piece.column + (move.along_row ? run : 0);
  return (move.row_major ? row * stride + column : column * stride + row) * move.bits / 8;
}

std::byte* register_at(const Warp& warp, const FragmentMove& move, std::size_t index, std::uint32_t lane) {
  const std::uint32_t bytes = move.bits == 64 ? 8 : 4;
  return warp.base + move.registers[index] + std::size_t{bytes} * lane;
}

template <bool kLoads>
bool move_register(Warp& warp, const Step& step, std::size_t index, Mask all, const LaneAddresses& bases) {
  const auto& move = *static_cast<const FragmentMove*>(step.detail);
  const std::uint32_t* strides = warp.word(move.stride);
  const Run run = run_of(move);
  constexpr AccessKind kKind = kLoads ? AccessKind::kLoad : AccessKind::kStore;
  for (std::uint32_t r = 0; r < run.runs; ++r) {
    LaneAddresses addresses = bases;
    for (Mask left = all; left != 0; left &= left - 1) {
      const auto lane = static_cast<std::uint32_t>(__builtin_ctz(left));
      addresses.at[lane] += offset_of(move, move.pieces[index][lane], r, strides[lane]);
      std::byte* memory = memory_at(warp, step, move.shared, lane, addresses.at[lane], run.bytes, !kLoads);
      if (memory == nullptr) return false;
      std::byte* place = register_at(warp, move, index, lane) + std::size_t{run.bytes} * r;
      std::memcpy(kLoads ? place : memory, kLoads ? memory : place, run.bytes);
    }
    tell_of(warp, step, kKind, move.shared, all, run.bytes, addresses);
  }
  return true;
}

template <bool kLoads>
void move_fragment(Warp& warp, const Step& step, Mask mask) {
  const Mask all = whole_warp(warp, step, mask);
  if (all == 0) return;
  const auto& move = *static_cast<const FragmentMove*>(step.detail);
  LaneAddresses bases;
  lane_addresses(warp, step.a, move.wide, step.immediate, bases);
  for (std::size_t i = 0; i < move.pieces.size(); ++i) {
    if (!move_register<kLoads>(warp, step, i, all, bases)) return;
  }
  const std::size_t needed = move.pieces.size();
  for (std::size_t i = needed; i < move.registers.size(); ++i) {  // copies
    std::memcpy(warp.base + move.registers[i], warp.base + move.registers[i % needed], slot_bytes(Lane::kWord));
  }
}

void place_a(FragmentMove& move, const MatrixShape& shape, std::uint32_t registers) {
  for (std::uint32_t r = 0; r < registers; ++r) {
    auto& pieces = move.pieces.emplace_back();
    const std::uint32_t blocks = shape.m / 8;
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      pieces[lane] = {8 * (r % blocks) + lane / 4, (4 * (r / blocks) + lane % 4) * move.count};
    }
  }
}

void place_b(FragmentMove& move, const MatrixShape& shape, std::uint32_t registers) {
  move.along_row = false;
  const std::uint32_t steps = shape.k / (4 * move.count);
  for (std::uint32_t r = 0; r < registers; ++r) {
    auto& pieces = move.pieces.emplace_back();
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      pieces[lane] = {(4 * (r % steps) + lane % 4) * move.count, 8 * (r / steps) + lane / 4};
    }
  }
}

void place_c(FragmentMove& move, const MatrixShape& shape, std::uint32_t registers) {
  const std::uint32_t blocks = shape.m / 8, together = 2 / move.count;  // registers of a tile
  for (std::uint32_t r = 0; r < registers; ++r) {
    auto& pieces = move.pieces.emplace_back();
    const std::uint32_t tile = r / together;
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      pieces[lane] = {8 * (tile % blocks) + lane / 4, 8 * (tile / blocks) + 2 * (lane % 4) + r % together};
    }
  }
}

// Elements of C and D: f16 in pairs, others alone.
FragmentMove fragment_of(const Builder& builder, const MatrixShape& shape, bool accumulator) {
  FragmentMove move;
  const std::string_view type = builder.instruction().modifiers.back();
  const auto element = element_named(type);
  move.bits = element ? bits_of(*element) : 32;
  move.count = move.bits == 64 ? 1 : 32 / move.bits;
  const bool a = builder.has("a");
  const std::uint32_t elements = accumulator ? shape.m * shape.n : a ? shape.m * shape.k : shape.n * shape.k;
  const std::uint32_t registers = elements / (kLanes * move.count);
  if (accumulator) {
    place_c(move, shape, registers);
  } else if (a) {
    place_a(move, shape, registers);
  } else {
    place_b(move, shape, registers);
  }
  move.row_major = builder.has("row");
  move.shared = is_shared(builder);
  return move;
}

// Elements from row to row, or column to column, where none is said.
std::uint32_t natural_stride(const Builder& builder, const MatrixShape& shape, bool accumulator) {
  const std::uint32_t rows = accumulator || builder.has("a") ? shape.m : shape.k;
  const std::uint32_t columns = builder.has("a") && !accumulator ? shape.k : shape.n;
  return builder.has("row") ? columns : rows;
}

bool select_fragment_move(Builder& builder) {
  const bool loads = builder.has("load");
  const auto shape = shape_of(builder);
  if (!shape) return false;
  const bool accumulator = !loads || builder.has("c");
  FragmentMove move = fragment_of(builder, *shape, accumulator);
  const AddressOperand address = builder.address(loads ? 1 : 0);
  const Type type = move.bits == 64 ? Type::kF64 : Type::kB32;
  move.registers = loads ? builder.destinations(builder.operand(0), type) : builder.sources(builder.operand(1), type);
  const std::uint32_t natural = natural_stride(builder, *shape, accumulator);
  move.stride = builder.operand_count() > 2 ? builder.source(2, Type::kU32) : builder.constant(Type::kU32, natural);
  move.wide = address.wide;
  if (address.symbol && address.symbol->space == ptx::Space::kShared) move.shared = true;
  const bool spare = move.registers.size() == 8 && !accumulator && builder.has("f16");
  if (move.registers.size() != move.pieces.size() && !spare) {
    builder.reject("the fragment needs " + std::to_string(move.pieces.size()) + " registers",
                   "compare its vector with the PTX ISA");
    return true;
  }
  Step step{.run = loads ? move_fragment<true> : move_fragment<false>, .a = address.base, .immediate = address.offset};
  step.detail = builder.keep(std::move(move));
  builder.emit(step);
  return true;
}

}  // namespace

bool select_matrix(Builder& builder) {
  if (builder.opcode() == "ldmatrix" || builder.opcode() == "stmatrix") return select_matrix_move(builder);
  if (builder.opcode() == "movmatrix") return select_transpose(builder);
  if (builder.opcode() == "wmma") return select_fragment_move(builder);
  if (builder.opcode() != "tcgen05") return false;
  builder.refuse("tcgen05, which works on tensor memory, is not emulated", "use mma or wgmma");
  return true;
}

// Products are made when they are issued, so that there is nothing to wait for.
bool select_wgmma(Builder& builder) {
  if (builder.opcode() != "wgmma" || builder.has("mma_async")) return false;
  builder.emit({.run = nothing});
  return true;
}

}  // namespace ridge::emulator
