#include "support/random_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <random>

#include "store/archive.h"

namespace ridge::test {

namespace {

using store::detail::IsA;
using store::detail::IsQuantity;

/// An archive (see store/fields.h) that fills what it is shown.
class Chance {
 public:
  explicit Chance(std::uint64_t seed) : engine_(seed) {}

  template <class... T>
  void operator()(T&... items) {
    (fill(items), ...);
  }

  [[nodiscard]] std::uint64_t below(std::uint64_t bound) {
    return bound == 0 ? 0 : std::uniform_int_distribution<std::uint64_t>(0, bound - 1)(engine_);
  }

  template <class T>
  void fill(T& item) {
    if constexpr (std::is_same_v<T, std::string>) {
      item = text();
    } else if constexpr (std::is_enum_v<T>) {
      item = enumerator<T>();
    } else if constexpr (std::is_floating_point_v<T> || IsQuantity<T>::value) {
      item = T(number());
    } else if constexpr (std::is_integral_v<T>) {
      item = static_cast<T>(below(4) == 0 ? engine_() : below(1000));
    } else if constexpr (IsA<T, Value>::value) {
      item = value(item);
    } else if constexpr (IsA<T, std::vector>::value) {
      item.resize(below(6));
      for (auto& element : item) fill(element);
    } else if constexpr (IsA<T, std::optional>::value) {
      if (below(2) == 0) fill(item.emplace());
    } else if constexpr (IsA<T, std::variant>::value) {
      if (below(2) == 0) {
        fill(item.template emplace<0>());
      } else {
        fill(item.template emplace<1>());
      }
    } else {
      if constexpr (store::HasNamedValues<T>) store::visit_values([&](std::string_view, auto& v) { fill(v); }, item);
      store::fields(*this, item);
    }
  }

 private:
  std::string text() {
    static const std::array<std::string, 8> kTexts = {"",
                                                      "gemm<float, 128>(float const*, int)",
                                                      std::string("a\0b", 3),
                                                      "\xff\xfe\n\x1b[31m",
                                                      "核函数",
                                                      "=1+1",
                                                      "'; DROP",
                                                      "vector_add"};
    return kTexts[below(kTexts.size())];
  }

  template <class E>
  E enumerator() {
    std::uint64_t count = 0;
    while (store::is_valid(static_cast<E>(count))) ++count;
    return static_cast<E>(below(count));
  }

  double number() {
    using Limits = std::numeric_limits<double>;
    static const std::array<double, 10> kOdd = {0.0,
                                                -0.0,
                                                Limits::infinity(),
                                                -Limits::infinity(),
                                                Limits::quiet_NaN(),
                                                Limits::max(),
                                                Limits::denorm_min(),
                                                9007199254740993.0,
                                                -1.0,
                                                0.1};
    switch (below(5)) {
      case 0:
        return kOdd[below(kOdd.size())];
      case 1:
        return static_cast<double>(below(1ULL << 40));
      case 2:
        return static_cast<double>(below(1ULL << 40)) * 1e-9;
      case 3:
        return static_cast<double>(below(1ULL << 40)) / 1e9;
      default:
        return std::bit_cast<double>(engine_());
    }
  }

  template <class T>
  Value<T> value(const Value<T>&) {
    if (below(4) == 0) return below(2) == 0 ? Value<T>() : Value<T>::missing(text());
    return Value<T>(T(number()), enumerator<Provenance>());
  }

