// Comma-separated records out of a stream that also holds other text: one physical line at a time where anything may
// stand, one record at a time inside a table (quoted fields may hold line ends).
//
// Lenient where real files are: \n, \r\n or \r at line ends, rows of any length, a quote inside a quoted field that is
// not doubled. A record longer than kMaxRecord is damage.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"

namespace ridge::ncu {

struct CsvField {
  std::string_view text;  ///< without the enclosing quotes
  bool doubled = false;   ///< holds doubled quotes: use unescape()
};
[[nodiscard]] std::string unescape(const CsvField& field);

enum class CsvStatus : unsigned char {
  kRecord,
  kCut,  ///< the data ends inside a quoted field
  kTooLong,
};

/// Position of the first \n or \r, or npos.
[[nodiscard]] std::size_t find_line_end(std::string_view text);

/// Splits one line that lies in memory; quotes as above.
void split_line(std::string_view line, char separator, std::vector<CsvField>& fields);

class CsvScanner {
 public:
  static constexpr std::size_t kMaxRecord = std::size_t{32} << 20;

  explicit CsvScanner(ByteReader& reader) : reader_(reader) {}

  [[nodiscard]] bool at_end() { return reader_.at_end(); }
  /// The physical line that starts here, without its end; long lines are shown in part (kMaxLine bytes). Does not move.
  [[nodiscard]] std::string_view line();
  /// Moves behind the physical line.
  void skip_line();
  /// Reads one record. Fields stay valid until the next call of anything. On kCut and kTooLong nothing was consumed.
  [[nodiscard]] CsvStatus record(char separator, std::vector<CsvField>& fields);
  /// Behind the record just read. True when a line end closed it (false: the data ended).
  [[nodiscard]] bool ended_by_newline() const { return newline_; }

  [[nodiscard]] std::uint64_t line_number() const { return line_number_; }
  [[nodiscard]] std::uint64_t offset() const { return reader_.offset(); }
  [[nodiscard]] ByteReader& reader() { return reader_; }

  static constexpr std::size_t kMaxLine = std::size_t{1} << 20;

 private:
  ByteReader& reader_;
  std::uint64_t line_number_ = 1;
  bool newline_ = true;
};

}  // namespace ridge::ncu
