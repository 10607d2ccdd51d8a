#include "base/quantity_text.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>

#include "base/words.h"

namespace ridge {
namespace {

struct Prefix {
  std::string_view text;
  double factor;
};
constexpr std::array kDecimal{Prefix{"k", 1e3},  Prefix{"K", 1e3},  Prefix{"M", 1e6}, Prefix{"G", 1e9},
                              Prefix{"T", 1e12}, Prefix{"P", 1e15}, Prefix{"E", 1e18}};
constexpr std::array kBinary{Prefix{"Ki", 0x1p10}, Prefix{"Mi", 0x1p20}, Prefix{"Gi", 0x1p30}, Prefix{"Ti", 0x1p40}};
constexpr std::array kSmall{Prefix{"m", 1e-3}, Prefix{"u", 1e-6}, Prefix{"\u00b5", 1e-6}, Prefix{"n", 1e-9}};

/// A unit without its prefix. `rates` says that "/s" may follow.
struct UnitRow {
  std::string_view text;
  Dimension dimension;
  bool decimal, binary, small;
};
constexpr std::array kUnits{
    UnitRow{"B", Dimension::kBytes, true, true, false},
    UnitRow{"byte", Dimension::kBytes, true, true, false},
    UnitRow{"bytes", Dimension::kBytes, true, true, false},
    UnitRow{"FLOP", Dimension::kFlops, true, false, false},
    UnitRow{"flop", Dimension::kFlops, true, false, false},
    UnitRow{"OP", Dimension::kFlops, true, false, false},
    UnitRow{"op", Dimension::kFlops, true, false, false},
    UnitRow{"FLOPS", Dimension::kFlopsPerSecond, true, false, false},
    UnitRow{"FLOPs", Dimension::kFlopsPerSecond, true, false, false},
    UnitRow{"flops", Dimension::kFlopsPerSecond, true, false, false},
    UnitRow{"OPS", Dimension::kFlopsPerSecond, true, false, false},
    UnitRow{"s", Dimension::kSeconds, false, false, true},
    UnitRow{"Hz", Dimension::kHertz, true, false, false},
    UnitRow{"hz", Dimension::kHertz, true, false, false},
    UnitRow{"bit", Dimension::kBitsPerSecond, true, false, false},
};

struct ScaledUnit {
  Dimension dimension;
  double factor;
};

template <class Prefixes>
std::optional<double> factor_of(std::string_view prefix, const Prefixes& prefixes) {
  for (const Prefix& entry : prefixes) {
    if (entry.text == prefix) return entry.factor;
  }
  return std::nullopt;
}

std::optional<double> prefix_factor(std::string_view prefix, const UnitRow& unit) {
  if (prefix.empty()) return 1.0;
  std::optional<double> factor;
  if (unit.decimal) factor = factor_of(prefix, kDecimal);
  if (!factor && unit.binary) factor = factor_of(prefix, kBinary);
  if (!factor && unit.small) factor = factor_of(prefix, kSmall);
  return factor;
}

std::optional<ScaledUnit> scaled_unit(std::string_view text) {
  for (const UnitRow& unit : kUnits) {
    if (!text.ends_with(unit.text)) continue;
    const auto factor = prefix_factor(text.substr(0, text.size() - unit.text.size()), unit);
    if (factor) return ScaledUnit{unit.dimension, *factor};
  }
  return std::nullopt;
}

struct QuotientRow {
  Dimension numerator, denominator, result;
};
constexpr std::array kQuotients{
    QuotientRow{Dimension::kBytes, Dimension::kSeconds, Dimension::kBytesPerSecond},
    QuotientRow{Dimension::kFlops, Dimension::kSeconds, Dimension::kFlopsPerSecond},
    QuotientRow{Dimension::kFlopsPerSecond, Dimension::kSeconds, Dimension::kFlopsPerSecond},  // "FLOPs/s"
    QuotientRow{Dimension::kBitsPerSecond, Dimension::kSeconds, Dimension::kBitsPerSecond},    // "Gbit/s"
    QuotientRow{Dimension::kFlops, Dimension::kBytes, Dimension::kFlopsPerByte},
    QuotientRow{Dimension::kFlopsPerSecond, Dimension::kBytes, Dimension::kFlopsPerByte},  // "FLOPs/byte"
};

std::optional<ScaledUnit> unit_of(std::string_view text) {
  if (text.empty()) return ScaledUnit{Dimension::kNumber, 1};
  const auto slash = text.find('/');
  if (slash == std::string_view::npos) {
    const auto unit = scaled_unit(text);
    // a bit is only known as a rate
    if (unit && unit->dimension == Dimension::kBitsPerSecond) return std::nullopt;
    return unit;
  }
  const auto above = scaled_unit(trim(text.substr(0, slash)));
  const auto below = scaled_unit(trim(text.substr(slash + 1)));
  if (!above || !below) return std::nullopt;
  for (const QuotientRow& row : kQuotients) {
    if (row.numerator == above->dimension && row.denominator == below->dimension) {
      return ScaledUnit{row.result, above->factor / below->factor};
    }
  }
  return std::nullopt;
}

constexpr std::string_view kKnownUnits = "use a unit such as TFLOP/s, GB/s, GHz, ms, GB, GiB or FLOP/B";

constexpr std::array<std::string_view, 9> kDimensionNames{"a plain number",
                                                          "bytes (\"24GiB\")",
                                                          "an amount of work (\"2GFLOP\")",
                                                          "a time (\"0.477ms\")",
                                                          "a clock (\"1.98GHz\")",
                                                          "a bandwidth (\"900GB/s\")",
                                                          "a data rate (\"19Gbit/s\")",
                                                          "a speed (\"30TFLOP/s\")",
                                                          "an intensity (\"0.25FLOP/B\")"};

}  // namespace

std::string_view name(Dimension dimension) {
  return kDimensionNames.at(static_cast<std::size_t>(dimension));
}

Result<ParsedQuantity> parse_quantity(std::string_view text, std::string_view where) {
  const std::string_view trimmed = trim(text);
  double number = 0;
  const char* begin = trimmed.data();
  const auto parsed = std::from_chars(begin, begin + trimmed.size(), number);
  if (parsed.ec != std::errc() || !std::isfinite(number)) {
    return fail(usage_error(fmt::format("\"{}\" does not begin with a number", text), std::string(where),
                            "write a number and a unit, like 900GB/s"));
  }
  const std::string_view unit_text = trim(trimmed.substr(static_cast<std::size_t>(parsed.ptr - begin)));
  const auto unit = unit_of(unit_text);
  if (!unit) {
    return fail(usage_error(fmt::format("\"{}\" in \"{}\" is not a known unit", unit_text, text), std::string(where),
                            std::string(kKnownUnits)));
  }
  const double value = number * unit->factor;
  if (!std::isfinite(value)) {
    return fail(usage_error(fmt::format("\"{}\" is too large", text), std::string(where), "give a smaller number"));
  }
  return ParsedQuantity{value, unit->dimension};
}

Result<double> parse_quantity_of(Dimension dimension, std::string_view text, std::string_view where) {
  const auto parsed = parse_quantity(text, where);
  if (!parsed) return fail(parsed.error());
  if (parsed->dimension == dimension) return parsed->value;
  return fail(usage_error(fmt::format("\"{}\" is {}, not {}", text, name(parsed->dimension), name(dimension)),
                          std::string(where), "give it with the other unit"));
}

namespace {
template <class Q>
Result<Q> typed(Dimension dimension, std::string_view text, std::string_view where) {
  return parse_quantity_of(dimension, text, where).map([](double value) { return Q(value); });
}
}  // namespace

Result<Bytes> parse_bytes(std::string_view text, std::string_view where) {
  return typed<Bytes>(Dimension::kBytes, text, where);
}
Result<Flops> parse_flops(std::string_view text, std::string_view where) {
  return typed<Flops>(Dimension::kFlops, text, where);
}
Result<Seconds> parse_seconds(std::string_view text, std::string_view where) {
  return typed<Seconds>(Dimension::kSeconds, text, where);
}
Result<Hertz> parse_hertz(std::string_view text, std::string_view where) {
  return typed<Hertz>(Dimension::kHertz, text, where);
}
Result<BytesPerSecond> parse_bytes_per_second(std::string_view text, std::string_view where) {
  return typed<BytesPerSecond>(Dimension::kBytesPerSecond, text, where);
}
Result<FlopsPerSecond> parse_flops_per_second(std::string_view text, std::string_view where) {
  return typed<FlopsPerSecond>(Dimension::kFlopsPerSecond, text, where);
}
Result<FlopsPerByte> parse_flops_per_byte(std::string_view text, std::string_view where) {
  return typed<FlopsPerByte>(Dimension::kFlopsPerByte, text, where);
}

}  // namespace ridge
