// Our declarations of records, callbacks and calls' parameters against the vendor's headers, where a toolkit is
// installed. Records are compared with the shortest and the longest version that CUPTI 12 and 13 may write.
#include <cuda.h>
#include <cupti.h>
#include <gtest/gtest.h>
#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>
#define RIDGE_HAS_NVTX 1
#include <generated_nvtx_meta.h>
#endif

#include <cstddef>
#include <cstdint>

#include "collectors/cupti/abi_callbacks.h"
#include "collectors/cupti/abi_driver.h"

namespace ridge::collectors::cupti::abi {
namespace {

#define RIDGE_AT(own, field, vendor, theirs)                                    \
  EXPECT_EQ(offsetof(own, field), offsetof(vendor, theirs)) << #own "." #field; \
  EXPECT_EQ(sizeof(own::field), sizeof(vendor::theirs)) << #own "." #field
#define RIDGE_SAME(own, field, vendor) RIDGE_AT(own, field, vendor, field)

template <class Vendor>
void compare_kernel() {
  RIDGE_SAME(ActivityKernel, kind, Vendor);
  RIDGE_SAME(ActivityKernel, registersPerThread, Vendor);
  RIDGE_SAME(ActivityKernel, start, Vendor);
  RIDGE_SAME(ActivityKernel, end, Vendor);
  RIDGE_SAME(ActivityKernel, deviceId, Vendor);
  RIDGE_SAME(ActivityKernel, contextId, Vendor);
  RIDGE_SAME(ActivityKernel, streamId, Vendor);
  RIDGE_SAME(ActivityKernel, gridX, Vendor);
  RIDGE_SAME(ActivityKernel, gridZ, Vendor);
  RIDGE_SAME(ActivityKernel, blockX, Vendor);
  RIDGE_SAME(ActivityKernel, blockZ, Vendor);
  RIDGE_SAME(ActivityKernel, staticSharedMemory, Vendor);
  RIDGE_SAME(ActivityKernel, dynamicSharedMemory, Vendor);
  RIDGE_SAME(ActivityKernel, localMemoryPerThread, Vendor);
  RIDGE_SAME(ActivityKernel, correlationId, Vendor);
  RIDGE_SAME(ActivityKernel, gridId, Vendor);
  RIDGE_SAME(ActivityKernel, name, Vendor);
  RIDGE_SAME(ActivityKernel, launchType, Vendor);
  RIDGE_SAME(ActivityKernel, sharedMemoryExecuted, Vendor);
  RIDGE_SAME(ActivityKernel, graphNodeId, Vendor);
  RIDGE_SAME(ActivityKernel, graphId, Vendor);
  RIDGE_SAME(ActivityKernel, channelType, Vendor);
  RIDGE_SAME(ActivityKernel, clusterX, Vendor);
  RIDGE_SAME(ActivityKernel, clusterZ, Vendor);
  RIDGE_SAME(ActivityKernel, localMemoryTotal_v2, Vendor);
  EXPECT_LE(sizeof(ActivityKernel), sizeof(Vendor));
}

template <class Vendor>
void compare_memcpy() {
  RIDGE_SAME(ActivityMemcpy, kind, Vendor);
  RIDGE_SAME(ActivityMemcpy, copyKind, Vendor);
  RIDGE_SAME(ActivityMemcpy, srcKind, Vendor);
  RIDGE_SAME(ActivityMemcpy, dstKind, Vendor);
  RIDGE_SAME(ActivityMemcpy, bytes, Vendor);
  RIDGE_SAME(ActivityMemcpy, start, Vendor);
  RIDGE_SAME(ActivityMemcpy, end, Vendor);
  RIDGE_SAME(ActivityMemcpy, deviceId, Vendor);
  RIDGE_SAME(ActivityMemcpy, contextId, Vendor);
  RIDGE_SAME(ActivityMemcpy, streamId, Vendor);
  RIDGE_SAME(ActivityMemcpy, correlationId, Vendor);
  RIDGE_SAME(ActivityMemcpy, graphNodeId, Vendor);
  EXPECT_LE(sizeof(ActivityMemcpy), sizeof(Vendor));
}

template <class Vendor>
void compare_memory() {
  RIDGE_SAME(ActivityMemory, kind, Vendor);
  RIDGE_SAME(ActivityMemory, memoryOperationType, Vendor);
  RIDGE_SAME(ActivityMemory, memoryKind, Vendor);
  RIDGE_SAME(ActivityMemory, correlationId, Vendor);
  RIDGE_SAME(ActivityMemory, address, Vendor);
  RIDGE_SAME(ActivityMemory, bytes, Vendor);
  RIDGE_SAME(ActivityMemory, timestamp, Vendor);
  RIDGE_SAME(ActivityMemory, deviceId, Vendor);
  RIDGE_SAME(ActivityMemory, contextId, Vendor);
  RIDGE_SAME(ActivityMemory, streamId, Vendor);
  RIDGE_SAME(ActivityMemory, name, Vendor);
  RIDGE_SAME(ActivityMemory, isAsync, Vendor);
  EXPECT_LE(sizeof(ActivityMemory), sizeof(Vendor));
}

template <class Vendor>
void compare_unified() {
  RIDGE_SAME(ActivityUnifiedMemory, kind, Vendor);
  RIDGE_SAME(ActivityUnifiedMemory, counterKind, Vendor);
  RIDGE_SAME(ActivityUnifiedMemory, value, Vendor);
  RIDGE_SAME(ActivityUnifiedMemory, start, Vendor);
  RIDGE_SAME(ActivityUnifiedMemory, end, Vendor);
  RIDGE_SAME(ActivityUnifiedMemory, srcId, Vendor);
  RIDGE_SAME(ActivityUnifiedMemory, dstId, Vendor);
  RIDGE_SAME(ActivityUnifiedMemory, streamId, Vendor);
  EXPECT_LE(sizeof(ActivityUnifiedMemory), sizeof(Vendor));
}

template <class Vendor>
void compare_synchronization() {
  RIDGE_SAME(ActivitySynchronization, kind, Vendor);
  RIDGE_SAME(ActivitySynchronization, type, Vendor);
  RIDGE_SAME(ActivitySynchronization, start, Vendor);
  RIDGE_SAME(ActivitySynchronization, end, Vendor);
  RIDGE_SAME(ActivitySynchronization, correlationId, Vendor);
  RIDGE_SAME(ActivitySynchronization, contextId, Vendor);
  RIDGE_SAME(ActivitySynchronization, streamId, Vendor);
  EXPECT_LE(sizeof(ActivitySynchronization), sizeof(Vendor));
}

TEST(ActivityAbi, RecordsOfTwelveBeginAsOurs) {
  compare_kernel<CUpti_ActivityKernel9>();
  compare_memcpy<CUpti_ActivityMemcpy5>();
  compare_memory<CUpti_ActivityMemory3>();
  compare_unified<CUpti_ActivityUnifiedMemoryCounter2>();
  compare_synchronization<CUpti_ActivitySynchronization>();
}

#if CUPTI_API_VERSION >= 130000
TEST(ActivityAbi, RecordsOfThirteenBeginAsOurs) {
  compare_kernel<CUpti_ActivityKernel10>();
  compare_memcpy<CUpti_ActivityMemcpy6>();
  compare_memory<CUpti_ActivityMemory4>();
  compare_unified<CUpti_ActivityUnifiedMemoryCounter3>();
  compare_synchronization<CUpti_ActivitySynchronization2>();
}
#endif

TEST(ActivityAbi, RecordsThatDidNotGrow) {
  RIDGE_SAME(ActivityMemcpyPtoP, srcKind, CUpti_ActivityMemcpyPtoP4);
  RIDGE_SAME(ActivityMemcpyPtoP, bytes, CUpti_ActivityMemcpyPtoP4);
  RIDGE_SAME(ActivityMemcpyPtoP, start, CUpti_ActivityMemcpyPtoP4);
  RIDGE_SAME(ActivityMemcpyPtoP, end, CUpti_ActivityMemcpyPtoP4);
  RIDGE_SAME(ActivityMemcpyPtoP, streamId, CUpti_ActivityMemcpyPtoP4);
  RIDGE_SAME(ActivityMemcpyPtoP, srcDeviceId, CUpti_ActivityMemcpyPtoP4);
  RIDGE_SAME(ActivityMemcpyPtoP, srcContextId, CUpti_ActivityMemcpyPtoP4);
  RIDGE_SAME(ActivityMemcpyPtoP, dstDeviceId, CUpti_ActivityMemcpyPtoP4);
  RIDGE_SAME(ActivityMemcpyPtoP, correlationId, CUpti_ActivityMemcpyPtoP4);
  EXPECT_LE(sizeof(ActivityMemcpyPtoP), sizeof(CUpti_ActivityMemcpyPtoP4));
  RIDGE_SAME(ActivityMemset, value, CUpti_ActivityMemset4);
  RIDGE_SAME(ActivityMemset, bytes, CUpti_ActivityMemset4);
  RIDGE_SAME(ActivityMemset, start, CUpti_ActivityMemset4);
  RIDGE_SAME(ActivityMemset, end, CUpti_ActivityMemset4);
  RIDGE_SAME(ActivityMemset, deviceId, CUpti_ActivityMemset4);
  RIDGE_SAME(ActivityMemset, correlationId, CUpti_ActivityMemset4);
  RIDGE_SAME(ActivityMemset, memoryKind, CUpti_ActivityMemset4);
  RIDGE_SAME(ActivityMemset, graphNodeId, CUpti_ActivityMemset4);
  EXPECT_LE(sizeof(ActivityMemset), sizeof(CUpti_ActivityMemset4));
  RIDGE_SAME(ActivityApi, cbid, CUpti_ActivityAPI);
  RIDGE_SAME(ActivityApi, start, CUpti_ActivityAPI);
  RIDGE_SAME(ActivityApi, end, CUpti_ActivityAPI);
  RIDGE_SAME(ActivityApi, processId, CUpti_ActivityAPI);
  RIDGE_SAME(ActivityApi, threadId, CUpti_ActivityAPI);
  RIDGE_SAME(ActivityApi, correlationId, CUpti_ActivityAPI);
  RIDGE_SAME(ActivityApi, returnValue, CUpti_ActivityAPI);
  EXPECT_EQ(sizeof(ActivityApi), sizeof(CUpti_ActivityAPI));
  RIDGE_SAME(ActivityMarker, flags, CUpti_ActivityMarker2);
  RIDGE_SAME(ActivityMarker, timestamp, CUpti_ActivityMarker2);
  RIDGE_SAME(ActivityMarker, id, CUpti_ActivityMarker2);
  RIDGE_AT(ActivityMarker, threadId, CUpti_ActivityMarker2, objectId.pt.threadId);
  RIDGE_SAME(ActivityMarker, name, CUpti_ActivityMarker2);
  RIDGE_SAME(ActivityMarker, domain, CUpti_ActivityMarker2);
  EXPECT_EQ(sizeof(ActivityMarker), sizeof(CUpti_ActivityMarker2));
  RIDGE_SAME(UnifiedMemoryCounterConfig, scope, CUpti_ActivityUnifiedMemoryCounterConfig);
  RIDGE_SAME(UnifiedMemoryCounterConfig, kind, CUpti_ActivityUnifiedMemoryCounterConfig);
  RIDGE_SAME(UnifiedMemoryCounterConfig, deviceId, CUpti_ActivityUnifiedMemoryCounterConfig);
  RIDGE_SAME(UnifiedMemoryCounterConfig, enable, CUpti_ActivityUnifiedMemoryCounterConfig);
  EXPECT_EQ(sizeof(UnifiedMemoryCounterConfig), sizeof(CUpti_ActivityUnifiedMemoryCounterConfig));
}

#define RIDGE_VALUE(own, vendor) EXPECT_EQ(static_cast<std::uint32_t>(own), static_cast<std::uint32_t>(vendor)) << #own

TEST(ActivityAbi, Values) {
  RIDGE_VALUE(kActivityMemcpy, CUPTI_ACTIVITY_KIND_MEMCPY);
  RIDGE_VALUE(kActivityMemset, CUPTI_ACTIVITY_KIND_MEMSET);
  RIDGE_VALUE(kActivityKernel, CUPTI_ACTIVITY_KIND_KERNEL);
  RIDGE_VALUE(kActivityDriver, CUPTI_ACTIVITY_KIND_DRIVER);
  RIDGE_VALUE(kActivityRuntime, CUPTI_ACTIVITY_KIND_RUNTIME);
  RIDGE_VALUE(kActivityConcurrentKernel, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  RIDGE_VALUE(kActivityMarker, CUPTI_ACTIVITY_KIND_MARKER);
  RIDGE_VALUE(kActivityMemcpy2, CUPTI_ACTIVITY_KIND_MEMCPY2);
  RIDGE_VALUE(kActivityUnifiedMemoryCounter, CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER);
  RIDGE_VALUE(kActivitySynchronization, CUPTI_ACTIVITY_KIND_SYNCHRONIZATION);
  RIDGE_VALUE(kActivityMemory2, CUPTI_ACTIVITY_KIND_MEMORY2);
  RIDGE_VALUE(kMemoryPageable, CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE);
  RIDGE_VALUE(kMemoryPinned, CUPTI_ACTIVITY_MEMORY_KIND_PINNED);
  RIDGE_VALUE(kMemoryDevice, CUPTI_ACTIVITY_MEMORY_KIND_DEVICE);
  RIDGE_VALUE(kMemoryArray, CUPTI_ACTIVITY_MEMORY_KIND_ARRAY);
  RIDGE_VALUE(kMemoryManaged, CUPTI_ACTIVITY_MEMORY_KIND_MANAGED);
  RIDGE_VALUE(kMemoryDeviceStatic, CUPTI_ACTIVITY_MEMORY_KIND_DEVICE_STATIC);
  RIDGE_VALUE(kMemoryManagedStatic, CUPTI_ACTIVITY_MEMORY_KIND_MANAGED_STATIC);
  RIDGE_VALUE(kMemoryAllocation, CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_ALLOCATION);
  RIDGE_VALUE(kMemoryRelease, CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE);
  RIDGE_VALUE(kMarkerInstantaneous, CUPTI_ACTIVITY_FLAG_MARKER_INSTANTANEOUS);
  RIDGE_VALUE(kMarkerStart, CUPTI_ACTIVITY_FLAG_MARKER_START);
  RIDGE_VALUE(kMarkerEnd, CUPTI_ACTIVITY_FLAG_MARKER_END);
  RIDGE_VALUE(kUnifiedBytesHtod, CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD);
  RIDGE_VALUE(kUnifiedBytesDtoh, CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH);
  RIDGE_VALUE(kUnifiedCpuPageFaults, CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_CPU_PAGE_FAULT_COUNT);
  RIDGE_VALUE(kUnifiedGpuPageFault, CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT);
  RIDGE_VALUE(kUnifiedBytesDtod, CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOD);
  RIDGE_VALUE(kUnifiedScopeSingleDevice, CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_SCOPE_PROCESS_SINGLE_DEVICE);
  RIDGE_VALUE(kSynchronizeEvent, CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE);
  RIDGE_VALUE(kStreamWaitEvent, CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT);
  RIDGE_VALUE(kSynchronizeStream, CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE);
  RIDGE_VALUE(kSynchronizeContext, CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE);
  RIDGE_VALUE(kFlushForced, CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  RIDGE_VALUE(kThreadIdSystem, CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM);
}

TEST(CallbackAbi, Data) {
  RIDGE_SAME(CallbackData, callbackSite, CUpti_CallbackData);
  RIDGE_SAME(CallbackData, functionName, CUpti_CallbackData);
  RIDGE_SAME(CallbackData, functionParams, CUpti_CallbackData);
  RIDGE_SAME(CallbackData, functionReturnValue, CUpti_CallbackData);
  RIDGE_SAME(CallbackData, symbolName, CUpti_CallbackData);
  RIDGE_SAME(CallbackData, context, CUpti_CallbackData);
  RIDGE_SAME(CallbackData, contextUid, CUpti_CallbackData);
  RIDGE_SAME(CallbackData, correlationData, CUpti_CallbackData);
  RIDGE_SAME(CallbackData, correlationId, CUpti_CallbackData);
  EXPECT_EQ(sizeof(CallbackData), sizeof(CUpti_CallbackData));
  RIDGE_SAME(ResourceData, context, CUpti_ResourceData);
  RIDGE_SAME(ResourceData, resourceDescriptor, CUpti_ResourceData);
  RIDGE_SAME(NvtxData, functionParams, CUpti_NvtxData);
  RIDGE_SAME(NvtxData, functionReturnValue, CUpti_NvtxData);
}

TEST(CallbackAbi, Values) {
  RIDGE_VALUE(kDomainDriver, CUPTI_CB_DOMAIN_DRIVER_API);
  RIDGE_VALUE(kDomainRuntime, CUPTI_CB_DOMAIN_RUNTIME_API);
  RIDGE_VALUE(kDomainResource, CUPTI_CB_DOMAIN_RESOURCE);
  RIDGE_VALUE(kDomainNvtx, CUPTI_CB_DOMAIN_NVTX);
  RIDGE_VALUE(kEnter, CUPTI_API_ENTER);
  RIDGE_VALUE(kExit, CUPTI_API_EXIT);
  RIDGE_VALUE(kContextCreated, CUPTI_CBID_RESOURCE_CONTEXT_CREATED);
  RIDGE_VALUE(kContextDestroyStarting, CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING);
  RIDGE_VALUE(kCuLaunchKernel, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel);
  RIDGE_VALUE(kCuProfilerStart, CUPTI_DRIVER_TRACE_CBID_cuProfilerStart);
  RIDGE_VALUE(kCuProfilerStop, CUPTI_DRIVER_TRACE_CBID_cuProfilerStop);
  RIDGE_VALUE(kCuLaunchKernelPtsz, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz);
  RIDGE_VALUE(kCuLaunchCooperativeKernel, CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel);
  RIDGE_VALUE(kCuLaunchCooperativeKernelPtsz, CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz);
  RIDGE_VALUE(kCuLaunchCooperativeKernelMultiDevice, CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernelMultiDevice);
  RIDGE_VALUE(kCuStreamBeginCapture, CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture);
  RIDGE_VALUE(kCuStreamBeginCapturePtsz, CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_ptsz);
  RIDGE_VALUE(kCuStreamEndCapture, CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture);
  RIDGE_VALUE(kCuStreamEndCapturePtsz, CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture_ptsz);
  RIDGE_VALUE(kCuGraphLaunch, CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch);
  RIDGE_VALUE(kCuGraphLaunchPtsz, CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz);
  RIDGE_VALUE(kCuStreamBeginCaptureV2, CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2);
  RIDGE_VALUE(kCuStreamBeginCaptureV2Ptsz, CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2_ptsz);
  RIDGE_VALUE(kCuLaunchKernelEx, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx);
  RIDGE_VALUE(kCuLaunchKernelExPtsz, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz);
  RIDGE_VALUE(kCuStreamBeginCaptureToGraph, CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCaptureToGraph);
  RIDGE_VALUE(kCuStreamBeginCaptureToGraphPtsz, CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCaptureToGraph_ptsz);
}

template <class Vendor>
void compare_launch() {
  RIDGE_SAME(LaunchKernelParams, f, Vendor);
  RIDGE_SAME(LaunchKernelParams, gridDimX, Vendor);
  RIDGE_SAME(LaunchKernelParams, gridDimZ, Vendor);
  RIDGE_SAME(LaunchKernelParams, blockDimX, Vendor);
  RIDGE_SAME(LaunchKernelParams, blockDimZ, Vendor);
  RIDGE_SAME(LaunchKernelParams, sharedMemBytes, Vendor);
  RIDGE_SAME(LaunchKernelParams, hStream, Vendor);
  RIDGE_SAME(LaunchKernelParams, kernelParams, Vendor);
}

TEST(DriverAbi, ParametersOfLaunches) {
  compare_launch<cuLaunchKernel_params>();
  compare_launch<cuLaunchKernel_ptsz_params>();
  compare_launch<cuLaunchCooperativeKernel_params>();
  compare_launch<cuLaunchCooperativeKernel_ptsz_params>();
  RIDGE_SAME(LaunchKernelParams, extra, cuLaunchKernel_params);
  RIDGE_SAME(LaunchKernelExParams, config, cuLaunchKernelEx_params);
  RIDGE_SAME(LaunchKernelExParams, f, cuLaunchKernelEx_params);
  RIDGE_SAME(LaunchKernelExParams, extra, cuLaunchKernelEx_ptsz_params);
  RIDGE_SAME(LaunchConfig, gridDimX, CUlaunchConfig);
  RIDGE_SAME(LaunchConfig, blockDimZ, CUlaunchConfig);
  RIDGE_SAME(LaunchConfig, sharedMemBytes, CUlaunchConfig);
  RIDGE_SAME(LaunchConfig, hStream, CUlaunchConfig);
  RIDGE_SAME(LaunchConfig, attrs, CUlaunchConfig);
  RIDGE_SAME(LaunchConfig, numAttrs, CUlaunchConfig);
  EXPECT_EQ(sizeof(LaunchConfig), sizeof(CUlaunchConfig));
  RIDGE_SAME(LaunchAttribute, id, CUlaunchAttribute);
  RIDGE_SAME(LaunchAttribute, value, CUlaunchAttribute);
  RIDGE_AT(LaunchAttribute, value.cooperative, CUlaunchAttribute, value.cooperative);
  EXPECT_EQ(sizeof(LaunchAttribute), sizeof(CUlaunchAttribute));
  RIDGE_VALUE(kLaunchAttributeCooperative, CU_LAUNCH_ATTRIBUTE_COOPERATIVE);
  RIDGE_SAME(GraphLaunchParams, hGraph, cuGraphLaunch_params);
  RIDGE_SAME(GraphLaunchParams, hStream, cuGraphLaunch_params);
  RIDGE_VALUE(driver::kCapabilityMajor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  RIDGE_VALUE(driver::kCapabilityMinor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  EXPECT_GE(driver::kLastAttribute, CU_DEVICE_ATTRIBUTE_MAX - 1);
  EXPECT_EQ(sizeof(driver::Uuid), sizeof(CUuuid));
}

#ifdef RIDGE_HAS_NVTX
TEST(NvtxAbi, ParametersAndValues) {
  RIDGE_SAME(NvtxEventAttributes, version, nvtxEventAttributes_t);
  RIDGE_SAME(NvtxEventAttributes, size, nvtxEventAttributes_t);
  RIDGE_SAME(NvtxEventAttributes, payload, nvtxEventAttributes_t);
  RIDGE_SAME(NvtxEventAttributes, messageType, nvtxEventAttributes_t);
  RIDGE_SAME(NvtxEventAttributes, message, nvtxEventAttributes_t);
  EXPECT_EQ(sizeof(NvtxEventAttributes), sizeof(nvtxEventAttributes_t));
  RIDGE_VALUE(kNvtxAscii, NVTX_MESSAGE_TYPE_ASCII);
  RIDGE_VALUE(kNvtxUnicode, NVTX_MESSAGE_TYPE_UNICODE);
  RIDGE_VALUE(kNvtxRegistered, NVTX_MESSAGE_TYPE_REGISTERED);
  RIDGE_SAME(NvtxTextParams, message, nvtxRangePushA_params);
  RIDGE_SAME(NvtxEventParams, eventAttrib, nvtxRangePushEx_params);
  RIDGE_SAME(NvtxDomainEventParams, domain, nvtxDomainRangePushEx_params);
  RIDGE_AT(NvtxDomainEventParams, eventAttrib, nvtxDomainRangePushEx_params, core.eventAttrib);
  RIDGE_SAME(NvtxDomainParams, domain, nvtxDomainRangePop_params);
  RIDGE_SAME(NvtxEndParams, id, nvtxRangeEnd_params);
  RIDGE_AT(NvtxDomainEndParams, id, nvtxDomainRangeEnd_params, core.id);
  RIDGE_SAME(NvtxRegisterParams, string, nvtxDomainRegisterStringA_params);
  RIDGE_VALUE(kNvtxRangeStartA, CUPTI_CBID_NVTX_nvtxRangeStartA);
  RIDGE_VALUE(kNvtxRangeStartEx, CUPTI_CBID_NVTX_nvtxRangeStartEx);
  RIDGE_VALUE(kNvtxRangeEnd, CUPTI_CBID_NVTX_nvtxRangeEnd);
  RIDGE_VALUE(kNvtxRangePushA, CUPTI_CBID_NVTX_nvtxRangePushA);
  RIDGE_VALUE(kNvtxRangePushEx, CUPTI_CBID_NVTX_nvtxRangePushEx);
  RIDGE_VALUE(kNvtxRangePop, CUPTI_CBID_NVTX_nvtxRangePop);
  RIDGE_VALUE(kNvtxDomainRangeStartEx, CUPTI_CBID_NVTX_nvtxDomainRangeStartEx);
  RIDGE_VALUE(kNvtxDomainRangeEnd, CUPTI_CBID_NVTX_nvtxDomainRangeEnd);
  RIDGE_VALUE(kNvtxDomainRangePushEx, CUPTI_CBID_NVTX_nvtxDomainRangePushEx);
  RIDGE_VALUE(kNvtxDomainRangePop, CUPTI_CBID_NVTX_nvtxDomainRangePop);
  RIDGE_VALUE(kNvtxDomainRegisterStringA, CUPTI_CBID_NVTX_nvtxDomainRegisterStringA);
}
#endif

}  // namespace
}  // namespace ridge::collectors::cupti::abi
