#include "collectors/fake/activity.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "collectors/cupti/abi_callbacks.h"
#include "collectors/fake/export.h"
#include "collectors/fake/lasting.h"

namespace ridge::collectors::fake {
namespace {

constexpr std::uint32_t kKinds = 64;
constexpr int kInvalidKind = 21;  // CUPTI_ERROR_INVALID_KIND
/// Later versions of the records have more behind what we declare; so have the fake's.
constexpr std::size_t kTail = 32;
constexpr std::size_t kLargest = 256;

constexpr std::size_t round_up(std::size_t size) {
  return (size + kTail + 7) / 8 * 8;
}

std::size_t record_size(std::uint32_t kind) {
  switch (kind) {
    case abi::kActivityKernel:
    case abi::kActivityConcurrentKernel:
      return round_up(sizeof(abi::ActivityKernel));
    case abi::kActivityMemcpy:
      return round_up(sizeof(abi::ActivityMemcpy));
    case abi::kActivityMemset:
      return round_up(sizeof(abi::ActivityMemset));
    case abi::kActivityDriver:
    case abi::kActivityRuntime:
      return round_up(sizeof(abi::ActivityApi));
    case abi::kActivityMarker:
      return round_up(sizeof(abi::ActivityMarker));
    case abi::kActivityMemory2:
      return round_up(sizeof(abi::ActivityMemory));
    case abi::kActivitySynchronization:
      return round_up(sizeof(abi::ActivitySynchronization));
    default:
      return 0;
  }
}
static_assert(round_up(sizeof(abi::ActivityKernel)) <= kLargest);

struct Pending {
  std::uint64_t ready = 0;  ///< when it is complete, by the host's clock
  std::uint32_t size = 0;
  std::uint32_t times = 0;  ///< offset of its start and end, to be cleared by a forced flush; 0: none
  alignas(8) std::array<std::uint8_t, kLargest> bytes{};
};

bool later(const Pending& a, const Pending& b) {
  return a.ready > b.ready;
}

class Recorder {
 public:
  std::array<std::atomic<bool>, kKinds> enabled{};
  std::atomic<abi::BufferRequested*> requested{nullptr};
  std::atomic<abi::BufferCompleted*> completed{nullptr};
  std::atomic<std::int64_t> clock_offset{0};
  std::atomic<std::uint32_t> period_ms{0};
  std::atomic<bool> system_threads{false};

  template <class R>
  void add(const R& record, std::uint64_t ready, std::size_t times) {
    if (!enabled[record.kind].load()) return;
    Pending pending;
    pending.ready = ready;
    pending.size = static_cast<std::uint32_t>(record_size(record.kind));
    pending.times = static_cast<std::uint32_t>(times);
    std::memcpy(pending.bytes.data(), &record, sizeof(record));
    const std::lock_guard lock(mutex_);
    pending_.push_back(pending);
    std::push_heap(pending_.begin(), pending_.end(), later);
  }

  /// Fills buffers with what is complete, hands over the full ones, and the last one too if `partly`.
  void deliver(bool partly, bool forced) {
    const std::lock_guard delivery(delivery_);
    const std::uint64_t moment = now();
    Pending next;
    while (take(moment, forced, next)) put(next);
    if (partly) hand_over();
  }

  /// The kernel records that the script's fault takes away.
  bool lose_kernel(const Faults& faults) {
    const std::lock_guard lock(mutex_);
    const std::uint64_t number = kernels_++;
    if (number < faults.drop_after || number >= faults.drop_after + faults.drop) return false;
    ++dropped_;
    return true;
  }
  std::size_t take_dropped() {
    const std::lock_guard lock(mutex_);
    return std::exchange(dropped_, 0);
  }

  const char* keep(const char* name) {
    const std::lock_guard lock(mutex_);
    return names_.insert(name).first->c_str();
  }

  void start_thread() {
    if (threaded_.exchange(true)) return;
    std::thread([this] { loop(); }).detach();
  }

 private:
  [[noreturn]] void loop() {
    std::uint64_t flushed = now();
    while (true) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      const std::uint64_t period = period_ms.load() * std::uint64_t{1'000'000};
      const bool due = period > 0 && now() - flushed >= period;
      if (due) flushed = now();
      deliver(due, false);
    }
  }