  std::mt19937_64 engine_;
};

/// Grows a table to one item at least, if anything refers to it.
template <class T>
void ensure_one(Chance& chance, std::vector<T>& table) {
  if (table.empty()) chance.fill(table.emplace_back());
}

std::uint32_t any_of(Chance& chance, std::size_t size) {
  return static_cast<std::uint32_t>(chance.below(size));
}

/// A source has one recording at most.
void repair_recordings(Profile& profile) {
  if (profile.recordings.size() > profile.sources.size()) profile.recordings.resize(profile.sources.size());
  std::uint32_t source = 0;
  for (Recording& recording : profile.recordings) recording.source = source++;
}

void repair_references(Chance& chance, Profile& profile) {
  ensure_one(chance, profile.sources);
  ensure_one(chance, profile.devices);
  ensure_one(chance, profile.kernels);
  ensure_one(chance, profile.configurations);
  ensure_one(chance, profile.metrics);
  for (Device& device : profile.devices) device.source = any_of(chance, profile.sources.size());
  for (Measurement& measurement : profile.measurements) {
    for (RawMetric& raw : measurement.raw) raw.metric = any_of(chance, profile.metrics.size());
    std::stable_sort(measurement.raw.begin(), measurement.raw.end(),
                     [](const RawMetric& a, const RawMetric& b) { return a.metric < b.metric; });
  }
  for (Launch& launch : profile.launches) {
    launch.kernel = any_of(chance, profile.kernels.size());
    launch.configuration = any_of(chance, profile.configurations.size());
    launch.device = any_of(chance, profile.devices.size());
    if (profile.measurements.empty()) launch.measurement.reset();
    if (launch.measurement) launch.measurement = any_of(chance, profile.measurements.size());
    if (profile.sampled.empty()) launch.sampled.reset();
    if (launch.sampled) launch.sampled = any_of(chance, profile.sampled.size());
  }
  for (Span& span : profile.spans) span.device = any_of(chance, profile.devices.size());
  for (Reading& reading : profile.readings) reading.device = any_of(chance, profile.devices.size());
  repair_recordings(profile);
}

/// An archive that writes down every leaf it is shown.
class Lines {
 public:
  template <class... T>
  void operator()(const T&... items) {
    (write(items), ...);
  }
  template <class T>
  void write(const T& item) {
    if constexpr (std::is_same_v<T, std::string>) {
      lines.push_back("text " + item);
    } else if constexpr (std::is_floating_point_v<T> || IsQuantity<T>::value) {
      lines.push_back(fmt::format("number {:016x}", bits(item)));
    } else if constexpr (std::is_enum_v<T>) {
      lines.push_back(fmt::format("enumerator {}", static_cast<int>(item)));
    } else if constexpr (std::is_integral_v<T>) {
      lines.push_back(fmt::format("integer {}", item));
    } else if constexpr (IsA<T, Value>::value) {
      lines.push_back(item ? fmt::format("value {:016x} {}", bits(*item), name(item.provenance()))
                           : "missing " + item.reason().text());
    } else if constexpr (IsA<T, std::vector>::value) {
      lines.push_back(fmt::format("list of {}", item.size()));
      for (const auto& element : item) write(element);
    } else if constexpr (IsA<T, std::optional>::value) {
      lines.push_back(item ? "present" : "absent");
      if (item) write(*item);
    } else if constexpr (IsA<T, std::variant>::value) {
      std::visit([&](const auto& alternative) { this->write(alternative); }, item);
    } else {
      if constexpr (store::HasNamedValues<const T>) {
        store::visit_values([&](std::string_view, const auto& value) { write(value); }, item);
      }
      store::fields(*this, item);
    }
  }

  std::vector<std::string> lines;

 private:
  template <class T>
  static std::uint64_t bits(const T& item) {
    return std::bit_cast<std::uint64_t>(store::detail::plain(item));
  }
};

}  // namespace

Profile random_profile(std::uint64_t seed) {
  Chance chance(seed);
  Profile profile;
  chance.fill(profile);
  // Enough launches and spans for several chunks, now and then.
  if (seed % 10 == 0) {
    profile.launches.resize(5000 + chance.below(5000));
    for (Launch& launch : profile.launches) chance.fill(launch);
    profile.spans.resize(5000);
    for (Span& span : profile.spans) chance.fill(span);
    profile.sampled.resize(5000);
    for (SampledWork& sampled : profile.sampled) chance.fill(sampled);
    profile.readings.resize(5000);
    for (Reading& reading : profile.readings) chance.fill(reading);
  }
  repair_references(chance, profile);
  return profile;
}

std::vector<std::string> describe(const Profile& profile) {
  Lines lines;
  lines.write(profile);
  return lines.lines;
}

}  // namespace ridge::test
