// Products of matrices, compiled for each instruction set: see lanes.h. What is multiplied is in plan.h.
#include <algorithm>

#include "emulator/exec/lanes/families.h"
#include "emulator/exec/matrix/columns.h"
#include "emulator/exec/matrix/plan.h"
#include "emulator/exec/matrix/tile.h"
#include "emulator/exec/warp_ops.h"
#include "emulator/number/arithmetic.h"

namespace ridge::emulator::RIDGE_ISA {
namespace {

inline constexpr std::uint32_t kMostDepth = 128;  // of four-bit elements, sparse

const std::byte* tile_at(const Warp& warp, Slot slot) {
  return warp.base + slot;
}

// ---- operands

template <Element kElement>
RIDGE_LANE_CODE void all_rows(const std::byte* const* tiles, std::uint32_t count, double* to) {
  constexpr std::uint32_t kValues = kTileBytes / sizeof(typename Decode<kElement>::Bits);
  for (std::uint32_t i = 0; i < count; ++i, to += kValues) rows_of<kElement>(tiles[i], to);
}
template <bool kSigned>
RIDGE_LANE_CODE void all_nibble_rows(const std::byte* const* tiles, std::uint32_t count, double* to) {
  for (std::uint32_t i = 0; i < count; ++i, to += 2 * kTileBytes) nibble_rows_of<kSigned>(tiles[i], to);
}

// A as [depth / width][rows][width] with the width of a tile, in the order of registers.
RIDGE_LANE_CODE void decode_a(Element element, const std::byte* const* tiles, std::uint32_t count, double* to) {
  switch (element) {
    case Element::kF16:
      return all_rows<Element::kF16>(tiles, count, to);
    case Element::kBf16:
      return all_rows<Element::kBf16>(tiles, count, to);
    case Element::kTf32:
      return all_rows<Element::kTf32>(tiles, count, to);
    case Element::kE4m3:
      return all_rows<Element::kE4m3>(tiles, count, to);
    case Element::kE5m2:
      return all_rows<Element::kE5m2>(tiles, count, to);
    case Element::kS8:
      return all_rows<Element::kS8>(tiles, count, to);
    case Element::kU8:
      return all_rows<Element::kU8>(tiles, count, to);
    case Element::kS4:
      return all_nibble_rows<true>(tiles, count, to);
    case Element::kU4:
      return all_nibble_rows<false>(tiles, count, to);
    case Element::kF64:
    case Element::kB1:
      break;  // they have handlers of their own
  }
}

template <Element kElement>
RIDGE_LANE_CODE void all_columns(const std::byte* const* tiles, double* to, std::uint32_t depth) {
  constexpr std::uint32_t kWidth = 16 / sizeof(typename Decode<kElement>::Bits);
  for (std::uint32_t k = 0; k < depth; k += kWidth) columns_of<kElement>(*tiles++, to + k * kSide);
}
template <bool kSigned>
RIDGE_LANE_CODE void all_nibble_columns(const std::byte* const* tiles, double* to, std::uint32_t depth) {
  for (std::uint32_t k = 0; k < depth; k += 32) nibble_columns_of<kSigned>(*tiles++, to + k * kSide);
}

// Eight columns of B as [depth][8].
RIDGE_LANE_CODE void decode_b(Element element, const std::byte* const* tiles, double* to, std::uint32_t depth) {
  switch (element) {
    case Element::kF16:
      return all_columns<Element::kF16>(tiles, to, depth);
    case Element::kBf16:
      return all_columns<Element::kBf16>(tiles, to, depth);
    case Element::kTf32:
      return all_columns<Element::kTf32>(tiles, to, depth);
    case Element::kE4m3:
      return all_columns<Element::kE4m3>(tiles, to, depth);
    case Element::kE5m2:
      return all_columns<Element::kE5m2>(tiles, to, depth);
    case Element::kS8:
      return all_columns<Element::kS8>(tiles, to, depth);
    case Element::kU8:
      return all_columns<Element::kU8>(tiles, to, depth);
    case Element::kS4:
      return all_nibble_columns<true>(tiles, to, depth);
    case Element::kU4:
      return all_nibble_columns<false>(tiles, to, depth);
    case Element::kF64:
    case Element::kB1:
      break;
  }
}

// A transposed operand in shared memory: tiles are [8 of k][8], of 16-bit elements.
template <Element kElement>
RIDGE_LANE_CODE void turned_rows(const std::byte* tiles, double* to, std::uint32_t rows, std::uint32_t depth) {
  for (std::uint32_t k = 0; k < depth; k += kSide) {
    for (std::uint32_t row = 0; row < rows; row += kSide, tiles += kTileBytes) {
      alignas(64) double turned[kSide * kSide];
      columns_of<kElement>(tiles, turned);
      for (std::uint32_t i = 0; i < kSide; ++i) {
        for (std::uint32_t j = 0; j < kSide; ++j) to[(row + i) * depth + k + j] = turned[i * kSide + j];
      }
    }
  }
}

// ---- accumulators: a tile of eight columns as [rows][8]

RIDGE_LANE_CODE void load_c(const Warp& warp, const MatrixPlan& plan, std::uint32_t column, double* to) {
  const std::uint32_t blocks = plan.rows / kSide, first = column / kSide * blocks;
  for (std::uint32_t block = 0; block < blocks; ++block, to += kSide * kSide) {
    if (plan.c == Accumulate::kF16) {
      load_halves(warp.word(plan.registers_c[first + block]), to);
      continue;
    }
    const std::uint32_t* even = warp.word(plan.registers_c[2 * (first + block)]);
    const std::uint32_t* odd = warp.word(plan.registers_c[2 * (first + block) + 1]);
    if (plan.c == Accumulate::kF32) {
      load_pair<float>(even, odd, to);
    } else {
      load_pair<std::int32_t>(even, odd, to);
    }
  }
}

RIDGE_LANE_CODE void store_d(const Warp& warp, const MatrixPlan& plan, std::uint32_t column, const double* from) {
  const std::uint32_t blocks = plan.rows / kSide, first = column / kSide * blocks;
  for (std::uint32_t block = 0; block < blocks; ++block, from += kSide * kSide) {
    if (plan.d == Accumulate::kF16) {
      store_halves(from, warp.word(plan.registers_d[first + block]));
      continue;
    }
    std::uint32_t* even = warp.word(plan.registers_d[2 * (first + block)]);
    std::uint32_t* odd = warp.word(plan.registers_d[2 * (first + block) + 1]);
    if (plan.d == Accumulate::kF32) {
      store_pair<single_bits>(from, even, odd);
    } else if (plan.saturate) {
      store_pair<saturated>(from, even, odd);
    } else {
      store_pair<wrapped>(from, even, odd);
    }
  }
}

// ---- mma, wmma

constexpr std::uint32_t kMostRegisters = 16;

// A's values; the width of the parts along k that they are stored in.
RIDGE_LANE_CODE std::uint32_t read_a(const Warp& warp, const MatrixPlan& plan, double* a) {
  const std::byte* tiles[kMostRegisters];
  const auto count = static_cast<std::uint32_t>(plan.registers_a.size());
  for (std::uint32_t i = 0; i < count; ++i) tiles[i] = tile_at(warp, plan.registers_a[i]);
  if (!plan.sparse()) {
    decode_a(plan.a, tiles, count, a);
    return plan.tile_width();
  }
  alignas(64) double stored[16 * kMostDepth / 2];
  decode_a(plan.a, tiles, count, stored);
  spread(plan, warp.word(plan.metadata), stored, a);
  return plan.depth;
}

RIDGE_LANE_CODE void multiply(Warp& warp, const Step& step, Mask mask) {
  if (mask != kAllLanes && whole_warp(warp, step, mask) == 0) return;
  const auto& plan = *static_cast<const MatrixPlan*>(step.detail);
  const std::uint32_t depth = plan.depth;
  alignas(64) double a[16 * kMostDepth];
  alignas(64) double b[8 * kMostDepth];
  alignas(64) double c[256];  // m16n16, m8n32 or m32n8 of wmma at most
  const std::uint32_t width = read_a(warp, plan, a);
  const auto tiles_of_column = static_cast<std::uint32_t>(plan.registers_b.size()) * kSide / plan.columns;
  // Registers of d may be those of a, b and c: they are written when everything is read.
  for (std::uint32_t column = 0; column < plan.columns; column += kSide) {
    const std::byte* tiles[kMostRegisters];
    for (std::uint32_t i = 0; i < tiles_of_column; ++i) {
      tiles[i] = tile_at(warp, plan.registers_b[column / kSide * tiles_of_column + i]);
    }
    decode_b(plan.b, tiles, b, depth);
    double* sums = c + column * plan.rows;
    load_c(warp, plan, column, sums);
    add_products(a, width, b, sums, plan.rows, depth);
  }
  for (std::uint32_t column = 0; column < plan.columns; column += kSide) {
    store_d(warp, plan, column, c + column * plan.rows);
  }
}

// ---- f64: registers of 64 bits, tiles of [8][4]

RIDGE_LANE_CODE void load_f64(const Warp& warp, const MatrixPlan& plan, double* a, double* b, double* c) {
  const std::uint32_t blocks = plan.rows / kSide;
  for (std::uint32_t r = 0; r < plan.registers_a.size(); ++r) {
    const std::uint64_t* from = warp.wide(plan.registers_a[r]);
    for (std::uint32_t i = 0; i < kLanes; ++i) {
      a[(r % blocks * kSide + i / 4) * plan.depth + r / blocks * 4 + i % 4] = std::bit_cast<double>(from[i]);
    }
  }
  for (std::uint32_t r = 0; r < plan.registers_b.size(); ++r) {
    const std::uint64_t* from = warp.wide(plan.registers_b[r]);
    for (std::uint32_t i = 0; i < kLanes; ++i) b[(r * 4 + i % 4) * kSide + i / 4] = std::bit_cast<double>(from[i]);
  }
  for (std::uint32_t r = 0; r < plan.registers_c.size(); ++r) {
    const std::uint64_t* from = warp.wide(plan.registers_c[r]);
    for (std::uint32_t i = 0; i < kLanes; ++i) {
      c[(r / 2 * kSide + i / 4) * kSide + i % 4 * 2 + r % 2] = std::bit_cast<double>(from[i]);
    }
  }
}

RIDGE_LANE_CODE void multiply_f64(Warp& warp, const Step& step, Mask mask) {
  if (mask != kAllLanes && whole_warp(warp, step, mask) == 0) return;
  const auto& plan = *static_cast<const MatrixPlan*>(step.detail);
  alignas(64) double a[16 * 16];
  alignas(64) double b[16 * kSide];
  alignas(64) double c[16 * kSide];
  load_f64(warp, plan, a, b, c);
  for (std::uint32_t row = 0; row < plan.rows; ++row) {
    for (std::uint32_t k = 0; k < plan.depth; ++k) {
      const double factor = a[row * plan.depth + k];
      RIDGE_EACH_LANE
      for (std::uint32_t j = 0; j < kSide; ++j) {
        c[row * kSide + j] = __builtin_fma(factor, b[k * kSide + j], c[row * kSide + j]);
      }
    }
  }
  for (std::uint32_t r = 0; r < plan.registers_d.size(); ++r) {
    std::uint64_t* to = warp.wide(plan.registers_d[r]);
    for (std::uint32_t i = 0; i < kLanes; ++i) {
      to[i] = std::bit_cast<std::uint64_t>(c[(r / 2 * kSide + i / 4) * kSide + i % 4 * 2 + r % 2]);
    }
  }
}

// Other roundings than to nearest.
void multiply_f64_rounded(Warp& warp, const Step& step, Mask mask) {
  if (mask != kAllLanes && whole_warp(warp, step, mask) == 0) return;
  const auto& plan = *static_cast<const MatrixPlan*>(step.detail);
  double a[16 * 16], b[16 * kSide], c[16 * kSide];
  load_f64(warp, plan, a, b, c);
  for (std::uint32_t r = 0; r < plan.registers_d.size(); ++r) {
    std::uint64_t* to = warp.wide(plan.registers_d[r]);
    for (std::uint32_t i = 0; i < kLanes; ++i) {
      const std::uint32_t row = r / 2 * kSide + i / 4, column = i % 4 * 2 + r % 2;
      auto sum = std::bit_cast<std::uint64_t>(c[row * kSide + column]);
      for (std::uint32_t k = 0; k < plan.depth; ++k) {
        sum = number::fma_f64(std::bit_cast<std::uint64_t>(a[row * plan.depth + k]),
                              std::bit_cast<std::uint64_t>(b[k * kSide + column]), sum, plan.rounding);
      }
      to[i] = sum;
    }
  }
}

// ---- b1: tiles of [8][4] words of 32 elements

RIDGE_LANE_CODE void multiply_bits(Warp& warp, const Step& step, Mask mask) {
  if (mask != kAllLanes && whole_warp(warp, step, mask) == 0) return;
  const auto& plan = *static_cast<const MatrixPlan*>(step.detail);
  const std::uint32_t blocks = plan.rows / kSide, flip = plan.exclusive_or ? kAllLanes : 0;
  std::uint32_t sums[2 * kSide * kSide] = {};
  for (std::uint32_t r = 0; r < plan.registers_a.size(); ++r) {
    const std::uint32_t *a = warp.word(plan.registers_a[r]), *b = warp.word(plan.registers_b[r / blocks]);
    for (std::uint32_t i = 0; i < kSide * kSide * 4; ++i) {
      const std::uint32_t row = i / 32, column = i / 4 % kSide, word = i % 4;
      const std::uint32_t left = a[row * 4 + word], right = b[column * 4 + word];
      const std::uint32_t both = flip != 0 ? left ^ right : left & right;
      sums[(r % blocks * kSide + row) * kSide + column] += static_cast<std::uint32_t>(std::popcount(both));
    }
  }
  for (std::uint32_t r = 0; r < plan.registers_d.size(); ++r) {
    const std::uint32_t* c = warp.word(plan.registers_c[r]);
    for (std::uint32_t i = 0; i < kLanes; ++i) sums[(r / 2 * kSide + i / 4) * kSide + i % 4 * 2 + r % 2] += c[i];
  }
  for (std::uint32_t r = 0; r < plan.registers_d.size(); ++r) {
    std::uint32_t* d = warp.word(plan.registers_d[r]);
    for (std::uint32_t i = 0; i < kLanes; ++i) d[i] = sums[(r / 2 * kSide + i / 4) * kSide + i % 4 * 2 + r % 2];
  }
}

// ---- m8n8k4 of f16: lanes 4q .. 4q+3 and 16+4q .. 16+4q+3 make the product q

struct QuadPlace {
  std::uint32_t row = 0, column = 0;
};

// Where a lane's element of a fragment lies; `high`: lanes 16 and above.
QuadPlace place_a(bool column_major, std::uint32_t lane, std::uint32_t i) {
  const std::uint32_t high = lane / 16 * 4;
  return column_major ? QuadPlace{high + i, lane % 4} : QuadPlace{high + lane % 4, i};
}
QuadPlace place_b(bool row_major, std::uint32_t lane, std::uint32_t i) {
  const std::uint32_t high = lane / 16 * 4;
  return row_major ? QuadPlace{lane % 4, high + i} : QuadPlace{i, high + lane % 4};
}
QuadPlace place_c(Accumulate type, std::uint32_t lane, std::uint32_t i) {
  const std::uint32_t high = lane / 16 * 4;
  if (type == Accumulate::kF16) return {high + lane % 4, i};
  return {high + (lane & 1U) + (i & 2U), (i & 4U) + (lane & 2U) + (i & 1U)};
}

double half_at(const Warp& warp, const std::vector<Slot>& registers, std::uint32_t lane, std::uint32_t i) {
  return double{half_value(warp.word(registers[i / 2])[lane] >> (16 * (i % 2)) & 0xffffU)};
}

void multiply_quads(Warp& warp, const Step& step, Mask mask) {
  if (mask != kAllLanes && whole_warp(warp, step, mask) == 0) return;
  const auto& plan = *static_cast<const MatrixPlan*>(step.detail);
  double a[4][8][4], b[4][4][8], c[4][8][8];
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    const std::uint32_t quad = lane / 4 % 4;
    for (std::uint32_t i = 0; i < 4; ++i) {
      const QuadPlace at = place_a(plan.column_a, lane, i), bt = place_b(plan.row_b, lane, i);
      a[quad][at.row][at.column] = half_at(warp, plan.registers_a, lane, i);
      b[quad][bt.row][bt.column] = half_at(warp, plan.registers_b, lane, i);
    }
    for (std::uint32_t i = 0; i < 8; ++i) {
      const QuadPlace at = place_c(plan.c, lane, i);
      c[quad][at.row][at.column] = plan.c == Accumulate::kF16
                                       ? half_at(warp, plan.registers_c, lane, i)
                                       : double{std::bit_cast<float>(warp.word(plan.registers_c[i])[lane])};
    }
  }
  for (std::uint32_t quad = 0; quad < 4; ++quad) add_products(a[quad][0], 4, b[quad][0], c[quad][0], 8, 4);
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    const std::uint32_t quad = lane / 4 % 4;
    for (std::uint32_t i = 0; i < 8; ++i) {
      const QuadPlace at = place_c(plan.d, lane, i);
      const double value = c[quad][at.row][at.column];
      if (plan.d == Accumulate::kF32) {
        warp.word(plan.registers_d[i])[lane] = single_bits(value);
        continue;
      }
      std::uint32_t& word = warp.word(plan.registers_d[i / 2])[lane];
      const std::uint32_t bits = half_bits(value);
      word = i % 2 == 0 ? bits : word | bits << 16;
    }
  }
}

