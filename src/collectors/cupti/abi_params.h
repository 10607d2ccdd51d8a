// What every struct and call of CUPTI's profiler interface has in common: results, and structs that say their size. The
// rules are abi_profiler.h's.
#pragma once

#include <cstddef>

namespace ridge::collectors::cupti::abi {

using Result = int;  ///< CUptiResult
inline constexpr Result kSuccess = 0;
inline constexpr Result kErrorInvalidParameter = 1;
inline constexpr Result kErrorInvalidDevice = 2;
inline constexpr Result kErrorInvalidContext = 3;
inline constexpr Result kErrorInvalidOperation = 7;
inline constexpr Result kErrorOutOfMemory = 8;
inline constexpr Result kErrorHardware = 9;
inline constexpr Result kErrorApiNotImplemented = 11;
inline constexpr Result kErrorMaxLimitReached = 12;
inline constexpr Result kErrorNotReady = 13;
inline constexpr Result kErrorNotCompatible = 14;
inline constexpr Result kErrorNotInitialized = 15;
inline constexpr Result kErrorInvalidMetricName = 17;
inline constexpr Result kErrorHardwareBusy = 26;
inline constexpr Result kErrorNotSupported = 27;
inline constexpr Result kErrorVirtualizedDeviceNotSupported = 33;
inline constexpr Result kErrorInsufficientPrivileges = 35;
inline constexpr Result kErrorOldProfilerApiInitialized = 36;
inline constexpr Result kErrorLegacyProfilerNotSupported = 38;
inline constexpr Result kErrorMultipleSubscribersNotSupported = 39;
inline constexpr Result kErrorVirtualizedDeviceInsufficientPrivileges = 40;
inline constexpr Result kErrorConfidentialComputingNotSupported = 41;
inline constexpr Result kErrorCmpDeviceNotSupported = 42;
inline constexpr Result kErrorMigDeviceNotSupported = 43;
inline constexpr Result kErrorSliDeviceNotSupported = 44;
inline constexpr Result kErrorWslDeviceNotSupported = 45;
inline constexpr Result kErrorInvalidChipName = 46;
inline constexpr Result kErrorUnknown = 999;

/// What structSize has to be for the struct.
template <class P>
inline constexpr std::size_t kStructSize = 0;

/// A zeroed params struct with its size set.
template <class P>
[[nodiscard]] inline P params() {
  P p{};
  p.structSize = kStructSize<P>;
  return p;
}

#define RIDGE_CUPTI_STRUCT(type, last) \
  template <>                          \
  inline constexpr std::size_t kStructSize<type> = offsetof(type, last) + sizeof(type::last);

}  // namespace ridge::collectors::cupti::abi
