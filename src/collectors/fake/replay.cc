#include "collectors/fake/replay.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "collectors/fake/activity.h"
#include "collectors/fake/export.h"
#include "collectors/fake/lasting.h"
#include "collectors/fake/metrics.h"
#include "collectors/fake/profiler_common.h"

namespace ridge::collectors::fake {
namespace {

/// The profiler on one context.
struct RangeProfiler {
  const Context* context = nullptr;
  std::vector<std::string> image_bases;  ///< of the last GetCounterDataSize
  Config config;
  std::uint8_t* image = nullptr;
  std::size_t image_size = 0, max_ranges = 0;
  bool configured = false, started = false, failed = false;
  bool user = false;                  ///< ranges are the program's, and nothing is replayed
  std::optional<bool> user_at_start;  ///< of the first Start: another kind wants another profiler
  CounterLock lock;
  std::vector<std::pair<CounterImage::Record, std::vector<double>>> ranges;  ///< counted, not yet decoded
  std::optional<CounterImage::Record> pushed;                                ///< a range of the user that is open
  std::vector<double> amounts;                                               ///< so far, in it
};

struct Profilers {
  std::mutex mutex;
  std::vector<std::unique_ptr<RangeProfiler>> all;
};

Profilers& profilers() {
  return lasting<Profilers>();
}

/// With the mutex held. nullptr: no such object.
RangeProfiler* find(const abi::RangeProfilerObject* object) {
  for (const auto& one : profilers().all) {
    if (static_cast<const void*>(one.get()) == object) return one.get();
  }
  return nullptr;
}

std::uint32_t warps_of(const Configuration& configuration) {
  return static_cast<std::uint32_t>((configuration.block_size() + 31) / 32);
}

/// What the launch counts for each base of the profiler's image; NaN for what was not asked for.
std::vector<double> count_bases(const Machine& machine, const RangeProfiler& profiler,
                                const Configuration& configuration, const CounterImage& image) {
  const Kernel& kernel = machine.world->script.kernels[configuration.kernel];
  const double blocks = static_cast<double>(configuration.blocks());
  const Execution execution{&kernel,
                            &device_of(machine, *profiler.context),
                            static_cast<double>(kernel.duration) * 1e-9,
                            blocks,
                            blocks * static_cast<double>(configuration.block_size()),
                            blocks * warps_of(configuration)};
  const std::vector<std::string> asked = bases_of(profiler.config.metrics);
  std::vector<double> amounts;
  for (const std::string& base : image.bases()) {
    const bool wanted = std::find(asked.begin(), asked.end(), base) != asked.end();
    amounts.push_back(wanted ? counted(base, execution) : std::numeric_limits<double>::quiet_NaN());
  }
  return amounts;
}

void run_passes(Machine& machine, const Context& context, const Kernel& kernel, std::uint32_t passes) {
  std::uint64_t until = now();
  {
    const std::lock_guard lock(machine.mutex);
    until = std::max(until, machine.timeline.end_of(context.device));
  }
  sleep_until(until + passes * kernel.duration + machine.world->script.replay_cost);
}

// Seen with CUPTI 13.0: a range of the user ends with a kernel of the library's own, which has a record like any other
// and still runs when Stop returns.
void run_own_kernel(const Context& context) {
  constexpr std::uint64_t kDuration = 80'000;
  constexpr std::uint64_t kNotComplete = 3'600'000'000'000;
  constexpr std::uint32_t kStream = 6;
  static const Kernel kernel{"WaitNs", "WaitNs", kDuration, 16, 0, 0, {}};
  Machine& here = *machine();
  Submission submission{&context, kStream, 0, {}, true};
  {
    const std::lock_guard lock(here.mutex);
    const std::uint64_t own_lane = (std::uint64_t{context.uid} << 32U) + kStream;
    submission.span = here.timeline.schedule(context.device, own_lane, now(), kDuration);
  }
  submission.span.end += kNotComplete;
  record_kernel(submission, {}, kernel, 0, 0);
}

}  // namespace

bool replay(Machine& machine, const Context& context, const Configuration& configuration) {
  Profilers& here = profilers();
  const std::lock_guard lock(here.mutex);
  const auto at = std::find_if(here.all.begin(), here.all.end(),
                               [&](const auto& one) { return one->started && one->context == &context; });
  if (at == here.all.end() || (*at)->user) return false;
  RangeProfiler& profiler = **at;
  const Script& script = machine.world->script;
  const Kernel& kernel = script.kernels[configuration.kernel];
  const std::uint64_t began = now();
  run_passes(machine, context, kernel, profiler.config.passes);
  if (script.faults.pass > 0 && script.faults.pass_kernel == kernel.name &&
      script.faults.pass <= profiler.config.passes) {
    profiler.failed = true;
    return true;
  }
  const auto image = CounterImage::open(profiler.image, profiler.image_size);
  if (!image) return true;
  const double active = static_cast<double>(kernel.duration) * 1e-9 * kActiveShare;
  profiler.ranges.emplace_back(CounterImage::Record{began, began + kernel.duration, active},
                               count_bases(machine, profiler, configuration, *image));
  return true;
}

void count_in_range(const Machine& machine, const Context& context, const Configuration& configuration) {
  Profilers& here = profilers();
  const std::lock_guard lock(here.mutex);
  for (const auto& profiler : here.all) {
    if (!profiler->pushed || profiler->context != &context) continue;
    const auto image = CounterImage::open(profiler->image, profiler->image_size);
    if (!image) continue;
    const std::vector<double> more = count_bases(machine, *profiler, configuration, *image);
    for (std::size_t i = 0; i < more.size() && i < profiler->amounts.size(); ++i) profiler->amounts[i] += more[i];
    const Kernel& kernel = machine.world->script.kernels[configuration.kernel];
    profiler->pushed->active += static_cast<double>(kernel.duration) * 1e-9 * kActiveShare;
  }
}

// NOLINTBEGIN(readability-identifier-naming): the vendor's names
RIDGE_FAKE_EXPORT abi::Result cuptiRangeProfilerEnable(abi::RangeEnableParams* params) {
  if (!valid(params) || params->ctx == nullptr) return abi::kErrorInvalidParameter;
  if (world() == nullptr || !profiler_initialised()) return abi::kErrorNotInitialized;
  if (world()->script.faults.replay != 0) return world()->script.faults.replay;
  Profilers& here = profilers();
  const std::lock_guard lock(here.mutex);
  const auto* context = static_cast<const Context*>(params->ctx);
  const bool twice =
      std::any_of(here.all.begin(), here.all.end(), [&](const auto& one) { return one->context == context; });
  if (twice) return abi::kErrorInvalidOperation;
  here.all.push_back(std::make_unique<RangeProfiler>());
  here.all.back()->context = context;
  params->pRangeProfilerObject = reinterpret_cast<abi::RangeProfilerObject*>(here.all.back().get());
  return abi::kSuccess;
}

RIDGE_FAKE_EXPORT abi::Result cuptiRangeProfilerDisable(abi::RangeDisableParams* params) {
  if (!valid(params)) return abi::kErrorInvalidParameter;
  Profilers& here = profilers();
  const std::lock_guard lock(here.mutex);
  const RangeProfiler* const profiler = find(params->pRangeProfilerObject);
  if (profiler == nullptr) return abi::kErrorInvalidParameter;
  std::erase_if(here.all, [&](const auto& one) { return one.get() == profiler; });
  return abi::kSuccess;
}

RIDGE_FAKE_EXPORT abi::Result cuptiRangeProfilerGetCounterDataSize(abi::RangeGetCounterDataSizeParams* params) {
  if (!valid(params) || params->numMetrics == 0 || params->maxNumOfRanges == 0 ||
      params->maxNumRangeTreeNodes < params->maxNumOfRanges) {
    return abi::kErrorInvalidParameter;
  }
  const std::lock_guard lock(profilers().mutex);
  RangeProfiler* const profiler = find(params->pRangeProfilerObject);
  if (profiler == nullptr) return abi::kErrorInvalidOperation;
  profiler->image_bases = bases_of(names_of(params->pMetricNames, params->numMetrics));
  params->counterDataSize = CounterImage::size_for(profiler->image_bases, params->maxNumOfRanges);
  return abi::kSuccess;
}

RIDGE_FAKE_EXPORT abi::Result cuptiRangeProfilerCounterDataImageInitialize(
    abi::RangeCounterDataImageInitializeParams* params) {
  if (!valid(params) || params->pCounterData == nullptr) return abi::kErrorInvalidParameter;
  const std::lock_guard lock(profilers().mutex);
  const RangeProfiler* const profiler = find(params->pRangeProfilerObject);
  if (profiler == nullptr) return abi::kErrorInvalidOperation;
  const bool done = CounterImage::initialise({params->pCounterData, params->counterDataSize}, profiler->image_bases,
                                             profiler->context->device);
  return done ? abi::kSuccess : abi::kErrorInvalidParameter;
}

RIDGE_FAKE_EXPORT abi::Result cuptiRangeProfilerSetConfig(abi::RangeSetConfigParams* params) {
  if (!valid(params) || params->pConfig == nullptr) return abi::kErrorInvalidParameter;
  const std::lock_guard lock(profilers().mutex);
  RangeProfiler* const profiler = find(params->pRangeProfilerObject);
  if (profiler == nullptr) return abi::kErrorInvalidParameter;
  if (profiler->started) return abi::kErrorInvalidOperation;
  const bool automatic = params->range == abi::kAutoRange && params->replayMode == abi::kKernelReplay;
  const bool user = params->range == abi::kUserRange && params->replayMode == abi::kUserReplay;
  if (!automatic && !user) return abi::kErrorNotSupported;
  if (profiler->user_at_start.value_or(user) != user) return abi::kErrorInvalidOperation;
  auto config = read_config({params->pConfig, params->configSize});
  if (!config || config->sampling || params->maxRangesPerPass == 0 || params->numNestingLevels != 1 ||
      !CounterImage::open(params->pCounterDataImage, params->counterDataImageSize)) {
    return abi::kErrorInvalidParameter;
  }
  profiler->config = *std::move(config);
  profiler->image = params->pCounterDataImage;
  profiler->image_size = params->counterDataImageSize;
  profiler->max_ranges = params->maxRangesPerPass;
  profiler->configured = true;
  profiler->user = user;
  profiler->ranges.clear();
  return abi::kSuccess;
}

RIDGE_FAKE_EXPORT abi::Result cuptiRangeProfilerStart(abi::RangeStartParams* params) {
  if (!valid(params)) return abi::kErrorInvalidParameter;
  const std::lock_guard lock(profilers().mutex);
  RangeProfiler* const profiler = find(params->pRangeProfilerObject);
  if (profiler == nullptr || !profiler->configured || profiler->started) return abi::kErrorInvalidOperation;
  if (!profiler->lock.take(*world(), profiler->context->device)) return abi::kErrorHardwareBusy;
  profiler->user_at_start = profiler->user;
  profiler->started = true;
  profiler->failed = false;
  return abi::kSuccess;
}

RIDGE_FAKE_EXPORT abi::Result cuptiRangeProfilerStop(abi::RangeStopParams* params) {
  if (!valid(params)) return abi::kErrorInvalidParameter;
  const std::lock_guard lock(profilers().mutex);
  RangeProfiler* const profiler = find(params->pRangeProfilerObject);
  if (profiler == nullptr || !profiler->started || profiler->pushed) return abi::kErrorInvalidOperation;
  profiler->started = false;
  params->passIndex = 0;
  params->targetNestingLevel = 0;
  const bool more_passes = profiler->user && profiler->config.passes > 1;
  params->isAllPassSubmitted = profiler->failed || more_passes ? 0 : 1;
  if (profiler->user) run_own_kernel(*profiler->context);
  return abi::kSuccess;
}

// Ranges of the user do not nest here: one level is all that the configuration may ask for.
RIDGE_FAKE_EXPORT abi::Result cuptiRangeProfilerPushRange(abi::RangePushParams* params) {
  if (!valid(params) || params->pRangeName == nullptr) return abi::kErrorInvalidParameter;
  const std::lock_guard lock(profilers().mutex);
  RangeProfiler* const profiler = find(params->pRangeProfilerObject);
  if (profiler == nullptr || !profiler->started || !profiler->user || profiler->pushed) {
    return abi::kErrorInvalidOperation;
  }
  const auto image = CounterImage::open(profiler->image, profiler->image_size);
  if (!image) return abi::kErrorInvalidParameter;
  const std::vector<std::string> asked = bases_of(profiler->config.metrics);
  profiler->amounts.clear();
  for (const std::string& base : image->bases()) {
    const bool wanted = std::find(asked.begin(), asked.end(), base) != asked.end();
    profiler->amounts.push_back(wanted ? 0 : std::numeric_limits<double>::quiet_NaN());
  }
  profiler->pushed = CounterImage::Record{now(), 0, 0};
  return abi::kSuccess;
}
RIDGE_FAKE_EXPORT abi::Result cuptiRangeProfilerPopRange(abi::RangePopParams* params) {
  if (!valid(params)) return abi::kErrorInvalidParameter;
  const std::lock_guard lock(profilers().mutex);
  RangeProfiler* const profiler = find(params->pRangeProfilerObject);
  if (profiler == nullptr || !profiler->pushed) return abi::kErrorInvalidOperation;
  profiler->pushed->end = now();
  profiler->ranges.emplace_back(*std::exchange(profiler->pushed, std::nullopt), std::move(profiler->amounts));
  return abi::kSuccess;
}

RIDGE_FAKE_EXPORT abi::Result cuptiRangeProfilerDecodeData(abi::RangeDecodeDataParams* params) {
  if (!valid(params)) return abi::kErrorInvalidParameter;
  const std::lock_guard lock(profilers().mutex);
  RangeProfiler* const profiler = find(params->pRangeProfilerObject);
  if (profiler == nullptr || !profiler->configured || profiler->started) return abi::kErrorInvalidOperation;
  auto image = CounterImage::open(profiler->image, profiler->image_size);
  if (!image) return abi::kErrorInvalidParameter;
  const auto ranges = std::exchange(profiler->ranges, {});
  params->numOfRangeDropped = 0;
  if (std::exchange(profiler->failed, false)) return abi::kErrorUnknown;
  std::size_t taken = 0;
  for (const auto& [record, amounts] : ranges) {
    if (image->full() || taken++ >= profiler->max_ranges) {
      ++params->numOfRangeDropped;
    } else {
      image->append(record, amounts);
    }
  }
  return abi::kSuccess;
}

RIDGE_FAKE_EXPORT abi::Result cuptiRangeProfilerGetCounterDataInfo(abi::RangeGetCounterDataInfoParams* params) {
  if (!valid(params)) return abi::kErrorInvalidParameter;
  // Only read: the image is the caller's, and const there.
  const auto image =
      CounterImage::open(const_cast<std::uint8_t*>(params->pCounterDataImage), params->counterDataImageSize);
  if (!image) return abi::kErrorInvalidParameter;
  params->numTotalRanges = image->filled();
  return abi::kSuccess;
}

RIDGE_FAKE_EXPORT abi::Result cuptiRangeProfilerCounterDataGetRangeInfo(
    abi::RangeCounterDataGetRangeInfoParams* params) {
  static thread_local std::string name;
  if (!valid(params)) return abi::kErrorInvalidParameter;
  const auto image =
      CounterImage::open(const_cast<std::uint8_t*>(params->pCounterDataImage), params->counterDataImageSize);
  if (!image || params->rangeIndex >= image->filled()) return abi::kErrorInvalidParameter;
  name = std::to_string(params->rangeIndex);
  params->rangeName = name.c_str();
  return abi::kSuccess;
}

// NOLINTEND(readability-identifier-naming)

}  // namespace ridge::collectors::fake
