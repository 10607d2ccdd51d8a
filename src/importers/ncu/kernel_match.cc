#include "importers/ncu/kernel_match.h"

#include <unordered_map>

namespace ridge::ncu {
namespace {

/// Length of a "(type)" in front of a template value, or 0.
std::size_t cast_length(std::string_view text) {
  if (!text.starts_with('(')) return 0;
  const std::size_t close =
      text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_: ", 1);
  if (close == std::string_view::npos || close == 1 || text[close] != ')' || close + 1 == text.size()) return 0;
  const char next = text[close + 1];
  return (next >= '0' && next <= '9') || next == '-' ? close + 1 : 0;
}

}  // namespace

std::string comparable_name(std::string_view name) {
  std::string out;
  for (std::size_t i = 0; i < name.size();) {
    if (const std::size_t cast = cast_length(name.substr(i))) {
      i += cast;
      continue;
    }
    if (name[i] != ' ') out.push_back(name[i]);
    ++i;
  }
  return out;
}

std::vector<std::optional<std::size_t>> match_kernels(std::span<const std::string> wanted,
                                                      std::span<const std::string> launches) {
  struct Queue {
    std::vector<std::size_t> launches;
    std::size_t used = 0;
  };
  std::unordered_map<std::string, Queue> queues;
  for (std::size_t i = 0; i < launches.size(); ++i) queues[comparable_name(launches[i])].launches.push_back(i);
  std::vector<std::optional<std::size_t>> result;
  result.reserve(wanted.size());
  for (const std::string& name : wanted) {
    const auto found = queues.find(comparable_name(name));
    const bool is_there = found != queues.end() && found->second.used < found->second.launches.size();
    result.push_back(is_there ? std::optional(found->second.launches[found->second.used++]) : std::nullopt);
  }
  return result;
}

}  // namespace ridge::ncu
