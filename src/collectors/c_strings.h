// Texts as the C library wants them for a new process.
#pragma once

#include <string>
#include <vector>

namespace ridge::collectors {

/// Pointers into `texts` and a null pointer at the end; valid while those live unchanged.
[[nodiscard]] inline std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  result.reserve(texts.size() + 1);
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

}  // namespace ridge::collectors
