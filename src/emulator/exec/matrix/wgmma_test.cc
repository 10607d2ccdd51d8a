// wgmma.mma_async against plain loops; operands are laid out in shared memory by the canonical layouts of the PTX ISA,
// written here from their description.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "emulator/exec/matrix/fragment_places.h"
#include "emulator/exec/matrix/matrix_rig.h"
#include "emulator/exec/matrix/random_elements.h"

namespace ridge::emulator::testing {
namespace {

constexpr unsigned kRows = 64;

/// An operand with `extent` rows (m or n) and `depth` elements of k.
struct Operand {
  unsigned extent = 0, depth = 0, bits = 16;
  unsigned swizzle = 128;  ///< bytes; 0: none
  bool transposed = false;
  unsigned start = 0;  ///< offset in shared memory
};

struct Strides {
  unsigned leading = 0, stride = 0;
};

// Neighbouring core matrices: without a swizzle one after the other along k, then along m or n. With one, along k
// inside the swizzle's row, groups of eight rows one after the other.
Strides strides_of(const Operand& operand) {
  const unsigned cores = operand.extent / 8;
  if (operand.swizzle == 0 && !operand.transposed) return {128, 256};
  if (operand.swizzle == 0) return {cores * 128, 128};
  if (!operand.transposed) return {16, operand.swizzle * 8};
  return {operand.swizzle * 16, operand.swizzle * 8};  // the next columns of blocks come after both halves of k
}

// The byte at which element (row, k) begins.
unsigned place_of(const Operand& operand, unsigned row, unsigned k) {
  const Strides strides = strides_of(operand);
  const unsigned bytes = operand.bits / 8, in_unit = 16 / bytes;
  const unsigned width = operand.swizzle == 0 ? 16 : operand.swizzle;
  unsigned at = operand.start;
  if (!operand.transposed) {
    const unsigned unit = k / in_unit;
    at += row / 8 * strides.stride + row % 8 * width + unit * (operand.swizzle == 0 ? strides.leading : 16);
    at += k % in_unit * bytes;
  } else {
    const unsigned unit = row / in_unit, across = width / 16;
    at += operand.swizzle == 0 ? unit * strides.stride + k / 8 * strides.leading
                               : unit % across * 16 + unit / across * strides.leading + k / 8 * strides.stride;
    at += k % 8 * width + row % in_unit * bytes;
  }
  switch (operand.swizzle) {
    case 32:
      return at ^ ((at >> 7 & 1U) << 4);
    case 64:
      return at ^ ((at >> 7 & 3U) << 4);
    case 128:
      return at ^ ((at >> 7 & 7U) << 4);
    default:
      return at;
  }
}

std::uint64_t descriptor_of(const Operand& operand) {
  const Strides strides = strides_of(operand);
  const std::uint64_t mode = operand.swizzle == 128 ? 1 : operand.swizzle == 64 ? 2 : operand.swizzle == 32 ? 3 : 0;
  return std::uint64_t{operand.start / 16} | std::uint64_t{strides.leading / 16} << 16 |
         std::uint64_t{strides.stride / 16} << 32 | mode << 62;
}

using Matrix = std::vector<std::vector<double>>;

Matrix place_random(RandomElements& random, Element element, const Operand& operand, std::vector<std::byte>& shared) {
  Matrix matrix(operand.extent, std::vector<double>(operand.depth));
  for (unsigned row = 0; row < operand.extent; ++row) {
    for (unsigned k = 0; k < operand.depth; ++k) {
      const Encoded value = random.of(element);
      matrix[row][k] = value.value;
      std::memcpy(shared.data() + place_of(operand, row, k), &value.bits, operand.bits / 8);
    }
  }
  return matrix;
}

struct Case {
  std::string types;
  Element element{};
  Accumulate sums{};
  unsigned columns = 8, depth = 16;
  unsigned swizzle_a = 128, swizzle_b = 128;
  bool transposed_a = false, transposed_b = false;
  bool a_in_registers = false, keeps = true, negated = false;
};

struct Told : Listener {
  std::uint64_t lanes = 0, accesses = 0;
  void access(const Where&, const Access& access) override {
    if (access.space != ptx::Space::kShared || access.kind != AccessKind::kLoad || access.bytes != 16) return;
    ++accesses;
    lanes += static_cast<std::uint64_t>(std::popcount(access.mask));
  }
};

std::string instruction(const Case& test, const Rig& rig, const std::string& a, const std::string& b) {
  std::string text = "setp.ne.u32 %p1, " + std::string(test.keeps ? "1" : "0") + ", 0;\nwgmma.fence.sync.aligned;\n";
  text += "wgmma.mma_async.sync.aligned.m64n" + std::to_string(test.columns) + "k" + std::to_string(test.depth) + "." +
          test.types + " " + vector_of(rig.out[0]) + ", " + a + ", " + b + ", %p1";
  if (test.sums != Accumulate::kS32) text += std::string(test.negated ? ", -1" : ", 1") + ", 1";
  if (test.element == Element::kF16 || test.element == Element::kBf16) {
    if (!test.a_in_registers) text += test.transposed_a ? ", 1" : ", 0";
    text += test.transposed_b ? ", 1" : ", 0";
  }
  return text + ";\nwgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;";
}

double decoded(Accumulate type, std::uint64_t word, unsigned half) {
  if (type == Accumulate::kF32) return double{std::bit_cast<float>(static_cast<std::uint32_t>(word))};
  if (type == Accumulate::kS32) return static_cast<double>(static_cast<std::int32_t>(word));
  const std::uint64_t bits = word >> (16 * half) & 0xffffU;
  return std::bit_cast<double>(number::float_to_float(number::kF16, bits, number::kF64));
}

void check(const Case& test, const std::string& lanes) {
  RandomElements random(11);
  const unsigned bits = bits_of(test.element), each = test.sums == Accumulate::kF16 ? 2 : 1;
  const Operand a{kRows, test.depth, bits, test.swizzle_a, test.transposed_a, 0};
  const Operand b{test.columns, test.depth, bits, test.swizzle_b, test.transposed_b, 32768};
  Rig rig;
  rig.lanes = lanes;
  rig.threads = 128;
  rig.shared.resize(32768 + 65536);
  const Matrix left = place_random(random, test.element, a, rig.shared);
  const Matrix right = place_random(random, test.element, b, rig.shared);

  const unsigned sums = kRows * test.columns / 128, registers = sums / each;
  rig.in = {{"a", 4}, {"c", registers}, {"desc", 2, true}};
  rig.out = {{"d", registers}};
  std::vector<Words> in(128);
  Matrix start(kRows, std::vector<double>(test.columns));
  for (unsigned thread = 0; thread < 128; ++thread) {
    in[thread].resize(4 + registers + 2);
    const unsigned lane = thread % 32, first_row = thread / 32 * 16, in_register = 32 / bits;
    for (unsigned i = 0; i < 4 * in_register && test.a_in_registers; ++i) {
      const ElementPlace at = bits == 16  ? a_m16n8k16_16(lane, i)
                              : bits == 8 ? a_m16n8k32_8(lane, i)
                                          : a_m16n8k8_32(lane, i);
      std::uint64_t code = 0;
      std::memcpy(&code, rig.shared.data() + place_of(a, first_row + at.row, at.column), bits / 8);
      in[thread][i / in_register] |= code << (i % in_register * bits);
    }
    for (unsigned i = 0; i < sums; ++i) {
      const Encoded sum = random.of(test.sums);
      const ElementPlace at = c_m64(lane, i);
      start[first_row + at.row][at.column] = sum.value;
      in[thread][4 + i / each] |= sum.bits << (each == 2 ? 16 * (i % 2) : 0);
    }
    in[thread][4 + registers] = descriptor_of(a);
    in[thread][5 + registers] = descriptor_of(b);
  }
  for (unsigned i = 0; i < registers; ++i) {
    rig.body += "mov.b32 %d" + std::to_string(i) + ", %c" + std::to_string(i) + ";\n";
  }
  rig.body += instruction(test, rig, test.a_in_registers ? vector_of(rig.in[0]) : "%desc0", "%desc1");
  Told told;
  rig.listener = &told;
  const RigResult result = run(rig, in);
  ASSERT_EQ(result.error, "");
  ASSERT_TRUE(result.faults.empty());

  for (unsigned thread = 0; thread < 128; ++thread) {
    for (unsigned i = 0; i < sums; ++i) {
      const ElementPlace at = c_m64(thread % 32, i);
      const unsigned row = thread / 32 * 16 + at.row;
      long double sum = test.keeps ? start[row][at.column] : 0;
      for (unsigned k = 0; k < test.depth; ++k) {
        sum += static_cast<long double>(test.negated ? -left[row][k] : left[row][k]) * right[at.column][k];
      }
      auto expected = static_cast<double>(sum);
      if (test.sums == Accumulate::kS32) {
        expected =
            static_cast<double>(static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::int64_t>(sum))));
      }
      const double value = decoded(test.sums, result.out[thread][i / each], i % each);
      const double unit = test.sums == Accumulate::kF16 ? 0x1.01p-11 : test.sums == Accumulate::kF32 ? 0x1.0001p-24 : 0;
      ASSERT_NEAR(value, expected, std::fabs(expected) * unit) << "row " << row << ", column " << at.column;
    }
  }
  // Each byte of an operand is told once.
  const unsigned units = (test.a_in_registers ? 0 : kRows * 2) + test.columns * 2;
  EXPECT_EQ(told.lanes, units);
}

