#include <algorithm>
#include <filesystem>
#include <limits>
#include <optional>
#include <set>
#include <system_error>

#include "base/files.h"
#include "store/archive.h"
#include "store/columns.h"
#include "store/long_text.h"
#include "store/references.h"
#include "store/schema.h"
#include "store/sqlite.h"
#include "store/store.h"

namespace ridge::store {

namespace {

constexpr std::size_t kHeader = 100;  ///< bytes of SQLite's file header
constexpr std::size_t kApplicationIdOffset = 68;
constexpr std::string_view kMagic("SQLite format 3\0", 16);

Error damaged(const std::string& detail, const std::string& where) {
  return bad_input("the .ridge file is damaged: " + detail, where, "restore it or import the original report again");
}

class Reader {
 public:
  explicit Reader(Database& database) : database_(database) {}

  Result<Profile> read() {
    RIDGE_TRY(database_.execute("BEGIN"));  // one state of a file that is being written
    for (const auto step : {&Reader::version, &Reader::schema, &Reader::texts, &Reader::sources, &Reader::devices,
                            &Reader::kernels, &Reader::configurations, &Reader::metrics, &Reader::measurements,
                            &Reader::launches, &Reader::spans, &Reader::issues, &Reader::live, &Reader::references}) {
      RIDGE_TRY((this->*step)());
    }
    for (const std::string& name : unknown_) {
      profile_.issues.push_back({Severity::kNotice, Message("store-unknown-value", {{"name", name, Unit::kNone}})});
    }
    return std::move(profile_);
  }

 private:
  Result<std::int64_t> pragma(const std::string& name) {
    Result<Statement> statement = Statement::prepare(database_, "PRAGMA " + name);
    if (!statement) return fail(statement.error());
    const Result<bool> row = statement->next();
    if (!row) return fail(row.error());
    return *row ? statement->integer(0) : 0;
  }

  Result<void> version() {
    const Result<std::int64_t> id = pragma("application_id");
    if (!id) return fail(id.error());
    if (*id != kApplicationId) {
      return fail(bad_input("not a .ridge file", database_.where(), "name a file that ridge wrote"));
    }
    const Result<std::int64_t> found = pragma("user_version");
    if (!found) return fail(found.error());
    version_ = *found;
    if (version_ >= 1 && version_ <= kSchemaVersion) return {};
    const std::string versions =
        "schema " + std::to_string(*found) + ", this program reads up to " + std::to_string(kSchemaVersion);
    if (*found < 1) return fail(damaged("unknown " + versions, database_.where()));
    return fail(
        bad_input("the .ridge file is from a newer version (" + versions + ")", database_.where(), "update ridge"));
  }

  /// Tables must be the ones this program creates: no views, virtual tables or computed columns in their place.
  Result<void> schema() {
    for (const TableSchema& table : tables()) {
      if (table.since > version_) continue;
      Result<Statement> statement = Statement::prepare(
          database_, "SELECT sql FROM sqlite_master WHERE type='table' AND name='" + std::string(table.name) + "'");
      if (!statement) return fail(statement.error());
      const Result<bool> row = statement->next();
      if (!row) return fail(row.error());
      if (!*row || statement->bytes(0) != table.sql) {
        return fail(damaged("table '" + std::string(table.name) + "' is not as expected", database_.where()));
      }
    }
    return {};
  }

  /// Calls item(row, i) for every row of a table, whose ids must be 0, 1, 2 ...; item returns false for a damaged row.
  template <class F>
  Result<void> each(const std::string& table, F item) {
    Result<Statement> statement = Statement::prepare(database_, "SELECT * FROM " + table + " ORDER BY id");
    if (!statement) return fail(statement.error());
    for (std::int64_t i = 0;; ++i) {
      const Result<bool> row = statement->next();
      if (!row) return fail(row.error());
      if (!*row) return {};
      if (statement->integer(0) != i || !item(*statement)) {
        return fail(damaged("table '" + table + "', row " + std::to_string(i), database_.where()));
      }
    }
  }

  template <class... T>
  bool decode(std::string_view bytes, T&... items) {
    Decoder decoder(bytes, texts_, names_, &long_texts_);
    decoder(items...);
    unknown_.insert(decoder.unknown().begin(), decoder.unknown().end());
    return decoder.finished();
  }

