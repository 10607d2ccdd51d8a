// The management library's answers, given by functions of this file: what it does not tell is missing, never 0.
#include "collectors/nvml/nvml.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "collectors/nvml/calls.h"

namespace ridge::collectors::nvml {
namespace {

constexpr Status kNotSupported = 3, kNotFound = 6;

/// The library's state, played.
struct Played {
  int initialised = 0;
  unsigned processes = 2;
  Status power = kSuccess;
};
Played played;

Handle handle_of(unsigned number) {
  return reinterpret_cast<Handle>(std::uintptr_t{number} + 1);
}

/// With its terminating zero, as the library writes it.
void put(std::string_view text, char* to) {
  *std::copy(text.begin(), text.end(), to) = '\0';
}

Calls calls_of_two_gpus() {
  played = {};
  Calls calls;
  calls.init = [] { return ++played.initialised, kSuccess; };
  calls.shutdown = [] { return --played.initialised, kSuccess; };
  calls.error = [](Status) { return "Not Supported"; };
  calls.count = [](unsigned* count) { return *count = 3, kSuccess; };
  calls.by_index = [](unsigned index, Handle* handle) {
    if (index == 1) return kNotFound;  // a lost GPU between two that answer
    *handle = handle_of(index);
    return kSuccess;
  };
  calls.by_address = [](const char* address, Handle* handle) {
    if (std::strcmp(address, "0000:3b:00.0") != 0) return kNotFound;
    *handle = handle_of(0);
    return kSuccess;
  };
  calls.name = [](Handle handle, char* text, unsigned) {
    put(handle == handle_of(0) ? "First" : "Third", text);
    return kSuccess;
  };
  calls.pci = [](Handle, PciInfo* pci) {
    put("00000000:3B:00.0", pci->address);
    return kSuccess;
  };
  calls.capability = [](Handle, int* major, int* minor) { return *major = 9, *minor = 0, kSuccess; };
  calls.clock = [](Handle, int which, unsigned* value) { return *value = which == kSmClock ? 1980 : 2619, kSuccess; };
  calls.power = [](Handle, unsigned* milliwatts) { return *milliwatts = 412500, played.power; };
  calls.temperature = [](Handle, int, unsigned* celsius) { return *celsius = 57, kSuccess; };
  calls.throttle = [](Handle, unsigned long long* reasons) { return *reasons = 0x24, kSuccess; };
  calls.processes = [](Handle, unsigned* count, ProcessInfo* list) {
    if (*count < played.processes) return *count = played.processes, kInsufficientSize;
    *count = played.processes;
    for (unsigned i = 0; i < played.processes; ++i) list[i] = {100 + i, i == 0 ? ~0ULL : 4096, ~0U, ~0U};
    return kSuccess;
  };
  return calls;
}

TEST(NvmlTest, AReadingHoldsClocksPowerTemperatureAndWhatSlows) {
  const auto nvml = Nvml::over(calls_of_two_gpus());
  ASSERT_TRUE(nvml);
  const auto gpu = nvml->at("0000:3b:00.0");
  ASSERT_TRUE(gpu);
  const device::Reading reading = (*gpu)->read();
  EXPECT_EQ(reading.sm_clock->count(), 1.98e9);
  EXPECT_EQ(reading.memory_clock->count(), 2.619e9);
  EXPECT_DOUBLE_EQ(*reading.watts, 412.5);
  EXPECT_EQ(*reading.celsius, 57);
  EXPECT_EQ(*reading.throttle_reasons, 0x24);
}

TEST(NvmlTest, WhatIsNotToldIsMissingWithTheLibrarysWords) {
  Calls calls = calls_of_two_gpus();
  calls.throttle = nullptr;
  played.power = kNotSupported;
  const auto nvml = Nvml::over(calls);
  ASSERT_TRUE(nvml);
  const auto gpu = nvml->at("0000:3b:00.0");
  ASSERT_TRUE(gpu);
  const device::Reading reading = (*gpu)->read();
  EXPECT_FALSE(reading.watts);
  EXPECT_EQ(reading.watts.reason().text(), "NVML does not tell: Not Supported");
  EXPECT_FALSE(reading.throttle_reasons);
  EXPECT_FALSE((*gpu)->mig());
  EXPECT_FALSE((*gpu)->utilisation());
  EXPECT_FALSE((*gpu)->max_sm_clock());
  EXPECT_FALSE(nvml->driver_version());
}

TEST(NvmlTest, ALostGpuDoesNotHideTheOthers) {
  const auto nvml = Nvml::over(calls_of_two_gpus());
  ASSERT_TRUE(nvml);
  const auto gpus = nvml->gpus();
  ASSERT_TRUE(gpus);
  ASSERT_EQ(gpus->size(), 2U);
  EXPECT_EQ(gpus->front()->identity().name, "First");
  EXPECT_EQ(gpus->back()->identity().name, "Third");
  EXPECT_EQ(gpus->front()->identity().address, "00000000:3B:00.0");
  EXPECT_EQ(gpus->front()->identity().capability, 90);
  EXPECT_EQ(gpus->front()->identity().uuid, "");
}

TEST(NvmlTest, ProcessesAreAllListedHoweverMany) {
  const auto nvml = Nvml::over(calls_of_two_gpus());
  ASSERT_TRUE(nvml);
  const auto gpu = nvml->at("0000:3b:00.0");
  ASSERT_TRUE(gpu);
  played.processes = 300;
  const auto processes = (*gpu)->processes();
  ASSERT_TRUE(processes);
  ASSERT_EQ(processes->size(), 300U);
  EXPECT_EQ(processes->front().id, 100U);
  EXPECT_FALSE(processes->front().memory);
  EXPECT_EQ((*processes)[1].memory->count(), 4096);
}

TEST(NvmlTest, TheLibraryIsShutDownWithTheLastOwner) {
  {
    std::unique_ptr<Gpu> kept;
    {
      const auto nvml = Nvml::over(calls_of_two_gpus());
      ASSERT_TRUE(nvml);
      auto gpu = nvml->at("0000:3b:00.0");
      ASSERT_TRUE(gpu);
      kept = std::move(*gpu);
    }
    EXPECT_EQ(played.initialised, 1);
  }
  EXPECT_EQ(played.initialised, 0);
}

TEST(NvmlTest, AnAddressThatNoGpuHasIsNotAvailable) {
  const auto nvml = Nvml::over(calls_of_two_gpus());
  ASSERT_TRUE(nvml);
  const auto gpu = nvml->at("0000:00:00.0");
  ASSERT_FALSE(gpu);
  EXPECT_EQ(gpu.error().code, ErrorCode::kNotAvailable);
}

}  // namespace
}  // namespace ridge::collectors::nvml
