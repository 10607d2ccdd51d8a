#include "store/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <filesystem>
#include <optional>
#include <system_error>

#include "store/descriptor.h"
#include "store/file_error.h"
#include "store/temporary_file.h"

namespace ridge::store {

namespace {

Error write_error(const std::string& path, int cause) {
  return file_error("cannot write the file", path, cause);
}

Result<void> write_in_place(const std::string& path, std::string_view bytes) {
  Descriptor file(open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (file.get() < 0) return fail(write_error(path, errno));
  if (const int cause = write_all(file.get(), bytes); cause != 0) return fail(write_error(path, cause));
  if (!file.close_now()) return fail(write_error(path, errno));
  return {};
}

/// Follows symbolic links so that the rename replaces what they point to.
std::string resolve(const std::string& path) {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(path, error);
  return error ? path : real.string();
}

Result<void> replace(const std::string& path, std::string_view bytes, const struct stat* old) {
  const std::string target = old == nullptr ? path : resolve(path);
  int cause = replace_through_nameless(target, bytes, old);
  if (has_no_nameless_files(cause)) cause = replace_through_named(target, bytes, old);
  if (cause != 0) return fail(write_error(path, cause));
  return {};
}

/// The number in "/dev/fd/7", if `path` is the name of an open stream of this program.
std::optional<int> named_stream(const std::string& path) {
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/", "/proc/thread-self/fd/"}) {
    if (!std::string_view(path).starts_with(folder)) continue;
    int number = 0;
    const char* const end = path.data() + path.size();
    const auto [stop, error] = std::from_chars(path.data() + folder.size(), end, number);
    if (error == std::errc() && stop == end && number >= 0) return number;
  }
  return std::nullopt;
}

/// The same through symbolic links, which would otherwise lead to the file behind the stream.
std::optional<int> stream_of(std::string path) {
  constexpr int kLinks = 40;
  for (int i = 0; i < kLinks; ++i) {
    if (const std::optional<int> stream = named_stream(path)) return stream;
    std::error_code error;
    const std::filesystem::path target = std::filesystem::read_symlink(path, error);
    if (error) return std::nullopt;
    path = (std::filesystem::path(path).parent_path() / target).string();
  }
  return std::nullopt;
}

/// What follows is written where the stream stands: at the end of a file that was opened for appending.
Result<void> write_to_stream(int stream, const std::string& path, std::string_view bytes) {
  const int cause = write_all(stream, bytes);
  if (cause == EBADF) return fail(usage_error("no such stream is open for writing", path, "name a file"));
  if (cause != 0 && cause != EPIPE) return fail(write_error(path, cause));  // a reader may have had enough
  return {};
}

/// Of a path that leads nowhere: a link must not be replaced by a file. `cause` is why it leads nowhere.
Result<void> check_no_link(const std::string& path, int cause) {
  struct stat link = {};
  if (lstat(path.c_str(), &link) != 0 || !S_ISLNK(link.st_mode)) return {};
  const bool loops = cause == ELOOP;
  return fail(usage_error(std::string("the output file is a symbolic link ") +
                              (loops ? "that leads back to itself" : "to a file that does not exist"),
                          path, "remove the link or name the file itself"));
}

Result<void> check_folder(const std::string& path, const std::filesystem::path& target) {
  const std::filesystem::path folder = target.parent_path();
  if (access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) != 0) return fail(write_error(path, errno));
  return {};
}

Error no_name() {
  return usage_error("the name of the output file is empty", "", "name a file");
}

}  // namespace

Result<void> write_file(const std::string& path, std::string_view bytes) {
  if (path.empty()) return fail(no_name());
  if (const std::optional<int> stream = stream_of(path)) return write_to_stream(*stream, path, bytes);
  struct stat old = {};
  if (stat(path.c_str(), &old) != 0) {
    RIDGE_TRY(check_no_link(path, errno));
    return replace(path, bytes, nullptr);
  }
  if (S_ISDIR(old.st_mode)) return fail(write_error(path, EISDIR));
  if (!S_ISREG(old.st_mode)) return write_in_place(path, bytes);
  return replace(path, bytes, &old);
}

Result<void> check_file(const std::string& path) {
  if (path.empty()) return fail(no_name());
  if (stream_of(path)) return {};
  struct stat old = {};
  if (stat(path.c_str(), &old) != 0) {
    RIDGE_TRY(check_no_link(path, errno));
    return check_folder(path, path);
  }
  if (S_ISDIR(old.st_mode)) return fail(write_error(path, EISDIR));
  return S_ISREG(old.st_mode) ? check_folder(path, resolve(path)) : Result<void>();
}

}  // namespace ridge::store
