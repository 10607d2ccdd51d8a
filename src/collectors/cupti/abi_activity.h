// CUPTI's activity interface, loaded at run time: own declarations of the records that are read and of the calls. The
// rules are abi_profiler.h's: the vendor's names of members, and a call's type is its symbol without "cupti".
//
// Records of one kind grow from version to version and are never rearranged. What is declared here is the part used
// (CUPTI 12 and 13 write at least that much), so sizeof is not the record's size: a buffer is walked by
// ActivityGetNextRecord only. Members that a later version appended say since which one they are there. Times are
// nanoseconds of the clock that ActivityRegisterTimestampCallback gives. No member needs the vendor's packing: each is
// at its natural alignment.
#pragma once

#include <cstddef>
#include <cstdint>

#include "collectors/cupti/abi_profiler.h"

namespace ridge::collectors::cupti::abi {

using Context = struct OpaqueContext*;  ///< CUcontext
using Stream = struct OpaqueStream*;    ///< CUstream

enum ActivityKind : std::uint32_t {
  kActivityMemcpy = 1,
  kActivityMemset = 2,
  kActivityKernel = 3,  ///< one kernel at a time: not enabled by us, the record is the same
  kActivityDriver = 4,
  kActivityRuntime = 5,
  kActivityConcurrentKernel = 10,
  kActivityMarker = 12,
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
  std::uint8_t cacheConfig, sharedMemoryConfig;
  std::uint16_t registersPerThread;
  std::uint32_t partitionedGlobalCacheRequested, partitionedGlobalCacheExecuted;
  std::uint64_t start, end;  ///< both 0: not known, as for a replayed kernel
  std::uint64_t completed;
  std::uint32_t deviceId, contextId, streamId;
  std::int32_t gridX, gridY, gridZ, blockX, blockY, blockZ;
  std::int32_t staticSharedMemory, dynamicSharedMemory;
  std::uint32_t localMemoryPerThread, localMemoryTotal;
  std::uint32_t correlationId;
  std::int64_t gridId;
  const char* name;  ///< mangled, owned by CUPTI
  void* reserved0;
  std::uint64_t queued, submitted;
  std::uint8_t launchType, isSharedMemoryCarveoutRequested, sharedMemoryCarveoutRequested, padding;
  std::uint32_t sharedMemoryExecuted;
  std::uint64_t graphNodeId;  ///< since Kernel5 (CUDA 11.0)
  std::uint32_t shmemLimitConfig;
  std::uint32_t graphId;                                                ///< since Kernel6
  void* pAccessPolicyWindow;                                            ///< since Kernel6
  std::uint32_t channelID;                                              ///< since Kernel7
  std::uint32_t channelType;                                            ///< since Kernel7
  std::uint32_t clusterX, clusterY, clusterZ, clusterSchedulingPolicy;  ///< since Kernel8 (CUDA 11.8)
  std::uint64_t localMemoryTotal_v2;                                    ///< since Kernel8
};

/// CUpti_ActivityMemcpy and later.
struct ActivityMemcpy {
  std::uint32_t kind;
  std::uint8_t copyKind, srcKind, dstKind, flags;
  std::uint64_t bytes, start, end;
  std::uint32_t deviceId, contextId, streamId, correlationId, runtimeCorrelationId, pad;
  void* reserved0;
  std::uint64_t graphNodeId;
};

/// CUpti_ActivityMemcpyPtoP and later: kActivityMemcpy2.
struct ActivityMemcpyPtoP {
  std::uint32_t kind;
  std::uint8_t copyKind, srcKind, dstKind, flags;
  std::uint64_t bytes, start, end;
  std::uint32_t deviceId, contextId, streamId, srcDeviceId, srcContextId, dstDeviceId, dstContextId, correlationId;
  void* reserved0;
  std::uint64_t graphNodeId;
};

struct ActivityMemset {
  std::uint32_t kind, value;
  std::uint64_t bytes, start, end;
  std::uint32_t deviceId, contextId, streamId, correlationId;
  std::uint16_t flags, memoryKind;
  std::uint32_t pad;
  void* reserved0;
  std::uint64_t graphNodeId;
};

/// Kinds of memory in the records above and in ActivityMemory.
enum ActivityMemoryKind : std::uint32_t {
  kMemoryUnknown = 0,
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
  std::uint32_t kind, memoryOperationType, memoryKind, correlationId;
  std::uint64_t address, bytes, timestamp, PC;
  std::uint32_t processId, deviceId, contextId, streamId;
  const char* name;
  std::uint32_t isAsync;
};
inline constexpr std::uint32_t kMemoryAllocation = 1;
inline constexpr std::uint32_t kMemoryRelease = 2;

/// A call of the driver or of the runtime.
struct ActivityApi {
  std::uint32_t kind, cbid;
  std::uint64_t start, end;
  std::uint32_t processId, threadId, correlationId, returnValue;
};

/// CUpti_ActivityMarker2.
struct ActivityMarker {
  std::uint32_t kind, flags;
  std::uint64_t timestamp;
  std::uint32_t id, objectKind;
  std::uint32_t processId, threadId, unused;  ///< CUpti_ActivityObjectKindId, as it is for a thread
  std::uint32_t pad;
  const char* name;    ///< null at the end of a range
  const char* domain;  ///< null: the default domain
};
inline constexpr std::uint32_t kMarkerInstantaneous = 1U << 0U;
inline constexpr std::uint32_t kMarkerStart = 1U << 1U;
inline constexpr std::uint32_t kMarkerEnd = 1U << 2U;

/// CUpti_ActivityUnifiedMemoryCounter2 and later.
struct ActivityUnifiedMemory {
  std::uint32_t kind, counterKind;
  std::uint64_t value, start, end, address;
  std::uint32_t srcId, dstId, streamId, processId, flags, pad;
};
enum UnifiedMemoryCounter : std::uint32_t {
  kUnifiedBytesHtod = 1,
  kUnifiedBytesDtoh = 2,
  kUnifiedCpuPageFaults = 3,
  kUnifiedGpuPageFault = 4,
  kUnifiedBytesDtod = 8
};
struct UnifiedMemoryCounterConfig {
  std::uint32_t scope, kind, deviceId, enable;
};
inline constexpr std::uint32_t kUnifiedScopeSingleDevice = 1;

/// CUpti_ActivitySynchronization and later.
struct ActivitySynchronization {
  std::uint32_t kind, type;
  std::uint64_t start, end;
  std::uint32_t correlationId, contextId, streamId, cudaEventId;
};
enum SynchronizationType : std::uint32_t {
  kSynchronizeEvent = 1,
  kStreamWaitEvent = 2,
  kSynchronizeStream = 3,
  kSynchronizeContext = 4
};

inline constexpr std::uint32_t kFlushForced = 1;
inline constexpr std::uint32_t kThreadIdSystem = 1;  ///< for SetThreadIdType: ids as gettid() gives them

// ---- the calls

using BufferRequested = void(std::uint8_t** buffer, std::size_t* size, std::size_t* maxNumRecords);
using BufferCompleted = void(Context, std::uint32_t stream, std::uint8_t* buffer, std::size_t size, std::size_t valid);
using TimestampCallback = std::uint64_t();

using ActivityRegisterCallbacks = Result(BufferRequested*, BufferCompleted*);
using ActivityEnable = Result(std::uint32_t kind);
using ActivityDisable = Result(std::uint32_t kind);
using ActivityGetNextRecord = Result(std::uint8_t* buffer, std::size_t valid, Activity** record);
using ActivityGetNumDroppedRecords = Result(Context, std::uint32_t stream, std::size_t* dropped);
using ActivityFlushAll = Result(std::uint32_t flags);
using ActivityFlushPeriod = Result(std::uint32_t milliseconds);
using ActivityRegisterTimestampCallback = Result(TimestampCallback*);
using ActivityConfigureUnifiedMemoryCounter = Result(UnifiedMemoryCounterConfig*, std::uint32_t count);
using SetThreadIdType = Result(std::uint32_t type);
using GetContextId = Result(Context, std::uint32_t* contextId);
using GetDeviceId = Result(Context, std::uint32_t* deviceId);
using GetStreamIdEx = Result(Context, Stream, std::uint8_t perThreadStream, std::uint32_t* streamId);

}  // namespace ridge::collectors::cupti::abi
