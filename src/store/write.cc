#include <algorithm>
#include <array>
#include <span>

#include "store/archive.h"
#include "store/atomic_file.h"
#include "store/columns.h"
#include "store/schema.h"
#include "store/sqlite.h"
#include "store/store.h"

namespace ridge::store {

namespace {

class Writer {
 public:
  Writer(const Profile& profile, Database& database) : profile_(profile), database_(database) {}

  Result<void> write() {
    RIDGE_TRY(prepare());
    for (const auto step :
         {&Writer::sources, &Writer::devices, &Writer::kernels, &Writer::configurations, &Writer::metrics,
          &Writer::measurements, &Writer::launches, &Writer::spans, &Writer::issues, &Writer::texts}) {
      RIDGE_TRY((this->*step)());
    }
    return database_.execute("COMMIT");
  }

 private:
  /// Pages of 1 KiB: eleven small tables then cost 11 KiB, and large blobs spill over several pages anyway.
  Result<void> prepare() {
    RIDGE_TRY(database_.execute("PRAGMA page_size=1024; BEGIN"));
    RIDGE_TRY(database_.execute("PRAGMA application_id=" + std::to_string(kApplicationId)));
    RIDGE_TRY(database_.execute("PRAGMA user_version=" + std::to_string(kSchemaVersion)));
    for (const TableSchema& table : tables()) RIDGE_TRY(database_.execute(std::string(table.sql)));
    return {};
  }

  template <class T>
  Blob blob(const T& item) {
    Encoder encoder(texts_, names_);
    encoder(item);
    return {encoder.take()};
  }

  /// insert(table, n, f): f(statement, i) runs the statement for item i.
  template <class F>
  Result<void> insert(const std::string& table, int parameters, std::size_t count, F row) {
    std::string sql = "INSERT INTO " + table + " VALUES(?";
    for (int i = 1; i < parameters; ++i) sql += ",?";
    Result<Statement> statement = Statement::prepare(database_, sql + ")");
    if (!statement) return fail(statement.error());
    for (std::size_t i = 0; i < count; ++i) RIDGE_TRY(row(*statement, i, static_cast<std::int64_t>(i)));
    return {};
  }

  static std::array<std::optional<std::int64_t>, 3> axes(const std::optional<Dim3>& size) {
    if (!size) return {};
    return {std::int64_t{size->x}, std::int64_t{size->y}, std::int64_t{size->z}};
  }

  Result<void> sources() {
    return insert("source", 5, profile_.sources.size(), [&](Statement& row, std::size_t i, std::int64_t id) {
      const Source& source = profile_.sources[i];
      return row.run(id, source.kind, source.path, source.taken, source.tool_version);
    });
  }
  Result<void> devices() {
    return insert("device", 8, profile_.devices.size(), [&](Statement& row, std::size_t i, std::int64_t id) {
      const Device& device = profile_.devices[i];
      const Blob machine = device.machine ? blob(*device.machine) : Blob{"", true};
      return row.run(id, std::int64_t{device.source}, device.index, device.name, device.chip, blob(device.attributes),
                     machine, std::int64_t{device.other_machine});
    });
  }
  Result<void> kernels() {
    return insert("kernel", 4, profile_.kernels.size(), [&](Statement& row, std::size_t i, std::int64_t id) {
      const Kernel& kernel = profile_.kernels[i];
      return row.run(id, kernel.short_name, kernel.full_name, kernel.mangled_name);
    });
  }
  Result<void> configurations() {
    return insert("configuration", 8, profile_.configurations.size(),
                  [&](Statement& row, std::size_t i, std::int64_t id) {
                    const Configuration& configuration = profile_.configurations[i];
                    const auto [gx, gy, gz] = axes(configuration.grid);
                    const auto [bx, by, bz] = axes(configuration.block);
                    return row.run(id, gx, gy, gz, bx, by, bz, blob(configuration));
                  });
  }
  Result<void> metrics() {
    return insert("metric", 3, profile_.metrics.size(), [&](Statement& row, std::size_t i, std::int64_t id) {
      return row.run(id, profile_.metrics[i].name, profile_.metrics[i].unit);
    });
  }
  Result<void> measurements() {
    return insert("measurement", 6, profile_.measurements.size(), [&](Statement& row, std::size_t i, std::int64_t id) {
      const Measurement& measurement = profile_.measurements[i];
      return row.run(id, blob(measurement.work), blob(measurement.execution), blob(measurement.conditions),
                     blob(measurement.raw), blob(measurement.hot_lines));
    });
  }
  template <class T, class F>
  Result<void> chunks(const std::string& table, const std::vector<T>& items, F encode) {
    return insert(table, 3, (items.size() + kChunk - 1) / kChunk, [&](Statement& row, std::size_t i, std::int64_t id) {
      const std::size_t begin = i * kChunk;
      const std::size_t count = std::min(kChunk, items.size() - begin);
      return row.run(id, static_cast<std::int64_t>(count),
                     Blob{encode(std::span<const T>(items).subspan(begin, count), texts_, names_)});
    });
  }
  Result<void> launches() { return chunks("launch_chunk", profile_.launches, encode_launches); }
  Result<void> spans() { return chunks("span_chunk", profile_.spans, encode_spans); }
  Result<void> issues() {
    return insert("issue", 4, profile_.issues.size(), [&](Statement& row, std::size_t i, std::int64_t id) {
      const Issue& issue = profile_.issues[i];
      return row.run(id, static_cast<std::int64_t>(issue.severity), issue.message.id, blob(issue.message.arguments));
    });
  }
  /// Last, when every text has its number.
  Result<void> texts() {
    RIDGE_TRY(insert("text", 2, texts_.texts().size(),
                     [&](Statement& row, std::size_t i, std::int64_t id) { return row.run(id, texts_.texts()[i]); }));
    return insert("value_name", 2, names_.texts().size(),
                  [&](Statement& row, std::size_t i, std::int64_t id) { return row.run(id, names_.texts()[i]); });
  }

  const Profile& profile_;
  Database& database_;
  TextTable texts_;
  TextTable names_;
};

}  // namespace

Result<std::string> profile_to_bytes(const Profile& profile) {
  Result<Database> database = Database::create();
  if (!database) return fail(database.error());
  RIDGE_TRY(Writer(profile, *database).write());
  return database->to_bytes();
}

Result<void> write_profile(const std::string& path, const Profile& profile) {
  const Result<std::string> bytes = profile_to_bytes(profile);
  if (!bytes) return fail(bytes.error());
  return write_file(path, *bytes);
}

}  // namespace ridge::store
