// One matrix instruction, decoded: what is multiplied, how large, and where its parts lie.
//
// All fragments have one layout, that of mma.sync in the PTX ISA. With g = lane / 4, t = lane % 4 and E elements of the
// operand in a register, registers are tiles of 8 rows:
//   A  register r holds rows 8 * (r % (M / 8)) + g, columns 4E * (r / (M / 8)) + t * E ... + E - 1
//   B  register r holds columns 8 * (r / (K / 4E)) + g, rows 4E * (r % (K / 4E)) + t * E ... + E - 1
//   C  with p = r / 2: rows 8 * (p % (M / 8)) + g, column 8 * (p / (M / 8)) + 2t + r % 2; of f16 register p has both
// so that the 32 words of a register are a tile of 8 rows of 16 bytes. That is mma.sync in every shape (but m8n8k4 of
// f16), the accumulators of wgmma with the 16 rows that one warp has, and what is chosen for wmma, whose layout PTX
// does not say.
//
// Numbers: products are exact; they are summed in f64 and rounded once, to nearest. Hardware cuts bits off while it
// adds, so its last bits differ. Integers are exact, then wrap or saturate. f64 is a chain of fma along k.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "emulator/exec/builder.h"
#include "emulator/number/softfloat.h"

namespace ridge::emulator {

enum class Element : std::uint8_t { kF16, kBf16, kTf32, kF64, kE4m3, kE5m2, kS8, kU8, kS4, kU4, kB1 };
[[nodiscard]] std::optional<Element> element_named(std::string_view word);
[[nodiscard]] std::uint32_t bits_of(Element element);
/// In a register of 32 bits, or of 64 for f64.
[[nodiscard]] std::uint32_t per_register(Element element);

enum class Accumulate : std::uint8_t { kF16, kF32, kF64, kS32 };

/// Where an operand of wgmma lies in shared memory, beside what its descriptor says at run time.
struct SharedOperand {
  Slot descriptor = kNoSlot;
  bool transposed = false;  ///< rows of k hold the other dimension's neighbours
};

struct MatrixPlan {
  std::uint32_t rows = 0, columns = 0, depth = 0;  ///< M of one warp, N, K
  Element a{}, b{};
  Accumulate c{}, d{};
  std::vector<Slot> registers_d, registers_a, registers_b, registers_c;
  bool saturate = false;
  bool exclusive_or = false;                                   ///< of b1
  number::Rounding rounding = number::Rounding::kNearestEven;  ///< of f64

  // mma.sp: two of four elements along k are there, or one of two (tf32), or two pairs of eight (4 bits).
  Slot metadata = kNoSlot;
  std::uint32_t selector = 0;

  // mma.m8n8k4 of f16: four small products, each of eight lanes.
  bool quads = false, column_a = false, row_b = false;

  // wgmma.
  SharedOperand shared_a, shared_b;
  Slot keeps_d = kNoSlot;  ///< predicate: false makes d = a * b
  bool negate = false;

  [[nodiscard]] bool sparse() const { return metadata != kNoSlot; }
  /// Elements along k in a tile's rows of 16 bytes.
  [[nodiscard]] std::uint32_t tile_width() const { return 4 * per_register(a); }
  /// K as A's registers have it.
  [[nodiscard]] std::uint32_t stored_depth() const { return sparse() ? depth / 2 : depth; }
};

/// A whole number of lanes' worth of registers for each operand.
[[nodiscard]] std::uint32_t registers_of_a(const MatrixPlan& plan);
[[nodiscard]] std::uint32_t registers_of_b(const MatrixPlan& plan);
[[nodiscard]] std::uint32_t registers_of_c(const MatrixPlan& plan, Accumulate type);

/// "m16n8k16".
struct MatrixShape {
  std::uint32_t m = 0, n = 0, k = 0;
};
[[nodiscard]] std::optional<MatrixShape> shape_of(const Builder& builder);

/// The plan of mma, wmma.mma or wgmma.mma_async. nullptr with `own` false: another instruction; with true: refused.
struct Planned {
  bool own = false;
  const MatrixPlan* plan = nullptr;
};
[[nodiscard]] Planned plan_multiply(Builder& builder);

/// The elements of A that a row's metadata leaves out are zero: spreads `stored` values of each row over `depth`.
/// `stored` is [depth / width][rows][width] as decoded from tiles, `full` is [rows][depth]; `metadata` is a register of
/// 32 lanes.
void spread(const MatrixPlan& plan, const std::uint32_t* metadata, const double* stored, double* full);

/// wgmma: copies this warp's 16 rows of A, or all columns of B, into tiles of 8 rows of 16 bytes as registers have them
/// (of a transposed operand: 8 of k by 8 elements), and tells listeners. False after a fault. A's tiles stand in the
/// order of registers, B's too.
[[nodiscard]] bool fetch_a(Warp& warp, const Step& step, const MatrixPlan& plan, std::byte* tiles);
[[nodiscard]] bool fetch_b(Warp& warp, const Step& step, const MatrixPlan& plan, std::byte* tiles);
inline constexpr std::uint32_t kTileBytes = 128;
inline constexpr std::uint32_t kMostTiles = 64;  ///< of B: n256, 32 bytes of k

}  // namespace ridge::emulator
