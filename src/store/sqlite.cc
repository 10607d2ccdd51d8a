#include "store/sqlite.h"

#include <sqlite3.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>

#include "base/files.h"
#include "store/file_error.h"

namespace ridge::store {

namespace {

Error no_memory(const std::string& where) {
  return internal_error("out of memory in the store", where, "give the program more memory");
}

/// True if a value of the largest size would find room. SQLite also says "out of memory" of a damaged file that makes
/// it ask for an absurd amount.
bool has_memory() {
  void* const trial = sqlite3_malloc64(kLargestValue);
  sqlite3_free(trial);
  return trial != nullptr;
}

Error damaged(const std::string& detail, const std::string& where) {
  return bad_input("the .ridge file is damaged: " + detail, where, "restore it or import the original report again");
}

std::string message_of(int code, sqlite3* handle) {
  return handle != nullptr ? sqlite3_errmsg(handle) : sqlite3_errstr(code);
}

/// Of a file that is being written: the system's own word where it has one ("No space left on device").
Error write_failure(int code, sqlite3* handle, const std::string& where) {
  const int cause = handle != nullptr ? sqlite3_system_errno(handle) : 0;
  const bool of_disk = (code & 0xff) == SQLITE_IOERR || (code & 0xff) == SQLITE_CANTOPEN;
  if (cause != 0 && of_disk) return file_error("cannot write the file", where, cause);
  if ((code & 0xff) == SQLITE_FULL) return file_error("cannot write the file", where, ENOSPC);
  if ((code & 0xff) == SQLITE_NOMEM) return no_memory(where);
  return internal_error("cannot write the file: " + message_of(code, handle), where,
                        "check the disk and who else uses the file");
}

Error sqlite_error(int code, sqlite3* handle, const std::string& where, bool foreign) {
  const std::string detail = message_of(code, handle);
  switch (code & 0xff) {
    case SQLITE_NOMEM:
      return foreign && has_memory() ? damaged("it asks for more memory than it can need", where) : no_memory(where);
    case SQLITE_TOOBIG:
      if (foreign) return damaged("a value is longer than " + std::to_string(kLargestValue) + " bytes", where);
      return internal_error("a text of the recording is too long for a .ridge file", where,
                            "write the report as JSON instead");
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
    case SQLITE_FULL:
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return internal_error("cannot read the file: " + detail, where, "check the disk and who else uses the file");
    case SQLITE_NOTADB:
      return bad_input("not a .ridge file", where, "name a file that ridge wrote");
    default:
      return damaged(detail, where);
  }
}

struct Free {
  void operator()(unsigned char* bytes) const { sqlite3_free(bytes); }
};
using SqliteBytes = std::unique_ptr<unsigned char, Free>;

constexpr std::size_t kHeaderBytes = 100;

std::uint64_t big_endian(std::string_view bytes, std::size_t offset, std::size_t count) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < count; ++i) number = number << 8 | static_cast<unsigned char>(bytes[offset + i]);
  return number;
}

Error too_large(const std::string& where) {
  return bad_input("the packed .ridge file is larger than " + std::to_string(kLargestInMemory >> 20) + " MiB", where,
                   "unpack it first");
}

/// The rest of the reader, which should be `size` bytes, in memory that grows only as they arrive. A short file is left
/// for SQLite to judge, which knows whether anything is missed.
Result<std::size_t> copy_rest(ByteReader& reader, std::uint64_t size, const std::string& where, SqliteBytes& copy) {
  std::size_t capacity = 0;
  std::size_t filled = 0;
  while (filled < size && !reader.at_end()) {
    const std::string_view bytes = reader.peek(1).substr(0, size - filled);
    if (filled + bytes.size() > capacity) {
      capacity = std::min<std::size_t>(size, std::max(2 * capacity, filled + bytes.size()));
      auto* const larger = static_cast<unsigned char*>(sqlite3_realloc64(copy.get(), capacity));
      if (larger == nullptr) return fail(no_memory(where));
      (void)copy.release();
      copy.reset(larger);
    }
    std::memcpy(copy.get() + filled, bytes.data(), bytes.size());
    filled += bytes.size();
    reader.consume(bytes.size());
  }
  return filled;
}

/// Bytes 18 and 19 of the header: 2 where a file is written through a log.
constexpr std::size_t kWriteVersion = 18;
constexpr char kPlain = 1, kLogged = 2;

