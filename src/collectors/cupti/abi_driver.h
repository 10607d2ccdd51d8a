// The driver's calls that the agent makes, found in the libcuda that the program has loaded. A type's name is the
// symbol without "cu"; results are CUresult, 0 for success; a device is CUDA's number of it in the process.
#pragma once

#include <cstddef>

#include "collectors/cupti/abi_activity.h"

namespace ridge::collectors::cupti::abi::driver {

using Result = int;
using Device = int;

struct Uuid {
  unsigned char bytes[16];
};

/// Attributes are asked for from 1 to this one; the driver refuses the numbers it does not know.
inline constexpr int kLastAttribute = 150;
inline constexpr int kCapabilityMajor = 75;
inline constexpr int kCapabilityMinor = 76;

using DriverGetVersion = Result(int* version);
using DeviceGet = Result(Device* device, int ordinal);
using DeviceGetName = Result(char* name, int length, Device device);
using DeviceGetUuid_v2 = Result(Uuid* uuid, Device device);
using DeviceGetPCIBusId = Result(char* address, int length, Device device);
using DeviceTotalMem_v2 = Result(std::size_t* bytes, Device device);
using DeviceGetAttribute = Result(int* value, int attribute, Device device);
using CtxPushCurrent_v2 = Result(Context);
using CtxPopCurrent_v2 = Result(Context*);
using CtxGetCurrent = Result(Context*);
using CtxSynchronize = Result();
using StreamIsCapturing = Result(Stream, int* status);  // status 0: it is not

}  // namespace ridge::collectors::cupti::abi::driver
