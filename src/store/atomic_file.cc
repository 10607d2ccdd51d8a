#include "store/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

namespace ridge::store {

namespace {

/// Closes on destruction; close_now reports what a late write error left for close().
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  [[nodiscard]] int get() const { return number_; }
  [[nodiscard]] bool close_now() {
    const int number = number_;
    number_ = -1;
    return close(number) == 0;
  }

 private:
  int number_;
};

std::string_view remedy_for(int cause) {
  switch (cause) {
    case ENOENT:
    case ENOTDIR:
      return "create the folder first or name another";
    case EACCES:
    case EPERM:
    case EROFS:
      return "name a folder that you may write to";
    case ENOSPC:
    case EDQUOT:
      return "free space there or name another place";
    case EISDIR:
      return "name a file, not a folder";
    default:
      return "name another place";
  }
}

/// A path the user chose wrongly is a usage error; a machine that fails is not the user's.
Error write_error(const std::string& path, int cause) {
  const bool users = cause == ENOENT || cause == ENOTDIR || cause == EISDIR || cause == ENAMETOOLONG;
  return {users ? ErrorCode::kUsage : ErrorCode::kInternal,
          "cannot write the file: " + std::generic_category().message(cause), path, std::string(remedy_for(cause))};
}

/// 0, or the errno of the write that failed.
int write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

Result<void> write_in_place(const std::string& path, std::string_view bytes) {
  Descriptor file(open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (file.get() < 0) return fail(write_error(path, errno));
  if (const int cause = write_all(file.get(), bytes); cause != 0) return fail(write_error(path, cause));
  if (!file.close_now()) return fail(write_error(path, errno));
  return {};
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

/// Follows symbolic links so that the rename replaces what they point to.
std::string resolve(const std::string& path) {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(path, error);
  return error ? path : real.string();
}

/// Writes, syncs and closes; 0 or the errno of the step that failed.
int fill(Descriptor& file, std::string_view bytes, const struct stat* old) {
  if (old != nullptr && fchmod(file.get(), old->st_mode & 07777) != 0) return errno;
  if (const int cause = write_all(file.get(), bytes); cause != 0) return cause;
  if (fsync(file.get()) != 0) return errno;
  return file.close_now() ? 0 : errno;
}

/// The rename itself is durable only once the folder is synced; a file system that cannot do that is left at that.
void sync_folder(const std::string& folder) {
  const Descriptor directory(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.get() >= 0) fsync(directory.get());
}

Result<void> replace(const std::string& path, std::string_view bytes, const struct stat* old) {
  const std::string folder = folder_of(path);
  std::string temporary;
  int number = -1;
  constexpr int kAttempts = 100;
  for (int attempt = 0; attempt < kAttempts && number < 0; ++attempt) {
    temporary = folder + "/.ridge-" + std::to_string(getpid()) + "-" + std::to_string(attempt) + ".tmp";
    number = open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (number < 0 && errno != EEXIST) return fail(write_error(path, errno));
  }
  if (number < 0) return fail(write_error(path, EEXIST));
  Descriptor file(number);
  int cause = fill(file, bytes, old);
  if (cause == 0 && std::rename(temporary.c_str(), path.c_str()) != 0) cause = errno;
  if (cause != 0) {
    unlink(temporary.c_str());
    return fail(write_error(path, cause));
  }
  sync_folder(folder);
  return {};
}

}  // namespace

Result<void> write_file(const std::string& path, std::string_view bytes) {
  if (path.empty()) return fail(usage_error("the name of the output file is empty", "", "name a file"));
  struct stat old = {};
  if (stat(path.c_str(), &old) != 0) return replace(resolve(path), bytes, nullptr);
  if (S_ISDIR(old.st_mode)) return fail(write_error(path, EISDIR));
  if (!S_ISREG(old.st_mode)) return write_in_place(path, bytes);
  return replace(resolve(path), bytes, &old);
}

}  // namespace ridge::store