bool is_logged(const std::string& path) {
  Result<std::unique_ptr<ByteSource>> file = open_file(path);
  if (!file) return false;
  ByteReader reader(std::move(*file));
  const std::string_view head = reader.peek(kHeaderBytes);
  return head.size() >= kHeaderBytes && head[kWriteVersion + 1] == kLogged;
}

/// A leading "./" keeps names such as ":memory:" from meaning something else.
std::string plain_name(const std::string& path) {
  return path.empty() || path.front() == '/' ? path : "./" + path;
}

/// A URI that says that nobody writes the file: SQLite then looks for no log and makes none.
std::string immutable_name(const std::string& file) {
  std::string uri = "file:";
  for (const char c : file) {
    if (c == '%' || c == '?' || c == '#') {
      constexpr std::string_view kDigits = "0123456789abcdef";
      const auto code = static_cast<unsigned char>(c);
      uri += {'%', kDigits[code >> 4U], kDigits[code & 15U]};
    } else {
      uri += c;
    }
  }
  return uri + "?immutable=1";
}

/// A file in memory has no log; SQLite refuses one that says it has.
void unlog(unsigned char* header) {
  for (const std::size_t i : {kWriteVersion, kWriteVersion + 1}) {
    if (header[i] == kLogged) header[i] = kPlain;
  }
}

bool can_be_read(sqlite3* handle) {
  constexpr int kWaitMs = 2000;
  sqlite3_busy_timeout(handle, kWaitMs);
  return sqlite3_exec(handle, "SELECT count(*) FROM sqlite_master", nullptr, nullptr, nullptr) == SQLITE_OK;
}

}  // namespace

