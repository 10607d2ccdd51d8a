// Numbers as people write them for a launch: "1<<20", "n*n", "ceil(n/256)", "2k", "4Ki", "0xff", "2.5".
//
// k, M, G, T are powers of 1000; Ki, Mi, Gi, Ti powers of 1024. Everything else is an Expression over the names of
// --set. Whole numbers written as such are exact up to 64 bits; formulas are computed in double.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "emulator/job/element.h"
#include "model/expression/expression.h"
#include "ridgepoint/base/result.h"
#include "ridgepoint/model/profile.h"

namespace ridge::emulator {

/// Bytes or elements: whole, and far from what a double cannot count.
inline constexpr std::uint64_t kMostCount = std::uint64_t{1} << 48;

/// "inf", "-inf" and "nan" too. `where` is for the error.
[[nodiscard]] Result<Number> evaluate_number(std::string_view text, const Variables& names, std::string_view where);
/// A whole number from 0 to kMostCount.
[[nodiscard]] Result<std::uint64_t> evaluate_count(std::string_view text, const Variables& names,
                                                   std::string_view where);
/// "4096", "64x64", "n/16, n/16": up to three extents of 1 and more.
[[nodiscard]] Result<Dim3> evaluate_shape(std::string_view text, const Variables& names, std::string_view where);

/// The parts between `separator`s that stand outside parentheses and braces, blanks around them taken off.
[[nodiscard]] std::vector<std::string_view> split_outside(std::string_view text, char separator);

}  // namespace ridge::emulator
