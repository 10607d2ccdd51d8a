#include "store/writer.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <filesystem>
#include <system_error>

#include "store/descriptor.h"
#include "store/file_error.h"
#include "store/sqlite.h"
#include "store/store.h"
#include "store/table_writer.h"
#include "store/temporary_file.h"

namespace ridge::store {

namespace {

/// Files that SQLite puts beside a database. They mean nothing without it and would be taken for the next one's.
constexpr std::array<const char*, 3> kBeside = {"-wal", "-shm", "-journal"};
constexpr std::size_t kLongestSuffix = 8;
constexpr std::size_t kHeader = 100;

/// Where SQLite keeps its locks (https://www.sqlite.org/src/file/src/os.h, PENDING_BYTE): the bytes after 1 GiB.
constexpr off_t kFirstLock = 0x40000000;
constexpr off_t kLocks = 512;

Error write_error(const std::string& path, int cause) {
  return file_error("cannot write the file", path, cause);
}

bool is_in_use(int file) {
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = kFirstLock;
  lock.l_len = kLocks;
  return fcntl(file, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

Result<void> check_name(const std::string& path) {
  if (path.empty()) return fail(usage_error("the name of the output file is empty", "", "name a file"));
  if (std::filesystem::path(path).filename().string().size() + kLongestSuffix > NAME_MAX) {
    return fail(write_error(path, ENAMETOOLONG));
  }
  return {};
}

/// What is there may be replaced if it is a recording or nothing at all; anything else is somebody's.
Result<void> check_replaceable(const std::string& path, bool replace) {
  const Descriptor file(open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) return fail(write_error(path, errno));
  struct stat state = {};
  if (fstat(file.get(), &state) != 0) return fail(write_error(path, errno));
  if (!S_ISREG(state.st_mode)) {
    return fail(usage_error("a recording needs a file that it can go back in, and this is a pipe or a device", path,
                            "name a file"));
  }
  if (!replace) {
    return fail(usage_error("the output file exists", path, "name another file or remove this one"));
  }
  std::array<char, kHeader> head = {};
  const ssize_t bytes = pread(file.get(), head.data(), head.size(), 0);
  if (bytes < 0) return fail(write_error(path, errno));
  if (bytes > 0 && !is_ridge_file(std::string_view(head.data(), static_cast<std::size_t>(bytes)))) {
    return fail(usage_error("the output file exists and is not a .ridge file", path, "name another file"));
  }
  if (is_in_use(file.get())) {
    return fail(usage_error("another program is using the output file", path, "name another file"));
  }
  return {};
}

void remove_beside(const std::string& path) {
  for (const char* const suffix : kBeside) unlink((path + suffix).c_str());
}

/// An empty file at `path`, which must exist (`exists`) or must not.
Result<void> make_empty(const std::string& path, bool exists) {
  const int flags = O_WRONLY | O_CLOEXEC | (exists ? O_TRUNC : O_CREAT | O_EXCL);
  Descriptor file(open(path.c_str(), flags, 0666));
  if (file.get() < 0) return fail(write_error(path, errno));
  if (!file.close_now()) return fail(write_error(path, errno));
  return {};
}

/// How the file is written, once its tables stand.
///
/// WAL: a reader sees whole pieces at any moment, a killed writer leaves whole pieces, and appending does not wait for
/// the disk. synchronous=NORMAL syncs only when the log is folded into the file, every 4 MiB of it: nothing that kills
/// the program loses a piece, and a power cut loses the last ones but never the file, which OFF could. Where a file
/// system has no shared memory for the log SQLite stays with a rollback journal; all of this then costs more time and
/// holds as well.
constexpr const char* kModes =
    "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA wal_autocheckpoint=4096; PRAGMA cache_size=-4096";

}  // namespace

struct Writer::State {
  explicit State(Database opened) : database(std::move(opened)), tables(database) {}
  Database database;
  TableWriter tables;
  bool finished = false;
};

Writer::Writer(std::unique_ptr<State> state) : state_(std::move(state)) {}
Writer::Writer(Writer&&) noexcept = default;
Writer& Writer::operator=(Writer&&) noexcept = default;
Writer::~Writer() = default;

Result<void> Writer::check(const std::string& path, bool replace) {
  RIDGE_TRY(check_name(path));
  struct stat state = {};
  if (lstat(path.c_str(), &state) == 0) return check_replaceable(path, replace);
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) != 0) return fail(write_error(path, errno));
  return {};
}

Result<Writer> Writer::create(const std::string& given, bool replace) {
  RIDGE_TRY(check_name(given));
  struct stat state = {};
  const bool exists = lstat(given.c_str(), &state) == 0;
  if (exists) RIDGE_TRY(check_replaceable(given, replace));
  std::error_code error;
  const std::string path = exists ? std::filesystem::canonical(given, error).string() : given;
  if (error) return fail(write_error(given, error.value()));
  remove_beside(path);
  RIDGE_TRY(make_empty(path, exists));
  Result<Writer> writer = start(path);
  if (!writer && !exists) {
    remove_beside(path);
    unlink(path.c_str());
  }
  return writer;
}

Result<Writer> Writer::start(const std::string& path) {
  Result<Database> database = Database::open_for_writing(path);
  if (!database) return fail(database.error());
  auto state = std::make_unique<State>(std::move(*database));
  // The tables first, without a log: the file alone is a profile from here on, even if its log is lost.
  RIDGE_TRY(state->tables.create_tables());
  RIDGE_TRY(state->database.execute(kModes));
  return Writer(std::move(state));
}

Result<void> Writer::append(const Profile& piece) {
  const std::string& where = state_->database.where();
  if (state_->finished) return fail(internal_error("the recording was finished before", where, "report this"));
  const std::string_view nothing = dangling(piece, state_->tables.sizes() + piece);
  if (!nothing.empty()) {
    return fail(internal_error("a piece of the recording is not sound: " + std::string(nothing), where, "report this"));
  }
  return state_->tables.append(piece);
}

Result<void> Writer::finish() {
  if (state_->finished) return {};
  RIDGE_TRY(state_->tables.mark_finished());
  RIDGE_TRY(state_->database.execute("PRAGMA wal_checkpoint(TRUNCATE)"));
  state_->finished = true;
  // Fails while somebody reads the file, and then its log stays, empty.
  (void)state_->database.execute("PRAGMA journal_mode=DELETE");
  return {};
}

}  // namespace ridge::store
