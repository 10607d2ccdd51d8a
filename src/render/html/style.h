// The style sheet of the HTML report.
#pragma once

#include <string_view>

namespace ridge::render {

[[nodiscard]] std::string_view html_style();

}  // namespace ridge::render
