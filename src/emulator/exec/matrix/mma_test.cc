// mma.sync in every shape and type against plain loops; fragments are filled by the ISA's own formulas.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "emulator/exec/matrix/fragment_places.h"
#include "emulator/exec/matrix/matrix_rig.h"
#include "emulator/exec/matrix/random_elements.h"

namespace ridge::emulator::testing {
namespace {

struct Case {
  std::string instruction;
  unsigned m, n, k;
  Element a, b;
  Accumulate c, d;
  Places place_a, place_b, place_c;
};

using Matrix = std::vector<std::vector<double>>;
Matrix zeros(unsigned rows, unsigned columns) {
  return Matrix(rows, std::vector<double>(columns, 0));
}

unsigned registers_for(unsigned elements, unsigned bits) {
  return bits == 64 ? elements / 32 : elements * bits / 1024;
}
unsigned bits_of(Accumulate type) {
  return type == Accumulate::kF16 ? 16 : type == Accumulate::kF64 ? 64 : 32;
}

// Fills one operand: its registers of every lane, and the matrix they mean.
template <class Type>
void fill(RandomElements& random, Type type, unsigned bits, Places place, unsigned elements, Matrix& matrix,
          std::vector<Words>& in) {
  const unsigned each = bits == 64 ? 1 : 32 / bits;
  for (unsigned lane = 0; lane < 32; ++lane) {
    const std::size_t first = in[lane].size();
    in[lane].resize(first + elements / 32 / each);
    for (unsigned i = 0; i < elements / 32; ++i) {
      const Encoded element = random.of(type);
      const ElementPlace at = place(lane, i);
      matrix[at.row][at.column] = element.value;
      in[lane][first + i / each] |= element.bits << (i % each * bits);
    }
  }
}

double expected_integer(const Case& test, long double sum) {
  const bool saturates = test.instruction.find("satfinite") != std::string::npos;
  if (saturates) return static_cast<double>(std::fmin(std::fmax(sum, -0x1p31L), 0x1p31L - 1));
  const auto wrapped = static_cast<std::uint32_t>(static_cast<std::int64_t>(sum));
  return static_cast<double>(static_cast<std::int32_t>(wrapped));
}

double dot(const Case& test, const std::vector<double>& row, const Matrix& b, unsigned column, double c) {
  long double sum = c;
  for (unsigned k = 0; k < test.k; ++k) {
    if (test.a == Element::kB1) {
      const bool x = row[k] != 0, y = b[k][column] != 0;
      sum += test.instruction.find("xor") != std::string::npos ? (x != y ? 1 : 0) : (x && y ? 1 : 0);
    } else if (test.a == Element::kF64) {
      sum = std::fma(row[k], b[k][column], static_cast<double>(sum));
    } else {
      sum += static_cast<long double>(row[k]) * b[k][column];
    }
  }
  if (test.d == Accumulate::kS32) return expected_integer(test, sum);
  return static_cast<double>(sum);
}

double decoded(Accumulate type, std::uint64_t bits) {
  switch (type) {
    case Accumulate::kF16:
      return std::bit_cast<double>(number::float_to_float(number::kF16, bits, number::kF64));
    case Accumulate::kF32:
      return double{std::bit_cast<float>(static_cast<std::uint32_t>(bits))};
    case Accumulate::kF64:
      return std::bit_cast<double>(bits);
    case Accumulate::kS32:
      return static_cast<double>(static_cast<std::int32_t>(bits));
  }
  return 0;
}

// The closest number of the type, from a sum that is itself rounded to 64 bits: half a unit and a little.
double allowed(Accumulate type, double value) {
  if (type == Accumulate::kF16) return std::fmax(std::fabs(value) * 0x1.01p-11, 0x1p-25);
  if (type == Accumulate::kF32) return std::fabs(value) * 0x1.0001p-24 + 0x1p-149;
  return 0;
}

std::vector<Case> cases() {
  std::vector<Case> all;
  const auto add = [&](const std::string& shape, const std::string& types, unsigned m, unsigned k, Element a, Element b,
                       Accumulate c, Accumulate d, Places pa, Places pb) {
    all.push_back(
        {"mma.sync.aligned." + shape + ".row.col." + types, m, 8, k, a, b, c, d, pa, pb, m == 16 ? c_m16n8 : c_m8n8});
  };
  using E = Element;
  using C = Accumulate;
  add("m16n8k8", "f16.f16.f16.f16", 16, 8, E::kF16, E::kF16, C::kF16, C::kF16, a_m16n8k8_16, b_k8_16);
  add("m16n8k8", "f32.f16.f16.f32", 16, 8, E::kF16, E::kF16, C::kF32, C::kF32, a_m16n8k8_16, b_k8_16);
  add("m16n8k16", "f16.f16.f16.f16", 16, 16, E::kF16, E::kF16, C::kF16, C::kF16, a_m16n8k16_16, b_k16_16);
  add("m16n8k16", "f32.f16.f16.f32", 16, 16, E::kF16, E::kF16, C::kF32, C::kF32, a_m16n8k16_16, b_k16_16);
  add("m16n8k8", "f32.bf16.bf16.f32", 16, 8, E::kBf16, E::kBf16, C::kF32, C::kF32, a_m16n8k8_16, b_k8_16);
  add("m16n8k16", "f32.bf16.bf16.f32", 16, 16, E::kBf16, E::kBf16, C::kF32, C::kF32, a_m16n8k16_16, b_k16_16);
  add("m16n8k4", "f32.tf32.tf32.f32", 16, 4, E::kTf32, E::kTf32, C::kF32, C::kF32, a_m16n8k4_32, b_k4_32);
  add("m16n8k8", "f32.tf32.tf32.f32", 16, 8, E::kTf32, E::kTf32, C::kF32, C::kF32, a_m16n8k8_32, b_k8_32);
  add("m8n8k4", "f64.f64.f64.f64", 8, 4, E::kF64, E::kF64, C::kF64, C::kF64, a_m8n8k4_f64, b_k4_32);
  add("m16n8k4", "rn.f64.f64.f64.f64", 16, 4, E::kF64, E::kF64, C::kF64, C::kF64, a_m16n8k4_32, b_k4_32);
  add("m16n8k8", "rn.f64.f64.f64.f64", 16, 8, E::kF64, E::kF64, C::kF64, C::kF64, a_m16n8k8_32, b_k8_32);
  add("m16n8k16", "rn.f64.f64.f64.f64", 16, 16, E::kF64, E::kF64, C::kF64, C::kF64, a_m16n8k16_f64, b_k16_32);
  struct Pair {
    std::string name;
    E a, b;
  };
  for (const std::string& saturation : {std::string(), std::string("satfinite.")}) {
    for (const Pair& each : {Pair{"s8.s8", E::kS8, E::kS8}, Pair{"u8.s8", E::kU8, E::kS8},
                             Pair{"s8.u8", E::kS8, E::kU8}, Pair{"u8.u8", E::kU8, E::kU8}}) {
      const std::string types = saturation + "s32." + each.name + ".s32";
      add("m8n8k16", types, 8, 16, each.a, each.b, C::kS32, C::kS32, a_m8n8k16_8, b_k16_8);
      add("m16n8k16", types, 16, 16, each.a, each.b, C::kS32, C::kS32, a_m16n8k16_8, b_k16_8);
      add("m16n8k32", types, 16, 32, each.a, each.b, C::kS32, C::kS32, a_m16n8k32_8, b_k32_8);
    }
    for (const Pair& each : {Pair{"s4.s4", E::kS4, E::kS4}, Pair{"u4.s4", E::kU4, E::kS4},
                             Pair{"s4.u4", E::kS4, E::kU4}, Pair{"u4.u4", E::kU4, E::kU4}}) {
      const std::string types = saturation + "s32." + each.name + ".s32";
      add("m8n8k32", types, 8, 32, each.a, each.b, C::kS32, C::kS32, a_m8n8k32_4, b_k32_4);
      add("m16n8k32", types, 16, 32, each.a, each.b, C::kS32, C::kS32, a_m16n8k32_4, b_k32_4);
      add("m16n8k64", types, 16, 64, each.a, each.b, C::kS32, C::kS32, a_m16n8k64_4, b_k64_4);
    }
  }
  for (const std::string& operation : {std::string(".xor.popc"), std::string(".and.popc")}) {
    const std::string types = "s32.b1.b1.s32" + operation;
    add("m8n8k128", types, 8, 128, E::kB1, E::kB1, C::kS32, C::kS32, a_m8n8k128_1, b_k128_1);
    add("m16n8k128", types, 16, 128, E::kB1, E::kB1, C::kS32, C::kS32, a_m16n8k128_1, b_k128_1);
    add("m16n8k256", types, 16, 256, E::kB1, E::kB1, C::kS32, C::kS32, a_m16n8k256_1, b_k256_1);
  }
  for (const Pair& each : {Pair{"e4m3.e4m3", E::kE4m3, E::kE4m3}, Pair{"e4m3.e5m2", E::kE4m3, E::kE5m2},
                           Pair{"e5m2.e4m3", E::kE5m2, E::kE4m3}, Pair{"e5m2.e5m2", E::kE5m2, E::kE5m2}}) {
    add("m16n8k16", "f32." + each.name + ".f32", 16, 16, each.a, each.b, C::kF32, C::kF32, a_m16n8k16_8, b_k16_8);
    add("m16n8k32", "f32." + each.name + ".f32", 16, 32, each.a, each.b, C::kF32, C::kF32, a_m16n8k32_8, b_k32_8);
    add("m16n8k32", "f16." + each.name + ".f16", 16, 32, each.a, each.b, C::kF16, C::kF16, a_m16n8k32_8, b_k32_8);
  }
  return all;
}

void check(const Case& test, const std::string& lanes, std::uint32_t seed) {
  RandomElements random(seed);
  Matrix a = zeros(test.m, test.k), b = zeros(test.k, test.n), c = zeros(test.m, test.n);
  std::vector<Words> in(32);
  const unsigned element = emulator::bits_of(test.a);
  fill(random, test.a, element, test.place_a, test.m * test.k, a, in);
  fill(random, test.b, element, test.place_b, test.k * test.n, b, in);
  fill(random, test.c, bits_of(test.c), test.place_c, test.m * test.n, c, in);

  Rig rig;
  rig.lanes = lanes;
  rig.in = {{"a", registers_for(test.m * test.k, element), element == 64},
            {"b", registers_for(test.k * test.n, element), element == 64},
            {"c", registers_for(test.m * test.n, bits_of(test.c)), test.c == Accumulate::kF64}};
  rig.out = {{"d", registers_for(test.m * test.n, bits_of(test.d)), test.d == Accumulate::kF64}};
  rig.body = test.instruction + " " + vector_of(rig.out[0]) + ", " + vector_of(rig.in[0]) + ", " +
             vector_of(rig.in[1]) + ", " + vector_of(rig.in[2]) + ";";
  const RigResult result = run(rig, in);
  ASSERT_EQ(result.error, "");
  const unsigned bits = bits_of(test.d), each = bits == 16 ? 2 : 1;
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned i = 0; i < test.m * test.n / 32; ++i) {
      const ElementPlace at = test.place_c(lane, i);
      const std::uint64_t word = result.out[lane][i / each];
      const double value = decoded(test.d, bits == 64 ? word : word >> (i % each * bits) & ((1ULL << bits) - 1));
      const double expected = dot(test, a[at.row], b, at.column, c[at.row][at.column]);
      ASSERT_NEAR(value, expected, allowed(test.d, expected)) << "row " << at.row << ", column " << at.column;
    }
  }
}

