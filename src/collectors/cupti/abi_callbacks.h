// CUPTI's callback interface, our own declarations: subscribing, the resource and driver domains, and the parameters of
// the driver calls that launch kernels. Each call is a type of pointer named as the symbol is, without "cupti".
#pragma once

#include <cstddef>
#include <cstdint>

#include "collectors/cupti/abi_result.h"

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

enum ResourceCallback : std::uint32_t {
  kContextCreated = 1,
  kContextDestroyStarting = 2,
  kStreamCreated = 3,
  kStreamDestroyStarting = 4,
  kModuleLoaded = 6
};

/// Ids of the driver's calls that are of interest, stable between versions.
enum DriverCallback : std::uint32_t {
  kCuLaunch = 115,
  kCuLaunchGrid = 116,
  kCuLaunchGridAsync = 117,
  kCuLaunchKernel = 307,
  kCuProfilerStart = 308,
  kCuProfilerStop = 309,
  kCuLaunchKernelPtsz = 442,
  kCuLaunchCooperativeKernel = 477,
  kCuLaunchCooperativeKernelPtsz = 478,
  kCuLaunchCooperativeKernelMultiDevice = 480,
  kCuGraphLaunch = 514,
  kCuGraphLaunchPtsz = 515,
  kCuLaunchKernelEx = 652,
  kCuLaunchKernelExPtsz = 653
};

/// Ids of NVTX calls in kDomainNvtx.
enum NvtxCallback : std::uint32_t {
  kNvtxRangePushA = 8,
  kNvtxRangePushEx = 7,
  kNvtxRangePop = 10,
  kNvtxRangeStartA = 4,
  kNvtxRangeStartEx = 3,
  kNvtxRangeEnd = 6
};

/// Of the driver and runtime domains.
struct CallbackData {
  std::uint32_t site;
  const char* function_name;
  const void* parameters;
  void* return_value;
  const char* symbol_name;  ///< of a launch: the kernel's mangled name
  Context context;
  std::uint32_t context_id;
  std::uint64_t* correlation_data;
  std::uint32_t correlation;
};

struct ResourceData {
  Context context;
  Stream stream;
  void* descriptor;
};

/// Of the NVTX domain.
struct NvtxData {
  const char* function_name;
  const void* parameters;
  const void* return_value;
};

using CallbackFunction = void (*)(void* user, std::uint32_t domain, std::uint32_t callback, const void* data);

using Subscribe = CuptiResult (*)(Subscriber* subscriber, CallbackFunction callback, void* user);
using Unsubscribe = CuptiResult (*)(Subscriber subscriber);
using EnableCallback = CuptiResult (*)(std::uint32_t enable, Subscriber subscriber, std::uint32_t domain,
                                       std::uint32_t callback);
using EnableDomain = CuptiResult (*)(std::uint32_t enable, Subscriber subscriber, std::uint32_t domain);
using GetCallbackName = CuptiResult (*)(std::uint32_t domain, std::uint32_t callback, const char** name);

// ---- parameters of the driver's calls

/// cuLaunchKernel, and cuLaunchCooperativeKernel, which lacks only the last member.
struct LaunchKernelParameters {
  Function function;
  std::uint32_t grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes;
  Stream stream;
  void** arguments;
  void** extra;
};

struct LaunchAttribute {
  std::uint32_t id;
  std::uint32_t padding;
  union {
    char bytes[64];
    std::int32_t cooperative;
    std::uint64_t alignment;
  } value;
};
inline constexpr std::uint32_t kAttributeCooperative = 2;

struct LaunchConfiguration {
  std::uint32_t grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes;
  Stream stream;
  LaunchAttribute* attributes;
  std::uint32_t attribute_count;
};

struct LaunchKernelExParameters {
  const LaunchConfiguration* configuration;
  Function function;
  void** arguments;
  void** extra;
};

struct GraphLaunchParameters {
  struct OpaqueGraphExec* graph;
  Stream stream;
};

}  // namespace ridge::collectors::cupti::abi
