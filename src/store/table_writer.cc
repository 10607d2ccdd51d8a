#include "store/table_writer.h"

#include <algorithm>
#include <optional>
#include <span>

#include "store/columns.h"
#include "store/long_text.h"
#include "store/schema.h"

namespace ridge::store {

namespace {

/// A chunk shorter than this grows with the next piece. Rewriting it costs less than the head of a further one.
constexpr std::size_t kShortChunk = 512;

std::array<std::optional<std::int64_t>, 3> axes(const std::optional<Dim3>& size) {
  if (!size) return {};
  return {std::int64_t{size->x}, std::int64_t{size->y}, std::int64_t{size->z}};
}

std::int64_t id_of(std::size_t row) {
  return static_cast<std::int64_t>(row);
}

Result<Statement> prepare_insert(const Database& database, const std::string& table, int parameters) {
  std::string sql = "INSERT OR REPLACE INTO " + table + " VALUES(?";
  for (int i = 1; i < parameters; ++i) sql += ",?";
  return Statement::prepare(database, sql + ")");
}

}  // namespace

template <class T>
Blob TableWriter::blob(const T& item) {
  Encoder encoder(texts_, names_);
  encoder(item);
  return {encoder.take()};
}

/// row(statement, item, id) runs the statement for each item; ids go on from `first`.
template <class T, class F>
Result<void> TableWriter::insert(const std::string& table, int parameters, const std::vector<T>& items,
                                 std::size_t first, F row) {
  if (items.empty()) return {};
  Result<Statement> statement = prepare_insert(database_, table, parameters);
  if (!statement) return fail(statement.error());
  for (std::size_t i = 0; i < items.size(); ++i) RIDGE_TRY(row(*statement, items[i], id_of(first + i)));
  return {};
}

template <class T, class F>
Result<void> TableWriter::add_chunks(const std::string& table, Chunks<T>& chunks, const std::vector<T>& items,
                                     F encode) {
  if (items.empty()) return {};
  Result<Statement> statement = prepare_insert(database_, table, 3);
  if (!statement) return fail(statement.error());
  std::span<const T> rest = items;
  while (!rest.empty()) {
    const bool grows = !chunks.tail.empty();
    const std::span<const T> next = rest.first(std::min(rest.size(), kChunk - chunks.tail.size()));
    rest = rest.subspan(next.size());
    const bool stays_short = chunks.tail.size() + next.size() < kShortChunk;
    if (grows || stays_short) chunks.tail.insert(chunks.tail.end(), next.begin(), next.end());
    const std::span<const T> chunk = grows || stays_short ? std::span<const T>(chunks.tail) : next;
    if (!grows) ++chunks.rows;
    RIDGE_TRY(statement->run(chunks.rows - 1, id_of(chunk.size()), Blob{encode(chunk, texts_, names_)}));
    if (!stays_short) chunks.tail = {};
  }
  return {};
}

/// Pages of 1 KiB: the small tables then cost 16 KiB, and large blobs spill over several pages anyway.
Result<void> TableWriter::create_tables() {
  RIDGE_TRY(database_.execute("PRAGMA page_size=1024; BEGIN IMMEDIATE"));
  RIDGE_TRY(database_.execute("PRAGMA application_id=" + std::to_string(kApplicationId)));
  RIDGE_TRY(database_.execute("PRAGMA user_version=" + std::to_string(kSchemaVersion)));
  for (const TableSchema& table : tables()) RIDGE_TRY(database_.execute(std::string(table.sql)));
  return database_.execute("INSERT INTO state VALUES(0,0); COMMIT");
}

Result<void> TableWriter::append(const Profile& piece) {
  RIDGE_TRY(database_.execute("BEGIN IMMEDIATE"));
  const Progress before = done_;
  Result<void> result = rows(piece);
  if (result) result = database_.execute("COMMIT");
  if (result) return {};
  (void)database_.execute("ROLLBACK");  // fails where SQLite has done so already
  done_ = before;
  texts_.shrink(done_.texts);
  names_.shrink(done_.names);
  return result;
}

Result<void> TableWriter::mark_finished() {
  return database_.execute("UPDATE state SET finished=1");
}

Result<void> TableWriter::rows(const Profile& piece) {
  for (const auto step : {&TableWriter::sources, &TableWriter::devices, &TableWriter::kernels,
                          &TableWriter::configurations, &TableWriter::metrics, &TableWriter::measurements,
                          &TableWriter::chunks, &TableWriter::recordings, &TableWriter::issues, &TableWriter::texts}) {
    RIDGE_TRY((this->*step)(piece));
  }
  done_.sizes = done_.sizes + piece;
  return {};
}

Result<void> TableWriter::sources(const Profile& piece) {
  return insert("source", 5, piece.sources, done_.sizes.sources,
                [](Statement& row, const Source& source, std::int64_t id) {
                  return row.run(id, source.kind, source.path, source.taken, source.tool_version);
                });
}

Result<void> TableWriter::devices(const Profile& piece) {
  return insert("device", 8, piece.devices, done_.sizes.devices,
                [&](Statement& row, const Device& device, std::int64_t id) {
                  const Blob machine = device.machine ? blob(*device.machine) : Blob{"", true};
                  return row.run(id, std::int64_t{device.source}, device.index, device.name, device.chip,
                                 blob(device.attributes), machine, std::int64_t{device.other_machine});
                });
}

Result<void> TableWriter::kernels(const Profile& piece) {
  return insert("kernel", 4, piece.kernels, done_.sizes.kernels,
                [](Statement& row, const Kernel& kernel, std::int64_t id) {
                  if (auto packed = pack_text(kernel.full_name)) {
                    return row.run(id, kernel.short_name, Blob{*std::move(packed)}, kernel.mangled_name);
                  }
                  return row.run(id, kernel.short_name, kernel.full_name, kernel.mangled_name);
                });
}

Result<void> TableWriter::configurations(const Profile& piece) {
  return insert("configuration", 8, piece.configurations, done_.sizes.configurations,
                [&](Statement& row, const Configuration& configuration, std::int64_t id) {
                  const auto [gx, gy, gz] = axes(configuration.grid);
                  const auto [bx, by, bz] = axes(configuration.block);
                  return row.run(id, gx, gy, gz, bx, by, bz, blob(configuration));
                });
}

Result<void> TableWriter::metrics(const Profile& piece) {
  return insert(
      "metric", 3, piece.metrics, done_.sizes.metrics,
      [](Statement& row, const MetricName& metric, std::int64_t id) { return row.run(id, metric.name, metric.unit); });
}

Result<void> TableWriter::measurements(const Profile& piece) {
  return insert("measurement", 6, piece.measurements, done_.sizes.measurements,
                [&](Statement& row, const Measurement& measurement, std::int64_t id) {
                  return row.run(id, blob(measurement.work), blob(measurement.execution), blob(measurement.conditions),
                                 blob(measurement.raw), blob(measurement.hot_lines));
                });
}

Result<void> TableWriter::chunks(const Profile& piece) {
  RIDGE_TRY(add_chunks("launch_chunk", done_.launches, piece.launches, encode_launches));
  RIDGE_TRY(add_chunks("sampled_chunk", done_.sampled, piece.sampled, encode_sampled));
  RIDGE_TRY(add_chunks("span_chunk", done_.spans, piece.spans, encode_spans));
  return add_chunks("reading_chunk", done_.readings, piece.readings, encode_readings);
}

/// A recording of a source that has one already takes its row.
Result<void> TableWriter::recordings(const Profile& piece) {
  return insert("recording", 7, piece.recordings, 0, [&](Statement& row, const Recording& recording, std::int64_t) {
    std::vector<std::uint32_t>& known = done_.recordings;
    const auto found = std::find(known.begin(), known.end(), recording.source);
    const std::int64_t id = found - known.begin();
    if (found == known.end()) known.push_back(recording.source);
    return row.run(id, std::int64_t{recording.source}, recording.command, recording.host,
                   static_cast<std::int64_t>(recording.tier), std::int64_t{recording.finished}, blob(recording));
  });
}

Result<void> TableWriter::issues(const Profile& piece) {
  RIDGE_TRY(insert("issue", 4, piece.issues, static_cast<std::size_t>(done_.issues),
                   [&](Statement& row, const Issue& issue, std::int64_t id) {
                     return row.run(id, static_cast<std::int64_t>(issue.severity), issue.message.id,
                                    blob(issue.message.arguments));
                   }));
  done_.issues += id_of(piece.issues.size());
  return {};
}

/// Last, when every text of the piece has its number.
Result<void> TableWriter::texts(const Profile&) {
  const auto add = [&](const std::string& table, const std::vector<std::string>& all,
                       std::size_t& written) -> Result<void> {
    const std::vector<std::string> added(all.begin() + static_cast<std::ptrdiff_t>(written), all.end());
    RIDGE_TRY(insert(table, 2, added, written,
                     [](Statement& row, const std::string& text, std::int64_t id) { return row.run(id, text); }));
    written = all.size();
    return {};
  };
  RIDGE_TRY(add("text", texts_.texts(), done_.texts));
  return add("value_name", names_.texts(), done_.names);
}

}  // namespace ridge::store
