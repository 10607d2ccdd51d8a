// CUPTI's activity interface: the records that the agent reads and the calls it makes, our own declarations. Each call
// is a type of pointer named as the symbol is, without its prefix "cupti"; a comment where they differ.
//
// Records of one kind are lengthened by later versions of CUPTI, never rearranged: what is declared here is the part
// that versions 12 and 13 share (CUpti_ActivityKernel4 and later, Memcpy, MemcpyPtoP, Memset, Memory2, API, Marker2,
// UnifiedMemoryCounter2, Synchronization), so sizeof is not the record's size: a buffer is walked with
// ActivityGetNextRecord only. Fields that later versions appended say since which one they are there. Times are
// nanoseconds of the clock that TimestampCallback reads. No field needs packing: every one is at its natural alignment.
#pragma once

#include <cstddef>
#include <cstdint>

#include "collectors/cupti/abi_result.h"

namespace ridge::collectors::cupti::abi {

enum ActivityKind : std::uint32_t {
  kActivityMemcpy = 1,
  kActivityMemset = 2,
  kActivityKernel = 3,  ///< serialised kernels: never enabled, the record is the same
  kActivityDriver = 4,
  kActivityRuntime = 5,
  kActivityConcurrentKernel = 10,
  kActivityName = 11,
  kActivityMarker = 12,
  kActivityOverhead = 17,
  kActivityMemcpy2 = 22,  ///< between devices
  kActivityUnifiedMemoryCounter = 25,
  kActivitySynchronization = 38,
  kActivityMemory2 = 49
};

struct Activity {
  std::uint32_t kind;
};

/// CUpti_ActivityKernel4 to 10.
struct ActivityKernel {
  std::uint32_t kind;
  std::uint8_t cache_config, shared_memory_config;
  std::uint16_t registers_per_thread;
  std::uint32_t partitioned_cache_requested, partitioned_cache_executed;
  std::uint64_t start, end;  ///< both 0: not known, as for a replayed kernel
  std::uint64_t completed;
  std::uint32_t device, context, stream;
  std::int32_t grid_x, grid_y, grid_z, block_x, block_y, block_z;
  std::int32_t static_shared, dynamic_shared;
  std::uint32_t local_per_thread, local_total;
  std::uint32_t correlation;
  std::int64_t grid_id;
  const char* name;  ///< mangled, CUPTI's own
  void* reserved;
  std::uint64_t queued, submitted;
  std::uint8_t launch_type, carveout_is_requested, carveout_requested, padding;
  std::uint32_t shared_executed;
  std::uint64_t graph_node;  ///< since Kernel5 (CUDA 11.0)
  std::uint32_t shared_limit_config;
  std::uint32_t graph;                            ///< since Kernel6
  void* access_policy;                            ///< since Kernel6
  std::uint32_t channel;                          ///< since Kernel7
  std::uint32_t channel_type;                     ///< since Kernel7
  std::uint32_t cluster_x, cluster_y, cluster_z;  ///< since Kernel8 (CUDA 11.8)
  std::uint32_t cluster_scheduling_policy;
  std::uint64_t local_total_v2;  ///< since Kernel8
};

/// CUpti_ActivityMemcpy and later.
struct ActivityMemcpy {
  std::uint32_t kind;
  std::uint8_t copy_kind, from_kind, to_kind, flags;
  std::uint64_t bytes, start, end;
  std::uint32_t device, context, stream, correlation, runtime_correlation, padding;
  void* reserved;
  std::uint64_t graph_node;
};

/// CUpti_ActivityMemcpyPtoP and later: kind kActivityMemcpy2.
struct ActivityPeerCopy {
  std::uint32_t kind;
  std::uint8_t copy_kind, from_kind, to_kind, flags;
  std::uint64_t bytes, start, end;
  std::uint32_t device, context, stream;
  std::uint32_t from_device, from_context, to_device, to_context;
  std::uint32_t correlation;
  void* reserved;
  std::uint64_t graph_node;
};

struct ActivityMemset {
  std::uint32_t kind, value;
  std::uint64_t bytes, start, end;
  std::uint32_t device, context, stream, correlation;
  std::uint16_t flags, memory_kind;
  std::uint32_t padding;
  void* reserved;
  std::uint64_t graph_node;
};

/// Values of the memory kinds above.
enum MemoryKindCode : std::uint8_t {
  kMemoryPageable = 1,
  kMemoryPinned = 2,
  kMemoryDevice = 3,
  kMemoryArray = 4,
  kMemoryManaged = 5,
  kMemoryDeviceStatic = 6,
  kMemoryManagedStatic = 7
};

/// CUpti_ActivityMemory2 and later: an allocation or a release.
struct ActivityMemory {
  std::uint32_t kind, operation, memory_kind, correlation;
  std::uint64_t address, bytes, timestamp, program_counter;
  std::uint32_t process, device, context, stream;
  const char* name;
  std::uint32_t is_async;
};
inline constexpr std::uint32_t kMemoryAllocation = 1;
inline constexpr std::uint32_t kMemoryRelease = 2;

/// A call of the driver or of the runtime.
struct ActivityApi {
  std::uint32_t kind, callback;
  std::uint64_t start, end;
  std::uint32_t process, thread, correlation, returned;
};

struct ActivityMarker {
  std::uint32_t kind, flags;
  std::uint64_t timestamp;
  std::uint32_t id, object_kind;
  std::uint32_t process, thread, unused;  ///< CUpti_ActivityObjectKindId of a thread
  std::uint32_t padding;
  const char* name;    ///< null at the end of a range
  const char* domain;  ///< null: the default domain
};
inline constexpr std::uint32_t kMarkerInstantaneous = 1U << 0U;
inline constexpr std::uint32_t kMarkerStart = 1U << 1U;
inline constexpr std::uint32_t kMarkerEnd = 1U << 2U;

struct ActivityUnifiedMemory {
  std::uint32_t kind, counter;
  std::uint64_t value, start, end, address;
  std::uint32_t from, to, stream, process, flags, padding;
};
enum UnifiedMemoryCounter : std::uint32_t {
  kUnifiedBytesToDevice = 1,
  kUnifiedBytesToHost = 2,
  kUnifiedCpuPageFaults = 3,
  kUnifiedGpuPageFaults = 4,
  kUnifiedBytesBetweenDevices = 8
};
struct UnifiedMemoryConfig {
  std::uint32_t scope;  ///< 1: of this process and one device
  std::uint32_t counter;
  std::uint32_t device, enable;
};
inline constexpr std::uint32_t kUnifiedScopeSingleDevice = 1;

struct ActivitySynchronization {
  std::uint32_t kind, type;
  std::uint64_t start, end;
  std::uint32_t correlation, context, stream, event;
};
enum SynchronizationType : std::uint32_t {
  kSynchronizeEvent = 1,
  kStreamWaitsForEvent = 2,
  kSynchronizeStream = 3,
  kSynchronizeContext = 4
};

/// For ActivitySetAttribute.
enum ActivityAttribute : std::uint32_t {
  kAttributeDeviceBufferSize = 0,
  kAttributeDeviceBufferPoolLimit = 2,
  kAttributeZeroedOutBuffer = 5,
  kAttributeDeviceBufferPreAllocate = 6
};

inline constexpr std::uint32_t kFlushForced = 1;
inline constexpr std::uint32_t kThreadIdSystem = 1;  ///< for SetThreadIdType: the kernel's thread ids

using BufferRequested = void (*)(std::uint8_t** buffer, std::size_t* size, std::size_t* max_records);
using BufferCompleted = void (*)(Context context, std::uint32_t stream, std::uint8_t* buffer, std::size_t size,
                                 std::size_t valid);
using TimestampCallback = std::uint64_t (*)();

using ActivityRegisterCallbacks = CuptiResult (*)(BufferRequested requested, BufferCompleted completed);
using ActivityEnable = CuptiResult (*)(std::uint32_t kind);
using ActivityDisable = CuptiResult (*)(std::uint32_t kind);
using ActivityGetNextRecord = CuptiResult (*)(std::uint8_t* buffer, std::size_t valid, Activity** record);
using ActivityGetNumDroppedRecords = CuptiResult (*)(Context context, std::uint32_t stream, std::size_t* dropped);
using ActivityFlushAll = CuptiResult (*)(std::uint32_t flags);
using ActivityFlushPeriod = CuptiResult (*)(std::uint32_t milliseconds);
using ActivitySetAttribute = CuptiResult (*)(std::uint32_t attribute, std::size_t* size, void* value);
using ActivityRegisterTimestampCallback = CuptiResult (*)(TimestampCallback callback);
using ActivityConfigureUnifiedMemoryCounter = CuptiResult (*)(UnifiedMemoryConfig* configs, std::uint32_t count);
using SetThreadIdType = CuptiResult (*)(std::uint32_t type);
using GetTimestamp = CuptiResult (*)(std::uint64_t* timestamp);
using GetContextId = CuptiResult (*)(Context context, std::uint32_t* id);
using GetDeviceId = CuptiResult (*)(Context context, std::uint32_t* device);
using GetStreamIdEx = CuptiResult (*)(Context context, Stream stream, std::uint8_t per_thread, std::uint32_t* id);

}  // namespace ridge::collectors::cupti::abi