  bool take(std::uint64_t moment, bool forced, Pending& into) {
    const std::lock_guard lock(mutex_);
    if (pending_.empty() || (pending_.front().ready > moment && !forced)) return false;
    std::pop_heap(pending_.begin(), pending_.end(), later);
    into = pending_.back();
    pending_.pop_back();
    if (into.ready > moment && into.times > 0) std::memset(into.bytes.data() + into.times, 0, 16);
    return true;
  }

  void put(const Pending& record) {
    if (buffer_ != nullptr && used_ + record.size > size_) hand_over();
    if (buffer_ == nullptr) {
      std::size_t most = 0;
      if (abi::BufferRequested* const ask = requested.load(); ask != nullptr) ask(&buffer_, &size_, &most);
      used_ = 0;
    }
    if (buffer_ == nullptr || used_ + record.size > size_) {
      const std::lock_guard lock(mutex_);
      ++dropped_;  // no buffer, or one that is smaller than a record
      return;
    }
    std::memcpy(buffer_ + used_, record.bytes.data(), record.size);
    used_ += record.size;
  }

  void hand_over() {
    if (buffer_ == nullptr) return;
    std::uint8_t* const full = std::exchange(buffer_, nullptr);
    if (abi::BufferCompleted* const give = completed.load(); give != nullptr) give(nullptr, 0, full, size_, used_);
  }

  std::mutex delivery_;  ///< taken first; held while the tool's functions run
  std::uint8_t* buffer_ = nullptr;
  std::size_t size_ = 0, used_ = 0;
  std::mutex mutex_;
  std::vector<Pending> pending_;  ///< a heap, the first to be complete at its top
  std::uint64_t kernels_ = 0;
  std::size_t dropped_ = 0;
  std::set<std::string> names_;
  std::atomic<bool> threaded_{false};
};

Recorder& recorder() {
  return lasting<Recorder>();
}

std::uint32_t thread_number() {
  if (recorder().system_threads.load()) return static_cast<std::uint32_t>(syscall(SYS_gettid));
  return static_cast<std::uint32_t>(pthread_self());
}

}  // namespace

std::uint64_t cupti_time(std::uint64_t moment) {
  return moment + static_cast<std::uint64_t>(recorder().clock_offset.load());
}

void record_kernel(const Submission& submission, const Configuration& configuration, const Kernel& kernel,
                   std::uint64_t graph_node, std::uint32_t graph) {
  Recorder& into = recorder();
  const std::uint32_t kind =
      into.enabled[abi::kActivityConcurrentKernel].load() ? abi::kActivityConcurrentKernel : abi::kActivityKernel;
  if (!into.enabled[kind].load()) return;
  if (into.lose_kernel(world()->script.faults)) return;
  abi::ActivityKernel record{};
  record.kind = kind;
  record.registersPerThread = static_cast<std::uint16_t>(kernel.registers);
  record.start = submission.timed ? cupti_time(submission.span.start) : 0;
  record.end = submission.timed ? cupti_time(submission.span.end) : 0;
  record.deviceId = submission.context->device;
  record.contextId = submission.context->uid;
  record.streamId = submission.stream;
  const auto extent = [](std::uint32_t value) { return static_cast<std::int32_t>(value); };
  record.gridX = extent(configuration.grid[0]);
  record.gridY = extent(configuration.grid[1]);
  record.gridZ = extent(configuration.grid[2]);
  record.blockX = extent(configuration.block[0]);
  record.blockY = extent(configuration.block[1]);
  record.blockZ = extent(configuration.block[2]);
  record.staticSharedMemory = extent(kernel.shared_static);
  record.dynamicSharedMemory = extent(configuration.shared);
  record.localMemoryPerThread = kernel.local;
  record.correlationId = submission.correlation;
  record.gridId = submission.correlation;
  record.name = kernel.symbol.c_str();
  record.sharedMemoryExecuted = (kernel.shared_static + configuration.shared + 1024 + 8191) / 8192 * 8192;
  record.graphNodeId = graph_node;
  record.graphId = graph;
  into.add(record, submission.span.end, offsetof(abi::ActivityKernel, start));
}

