// CUPTI's profiler interface, loaded at run time: own declarations of the structs, values and calls that are used, so
// that everything builds and starts without a toolkit. Facts as CUPTI's headers of CUDA 13.0 state them; names follow
// the vendor's, so that its documentation can be searched. abi_profiler_layout_test.cc compares each struct with the
// vendor's header where one is installed.
//
// A params struct begins with its size up to and including its last field (kStructSize: without trailing padding, as
// the library expects it); make one with abi::params<T>(). Standard library only: the agent and the fake GPU include
// this. Here are the library and its devices; the parts are abi_host.h, abi_range.h and abi_sampling.h, what they have
// in common abi_params.h. Elsewhere: activity and callbacks (abi_activity.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "collectors/cupti/abi_host.h"
#include "collectors/cupti/abi_params.h"
#include "collectors/cupti/abi_range.h"
#include "collectors/cupti/abi_sampling.h"

namespace ridge::collectors::cupti::abi {

struct ProfilerInitializeParams {
  std::size_t structSize;
  void* pPriv;
};
RIDGE_CUPTI_STRUCT(ProfilerInitializeParams, pPriv)

struct DeviceGetChipNameParams {
  std::size_t structSize;
  void* pPriv;
  std::size_t deviceIndex;
  const char* pChipName;  ///< out
};
RIDGE_CUPTI_STRUCT(DeviceGetChipNameParams, pChipName)

enum SupportLevel : int { kSupportUnknown = 0, kSupportUnsupported = 1, kSupportDisabled = 2, kSupportSupported = 3 };
enum ProfilerApi : int { kApiRangeProfiling = 0, kApiPcSampling = 1, kApiSassMetrics = 2, kApiPmSampling = 3 };

struct DeviceSupportedParams {
  std::size_t structSize;
  void* pPriv;
  int cuDevice;
  SupportLevel isSupported;                                             ///< out: all of the following are
  SupportLevel architecture, sli, vGpu, confidentialCompute, cmp, wsl;  ///< out
  ProfilerApi api;                                                      ///< in
};
RIDGE_CUPTI_STRUCT(DeviceSupportedParams, api)

// A call's type is its symbol without "cupti".
using GetVersion = Result(std::uint32_t*);
using GetTimestamp = Result(std::uint64_t*);
using GetResultString = Result(Result, const char**);
using ProfilerInitialize = Result(ProfilerInitializeParams*);
using ProfilerDeInitialize = Result(ProfilerInitializeParams*);
using DeviceGetChipName = Result(DeviceGetChipNameParams*);
using ProfilerDeviceSupported = Result(DeviceSupportedParams*);

}  // namespace ridge::collectors::cupti::abi