// ---- wgmma: each warp does its 16 rows when it comes by

RIDGE_LANE_CODE bool read_group_a(Warp& warp, const Step& step, const MatrixPlan& plan, double* a) {
  alignas(64) std::byte copied[4 * kTileBytes];
  const std::byte* tiles[4];
  const bool shared = plan.shared_a.descriptor != kNoSlot;
  if (shared && !fetch_a(warp, step, plan, copied)) return false;
  if (plan.shared_a.transposed) {
    if (plan.a == Element::kF16) {
      turned_rows<Element::kF16>(copied, a, plan.rows, plan.depth);
    } else {
      turned_rows<Element::kBf16>(copied, a, plan.rows, plan.depth);
    }
  } else {
    for (std::uint32_t i = 0; i < 4; ++i) {
      tiles[i] = shared ? copied + i * kTileBytes : tile_at(warp, plan.registers_a[i]);
    }
    decode_a(plan.a, tiles, 4, a);
  }
  if (plan.negate) {
    for (std::uint32_t i = 0; i < plan.rows * plan.depth; ++i) a[i] = -a[i];
  }
  return true;
}

// Two tiles of one group of eight columns.
RIDGE_LANE_CODE void decode_group_b(const MatrixPlan& plan, const std::byte* tiles, double* b) {
  if (!plan.shared_b.transposed) {
    const std::byte* both[] = {tiles, tiles + kTileBytes};
    return decode_b(plan.b, both, b, plan.depth);
  }
  for (std::uint32_t i = 0; i < 2; ++i, tiles += kTileBytes, b += kSide * kSide) {
    if (plan.b == Element::kF16) {
      rows_of<Element::kF16>(tiles, b);
    } else {
      rows_of<Element::kBf16>(tiles, b);
    }
  }
}