TEST(MmaTest, AgreesWithPlainLoopsInEveryShapeAndType) {
  for (const std::string& lanes : instruction_sets()) {
    std::uint32_t seed = 1;
    for (const Case& each : cases()) {
      SCOPED_TRACE(each.instruction + " on " + lanes);
      check(each, lanes, seed++);
    }
  }
}

// ---- m8n8k4 of f16: four products, of lanes q * 4 ... + 3 and those 16 above

ElementPlace quad_a(bool column_major, unsigned lane, unsigned i) {
  const unsigned in_half = lane % 4 + (lane < 16 ? 0 : 4);
  if (!column_major) return {in_half, i};
  return {lane < 16 ? i % 4 : i % 4 + 4, lane % 4};
}
ElementPlace quad_b(bool row_major, unsigned lane, unsigned i) {
  if (row_major) return {lane % 4, lane < 16 ? i : i + 4};
  return {i, lane < 16 ? lane % 4 : lane % 4 + 4};
}
ElementPlace quad_c(Accumulate type, unsigned lane, unsigned i) {
  if (type == Accumulate::kF16) return {lane < 16 ? lane % 4 : lane % 4 + 4, i};
  const unsigned x = (lane & 1U) + (i & 2U);
  return {lane < 16 ? x : x + 4, (i & 4U) + (lane & 2U) + (i & 1U)};
}

