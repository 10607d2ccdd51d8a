// The collector's end of the socket: many programs, each with its own stream of messages, served by one thread.
//
// The socket stands in a fresh folder that only this user may enter; both are removed with the Server, whatever way the
// run ends. Whoever connects is of the same user (or root). Bytes that make no message end their connection and no
// other. Not here: what messages mean, and who waits for the descriptors (the session polls them with its own).
#pragma once

#include <poll.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "collectors/session/descriptor.h"
#include "collectors/session/spawn.h"
#include "collectors/wire/codec.h"
#include "ridgepoint/base/result.h"

namespace ridge::collectors::session {

using ConnectionId = std::uint64_t;

/// Who is told what came. Calls into the server's send() are allowed from here.
class Listener {
 public:
  virtual ~Listener() = default;
  virtual void on_message(ConnectionId from, wire::Message&& message) = 0;
  enum class End : unsigned char {
    kClosed,   ///< between two messages
    kCut,      ///< in the middle of one
    kDamaged,  ///< bytes that are no message; what follows is not read
  };
  virtual void on_end(ConnectionId from, End end) = 0;
};

class Server {
 public:
  /// In the first of XDG_RUNTIME_DIR, TMPDIR and /tmp that can hold it.
  [[nodiscard]] static Result<Server> create(const Environment& environment);
  Server(Server&&) noexcept;
  Server& operator=(Server&&) = delete;
  ~Server();

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::size_t connections() const { return peers_.size(); }
  /// What to wait for.
  void add_descriptors(std::vector<pollfd>& waiting) const;
  /// Everything that can be done without waiting: accepts, reads at most some 100 KB of each connection, writes.
  /// True: bytes came.
  bool serve(Listener& listener);
  /// Never waits: what the socket does not take is kept and sent by serve(). Nothing happens if it is gone.
  void send(ConnectionId to, const wire::Message& message);
  /// Ends it without telling the listener.
  void drop(ConnectionId connection) { (void)peers_.erase(connection); }

 private:
  struct Peer {
    Descriptor socket;
    wire::Decoder decoder;
    std::string outgoing;
  };
  enum class Reading : unsigned char { kNothing, kBytes, kEnd };

  Server(std::string folder, std::string path, Descriptor socket);
  void accept_all();
  Reading read_some(Peer& peer);
  bool flush(Peer& peer);
  bool deliver(ConnectionId id, Listener& listener);

  std::string folder_, path_;
  Descriptor socket_;
  std::map<ConnectionId, Peer> peers_;
  ConnectionId last_ = 0;
  std::vector<char> buffer_;
};

}  // namespace ridge::collectors::session
