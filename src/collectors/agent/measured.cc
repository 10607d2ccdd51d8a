#include "collectors/agent/measured.h"

#include <array>
#include <chrono>

#include "collectors/agent/clock.h"

namespace ridge::collectors::agent {
namespace {

// The collector takes less than a millisecond, unless it is held up itself.
constexpr std::chrono::milliseconds kForValues{1000};
constexpr int kForcedFlushes = 2;
constexpr std::size_t kDeepest = 64;

enum : std::uint32_t { kSeconds = 1, kKernelSeconds = 2, kLaunches = 4, kDramRead = 8, kDramWrite = 16, kWarp = 32 };

struct Begun {
  std::uint64_t steady;
  bool taken;  // it is the one with figures
};
struct Stack {
  std::array<Begun, kDeepest> ranges;
  std::size_t depth, beyond;
};
// No constructor: a thread of the program that never measures pays nothing.
thread_local Stack stack;

double seconds(std::uint64_t nanoseconds) {
  return static_cast<double>(nanoseconds) * 1e-9;
}

}  // namespace

void MeasuredRanges::begin(const char* name) {
  parts_.launches.range_opened();
  if (stack.depth == kDeepest) {
    ++stack.beyond;
    return;
  }
  parts_.marks.push(name);
  bool taken = !parts_.launches.capturing() && !taken_.exchange(true);
  if (taken && !open(name)) taken = taken_ = false;
  stack.ranges[stack.depth++] = {steady_now(), taken};
}

// False: the thread uses no GPU.
bool MeasuredRanges::open(const char* name) {
  abi::Context context = nullptr;
  Open opened;
  if (parts_.driver.get_current_context == nullptr || parts_.driver.get_current_context(&context) != 0) return false;
  if (context == nullptr || parts_.cupti.get_device_id == nullptr) return false;
  if (parts_.cupti.get_device_id(context, &opened.device) != abi::kSuccess) return false;
  opened.name = parts_.texts.id(name == nullptr ? "" : name);
  opened.recording = recording_();
  if (opened.recording) parts_.launches.range_begins(context, opened.device);
  opened.start = real_now();
  open_ = opened;
  parts_.tally.open(opened.device, opened.start);
  return true;
}

void MeasuredRanges::end(RangeFigures& figures) {
  const std::uint64_t now = steady_now();
  if (stack.beyond > 0) {
    --stack.beyond;
    parts_.launches.range_closed();
    return;
  }
  if (stack.depth == 0) return;
  const Begun begun = stack.ranges[--stack.depth];
  figures.seconds = seconds(now - begun.steady);
  figures.have |= kSeconds;
  // The message of a range with figures is its mark too.
  parts_.marks.pop(!begun.taken);
  if (begun.taken) close(now - begun.steady, figures);
  parts_.launches.range_closed();
}

void MeasuredRanges::close(std::uint64_t took, RangeFigures& figures) {
  wire::RangeMeasured range;
  range.id = ++last_id_;
  range.name = open_.name;
  range.thread = this_thread();
  range.device = open_.device;
  range.start = open_.start;
  range.end = open_.start + took;
  parts_.tally.ends(range.end);
  LaunchWatch::Range seen = parts_.launches.range_ends();
  // While it captures, the GPU was not waited for: work of the range may still be to come.
  if (!parts_.launches.capturing()) range.image = std::move(seen.image);
  add_kernels(seen, range, figures);
  std::optional<wire::RangeValues> values;
  if (open_.recording) values = ask(range);
  taken_ = false;
  if (!values) return;
  const auto take = [&](std::uint32_t from, std::uint64_t value, std::uint32_t to, double& figure) {
    if ((values->have & from) == 0) return;
    figure = static_cast<double>(value);
    figures.have |= to;
  };
  take(wire::RangeValues::kDramRead, values->dram_read, kDramRead, figures.dram_read_bytes);
  take(wire::RangeValues::kDramWrite, values->dram_write, kDramWrite, figures.dram_write_bytes);
  take(wire::RangeValues::kWarpInstructions, values->warp_instructions, kWarp, figures.warp_instructions);
}

// A buffer of records is handed over once all in it are complete, and the record of the profiler's own kernel is not
// for as long as its session lives (seen with CUPTI 13.0). Those of the range are: the GPU was waited for. False: they
// do not come, or nobody knows how many there are.
bool MeasuredRanges::delivered(const LaunchWatch::Range& seen) {
  flush_(false);
  if (!seen.counted) return true;
  if (seen.graphs) return false;
  for (int attempt = 0; parts_.tally.kernels() < seen.launches && attempt < kForcedFlushes; ++attempt) flush_(true);
  return parts_.tally.kernels() >= seen.launches;
}

void MeasuredRanges::add_kernels(const LaunchWatch::Range& seen, wire::RangeMeasured& range, RangeFigures& figures) {
  const bool recorded = open_.recording && recording_() && !parts_.launches.capturing() && delivered(seen);
  const KernelTally tally = parts_.tally.close();
  if (!recorded || !tally.whole) return;
  range.kernels_known = true;
  range.launches = figures.launches = tally.launches;
  range.kernel_nanoseconds = tally.time;
  figures.kernel_seconds = seconds(tally.time);
  figures.have |= kKernelSeconds | kLaunches;
}

// Sends it, and waits for what the collector makes of the image, if there is one.
std::optional<wire::RangeValues> MeasuredRanges::ask(const wire::RangeMeasured& range) {
  std::unique_lock lock(mutex_);
  values_.reset();
  if (!parts_.outbox.send(range, Weight::kNeeded) || range.image.empty()) return std::nullopt;
  changed_.wait_for(lock, kForValues, [&] { return stopped_ || (values_ && values_->id == range.id); });
  if (!values_ || values_->id != range.id) return std::nullopt;
  return values_;
}

void MeasuredRanges::answered(const wire::RangeValues& values) {
  const std::lock_guard lock(mutex_);
  values_ = values;
  changed_.notify_all();
}

void MeasuredRanges::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  changed_.notify_all();
}

}  // namespace ridge::collectors::agent
