#include "base/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace ridge {
namespace {

std::string reason(int error) {
  return std::generic_category().message(error);
}

class FileDescriptor {
 public:
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() { ::close(fd_); }
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

class FileSource final : public ByteSource {
 public:
  FileSource(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}

  Result<std::size_t> read(std::span<char> out) override {
    while (true) {
      const ssize_t n = ::read(fd_.get(), out.data(), out.size());
      if (n >= 0) return static_cast<std::size_t>(n);
      if (errno != EINTR) return fail(bad_input("cannot read the file: " + reason(errno), path_, "check the file"));
    }
  }

  std::uint64_t skip(std::uint64_t n) override {
    struct stat status {};
    if (fstat(fd_.get(), &status) != 0 || !S_ISREG(status.st_mode)) return 0;
    const off_t here = lseek(fd_.get(), 0, SEEK_CUR);
    if (here < 0 || here >= status.st_size) return 0;
    const auto step = static_cast<off_t>(std::min<std::uint64_t>(n, static_cast<std::uint64_t>(status.st_size - here)));
    return lseek(fd_.get(), here + step, SEEK_SET) < 0 ? 0 : static_cast<std::uint64_t>(step);
  }

 private:
  FileDescriptor fd_;
  std::string path_;
};

}  // namespace

Result<std::unique_ptr<ByteSource>> open_file(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    const char* const remedy = errno == EACCES || errno == EPERM ? "check its permissions" : "check the path";
    return fail(bad_input("cannot open the file: " + reason(errno), path.empty() ? "\"\"" : path, remedy));
  }
  auto source = std::make_unique<FileSource>(fd, path);
  struct stat status {};
  if (fstat(fd, &status) == 0 && S_ISDIR(status.st_mode)) {
    return fail(bad_input("this is a directory", path, "name a file"));
  }
  return source;
}

Result<std::string> read_file(const std::string& path, std::size_t limit) {
  Result<std::unique_ptr<ByteSource>> source = open_file(path);
  if (!source) return fail(source.error());
  Result<std::string> all = read_all(**source, limit);
  if (!all && all.error().where.empty()) all.error().where = path;
  return all;
}

}  // namespace ridge
