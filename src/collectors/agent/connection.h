// The socket to the collector: a bounded queue that a thread empties, and a thread that reads.
//
// The program must not notice it: nothing blocks on the collector, both threads take no signals, writing to a socket
// that is gone raises none, and the descriptor is a high one that is closed on exec. A program that closes every
// descriptor gets away with it: the socket is recognised by its inode before each write. When the collector is gone,
// the handler gets a Stop and all that is sent is forgotten.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "collectors/agent/outbox.h"
#include "collectors/wire/codec.h"

namespace ridge::collectors::agent {

class Connection : public Outbox {
 public:
  using Handler = std::function<void(const wire::Message&)>;
  using Tick = std::function<void()>;

  /// Takes the socket. Bulk may use `limit` bytes of queue, needed messages a quarter more.
  explicit Connection(int socket, std::size_t limit = std::size_t{64} << 20);
  /// The path's socket, connected; -1 and errno else.
  [[nodiscard]] static int connect_to(const char* path);
  ~Connection() override;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Starts both threads. The reading one calls `handler` for each message and `tick` about every 100 ms.
  void start(Handler handler, Tick tick);
  bool send(const wire::Message& message, Weight weight) override;
  /// Waits until the queue is written, but no longer than `still` after the collector last took something, and closes.
  /// True: all was written.
  bool finish(std::chrono::milliseconds still);
  /// The process ends: the threads are left to themselves. The object must outlive them.
  void leave_threads();
  /// In a forked child, where neither threads nor locks can be relied on: closes the child's copy, no more.
  void abandon();
  [[nodiscard]] bool open() const { return open_.load(); }
  /// Thread ids of the two threads, 0 before they run.
  [[nodiscard]] std::vector<pid_t> threads() const { return {reader_id_.load(), writer_id_.load()}; }

 private:
  void read();
  void write();
  bool take(std::string& bytes);
  bool write_all(const std::string& bytes);
  [[nodiscard]] bool still_ours() const;
  void lose();

  int socket_;
  ino_t inode_ = 0;
  const std::size_t limit_;
  Handler handler_;
  Tick tick_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::string queue_;  // under mutex_, as are the next three
  std::uint64_t dropped_ = 0;
  bool writing_ = false, closing_ = false;

  std::atomic<bool> open_ = true;
  std::atomic<bool> stopping_ = false;
  std::atomic<std::uint64_t> sent_ = 0;
  std::atomic<pid_t> reader_id_ = 0, writer_id_ = 0;
  std::thread reader_, writer_;
};

}  // namespace ridge::collectors::agent
