#include "importers/ncu/csv_import.h"

#include <algorithm>

#include "base/utf8.h"
#include "importers/ncu/collect_command.h"
#include "importers/ncu/csv_tables.h"
#include "importers/ncu/log_lines.h"

namespace ridge::ncu {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
/// How far the punctuation of numbers is looked for; a page decides within its first rows, or never.
constexpr std::size_t kVoteBytes = std::size_t{4} << 20;
constexpr std::size_t kEnoughVotes = 256;
/// A first cell is an id, an address or a line number. What is looked through for its end is bounded: text behind a
/// table has no separators, and a search to the end of the buffer at every line of it would cost the square of its
/// length.
constexpr std::size_t kLongestFirstCell = 256;
/// A line with as many fields as the header is a row; with fewer titles it could as well be text with a few commas.
constexpr std::size_t kTellingFields = 5;

class CsvImporter {
 public:
  CsvImporter(ByteReader& reader, const std::string& path, const ImportOptions& options)
      : scanner_(reader),
        path_(path),
        builder_({"", path, "", ""}),
        launches_(builder_),
        context_{builder_, launches_, options, std::nullopt, {}, {}, {}, 0},
        sources_(context_) {
    if (options.decimal == DecimalOption::kPoint) context_.mark = DecimalMark::kPoint;
    if (options.decimal == DecimalOption::kComma) context_.mark = DecimalMark::kComma;
  }

  Result<Profile> run() {
    if (scanner_.reader().peek(3).starts_with(kByteOrderMark)) scanner_.reader().consume(kByteOrderMark.size());
    while (!stopped_ && !scanner_.at_end()) next();
    close_table();
    source_page_alone_ = sources_.finish();
    if (builder_.empty()) return fail(nothing_read());
    report_issues();
    builder_.source().kind = kind();
    builder_.set_command(roofline_command("", context_.process_name));
    return builder_.finish();
  }

 private:
  void next();
  void header(const Header& header, std::string_view line);
  void close_table();
  void read_row();
  void other_line(std::string_view line);
  [[nodiscard]] bool is_damaged_row(std::string_view line);
  void cut(std::uint64_t line, std::string reason);
  void vote();
  [[nodiscard]] bool at_row();
  [[nodiscard]] Error nothing_read();
  void report_issues();
  void report_tally();
  void report_decimals();
  [[nodiscard]] std::string kind() const;
  [[nodiscard]] std::string at_line(std::uint64_t line) const { return path_ + ", line " + std::to_string(line); }

