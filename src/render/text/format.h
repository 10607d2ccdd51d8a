// Numbers and names for people. The only place that scales: GB = 1e9 bytes, GiB never used for rates.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ridgepoint/base/value.h"
#include "ridgepoint/model/message.h"

namespace ridge::render {

/// "3.48 TB/s", "137 GFLOP", "0.345 ms", "43.1 FLOP/B", "1.28x", "72.3 %": four significant digits at most.
[[nodiscard]] std::string format_number(double value, Unit unit);

/// Sizes of memories are powers of two and are said so everywhere: "24 GiB", "60 MiB", "228 KiB".
[[nodiscard]] std::string format_capacity(double bytes);

/// The number, or a dash for a missing value (the reason is shown elsewhere, once).
template <class T>
[[nodiscard]] std::string format_value(const Value<T>& value, Unit unit) {
  if (!value) return "\u2013";
  if constexpr (requires { value->count(); }) {
    return format_number(value->count(), unit);
  } else {
    return format_number(static_cast<double>(*value), unit);
  }
}

/// Columns a terminal needs for `text` (UTF-8; wide characters count two, combining none).
[[nodiscard]] int display_width(std::string_view text);
/// Control characters, escape sequences, invalid UTF-8 and bidirectional overrides made visible as \xNN or \u{NNNN}.
[[nodiscard]] std::string printable(std::string_view text);
/// Cut to `width` columns with an ellipsis in the middle or at the end.
[[nodiscard]] std::string shorten(std::string_view text, int width);
/// Each cut to `width` columns so that names that differ stay different, as far as the width allows: what follows a
/// name
/// ("<0>", " [32x32]", " #2") is kept whole before the name is, and where two still read the same the place where they
/// differ is shown.
[[nodiscard]] std::vector<std::string> shorten_apart(std::vector<std::string> texts, int width);

[[nodiscard]] std::string escape_html(std::string_view text);
[[nodiscard]] std::string escape_markdown(std::string_view text);
[[nodiscard]] std::string escape_csv(std::string_view text);
/// A finished JSON document with hidden characters as \uXXXX: the same to a parser, harmless on a terminal.
[[nodiscard]] std::string escape_json(std::string_view document);

}  // namespace ridge::render
