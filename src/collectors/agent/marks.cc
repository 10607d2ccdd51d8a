#include "collectors/agent/marks.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <array>

#include "collectors/agent/clock.h"

namespace ridge::collectors::agent {
namespace {

constexpr std::size_t kBatch = 1024;
// Deeper ranges than this are counted, not recorded.
constexpr std::size_t kDeepest = 128;

struct Pushed {
  wire::TextId name;
  wire::Nanoseconds start;  // 0: not to be recorded
};
struct Stack {
  std::array<Pushed, kDeepest> ranges;
  std::size_t depth, beyond;
};
// No constructor: a thread of the program that never pushes pays nothing.
thread_local Stack stack;

}  // namespace

std::uint32_t this_thread() {
  static thread_local std::uint32_t number = 0;
  if (number == 0) number = static_cast<std::uint32_t>(syscall(SYS_gettid));
  return number;
}

void Marks::push(const char* name) {
  const char* const text = name == nullptr ? "" : name;
  watch_.enter(text);
  if (stack.depth == kDeepest) {
    ++stack.beyond;
    return;
  }
  const wire::TextId id = recording_() ? texts_.id(text) : 0;
  stack.ranges[stack.depth++] = {id, id == 0 ? 0 : real_now()};
}

void Marks::pop(bool recorded) {
  if (stack.beyond > 0) {
    --stack.beyond;
    watch_.leave();
    return;
  }
  if (stack.depth == 0) return;
  const Pushed range = stack.ranges[--stack.depth];
  watch_.leave();
  if (!recorded || range.start == 0 || !recording_()) return;
  wire::Event event;
  event.kind = wire::EventKind::kRange;
  event.name = range.name;
  event.thread = this_thread();
  event.start = range.start;
  event.end = real_now();
  const std::lock_guard lock(mutex_);
  events_.items.push_back(event);
  if (events_.items.size() < kBatch) return;
  outbox_.send(events_, Weight::kBulk);
  events_.items.clear();
}

void Marks::flush() {
  const std::lock_guard lock(mutex_);
  if (!events_.items.empty()) outbox_.send(events_, Weight::kBulk);
  events_.items.clear();
}

}  // namespace ridge::collectors::agent
