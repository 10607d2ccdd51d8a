#include "machines/near_miss.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace ridge::machines {
namespace {

std::string plain(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '_' || c == ' ' || c == '-') continue;
    out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

constexpr std::size_t kContained = 100;
constexpr std::size_t kFar = 1000;

/// The number of edits; a name that contains the wanted one comes after all near ones; kFar when neither holds.
std::size_t distance(const std::string& wanted, const std::string& known) {
  if (wanted.empty() || wanted.size() > 64) return kFar;
  const std::size_t edits = edit_distance(wanted, known);
  if (edits * 3 <= std::max(wanted.size(), known.size()) + 1) return edits;
  return known.find(wanted) != std::string::npos ? kContained + known.size() : kFar;
}

}  // namespace

std::vector<std::string> near_misses(std::string_view text, const std::vector<std::string>& names, std::size_t most) {
  const std::string wanted = plain(text);
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (const std::string& known : names) {
    const std::size_t edits = distance(wanted, plain(known));
    if (edits < kFar) ranked.emplace_back(edits, known);
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> best;
  for (const auto& entry : ranked) {
    if (best.size() == most) break;
    best.push_back(entry.second);
  }
  return best;
}

std::string did_you_mean(const std::vector<std::string>& candidates) {
  if (candidates.empty()) return "";
  std::string text = "did you mean ";
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (i > 0) text += i + 1 == candidates.size() ? " or " : ", ";
    text += fmt::format("\"{}\"", candidates[i]);
  }
  return text + "?";
}

}  // namespace ridge::machines
