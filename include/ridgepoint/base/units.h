// Strong types for the quantities of the roofline: bytes, operations, seconds, and their quotients.
//
// Every quantity is held in its SI base unit as a double: bytes (not KiB), FLOP, seconds, hertz. Scaling to GB or ms
// happens in renderers only. Adding bytes to FLOP does not compile; dividing them gives an arithmetic intensity.
// A count of instructions, sectors, requests, wavefronts or cycles has no dimension here and is a plain double.
// Integer operations of int8/int4 units use the Flops dimension too ("operations"): ceilings treat them alike.
#pragma once

#include <compare>

namespace ridge {

/// A number with exponents of byte, operation and second. Dimensionless results collapse to double.
template <int kByte, int kFlop, int kSecond>
class Quantity {
 public:
  constexpr Quantity() = default;
  constexpr explicit Quantity(double value) : value_(value) {}

  /// The plain number in SI base units.
  [[nodiscard]] constexpr double count() const { return value_; }

  constexpr Quantity& operator+=(Quantity other) {
    value_ += other.value_;
    return *this;
  }
  constexpr Quantity& operator-=(Quantity other) {
    value_ -= other.value_;
    return *this;
  }
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity(a.value_ + b.value_); }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity(a.value_ - b.value_); }
  friend constexpr Quantity operator*(Quantity a, double b) { return Quantity(a.value_ * b); }
  friend constexpr Quantity operator*(double a, Quantity b) { return Quantity(a * b.value_); }
  friend constexpr Quantity operator/(Quantity a, double b) { return Quantity(a.value_ / b); }
  friend constexpr auto operator<=>(Quantity a, Quantity b) = default;
  friend constexpr bool operator==(Quantity a, Quantity b) = default;

 private:
  double value_ = 0;
};

namespace detail {
template <int kByte, int kFlop, int kSecond>
constexpr auto make_quantity(double value) {
  if constexpr (kByte == 0 && kFlop == 0 && kSecond == 0) {
    return value;
  } else {
    return Quantity<kByte, kFlop, kSecond>(value);
  }
}
}  // namespace detail

template <int kB1, int kF1, int kS1, int kB2, int kF2, int kS2>
constexpr auto operator*(Quantity<kB1, kF1, kS1> a, Quantity<kB2, kF2, kS2> b) {
  return detail::make_quantity<kB1 + kB2, kF1 + kF2, kS1 + kS2>(a.count() * b.count());
}
template <int kB1, int kF1, int kS1, int kB2, int kF2, int kS2>
constexpr auto operator/(Quantity<kB1, kF1, kS1> a, Quantity<kB2, kF2, kS2> b) {
  return detail::make_quantity<kB1 - kB2, kF1 - kF2, kS1 - kS2>(a.count() / b.count());
}
template <int kByte, int kFlop, int kSecond>
constexpr auto operator/(double a, Quantity<kByte, kFlop, kSecond> b) {
  return detail::make_quantity<-kByte, -kFlop, -kSecond>(a / b.count());
}

using Bytes = Quantity<1, 0, 0>;
using Flops = Quantity<0, 1, 0>;  ///< an amount of work; a speed is FlopsPerSecond
using Seconds = Quantity<0, 0, 1>;
using Hertz = Quantity<0, 0, -1>;
using BytesPerSecond = Quantity<1, 0, -1>;
using FlopsPerSecond = Quantity<0, 1, -1>;
using FlopsPerByte = Quantity<-1, 1, 0>;  ///< arithmetic intensity

}  // namespace ridge
