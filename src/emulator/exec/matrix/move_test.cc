// ldmatrix, stmatrix, movmatrix and the fragments of wmma.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "emulator/exec/matrix/matrix_rig.h"
#include "emulator/exec/matrix/random_elements.h"

namespace ridge::emulator::testing {
namespace {

std::vector<std::byte> numbered_halves(std::size_t bytes) {
  std::vector<std::byte> memory(bytes);
  for (std::size_t i = 0; i < bytes / 2; ++i) {
    const auto value = static_cast<std::uint16_t>(i);
    std::memcpy(memory.data() + 2 * i, &value, sizeof value);
  }
  return memory;
}

struct Told : Listener {
  std::vector<Mask> masks;
  std::vector<AccessKind> kinds;
  void access(const Where&, const Access& access) override {
    if (access.space != ptx::Space::kShared || access.bytes != 16) return;
    masks.push_back(access.mask);
    kinds.push_back(access.kind);
  }
};

// Lane i names row i at a stride of 48 bytes, so that rows do not lie side by side.
constexpr unsigned kStride = 48;
std::vector<Words> row_addresses() {
  std::vector<Words> in(32);
  for (unsigned lane = 0; lane < 32; ++lane) in[lane] = {kStride * lane};
  return in;
}

void check_load(unsigned count, bool transposed) {
  Rig rig;
  rig.shared = numbered_halves(2048);
  rig.in = {{"row", 1}};
  rig.out = {{"d", count}};
  rig.body = "ldmatrix.sync.aligned.m8n8.x" + std::to_string(count) + (transposed ? ".trans" : "") + ".shared.b16 " +
             vector_of(rig.out[0]) + ", [%row0+16];";
  Told told;
  rig.listener = &told;
  const RigResult result = run(rig, row_addresses());
  ASSERT_EQ(result.error, "");
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned i = 0; i < 2 * count; ++i) {
      unsigned row = lane / 4, column = lane % 4 * 2 + i % 2;
      if (transposed) std::swap(row, column);
      const unsigned expected = (kStride * (i / 2 * 8 + row) + 16) / 2 + column;
      ASSERT_EQ(result.out[lane][i / 2] >> (16 * (i % 2)) & 0xffffU, expected) << "lane " << lane << ", element " << i;
    }
  }
  ASSERT_EQ(told.masks.size(), 1U);
  EXPECT_EQ(told.masks[0], count == 4 ? kAllLanes : (Mask{1} << (8 * count)) - 1);
  EXPECT_EQ(told.kinds[0], AccessKind::kLoad);
}

TEST(LdmatrixTest, GivesEachLaneTwoNeighboursOfARow) {
  for (const unsigned count : {1U, 2U, 4U}) check_load(count, false);
}

TEST(LdmatrixTest, TransposedGivesNeighboursOfAColumn) {
  for (const unsigned count : {1U, 2U, 4U}) check_load(count, true);
}

TEST(LdmatrixTest, ARowThatIsNotAlignedIsAFault) {
  Rig rig;
  rig.shared = numbered_halves(2048);
  rig.in = {{"row", 1}};
  rig.out = {{"d", 1}};
  rig.body = "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%d0}, [%row0+8];";
  const RigResult result = run(rig, row_addresses());
  ASSERT_EQ(result.error, "");
  ASSERT_FALSE(result.faults.empty());
  EXPECT_EQ(result.faults[0].kind, FaultKind::kMisaligned);
}

TEST(LdmatrixTest, EightBitFormsAreRefused) {
  Rig rig;
  rig.shared = numbered_halves(2048);
  rig.in = {{"row", 1}};
  rig.out = {{"d", 2}};
  rig.body = "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%d0, %d1}, [%row0];";
  EXPECT_NE(run(rig, row_addresses()).error.find("is not emulated"), std::string::npos);
}

TEST(StmatrixTest, PutsBackWhatLdmatrixTook) {
  for (const std::string& order : {std::string(), std::string(".trans")}) {
    Rig rig;
    rig.shared = numbered_halves(4096);
    rig.in = {{"row", 1}};
    rig.out = {{"d", 4}};
    const std::string registers = vector_of(rig.out[0]);
    rig.body = "ldmatrix.sync.aligned.m8n8.x4" + order + ".shared.b16 " + registers + ", [%row0];\n" +
               "stmatrix.sync.aligned.m8n8.x4" + order + ".shared.b16 [%row0+2048], " + registers + ";";
    const RigResult result = run(rig, row_addresses());
    ASSERT_EQ(result.error, "");
    for (unsigned row = 0; row < 32; ++row) {
      EXPECT_EQ(std::memcmp(result.shared.data() + kStride * row, result.shared.data() + 2048 + kStride * row, 16), 0);
    }
  }
}

