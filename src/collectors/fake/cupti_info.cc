// What CUPTI says about itself: version, names of errors and of calls.
#include <iterator>

#include "collectors/cupti/abi_callbacks.h"
#include "collectors/fake/export.h"
#include "collectors/fake/profiler_common.h"

namespace ridge::collectors::fake {
namespace {

struct Named {
  std::uint32_t number;
  const char* name;
};

constexpr Named kResults[] = {
    {0, "CUPTI_SUCCESS"},
    {1, "CUPTI_ERROR_INVALID_PARAMETER"},
    {2, "CUPTI_ERROR_INVALID_DEVICE"},
    {3, "CUPTI_ERROR_INVALID_CONTEXT"},
    {7, "CUPTI_ERROR_INVALID_OPERATION"},
    {8, "CUPTI_ERROR_OUT_OF_MEMORY"},
    {9, "CUPTI_ERROR_HARDWARE"},
    {11, "CUPTI_ERROR_API_NOT_IMPLEMENTED"},
    {12, "CUPTI_ERROR_MAX_LIMIT_REACHED"},
    {13, "CUPTI_ERROR_NOT_READY"},
    {14, "CUPTI_ERROR_NOT_COMPATIBLE"},
    {15, "CUPTI_ERROR_NOT_INITIALIZED"},
    {17, "CUPTI_ERROR_INVALID_METRIC_NAME"},
    {21, "CUPTI_ERROR_INVALID_KIND"},
    {26, "CUPTI_ERROR_HARDWARE_BUSY"},
    {27, "CUPTI_ERROR_NOT_SUPPORTED"},
    {33, "CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED"},
    {35, "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES"},
    {36, "CUPTI_ERROR_OLD_PROFILER_API_INITIALIZED"},
    {38, "CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED"},
    {39, "CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED"},
    {40, "CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES"},
    {41, "CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED"},
    {42, "CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED"},
    {43, "CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED"},
    {44, "CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED"},
    {45, "CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED"},
    {46, "CUPTI_ERROR_INVALID_CHIP_NAME"},
    {999, "CUPTI_ERROR_UNKNOWN"},
};

constexpr Named kDriverCalls[] = {
    {1, "cuInit"},
    {17, "cuCtxSynchronize"},
    {20, "cuModuleLoadDataEx"},
    {124, "cuStreamCreate"},
    {126, "cuStreamSynchronize"},
    {216, "cuMemsetD8Async"},
    {235, "cuCtxCreate_v2"},
    {243, "cuMemAlloc_v2"},
    {245, "cuMemFree_v2"},
    {249, "cuMemsetD8_v2"},
    {276, "cuMemcpyHtoD_v2"},
    {277, "cuMemcpyHtoDAsync_v2"},
    {278, "cuMemcpyDtoH_v2"},
    {279, "cuMemcpyDtoHAsync_v2"},
    {280, "cuMemcpyDtoD_v2"},
    {281, "cuMemcpyDtoDAsync_v2"},
    {307, "cuLaunchKernel"},
    {308, "cuProfilerStart"},
    {309, "cuProfilerStop"},
    {322, "cuCtxDestroy_v2"},
    {386, "cuDevicePrimaryCtxRetain"},
    {477, "cuLaunchCooperativeKernel"},
    {514, "cuGraphLaunch"},
    {544, "cuDevicePrimaryCtxRelease_v2"},
    {652, "cuLaunchKernelEx"},
};

constexpr Named kRuntimeCalls[] = {
    {31, "cudaMemcpy_v3020"},         {41, "cudaMemcpyAsync_v3020"},
    {51, "cudaMemsetAsync_v3020"},    {165, "cudaDeviceSynchronize_v3020"},
    {171, "cudaProfilerStart_v4000"}, {172, "cudaProfilerStop_v4000"},
    {211, "cudaLaunchKernel_v7000"},  {269, "cudaLaunchCooperativeKernel_v9000"},
    {311, "cudaGraphLaunch_v10000"},
};

template <std::size_t kSize>
abi::Result find(const Named (&names)[kSize], std::uint32_t number, const char** text) {
  if (text == nullptr) return abi::kErrorInvalidParameter;
  for (const Named& one : names) {
    if (one.number != number) continue;
    *text = one.name;
    return abi::kSuccess;
  }
  return abi::kErrorInvalidParameter;
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): the vendor's names
RIDGE_FAKE_EXPORT abi::Result cuptiGetVersion(std::uint32_t* version) {
  if (version == nullptr) return abi::kErrorInvalidParameter;
  *version = world() == nullptr ? 130000 : world()->script.cupti_version;
  return abi::kSuccess;
}

RIDGE_FAKE_EXPORT abi::Result cuptiGetResultString(abi::Result result, const char** text) {
  return find(kResults, static_cast<std::uint32_t>(result), text);
}

RIDGE_FAKE_EXPORT abi::Result cuptiGetCallbackName(std::uint32_t domain, std::uint32_t cbid, const char** name) {
  if (domain == abi::kDomainDriver) return find(kDriverCalls, cbid, name);
  if (domain == abi::kDomainRuntime) return find(kRuntimeCalls, cbid, name);
  return abi::kErrorInvalidParameter;
}

RIDGE_FAKE_EXPORT abi::Result cuptiFinalize() {
  return abi::kSuccess;
}

// NOLINTEND(readability-identifier-naming)

}  // namespace ridge::collectors::fake
