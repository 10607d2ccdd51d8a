#include "collectors/session/server.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <cstring>

namespace ridge::collectors::session {
namespace {

/// A program's end of the socket.
class Client {
 public:
  explicit Client(const std::string& path) : socket_(socket(AF_UNIX, SOCK_STREAM, 0)) {
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    EXPECT_EQ(connect(socket_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  }
  void write(const std::string& bytes) const {
    EXPECT_EQ(::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
  }
  /// The next message; waits for it.
  wire::Message read(Server& server, Listener& listener) {
    for (;;) {
      (void)server.serve(listener);
      char bytes[4096];
      const ssize_t got = recv(socket_.get(), bytes, sizeof bytes, MSG_DONTWAIT);
      if (got > 0) decoder_.feed({bytes, static_cast<std::size_t>(got)});
      if (auto message = decoder_.next()) return *std::move(message);
    }
  }
  void close() { socket_.close(); }

 private:
  Descriptor socket_;
  wire::Decoder decoder_;
};

class Heard : public Listener {
 public:
  void on_message(ConnectionId from, wire::Message&& message) override {
    messages.emplace_back(from, std::move(message));
  }
  void on_end(ConnectionId from, End end) override { ends.emplace_back(from, end); }
  std::vector<std::pair<ConnectionId, wire::Message>> messages;
  std::vector<std::pair<ConnectionId, End>> ends;
};

Server make_server() {
  auto server = Server::create({{"TMPDIR", ::testing::TempDir()}});
  EXPECT_TRUE(server) << to_string(server.error());
  return *std::move(server);
}

std::string text(std::uint32_t id, const std::string& words) {
  return wire::encode(wire::Text{id, words});
}

TEST(ServerTest, ItsPathHoldsInEveryFolder) {
  const Result<Server> server = Server::create({{"TMPDIR", "."}});
  ASSERT_TRUE(server) << to_string(server.error());
  EXPECT_TRUE(server->path().starts_with('/')) << server->path();
}

TEST(ServerTest, MessagesOfTwoProgramsAreKeptApart) {
  Server server = make_server();
  Heard heard;
  Client first(server.path());
  (void)server.serve(heard);
  Client second(server.path());
  second.write(text(1, "b"));
  first.write(text(1, "a") + text(2, "c"));
  (void)server.serve(heard);
  ASSERT_EQ(heard.messages.size(), 3U);
  EXPECT_EQ(heard.messages[0].first, heard.messages[1].first);
  EXPECT_NE(heard.messages[0].first, heard.messages[2].first);
  EXPECT_EQ(std::get<wire::Text>(heard.messages[2].second).text, "b");
  EXPECT_EQ(server.connections(), 2U);
}

TEST(ServerTest, AMessageInPiecesIsOne) {
  Server server = make_server();
  Heard heard;
  Client client(server.path());
  const std::string bytes = text(7, "kernel");
  client.write(bytes.substr(0, 6));
  (void)server.serve(heard);
  EXPECT_TRUE(heard.messages.empty());
  client.write(bytes.substr(6));
  (void)server.serve(heard);
  ASSERT_EQ(heard.messages.size(), 1U);
}

TEST(ServerTest, DamageEndsItsConnectionOnly) {
  Server server = make_server();
  Heard heard;
  Client good(server.path());
  Client bad(server.path());
  bad.write(text(1, "last") + std::string(64, '\xff') + text(2, "never"));
  good.write(text(3, "x"));
  (void)server.serve(heard);
  ASSERT_EQ(heard.ends.size(), 1U);
  EXPECT_EQ(heard.ends[0].second, Listener::End::kDamaged);
  EXPECT_EQ(heard.messages.size(), 2U);
  EXPECT_EQ(server.connections(), 1U);
}

TEST(ServerTest, AnEndInTheMiddleOfAMessageIsToldFromAnOrderlyOne) {
  Server server = make_server();
  Heard heard;
  Client orderly(server.path());
  Client cut(server.path());
  orderly.write(text(1, "whole"));
  cut.write(text(1, "half").substr(0, 9));
  orderly.close();
  cut.close();
  while (server.serve(heard)) {
  }
  ASSERT_EQ(heard.ends.size(), 2U);
  EXPECT_NE(heard.ends[0].second, heard.ends[1].second);
  EXPECT_EQ(heard.messages.size(), 1U);
  EXPECT_EQ(server.connections(), 0U);
}

TEST(ServerTest, WhatTheSocketDoesNotTakeAtOnceComesLater) {
  Server server = make_server();
  Heard heard;
  Client client(server.path());
  (void)server.serve(heard);
  wire::CounterSetup setup;
  setup.config_image.assign(std::size_t{8} << 20, 'x');
  server.send(1, setup);
  server.send(1, wire::Ready{});
  EXPECT_EQ(std::get<wire::CounterSetup>(client.read(server, heard)).config_image, setup.config_image);
  EXPECT_TRUE(std::holds_alternative<wire::Ready>(client.read(server, heard)));
}

TEST(ServerTest, SendingToWhoIsGoneDoesNothing) {
  Server server = make_server();
  Heard heard;
  Client client(server.path());
  (void)server.serve(heard);
  client.close();
  server.send(1, wire::Ready{});
  (void)server.serve(heard);
  server.send(1, wire::Ready{});
  server.send(99, wire::Ready{});
  EXPECT_EQ(heard.ends.size(), 1U);
}

TEST(ServerTest, ItsFolderIsOnlyThisUsersAndGoesWithIt) {
  std::string path;
  {
    const Server server = make_server();
    path = server.path();
    struct stat status = {};
    ASSERT_EQ(stat(path.substr(0, path.rfind('/')).c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0700U);
  }
  EXPECT_NE(access(path.substr(0, path.rfind('/')).c_str(), F_OK), 0);
}

TEST(ServerTest, AFolderWithALongPathIsPassedOver) {
  const auto server = Server::create({{"XDG_RUNTIME_DIR", "/tmp/" + std::string(200, 'x')}});
  ASSERT_TRUE(server);
  EXPECT_TRUE(server->path().starts_with("/tmp/ridge-"));
}

}  // namespace
}  // namespace ridge::collectors::session
