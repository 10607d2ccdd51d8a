// What `machines` and `occupancy` share: finding a machine with the user's own files and figures, and choosing the form
// of a document.
#pragma once

#include <string>
#include <string_view>

#include "cli/command.h"
#include "render/machines/document.h"
#include "ridgepoint/machines/database.h"

namespace ridge::cli {

/// The machines of the program and of the files and folders that RIDGE_MACHINES names.
[[nodiscard]] Result<Database> known_machines(const Context& context);

/// A whole number from `least` to `most`.
[[nodiscard]] Result<int> parse_count(std::string_view text, std::string_view option, int least, int most);

/// "text", "md" and "html"; the other formats are the command's own.
[[nodiscard]] std::string render_document(const render::Document& document, const OutputOptions& options);

}  // namespace ridge::cli