void record_copy(const Submission& submission, std::uint64_t bytes, std::uint8_t kind, std::uint8_t from,
                 std::uint8_t to) {
  abi::ActivityMemcpy record{};
  record.kind = abi::kActivityMemcpy;
  record.copyKind = kind;
  record.srcKind = from;
  record.dstKind = to;
  record.bytes = bytes;
  record.start = cupti_time(submission.span.start);
  record.end = cupti_time(submission.span.end);
  record.deviceId = submission.context->device;
  record.contextId = submission.context->uid;
  record.streamId = submission.stream;
  record.correlationId = submission.correlation;
  recorder().add(record, submission.span.end, offsetof(abi::ActivityMemcpy, start));
}

void record_set(const Submission& submission, std::uint64_t bytes, std::uint32_t value) {
  abi::ActivityMemset record{};
  record.kind = abi::kActivityMemset;
  record.value = value;
  record.bytes = bytes;
  record.start = cupti_time(submission.span.start);
  record.end = cupti_time(submission.span.end);
  record.deviceId = submission.context->device;
  record.contextId = submission.context->uid;
  record.streamId = submission.stream;
  record.correlationId = submission.correlation;
  record.memoryKind = abi::kMemoryDevice;
  recorder().add(record, submission.span.end, offsetof(abi::ActivityMemset, start));
}

void record_call(std::uint32_t domain, std::uint32_t cbid, std::uint64_t began, std::uint32_t correlation, int result) {
  const std::uint64_t moment = now();
  const abi::ActivityApi record{domain == abi::kDomainDriver ? abi::kActivityDriver : abi::kActivityRuntime,
                                cbid,
                                began,
                                cupti_time(moment),
                                static_cast<std::uint32_t>(getpid()),
                                thread_number(),
                                correlation,
                                static_cast<std::uint32_t>(result)};
  recorder().add(record, moment, 0);
}

void record_memory(const Context& context, std::uint32_t operation, std::uint64_t address, std::uint64_t bytes) {
  abi::ActivityMemory record{};
  record.kind = abi::kActivityMemory2;
  record.memoryOperationType = operation;
  record.memoryKind = abi::kMemoryDevice;
  record.address = address;
  record.bytes = bytes;
  record.timestamp = cupti_time(now());
  record.processId = static_cast<std::uint32_t>(getpid());
  record.deviceId = context.device;
  record.contextId = context.uid;
  record.streamId = UINT32_MAX;
  recorder().add(record, 0, 0);
}

void record_wait(const Context& context, std::uint32_t stream, std::uint64_t began) {
  abi::ActivitySynchronization record{};
  record.kind = abi::kActivitySynchronization;
  record.type = stream == UINT32_MAX ? abi::kSynchronizeContext : abi::kSynchronizeStream;
  record.start = cupti_time(began);
  record.end = cupti_time(now());
  record.contextId = context.uid;
  record.streamId = stream;
  recorder().add(record, 0, 0);
}

void record_marker(std::uint32_t flags, std::uint32_t id, const char* name) {
  Recorder& into = recorder();
  if (!into.enabled[abi::kActivityMarker].load()) return;
  abi::ActivityMarker record{};
  record.kind = abi::kActivityMarker;
  record.flags = flags;
  record.timestamp = cupti_time(now());
  record.id = id;
  record.objectKind = 2;  // CUPTI_ACTIVITY_OBJECT_THREAD
  record.processId = static_cast<std::uint32_t>(getpid());
  record.threadId = thread_number();
  record.name = name == nullptr ? nullptr : into.keep(name);
  into.add(record, 0, 0);
}

// NOLINTBEGIN(readability-identifier-naming): the vendor's names
RIDGE_FAKE_EXPORT abi::Result cuptiActivityRegisterCallbacks(abi::BufferRequested* requested,
                                                             abi::BufferCompleted* completed) {
  if (requested == nullptr || completed == nullptr) return abi::kErrorInvalidParameter;
  recorder().requested.store(requested);
  recorder().completed.store(completed);
  return abi::kSuccess;
}

