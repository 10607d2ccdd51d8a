#include "collectors/session/server.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace ridge::collectors::session {
namespace {

constexpr std::size_t kChunk = std::size_t{128} << 10;
constexpr int kBacklog = 64;
constexpr char kRemedy[] = "set TMPDIR to a folder that can be written and has a short path";

bool same_user(int socket) {
  ucred peer = {};
  socklen_t size = sizeof peer;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return false;
  return peer.uid == geteuid() || peer.uid == 0;
}

struct Place {
  std::string folder, path;
};

/// The programs may change their folder before they connect.
std::string absolute(const std::string& path) {
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::absolute(path, error);
  return error ? path : whole.string();
}

Result<Place> make_folder(const Environment& environment) {
  std::string reason = "no folder for it";
  std::string last = "/tmp";
  for (const char* variable : {"XDG_RUNTIME_DIR", "TMPDIR", ""}) {
    const auto found = environment.find(variable);
    const std::string parent = found == environment.end() ? (*variable == 0 ? "/tmp" : "") : found->second;
    if (parent.empty()) continue;
    std::string folder = absolute(parent) + "/ridge-XXXXXX";
    last = parent;
    if (folder.size() + 3 > sizeof(sockaddr_un::sun_path)) {
      reason = "the path is too long for a socket";
    } else if (mkdtemp(folder.data()) == nullptr) {
      reason = std::generic_category().message(errno);
    } else {
      return Place{folder, folder + "/s"};
    }
  }
  return fail(internal_error("no socket can be made: " + reason, last, kRemedy));
}

}  // namespace

Result<Server> Server::create(const Environment& environment) {
  Result<Place> place = make_folder(environment);
  if (!place) return fail(place.error());
  Server server(place->folder, place->path, Descriptor(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)));
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, place->path.c_str(), place->path.size() + 1);
  if (!server.socket_.open() ||
      bind(server.socket_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      listen(server.socket_.get(), kBacklog) != 0) {
    return fail(
        internal_error("no socket can be made: " + std::generic_category().message(errno), place->path, kRemedy));
  }
  return server;
}

Server::Server(std::string folder, std::string path, Descriptor socket)
    : folder_(std::move(folder)), path_(std::move(path)), socket_(std::move(socket)), buffer_(kChunk) {}

Server::Server(Server&& other) noexcept
    : folder_(std::exchange(other.folder_, {})),
      path_(std::move(other.path_)),
      socket_(std::move(other.socket_)),
      peers_(std::move(other.peers_)),
      last_(other.last_),
      buffer_(std::move(other.buffer_)) {}

Server::~Server() {
  if (folder_.empty()) return;
  (void)unlink(path_.c_str());
  (void)rmdir(folder_.c_str());
}

void Server::add_descriptors(std::vector<pollfd>& waiting) const {
  waiting.push_back({socket_.get(), POLLIN, 0});
  for (const auto& [id, peer] : peers_) {
    const int events = peer.outgoing.empty() ? POLLIN : POLLIN | POLLOUT;
    waiting.push_back({peer.socket.get(), static_cast<short>(events), 0});
  }
}

bool Server::serve(Listener& listener) {
  accept_all();
  std::vector<ConnectionId> ids;
  ids.reserve(peers_.size());
  for (const auto& [id, peer] : peers_) ids.push_back(id);
  bool came = false;
  for (const ConnectionId id : ids) {
    const auto found = peers_.find(id);
    if (found == peers_.end()) continue;
    (void)flush(found->second);
    const Reading reading = read_some(found->second);
    came |= reading != Reading::kNothing;
    if (!deliver(id, listener)) continue;
    // Looked up again: the listener may have dropped it.
    const auto still = peers_.find(id);
    if (reading != Reading::kEnd || still == peers_.end()) continue;
    const bool cut = still->second.decoder.pending() > 0;
    peers_.erase(still);
    listener.on_end(id, cut ? Listener::End::kCut : Listener::End::kClosed);
  }
  return came;
}

void Server::send(ConnectionId to, const wire::Message& message) {
  const auto found = peers_.find(to);
  if (found == peers_.end()) return;
  wire::encode(message, found->second.outgoing);
  (void)flush(found->second);
}

void Server::accept_all() {
  for (;;) {
    Descriptor socket(accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!socket.open()) return;
    if (same_user(socket.get())) peers_[++last_].socket = std::move(socket);
  }
}

Server::Reading Server::read_some(Peer& peer) {
  const ssize_t got = recv(peer.socket.get(), buffer_.data(), buffer_.size(), 0);
  if (got > 0) {
    peer.decoder.feed({buffer_.data(), static_cast<std::size_t>(got)});
    return Reading::kBytes;
  }
  const bool later = got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR);
  return later ? Reading::kNothing : Reading::kEnd;
}

/// False: the other end is gone; reading will say so.
bool Server::flush(Peer& peer) {
  while (!peer.outgoing.empty()) {
    const ssize_t sent =
        ::send(peer.socket.get(), peer.outgoing.data(), peer.outgoing.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent <= 0) {
      if (sent < 0 && errno != EAGAIN && errno != EINTR) peer.outgoing.clear();
      return false;
    }
    peer.outgoing.erase(0, static_cast<std::size_t>(sent));
  }
  return true;
}

/// False: the connection has ended.
bool Server::deliver(ConnectionId id, Listener& listener) {
  for (;;) {
    const auto found = peers_.find(id);
    if (found == peers_.end()) return false;
    std::optional<wire::Message> message = found->second.decoder.next();
    if (message) {
      listener.on_message(id, std::move(*message));
      continue;
    }
    if (!found->second.decoder.damaged()) return true;
    peers_.erase(found);
    listener.on_end(id, Listener::End::kDamaged);
    return false;
  }
}

}  // namespace ridge::collectors::session
