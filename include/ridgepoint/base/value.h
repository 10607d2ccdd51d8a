// Value<T>: a number with its provenance, or the reason why there is none.
//
// "Not measured" is never 0. Arithmetic on values keeps this: one missing operand makes the result missing with that
// operand's reason, and the result is only as good as its weakest operand.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace ridge {

/// Where a number comes from, best evidence first. combine() keeps the weaker of two.
enum class Provenance : unsigned char {
  kMeasured,   ///< hardware counter or timer of this very launch
  kSampled,    ///< periodic counters attributed by time, or a representative launch's counters
  kCounted,    ///< the kernel's instructions executed by the emulator, each counted
  kReported,   ///< an attribute the device or another tool states about itself (SM count, maximum clock)
  kModelled,   ///< a model's output (cache traffic, predicted time)
  kDeclared,   ///< a formula of the problem size, or a figure the user gave
  kDatasheet,  ///< the machine database
};

/// "measured", "sampled", "counted", "reported", "modelled", "declared", "datasheet".
[[nodiscard]] std::string_view name(Provenance provenance);
[[nodiscard]] constexpr Provenance combine(Provenance a, Provenance b) {
  return a < b ? b : a;
}

/// An interned sentence saying why a value is missing. Copying is a pointer copy; texts live as long as the program.
/// Thread-safe. Equal texts give equal reasons.
class Reason {
 public:
  Reason() = default;  ///< "not collected"
  explicit Reason(std::string_view text);
  [[nodiscard]] const std::string& text() const;
  friend bool operator==(Reason a, Reason b) { return a.text_ == b.text_; }

 private:
  const std::string* text_ = nullptr;  ///< nullptr is the default text
};

template <class T>
class [[nodiscard]] Value {
 public:
  /// Missing, "not collected".
  Value() = default;
  constexpr Value(T value, Provenance provenance) : value_(value), provenance_(provenance), present_(true) {}
  static Value missing(Reason reason) {
    Value result;
    result.reason_ = reason;
    return result;
  }
  static Value missing(std::string_view reason) { return missing(Reason(reason)); }

  [[nodiscard]] bool has_value() const { return present_; }
  explicit operator bool() const { return present_; }
  /// Precondition: has_value().
  [[nodiscard]] const T& operator*() const { return value_; }
  [[nodiscard]] const T* operator->() const { return &value_; }
  [[nodiscard]] T value_or(T other) const { return present_ ? value_ : other; }
  /// Meaningful only when has_value().
  [[nodiscard]] Provenance provenance() const { return provenance_; }
  /// Meaningful only when !has_value().
  [[nodiscard]] Reason reason() const { return reason_; }

  friend bool operator==(const Value& a, const Value& b) {
    if (a.present_ != b.present_) return false;
    return a.present_ ? a.value_ == b.value_ && a.provenance_ == b.provenance_ : a.reason_ == b.reason_;
  }

 private:
  T value_{};
  Reason reason_;
  Provenance provenance_ = Provenance::kDatasheet;
  bool present_ = false;
};

/// Applies f to both numbers; missing if either is missing.
template <class F, class A, class B>
[[nodiscard]] auto combine(const Value<A>& a, const Value<B>& b, F f) {
  using R = Value<decltype(f(*a, *b))>;
  if (!a) return R::missing(a.reason());
  if (!b) return R::missing(b.reason());
  return R(f(*a, *b), combine(a.provenance(), b.provenance()));
}
template <class F, class A>
[[nodiscard]] auto transform(const Value<A>& a, F f) {
  using R = Value<decltype(f(*a))>;
  return a ? R(f(*a), a.provenance()) : R::missing(a.reason());
}
template <class A, class B>
[[nodiscard]] auto operator+(const Value<A>& a, const Value<B>& b) {
  return combine(a, b, [](const A& x, const B& y) { return x + y; });
}
template <class A, class B>
[[nodiscard]] auto operator-(const Value<A>& a, const Value<B>& b) {
  return combine(a, b, [](const A& x, const B& y) { return x - y; });
}
template <class A, class B>
[[nodiscard]] auto operator*(const Value<A>& a, const Value<B>& b) {
  return combine(a, b, [](const A& x, const B& y) { return x * y; });
}
template <class A>
[[nodiscard]] auto operator*(const Value<A>& a, double b) {
  return transform(a, [b](const A& x) { return x * b; });
}
/// Missing ("divided by zero") when the divisor is 0.
template <class A, class B>
[[nodiscard]] auto operator/(const Value<A>& a, const Value<B>& b) {
  using R = Value<decltype(*a / *b)>;
  if (a && b && *b == B{}) return R::missing("divided by zero");
  return combine(a, b, [](const A& x, const B& y) { return x / y; });
}

}  // namespace ridge