RIDGE_FAKE_EXPORT abi::Result cuptiActivityEnable(std::uint32_t kind) {
  const World* here = world();
  if (here == nullptr) return abi::kErrorNotInitialized;
  if (here->script.faults.activity != 0) return here->script.faults.activity;
  if (kind == 0 || kind >= kKinds) return kInvalidKind;
  // The two kinds of kernel records exclude each other.
  const std::uint32_t other = kind == abi::kActivityKernel             ? abi::kActivityConcurrentKernel
                              : kind == abi::kActivityConcurrentKernel ? abi::kActivityKernel
                                                                       : 0U;
  if (other != 0 && recorder().enabled[other].load()) return abi::kErrorNotCompatible;
  recorder().enabled[kind].store(true);
  recorder().start_thread();
  return abi::kSuccess;
}

RIDGE_FAKE_EXPORT abi::Result cuptiActivityDisable(std::uint32_t kind) {
  if (kind == 0 || kind >= kKinds) return kInvalidKind;
  recorder().enabled[kind].store(false);
  return abi::kSuccess;
}

RIDGE_FAKE_EXPORT abi::Result cuptiActivityFlushAll(std::uint32_t flags) {
  recorder().deliver(true, (flags & abi::kFlushForced) != 0);
  return abi::kSuccess;
}

RIDGE_FAKE_EXPORT abi::Result cuptiActivityFlushPeriod(std::uint32_t milliseconds) {
  recorder().period_ms.store(milliseconds);
  return abi::kSuccess;
}

RIDGE_FAKE_EXPORT abi::Result cuptiActivityGetNextRecord(std::uint8_t* buffer, std::size_t valid,
                                                         abi::Activity** record) {
  if (buffer == nullptr || record == nullptr) return abi::kErrorInvalidParameter;
  std::size_t at = 0;
  if (*record != nullptr) {
    at = static_cast<std::size_t>(reinterpret_cast<std::uint8_t*>(*record) - buffer);
    at += record_size((*record)->kind);
  }
  if (at >= valid) return abi::kErrorMaxLimitReached;
  *record = reinterpret_cast<abi::Activity*>(buffer + at);
  return record_size((*record)->kind) == 0 ? kInvalidKind : abi::kSuccess;
}

RIDGE_FAKE_EXPORT abi::Result cuptiActivityGetNumDroppedRecords(abi::Context /*context*/, std::uint32_t /*stream*/,
                                                                std::size_t* dropped) {
  if (dropped == nullptr) return abi::kErrorInvalidParameter;
  *dropped = recorder().take_dropped();
  return abi::kSuccess;
}

RIDGE_FAKE_EXPORT abi::Result cuptiActivityRegisterTimestampCallback(abi::TimestampCallback* clock) {
  if (clock == nullptr) return abi::kErrorInvalidParameter;
  const std::int64_t offset = static_cast<std::int64_t>(clock() - now());
  // The same clock as ours, read a moment earlier, is not another clock.
  constexpr std::int64_t kSame = 1'000'000;
  recorder().clock_offset.store(offset > -kSame && offset < kSame ? 0 : offset);
  return abi::kSuccess;
}

RIDGE_FAKE_EXPORT abi::Result cuptiActivityConfigureUnifiedMemoryCounter(abi::UnifiedMemoryCounterConfig* config,
                                                                         std::uint32_t count) {
  return config == nullptr || count == 0 ? abi::kErrorInvalidParameter : abi::kSuccess;
}

RIDGE_FAKE_EXPORT abi::Result cuptiActivitySetAttribute(std::uint32_t /*attribute*/, std::size_t* size, void* value) {
  return size == nullptr || value == nullptr ? abi::kErrorInvalidParameter : abi::kSuccess;
}

RIDGE_FAKE_EXPORT abi::Result cuptiSetThreadIdType(std::uint32_t type) {
  if (type > abi::kThreadIdSystem) return abi::kErrorInvalidParameter;
  recorder().system_threads.store(type == abi::kThreadIdSystem);
  return abi::kSuccess;
}

RIDGE_FAKE_EXPORT abi::Result cuptiGetTimestamp(std::uint64_t* time) {
  if (time == nullptr) return abi::kErrorInvalidParameter;
  *time = cupti_time(now());
  return abi::kSuccess;
}

// NOLINTEND(readability-identifier-naming)

}  // namespace ridge::collectors::fake
