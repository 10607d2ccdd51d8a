// mma.sp against plain loops over the full matrix. Metadata is placed as the figures of the PTX ISA show it.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "emulator/exec/matrix/fragment_places.h"
#include "emulator/exec/matrix/matrix_rig.h"
#include "emulator/exec/matrix/random_elements.h"

namespace ridge::emulator::testing {
namespace {

struct Case {
  std::string shape, types;
  Element element{};
  Accumulate sums{};
  unsigned depth = 0;
  Places place_a{}, place_b{};  ///< of A as it is stored, half as deep
  unsigned selectors = 1;       ///< values that the selector may have
};

// Lane and first bit of the metadata of a row's `chunk`: see the figures for m16n8k16 and m16n8k32 of .f16, m16n8k32
// and m16n8k64 of .u8.
struct MetadataPlace {
  unsigned lane = 0, bit = 0;
};
MetadataPlace place_of(const Case& test, unsigned row, unsigned chunk, unsigned selector) {
  const unsigned quad = row % 8 * 4;
  if (bits_of(test.element) >= 16) {
    const unsigned lane = test.selectors == 4 ? selector : selector * 2 + chunk;
    return {quad + lane, row < 8 ? 0U : 16U};
  }
  const unsigned upper = row < 8 ? 0 : 1;
  return {quad + (test.selectors == 2 ? selector * 2 : chunk * 2) + upper, 0};
}

struct Pattern {
  unsigned choices, kept, together, bits, in_chunk;  ///< in_chunk: indices
};
Pattern pattern_of(Element element) {
  switch (bits_of(element)) {
    case 32:
      return {2, 1, 1, 4, 4};
    case 16:
      return {4, 2, 1, 2, 8};
    case 8:
      return {4, 2, 1, 2, 16};
    default:
      return {4, 2, 2, 2, 16};
  }
}

using Matrix = std::vector<std::vector<double>>;

void check(const Case& test, unsigned selector, const std::string& lanes) {
  RandomElements random(3 + selector);
  const unsigned bits = bits_of(test.element), each = 32 / bits, stored = test.depth / 2;
  const Pattern pattern = pattern_of(test.element);
  std::vector<Words> in(32);
  const unsigned registers_a = 16 * stored * bits / 1024, registers_b = 8 * test.depth * bits / 1024;
  for (Words& words : in) words.resize(registers_a + registers_b + 4 + 1);

  // Which places the stored elements have.
  std::vector<std::vector<unsigned>> places(16, std::vector<unsigned>(stored));
  for (unsigned row = 0; row < 16; ++row) {
    for (unsigned i = 0; i < stored / pattern.together; i += pattern.kept) {
      unsigned first = random.below(pattern.choices), second = first;
      while (pattern.kept == 2 && second == first) second = random.below(pattern.choices);
      if (first > second) std::swap(first, second);
      for (unsigned j = 0; j < pattern.kept; ++j) {
        const unsigned index = j == 0 ? first : second;
        const std::uint64_t code = pattern.bits == 4 ? (index == 0 ? 0b0100U : 0b1110U) : index;
        const MetadataPlace at = place_of(test, row, (i + j) / pattern.in_chunk, selector);
        in[at.lane].back() |= code << (at.bit + (i + j) % pattern.in_chunk * pattern.bits);
        for (unsigned part = 0; part < pattern.together; ++part) {
          places[row][(i + j) * pattern.together + part] =
              (i / pattern.kept * pattern.choices + index) * pattern.together + part;
        }
      }
    }
  }
  Matrix a(16, std::vector<double>(test.depth)), b(test.depth, std::vector<double>(8)), c(16, std::vector<double>(8));
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned i = 0; i < registers_a * each; ++i) {
      const Encoded value = random.of(test.element);
      const ElementPlace at = test.place_a(lane, i);
      a[at.row][places[at.row][at.column]] = value.value;
      in[lane][i / each] |= value.bits << (i % each * bits);
    }
    for (unsigned i = 0; i < registers_b * each; ++i) {
      const Encoded value = random.of(test.element);
      const ElementPlace at = test.place_b(lane, i);
      b[at.row][at.column] = value.value;
      in[lane][registers_a + i / each] |= value.bits << (i % each * bits);
    }
    for (unsigned i = 0; i < 4; ++i) {
      const Encoded value = test.sums == Accumulate::kS32 ? random.integer(16, false) : random.of(test.sums);
      const ElementPlace at = c_m16n8(lane, i);
      c[at.row][at.column] = value.value;
      in[lane][registers_a + registers_b + i] = value.bits;
    }
  }
  Rig rig;
  rig.lanes = lanes;
  rig.in = {{"a", registers_a}, {"b", registers_b}, {"c", 4}, {"e", 1}};
  rig.out = {{"d", 4}};
  rig.body = "mma.sp::ordered_metadata.sync.aligned." + test.shape + ".row.col." + test.types + " " +
             vector_of(rig.out[0]) + ", " + vector_of(rig.in[0]) + ", " + vector_of(rig.in[1]) + ", " +
             vector_of(rig.in[2]) + ", %e0, " + std::to_string(selector) + ";";
  const RigResult result = run(rig, in);
  ASSERT_EQ(result.error, "");
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned i = 0; i < 4; ++i) {
      const ElementPlace at = c_m16n8(lane, i);
      long double sum = c[at.row][at.column];
      for (unsigned k = 0; k < test.depth; ++k) sum += static_cast<long double>(a[at.row][k]) * b[k][at.column];
      const auto word = static_cast<std::uint32_t>(result.out[lane][i]);
      const double value = test.sums == Accumulate::kS32 ? static_cast<double>(static_cast<std::int32_t>(word))
                                                         : double{std::bit_cast<float>(word)};
      const auto expected = static_cast<double>(sum);
      const double allowed = test.sums == Accumulate::kS32 ? 0 : std::fabs(expected) * 0x1.0001p-24 + 0x1p-149;
      ASSERT_NEAR(value, expected, allowed) << "row " << at.row << ", column " << at.column;
    }
  }
}

