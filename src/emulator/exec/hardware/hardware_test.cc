// The emulator's instructions against an H200's, answer by answer: tests/data/h200/instructions.* has two thousand
// spellings, each executed on 64 to 512 rows of operands. What PTX defines to the last bit must be equal to the last
// bit, NaN included; approximate functions must be as near as PTX says; products of matrices within a bound of the
// magnitudes that were added. What departs on purpose is listed with its reason, and must depart.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/exec/hardware/recording.h"
#include "emulator/exec/matrix/matrix_rig.h"
#include "emulator/number/convert.h"

namespace ridge::emulator::testing {
namespace {

using Columns = std::vector<std::vector<std::uint64_t>>;

const Recording& recording() {
  static const auto kRead = read_recording(std::string(RIDGE_SOURCE_DIR) + "/tests/data/h200");
  static const Recording kNone;
  if (!kRead) ADD_FAILURE() << to_string(kRead.error());
  return kRead ? *kRead : kNone;
}

// ---- departures

struct Departure {
  std::string_view text;  ///< where the instruction's text begins so
  std::string_view why;
};
// The scalar video instructions are no longer instructions of the device: ptxas writes them in others. The emulator
// does what the ISA describes.
constexpr std::string_view kCompared = "32 bits of the first result are compared, and not by the type that is named";
constexpr std::string_view kShort = "the first result has 32 bits where the ISA has it in full";
constexpr std::string_view kPart = "a part of a register is saturated to limits other than its type's";
constexpr Departure kDepartures[] = {
    {"vadd.u32.u32.u32.max ", kCompared},
    {"vadd.u32.s32.u32.max ", kCompared},
    {"vadd.u32.s32.s32.min ", kCompared},
    {"vadd.s32.u32.s32.max ", kCompared},
    {"vsub.u32.u32.u32.sat.max ", kCompared},
    {"vsub.s32.s32.u32.max ", kCompared},
    {"vsub.s32.s32.s32.max ", kCompared},
    {"vabsdiff.u32.u32.s32.sat.max ", kCompared},
    {"vmin.u32.s32.s32.min ", kCompared},
    {"vshl.u32.s32.u32.wrap.min ", kCompared},
    {"vshl.u32.s32.u32.sat.clamp.max ", kCompared},
    {"vshl.s32.u32.u32.clamp.max ", kCompared},
    {"vshl.s32.u32.u32.sat.wrap.max ", kCompared},
    {"vshr.u32.s32.u32.wrap.max ", kCompared},
    {"vadd.u32.u32.u32.sat ", kShort},
    {"vsub.u32.u32.s32.sat.add ", kShort},
    {"vabsdiff.u32.s32.u32.sat ", kShort},
    {"vshl.s32.s32.u32.sat.wrap ", kShort},
    {"vmad.u32.u32.u32.shr7 ", kShort},
    {"vmad.u32.u32.u32.shr15 ", kShort},
    {"vmad.u32.u32.s32.po.shr7 ", kShort},
    {"vmad.u32.u32.s32.po.sat ", kShort},
    {"vmad.s32.u32.s32.shr7 ", kShort},
    {"vmad.s32.s32.u32.sat ", kShort},
    {"vmad.s32.s32.u32.po.shr15 ", kShort},
    {"vmax.u32.s32.u32.sat %r0.h1", kPart},
    {"vadd.s32.s32.s32.sat %r0.h0", kPart},
};
constexpr std::string_view kRefused = ".oob";  // which NaN stands for what is out of bounds is not documented

const Departure* departure_of(const Entry& entry) {
  for (const Departure& each : kDepartures) {
    if (entry.text.starts_with(each.text)) return &each;
  }
  return nullptr;
}

// ---- how near

/// Half a place of the emulator's own rounding comes on top.
struct Bound {
  std::string_view begins;
  double relative = 0;
  double absolute = 0;
  double places = 0;       ///< units in the last place of the result
  double largest = 1e308;  /// of operands for which PTX states it
};
const Bound kBounds[] = {
    {.begins = "div.approx", .places = 2},
    {.begins = "div.full", .places = 2},
    {.begins = "rcp.approx.ftz.f64", .relative = 0x1p-19},  // as many bits as the upper word has
    {.begins = "rcp.approx", .places = 1},
    {.begins = "sqrt.approx", .relative = 0x1p-23},
    {.begins = "rsqrt.approx.ftz.f64", .relative = 0x1p-19},
    {.begins = "rsqrt.approx.f64", .places = 1},
    {.begins = "rsqrt.approx", .relative = 0x1.1p-23},
    {.begins = "sin.approx", .absolute = 0x1.7p-21, .largest = 6.2831853},
    {.begins = "cos.approx", .absolute = 0x1.7p-21, .largest = 6.2831853},
    {.begins = "lg2.approx", .relative = 0x1p-22, .absolute = 0x1p-22},
    {.begins = "ex2.approx.f16", .relative = 0x1.2p-10, .places = 0.5},
    {.begins = "ex2.approx.ftz.bf16", .relative = 0x1p-7},
    {.begins = "ex2.approx", .relative = 0x1p-22},
    {.begins = "tanh.approx.f32", .relative = 0x1p-11},
    {.begins = "tanh.approx.f16", .absolute = 0x1.03p-11},
    {.begins = "tanh.approx.bf16", .absolute = 0x1p-8},
};
const Bound* bound_of(const std::string& spelled) {
  for (const Bound& each : kBounds) {
    if (spelled.starts_with(each.begins)) return &each;
  }
  return nullptr;
}

double value_of(const number::Format& format, std::uint64_t bits) {
  return std::bit_cast<double>(number::float_to_float(format, bits, number::kF64));
}
double place_of(const number::Format& format, double value) {
  int exponent = 0;
  std::frexp(value, &exponent);
  return std::ldexp(1.0, std::max(exponent - 1, 1 - format.bias()) - format.mantissa_bits);
}

const number::Format& format_of(std::string_view spelled) {
  if (spelled.ends_with("bf16") || spelled.ends_with("bf16x2")) return number::kBf16;
  if (spelled.ends_with("f16") || spelled.ends_with("f16x2")) return number::kF16;
  return spelled.ends_with("f64") ? number::kF64 : number::kF32;
}

/// Bits that are equal, or finite numbers no further apart than the bound.
bool is_near(const number::Format& format, const Bound& bound, std::uint64_t ours, std::uint64_t theirs) {
  if (ours == theirs) return true;
  const double expected = value_of(format, ours), got = value_of(format, theirs);
  if (!std::isfinite(expected) || !std::isfinite(got)) return false;
  const double allowed =
      bound.relative * std::fabs(expected) + bound.absolute + (bound.places + 0.5) * place_of(format, expected);
  return std::fabs(expected - got) <= allowed;
}

// ---- comparison

std::string shown(const Entry& entry, const Columns& ours, std::size_t row) {
  std::string text;
  const auto add = [&](const std::string& name, std::uint64_t value) { text += fmt::format(" {}={:x}", name, value); };
  for (const Register& each : entry.reads) add(each.name, each.values[row]);
  text += " gives";
  for (std::size_t i = 0; i < entry.writes.size(); ++i) add(entry.writes[i].name, ours[i][row]);
  text += ", on the device";
  for (const Register& each : entry.writes) add(each.name, each.values[row]);
  return text;
}

template <class Equal>
std::vector<std::size_t> differing(const Entry& entry, const Columns& ours, Equal equal) {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < entry.rows; ++row) {
    for (std::size_t i = 0; i < entry.writes.size(); ++i) {
      if (equal(row, i, ours[i][row], entry.writes[i].values[row])) continue;
      rows.push_back(row);
      break;
    }
  }
  return rows;
}

bool same(std::size_t, std::size_t, std::uint64_t ours, std::uint64_t theirs) {
  return ours == theirs;
}

/// Of floating-point matrices, and rounded by the device in its own way. (f16 throughout and f64 are exact.)
bool is_product(const Entry& entry) {
  if (entry.opcode() != "mma" || entry.text.find(".popc") != std::string::npos) return false;
  const std::string spelled = entry.spelled();
  return !spelled.ends_with(".s32") && !spelled.ends_with(".f64") && !spelled.ends_with("f16.f16.f16.f16");
}

class Hardware : public ::testing::TestWithParam<std::string> {
 protected:
  /// What the emulator answers; nothing where it says that it cannot, which only what is refused may.
  std::optional<Columns> ours(const Entry& entry) {
    auto results = emulate(entry, GetParam());
    if (results) return std::move(*results);
    EXPECT_NE(entry.text.find(kRefused), std::string::npos) << entry.text << ": " << results.error().what;
    return std::nullopt;
  }
  static void report(const Entry& entry, const Columns& ours, const std::vector<std::size_t>& rows) {
    if (rows.empty()) return;
    ADD_FAILURE() << entry.text << " differs in " << rows.size() << " of " << entry.rows
                  << " rows:" << shown(entry, ours, rows[0]);
  }
};

TEST_P(Hardware, WhatPtxDefinesIsEqualBitForBit) {
  std::size_t compared = 0;
  for (const Entry& entry : recording().entries) {
    if (bound_of(entry.spelled()) != nullptr || departure_of(entry) != nullptr || is_product(entry)) continue;
    const auto results = ours(entry);
    if (!results) continue;
    report(entry, *results, differing(entry, *results, same));
    ++compared;
  }
  EXPECT_GT(compared, 1700U);
}

TEST_P(Hardware, ApproximateFunctionsAreAsNearAsPtxSays) {
  std::size_t compared = 0;
  for (const Entry& entry : recording().entries) {
    const Bound* bound = bound_of(entry.spelled());
    if (bound == nullptr) continue;
    const auto results = ours(entry);
    if (!results) continue;
    const number::Format& format = format_of(entry.spelled());
    const bool pair = entry.spelled().ends_with("x2");
    report(entry, *results,
           differing(entry, *results, [&](std::size_t row, std::size_t, std::uint64_t a, std::uint64_t b) {
             const double operand = value_of(format, entry.reads[0].values[row]);
             if (std::isfinite(operand) && std::fabs(operand) > bound->largest) return true;
             if (!pair) return is_near(format, *bound, a, b);
             return is_near(format, *bound, a & 0xffff, b & 0xffff) && is_near(format, *bound, a >> 16, b >> 16);
           }));
    ++compared;
  }
  EXPECT_GT(compared, 25U);
}

// ---- products of matrices: tensor cores add with a few more bits than the result has, and cut the rest off

/// Of the sum of the magnitudes of what is added up, by the type of the result.
constexpr double kProductF32 = 0x1p-22, kProductF16 = 0x1p-10;

/// The same with the sign off every number: what it gives is the sum of the magnitudes.
Entry without_signs(Entry entry) {
  for (Register& each : entry.reads) {
    const bool bytes = each.kind == "m_e4m3" || each.kind == "m_e5m2";
    const bool halves = each.kind == "m_f16" || each.kind == "m_bf16";
    const std::uint64_t keep = bytes ? 0x7f7f7f7f : halves ? 0x7fff7fff : 0x7fffffff;
    for (std::uint64_t& value : each.values) value &= keep;
  }
  return entry;
}

bool product_is_near(const number::Format& format, std::uint64_t ours, std::uint64_t theirs, std::uint64_t magnitudes) {
  if (ours == theirs) return true;
  const double expected = value_of(format, ours), got = value_of(format, theirs), sum = value_of(format, magnitudes);
  if (!std::isfinite(sum)) return true;  // whether it overflows on the way depends on the order
  const double allowed = sum * (format.mantissa_bits == 10 ? kProductF16 : kProductF32);
  return std::isfinite(expected) && std::isfinite(got) && std::fabs(expected - got) <= allowed;
}

TEST_P(Hardware, ProductsOfMatricesAreWithinABoundOfTheMagnitudesAdded) {
  std::size_t compared = 0;
  for (const Entry& entry : recording().entries) {
    if (!is_product(entry)) continue;
    const auto results = ours(entry), magnitudes = ours(without_signs(entry));
    if (!results || !magnitudes) continue;
    const bool halves = entry.spelled().ends_with(".f16");
    report(entry, *results,
           differing(entry, *results, [&](std::size_t row, std::size_t i, std::uint64_t a, std::uint64_t b) {
             const std::uint64_t sum = (*magnitudes)[i][row];
             if (!halves) return product_is_near(number::kF32, a, b, sum);
             return product_is_near(number::kF16, a & 0xffff, b & 0xffff, sum & 0xffff) &&
                    product_is_near(number::kF16, a >> 16, b >> 16, sum >> 16);
           }));
    ++compared;
  }
  EXPECT_EQ(compared, 19U);
}

TEST_P(Hardware, WhatDepartsIsKnown) {
  for (const Departure& each : kDepartures) {
    std::size_t apart = 0;
    for (const Entry& entry : recording().entries) {
      if (departure_of(entry) != &each) continue;
      const auto results = ours(entry);
      if (results && !differing(entry, *results, same).empty()) ++apart;
    }
    EXPECT_GT(apart, 0U) << each.text << "is equal now: take it off the list";
  }
}

INSTANTIATE_TEST_SUITE_P(Sets, Hardware, ::testing::ValuesIn(instruction_sets()),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace ridge::emulator::testing
