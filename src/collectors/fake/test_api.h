// The exported functions that the fake GPU's tests call, as a program or a tool would after finding them by name.
#pragma once

#include "collectors/cupti/abi_callbacks.h"
#include "collectors/cupti/abi_profiler.h"

namespace ridge::collectors::fake {
namespace abi = cupti::abi;

// NOLINTBEGIN(readability-identifier-naming): the vendor's names
extern "C" {
int cuInit(unsigned);
int cuDriverGetVersion(int*);
int cuDeviceGetCount(int*);
int cuDeviceGetAttribute(int*, int, int);
int cuDeviceGetPCIBusId(char*, int, int);
int cuDevicePrimaryCtxRetain(abi::Context*, int);
int cuCtxSetCurrent(abi::Context);
int cuCtxSynchronize();
int cuStreamCreate(abi::Stream*, unsigned);
int cuModuleLoadData(void**, const void*);
int cuModuleGetFunction(void**, void*, const char*);
int cuLaunchKernel(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, abi::Stream, void**,
                   void**);
int cuMemcpyHtoDAsync_v2(unsigned long long, const void*, std::size_t, abi::Stream);

abi::ActivityRegisterCallbacks cuptiActivityRegisterCallbacks;
abi::ActivityEnable cuptiActivityEnable;
abi::ActivityFlushAll cuptiActivityFlushAll;
abi::ActivityGetNextRecord cuptiActivityGetNextRecord;
abi::ActivityGetNumDroppedRecords cuptiActivityGetNumDroppedRecords;
abi::Subscribe cuptiSubscribe;
abi::EnableCallback cuptiEnableCallback;
abi::EnableDomain cuptiEnableDomain;

abi::ProfilerInitialize cuptiProfilerInitialize;
abi::ProfilerHostInitialize cuptiProfilerHostInitialize;
abi::ProfilerHostConfigAddMetrics cuptiProfilerHostConfigAddMetrics;
abi::ProfilerHostGetConfigImageSize cuptiProfilerHostGetConfigImageSize;
abi::ProfilerHostGetConfigImage cuptiProfilerHostGetConfigImage;
abi::ProfilerHostGetNumOfPasses cuptiProfilerHostGetNumOfPasses;
abi::ProfilerHostEvaluateToGpuValues cuptiProfilerHostEvaluateToGpuValues;
abi::RangeProfilerEnable cuptiRangeProfilerEnable;
abi::RangeProfilerDisable cuptiRangeProfilerDisable;
abi::RangeProfilerGetCounterDataSize cuptiRangeProfilerGetCounterDataSize;
abi::RangeProfilerCounterDataImageInitialize cuptiRangeProfilerCounterDataImageInitialize;
abi::RangeProfilerSetConfig cuptiRangeProfilerSetConfig;
abi::RangeProfilerStart cuptiRangeProfilerStart;
abi::RangeProfilerStop cuptiRangeProfilerStop;
abi::RangeProfilerDecodeData cuptiRangeProfilerDecodeData;
abi::RangeProfilerPushRange cuptiRangeProfilerPushRange;
abi::RangeProfilerPopRange cuptiRangeProfilerPopRange;
abi::RangeProfilerGetCounterDataInfo cuptiRangeProfilerGetCounterDataInfo;
abi::PmSamplingEnable cuptiPmSamplingEnable;
abi::PmSamplingDisable cuptiPmSamplingDisable;
abi::PmSamplingGetCounterDataSize cuptiPmSamplingGetCounterDataSize;
abi::PmSamplingCounterDataImageInitialize cuptiPmSamplingCounterDataImageInitialize;
abi::PmSamplingSetConfig cuptiPmSamplingSetConfig;
abi::PmSamplingStart cuptiPmSamplingStart;
abi::PmSamplingStop cuptiPmSamplingStop;
abi::PmSamplingDecodeData cuptiPmSamplingDecodeData;
abi::PmSamplingGetCounterDataInfo cuptiPmSamplingGetCounterDataInfo;
abi::PmSamplingCounterDataGetSampleInfo cuptiPmSamplingCounterDataGetSampleInfo;

int nvmlInit_v2();
int nvmlDeviceGetHandleByPciBusId_v2(const char*, void**);
int nvmlDeviceGetClockInfo(void*, int, unsigned*);
int nvmlDeviceGetPowerUsage(void*, unsigned*);
}
// NOLINTEND(readability-identifier-naming)

/// Initialises, makes the context of device 0 current and finds a kernel.
inline void* start_gpu(const char* kernel, abi::Context& context) {
  void* module = nullptr;
  void* function = nullptr;
  if (cuInit(0) != 0 || cuDevicePrimaryCtxRetain(&context, 0) != 0 || cuCtxSetCurrent(context) != 0 ||
      cuModuleLoadData(&module, "fake") != 0 || cuModuleGetFunction(&function, module, kernel) != 0) {
    return nullptr;
  }
  return function;
}

inline int launch_once(void* function, unsigned blocks = 10, unsigned threads = 128) {
  return cuLaunchKernel(function, blocks, 1, 1, threads, 1, 1, 0, nullptr, nullptr, nullptr);
}

}  // namespace ridge::collectors::fake