void check_all(const Case& test) {
  for (const std::string& lanes : instruction_sets()) {
    SCOPED_TRACE(test.types + " n" + std::to_string(test.columns) + " swizzles " + std::to_string(test.swizzle_a) +
                 " " + std::to_string(test.swizzle_b) + (test.transposed_a ? " ta" : "") +
                 (test.transposed_b ? " tb" : "") + (test.a_in_registers ? " registers" : "") + " " + lanes);
    check(test, lanes);
  }
}

Case halves(unsigned columns) {
  Case test{"f32.bf16.bf16", Element::kBf16, Accumulate::kF32};
  test.columns = columns;
  return test;
}

TEST(WgmmaTest, AgreesWithPlainLoopsForEverySwizzle) {
  for (const unsigned swizzle : {0U, 32U, 64U, 128U}) {
    Case test = halves(64);
    test.swizzle_a = test.swizzle_b = swizzle;
    check_all(test);
  }
}

TEST(WgmmaTest, AgreesWithPlainLoopsForTransposedOperands) {
  for (const unsigned swizzle : {0U, 32U, 64U, 128U}) {
    for (const int which : {1, 2, 3}) {
      Case test = halves(128);
      test.swizzle_a = test.swizzle_b = swizzle;
      test.transposed_a = (which & 1) != 0;
      test.transposed_b = (which & 2) != 0;
      check_all(test);
    }
  }
}

