// Formats that are known and not read: a file of one deserves an error that says what it is.
#pragma once

#include <optional>
#include <string_view>

namespace ridge {

struct ForeignFormat {
  std::string_view kind;    ///< "nsys-sqlite"
  std::string_view what;    ///< "an nsys SQLite export"
  std::string_view remedy;  ///< what to give instead
};

/// nullptr when the content is none of them.
[[nodiscard]] const ForeignFormat* foreign_format(std::string_view first_bytes);

}  // namespace ridge
