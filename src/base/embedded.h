// Files compiled into the program by ridge_embed (cmake/RidgeEmbed.cmake).
#pragma once

#include <string_view>

namespace ridge {

struct EmbeddedFile {
  std::string_view name;  ///< file name without folder
  std::string_view content;
};

}  // namespace ridge
