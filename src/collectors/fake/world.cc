#include "collectors/fake/world.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <filesystem>
#include <system_error>

#include "collectors/fake/lasting.h"

namespace ridge::collectors::fake {
namespace {

const World* load() {
  const char* directory = variable("RIDGE_FAKE_GPU");
  if (directory == nullptr || *directory == '\0') return nullptr;
  auto script = read_script(directory);
  if (!script) {
    const std::string text = "fake GPU: " + script.error().what + " (" + script.error().where + ")\n";
    const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
    (void)written;
    return nullptr;
  }
  return new World{*std::move(script), directory};  // allow(new): never freed, see world()
}

}  // namespace

const World* world() {
  static const World* const loaded = load();
  return loaded;
}

std::uint64_t now() {
  timespec time{};
  clock_gettime(CLOCK_REALTIME, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
}

void sleep_until(std::uint64_t moment) {
  timespec time{};
  time.tv_sec = static_cast<time_t>(moment / 1'000'000'000);
  time.tv_nsec = static_cast<long>(moment % 1'000'000'000);
  while (clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &time, nullptr) == EINTR) {
  }
}

void announce_context(const World& world, std::size_t device) {
  const std::string path = world.directory + "/context." + std::to_string(device) + "." + std::to_string(getpid());
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (file >= 0) close(file);
}

std::vector<std::uint32_t> processes_on(const World& world, std::size_t device) {
  const std::string prefix = "context." + std::to_string(device) + ".";
  std::vector<std::uint32_t> processes;
  std::error_code error;
  for (std::filesystem::directory_iterator it(world.directory, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    std::uint32_t process = 0;
    if (!name.starts_with(prefix)) continue;
    std::from_chars(name.data() + prefix.size(), name.data() + name.size(), process);
    if (process != 0 && kill(static_cast<pid_t>(process), 0) == 0) processes.push_back(process);
  }
  return processes;
}

bool CounterLock::take(const World& world, std::size_t device) {
  if (held()) return true;
  if (world.script.faults.busy) return false;
  const std::string path = world.directory + "/counters." + std::to_string(device);
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) return false;
  if (flock(file, LOCK_EX | LOCK_NB) != 0) {
    close(file);
    return false;
  }
  file_ = file;
  return true;
}

void CounterLock::release() {
  if (held()) close(file_);
  file_ = -1;
}

}  // namespace ridge::collectors::fake
