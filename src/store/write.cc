#include "store/atomic_file.h"
#include "store/sqlite.h"
#include "store/store.h"
#include "store/table_writer.h"

namespace ridge::store {

Result<std::string> profile_to_bytes(const Profile& profile) {
  Result<Database> database = Database::create();
  if (!database) return fail(database.error());
  TableWriter tables(*database);
  RIDGE_TRY(tables.create_tables());
  RIDGE_TRY(tables.append(profile));
  RIDGE_TRY(tables.mark_finished());
  return database->to_bytes();
}

Result<void> write_profile(const std::string& path, const Profile& profile) {
  const Result<std::string> bytes = profile_to_bytes(profile);
  if (!bytes) return fail(bytes.error());
  return write_file(path, *bytes);
}

}  // namespace ridge::store