RIDGE_LANE_CODE void multiply_group(Warp& warp, const Step& step, Mask mask) {
  if (mask != kAllLanes && whole_warp(warp, step, mask) == 0) return;
  const auto& plan = *static_cast<const MatrixPlan*>(step.detail);
  alignas(64) double a[16 * 32];
  alignas(64) double b[32 * kSide];
  alignas(64) double c[16 * kSide];
  alignas(64) std::byte tiles[kMostTiles * kTileBytes];
  if (!read_group_a(warp, step, plan, a) || !fetch_b(warp, step, plan, tiles)) return;
  const std::uint32_t width = plan.shared_a.transposed ? plan.depth : plan.tile_width();
  const bool keeps = plan.keeps_d == kNoSlot || (warp.predicate(plan.keeps_d) & mask) != 0;
  for (std::uint32_t column = 0; column < plan.columns; column += kSide) {
    decode_group_b(plan, tiles + column / kSide * 2 * kTileBytes, b);
    if (keeps) {
      load_c(warp, plan, column, c);
    } else {
      std::fill(std::begin(c), std::end(c), 0.0);
    }
    add_products(a, width, b, c, plan.rows, plan.depth);
    store_d(warp, plan, column, c);
  }
}

Handler handler_of(const MatrixPlan& plan) {
  if (plan.shared_b.descriptor != kNoSlot) return multiply_group;
  if (plan.quads) return multiply_quads;
  if (plan.a == Element::kB1) return multiply_bits;
  if (plan.a != Element::kF64) return multiply;
  return plan.rounding == number::Rounding::kNearestEven ? multiply_f64 : multiply_f64_rounded;
}

}  // namespace

bool select_multiply(Builder& builder) {
  const Planned planned = plan_multiply(builder);
  if (planned.plan == nullptr) return planned.own;
  builder.emit({.run = handler_of(*planned.plan), .detail = planned.plan});
  return true;
}

}  // namespace ridge::emulator::RIDGE_ISA
