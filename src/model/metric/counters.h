// Reading one quantity that recordings spell in several ways.
//
// A count may be recorded as itself (`base.sum`), as a rate per cycle (`base.sum.per_cycle_elapsed`), per second
// (`base.sum.per_second`), or as a share of a known peak (`base.sum.pct_of_peak_sustained_elapsed`). The first form
// that is there wins. per cycle x elapsed cycles comes before per cycle x clock x time: the cycles are an exact count
// (1e-9 on recorded data), the duration a rounded one (1e-7). Not modelled: counters of single instances (one SM, one
// slice).
#pragma once

#include <initializer_list>
#include <string_view>

#include "model/metric/nvidia.h"

namespace ridge {

class Counters {
 public:
  Counters(const CounterReader& reader, Value<Seconds> duration) : reader_(reader), duration_(duration) {}

  [[nodiscard]] Value<double> get(std::string_view name) const { return reader_.get(name); }
  /// The first name that has a value; else missing with the most telling reason met.
  [[nodiscard]] Value<double> first(std::initializer_list<std::string_view> names) const;

  /// The count of `base` in any of its forms; `unit` ("smsp", "sm", "lts", "dram", "l1tex") owns the elapsed cycles.
  [[nodiscard]] Value<double> count(std::string_view base, std::string_view unit) const;
  /// The count behind a share of peak: `peak_per_cycle` of every instance of `unit`.
  [[nodiscard]] Value<double> count_from_share(std::string_view base, std::string_view unit,
                                               double peak_per_cycle) const;

  /// Cycles per second of `unit`.
  [[nodiscard]] Value<double> clock(std::string_view unit) const;
  /// Elapsed cycles of one instance of `unit`.
  [[nodiscard]] Value<double> cycles(std::string_view unit) const;
  /// Elapsed cycles summed over every instance of `unit`.
  [[nodiscard]] Value<double> cycles_of_all(std::string_view unit) const;

  /// A share recorded as per cent, as 0..1.
  [[nodiscard]] Value<double> share(std::initializer_list<std::string_view> names) const;

  [[nodiscard]] const Value<Seconds>& duration() const { return duration_; }

 private:
  [[nodiscard]] Value<double> seconds() const;
  /// How many of an SM's unit the GPU (or the slice of it) has.
  [[nodiscard]] Value<double> instances(std::string_view unit) const;

  const CounterReader& reader_;
  Value<Seconds> duration_;
};

/// `a` if it has a value, else `b` if that has one, else missing with the more telling reason of the two.
template <class T>
[[nodiscard]] Value<T> either(const Value<T>& a, const Value<T>& b) {
  if (a) return a;
  if (b || a.reason() == Reason()) return b;
  return a;
}

/// The sum of those that have a value; missing only if none has.
[[nodiscard]] Value<double> sum_of_present(std::initializer_list<Value<double>> values);

[[nodiscard]] inline Value<Bytes> to_bytes(const Value<double>& count, double bytes_each) {
  return transform(count, [bytes_each](double x) { return Bytes(x * bytes_each); });
}

}  // namespace ridge
