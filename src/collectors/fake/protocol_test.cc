// The driver, the callbacks and the activity records, as the agent meets them.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <string>
#include <vector>

#include "collectors/fake/test_api.h"
#include "collectors/fake/test_script.h"

namespace ridge::collectors::fake {
namespace {

constexpr const char* kOneKernel = "kernel k\n duration 20us\n registers 40\n shared 2KiB\nend\n";

std::vector<abi::ActivityKernel> kernels;

void requested(std::uint8_t** buffer, std::size_t* size, std::size_t* most) {
  *size = 4096;
  *most = 0;
  *buffer = static_cast<std::uint8_t*>(std::malloc(*size));
}

void completed(abi::Context /*context*/, std::uint32_t /*stream*/, std::uint8_t* buffer, std::size_t /*size*/,
               std::size_t valid) {
  abi::Activity* record = nullptr;
  while (cuptiActivityGetNextRecord(buffer, valid, &record) == abi::kSuccess) {
    if (record->kind == abi::kActivityConcurrentKernel) {
      kernels.push_back(*static_cast<const abi::ActivityKernel*>(static_cast<const void*>(record)));
    }
  }
  std::free(buffer);
}

void record_kernels() {
  EXPECT_EQ(cuptiActivityRegisterCallbacks(requested, completed), abi::kSuccess);
  EXPECT_EQ(cuptiActivityEnable(abi::kActivityConcurrentKernel), abi::kSuccess);
}

TEST(FakeDriverTest, CallsWantTheirOrder) {
  on_gpu(kOneKernel, [] {
    int count = 0;
    abi::Context context = nullptr;
    EXPECT_EQ(cuDeviceGetCount(&count), 3);
    EXPECT_EQ(cuInit(0), 0);
    EXPECT_EQ(cuDeviceGetCount(&count), 0);
    EXPECT_EQ(count, 1);
    void* module = nullptr;
    EXPECT_EQ(cuModuleLoadData(&module, "fake"), 201);
    EXPECT_EQ(cuDevicePrimaryCtxRetain(&context, 1), 101);
    void* const function = start_gpu("k", context);
    EXPECT_EQ(cuModuleGetFunction(&module, module, "other"), 400);
    EXPECT_EQ(launch_once(nullptr), 400);
    EXPECT_EQ(launch_once(function, 1, 1025), 1);
    EXPECT_EQ(launch_once(function), 0);
  });
}

TEST(FakeDriverTest, DevicesAreAsTheScriptSays) {
  on_gpu("driver 12040\ndevice\n sms 80\n capability 8.6\n address 00000000:1B:00.0\n attribute 36 9501000\nend\n", [] {
    int value = 0;
    char address[32];
    EXPECT_EQ(cuInit(0), 0);
    EXPECT_EQ(cuDriverGetVersion(&value), 0);
    EXPECT_EQ(value, 12040);
    EXPECT_EQ(cuDeviceGetAttribute(&value, 16, 0), 0);
    EXPECT_EQ(value, 80);
    EXPECT_EQ(cuDeviceGetAttribute(&value, 76, 0), 0);
    EXPECT_EQ(value, 6);
    EXPECT_EQ(cuDeviceGetAttribute(&value, 36, 0), 0);
    EXPECT_EQ(value, 9501000);
    EXPECT_EQ(cuDeviceGetAttribute(&value, 999, 0), 1);
    EXPECT_EQ(cuDeviceGetPCIBusId(address, sizeof(address), 0), 0);
    EXPECT_STREQ(address, "0000:1B:00.0");
    void* handle = nullptr;
    EXPECT_EQ(nvmlInit_v2(), 0);
    EXPECT_EQ(nvmlDeviceGetHandleByPciBusId_v2(address, &handle), 0);
  });
}

TEST(FakeDriverTest, WithoutAScriptThereIsNoDevice) {
  const ScriptFolder folder("lunch\n");
  on_gpu(folder, [] { EXPECT_EQ(cuInit(0), 100); });
}

TEST(FakeDriverTest, FaultsGiveTheirCodes) {
  on_gpu("fault init 803\nfault nvml 18\n", [] {
    EXPECT_EQ(cuInit(0), 803);
    EXPECT_EQ(nvmlInit_v2(), 18);
  });
  on_gpu("fault subscribe\nfault activity\n", [] {
    abi::Subscriber subscriber = nullptr;
    const auto callback = [](void*, std::uint32_t, std::uint32_t, const void*) {};
    EXPECT_EQ(cuptiSubscribe(&subscriber, callback, nullptr), abi::kErrorMultipleSubscribersNotSupported);
    EXPECT_EQ(cuptiActivityEnable(abi::kActivityConcurrentKernel), abi::kErrorInsufficientPrivileges);
  });
}

TEST(FakeActivityTest, AKernelHasItsConfigurationAndTimes) {
  on_gpu(kOneKernel, [] {
    abi::Context context = nullptr;
    void* const function = start_gpu("k", context);
    record_kernels();
    EXPECT_EQ(cuLaunchKernel(function, 4, 5, 6, 32, 2, 1, 1024, nullptr, nullptr, nullptr), 0);
    EXPECT_EQ(launch_once(function), 0);
    EXPECT_EQ(cuCtxSynchronize(), 0);
    EXPECT_EQ(cuptiActivityFlushAll(0), abi::kSuccess);
    ASSERT_EQ(kernels.size(), 2U);
    EXPECT_STREQ(kernels[0].name, "k");
    EXPECT_EQ(kernels[0].gridZ, 6);
    EXPECT_EQ(kernels[0].blockY, 2);
    EXPECT_EQ(kernels[0].dynamicSharedMemory, 1024);
    EXPECT_EQ(kernels[0].staticSharedMemory, 2048);
    EXPECT_EQ(kernels[0].registersPerThread, 40);
    EXPECT_EQ(kernels[0].end - kernels[0].start, 20'000U);
    EXPECT_GE(kernels[1].start, kernels[0].end);
    EXPECT_NE(kernels[0].correlationId, kernels[1].correlationId);
  });
}

TEST(FakeActivityTest, WhatRunsIsNotHandedOverUnlessForced) {
  on_gpu("kernel k\n duration 5s\nend\n", [] {
    abi::Context context = nullptr;
    void* const function = start_gpu("k", context);
    record_kernels();
    EXPECT_EQ(launch_once(function), 0);
    EXPECT_EQ(cuptiActivityFlushAll(0), abi::kSuccess);
    EXPECT_EQ(kernels.size(), 0U);
    EXPECT_EQ(cuptiActivityFlushAll(abi::kFlushForced), abi::kSuccess);
    ASSERT_EQ(kernels.size(), 1U);
    EXPECT_EQ(kernels[0].start + kernels[0].end, 0U);
  });
}

TEST(FakeActivityTest, RecordsThatAreLostAreCountedOnce) {
  on_gpu("kernel k\n duration 1us\nend\nfault drop 3 2\n", [] {
    abi::Context context = nullptr;
    void* const function = start_gpu("k", context);
    record_kernels();
    for (int i = 0; i < 10; ++i) EXPECT_EQ(launch_once(function), 0);
    EXPECT_EQ(cuCtxSynchronize(), 0);
    EXPECT_EQ(cuptiActivityFlushAll(0), abi::kSuccess);
    EXPECT_EQ(kernels.size(), 7U);
    std::size_t dropped = 0;
    EXPECT_EQ(cuptiActivityGetNumDroppedRecords(nullptr, 0, &dropped), abi::kSuccess);
    EXPECT_EQ(dropped, 3U);
    EXPECT_EQ(cuptiActivityGetNumDroppedRecords(nullptr, 0, &dropped), abi::kSuccess);
    EXPECT_EQ(dropped, 0U);
  });
}

struct Heard {
  std::vector<std::string> calls;
  std::uint32_t correlation = 0;
};
void listen(void* userdata, std::uint32_t domain, std::uint32_t cbid, const void* data) {
  auto& heard = *static_cast<Heard*>(userdata);
  if (domain == abi::kDomainResource) {
    heard.calls.push_back("resource " + std::to_string(cbid));
    return;
  }
  const auto& call = *static_cast<const abi::CallbackData*>(data);
  const std::string site = call.callbackSite == abi::kEnter ? "enter " : "exit ";
  heard.calls.push_back(site + call.functionName +
                        (call.symbolName == nullptr ? "" : std::string(" ") + call.symbolName));
  heard.correlation = call.correlationId;
  if (call.callbackSite == abi::kEnter) *call.correlationData = 5;
  EXPECT_EQ(*call.correlationData, 5U);
  if (cbid == abi::kCuLaunchKernel) {
    EXPECT_EQ(static_cast<const abi::LaunchKernelParams*>(call.functionParams)->gridDimX, 10U);
  }
  int count = 0;
  EXPECT_EQ(cuDeviceGetCount(&count), 0);  // calls from inside are not told
}

TEST(FakeCallbackTest, ALaunchIsToldBeforeAndAfterWithItsRecordsCorrelation) {
  on_gpu(kOneKernel, [] {
    static Heard heard;
    abi::Subscriber subscriber = nullptr;
    EXPECT_EQ(cuptiSubscribe(&subscriber, listen, &heard), abi::kSuccess);
    EXPECT_EQ(cuptiEnableDomain(1, subscriber, abi::kDomainResource), abi::kSuccess);
    EXPECT_EQ(cuptiEnableCallback(1, subscriber, abi::kDomainDriver, abi::kCuLaunchKernel), abi::kSuccess);
    EXPECT_EQ(cuptiSubscribe(&subscriber, listen, &heard), abi::kErrorMultipleSubscribersNotSupported);
    abi::Context context = nullptr;
    void* const function = start_gpu("k", context);
    record_kernels();
    EXPECT_EQ(launch_once(function), 0);
    EXPECT_EQ(cuCtxSynchronize(), 0);
    EXPECT_EQ(cuptiActivityFlushAll(0), abi::kSuccess);
    EXPECT_EQ(heard.calls, (std::vector<std::string>{"resource 1", "enter cuLaunchKernel k", "exit cuLaunchKernel k"}));
    ASSERT_EQ(kernels.size(), 1U);
    EXPECT_EQ(heard.correlation, kernels[0].correlationId);
  });
}

}  // namespace
}  // namespace ridge::collectors::fake
