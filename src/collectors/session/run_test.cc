// A whole run, with a shell as the program and a thread of the test as the agent in it.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <thread>

#include "collectors/session/server.h"
#include "collectors/session/test_backend.h"

namespace ridge::collectors::session {
namespace {

/// The agent's end of the socket. Each call waits for the collector.
class Agent {
 public:
  explicit Agent(const std::string& path, std::uint32_t process = 4242)
      : process_(process), socket_(socket(AF_UNIX, SOCK_STREAM, 0)) {
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    EXPECT_EQ(connect(socket_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  }
  void send(const wire::Message& message) const { write(wire::encode(message)); }
  void write(const std::string& bytes) const {
    EXPECT_EQ(::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
  }
  /// The next message, which has to be a T.
  template <class T>
  T receive() {
    for (;;) {
      if (auto message = decoder_.next()) {
        EXPECT_TRUE(std::holds_alternative<T>(*message)) << "message " << message->index();
        return std::holds_alternative<T>(*message) ? std::get<T>(*message) : T();
      }
      char bytes[65536];
      const ssize_t got = recv(socket_.get(), bytes, sizeof bytes, 0);
      EXPECT_GT(got, 0) << "the collector closed the connection";
      if (got <= 0) return T();
      decoder_.feed({bytes, static_cast<std::size_t>(got)});
    }
  }
  wire::Settings greet() {
    wire::Hello hello;
    hello.process = process_;
    hello.program = "train";
    hello.driver_version = 13000;
    send(hello);
    return receive<wire::Settings>();
  }
  void introduce_kernel() const {
    send(wire::Text{1, "scale"});
    wire::Shape shape;
    shape.id = 1;
    shape.grid = {4, 1, 1};
    shape.block = {64, 1, 1};
    send(shape);
  }
  void launch(std::uint32_t correlation, Nanoseconds start = 0, Nanoseconds end = 0) const {
    wire::Launch launch;
    launch.kernel = 1;
    launch.shape = 1;
    launch.correlation = correlation;
    launch.start = start;
    launch.end = end;
    send(wire::Launches{{launch}});
  }
  void close() { socket_.close(); }

 private:
  std::uint32_t process_;
  Descriptor socket_;
  wire::Decoder decoder_;
};

class Watcher : public Observer {
 public:
  void plan(std::size_t passes, Seconds, Seconds) override { planned = passes; }
  void notice(const Issue& issue) override { notices.push_back(issue); }
  std::size_t planned = 0;
  std::vector<Issue> notices;
};

class RunTest : public ::testing::Test {
 protected:
  RunTest() {
    char name[] = "/tmp/ridge_run_test_XXXXXX";
    folder_ = mkdtemp(name);
    EXPECT_EQ(mkfifo((folder_ + "/out").c_str(), 0600), 0);
    EXPECT_EQ(mkfifo((folder_ + "/in").c_str(), 0600), 0);
    options_.environment = {{"PATH", "/usr/bin:/bin"}, {"TMPDIR", folder_}};
    options_.agent = "/bin/sh";  // any file that is there: nothing here loads it
    options_.tool_version = "1.2.3";
  }
  ~RunTest() override {
    for (const char* name : {"/out", "/in"}) (void)unlink((folder_ + name).c_str());
    EXPECT_EQ(rmdir(folder_.c_str()), 0) << "something was left behind";
  }

  /// A program that tells its socket, waits until the agent is done, and ends with `last`.
  void use_program(const std::string& last = "exit 3") {
    options_.command = {"sh", "-c",
                        "echo \"$RIDGE_SOCKET\" > " + folder_ + "/out; read x < " + folder_ + "/in; " + last};
  }
  [[nodiscard]] std::string socket_path() const {
    const Descriptor fifo(open((folder_ + "/out").c_str(), O_RDONLY | O_CLOEXEC));
    std::string path;
    char c = 0;
    while (::read(fifo.get(), &c, 1) == 1 && c != '\n') path += c;
    return path;
  }
  void let_program_end() const {
    const Descriptor fifo(open((folder_ + "/in").c_str(), O_WRONLY | O_CLOEXEC));
    EXPECT_EQ(write(fifo.get(), "\n", 1), 1);
  }
  /// Runs the program; `conversation` is the agent's side, on another thread.
  Outcome run(const std::function<void(const std::string& socket)>& conversation) {
    std::thread agent([&] {
      conversation(socket_path());
      let_program_end();
    });
    const Result<Outcome> outcome = run_with(
        backend_, options_, [&](const Profile& piece) { return take(piece); }, watcher_);
    agent.join();
    EXPECT_TRUE(outcome) << to_string(outcome.error());
    return outcome.value_or(Outcome{});
  }
  Result<void> take(const Profile& piece) {
    if (pieces_++ == fail_at_) return fail(internal_error("the disk is full", "x.ridge", "make room"));
    for (const auto& recording : piece.recordings) recording_ = recording;
    append(all_.sources, piece.sources);
    append(all_.launches, piece.launches);
    append(all_.measurements, piece.measurements);
    append(all_.sampled, piece.sampled);
    append(all_.readings, piece.readings);
    append(all_.issues, piece.issues);
    append(all_.kernels, piece.kernels);
    return {};
  }
  template <class T>
  static void append(std::vector<T>& all, const std::vector<T>& more) {
    all.insert(all.end(), more.begin(), more.end());
  }

  std::string folder_;
  TestBackend backend_;
  Options options_;
  Watcher watcher_;
  Profile all_;
  Recording recording_;
  int pieces_ = 0, fail_at_ = -1;
};

TEST_F(RunTest, CallbacksThatAnotherToolHasLeaveTheTimes) {
  use_program();
  (void)run([&](const std::string& socket) {
    Agent agent(socket);
    (void)agent.greet();
    wire::Problem problem;
    problem.stage = wire::Stage::kSubscribe;
    problem.text = "CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED";
    agent.send(problem);
    agent.send(test_device());
    agent.introduce_kernel();
    agent.launch(1, test_now(), test_now() + 1000);
    agent.send(wire::Goodbye{});
  });
  EXPECT_EQ(recording_.tier, Tier::kTiming);
  EXPECT_EQ(all_.launches.size(), 1U);
  EXPECT_NE(find_issue(watcher_.notices, "profile-callbacks-unavailable"), nullptr);
  EXPECT_EQ(find_issue(all_.issues, "profile-timing-unavailable"), nullptr) << "there are times";
}

TEST_F(RunTest, ADividedGpuIsTold) {
  backend_.divided = true;
  use_program();
  (void)run([&](const std::string& socket) {
    Agent agent(socket);
    (void)agent.greet();
    agent.send(test_device());
    (void)agent.receive<wire::CounterSetup>();
    agent.send(wire::Goodbye{});
  });
  EXPECT_NE(find_issue(all_.issues, "profile-mig"), nullptr);
}

TEST_F(RunTest, WhatThePlanLeavesOutIsTold) {
  backend_.no_pass = {"hit rates", "bank conflicts"};
  backend_.not_on_chip = {"my counter"};
  backend_.wrong_names = {"no x: did you mean y?", "no z"};
  use_program();
  (void)run([&](const std::string& socket) {
    Agent agent(socket);
    (void)agent.greet();
    agent.send(test_device());
    (void)agent.receive<wire::CounterSetup>();
    agent.send(wire::Goodbye{});
  });
  const Issue* no_pass = find_issue(all_.issues, "profile-counters-no-pass");
  ASSERT_NE(no_pass, nullptr);
  EXPECT_EQ(number_of(*no_pass, "count"), 2);
  EXPECT_EQ(std::get<std::string>(no_pass->message.arguments.at(1).value), "hit rates, bank conflicts");
  const Issue* not_on_chip = find_issue(all_.issues, "profile-counters-not-on-chip");
  ASSERT_NE(not_on_chip, nullptr);
  EXPECT_EQ(number_of(*not_on_chip, "count"), 1);
  const Issue* unknown = find_issue(watcher_.notices, "profile-metrics-unknown");
  ASSERT_NE(unknown, nullptr);
  EXPECT_EQ(text_of(*unknown, "reason"), "no x: did you mean y?; no z");
}

TEST_F(RunTest, CountersAndThenSamples) {
  use_program();
  const Outcome outcome = run([&](const std::string& socket) {
    Agent agent(socket);
    const wire::Settings settings = agent.greet();
    EXPECT_TRUE(settings.counters);
    EXPECT_TRUE(settings.wait_for_sampler);
    agent.send(test_device());
    EXPECT_EQ(agent.receive<wire::CounterSetup>().passes, 2U);
    EXPECT_EQ(agent.receive<wire::CounterSetup>().recipe, 1U);
    agent.send(wire::ContextMade{1, 0});
    (void)agent.receive<wire::Ready>();
    agent.send(wire::LeaseWanted{true});
    EXPECT_TRUE(agent.receive<wire::Lease>().granted);
    agent.introduce_kernel();
    wire::CounterImage image;
    image.kernel = 1;
    image.correlation = 1;
    image.began = test_now();
    image.image = "gpu__time_duration.sum=2000;";
    agent.send(image);
    agent.launch(1);
    agent.send(wire::LeaseWanted{false});
    backend_.sampling.wait_for(true);
    const Nanoseconds start = test_now() + 2'000'000;
    while (test_now() < start + 12'000'000) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    agent.launch(2, start, start + 8'000'000);
    agent.send(wire::LeaseWanted{true});
    EXPECT_TRUE(agent.receive<wire::Lease>().granted);
    backend_.sampling.wait_for(false);
    agent.send(wire::Goodbye{2});
  });
  EXPECT_EQ(outcome.exit_status, 3);
  EXPECT_FALSE(outcome.sink_failed);
  EXPECT_EQ(watcher_.planned, 2U);
  ASSERT_EQ(all_.launches.size(), 2U);
  EXPECT_TRUE(all_.launches[0].measurement);
  ASSERT_TRUE(all_.launches[1].sampled);
  EXPECT_NEAR(*all_.sampled[*all_.launches[1].sampled].dram_read, 8000, 1000);
  EXPECT_TRUE(recording_.finished);
  EXPECT_EQ(recording_.tier, Tier::kCounters);
  EXPECT_EQ(*recording_.exit_status, 3);
  EXPECT_EQ(*recording_.seen, 2);
  EXPECT_EQ(*recording_.sampled, 1);
  EXPECT_EQ(*recording_.sampling_interval_s, 1e-3);
  ASSERT_EQ(all_.sources.size(), 1U);
  EXPECT_EQ(all_.sources[0].tool_version, "1.2.3");
  EXPECT_FALSE(all_.readings.empty());
  const Issue* others = find_issue(all_.issues, "profile-other-processes");
  ASSERT_NE(others, nullptr);
  EXPECT_EQ(number_of(*others, "processes"), 1);
  EXPECT_EQ(std::get<std::string>(others->message.arguments.back().value), "77777777") << "nobody has that number";
}

TEST_F(RunTest, AProgramThatWaitsForARangesFiguresGetsThem) {
  options_.tier = TierWish::kCounters;
  use_program();
  (void)run([&](const std::string& socket) {
    Agent agent(socket);
    (void)agent.greet();
    agent.send(test_device());
    for (int setup = 0; setup < 2; ++setup) (void)agent.receive<wire::CounterSetup>();
    agent.send(wire::Text{1, "step"});
    wire::RangeMeasured range;
    range.id = 12;
    range.name = 1;
    range.start = test_now();
    range.end = range.start + 1'000'000;
    range.image = "dram__bytes_read.sum=640;";
    agent.send(range);
    const auto values = agent.receive<wire::RangeValues>();
    EXPECT_EQ(values.id, 12U);
    EXPECT_EQ(values.have, std::uint32_t{wire::RangeValues::kDramRead});
    EXPECT_EQ(values.dram_read, 640U);
    agent.send(wire::Goodbye{});
  });
  const auto told = std::find_if(recording_.facts.begin(), recording_.facts.end(),
                                 [](const auto& fact) { return fact.first == "range step"; });
  ASSERT_NE(told, recording_.facts.end());
  EXPECT_EQ(told->second, "1 time, 0.001000 s") << "kernels and writes are not known";
}

TEST_F(RunTest, SamplingAloneIsReadyBeforeTheFirstLaunch) {
  options_.tier = TierWish::kSampling;
  use_program();
  (void)run([&](const std::string& socket) {
    Agent agent(socket);
    EXPECT_FALSE(agent.greet().counters);
    agent.send(test_device());
    agent.send(wire::ContextMade{1, 0});
    (void)agent.receive<wire::Ready>();
    backend_.sampling.wait_for(true);  // it is on already
    agent.send(wire::LeaseWanted{true});
    EXPECT_FALSE(agent.receive<wire::Lease>().granted);
    agent.introduce_kernel();
    agent.launch(1, test_now(), test_now() + 1000);
    agent.send(wire::Goodbye{});
  });
  EXPECT_EQ(all_.launches.size(), 1U);
  EXPECT_EQ(find_issue(all_.issues, "profile-no-kernels"), nullptr);
}

TEST_F(RunTest, TwoProgramsHaveTheCountersOneAfterTheOther) {
  options_.tier = TierWish::kCounters;
  use_program();
  (void)run([&](const std::string& socket) {
    Agent first(socket);
    Agent second(socket, 4243);
    for (Agent* agent : {&first, &second}) {
      (void)agent->greet();
      agent->send(test_device());
      (void)agent->receive<wire::CounterSetup>();
      (void)agent->receive<wire::CounterSetup>();
      agent->send(wire::ContextMade{1, 0});
      (void)agent->receive<wire::Ready>();
    }
    first.send(wire::LeaseWanted{true});
    EXPECT_TRUE(first.receive<wire::Lease>().granted);
    second.send(wire::LeaseWanted{true});
    first.send(wire::Goodbye{});
    first.close();
    EXPECT_TRUE(second.receive<wire::Lease>().granted);
    second.send(wire::Goodbye{});
  });
  EXPECT_EQ(find_issue(all_.issues, "profile-process-died"), nullptr);
}

TEST_F(RunTest, WithoutPermissionTheTimesAreLeft) {
  const Error forbidden = not_available("CUPTI says CUPTI_ERROR_INSUFFICIENT_PRIVILEGES to x", "", "see ridge doctor");
  backend_.no_plan = forbidden;
  backend_.no_sampling = forbidden;
  use_program();
  (void)run([&](const std::string& socket) {
    Agent agent(socket);
    (void)agent.greet();
    agent.send(test_device());
    agent.send(wire::ContextMade{1, 0});
    (void)agent.receive<wire::Ready>();
    agent.introduce_kernel();
    agent.launch(1, test_now(), test_now() + 1000);
    agent.send(wire::Goodbye{});
  });
  EXPECT_EQ(recording_.tier, Tier::kTiming);
  EXPECT_EQ(all_.launches.size(), 1U);
  EXPECT_NE(find_issue(all_.issues, "profile-no-permission"), nullptr);
  EXPECT_NE(find_issue(watcher_.notices, "profile-no-permission"), nullptr);
}

TEST_F(RunTest, CountersThatSomebodyElseHasAreSaidToBeBusy) {
  backend_.no_sampling = not_available("the device's counters are in use by another profiler or a monitoring service",
                                       "", "end the other profiler");
  options_.tier = TierWish::kSampling;
  use_program();
  (void)run([&](const std::string& socket) {
    Agent agent(socket);
    (void)agent.greet();
    agent.send(test_device());
    agent.send(wire::ContextMade{1, 0});
    (void)agent.receive<wire::Ready>();
    agent.send(wire::Goodbye{});
  });
  EXPECT_NE(find_issue(watcher_.notices, "profile-counters-busy"), nullptr);
}

TEST_F(RunTest, ACuptiThatOnlyTheProgramHasIsNotMissed) {
  backend_.no_cupti = bad_input("no CUPTI is here", "/usr/lib", "install it");
  use_program();
  const auto talk = [&](std::optional<wire::Problem> problem) {
    return [=](const std::string& socket) {
      Agent agent(socket);
      (void)agent.greet();
      if (problem) agent.send(*problem);
      agent.send(wire::Goodbye{});
    };
  };
  (void)run(talk(std::nullopt));
  EXPECT_EQ(find_issue(watcher_.notices, "profile-cupti-missing"), nullptr);
  (void)run(talk(wire::Problem{wire::Stage::kLoad, 0, "libcupti.so: cannot open", 0}));
  const Issue* missing = find_issue(watcher_.notices, "profile-cupti-missing");
  ASSERT_NE(missing, nullptr);
  EXPECT_EQ(text_of(*missing, "searched"), "/usr/lib");
}

TEST_F(RunTest, AProcessThatDiesLeavesWhatCameBefore) {
  use_program("kill -9 $$");
  const Outcome outcome = run([&](const std::string& socket) {
    Agent agent(socket);
    (void)agent.greet();
    agent.send(test_device());
    (void)agent.receive<wire::CounterSetup>();
    agent.introduce_kernel();
    agent.launch(1, test_now(), test_now() + 1000);
    agent.write(wire::encode(wire::Text{9, "cut"}).substr(0, 7));
  });
  EXPECT_EQ(outcome.exit_status, 128 + 9);
  EXPECT_EQ(all_.launches.size(), 1U);
  const Issue* died = find_issue(all_.issues, "profile-process-died");
  ASSERT_NE(died, nullptr);
  // An id, not an amount: no separators in it.
  EXPECT_EQ(text_of(*died, "process"), "4242");
  EXPECT_NE(find_issue(all_.issues, "profile-program-killed"), nullptr);
}

TEST_F(RunTest, AProcessThatBecomesAnotherHasNotDied) {
  use_program();
  (void)run([&](const std::string& socket) {
    Agent before(socket);
    (void)before.greet();
    before.close();
    Agent after(socket);
    (void)after.greet();
    after.send(wire::Goodbye{});
  });
  EXPECT_EQ(find_issue(all_.issues, "profile-process-died"), nullptr);
}

TEST_F(RunTest, RubbishEndsItsConnectionAndNoOther) {
  use_program();
  (void)run([&](const std::string& socket) {
    Agent good(socket);
    Agent bad(socket, 666);
    Agent rude(socket, 667);
    (void)good.greet();
    (void)bad.greet();
    bad.write(std::string(100, '\xee'));
    rude.send(wire::Text{1, "no hello"});
    good.send(test_device());
    (void)good.receive<wire::CounterSetup>();
    good.introduce_kernel();
    good.launch(1, test_now(), test_now() + 1000);
    good.send(wire::Goodbye{});
  });
  EXPECT_EQ(all_.launches.size(), 1U);
  const Issue* damaged = find_issue(all_.issues, "profile-stream-damaged");
  ASSERT_NE(damaged, nullptr);
}

TEST_F(RunTest, AnAgentOfAnotherBuildIsNotListenedTo) {
  use_program();
  (void)run([&](const std::string& socket) {
    Agent agent(socket);
    wire::Hello hello;
    hello.protocol = wire::kProtocol + 1;
    hello.process = 4242;
    agent.send(hello);
  });
  EXPECT_NE(find_issue(all_.issues, "profile-agent-other-build"), nullptr);
}

TEST_F(RunTest, AFullDiskDoesNotStopTheProgram) {
  fail_at_ = 1;
  use_program();
  const Outcome outcome = run([&](const std::string& socket) {
    Agent agent(socket);
    (void)agent.greet();
    agent.send(test_device());
    (void)agent.receive<wire::CounterSetup>();
    (void)agent.receive<wire::CounterSetup>();
    agent.introduce_kernel();
    agent.launch(1, test_now(), test_now() + 1000);
    (void)agent.receive<wire::Stop>();
    agent.send(wire::Goodbye{});
  });
  EXPECT_TRUE(outcome.sink_failed);
  EXPECT_EQ(outcome.exit_status, 3);
  EXPECT_NE(find_issue(watcher_.notices, "profile-sink-failed"), nullptr);
  EXPECT_TRUE(all_.launches.empty());
}

TEST_F(RunTest, ASinkThatFailsAtOnceIsAnError) {
  fail_at_ = 0;
  options_.command = {"true"};
  EXPECT_FALSE(run_with(
      backend_, options_, [&](const Profile& piece) { return take(piece); }, watcher_));
}

TEST_F(RunTest, AProgramThatIsNotThereIsAnError) {
  options_.command = {"no-such-program-4711"};
  EXPECT_FALSE(run_with(
      backend_, options_, [&](const Profile& piece) { return take(piece); }, watcher_));
}

TEST_F(RunTest, AProgramWithoutCudaIsSaidToBeOne) {
  options_.command = {"sh", "-c", "test -n \"$CUDA_INJECTION64_PATH\" && test \"$RIDGE_CUPTI\" = /test/libcupti.so"};
  const auto outcome = run_with(
      backend_, options_, [&](const Profile& piece) { return take(piece); }, watcher_);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->exit_status, 0);
  EXPECT_NE(find_issue(all_.issues, "profile-agent-not-loaded"), nullptr);
  EXPECT_TRUE(recording_.finished);
  EXPECT_FALSE(recording_.seen);
}

TEST_F(RunTest, AnotherToolsInjectionIsLeftAlone) {
  options_.environment["CUDA_INJECTION64_PATH"] = "/theirs.so";
  options_.command = {"sh", "-c", "test \"$CUDA_INJECTION64_PATH\" = /theirs.so && test -z \"$RIDGE_SOCKET\""};
  const auto outcome = run_with(
      backend_, options_, [&](const Profile& piece) { return take(piece); }, watcher_);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->exit_status, 0);
  EXPECT_NE(find_issue(watcher_.notices, "profile-attached"), nullptr);
}

TEST_F(RunTest, WithoutTheAgentTheProgramRunsAllTheSame) {
  options_.agent = "/nowhere/libridge_agent.so";
  options_.command = {"sh", "-c", "test -z \"$CUDA_INJECTION64_PATH\"; exit 4"};
  const auto outcome = run_with(
      backend_, options_, [&](const Profile& piece) { return take(piece); }, watcher_);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->exit_status, 4);
  EXPECT_NE(find_issue(watcher_.notices, "profile-agent-missing"), nullptr);
}

TEST_F(RunTest, ASignalIsPassedOnAndTheFileFinished) {
  // Only this thread may get it: the agent's blocks all signals.
  options_.command = {"sh", "-c",
                      "trap 'exit 9' TERM; echo \"$RIDGE_SOCKET\" > " + folder_ + "/out; while :; do sleep 0.02; done"};
  const pthread_t session = pthread_self();
  std::thread agent([&] {
    (void)socket_path();
    EXPECT_EQ(pthread_kill(session, SIGTERM), 0);
  });
  const auto outcome = run_with(
      backend_, options_, [&](const Profile& piece) { return take(piece); }, watcher_);
  agent.join();
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->exit_status, 9);
  EXPECT_TRUE(recording_.finished);
}

TEST_F(RunTest, SecretsOfTheCommandAreNotInTheFile) {
  options_.environment["CUDA_VISIBLE_DEVICES"] = "0";
  options_.environment["API_TOKEN"] = "hush";
  options_.command = {"true", "--token=hush"};
  ASSERT_TRUE(run_with(
      backend_, options_, [&](const Profile& piece) { return take(piece); }, watcher_));
  EXPECT_EQ(recording_.command, "true '--token=***'");
  for (const auto& [name, value] : recording_.facts) EXPECT_EQ(value.find("hush"), std::string::npos) << name;
}

}  // namespace
}  // namespace ridge::collectors::session
