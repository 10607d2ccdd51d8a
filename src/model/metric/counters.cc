#include "model/metric/counters.h"

#include <cmath>
#include <string>

namespace ridge {
namespace {

std::string join(std::string_view a, std::string_view b) {
  std::string text;
  text.reserve(a.size() + b.size());
  return text.append(a).append(b);
}

/// Counts are whole numbers; a product of rounded rates is not quite.
Value<double> whole(const Value<double>& value) {
  return transform(value, [](double x) { return std::round(x); });
}

/// Units of which every SM has one (smsp: four), so that their number is known from the number of SMs.
bool is_of_sm(std::string_view unit) {
  return unit == "sm" || unit == "smsp" || unit == "l1tex";
}

}  // namespace

Value<double> Counters::first(std::initializer_list<std::string_view> names) const {
  Value<double> result;
  for (const std::string_view name : names) {
    result = either(result, get(name));
    if (result) break;
  }
  return result;
}

Value<double> Counters::clock(std::string_view unit) const {
  const Value<double> rate = get(join(unit, "__cycles_elapsed.avg.per_second"));
  if (rate) return rate;
  return get(join(unit, "__cycles_elapsed.avg")) / seconds();
}

Value<double> Counters::cycles(std::string_view unit) const {
  const Value<double> counted = get(join(unit, "__cycles_elapsed.avg"));
  if (counted) return counted;
  const Value<double> by_clock = get(join(unit, "__cycles_elapsed.avg.per_second")) * seconds();
  if (by_clock || !is_of_sm(unit)) return by_clock;
  const Value<double> by_sum = get(join(unit, "__cycles_elapsed.sum")) / instances(unit);
  if (by_sum) return by_sum;
  return either(by_clock, get("gpc__cycles_elapsed.avg.per_second") * seconds());
}

Value<double> Counters::cycles_of_all(std::string_view unit) const {
  const Value<double> counted = get(join(unit, "__cycles_elapsed.sum"));
  if (counted) return counted;
  const Value<double> by_clock = get(join(unit, "__cycles_elapsed.sum.per_second")) * seconds();
  if (by_clock || !is_of_sm(unit)) return by_clock;
  return either(by_clock, cycles(unit) * instances(unit));
}

Value<double> Counters::seconds() const {
  return transform(duration_, [](Seconds t) { return t.count(); });
}

Value<double> Counters::instances(std::string_view unit) const {
  constexpr double kSchedulersPerSm = 4;
  const Value<double> sms = first({"launch__sm_count", "device__attribute_multiprocessor_count"});
  return unit == "smsp" ? sms * kSchedulersPerSm : sms;
}

Value<double> Counters::count(std::string_view base, std::string_view unit) const {
  std::string name = join(base, ".sum");
  const std::size_t length = name.size();
  const Value<double> counted = get(name);
  if (counted) return counted;
  const Value<double> per_cycle = get(name.append(".per_cycle_elapsed"));
  if (per_cycle) {
    if (*per_cycle == 0) return per_cycle;  // none, however many cycles there were
    return whole(per_cycle * cycles(unit));
  }
  name.resize(length);
  const Value<double> per_second = get(name.append(".per_second"));
  if (per_second) return whole(per_second * seconds());
  return either(counted, either(per_cycle, per_second));
}

Value<double> Counters::count_from_share(std::string_view base, std::string_view unit, double peak_per_cycle) const {
  Value<double> part = get(join(base, ".sum.pct_of_peak_sustained_elapsed"));
  if (!part) part = either(part, get(join(base, ".avg.pct_of_peak_sustained_elapsed")));
  if (part && *part == 0) return part;
  return whole(part * cycles_of_all(unit) * (peak_per_cycle / 100));
}

Value<double> Counters::share(std::initializer_list<std::string_view> names) const {
  return first(names) * 0.01;
}

Value<double> sum_of_present(std::initializer_list<Value<double>> values) {
  Value<double> sum;
  for (const Value<double>& value : values) sum = sum && value ? sum + value : either(sum, value);
  return sum;
}

}  // namespace ridge
