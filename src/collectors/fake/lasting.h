// Small things that the library's parts share: state that outlives everything, and texts for callers' buffers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <string>

namespace ridge::collectors::fake {

/// The one T of this process. Never destroyed: the program's and the library's own threads may call until the process
/// is gone, after its statics are.
template <class T>
[[nodiscard]] T& lasting() {
  static T* const one = new T;  // allow(new): see above
  return *one;
}

/// As much of the text as fits, with a zero at its end.
inline void copy_text(const std::string& text, char* to, std::size_t size) {
  if (size == 0) return;
  const std::size_t length = std::min(text.size(), size - 1);
  std::copy_n(text.data(), length, to);
  to[length] = '\0';
}

/// A variable of the process's environment; nullptr: not set. Read where the vendor's libraries read theirs.
[[nodiscard]] inline const char* variable(const char* name) {
  return std::getenv(name);  // allow(getenv): the library stands in other people's programs, it has no other input
}

}  // namespace ridge::collectors::fake
