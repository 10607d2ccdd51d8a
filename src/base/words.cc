#include "base/words.h"

#include <algorithm>

namespace ridge {

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t";
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

std::vector<std::string_view> parts_of(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (end > 0) parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + separator.size(), text.size()));
  }
  return parts;
}

std::string shown(std::string_view text) {
  constexpr std::size_t kShown = 60;
  std::string result(text.substr(0, kShown));
  for (char& c : result) {
    if (c < ' ' || c > '~') c = '?';
  }
  return text.size() > kShown ? result + "..." : result;
}

}  // namespace ridge
