// The fake program's use of ridgepoint/range.h, as a program of a person's would use it. Ranges belong to the calling
// thread; what ends nothing does nothing.
#pragma once

#include <string>

namespace ridge::collectors::fake {

void mark(const std::string& name);
void unmark();
void measure(const std::string& name);
/// The figures as a line of JSON; null where one is absent.
[[nodiscard]] std::string measured();

}  // namespace ridge::collectors::fake
