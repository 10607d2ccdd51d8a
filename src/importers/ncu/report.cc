#include "importers/ncu/report.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <ctime>

#include "base/utf8.h"
#include "importers/ncu/collect_command.h"
#include "importers/ncu/result_reader.h"
#include "importers/ncu/wire.h"

namespace ridge::ncu {
namespace {

constexpr std::string_view kMagic{"NVR\0", 4};
constexpr std::size_t kMaxFileHeader = std::size_t{1} << 16;
/// A block header carries the string table (135 KB in a full report).
constexpr std::uint32_t kMaxBlockHeader = std::uint32_t{64} << 20;

// Fields of BlockHeader.
constexpr std::uint32_t kSources = 1, kResults = 2, kSession = 3, kStrings = 4, kPayload = 5, kProcess = 6, kRanges = 7;
// Fields of the session's details.
constexpr std::uint32_t kSoftware = 8, kCommandLine = 11;

struct Block {
  std::uint64_t sources = 0, results = 0, ranges = 0, payload = 0;

  void set(std::uint32_t field, std::uint64_t value) {
    if (field == kSources) sources = value;
    if (field == kResults) results = value;
    if (field == kPayload) payload = value;
    if (field == kRanges) ranges = value;
  }
};

std::string iso_time(std::uint64_t seconds) {
  const auto time = static_cast<std::time_t>(seconds);
  std::tm utc{};
  std::array<char, 32> text{};
  constexpr std::uint64_t kYear9999 = 253402300799;
  if (seconds == 0 || seconds > kYear9999 || gmtime_r(&time, &utc) == nullptr) return {};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text.data();
}

std::string file_name(std::string_view path) {
  const std::size_t slash = path.find_last_of("/\\");
  return std::string(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

class ReportImporter {
 public:
  ReportImporter(ByteReader& reader, const std::string& path, const ImportOptions& options)
      : reader_(reader),
        path_(path),
        builder_({"ncu-rep", path, "", ""}),
        names_(builder_),
        results_(builder_, names_, options.hot_lines) {}

  Result<Profile> run() {
    RIDGE_TRY(file_header());
    while (!stopped_ && !reader_.at_end()) block();
    if (reader_.error() && cut_reason_.empty()) stop(reader_.error()->what);
    if (stopped_) missing_bytes_ += skip_rest();
    if (builder_.empty()) return fail(nothing_read());
    report_issues();
    builder_.set_command(roofline_command(command_line_, program_));
    return builder_.finish();
  }

 private:
  Result<void> file_header();
  void block();
  bool block_header(std::uint32_t size, Block& block);
  void session(std::string_view message);
  void process(std::string_view message);
  void payload(const Block& block);
  void results(std::uint64_t count, std::uint64_t& left);
  bool framed(std::uint64_t& left, std::uint64_t& size);
  [[nodiscard]] std::uint64_t skip_rest();
  void skip_framed(std::uint64_t count, std::uint64_t& left);
  [[nodiscard]] bool read_u32(std::uint32_t& value);
  void note_cut(std::string reason);
  void stop(std::string reason);
  [[nodiscard]] std::string at(std::uint64_t offset) const;
  [[nodiscard]] Error nothing_read() const;
  void report_issues();

  ByteReader& reader_;
  std::string path_;
  ProfileBuilder builder_;
  MetricNames names_;
  ResultReader results_;
  std::string command_line_, program_;
  std::uint64_t process_id_ = 0;
  std::uint64_t ordinal_ = 0;  ///< of results, read or lost
  std::uint64_t ranges_ = 0;

  bool stopped_ = false;
  std::string cut_reason_;
  std::uint64_t cut_offset_ = 0;     ///< where reading stopped
  std::uint64_t missing_bytes_ = 0;  ///< there and not read, or announced and not there
  std::uint64_t damaged_ = 0, lost_ = 0;
  std::uint64_t first_damage_ = 0;
};

std::string ReportImporter::at(std::uint64_t offset) const {
  return path_ + ", byte " + std::to_string(offset);
}

bool ReportImporter::read_u32(std::uint32_t& value) {
  const std::string_view bytes = reader_.peek(4);
  if (bytes.size() < 4) return false;
  std::memcpy(&value, bytes.data(), 4);
  reader_.consume(4);
  return true;
}

Result<void> ReportImporter::file_header() {
  reader_.skip(kMagic.size());
  std::uint32_t size = 0;
  if (!read_u32(size))
    return fail(bad_input("the report ends inside its header", at(reader_.offset()), "record it again"));
  if (size > kMaxFileHeader) {
    return fail(bad_input("the report's header claims " + std::to_string(size) + " bytes", at(4), "record it again"));
  }
  if (reader_.skip(size) < size) {
    return fail(bad_input("the report ends inside its header", at(reader_.offset()), "record it again"));
  }
  return {};
}

void ReportImporter::note_cut(std::string reason) {
  if (!cut_reason_.empty()) return;
  cut_reason_ = std::move(reason);
  cut_offset_ = reader_.offset();
}

void ReportImporter::stop(std::string reason) {
  stopped_ = true;
  note_cut(std::move(reason));
}

void ReportImporter::block() {
  std::uint32_t size = 0;
  if (!read_u32(size)) {
    missing_bytes_ += 4 - reader_.peek(4).size();
    return stop("the file ends inside a block's length");
  }
  if (size > kMaxBlockHeader) return stop("a block header claims " + std::to_string(size) + " bytes");
  Block block;
  if (!block_header(size, block)) return;
  const std::uint64_t before = ordinal_;
  payload(block);
  // Launches that the header announced and that were neither read nor counted as damaged are lost. A header that is
  // damaged itself may announce any number: then at least one.
  const std::uint64_t accounted = ordinal_ - before;
  if (block.results <= accounted) return;
  constexpr std::uint64_t kBelievable = 1'000'000;
  const std::uint64_t announced = block.results - accounted;
  lost_ += announced > kBelievable ? 1 : announced;
  if (cut_reason_.empty()) note_cut("a block holds fewer launches than it announces");
}

bool ReportImporter::block_header(std::uint32_t size, Block& block) {
  const std::string_view window = reader_.peek(size);
  if (window.size() < size) {
    missing_bytes_ += size - window.size();
    stop("the file ends inside a block header");
    return false;
  }
  WireReader fields(window.substr(0, size));
  WireField field;
  bool sane = true;
  while (fields.next(field)) {
    if (field.type == WireType::kVarint) block.set(field.number, field.value);
    if (field.type != WireType::kBytes) continue;
    if (field.number == kSession) session(field.bytes);
    if (field.number == kStrings) sane = names_.append(field.bytes) && sane;
    if (field.number == kProcess) process(field.bytes);
  }
  if (fields.damaged() || !sane) {
    stop("a block header is damaged");
    return false;
  }
  reader_.consume(size);
  return true;
}

void ReportImporter::session(std::string_view message) {
  WireReader fields(message);
  WireField field;
  while (fields.next(field)) {
    if (field.type != WireType::kBytes) continue;
    if (field.number == kCommandLine) command_line_ = to_valid_utf8(field.bytes);
    if (field.number != kSoftware) continue;
    WireReader entry(field.bytes);
    WireField part;
    std::string_view name, version;
    while (entry.next(part)) {
      if (part.type != WireType::kBytes) continue;
      if (part.number == 1) name = part.bytes;
      if (part.number == 2) version = part.bytes;
    }
    if (name == "Nsight Compute Target")
      builder_.source().tool_version = to_valid_utf8(version.substr(0, version.find(' ')));
  }
}

void ReportImporter::process(std::string_view message) {
  WireReader fields(message);
  WireField field;
  while (fields.next(field)) {
    if (field.number == 1 && field.type == WireType::kVarint) process_id_ = field.value;
    if (field.number == 3 && field.type == WireType::kBytes) program_ = to_valid_utf8(file_name(field.bytes));
  }
}

/// Reads a length and holds it against what is left of the payload.
bool ReportImporter::framed(std::uint64_t& left, std::uint64_t& size) {
  std::uint32_t length = 0;
  if (left < 4) {
    if (!stopped_) stop("a payload is shorter than its parts");
    return false;
  }
  if (!read_u32(length)) {
    missing_bytes_ += left - reader_.peek(4).size();
    stop("the file ends inside a payload");
    return false;
  }
  left -= 4;
  size = length;
  if (size <= left) return true;
  stop("a part of " + std::to_string(size) + " bytes stands in a payload with " + std::to_string(left) + " left");
  return false;
}

void ReportImporter::skip_framed(std::uint64_t count, std::uint64_t& left) {
  for (std::uint64_t i = 0; i < count && left > 0 && !stopped_; ++i) {
    std::uint64_t size = 0;
    if (!framed(left, size)) return;
    const std::uint64_t skipped = reader_.skip(size);
    left -= skipped;
    if (skipped == size) continue;
    missing_bytes_ += left;
    stop("the file ends inside a payload");
  }
}

void ReportImporter::results(std::uint64_t count, std::uint64_t& left) {
  for (std::uint64_t i = 0; i < count && left > 0 && !stopped_; ++i) {
    std::uint64_t size = 0;
    if (!framed(left, size)) return;
    const std::uint64_t start = reader_.offset();
    LaunchDraft draft;
    draft.source_id = ordinal_++;
    draft.process_id = process_id_;
    const ResultReader::Outcome outcome = results_.read(reader_, size, draft);
    const std::uint64_t used = reader_.offset() - start;
    left -= std::min(left, used);
    if (outcome == ResultReader::Outcome::kLaunch && builder_.full()) {
      ++lost_;
      stop("there are more launches than can be kept");
    } else if (outcome == ResultReader::Outcome::kLaunch) {
      if (builder_.source().taken.empty()) builder_.source().taken = iso_time(results_.created());
      builder_.add(std::move(draft));
    } else if (outcome == ResultReader::Outcome::kDamaged) {
      if (damaged_++ == 0) first_damage_ = start;
    } else {
      ++lost_;
      missing_bytes_ += left;
      stop("the file ends inside a launch");
    }
  }
}

void ReportImporter::payload(const Block& block) {
  std::uint64_t left = block.payload;
  skip_framed(block.sources, left);
  results(block.results, left);
  ranges_ += std::min(block.ranges, left);
  skip_framed(block.ranges, left);
  if (stopped_ || left == 0) return;
  note_cut("a payload is longer than its parts");
  const std::uint64_t skipped = reader_.skip(left);
  missing_bytes_ += skipped;  // what the length says beyond the file may be the damage itself
  if (skipped < left) stop("the file ends inside a payload");
}

/// Behind damage nothing can be told apart: the bytes that are left.
std::uint64_t ReportImporter::skip_rest() {
  constexpr std::uint64_t kStep = std::uint64_t{1} << 30;
  std::uint64_t all = 0;
  for (std::uint64_t skipped = kStep; skipped == kStep; all += skipped) skipped = reader_.skip(kStep);
  return all;
}

Error ReportImporter::nothing_read() const {
  if (!cut_reason_.empty()) {
    return bad_input("no launch could be read: " + cut_reason_, at(cut_offset_), "copy or record the report again");
  }
  if (damaged_ > 0) {
    return bad_input("no launch could be read: every one is damaged", at(first_damage_),
                     "copy or record the report again");
  }
  if (ranges_ > 0) {
    return bad_input("the report holds " + std::to_string(ranges_) + " range results and no kernel launch", path_,
                     "record it with --replay-mode kernel");
  }
  return bad_input("the report holds no kernel launch", path_,
                   "check that the program ran kernels and that no filter hid them");
}

void ReportImporter::report_issues() {
  const auto count = [](std::string name, std::uint64_t n) {
    return Argument{std::move(name), static_cast<double>(n), Unit::kCount};
  };
  const double read = static_cast<double>(builder_.drafts().size());
  const Argument launches{"launches", read, Unit::kCount};
  if (!cut_reason_.empty()) {
    builder_.issue(Severity::kDataLoss,
                   Message("report-cut", {launches,
                                          count("lost", lost_),
                                          {"bytes", static_cast<double>(missing_bytes_), Unit::kBytes},
                                          Argument{"offset", std::to_string(cut_offset_), Unit::kNone},
                                          {"reason", cut_reason_, Unit::kNone}}));
  }
  if (damaged_ > 0) {
    builder_.issue(Severity::kDataLoss,
                   Message("launches-damaged", {launches, count("lost", damaged_),
                                                Argument{"offset", std::to_string(first_damage_), Unit::kNone}}));
  }
  if (results_.nameless() > 0) {
    builder_.issue(Severity::kDataLoss, Message("metrics-without-name", {count("values", results_.nameless())}));
  }
  if (ranges_ > 0) builder_.issue(Severity::kNotice, Message("ranges-not-imported", {count("ranges", ranges_)}));
}

}  // namespace

bool is_report(std::string_view first_bytes) {
  return first_bytes.starts_with(kMagic);
}

Result<Profile> import_report(ByteReader& reader, const std::string& path, const ImportOptions& options) {
  return ReportImporter(reader, path, options).run();
}

}  // namespace ridge::ncu