void check_quads(bool column_a, bool row_b, Accumulate c_type, Accumulate d_type) {
  RandomElements random(7);
  std::vector<Matrix> a(4, zeros(8, 4)), b(4, zeros(4, 8)), c(4, zeros(8, 8));
  std::vector<Words> in(32);
  const unsigned c_registers = c_type == Accumulate::kF16 ? 4 : 8, d_registers = d_type == Accumulate::kF16 ? 4 : 8;
  for (unsigned lane = 0; lane < 32; ++lane) {
    const unsigned quad = lane % 16 / 4;
    in[lane].resize(4 + c_registers);
    for (unsigned i = 0; i < 4; ++i) {
      const Encoded left = random.of(Element::kF16), right = random.of(Element::kF16);
      const ElementPlace at = quad_a(column_a, lane, i), bt = quad_b(row_b, lane, i);
      a[quad][at.row][at.column] = left.value;
      b[quad][bt.row][bt.column] = right.value;
      in[lane][i / 2] |= left.bits << (16 * (i % 2));
      in[lane][2 + i / 2] |= right.bits << (16 * (i % 2));
    }
    for (unsigned i = 0; i < 8; ++i) {
      const Encoded sum = random.of(c_type);
      const ElementPlace at = quad_c(c_type, lane, i);
      c[quad][at.row][at.column] = sum.value;
      in[lane][4 + (c_registers == 4 ? i / 2 : i)] |= c_registers == 4 ? sum.bits << (16 * (i % 2)) : sum.bits;
    }
  }
  const auto name = [](Accumulate type) { return std::string(type == Accumulate::kF16 ? ".f16" : ".f32"); };
  Rig rig;
  rig.in = {{"a", 2}, {"b", 2}, {"c", c_registers}};
  rig.out = {{"d", d_registers}};
  rig.body = std::string("mma.sync.aligned.m8n8k4") + (column_a ? ".col" : ".row") + (row_b ? ".row" : ".col") +
             name(d_type) + ".f16.f16" + name(c_type) + " " + vector_of(rig.out[0]) + ", " + vector_of(rig.in[0]) +
             ", " + vector_of(rig.in[1]) + ", " + vector_of(rig.in[2]) + ";";
  const RigResult result = run(rig, in);
  ASSERT_EQ(result.error, "");
  const Case sums{"", 8, 8, 4, Element::kF16, Element::kF16, c_type, d_type, nullptr, nullptr, nullptr};
  for (unsigned lane = 0; lane < 32; ++lane) {
    const unsigned quad = lane % 16 / 4;
    for (unsigned i = 0; i < 8; ++i) {
      const ElementPlace at = quad_c(d_type, lane, i);
      const std::uint64_t word = result.out[lane][d_registers == 4 ? i / 2 : i];
      const double value = decoded(d_type, d_registers == 4 ? word >> (16 * (i % 2)) & 0xffffU : word);
      const double expected = dot(sums, a[quad][at.row], b[quad], at.column, c[quad][at.row][at.column]);
      ASSERT_NEAR(value, expected, allowed(d_type, expected)) << "lane " << lane << ", element " << i;
    }
  }
}

