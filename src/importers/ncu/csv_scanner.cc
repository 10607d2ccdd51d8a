#include "importers/ncu/csv_scanner.h"

#include <algorithm>
#include <cstring>

namespace ridge::ncu {
namespace {

constexpr bool is_line_end(char c) {
  return c == '\n' || c == '\r';
}

/// Behind the line end at `p`, taking \r\n as one.
const char* after_line_end(const char* p, const char* end) {
  return *p == '\r' && p + 1 != end && p[1] == '\n' ? p + 2 : p + 1;
}

/// Scans one record; `line_ends` says whether line ends outside quotes close it.
class RecordScanner {
 public:
  RecordScanner(std::string_view text, char separator, std::vector<CsvField>& fields)
      : p_(text.data()), end_(text.data() + text.size()), separator_(separator), fields_(fields) {
    fields_.clear();
  }

  enum class End : unsigned char { kNewline, kData, kInsideQuotes };
  End run() {
    while (true) {
      if (p_ != end_ && *p_ == '"') {
        if (!quoted()) return End::kInsideQuotes;
      } else {
        plain();
      }
      if (p_ == end_) return End::kData;
      if (is_line_end(*p_)) {
        p_ = after_line_end(p_, end_);
        return End::kNewline;
      }
      ++p_;  // the separator
    }
  }
  [[nodiscard]] const char* position() const { return p_; }

 private:
  void plain() {
    const char* const start = p_;
    while (p_ != end_ && *p_ != separator_ && !is_line_end(*p_)) ++p_;
    fields_.push_back({{start, static_cast<std::size_t>(p_ - start)}, false});
  }
  /// The next quote from `from`. Most fields are a few characters long, where a call costs more than the look.
  [[nodiscard]] const char* find_quote(const char* from) const {
    const char* const near = from + std::min<std::ptrdiff_t>(end_ - from, 16);
    for (; from != near; ++from) {
      if (*from == '"') return from;
    }
    if (from == end_) return nullptr;
    return static_cast<const char*>(std::memchr(from, '"', static_cast<std::size_t>(end_ - from)));
  }
  bool quoted() {
    const char* const start = ++p_;
    bool doubled = false;
    while (true) {
      const char* const quote = find_quote(p_);
      if (quote == nullptr) return false;
      const char* const next = quote + 1;
      if (next == end_ || *next == separator_ || is_line_end(*next)) {
        fields_.push_back({{start, static_cast<std::size_t>(quote - start)}, doubled});
        p_ = next;
        return true;
      }
      doubled = doubled || *next == '"';
      p_ = *next == '"' ? next + 1 : next;  // a lone quote inside a name is part of the name
    }
  }

  const char* p_;
  const char* end_;
  char separator_;
  std::vector<CsvField>& fields_;
};

}  // namespace

std::string unescape(const CsvField& field) {
  if (!field.doubled) return std::string(field.text);
  std::string out;
  for (std::size_t i = 0; i < field.text.size(); ++i) {
    out.push_back(field.text[i]);
    if (field.text.substr(i, 2) == "\"\"") ++i;
  }
  return out;
}

std::size_t find_line_end(std::string_view text) {
  const std::size_t newline = text.find('\n');
  const std::size_t carriage = text.substr(0, newline).find('\r');
  return carriage != std::string_view::npos ? carriage : newline;
}

void split_line(std::string_view line, char separator, std::vector<CsvField>& fields) {
  RecordScanner(line, separator, fields).run();
}

std::string_view CsvScanner::line() {
  std::size_t want = 4096;
  while (true) {
    const std::string_view window = reader_.peek(want);
    const std::size_t end = find_line_end(window.substr(0, kMaxLine));
    if (end != std::string_view::npos) return window.substr(0, end);
    if (window.size() < want || window.size() >= kMaxLine) return window.substr(0, kMaxLine);
    want = std::min(2 * window.size(), kMaxLine);
  }
}

void CsvScanner::skip_line() {
  while (!reader_.at_end()) {
    const std::string_view window = reader_.peek(1);
    const std::size_t end = find_line_end(window);
    if (end == std::string_view::npos) {
      reader_.consume(window.size());
      continue;
    }
    const bool pair = window[end] == '\r' && reader_.peek(end + 2).substr(end + 1).starts_with('\n');
    reader_.consume(end + (pair ? 2 : 1));
    ++line_number_;
    return;
  }
}

CsvStatus CsvScanner::record(char separator, std::vector<CsvField>& fields) {
  std::size_t want = std::size_t{64} << 10;
  while (true) {
    const std::string_view window = reader_.peek(want);
    RecordScanner scanner(window, separator, fields);
    const RecordScanner::End end = scanner.run();
    const bool all_data = window.size() < want;
    // A \r at the very end of the window may be half of \r\n.
    const bool sure = end == RecordScanner::End::kNewline && scanner.position() != window.data() + window.size();
    if (sure || (all_data && end != RecordScanner::End::kInsideQuotes)) {
      const auto used = static_cast<std::size_t>(scanner.position() - window.data());
      newline_ = end == RecordScanner::End::kNewline;
      line_number_ += static_cast<std::uint64_t>(std::count(window.data(), window.data() + used, '\n'));
      reader_.consume(used);
      return CsvStatus::kRecord;
    }
    if (all_data) return CsvStatus::kCut;
    if (window.size() >= kMaxRecord) return CsvStatus::kTooLong;
    want = 2 * window.size();
  }
}

}  // namespace ridge::ncu
