// The words of a script's line and the quantities in them.
//
// A line is words separated by blanks. A word in double quotes may hold anything; inside, \n \t \" \\ and \xHH are
// escapes. A word that begins with # ends the line. Quantities are a number and a unit that must fit: "3.5us",
// "141GB", "4KiB", "1.98GHz", "4.8TB/s". Errors name file and line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ridgepoint/base/result.h"

namespace ridge::collectors::fake {

/// Where in a script something stands, for errors.
struct Place {
  std::string file;
  std::size_t line = 0;
};

/// "file:line: what" as an Error of bad input.
[[nodiscard]] Error script_error(const Place& place, const std::string& what);

[[nodiscard]] Result<std::vector<std::string>> split_words(std::string_view line, const Place& place);

/// Nanoseconds; units ns, us, ms, s.
[[nodiscard]] Result<std::uint64_t> read_duration(const std::string& word, const Place& place);
/// Bytes; units B, KB, MB, GB, TB and KiB, MiB, GiB, TiB; none is bytes.
[[nodiscard]] Result<std::uint64_t> read_bytes(const std::string& word, const Place& place);
/// Hz; units Hz, kHz, MHz, GHz.
[[nodiscard]] Result<double> read_frequency(const std::string& word, const Place& place);
/// Bytes per second; units B/s to TB/s.
[[nodiscard]] Result<double> read_rate(const std::string& word, const Place& place);
/// A plain number, "1e9" included; finite.
[[nodiscard]] Result<double> read_number(const std::string& word, const Place& place);
/// A whole number from 0 to `most`; 0x for hexadecimal.
[[nodiscard]] Result<std::uint64_t> read_count(const std::string& word, std::uint64_t most, const Place& place);

}  // namespace ridge::collectors::fake
