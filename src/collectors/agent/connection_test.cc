#include "collectors/agent/connection.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <future>
#include <string>
#include <thread>

namespace ridge::collectors::agent {
namespace {

struct Pair {
  int ours = -1, theirs = -1;
  Pair() {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0) {
      ours = ends[0];
      theirs = ends[1];
    }
  }
  ~Pair() { close_theirs(); }
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;
  void close_theirs() {
    if (theirs >= 0) close(theirs);
    theirs = -1;
  }
  // Everything until the other end closes.
  [[nodiscard]] std::vector<wire::Message> read_all() const {
    wire::Decoder decoder;
    std::vector<wire::Message> messages;
    std::array<char, 4096> bytes{};
    for (ssize_t got = 0; (got = recv(theirs, bytes.data(), bytes.size(), 0)) > 0;) {
      decoder.feed({bytes.data(), static_cast<std::size_t>(got)});
      while (auto message = decoder.next()) messages.push_back(std::move(*message));
    }
    return messages;
  }
};

void ignore(const wire::Message& message) {
  static_cast<void>(message);
}

TEST(AgentConnection, MessagesArriveInTheOrderTheyWereSent) {
  const Pair pair;
  Connection connection(pair.ours);
  connection.start(ignore, [] {});
  for (std::uint32_t id = 1; id <= 100; ++id) {
    EXPECT_TRUE(connection.send(wire::Text{id, "kernel"}, Weight::kNeeded));
  }
  EXPECT_TRUE(connection.finish(std::chrono::seconds(20)));
  const auto messages = pair.read_all();
  ASSERT_EQ(messages.size(), 100U);
  EXPECT_EQ(std::get<wire::Text>(messages[99]).id, 100U);
}

TEST(AgentConnection, AFullQueueDropsBulkFirstAndSaysHowMuch) {
  const Pair pair;
  const std::string big(300, 'x');
  Connection connection(pair.ours, 1000);
  // No thread empties the queue yet.
  int kept = 0;
  for (int i = 0; i < 5; ++i) kept += connection.send(wire::Text{1, big}, Weight::kBulk) ? 1 : 0;
  EXPECT_EQ(kept, 3);
  EXPECT_TRUE(connection.send(wire::Text{2, std::string(200, 'y')}, Weight::kNeeded));
  connection.start(ignore, [] {});
  EXPECT_TRUE(connection.finish(std::chrono::seconds(20)));
  const auto messages = pair.read_all();
  ASSERT_EQ(messages.size(), 5U);
  const auto& lost = std::get<wire::Dropped>(messages[4]);
  EXPECT_EQ(lost.what, wire::Loss::kMessages);
  EXPECT_EQ(lost.count, 2U);
}

TEST(AgentConnection, HandsOutWhatTheCollectorSays) {
  const Pair pair;
  std::promise<std::uint32_t> heard;
  Connection connection(pair.ours);
  connection.start(
      [&heard](const wire::Message& message) {
        if (const auto* setup = std::get_if<wire::CounterSetup>(&message)) heard.set_value(setup->passes);
      },
      [] {});
  const std::string bytes = wire::encode(wire::CounterSetup{0, 0, 7, {"a"}, "image", ""});
  ASSERT_EQ(send(pair.theirs, bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
  EXPECT_EQ(heard.get_future().get(), 7U);
}

TEST(AgentConnection, ACollectorThatIsGoneIsAStopAndSendingGoesNowhere) {
  Pair pair;
  std::promise<void> stopped;
  Connection connection(pair.ours);
  connection.start(
      [&stopped](const wire::Message& message) {
        if (std::holds_alternative<wire::Stop>(message)) stopped.set_value();
      },
      [] {});
  pair.close_theirs();
  stopped.get_future().wait();
  EXPECT_FALSE(connection.open());
  EXPECT_FALSE(connection.send(wire::Text{1, "a"}, Weight::kNeeded));
  EXPECT_FALSE(connection.finish(std::chrono::seconds(20)));
}

TEST(AgentConnection, FinishGivesUpOnACollectorThatDoesNotRead) {
  const Pair pair;
  Connection connection(pair.ours);
  connection.start(ignore, [] {});
  // More than the socket's own buffers take.
  for (int i = 0; i < 64; ++i) connection.send(wire::Text{1, std::string(std::size_t{1} << 18, 'x')}, Weight::kBulk);
  EXPECT_FALSE(connection.finish(std::chrono::milliseconds(20)));
}

TEST(AgentConnection, FinishWaitsForACollectorThatIsSlowButReads) {
  const Pair pair;
  constexpr auto kStill = std::chrono::milliseconds(300);
  std::atomic<bool> finished = false;
  Connection connection(pair.ours);
  connection.start(ignore, [] {});
  for (int i = 0; i < 64; ++i) connection.send(wire::Text{1, std::string(std::size_t{1} << 16, 'x')}, Weight::kBulk);
  auto reader = std::async(std::launch::async, [&] {
    const auto begin = std::chrono::steady_clock::now();
    std::size_t got = 0;
    std::vector<char> bytes(std::size_t{1} << 16);
    // In small steps until longer than finish() waits for one that does not read.
    for (; std::chrono::steady_clock::now() < begin + 2 * kStill; std::this_thread::sleep_for(kStill / 20)) {
      got += static_cast<std::size_t>(recv(pair.theirs, bytes.data(), bytes.size() / 8, 0));
    }
    EXPECT_FALSE(finished) << "the queue was too small for this test";
    return got + pair.read_all().size();
  });
  EXPECT_TRUE(connection.finish(kStill));
  finished = true;
  EXPECT_GT(reader.get(), 0U);
}

TEST(AgentConnection, DoesNotWriteIntoADescriptorThatTheProgramReused) {
  const Pair pair;
  const Pair other;
  Connection connection(pair.ours);
  // The program closed everything it found and opened a socket of its own, which got our number.
  ASSERT_EQ(dup2(other.ours, pair.ours), pair.ours);
  connection.start(ignore, [] {});
  connection.send(wire::Text{1, "not for you"}, Weight::kNeeded);
  connection.finish(std::chrono::seconds(20));
  char byte = 0;
  EXPECT_EQ(recv(other.theirs, &byte, 1, MSG_DONTWAIT), -1);
  close(other.ours);
  close(pair.ours);
}

TEST(AgentConnection, ASocketThatIsNotThereIsAnErrno) {
  errno = 0;
  EXPECT_EQ(Connection::connect_to("/nonexistent/ridge.socket"), -1);
  EXPECT_EQ(errno, ENOENT);
  EXPECT_EQ(Connection::connect_to(std::string(200, 'a').c_str()), -1);
  EXPECT_EQ(errno, ENAMETOOLONG);
}

}  // namespace
}  // namespace ridge::collectors::agent