TEST(WgmmaTest, AgreesWithPlainLoopsForEveryType) {
  struct Types {
    std::string words;
    Element element;
    Accumulate sums;
    unsigned depth;
  };
  for (const Types& each : {Types{"f16.f16.f16", Element::kF16, Accumulate::kF16, 16},
                            Types{"f32.f16.f16", Element::kF16, Accumulate::kF32, 16},
                            Types{"f32.tf32.tf32", Element::kTf32, Accumulate::kF32, 8},
                            Types{"f32.e4m3.e4m3", Element::kE4m3, Accumulate::kF32, 32},
                            Types{"f16.e5m2.e5m2", Element::kE5m2, Accumulate::kF16, 32},
                            Types{"s32.s8.s8", Element::kS8, Accumulate::kS32, 32},
                            Types{"s32.u8.u8", Element::kU8, Accumulate::kS32, 32}}) {
    for (const bool a_in_registers : {false, true}) {
      Case test{each.words, each.element, each.sums};
      test.columns = 32;
      test.depth = each.depth;
      test.a_in_registers = a_in_registers;
      check_all(test);
    }
  }
}

TEST(WgmmaTest, WidthsGoFrom8To256) {
  for (const unsigned columns : {8U, 16U, 96U, 256U}) check_all(halves(columns));
}

TEST(WgmmaTest, StartsFromZeroOrNegatesAsAsked) {
  Case fresh = halves(16);
  fresh.keeps = false;
  check_all(fresh);
  Case negated = halves(16);
  negated.negated = true;
  check_all(negated);
}

TEST(WgmmaTest, AnOperandOutsideSharedMemoryIsAFault) {
  Rig rig;
  rig.threads = 128;
  rig.shared.resize(2048);
  rig.in = {{"desc", 2, true}};
  rig.out = {{"d", 4}};
  rig.body =
      "setp.ne.u32 %p1, 0, 0;\nwgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%d0, %d1, %d2, %d3}, %desc0, "
      "%desc1, %p1, 1, 1, 0, 0;";
  const Operand far{kRows, 16, 16, 128, false, 8192};
  const RigResult result = run(rig, std::vector<Words>(128, Words{descriptor_of(far), descriptor_of(far)}));
  ASSERT_EQ(result.error, "");
  ASSERT_FALSE(result.faults.empty());
  EXPECT_EQ(result.faults[0].kind, FaultKind::kOutOfBounds);
  EXPECT_EQ(result.faults[0].space, ptx::Space::kShared);
}

}  // namespace
}  // namespace ridge::emulator::testing