TEST(SparseMmaTest, AgreesWithPlainLoopsOverTheFullMatrix) {
  using E = Element;
  using C = Accumulate;
  const std::vector<Case> cases = {
      {"m16n8k16", "f32.f16.f16.f32", E::kF16, C::kF32, 16, a_m16n8k8_16, b_k16_16, 4},
      {"m16n8k32", "f32.f16.f16.f32", E::kF16, C::kF32, 32, a_m16n8k16_16, b_k32_16, 2},
      {"m16n8k16", "f32.bf16.bf16.f32", E::kBf16, C::kF32, 16, a_m16n8k8_16, b_k16_16, 4},
      {"m16n8k32", "f32.bf16.bf16.f32", E::kBf16, C::kF32, 32, a_m16n8k16_16, b_k32_16, 2},
      {"m16n8k8", "f32.tf32.tf32.f32", E::kTf32, C::kF32, 8, a_m16n8k4_32, b_k8_32, 4},
      {"m16n8k16", "f32.tf32.tf32.f32", E::kTf32, C::kF32, 16, a_m16n8k8_32, b_k16_32, 2},
      {"m16n8k32", "s32.s8.s8.s32", E::kS8, C::kS32, 32, a_m16n8k16_8, b_k32_8, 2},
      {"m16n8k64", "s32.u8.u8.s32", E::kU8, C::kS32, 64, a_m16n8k32_8, b_k64_8, 1},
      {"m16n8k64", "f32.e4m3.e4m3.f32", E::kE4m3, C::kF32, 64, a_m16n8k32_8, b_k64_8, 1},
      {"m16n8k64", "s32.s4.s4.s32", E::kS4, C::kS32, 64, a_m16n8k32_4, b_k64_4, 2},
      {"m16n8k128", "s32.u4.u4.s32", E::kU4, C::kS32, 128, a_m16n8k64_4, b_k128_4, 1},
  };
  for (const std::string& lanes : instruction_sets()) {
    for (const Case& each : cases) {
      for (unsigned selector = 0; selector < each.selectors; ++selector) {
        SCOPED_TRACE(each.shape + " " + each.types + " selector " + std::to_string(selector) + " " + lanes);
        check(each, selector, lanes);
      }
    }
  }
}

}  // namespace
}  // namespace ridge::emulator::testing