  static std::string text(const Statement& row, int column) { return std::string(row.bytes(column)); }

  Result<void> texts() {
    RIDGE_TRY(each("text", [&](const Statement& row) {
      texts_.push_back(text(row, 1));
      return true;
    }));
    return each("value_name", [&](const Statement& row) {
      names_.push_back(text(row, 1));
      return true;
    });
  }
  Result<void> sources() {
    return each("source", [&](const Statement& row) {
      profile_.sources.push_back({text(row, 1), text(row, 2), text(row, 3), text(row, 4)});
      return true;
    });
  }
  Result<void> devices() {
    return each("device", [&](const Statement& row) {
      Device& device = profile_.devices.emplace_back();
      if (!fits(row.integer(1))) return false;
      device.source = static_cast<std::uint32_t>(row.integer(1));
      device.index = row.integer(2);
      device.name = text(row, 3);
      device.chip = text(row, 4);
      if (!decode(row.bytes(5), device.attributes) || (row.integer(7) != 0 && row.integer(7) != 1)) return false;
      device.other_machine = row.integer(7) == 1;
      return row.is_null(6) || decode(row.bytes(6), device.machine.emplace());
    });
  }
  Result<void> kernels() {
    return each("kernel", [&](const Statement& row) {
      const auto full_name = row.is_blob(2) ? unpack_text(row.bytes(2)) : std::optional(text(row, 2));
      if (!full_name) return false;
      profile_.kernels.push_back({text(row, 1), *full_name, text(row, 3)});
      return true;
    });
  }
  Result<void> configurations() {
    return each("configuration",
                [&](const Statement& row) { return decode(row.bytes(7), profile_.configurations.emplace_back()); });
  }
  Result<void> metrics() {
    return each("metric", [&](const Statement& row) {
      profile_.metrics.push_back({text(row, 1), text(row, 2)});
      return true;
    });
  }
  Result<void> measurements() {
    return each("measurement", [&](const Statement& row) {
      Measurement& measurement = profile_.measurements.emplace_back();
      return decode(row.bytes(1), measurement.work) && decode(row.bytes(2), measurement.execution) &&
             decode(row.bytes(3), measurement.conditions) && decode(row.bytes(4), measurement.raw) &&
             decode(row.bytes(5), measurement.hot_lines);
    });
  }
  /// `decode_items(decoder, count)` appends the items of a row.
  template <class T, class F>
  Result<void> chunks(const std::string& table, const std::string& counts, std::vector<T>& items, F decode_items) {
    RIDGE_TRY(reserve(table, counts, items));
    return each(table, [&](const Statement& row) {
      Decoder decoder(row.bytes(2), texts_, names_, &long_texts_);
      return row.integer(1) > 0 && decode_items(decoder, static_cast<std::size_t>(row.integer(1)));
    });
  }
  /// Room for all items at once: growing step by step would take up to twice the memory. Each has a byte at least.
  template <class T>
  Result<void> reserve(const std::string& table, const std::string& counts, std::vector<T>& items) {
    Result<Statement> statement = Statement::prepare(
        database_, "SELECT total(min(" + counts + ",length(data),4096)) FROM " + table + " WHERE " + counts + ">0");
    if (!statement) return fail(statement.error());
    const Result<bool> row = statement->next();
    if (!row) return fail(row.error());
    if (*row) items.reserve(static_cast<std::size_t>(std::max<std::int64_t>(statement->integer(0), 0)));
    return {};
  }
  Result<void> launches() {
    return chunks("launch_chunk", "launches", profile_.launches, [&](Decoder& decoder, std::size_t count) {
      return decode_launches(decoder, count, profile_.launches, version_);
    });
  }
  Result<void> spans() {
    return chunks("span_chunk", "spans", profile_.spans,
                  [&](Decoder& decoder, std::size_t count) { return decode_spans(decoder, count, profile_.spans); });
  }
  /// What version 2 brought.
  Result<void> live() {
    if (version_ < kLiveVersion) return {};
    RIDGE_TRY(chunks("sampled_chunk", "items", profile_.sampled, [&](Decoder& decoder, std::size_t count) {
      return decode_sampled(decoder, count, profile_.sampled);
    }));
    RIDGE_TRY(chunks("reading_chunk", "readings", profile_.readings, [&](Decoder& decoder, std::size_t count) {
      return decode_readings(decoder, count, profile_.readings);
    }));
    RIDGE_TRY(each("recording",
                   [&](const Statement& row) { return decode(row.bytes(6), profile_.recordings.emplace_back()); }));
    std::size_t marks = 0;
    bool finished = false;
    RIDGE_TRY(each("state", [&](const Statement& row) {
      finished = row.integer(1) == 1;
      return ++marks == 1 && !row.is_null(1) && (finished || row.integer(1) == 0);
    }));
    if (marks == 0) return fail(damaged("it does not say whether it is finished", database_.where()));
    if (!finished) note_unfinished();
    return {};
  }
  /// Says how much there is.
  void note_unfinished() {
    Seconds last{0};
    for (const Launch& launch : profile_.launches) {
      const Value<Seconds> end = launch.duration ? launch.start + launch.duration : launch.start;
      if (end && *end > last) last = *end;
    }
    profile_.issues.push_back(
        {Severity::kDataLoss,
         Message("store-unfinished", {{"launches", static_cast<double>(profile_.launches.size()), Unit::kCount},
                                      {"seconds", last.count(), Unit::kSeconds}})});
  }
  Result<void> issues() {
    return each("issue", [&](const Statement& row) {
      Issue& issue = profile_.issues.emplace_back();
      issue.severity = static_cast<Severity>(row.integer(1));
      issue.message.id = text(row, 2);
      return row.integer(1) >= 0 && row.integer(1) <= 0xff && is_valid(issue.severity) &&
             decode(row.bytes(3), issue.message.arguments);
    });
  }

