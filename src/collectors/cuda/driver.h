// The CUDA driver API, loaded at run time: own declarations of the calls used, so that the program builds and starts
// without any CUDA. Signatures and values as the CUDA Driver API reference states them; the versions asked for exist in
// every driver from CUDA 11.4 on, tensor maps from 12.0 on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "collectors/library.h"

namespace ridge::collectors::cuda {

using Status = int;
using DeviceNumber = int;
using Context = struct OpaqueContext*;
using ModuleHandle = struct OpaqueModule*;
using FunctionHandle = struct OpaqueFunction*;
using StreamHandle = struct OpaqueStream*;
using EventHandle = struct OpaqueEvent*;
using DevicePointer = unsigned long long;

inline constexpr Status kSuccess = 0;
inline constexpr Status kOutOfMemory = 2;
inline constexpr Status kStubLibrary = 34;
inline constexpr Status kNoDevice = 100;
inline constexpr Status kNoBinary = 209;
inline constexpr Status kUnsupportedPtx = 222;
inline constexpr Status kDriverMismatch = 803;

/// One pointer for each call; all but tensor_map_encode are there after load().
struct Driver {
  Library library;
  Status (*init)(unsigned) = nullptr;
  Status (*driver_version)(int*) = nullptr;
  Status (*error_name)(Status, const char**) = nullptr;
  Status (*error_string)(Status, const char**) = nullptr;
  Status (*device_count)(int*) = nullptr;
  Status (*device_get)(DeviceNumber*, int) = nullptr;
  Status (*device_name)(char*, int, DeviceNumber) = nullptr;
  Status (*device_attribute)(int*, int, DeviceNumber) = nullptr;
  Status (*device_memory)(std::size_t*, DeviceNumber) = nullptr;
  Status (*device_address)(char*, int, DeviceNumber) = nullptr;
  Status (*retain_context)(Context*, DeviceNumber) = nullptr;
  Status (*release_context)(DeviceNumber) = nullptr;
  Status (*set_context)(Context) = nullptr;
  Status (*synchronise)() = nullptr;
  Status (*memory_info)(std::size_t*, std::size_t*) = nullptr;
  Status (*allocate)(DevicePointer*, std::size_t) = nullptr;
  Status (*release)(DevicePointer) = nullptr;
  Status (*copy_in)(DevicePointer, const void*, std::size_t) = nullptr;
  Status (*copy_out)(void*, DevicePointer, std::size_t) = nullptr;
  Status (*copy)(DevicePointer, DevicePointer, std::size_t) = nullptr;
  Status (*fill)(DevicePointer, unsigned char, std::size_t) = nullptr;
  Status (*load_module)(ModuleHandle*, const void*, unsigned, int*, void**) = nullptr;
  Status (*unload_module)(ModuleHandle) = nullptr;
  Status (*find_function)(FunctionHandle*, ModuleHandle, const char*) = nullptr;
  Status (*function_attribute)(int*, int, FunctionHandle) = nullptr;
  Status (*set_function_attribute)(FunctionHandle, int, int) = nullptr;
  Status (*launch)(FunctionHandle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, StreamHandle,
                   void**, void**) = nullptr;
  Status (*create_event)(EventHandle*, unsigned) = nullptr;
  Status (*destroy_event)(EventHandle) = nullptr;
  Status (*record_event)(EventHandle, StreamHandle) = nullptr;
  Status (*wait_event)(EventHandle) = nullptr;
  Status (*elapsed)(float*, EventHandle, EventHandle) = nullptr;
  Status (*tensor_map_encode)(void*, int, std::uint32_t, void*, const std::uint64_t*, const std::uint64_t*,
                              const std::uint32_t*, const std::uint32_t*, int, int, int, int) = nullptr;

  /// "CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected".
  [[nodiscard]] std::string reason(Status status) const;
};

/// Opens libcuda.so.1 and finds every call; nothing is initialised yet.
[[nodiscard]] Result<Driver> load_driver();

}  // namespace ridge::collectors::cuda
