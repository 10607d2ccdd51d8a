// SQLite with owners and Results: a database in memory, a file opened for reading or one being written, and prepared
// statements.
//
// A file may have a write-ahead log beside it (NAME-wal), because it is still being written or its writer was killed.
// Reading includes the log and leaves every file as it is, also in a folder that cannot be written.
//
// A file from anywhere is opened defensively: no trusted schema, no writing, no value above kLargestValue. What SQLite
// finds wrong with a file becomes one sentence; running out of memory or a failing disk stay internal errors.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "ridgepoint/base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace ridge::store {

/// Of one text or blob: the largest of a real recording is a thousandth of it.
inline constexpr std::size_t kLargestValue = std::size_t{64} << 20;
/// Of a database that is read into memory, because it is packed: above it, unpack it first.
inline constexpr std::uint64_t kLargestInMemory = std::uint64_t{1} << 30;

/// Page size x number of pages, as the first 100 bytes of a database state them. None if the number of pages does not
/// hold because an old program wrote last (https://www.sqlite.org/fileformat.html, 1.3.7); then the file's length
/// counts.
[[nodiscard]] std::optional<std::uint64_t> stated_size(std::string_view header);
[[nodiscard]] Error longer_than_stated(const std::string& where);

class Database {
 public:
  /// An empty database in memory.
  [[nodiscard]] static Result<Database> create();
  [[nodiscard]] static Result<Database> open(const std::string& path);
  /// An existing file for writing, in whatever state it is.
  [[nodiscard]] static Result<Database> open_for_writing(const std::string& path);
  /// A database that is all the rest of `reader`, whose length must be what its header states. `where` names it in
  /// errors.
  [[nodiscard]] static Result<Database> from_reader(ByteReader& reader, const std::string& where);
  /// The same of bytes in memory, which are copied.
  [[nodiscard]] static Result<Database> from_bytes(std::string_view bytes, const std::string& where);

  [[nodiscard]] Result<void> execute(const std::string& sql);
  [[nodiscard]] Result<std::string> to_bytes();
  /// The error of the last call, as its reader needs it.
  [[nodiscard]] Error error() const;
  [[nodiscard]] sqlite3* handle() const { return handle_.get(); }
  [[nodiscard]] const std::string& where() const { return where_; }

 private:
  struct Close {
    void operator()(sqlite3* handle) const;
  };
  /// Where its content comes from, which decides how an error is told.
  enum class Origin : unsigned char { kOwn, kForeign, kWritten };
  Database(sqlite3* handle, std::string where) : handle_(handle), where_(std::move(where)) {}
  void defend();
  [[nodiscard]] static Result<Database> open_as(const std::string& path, const std::string& name, int flags,
                                                const char* vfs);
  [[nodiscard]] static Result<Database> open_logged(const std::string& path);

  std::unique_ptr<sqlite3, Close> handle_;
  std::string where_;
  Origin origin_ = Origin::kOwn;
};

/// Bytes to be bound as a blob, or NULL. Empty bytes are not NULL.
struct Blob {
  std::string bytes;
  bool null = false;
};

/// One prepared statement. Parameters and columns are numbered from 0, as bind and the getters go along.
class Statement {
 public:
  [[nodiscard]] static Result<Statement> prepare(const Database& database, const std::string& sql);

  /// Binds every parameter in order and runs a statement that returns no rows.
  template <class... T>
  [[nodiscard]] Result<void> run(const T&... values) {
    int index = 0;
    (bind(index++, values), ...);
    return finish();
  }
  /// True with a row at hand, false at the end.
  [[nodiscard]] Result<bool> next();
  /// The columns of the current row; a text or blob is valid until the next call of next().
  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] std::string_view bytes(int column) const;
  [[nodiscard]] bool is_null(int column) const;
  [[nodiscard]] bool is_blob(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  Statement(sqlite3_stmt* statement, const Database& database) : statement_(statement), database_(&database) {}

  void bind(int index, std::int64_t value);
  void bind(int index, const std::optional<std::int64_t>& value);  ///< absent is NULL
  void bind(int index, const std::string& text);
  void bind(int index, const Blob& blob);
  [[nodiscard]] Result<void> finish();

  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  const Database* database_;
};

}  // namespace ridge::store