TEST(MovmatrixTest, Transposes) {
  std::vector<Words> in(32);
  for (unsigned lane = 0; lane < 32; ++lane) in[lane] = {2 * lane | (2 * lane + 1) << 16};  // element = 8 row + column
  Rig rig;
  rig.in = {{"a", 1}};
  rig.out = {{"d", 1}};
  rig.body = "movmatrix.sync.aligned.m8n8.trans.b16 %d0, %a0;";
  const RigResult result = run(rig, in);
  ASSERT_EQ(result.error, "");
  for (unsigned lane = 0; lane < 32; ++lane) {
    const unsigned row = lane / 4, column = lane % 4 * 2;
    EXPECT_EQ(result.out[lane][0], (8 * column + row) | (8 * (column + 1) + row) << 16);
  }
}

// ---- wmma: matrices in shared memory, multiplied, stored

struct Wmma {
  std::string shape;
  unsigned m, n, k;
  std::string element_word;  ///< of load.a and load.b
  std::string types;         ///< of wmma.mma
  Element element;
  std::string sum_word;
  Accumulate sum;
  unsigned registers_a, registers_b, registers_c;
  bool any_order = true;  ///< else a by rows, b by columns
};

struct Orders {
  bool a_rows = true, b_rows = false, c_rows = true;
};

unsigned position(bool by_rows, unsigned row, unsigned column, unsigned stride) {
  return by_rows ? row * stride + column : column * stride + row;
}

void put_bits(std::vector<std::byte>& memory, unsigned offset, unsigned index, unsigned bits, std::uint64_t value) {
  if (bits >= 8) {
    std::memcpy(memory.data() + offset + index * bits / 8, &value, bits / 8);
    return;
  }
  memory[offset + index * bits / 8] |= static_cast<std::byte>(value << (index * bits % 8));
}

const char* order_word(bool by_rows) {
  return by_rows ? ".row" : ".col";
}

void check_wmma(const Wmma& test, const Orders& orders) {
  RandomElements random(5);
  const unsigned bits = bits_of(test.element);
  const unsigned sum_bits = test.sum == Accumulate::kF16 ? 16 : test.sum == Accumulate::kF64 ? 64 : 32;
  constexpr unsigned kPlaceB = 4096, kPlaceC = 8192, kPlaceD = 12288;
  const unsigned gap = bits < 8 ? 0 : 16;  // strides are not the matrix's own width
  const unsigned stride_a = (orders.a_rows ? test.k : test.m) + gap, stride_b = (orders.b_rows ? test.n : test.k) + gap;
  const unsigned stride_c = (orders.c_rows ? test.n : test.m) + 8;
  Rig rig;
  rig.shared.resize(16384);
  std::vector<std::vector<double>> a(test.m, std::vector<double>(test.k)), b(test.k, std::vector<double>(test.n)),
      c(test.m, std::vector<double>(test.n));
  for (unsigned i = 0; i < test.m; ++i) {
    for (unsigned k = 0; k < test.k; ++k) {
      const Encoded value = random.of(test.element);
      a[i][k] = value.value;
      put_bits(rig.shared, 0, position(orders.a_rows, i, k, stride_a), bits, value.bits);
    }
    for (unsigned j = 0; j < test.n; ++j) {
      const Encoded value = random.of(test.sum);
      c[i][j] = value.value;
      put_bits(rig.shared, kPlaceC, position(orders.c_rows, i, j, stride_c), sum_bits, value.bits);
    }
  }
  for (unsigned k = 0; k < test.k; ++k) {
    for (unsigned j = 0; j < test.n; ++j) {
      const Encoded value = random.of(test.element);
      b[k][j] = value.value;
      put_bits(rig.shared, kPlaceB, position(orders.b_rows, k, j, stride_b), bits, value.bits);
    }
  }
  const bool wide = bits == 64;
  rig.in = {{"a", test.registers_a, wide}, {"b", test.registers_b, wide}, {"c", test.registers_c, sum_bits == 64}};
  rig.out = {{"d", test.registers_c, sum_bits == 64}};
  const auto load = [&](const std::string& which, bool rows, const std::string& word, unsigned at, unsigned stride,
                        std::size_t group) {
    return "wmma.load." + which + ".sync.aligned" + order_word(rows) + "." + test.shape + ".shared." + word + " " +
           vector_of(rig.in[group]) + ", [%base+" + std::to_string(at) + "], " + std::to_string(stride) + ";\n";
  };
  rig.declarations = "  .reg .b32 %base;\n";
  rig.body = "mov.u32 %base, memory;\n" + load("a", orders.a_rows, test.element_word, 0, stride_a, 0) +
             load("b", orders.b_rows, test.element_word, kPlaceB, stride_b, 1) +
             load("c", orders.c_rows, test.sum_word, kPlaceC, stride_c, 2);
  const std::string operation = test.element == Element::kB1 ? ".xor.popc" : "";
  rig.body += "wmma.mma" + operation + ".sync.aligned" + order_word(orders.a_rows) + order_word(orders.b_rows) + "." +
              test.shape + "." + test.types + " " + vector_of(rig.out[0]) + ", " + vector_of(rig.in[0]) + ", " +
              vector_of(rig.in[1]) + ", " + vector_of(rig.in[2]) + ";\n";
  rig.body += std::string("wmma.store.d.sync.aligned") + order_word(orders.c_rows) + "." + test.shape + ".shared." +
              test.sum_word + " [%base+" + std::to_string(kPlaceD) + "], " + vector_of(rig.out[0]) + ", " +
              std::to_string(stride_c) + ";";
  const RigResult result =
      run(rig, std::vector<Words>(32, Words(test.registers_a + test.registers_b + test.registers_c)));
  ASSERT_EQ(result.error, "");
  ASSERT_TRUE(result.faults.empty());
  for (unsigned i = 0; i < test.m; ++i) {
    for (unsigned j = 0; j < test.n; ++j) {
      long double sum = c[i][j];
      for (unsigned k = 0; k < test.k; ++k) {
        sum +=
            test.element == Element::kB1 ? (a[i][k] != b[k][j] ? 1 : 0) : static_cast<long double>(a[i][k]) * b[k][j];
      }
      std::uint64_t word = 0;
      std::memcpy(&word, result.shared.data() + kPlaceD + position(orders.c_rows, i, j, stride_c) * sum_bits / 8,
                  sum_bits / 8);
      auto expected = static_cast<double>(sum);
      double value = 0, unit = 0;
      if (test.sum == Accumulate::kF16) {
        value = std::bit_cast<double>(number::float_to_float(number::kF16, word, number::kF64));
        unit = 0x1.01p-11;
      } else if (test.sum == Accumulate::kF32) {
        value = double{std::bit_cast<float>(static_cast<std::uint32_t>(word))};
        unit = 0x1.0001p-24;
      } else if (test.sum == Accumulate::kF64) {
        value = std::bit_cast<double>(word);
        unit = 0x1p-50;  // a chain of fma
      } else {
        value = static_cast<double>(static_cast<std::int32_t>(word));
        expected =
            static_cast<double>(static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::int64_t>(sum))));
      }
      ASSERT_NEAR(value, expected, std::fabs(expected) * unit + (unit > 0 ? 0x1p-48 : 0))
          << "row " << i << ", column " << j;
    }
  }
}

