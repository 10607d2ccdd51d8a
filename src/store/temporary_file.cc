#include "store/temporary_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <optional>

#include "store/descriptor.h"

namespace ridge::store {

namespace {

constexpr int kAttempts = 100;  ///< names tried; others may belong to programs that were killed

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::string temporary_name(const std::string& path, int attempt) {
  return folder_of(path) + "/.ridge-" + std::to_string(getpid()) + "-" + std::to_string(attempt) + ".tmp";
}

/// Writes and syncs; 0 or the errno of the step that failed.
int fill(int file, std::string_view bytes, const struct stat* old) {
  if (old != nullptr && fchmod(file, old->st_mode & 07777) != 0) return errno;
  if (const int cause = write_all(file, bytes); cause != 0) return cause;
  return fsync(file) == 0 ? 0 : errno;
}

/// The new name itself is durable only once the folder is synced; a file system that cannot do that is left at that.
void sync_folder(const std::string& folder) {
  const Descriptor directory(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.get() >= 0) fsync(directory.get());
}

constexpr std::array kEnding = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU, SIGXFSZ};

/// Holds back the signals that end the program, for the moment in which a finished file has a temporary name.
class SignalsHeld {
 public:
  SignalsHeld() {
    sigset_t held;
    sigemptyset(&held);
    for (const int signal : kEnding) sigaddset(&held, signal);
    pthread_sigmask(SIG_BLOCK, &held, &before_);
  }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;
  ~SignalsHeld() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_ = {};
};

/// What a signal handler removes; one file at a time. Plain memory, because a handler may use nothing else.
std::array<char, 4096> doomed_name;
std::atomic<bool> doomed_taken = false;
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void remove_doomed(int signal) {
  unlink(doomed_name.data());
  std::signal(signal, SIG_DFL);
  std::raise(signal);  // delivered when this handler returns: the program ends as it would have without it
}

/// While it lives, a signal that would end the program removes the file first. A signal that somebody handles or
/// ignores (nohup) is left alone. Of two at once in one program, only the first is removed so.
class RemovedBySignals {
 public:
  explicit RemovedBySignals(const std::string& path) {
    active_ = path.size() < doomed_name.size() && !doomed_taken.exchange(true);
    if (!active_) return;
    std::memcpy(doomed_name.data(), path.c_str(), path.size() + 1);
    struct sigaction removing = {};
    removing.sa_handler = remove_doomed;
    sigfillset(&removing.sa_mask);
    for (std::size_t i = 0; i < kEnding.size(); ++i) {
      sigaction(kEnding[i], nullptr, &before_[i]);
      if (is_default(before_[i])) sigaction(kEnding[i], &removing, nullptr);
    }
  }
  RemovedBySignals(const RemovedBySignals&) = delete;
  RemovedBySignals& operator=(const RemovedBySignals&) = delete;
  ~RemovedBySignals() {
    if (!active_) return;
    for (std::size_t i = 0; i < kEnding.size(); ++i) {
      if (is_default(before_[i])) sigaction(kEnding[i], &before_[i], nullptr);
    }
    doomed_taken = false;
  }

 private:
  static bool is_default(const struct sigaction& action) {
    return (action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == SIG_DFL;
  }

  bool active_ = false;
  std::array<struct sigaction, kEnding.size()> before_ = {};
};

/// Gives a nameless file its final name. A name that exists can only be replaced by a rename, so through another name.
int name_file(int file, const std::string& path) {
  const std::string source = "/proc/self/fd/" + std::to_string(file);
  const auto link = [&](const std::string& name) {
    return linkat(AT_FDCWD, source.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
  };
  int cause = link(path);
  if (cause != EEXIST) return cause;
  const SignalsHeld held;
  for (int attempt = 0; attempt < kAttempts && cause == EEXIST; ++attempt) {
    const std::string temporary = temporary_name(path, attempt);
    cause = link(temporary);
    if (cause != 0) continue;
    if (std::rename(temporary.c_str(), path.c_str()) == 0) return 0;
    cause = errno;
    unlink(temporary.c_str());
    return cause;
  }
  return cause;
}

/// Fills the file behind `number` and renames it; what fails removes it again.
int finish_named(int number, const std::string& temporary, const std::string& path, std::string_view bytes,
                 const struct stat* old) {
  Descriptor file(number);
  int cause = fill(file.get(), bytes, old);
  if (!file.close_now() && cause == 0) cause = errno;
  if (cause == 0 && std::rename(temporary.c_str(), path.c_str()) != 0) cause = errno;
  if (cause != 0) unlink(temporary.c_str());
  return cause;
}

}  // namespace

int write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

/// What open says of O_TMPFILE depends on whether the kernel or only the file system lacks it; linkat finds nothing if
/// /proc is not mounted.
bool has_no_nameless_files(int cause) {
  return cause == EOPNOTSUPP || cause == EISDIR || cause == EINVAL || cause == ENOENT || cause == EPERM ||
         cause == EXDEV;
}

int replace_through_nameless(const std::string& path, std::string_view bytes, const struct stat* old) {
  const std::string folder = folder_of(path);
  const Descriptor file(open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666));
  if (file.get() < 0) return errno;
  if (const int cause = fill(file.get(), bytes, old); cause != 0) return cause;
  if (const int cause = name_file(file.get(), path); cause != 0) return cause;
  sync_folder(folder);
  return 0;
}

int replace_through_named(const std::string& path, std::string_view bytes, const struct stat* old) {
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const std::string temporary = temporary_name(path, attempt);
    std::optional<SignalsHeld> held(std::in_place);
    const int number = open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (number < 0 && errno == EEXIST) continue;
    if (number < 0) return errno;
    const RemovedBySignals removed(temporary);
    held.reset();
    const int cause = finish_named(number, temporary, path, bytes, old);
    if (cause == 0) sync_folder(folder_of(path));
    return cause;
  }
  return EEXIST;
}

}  // namespace ridge::store