  CsvScanner scanner_;
  std::string path_;
  ProfileBuilder builder_;
  LaunchTable launches_;
  CsvContext context_;
  SourcePages sources_;
  LogLines log_;
  std::unique_ptr<CsvTable> table_;
  char separator_ = ',';
  std::string raw_header_;  ///< of the open table, if it is a raw one
  std::size_t header_fields_ = 0;
  bool header_quoted_ = false;
  std::uint64_t text_lines_ = 0;
  std::vector<CsvField> fields_;
  bool seen_raw_ = false, seen_details_ = false, seen_source_ = false;
  bool source_page_alone_ = false;
  bool stopped_ = false;
  std::uint64_t cut_line_ = 0;
  std::string cut_reason_;
};

/// Whether the bytes here begin a row of the open table: its first cell tells.
bool CsvImporter::at_row() {
  if (table_ == nullptr) return false;
  const std::string_view window = scanner_.reader().peek(kLongestFirstCell).substr(0, kLongestFirstCell);
  if (window.empty()) return false;
  if (window.front() == '"') {
    const std::size_t close = window.find('"', 1);
    if (close == std::string_view::npos || close + 1 == window.size()) {
      return close != std::string_view::npos && table_->starts_row(window.substr(1, close - 1));
    }
    return window[close + 1] == separator_ && table_->starts_row(window.substr(1, close - 1));
  }
  const std::size_t end = window.find(separator_);
  return end != std::string_view::npos && table_->starts_row(window.substr(0, end));
}

void CsvImporter::next() {
  if (at_row()) return read_row();
  const std::string_view line = scanner_.line();
  const Header found = classify_header(line);
  if (found.kind != HeaderKind::kNone) {
    header(found, line);
    scanner_.skip_line();
    if (!context_.mark) vote();
    return;
  }
  other_line(line);
}

void CsvImporter::cut(std::uint64_t line, std::string reason) {
  cut_line_ = line;
  cut_reason_ = std::move(reason);
}

/// A row of the open table whose first cell is not what it should be.
bool CsvImporter::is_damaged_row(std::string_view line) {
  if (table_ == nullptr || line.empty() || header_fields_ < kTellingFields) return false;
  if ((line.front() == '"') != header_quoted_) return false;
  split_line(line, separator_, fields_);
  const bool is_units_row = !fields_.empty() && fields_[0].text.empty();
  return fields_.size() == header_fields_ && !is_units_row;
}

void CsvImporter::other_line(std::string_view line) {
  const std::uint64_t number = scanner_.line_number();
  const bool is_unfinished = scanner_.reader().peek(line.size() + 1).size() <= line.size();
  const bool is_cut_row = is_unfinished && header_quoted_ && table_ != nullptr && line.starts_with('"') &&
                          line.find('"', 1) == std::string_view::npos;
  if (is_cut_row) {
    cut(number, "the file ends inside a quoted field");
  } else if (is_damaged_row(line)) {
    if (context_.tally.damaged_rows++ == 0) context_.tally.first_damaged_row = number;
  } else {
    log_.add(line, number);
    ++text_lines_;
  }
  scanner_.skip_line();
}

void CsvImporter::header(const Header& header, std::string_view line) {
  ++context_.table;
  const bool is_unfinished = scanner_.reader().peek(line.size() + 1).size() == line.size();
  if (is_unfinished) cut(scanner_.line_number(), "the file ends inside the table's header");
  // A raw page's header is long, and files that hold many runs repeat it.
  if (header.kind == HeaderKind::kRaw && table_ != nullptr && line == raw_header_) return table_->restart();
  close_table();
  separator_ = header.separator;
  raw_header_.clear();
  split_line(line, separator_, fields_);
  header_fields_ = header.kind == HeaderKind::kRaw || header.kind == HeaderKind::kDetails ? fields_.size() : 0;
  header_quoted_ = line.starts_with('"') || line.starts_with("\xef\xbb\xbf\"");
  switch (header.kind) {
    case HeaderKind::kRaw:
      seen_raw_ = true;
      table_ = make_raw_table(context_, fields_);
      raw_header_ = line;
      break;
    case HeaderKind::kDetails:
      seen_details_ = true;
      table_ = make_details_table(context_, fields_);
      break;
    case HeaderKind::kSource:
      seen_source_ = true;
      table_ = sources_.make_table(fields_);
      break;
    case HeaderKind::kSourceKernel:
      sources_.kernel(to_valid_utf8(unescape(fields_[1])));
      break;
    case HeaderKind::kNone:
      break;
  }
}

void CsvImporter::close_table() {
  if (table_) table_->finish();
  table_.reset();
}

void CsvImporter::read_row() {
  const std::uint64_t line = scanner_.line_number();
  const CsvStatus status = scanner_.record(separator_, fields_);
  if (status == CsvStatus::kRecord) {
    const bool is_last = scanner_.at_end();
    if (is_last && scanner_.reader().error() && !scanner_.ended_by_newline()) {
      return cut(line, scanner_.reader().error()->what);  // the last record is only what had arrived
    }
    if (is_last && !scanner_.ended_by_newline() && fields_.size() < header_fields_ && builder_.empty()) {
      cut(line, "the file ends inside its first rows");
    }
    table_->row(fields_);
    if (context_.tally.short_rows > 0 && context_.tally.first_short_row == 0) context_.tally.first_short_row = line;
    return;
  }
  // An open quote: the file was cut, or a text line only looked like a row.
  cut(line, status == CsvStatus::kCut ? "the file ends inside a quoted field" : "a row never ends");
  scanner_.skip_line();
}

/// Looks ahead for cells that can be read in one way only. Runs at each header until something was decided.
void CsvImporter::vote() {
  if (table_ == nullptr) return;
  const std::string_view window = scanner_.reader().peek(kVoteBytes).substr(0, kVoteBytes);
  ByteReader ahead(memory_source(window));
  CsvScanner rows(ahead);
  std::vector<CsvField> fields;
  DecimalVotes& votes = context_.votes;
  while (!rows.at_end() && votes.point + votes.comma < kEnoughVotes) {
    if (rows.record(separator_, fields) != CsvStatus::kRecord) break;
    table_->vote(fields, votes);
  }
  if (votes.point + votes.comma > 0) context_.mark = votes.mark();
}

Error CsvImporter::nothing_read() {
  if (std::optional<Error> reason = log_.reason_for_nothing(path_)) return *reason;
  if (scanner_.reader().error()) return *scanner_.reader().error();
  if (!cut_reason_.empty()) {
    return bad_input("no launch could be read: " + cut_reason_, at_line(cut_line_), "copy or export the page again");
  }
  if (seen_raw_ || seen_details_ || seen_source_) {
    return bad_input("the table has a header and no rows", path_,
                     "check that the program ran kernels and that no filter hid them");
  }
  const std::string lines = text_lines_ == 1 ? "1 line" : std::to_string(text_lines_) + " lines";
  return bad_input("no table of an Nsight Compute page in " + lines + " of text", path_,
                   "export one with ncu --csv --page raw -i REPORT, or give the .ncu-rep itself");
}

std::string CsvImporter::kind() const {
  if (seen_raw_) return "ncu-csv-raw";
  return seen_details_ ? "ncu-csv-details" : "ncu-csv-source";
}

void CsvImporter::report_decimals() {
  const DecimalVotes& votes = context_.votes;
  if (context_.options.decimal != DecimalOption::kAuto) return;
  if (votes.point > 0 && votes.comma > 0) {
    builder_.issue(Severity::kNotice,
                   Message("decimal-contradictory", {{"point", static_cast<double>(votes.point), Unit::kCount},
                                                     {"comma", static_cast<double>(votes.comma), Unit::kCount}}));
  } else if (votes.point + votes.comma == 0 && votes.either > 0) {
    builder_.issue(Severity::kNotice,
                   Message("decimal-ambiguous", {{"values", static_cast<double>(votes.either), Unit::kCount}}));
  }
}

void CsvImporter::report_tally() {
  const CsvTally& tally = context_.tally;
  const auto count = [](std::string name, std::size_t n) {
    return Argument{std::move(name), static_cast<double>(n), Unit::kCount};
  };
  if (tally.unreadable_numbers > 0) {
    builder_.issue(Severity::kError, Message("numbers-unreadable", {count("values", tally.unreadable_numbers),
                                                                    {"first", tally.first_unreadable, Unit::kNone}}));
  }
  if (tally.short_rows > 0) {
    builder_.issue(Severity::kDataLoss,
                   Message("rows-short", {count("rows", tally.short_rows),
                                          {"line", std::to_string(tally.first_short_row), Unit::kNone}}));
  }
  if (tally.damaged_rows > 0) {
    builder_.issue(Severity::kDataLoss,
                   Message("rows-damaged", {count("rows", tally.damaged_rows),
                                            {"line", std::to_string(tally.first_damaged_row), Unit::kNone}}));
  }
  if (tally.units_missing > 0) {
    builder_.issue(Severity::kNotice, Message("unit-missing", {count("values", tally.units_missing),
                                                               {"metric", tally.first_without_unit, Unit::kNone}}));
  }
  if (tally.rule_rows > 0) builder_.issue(Severity::kInfo, Message("rules-skipped", {count("rows", tally.rule_rows)}));
  if (tally.units_row_missing) builder_.issue(Severity::kNotice, Message("units-row-missing"));
  if (launches_.refused() > 0) {
    builder_.issue(Severity::kDataLoss, Message("launches-refused", {count("rows", launches_.refused())}));
  }
}

void CsvImporter::report_issues() {
  if (scanner_.reader().error() && cut_reason_.empty()) {
    cut_reason_ = scanner_.reader().error()->what;
    cut_line_ = scanner_.line_number();
  }
  if (!cut_reason_.empty()) {
    builder_.issue(Severity::kDataLoss,
                   Message("page-cut", {{"launches", static_cast<double>(builder_.drafts().size()), Unit::kCount},
                                        {"line", std::to_string(cut_line_), Unit::kNone},
                                        {"reason", cut_reason_, Unit::kNone}}));
  }
  report_decimals();
  report_tally();
  if (source_page_alone_) builder_.issue(Severity::kNotice, Message("source-page-alone"));
  log_.report(builder_);
}

}  // namespace

Result<Profile> import_csv(ByteReader& reader, const std::string& path, const ImportOptions& options) {
  return CsvImporter(reader, path, options).run();
}

}  // namespace ridge::ncu
