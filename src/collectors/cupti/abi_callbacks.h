// CUPTI's callback interface, loaded at run time: subscribing, the resource, driver and NVTX domains, and the
// parameters of the calls that are looked into. The rules are abi_profiler.h's: the vendor's names of members, and a
// call's type is its symbol without "cupti".
#pragma once

#include <cstddef>
#include <cstdint>

#include "collectors/cupti/abi_activity.h"

namespace ridge::collectors::cupti::abi {

using Subscriber = struct OpaqueSubscriber*;

enum CallbackDomain : std::uint32_t {
  kDomainDriver = 1,
  kDomainRuntime = 2,
  kDomainResource = 3,
  kDomainSynchronize = 4,
  kDomainNvtx = 5,
  kDomainState = 6
};
enum CallbackSite : std::uint32_t { kEnter = 0, kExit = 1 };

enum ResourceCallback : std::uint32_t { kContextCreated = 1, kContextDestroyStarting = 2 };

/// Numbers of driver calls: the same in every version that has the call.
enum DriverCallback : std::uint32_t {
  kCuLaunchKernel = 307,
  kCuProfilerStart = 308,
  kCuProfilerStop = 309,
  kCuLaunchKernelPtsz = 442,
  kCuLaunchCooperativeKernel = 477,
  kCuLaunchCooperativeKernelPtsz = 478,
  kCuLaunchCooperativeKernelMultiDevice = 480,
  kCuStreamBeginCapture = 495,
  kCuStreamBeginCapturePtsz = 496,
  kCuStreamEndCapture = 497,
  kCuStreamEndCapturePtsz = 498,
  kCuGraphLaunch = 514,
  kCuGraphLaunchPtsz = 515,
  kCuStreamBeginCaptureV2 = 539,
  kCuStreamBeginCaptureV2Ptsz = 540,
  kCuLaunchKernelEx = 652,
  kCuLaunchKernelExPtsz = 653,
  kCuStreamBeginCaptureToGraph = 720,
  kCuStreamBeginCaptureToGraphPtsz = 721
};

enum NvtxCallback : std::uint32_t {
  kNvtxRangeStartA = 4,
  kNvtxRangeStartEx = 6,
  kNvtxRangeEnd = 7,
  kNvtxRangePushA = 8,
  kNvtxRangePushEx = 10,
  kNvtxRangePop = 11,
  kNvtxDomainRangeStartEx = 31,
  kNvtxDomainRangeEnd = 32,
  kNvtxDomainRangePushEx = 33,
  kNvtxDomainRangePop = 34,
  kNvtxDomainRegisterStringA = 39
};

/// Of the driver and runtime domains.
struct CallbackData {
  std::uint32_t callbackSite;
  const char* functionName;
  const void* functionParams;
  void* functionReturnValue;
  const char* symbolName;  ///< at a launch: the kernel's mangled name
  Context context;
  std::uint32_t contextUid;
  std::uint64_t* correlationData;  ///< kept from enter to exit of one call
  std::uint32_t correlationId;
};

struct ResourceData {
  Context context;
  Stream stream;
  void* resourceDescriptor;
};

struct NvtxData {
  const char* functionName;
  const void* functionParams;
  const void* functionReturnValue;
};

using CallbackFunc = void(void* userdata, std::uint32_t domain, std::uint32_t cbid, const void* cbdata);

using Subscribe = Result(Subscriber*, CallbackFunc*, void* userdata);
using Unsubscribe = Result(Subscriber);
using EnableCallback = Result(std::uint32_t enable, Subscriber, std::uint32_t domain, std::uint32_t cbid);
using EnableDomain = Result(std::uint32_t enable, Subscriber, std::uint32_t domain);
using GetCallbackName = Result(std::uint32_t domain, std::uint32_t cbid, const char** name);

// ---- parameters of the driver's calls

/// cuLaunchKernel; cuLaunchCooperativeKernel lacks only the last member.
struct LaunchKernelParams {
  void* f;
  std::uint32_t gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
  Stream hStream;
  void** kernelParams;
  void** extra;
};

struct LaunchAttribute {
  std::uint32_t id;
  std::uint32_t pad;
  union {
    char pad[64];
    std::int32_t cooperative;
    std::uint64_t alignment;
  } value;
};
inline constexpr std::uint32_t kLaunchAttributeCooperative = 2;

struct LaunchConfig {
  std::uint32_t gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
  Stream hStream;
  LaunchAttribute* attrs;
  std::uint32_t numAttrs;
};

struct LaunchKernelExParams {
  const LaunchConfig* config;
  void* f;
  void** kernelParams;
  void** extra;
};

/// cuGraphLaunch.
struct GraphLaunchParams {
  void* hGraph;
  Stream hStream;
};

// ---- parameters of NVTX's calls (NVTX 3)

enum NvtxMessageType : std::int32_t { kNvtxAscii = 1, kNvtxUnicode = 2, kNvtxRegistered = 3 };

struct NvtxEventAttributes {
  std::uint16_t version, size;
  std::uint32_t category;
  std::int32_t colorType;
  std::uint32_t color;
  std::int32_t payloadType, reserved0;
  std::uint64_t payload;
  std::int32_t messageType;
  const void* message;
};
struct NvtxTextParams {  ///< nvtxRangePushA, nvtxRangeStartA
  const char* message;
};
struct NvtxEventParams {  ///< nvtxRangePushEx, nvtxRangeStartEx
  const NvtxEventAttributes* eventAttrib;
};
struct NvtxDomainEventParams {  ///< nvtxDomainRangePushEx, nvtxDomainRangeStartEx
  void* domain;
  const NvtxEventAttributes* eventAttrib;
};
struct NvtxDomainParams {  ///< nvtxDomainRangePop
  void* domain;
};
struct NvtxEndParams {  ///< nvtxRangeEnd
  std::uint64_t id;
};
struct NvtxDomainEndParams {  ///< nvtxDomainRangeEnd
  void* domain;
  std::uint64_t id;
};
struct NvtxRegisterParams {  ///< nvtxDomainRegisterStringA
  void* domain;
  const char* string;
};

}  // namespace ridge::collectors::cupti::abi