TEST(MmaTest, SmallHalfProductsBelongToEightLanesEach) {
  for (const bool column_a : {false, true}) {
    for (const bool row_b : {false, true}) {
      check_quads(column_a, row_b, Accumulate::kF16, Accumulate::kF16);
      check_quads(column_a, row_b, Accumulate::kF32, Accumulate::kF32);
      check_quads(column_a, row_b, Accumulate::kF16, Accumulate::kF32);
    }
  }
}

// ---- values that are special

std::uint64_t first_result(const std::string& types, std::uint64_t a, std::uint64_t b, std::uint64_t c,
                           const std::string& lanes) {
  std::vector<Words> in(32, Words(10, 0));
  in[0][0] = a;  // element (0, 0), and zeros elsewhere
  in[0][4] = b;
  in[0][6] = c;
  Rig rig;
  rig.lanes = lanes;
  rig.in = {{"a", 4}, {"b", 2}, {"c", 4}};
  rig.out = {{"d", 4}};
  rig.body =
      "mma.sync.aligned." + types + " {%d0, %d1, %d2, %d3}, {%a0, %a1, %a2, %a3}, {%b0, %b1}, {%c0, %c1, %c2, %c3};";
  const RigResult result = run(rig, in);
  EXPECT_EQ(result.error, "");
  return result.out.empty() ? 0 : result.out[0][0];
}

