#include "store/sqlite.h"

#include <sqlite3.h>

#include <cstring>

namespace ridge::store {

namespace {

Error sqlite_error(int code, sqlite3* handle, const std::string& where) {
  const std::string detail = handle != nullptr ? sqlite3_errmsg(handle) : sqlite3_errstr(code);
  switch (code & 0xff) {
    case SQLITE_NOMEM:
      return internal_error("out of memory in the store", where, "give the program more memory");
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
    case SQLITE_FULL:
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return internal_error("cannot read the file: " + detail, where, "check the disk and who else uses the file");
    case SQLITE_NOTADB:
      return bad_input("not a .ridge file", where, "name a file that ridge wrote");
    default:
      return bad_input("the .ridge file is damaged: " + detail, where,
                       "restore it or import the original report again");
  }
}

/// Nothing in a foreign file's schema may run.
void defend(sqlite3* handle) {
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_exec(handle, "PRAGMA cell_size_check=ON", nullptr, nullptr, nullptr);
}

}  // namespace

void Database::Close::operator()(sqlite3* handle) const {
  sqlite3_close_v2(handle);
}

Result<Database> Database::create() {
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(":memory:", &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
  Database database(handle, "");
  if (code != SQLITE_OK) return fail(sqlite_error(code, handle, ""));
  return database;
}

Result<Database> Database::open(const std::string& path) {
  // A leading "./" keeps names such as ":memory:" from meaning something else.
  const std::string plain = path.empty() || path.front() == '/' ? path : "./" + path;
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(plain.c_str(), &handle, SQLITE_OPEN_READONLY, nullptr);
  Database database(handle, path);
  if (code != SQLITE_OK) return fail(sqlite_error(code, handle, path));
  defend(handle);
  return database;
}

Result<Database> Database::from_bytes(std::string_view bytes, const std::string& where) {
  Result<Database> database = create();
  if (!database) return database;
  database->where_ = where;
  defend(database->handle());
  auto* const copy = static_cast<unsigned char*>(sqlite3_malloc64(bytes.size() + 1));
  if (copy == nullptr) return fail(sqlite_error(SQLITE_NOMEM, nullptr, where));
  std::memcpy(copy, bytes.data(), bytes.size());
  const auto size = static_cast<sqlite3_int64>(bytes.size());
  const int code = sqlite3_deserialize(database->handle(), "main", copy, size, size,
                                       SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY);
  if (code != SQLITE_OK) return fail(sqlite_error(code, database->handle(), where));
  return database;
}

Result<void> Database::execute(const std::string& sql) {
  if (sqlite3_exec(handle(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) return fail(error());
  return {};
}

Result<std::string> Database::to_bytes() {
  sqlite3_int64 size = 0;
  unsigned char* const bytes = sqlite3_serialize(handle(), "main", &size, 0);
  if (bytes == nullptr) return fail(sqlite_error(SQLITE_NOMEM, nullptr, where_));
  std::string result(static_cast<std::size_t>(size), '\0');
  std::memcpy(result.data(), bytes, result.size());
  sqlite3_free(bytes);
  return result;
}

Error Database::error() const {
  return sqlite_error(sqlite3_errcode(handle()), handle(), where_);
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
