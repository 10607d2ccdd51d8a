#include "reports/raw_page.h"

#include <zlib.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

namespace ridge::testing {
namespace {

std::optional<std::string> unpacked(const std::string& path) {
  gzFile file = gzopen(path.c_str(), "rb");
  if (file == nullptr) return std::nullopt;
  std::string text;
  std::vector<char> buffer(1 << 16);
  for (int n = gzread(file, buffer.data(), 1 << 16); n > 0; n = gzread(file, buffer.data(), 1 << 16)) {
    text.append(buffer.data(), static_cast<std::size_t>(n));
  }
  gzclose(file);
  return text;
}

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

std::vector<std::vector<std::string>> rows_of(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (end > at) rows.push_back(fields_of(text.substr(at, end - at)));
    at = end + 1;
  }
  return rows;
}

/// What one of this unit is in base units; the pages at hand use no others.
double unit_factor(std::string unit) {
  static const std::map<std::string, double> kTimes{
      {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"Ghz", 1e9}, {"Mhz", 1e6}};
  const auto time = kTimes.find(unit);
  if (time != kTimes.end()) return time->second;
  double factor = 1;
  const std::size_t slash = unit.find('/');
  const std::string per = slash == std::string::npos ? "" : unit.substr(slash + 1);
  const auto denominator = kTimes.find(per);
  if (denominator != kTimes.end()) factor /= denominator->second;
  static const std::map<char, double> kPrefixes{{'K', 1e3}, {'M', 1e6}, {'G', 1e9}, {'T', 1e12}};
  const auto prefix = kPrefixes.find(unit.empty() ? ' ' : unit[0]);
  return unit.size() > 1 && unit[1] == 'b' && prefix != kPrefixes.end() ? factor * prefix->second : factor;
}

std::optional<double> number(std::string text) {
  std::erase(text, ',');
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end || std::isnan(value)) return std::nullopt;
  return value;
}

}  // namespace

double RawLaunch::at(const std::string& column) const {
  const auto found = values.find(column);
  return found == values.end() ? std::numeric_limits<double>::quiet_NaN() : found->second;
}

std::optional<std::vector<RawLaunch>> read_raw_page(const std::string& path) {
  const std::optional<std::string> text = unpacked(path);
  if (!text) return std::nullopt;
  const auto rows = rows_of(*text);
  std::vector<RawLaunch> launches;
  for (std::size_t row = 2; row < rows.size(); ++row) {
    RawLaunch launch;
    for (std::size_t column = 0; column < rows[row].size(); ++column) {
      const std::optional<double> value = number(rows[row][column]);
      if (rows[0][column] == "Kernel Name") launch.kernel = rows[row][column];
      if (value) launch.values[rows[0][column]] = *value * unit_factor(rows[1][column]);
    }
    launch.id = static_cast<unsigned>(launch.at("ID"));
    launches.push_back(std::move(launch));
  }
  return launches;
}

}  // namespace ridge::testing
