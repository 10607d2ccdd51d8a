#include "collectors/fake/words.h"

#include <charconv>
#include <cmath>
#include <span>
#include <system_error>

namespace ridge::collectors::fake {
namespace {

struct Unit {
  std::string_view name;
  double factor;
};
constexpr Unit kTimes[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
constexpr Unit kSizes[] = {
    {"", 1},      {"B", 1},        {"KB", 1e3},        {"MB", 1e6},           {"GB", 1e9},
    {"TB", 1e12}, {"KiB", 1024.0}, {"MiB", 1048576.0}, {"GiB", 1073741824.0}, {"TiB", 1099511627776.0}};
constexpr Unit kFrequencies[] = {{"Hz", 1}, {"kHz", 1e3}, {"MHz", 1e6}, {"GHz", 1e9}};
constexpr Unit kRates[] = {{"B/s", 1}, {"KB/s", 1e3}, {"MB/s", 1e6}, {"GB/s", 1e9}, {"TB/s", 1e12}};

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// The character of the escape whose backslash stands at `at`; moves `at` to its last character. False: no such escape.
bool unescape(std::string_view line, std::size_t& at, std::string& word) {
  if (++at >= line.size()) return false;
  switch (line[at]) {
    case 'n':
      word += '\n';
      return true;
    case 't':
      word += '\t';
      return true;
    case '"':
      word += '"';
      return true;
    case '\\':
      word += '\\';
      return true;
    case 'x':
      break;
    default:
      return false;
  }
  if (at + 2 >= line.size()) return false;
  const int high = hex_digit(line[at + 1]), low = hex_digit(line[at + 2]);
  at += 2;
  if (high < 0 || low < 0 || high + low == 0) return false;  // a zero would end the name
  word += static_cast<char>(high * 16 + low);
  return true;
}

/// The word whose opening quote stands at `at`; moves `at` behind the closing one.
Result<std::string> quoted(std::string_view line, std::size_t& at, const Place& place) {
  std::string word;
  for (++at; at < line.size(); ++at) {
    if (line[at] == '"') {
      ++at;
      return word;
    }
    if (line[at] != '\\') {
      word += line[at];
    } else if (!unescape(line, at, word)) {
      return fail(script_error(place, R"(an escape is none of \n, \t, \", \\ and \xHH)"));
    }
  }
  return fail(script_error(place, "a quote is not closed"));
}

Result<double> scaled(const std::string& word, std::span<const Unit> units, const char* what, const Place& place) {
  double number = 0;
  const char* const word_end = word.data() + word.size();
  const auto [end, wrong] = std::from_chars(word.data(), word_end, number);
  const std::string_view unit(end, static_cast<std::size_t>(word_end - end));
  for (const Unit& candidate : units) {
    if (wrong != std::errc() || unit != candidate.name) continue;
    const double value = number * candidate.factor;
    if (std::isfinite(value) && value >= 0 && value < 1e18) return value;
  }
  return fail(script_error(place, "'" + word + "' is not " + what));
}

}  // namespace

Error script_error(const Place& place, const std::string& what) {
  return bad_input(what, place.file + ":" + std::to_string(place.line), "see docs/reference/fake-gpu.md");
}

Result<std::vector<std::string>> split_words(std::string_view line, const Place& place) {
  std::vector<std::string> words;
  std::size_t at = 0;
  while (at < line.size()) {
    if (line[at] == ' ' || line[at] == '\t' || line[at] == '\r') {
      ++at;
    } else if (line[at] == '#') {
      break;
    } else if (line[at] == '"') {
      auto word = quoted(line, at, place);
      if (!word) return fail(std::move(word).error());
      words.push_back(*std::move(word));
    } else {
      const std::size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
      words.emplace_back(line.substr(at, end - at));
      at = end;
    }
  }
  return words;
}

Result<std::uint64_t> read_duration(const std::string& word, const Place& place) {
  const auto value = scaled(word, kTimes, "a duration such as 3.5us", place);
  if (!value) return fail(value.error());
  return static_cast<std::uint64_t>(std::llround(*value));
}

Result<std::uint64_t> read_bytes(const std::string& word, const Place& place) {
  const auto value = scaled(word, kSizes, "an amount of bytes such as 4KiB", place);
  if (!value) return fail(value.error());
  return static_cast<std::uint64_t>(std::llround(*value));
}

Result<double> read_frequency(const std::string& word, const Place& place) {
  return scaled(word, kFrequencies, "a frequency such as 1.98GHz", place);
}

Result<double> read_rate(const std::string& word, const Place& place) {
  return scaled(word, kRates, "a rate such as 4.8TB/s", place);
}

Result<double> read_number(const std::string& word, const Place& place) {
  double value = 0;
  const char* const word_end = word.data() + word.size();
  const auto [end, wrong] = std::from_chars(word.data(), word_end, value);
  if (wrong == std::errc() && end == word_end && std::isfinite(value)) return value;
  return fail(script_error(place, "'" + word + "' is not a number"));
}

Result<std::uint64_t> read_count(const std::string& word, std::uint64_t most, const Place& place) {
  const bool hexadecimal = word.starts_with("0x");
  std::uint64_t value = 0;
  const char* const word_end = word.data() + word.size();
  const auto [end, wrong] =
      std::from_chars(word.data() + (hexadecimal ? 2 : 0), word_end, value, hexadecimal ? 16 : 10);
  if (wrong == std::errc() && end == word_end && value <= most) return value;
  return fail(script_error(place, "'" + word + "' is not a whole number from 0 to " + std::to_string(most)));
}

}  // namespace ridge::collectors::fake
