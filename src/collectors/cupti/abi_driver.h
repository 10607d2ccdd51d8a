// The driver's calls that the agent makes (found with dlsym in the libcuda that the program has loaded), our own
// declarations. Results are CUresult, 0 for success; a device is CUDA's number of it in the process.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ridge::collectors::cupti::abi {

using DriverResult = std::int32_t;
using Device = std::int32_t;

struct Uuid {
  unsigned char bytes[16];
};

/// Attributes asked for are 1 to this; numbers that the driver does not know are refused by it.
inline constexpr std::int32_t kLastDeviceAttribute = 150;
inline constexpr std::int32_t kAttributeCapabilityMajor = 75;
inline constexpr std::int32_t kAttributeCapabilityMinor = 76;

using DriverGetVersion = DriverResult (*)(int* version);                                // cuDriverGetVersion
using DeviceGet = DriverResult (*)(Device* device, int ordinal);                        // cuDeviceGet
using DeviceGetName = DriverResult (*)(char* name, int length, Device device);          // cuDeviceGetName
using DeviceGetUuid = DriverResult (*)(Uuid* uuid, Device device);                      // cuDeviceGetUuid_v2
using DeviceGetPciBusId = DriverResult (*)(char* address, int length, Device device);   // cuDeviceGetPCIBusId
using DeviceTotalMem = DriverResult (*)(std::size_t* bytes, Device device);             // cuDeviceTotalMem_v2
using DeviceGetAttribute = DriverResult (*)(int* value, int attribute, Device device);  // cuDeviceGetAttribute

}  // namespace ridge::collectors::cupti::abi
