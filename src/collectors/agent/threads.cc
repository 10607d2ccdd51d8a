#include "collectors/agent/threads.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "collectors/agent/clock.h"

namespace ridge::collectors::agent {
namespace {

// The first number of schedstat: nanoseconds on a CPU. None: no such thread any more, or a kernel without it.
std::optional<std::uint64_t> on_cpu(pid_t thread) {
  const std::string path = "/proc/self/task/" + std::to_string(thread) + "/schedstat";
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  std::array<char, 64> text{};
  const ssize_t length = read(file, text.data(), text.size());
  close(file);
  std::uint64_t value = 0;
  if (length <= 0 || std::from_chars(text.data(), text.data() + length, value).ec != std::errc()) return std::nullopt;
  return value;
}

std::vector<pid_t> all_threads() {
  std::vector<pid_t> threads;
  DIR* const folder = opendir("/proc/self/task");
  if (folder == nullptr) return threads;
  while (const dirent* entry = readdir(folder)) {
    const std::string_view name = static_cast<const char*>(entry->d_name);
    pid_t id = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), id).ec == std::errc()) threads.push_back(id);
  }
  closedir(folder);
  return threads;
}

}  // namespace

void ThreadTimes::sample() {
  const std::lock_guard lock(mutex_);
  const wire::Nanoseconds now = real_now();
  std::map<pid_t, wire::Nanoseconds> present;
  for (const pid_t thread : all_threads()) {
    if (std::find(own_.begin(), own_.end(), thread) != own_.end()) continue;
    const auto used = on_cpu(thread);
    if (!used) continue;
    present[thread] = *used;
    // One that was not there the last time has been made since.
    const auto known = threads_.find(thread);
    const wire::Nanoseconds before = known == threads_.end() ? 0 : known->second;
    if (last_ == 0 || *used <= before) continue;
    outbox_.send(wire::ThreadTime{static_cast<std::uint32_t>(thread), last_, now, *used - before}, Weight::kBulk);
  }
  last_ = now;
  threads_ = std::move(present);
}

}  // namespace ridge::collectors::agent
