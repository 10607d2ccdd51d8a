// Results of CUPTI's calls and the opaque handles that its interfaces pass: our own declarations, so that everything
// builds without a toolkit. abi_layout_test.cc compares them with the vendor's headers where those are installed.
//
// Only the results that somebody here asks about have names.
#pragma once

#include <cstdint>

namespace ridge::collectors::cupti::abi {

using CuptiResult = std::int32_t;
inline constexpr CuptiResult kSuccess = 0;
inline constexpr CuptiResult kInvalidParameter = 1;
inline constexpr CuptiResult kInvalidDevice = 2;
inline constexpr CuptiResult kInvalidContext = 3;
inline constexpr CuptiResult kInvalidOperation = 7;
inline constexpr CuptiResult kOutOfMemory = 8;
inline constexpr CuptiResult kNotImplemented = 11;
inline constexpr CuptiResult kMaxLimitReached = 12;
inline constexpr CuptiResult kNotReady = 13;
inline constexpr CuptiResult kNotCompatible = 14;
inline constexpr CuptiResult kNotInitialized = 15;
inline constexpr CuptiResult kInvalidMetricName = 17;
inline constexpr CuptiResult kInvalidKind = 21;
inline constexpr CuptiResult kHardwareBusy = 26;
inline constexpr CuptiResult kNotSupported = 27;
inline constexpr CuptiResult kVirtualizedDeviceNotSupported = 33;
inline constexpr CuptiResult kInsufficientPrivileges = 35;
inline constexpr CuptiResult kOldProfilerApiInitialized = 36;
inline constexpr CuptiResult kMultipleSubscribersNotSupported = 39;
inline constexpr CuptiResult kVirtualizedDeviceInsufficientPrivileges = 40;
inline constexpr CuptiResult kConfidentialComputingNotSupported = 41;
inline constexpr CuptiResult kCmpDeviceNotSupported = 42;
inline constexpr CuptiResult kMigDeviceNotSupported = 43;
inline constexpr CuptiResult kSliDeviceNotSupported = 44;
inline constexpr CuptiResult kWslDeviceNotSupported = 45;
inline constexpr CuptiResult kInvalidChipName = 46;
inline constexpr CuptiResult kUnknown = 999;

/// The driver's handles: CUcontext, CUstream and CUfunction.
using Context = struct OpaqueContext*;
using Stream = struct OpaqueStream*;
using Function = struct OpaqueFunction*;

using GetVersion = CuptiResult (*)(std::uint32_t* version);                      // cuptiGetVersion
using GetResultString = CuptiResult (*)(CuptiResult result, const char** text);  // cuptiGetResultString

}  // namespace ridge::collectors::cupti::abi
