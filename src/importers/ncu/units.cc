#include "importers/ncu/units.h"

#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "base/words.h"

namespace ridge::ncu {
namespace {

struct UnitName {
  std::string_view spelling;  ///< in lower case
  std::string_view base;
};

// Every name seen in reports from 2019 to 2026, and their plurals.
constexpr UnitName kNames[] = {
    {"%", "%"},
    {"access", "access"},
    {"accesses", "access"},
    {"b", "byte"},
    {"bit", "bit"},
    {"block", "block"},
    {"blocks", "block"},
    {"branch", "branch"},
    {"branches", "branch"},
    {"byte", "byte"},
    {"bytes", "byte"},
    {"cluster", "cluster"},
    {"clusters", "cluster"},
    {"cycle", "cycle"},
    {"cycles", "cycle"},
    {"event", "event"},
    {"events", "event"},
    {"flop", "flop"},
    {"hertz", "hz"},
    {"hz", "hz"},
    {"inst", "inst"},
    {"instruction", "inst"},
    {"instructions", "inst"},
    {"op", "op"},
    {"ops", "op"},
    {"packet", "packet"},
    {"packets", "packet"},
    {"pass", "pass"},
    {"passes", "pass"},
    {"percent", "%"},
    {"register", "register"},
    {"registers", "register"},
    {"request", "request"},
    {"requests", "request"},
    {"s", "s"},
    {"sample", "sample"},
    {"samples", "sample"},
    {"sec", "s"},
    {"second", "s"},
    {"seconds", "s"},
    {"sector", "sector"},
    {"sectors", "sector"},
    {"sm", "SM"},
    {"sms", "SM"},
    {"tag", "tag"},
    {"tags", "tag"},
    {"thread", "thread"},
    {"threads", "thread"},
    {"tpc", "TPC"},
    {"transaction", "transaction"},
    {"transactions", "transaction"},
    {"warp", "warp"},
    {"warps", "warp"},
    {"wavefront", "wavefront"},
    {"wavefronts", "wavefront"},
};

struct Prefix {
  char letter;
  double factor;
};
// A prefix is told by its letter alone; only m and M differ by case (ms, Mbyte), and tools write both k and K.
constexpr Prefix kPrefixes[] = {{'p', 1e-12}, {'n', 1e-9}, {'u', 1e-6}, {'m', 1e-3}, {'k', 1e3},  {'K', 1e3},
                                {'M', 1e6},   {'G', 1e9},  {'g', 1e9},  {'T', 1e12}, {'t', 1e12}, {'P', 1e15}};

std::string_view base_name(std::string_view text) {
  const std::string key = to_lower_ascii(text);
  const auto* const found =
      std::find_if(std::begin(kNames), std::end(kNames), [&](const UnitName& n) { return n.spelling == key; });
  return found == std::end(kNames) ? std::string_view() : found->base;
}

/// One part of a quotient. A lower-case m is milli for seconds only ("ms"): nothing runs at millihertz or counts
/// thousandths of a byte, so "mhz" and "mbyte" are mega.
std::optional<MetricUnit> parse_part(std::string_view text) {
  if (const std::string_view whole = base_name(text); !whole.empty()) return MetricUnit{std::string(whole), 1};
  if (text.size() < 2) return std::nullopt;
  const std::string_view rest = base_name(text.substr(1));
  if (rest.empty()) return std::nullopt;
  for (const Prefix& prefix : kPrefixes) {
    if (prefix.letter != text[0]) continue;
    const bool mega = rest != "s" && prefix.letter == 'm';
    return MetricUnit{std::string(rest), mega ? 1e6 : prefix.factor};
  }
  return std::nullopt;
}

}  // namespace

bool is_dimension(std::string_view unit) {
  return unit == "s" || unit == "byte" || unit == "byte/s" || unit == "hz" || unit == "%";
}

std::optional<MetricUnit> parse_unit(std::string_view text) {
  text = trim(text);
  if (text.empty()) return MetricUnit{};
  const std::size_t slash = text.find('/');
  std::optional<MetricUnit> unit = parse_part(trim(text.substr(0, slash)));
  if (!unit || slash == std::string_view::npos) return unit;
  const std::optional<MetricUnit> below = parse_part(trim(text.substr(slash + 1)));
  if (!below) return std::nullopt;
  unit->factor /= below->factor;
  unit->name = unit->name == "cycle" && below->name == "s" ? "hz" : unit->name + "/" + below->name;
  return unit;
}

}  // namespace ridge::ncu
