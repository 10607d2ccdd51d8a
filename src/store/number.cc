#include "store/number.h"

#include <bit>
#include <cmath>
#include <initializer_list>

namespace ridge::store {

namespace {

constexpr double kExact = 9007199254740992.0;  ///< 2^53: every whole number up to here is a double
constexpr double kPerSecond = 1e9;
constexpr double kNanosecond = 1e-9;

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

}  // namespace

double unpack(DoubleForm form, std::int64_t whole) {
  const double number = static_cast<double>(whole);
  if (form == DoubleForm::kNanosecondsTimes) return number * kNanosecond;
  return form == DoubleForm::kNanosecondsOver ? number / kPerSecond : number;
}

PackedDouble pack(double value) {
  const double nanoseconds = std::round(value * kPerSecond);
  for (const DoubleForm form : {DoubleForm::kInteger, DoubleForm::kNanosecondsTimes, DoubleForm::kNanosecondsOver}) {
    const double candidate = form == DoubleForm::kInteger ? value : nanoseconds;
    if (!(std::abs(candidate) < kExact)) continue;
    const auto whole = static_cast<std::int64_t>(candidate);
    if (same_bits(unpack(form, whole), value)) return {form, whole};
  }
  return {};
}

}  // namespace ridge::store
