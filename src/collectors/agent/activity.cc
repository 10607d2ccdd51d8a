#include "collectors/agent/activity.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <new>
#include <thread>

#include "collectors/agent/guard.h"

namespace ridge::collectors::agent {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{2} << 20;
constexpr std::size_t kBuffersKept = 8;
constexpr std::uint32_t kFlushMilliseconds = 100;
// For a thread of CUPTI's that has a buffer in hand.
constexpr std::chrono::microseconds kBetweenLooks{100};
constexpr int kLooks = 1000;
constexpr std::array<std::uint32_t, 5> kAlways = {abi::kActivityConcurrentKernel, abi::kActivityMemcpy,
                                                  abi::kActivityMemcpy2, abi::kActivityMemset, abi::kActivityMarker};
constexpr std::array<std::uint32_t, 4> kWithApi = {abi::kActivityRuntime, abi::kActivityDriver,
                                                   abi::kActivitySynchronization, abi::kActivityMemory2};
// CUPTI_ERROR_NOT_COMPATIBLE and the like for ranges only mean that there are none.
constexpr std::uint32_t kMayBeMissing = abi::kActivityMarker;

std::atomic<ActivityStream*> the_stream = nullptr;

}  // namespace

ActivityStream::ActivityStream(const Cupti& cupti, Books& books, Policy& policy, RangeTally& tally, Outbox& outbox,
                               bool api, OnProblem problem)
    : cupti_(cupti),
      tally_(tally),
      outbox_(outbox),
      api_(api),
      problem_(std::move(problem)),
      reader_(books, policy, tally, outbox, cupti) {}

bool ActivityStream::start() {
  the_stream = this;
  if (cupti_.set_thread_id_type != nullptr) cupti_.set_thread_id_type(abi::kThreadIdSystem);
  const abi::Result result = cupti_.activity_register_callbacks(&requested, &completed);
  if (result != abi::kSuccess) {
    problem_(result, "cuptiActivityRegisterCallbacks");
    return false;
  }
  if (cupti_.activity_flush_period != nullptr) cupti_.activity_flush_period(kFlushMilliseconds);
  return true;
}

void ActivityStream::enable(std::uint32_t kind, bool on) {
  if (std::find(failed_.begin(), failed_.end(), kind) != failed_.end()) return;
  const abi::Result result = on ? cupti_.activity_enable(kind) : cupti_.activity_disable(kind);
  if (result == abi::kSuccess) return;
  failed_.push_back(kind);
  if (kind != kMayBeMissing) problem_(result, "cuptiActivityEnable of kind " + std::to_string(kind));
}

void ActivityStream::record(bool on) {
  const std::lock_guard lock(switch_mutex_);
  if (recording_ == on) return;
  recording_ = on;
  for (const auto kind : kAlways) enable(kind, on);
  if (!api_) return;
  for (const auto kind : kWithApi) enable(kind, on);
}

void ActivityStream::device_ready(std::uint32_t device) {
  if (!api_ || cupti_.activity_configure_unified_memory_counter == nullptr) return;
  std::array<abi::UnifiedMemoryCounterConfig, 4> configs{};
  constexpr std::array<std::uint32_t, 4> kCounters = {abi::kUnifiedBytesHtod, abi::kUnifiedBytesDtoh,
                                                      abi::kUnifiedCpuPageFaults, abi::kUnifiedGpuPageFault};
  for (std::size_t i = 0; i < configs.size(); ++i) {
    configs[i] = {abi::kUnifiedScopeSingleDevice, kCounters[i], device, 1};
  }
  const abi::Result result = cupti_.activity_configure_unified_memory_counter(configs.data(), configs.size());
  const std::lock_guard lock(switch_mutex_);
  if (result != abi::kSuccess) {
    problem_(result, "cuptiActivityConfigureUnifiedMemoryCounter");
    return;
  }
  enable(abi::kActivityUnifiedMemoryCounter, true);
}

void ActivityStream::flush(bool forced) {
  cupti_.activity_flush_all(forced ? abi::kFlushForced : 0);
}

// CUPTI's own thread may be in the middle of a buffer that the flush does not see any more.
void ActivityStream::deliver(bool forced) {
  flush(forced);
  for (int i = 0; i < kLooks && reading_.load() > 0; ++i) std::this_thread::sleep_for(kBetweenLooks);
  const std::lock_guard lock(read_mutex_);
}

std::uint8_t* ActivityStream::take_buffer() {
  std::unique_ptr<std::uint64_t[]> buffer;
  {
    const std::lock_guard lock(pool_mutex_);
    if (!pool_.empty()) {
      buffer = std::move(pool_.back());
      pool_.pop_back();
    }
  }
  // CUPTI writes before it reads: the memory needs no clearing.
  if (!buffer) buffer.reset(new (std::nothrow) std::uint64_t[kBufferBytes / sizeof(std::uint64_t)]);
  return static_cast<std::uint8_t*>(static_cast<void*>(buffer.release()));
}

void ActivityStream::keep_buffer(std::uint8_t* buffer) {
  std::unique_ptr<std::uint64_t[]> owned(static_cast<std::uint64_t*>(static_cast<void*>(buffer)));
  const std::lock_guard lock(pool_mutex_);
  if (pool_.size() < kBuffersKept) pool_.push_back(std::move(owned));
}

// Without a buffer CUPTI drops records and says how many.
void ActivityStream::requested(std::uint8_t** buffer, std::size_t* size, std::size_t* records) {
  *buffer = nullptr;
  *size = 0;
  *records = 0;
  ActivityStream* const stream = the_stream;
  if (stream == nullptr) return;
  guarded([&] { *buffer = stream->take_buffer(); });
  if (*buffer != nullptr) *size = kBufferBytes;
}

void ActivityStream::completed(abi::Context context, std::uint32_t stream, std::uint8_t* buffer, std::size_t size,
                               std::size_t valid) {
  static_cast<void>(size);
  ActivityStream* const self = the_stream;
  if (self == nullptr || buffer == nullptr) return;
  ++self->reading_;
  guarded([&] { self->complete(context, stream, buffer, valid); });
  --self->reading_;
}

void ActivityStream::complete(abi::Context context, std::uint32_t stream, std::uint8_t* buffer, std::size_t valid) {
  const std::lock_guard lock(read_mutex_);
  walk(buffer, valid);
  keep_buffer(buffer);
  std::size_t dropped = 0;
  if (cupti_.activity_get_num_dropped_records == nullptr) return;
  if (cupti_.activity_get_num_dropped_records(context, stream, &dropped) != abi::kSuccess || dropped == 0) return;
  tally_.lost();
  outbox_.send(wire::Dropped{wire::Loss::kActivityRecords, dropped}, Weight::kNeeded);
}

void ActivityStream::walk(std::uint8_t* buffer, std::size_t valid) {
  abi::Activity* record = nullptr;
  while (valid > 0 && cupti_.activity_get_next_record(buffer, valid, &record) == abi::kSuccess && record != nullptr) {
    reader_.read(*record);
  }
  reader_.flush();
}

}  // namespace ridge::collectors::agent