  static bool fits(std::int64_t number) { return number >= 0 && number <= std::numeric_limits<std::uint32_t>::max(); }

  Result<void> references() {
    const std::string_view nothing = dangling(profile_, TableSizes() + profile_);
    if (!nothing.empty()) return fail(damaged(std::string(nothing), database_.where()));
    return {};
  }

  Database& database_;
  std::int64_t version_ = 0;
  Profile profile_;
  std::vector<std::string> texts_, names_;
  std::set<std::string> unknown_;
  std::uint64_t long_texts_ = kLongTextBudget;
};

}  // namespace

bool is_ridge_file(std::string_view head) {
  if (head.size() < kHeader || head.substr(0, kMagic.size()) != kMagic) return false;
  std::int64_t id = 0;
  for (std::size_t i = 0; i < 4; ++i) id = id * 256 + static_cast<unsigned char>(head[kApplicationIdOffset + i]);
  return id == kApplicationId;
}

Result<Profile> profile_from_reader(ByteReader& reader, const std::string& where) {
  if (!is_ridge_file(reader.peek(kHeader))) {
    return fail(bad_input("not a .ridge file", where, "name a file that ridge wrote"));
  }
  Result<Database> database = Database::from_reader(reader, where);
  if (!database) return fail(database.error());
  return Reader(*database).read();
}

Result<Profile> profile_from_bytes(std::string_view bytes, const std::string& where) {
  ByteReader reader(memory_source(bytes));
  return profile_from_reader(reader, where);
}

Result<Profile> read_profile(const std::string& path) {
  Result<std::unique_ptr<ByteSource>> source = open_file(path);
  if (!source) return fail(source.error());
  ByteReader head(std::move(*source));
  if (!is_ridge_file(head.peek(kHeader))) {
    return fail(bad_input("not a .ridge file", path, "name a file that ridge wrote"));
  }
  const std::optional<std::uint64_t> size = stated_size(head.peek(kHeader));
  std::error_code error;
  const std::string file = std::filesystem::canonical(path, error).string();
  if (size && !std::filesystem::exists(file + "-wal", error)) {
    head.skip(*size);
    if (!head.at_end()) return fail(longer_than_stated(path));  // SQLite would not look at the rest
  }
  Result<Database> database = Database::open(path);
  if (!database) return fail(database.error());
  return Reader(*database).read();
}

}  // namespace ridge::store
