#include "collectors/agent/connection.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace ridge::collectors::agent {
namespace {

constexpr int kTickMilliseconds = 100;
constexpr std::size_t kReadAtOnce = std::size_t{64} << 10;
constexpr int kLowestDescriptor = 500;  // above what a program counts on getting

// While it lives, threads are made with every signal blocked: the program's signals are for its own threads.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_{};
};

int moved_up(int socket) {
  const int high = fcntl(socket, F_DUPFD_CLOEXEC, kLowestDescriptor);
  if (high < 0) return socket;
  close(socket);
  return high;
}

ino_t inode_of(int descriptor) {
  struct stat facts {};
  if (fstat(descriptor, &facts) != 0 || !S_ISSOCK(facts.st_mode)) return 0;
  return facts.st_ino;
}

pid_t thread_id() {
  return static_cast<pid_t>(syscall(SYS_gettid));
}

}  // namespace

int Connection::connect_to(const char* path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (std::strlen(path) >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  std::memcpy(address.sun_path, path, std::strlen(path) + 1);
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return -1;
  const auto* generic = static_cast<const sockaddr*>(static_cast<const void*>(&address));
  if (connect(socket, generic, sizeof address) == 0) return moved_up(socket);
  const int why = errno;
  close(socket);
  errno = why;
  return -1;
}

Connection::Connection(int socket, std::size_t limit) : socket_(socket), inode_(inode_of(socket)), limit_(limit) {}

Connection::~Connection() {
  stopping_ = true;
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  changed_.notify_all();
  if (reader_.joinable()) reader_.join();
  if (writer_.joinable()) writer_.join();
  if (still_ours()) close(socket_);
}

void Connection::start(Handler handler, Tick tick) {
  handler_ = std::move(handler);
  tick_ = std::move(tick);
  const SignalsBlocked blocked;
  writer_ = std::thread([this] { write(); });
  reader_ = std::thread([this] { read(); });
}

bool Connection::send(const wire::Message& message, Weight weight) {
  if (!open_.load(std::memory_order_relaxed)) return false;
  const std::string bytes = wire::encode(message);
  const std::size_t room = weight == Weight::kBulk ? limit_ : limit_ + limit_ / 4;
  const std::lock_guard lock(mutex_);
  if (closing_) return false;
  // The collector takes a longer frame for damage, and everything after it.
  const bool too_long = bytes.size() > wire::kLargestFrame;
  if (too_long || queue_.size() + bytes.size() > room) {
    ++dropped_;
    return false;
  }
  queue_ += bytes;
  changed_.notify_all();
  return true;
}

bool Connection::finish(std::chrono::milliseconds still) {
  std::unique_lock lock(mutex_);
  closing_ = true;
  changed_.notify_all();
  // A collector that is behind but reads is worth waiting for: what it does not get is lost.
  bool written = false;
  std::uint64_t before = 0;
  do {
    before = sent_;
    written = changed_.wait_for(lock, still, [this] { return (queue_.empty() && !writing_) || !open_.load(); });
  } while (!written && sent_ != before);
  lock.unlock();
  stopping_ = true;
  const bool all = written && open_.load();
  open_ = false;
  if (still_ours()) shutdown(socket_, SHUT_RDWR);
  return all;
}

void Connection::leave_threads() {
  if (reader_.joinable()) reader_.detach();
  if (writer_.joinable()) writer_.detach();
}

void Connection::abandon() {
  open_ = false;
  stopping_ = true;
  if (still_ours()) close(socket_);
  inode_ = 0;
}

bool Connection::still_ours() const {
  return inode_ != 0 && inode_of(socket_) == inode_;
}

// The collector is gone, or the program closed the socket.
void Connection::lose() {
  open_ = false;
  const std::lock_guard lock(mutex_);
  queue_.clear();
  queue_.shrink_to_fit();
  changed_.notify_all();
}

void Connection::read() {
  reader_id_ = thread_id();
  pthread_setname_np(pthread_self(), "ridge-reads");
  wire::Decoder decoder;
  std::vector<char> bytes(kReadAtOnce);
  while (!stopping_) {
    pollfd wait{socket_, POLLIN, 0};
    const int ready = open_ ? poll(&wait, 1, kTickMilliseconds) : 0;
    if (ready > 0) {
      const ssize_t got = still_ours() ? recv(socket_, bytes.data(), bytes.size(), MSG_DONTWAIT) : 0;
      if (got > 0) {
        decoder.feed({bytes.data(), static_cast<std::size_t>(got)});
        while (auto message = decoder.next()) handler_(*message);
      }
      const bool gone = got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR) || decoder.damaged();
      if (gone && !stopping_) {
        lose();
        handler_(wire::Stop{});
        return;
      }
    }
    if (!stopping_) tick_();
  }
}

bool Connection::take(std::string& bytes) {
  std::unique_lock lock(mutex_);
  writing_ = false;
  changed_.notify_all();
  changed_.wait(lock, [this] { return !queue_.empty() || closing_; });
  bytes.clear();
  bytes.swap(queue_);
  if (dropped_ > 0 && open_) {
    wire::encode(wire::Dropped{wire::Loss::kMessages, dropped_}, bytes);
    dropped_ = 0;
  }
  writing_ = !bytes.empty();
  return writing_;
}

void Connection::write() {
  writer_id_ = thread_id();
  pthread_setname_np(pthread_self(), "ridge-writes");
  std::string bytes;
  while (take(bytes)) {
    if (open_ && !write_all(bytes)) lose();
  }
}

bool Connection::write_all(const std::string& bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    if (!still_ours()) return false;
    const ssize_t sent = ::send(socket_, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0) {
      done += static_cast<std::size_t>(sent);
      sent_ += static_cast<std::uint64_t>(sent);
      continue;
    }
    if (errno != EAGAIN && errno != EINTR) return false;
    pollfd wait{socket_, POLLOUT, 0};
    poll(&wait, 1, kTickMilliseconds);
    if (stopping_) return false;
  }
  return true;
}

}  // namespace ridge::collectors::agent