TEST(WmmaTest, LoadsMultipliesAndStoresEveryShapeAndOrder) {
  using E = Element;
  using C = Accumulate;
  const std::vector<Wmma> tests = {
      {"m16n16k16", 16, 16, 16, "f16", "f16.f16", E::kF16, "f16", C::kF16, 8, 8, 4},
      {"m16n16k16", 16, 16, 16, "f16", "f32.f32", E::kF16, "f32", C::kF32, 8, 8, 8},
      {"m8n32k16", 8, 32, 16, "f16", "f32.f32", E::kF16, "f32", C::kF32, 8, 8, 8},
      {"m32n8k16", 32, 8, 16, "f16", "f16.f16", E::kF16, "f16", C::kF16, 8, 8, 4},
      {"m16n16k16", 16, 16, 16, "bf16", "f32.bf16.bf16.f32", E::kBf16, "f32", C::kF32, 4, 4, 8},
      {"m8n32k16", 8, 32, 16, "bf16", "f32.bf16.bf16.f32", E::kBf16, "f32", C::kF32, 2, 8, 8},
      {"m32n8k16", 32, 8, 16, "bf16", "f32.bf16.bf16.f32", E::kBf16, "f32", C::kF32, 8, 2, 8},
      {"m16n16k8", 16, 16, 8, "tf32", "f32.tf32.tf32.f32", E::kTf32, "f32", C::kF32, 4, 4, 8},
      {"m8n8k4", 8, 8, 4, "f64", "f64.f64.f64.f64", E::kF64, "f64", C::kF64, 1, 1, 2},
      {"m16n16k16", 16, 16, 16, "s8", "s32.s8.s8.s32", E::kS8, "s32", C::kS32, 2, 2, 8},
      {"m8n32k16", 8, 32, 16, "u8", "s32.u8.u8.s32", E::kU8, "s32", C::kS32, 1, 4, 8},
      {"m32n8k16", 32, 8, 16, "s8", "s32.s8.s8.s32", E::kS8, "s32", C::kS32, 4, 1, 8},
      {"m8n8k32", 8, 8, 32, "s4", "s32.s4.s4.s32", E::kS4, "s32", C::kS32, 1, 1, 2, false},
      {"m8n8k32", 8, 8, 32, "u4", "s32.u4.u4.s32", E::kU4, "s32", C::kS32, 1, 1, 2, false},
      {"m8n8k128", 8, 8, 128, "b1", "s32.b1.b1.s32", E::kB1, "s32", C::kS32, 1, 1, 2, false},
  };
  for (const Wmma& each : tests) {
    for (unsigned order = 0; order < 8; ++order) {
      const Orders orders{(order & 1U) == 0, (order & 2U) != 0, (order & 4U) == 0};
      if (!each.any_order && (!orders.a_rows || orders.b_rows)) continue;
      SCOPED_TRACE(each.shape + " " + each.types + " order " + std::to_string(order));
      check_wmma(each, orders);
    }
  }
}

}  // namespace
}  // namespace ridge::emulator::testing