TEST(MmaTest, NotANumberIsTheCanonicalOne) {
  for (const std::string& lanes : instruction_sets()) {
    EXPECT_EQ(first_result("m16n8k16.row.col.f32.bf16.bf16.f32", 0x7fc1, 0x3f80, 0, lanes), 0x7fffffffU);
    // Infinity times zero.
    EXPECT_EQ(first_result("m16n8k16.row.col.f32.f16.f16.f32", 0x7c00, 0, 0, lanes), 0x7fffffffU);
    EXPECT_EQ(first_result("m16n8k32.row.col.f32.e4m3.e4m3.f32", 0x7f, 0x38, 0, lanes), 0x7fffffffU);
  }
}

TEST(MmaTest, InfinitiesAndSubnormalsKeepTheirValue) {
  for (const std::string& lanes : instruction_sets()) {
    // bf16: inf * -1; the smallest subnormal, 2^-133, times 1; f16: 2^-24 * 1; e5m2: 2^-16 * 1; e4m3: 2^-9 * 1.
    EXPECT_EQ(first_result("m16n8k16.row.col.f32.bf16.bf16.f32", 0x7f80, 0xbf80, 0, lanes), 0xff800000U);
    EXPECT_EQ(first_result("m16n8k16.row.col.f32.bf16.bf16.f32", 0x0001, 0x3f80, 0, lanes), 0x00010000U);
    EXPECT_EQ(first_result("m16n8k16.row.col.f32.f16.f16.f32", 0x0001, 0x3c00, 0, lanes), 0x33800000U);
    EXPECT_EQ(first_result("m16n8k32.row.col.f32.e5m2.e5m2.f32", 0x01, 0x3c, 0, lanes), 0x37800000U);
    EXPECT_EQ(first_result("m16n8k32.row.col.f32.e4m3.e4m3.f32", 0x01, 0x38, 0, lanes), 0x3b000000U);
  }
}

TEST(MmaTest, SumsAreRoundedOnce) {
  for (const std::string& lanes : instruction_sets()) {
    // 1 + 2^-24 + 2^-30: a second rounding would lose the last term and go to even.
    std::vector<Words> in(32, Words(10, 0));
    in[0][0] = 0x3f80U | 0x3380U << 16;  // a(0, 0) = 1, a(0, 1) = 2^-24
    in[0][1 + 1] = 0x3080;               // a(0, 8) = 2^-30
    in[0][4] = 0x3f80U | 0x3f80U << 16;
    in[0][5] = 0x3f80;
    Rig rig;
    rig.lanes = lanes;
    rig.in = {{"a", 4}, {"b", 2}, {"c", 4}};
    rig.out = {{"d", 4}};
    rig.body =
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%d0, %d1, %d2, %d3}, {%a0, %a1, %a2, %a3}, {%b0, %b1}, "
        "{%c0, %c1, %c2, %c3};";
    const RigResult result = run(rig, in);
    ASSERT_EQ(result.error, "");
    EXPECT_EQ(result.out[0][0], 0x3f800001U);
  }
}

TEST(MmaTest, RegistersOfTheWrongNumberAreRejected) {
  Rig rig;
  rig.in = {{"a", 4}, {"b", 1}, {"c", 4}};
  rig.out = {{"d", 4}};
  rig.body =
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%d0, %d1, %d2, %d3}, {%a0, %a1, %a2, %a3}, {%b0}, {%c0, "
      "%c1, %c2, %c3};";
  EXPECT_NE(run(rig, std::vector<Words>(32, Words(9, 0))).error.find("do not fit the shape"), std::string::npos);
}

}  // namespace
}  // namespace ridge::emulator::testing