/// Nothing in a foreign file's schema may run, and nothing in it may be of any size.
void Database::defend() {
  origin_ = Origin::kForeign;
  sqlite3_db_config(handle(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle(), SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(handle(), SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  sqlite3_db_config(handle(), SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_exec(handle(), "PRAGMA cell_size_check=ON", nullptr, nullptr, nullptr);
}

std::optional<std::uint64_t> stated_size(std::string_view header) {
  if (header.size() < kHeaderBytes) return std::nullopt;
  const std::uint64_t page = big_endian(header, 16, 2);
  const std::uint64_t pages = big_endian(header, 28, 4);
  const bool holds = big_endian(header, 24, 4) == big_endian(header, 92, 4);
  if (pages == 0 || !holds) return std::nullopt;
  return pages * (page == 1 ? std::uint64_t{65536} : page);
}

Error longer_than_stated(const std::string& where) {
  return damaged("more bytes follow than its header states", where);
}

void Database::Close::operator()(sqlite3* handle) const {
  sqlite3_close_v2(handle);
}

Result<Database> Database::create() {
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(":memory:", &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
  Database database(handle, "");
  if (code != SQLITE_OK) return fail(sqlite_error(code, handle, "", false));
  sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, static_cast<int>(kLargestValue));
  return database;
}

/// `name` is what SQLite is told.
Result<Database> Database::open_as(const std::string& path, const std::string& name, int flags, const char* vfs) {
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(name.c_str(), &handle, flags, vfs);
  Database database(handle, path);
  if (code != SQLITE_OK && (flags & SQLITE_OPEN_READWRITE) != 0) return fail(write_failure(code, handle, path));
  if (code != SQLITE_OK) return fail(sqlite_error(code, handle, path, true));
  sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, static_cast<int>(kLargestValue));
  return database;
}

Result<Database> Database::open_logged(const std::string& path) {
  std::error_code error;
  const std::string file = std::filesystem::canonical(path, error).string();
  if (error) return fail(file_error("cannot read the file", path, error.value()));
  const bool has_index = std::filesystem::exists(file + "-shm", error);
  const std::uintmax_t log = std::filesystem::file_size(file + "-wal", error);
  if (has_index) {
    // There may be a writer: share its index and its locks.
    Result<Database> shared = open_as(path, file, SQLITE_OPEN_READONLY, nullptr);
    if (shared && can_be_read(shared->handle())) return shared;
  }
  if (error || log == 0) return open_as(path, immutable_name(file), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr);
  // No writer lives. Without locks and shared memory SQLite keeps the log's index to itself and makes no file.
  Result<Database> alone = open_as(path, file, SQLITE_OPEN_READONLY, "unix-none");
  if (alone) sqlite3_exec(alone->handle(), "PRAGMA locking_mode=EXCLUSIVE", nullptr, nullptr, nullptr);
  return alone;
}

Result<Database> Database::open(const std::string& path) {
  Result<Database> database =
      is_logged(path) ? open_logged(path) : open_as(path, plain_name(path), SQLITE_OPEN_READONLY, nullptr);
  if (!database) return database;
  sqlite3_db_config(database->handle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  database->defend();
  return database;
}

Result<Database> Database::open_for_writing(const std::string& path) {
  Result<Database> database = open_as(path, plain_name(path), SQLITE_OPEN_READWRITE, nullptr);
  if (database) database->origin_ = Origin::kWritten;
  return database;
}

Result<Database> Database::from_reader(ByteReader& reader, const std::string& where) {
  const std::optional<std::uint64_t> stated = stated_size(reader.peek(kHeaderBytes));
  const std::uint64_t size = stated.value_or(kLargestInMemory);
  if (size > kLargestInMemory) return fail(too_large(where));
  Result<Database> database = create();
  if (!database) return database;
  database->where_ = where;
  database->defend();
  SqliteBytes copy;
  const Result<std::size_t> read = copy_rest(reader, size, where, copy);
  if (!read) return fail(read.error());
  if (!reader.at_end()) return fail(stated ? longer_than_stated(where) : too_large(where));
  if (reader.error()) return fail(*reader.error());  // found at the end, as a checksum is
  if (*read >= kHeaderBytes) unlog(copy.get());
  const auto length = static_cast<sqlite3_int64>(*read);
  const int code = sqlite3_deserialize(database->handle(), "main", copy.release(), length, length,
                                       SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY);
  if (code != SQLITE_OK) return fail(sqlite_error(code, database->handle(), where, true));
  return database;
}

Result<Database> Database::from_bytes(std::string_view bytes, const std::string& where) {
  ByteReader reader(memory_source(bytes));
  return from_reader(reader, where);
}

Result<void> Database::execute(const std::string& sql) {
  if (sqlite3_exec(handle(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) return fail(error());
  return {};
}

Result<std::string> Database::to_bytes() {
  sqlite3_int64 size = 0;
  unsigned char* const bytes = sqlite3_serialize(handle(), "main", &size, 0);
  if (bytes == nullptr) return fail(no_memory(where_));
  std::string result(static_cast<std::size_t>(size), '\0');
  std::memcpy(result.data(), bytes, result.size());
  sqlite3_free(bytes);
  return result;
}

Error Database::error() const {
  const int code = sqlite3_errcode(handle());
  const bool too_big = (code & 0xff) == SQLITE_TOOBIG;
  if (origin_ == Origin::kWritten && !too_big) return write_failure(code, handle(), where_);
  return sqlite_error(code, handle(), where_, origin_ == Origin::kForeign);
}

void Statement::Finalize::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

Result<Statement> Statement::prepare(const Database& database, const std::string& sql) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(database.handle(), sql.c_str(), -1, &statement, nullptr) != SQLITE_OK) {
    return fail(database.error());
  }
  return Statement(statement, database);
}

Result<bool> Statement::next() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return fail(database_->error());
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

std::string_view Statement::bytes(int column) const {
  const void* const data = sqlite3_column_blob(statement_.get(), column);
  const int size = sqlite3_column_bytes(statement_.get(), column);
  if (data == nullptr) return {};
  return {static_cast<const char*>(data), static_cast<std::size_t>(size)};
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

bool Statement::is_blob(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_BLOB;
}

void Statement::bind(int index, std::int64_t value) {
  sqlite3_bind_int64(statement_.get(), index + 1, value);
}

void Statement::bind(int index, const std::optional<std::int64_t>& value) {
  if (value) {
    bind(index, *value);
  } else {
    sqlite3_bind_null(statement_.get(), index + 1);
  }
}

void Statement::bind(int index, const std::string& text) {
  sqlite3_bind_text64(statement_.get(), index + 1, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

void Statement::bind(int index, const Blob& blob) {
  if (blob.null) {
    sqlite3_bind_null(statement_.get(), index + 1);
  } else {
    sqlite3_bind_blob64(statement_.get(), index + 1, blob.bytes.data(), blob.bytes.size(), SQLITE_TRANSIENT);
  }
}

Result<void> Statement::finish() {
  const Result<bool> row = next();
  const int reset = sqlite3_reset(statement_.get());
  sqlite3_clear_bindings(statement_.get());
  if (!row) return fail(row.error());
  if (reset != SQLITE_OK) return fail(database_->error());
  return {};
}

}  // namespace ridge::store
