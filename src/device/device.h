// What the program asks of a GPU: memory, modules, launches, events. An interface, so that everything that drives a GPU
// is tested without one; collectors/cuda implements it with the vendor's driver.
//
// One device, one stream: launches run in order. Calls may fail at any time with the driver's reason; after a fault in
// a kernel every later call fails too. Not modelled: several streams, graphs, peer access, managed memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ridgepoint/base/result.h"
#include "ridgepoint/base/units.h"
#include "ridgepoint/base/value.h"
#include "ridgepoint/model/profile.h"

namespace ridge::device {

using Address = std::uint64_t;
/// Opaque names that the device gives out.
enum class Module : std::uint64_t {};
enum class Function : std::uint64_t {};
enum class Event : std::uint64_t {};

struct Identity {
  std::string name;
  int capability = 0;  ///< 10 x major + minor
  int sm_count = 0;
  std::string driver;   ///< "13.0": the newest CUDA the driver supports
  std::string address;  ///< PCI bus id
  DeviceAttributes attributes;
};

struct FunctionFacts {
  int registers = 0;
  Bytes shared_static, local;
};

/// A tensor map over a row-major bf16 matrix; a copy brings box_rows x box_columns, in 128-byte swizzle.
struct TensorMapRequest {
  Address address = 0;
  std::uint64_t rows = 0, columns = 0;
  std::uint32_t box_rows = 0, box_columns = 0;
};

/// One argument of a kernel, by value.
struct Parameter {
  alignas(64) std::array<std::byte, 128> bytes{};
  std::size_t size = 0;

  template <class T>
  static Parameter of(const T& value) {
    static_assert(sizeof(T) <= 128);
    Parameter parameter;
    std::memcpy(parameter.bytes.data(), &value, sizeof(T));
    parameter.size = sizeof(T);
    return parameter;
  }
};

struct LaunchRequest {
  Function function{};
  Dim3 grid, block;
  std::uint32_t dynamic_shared = 0;
  std::vector<Parameter> parameters;
};

class Device {
 public:
  virtual ~Device() = default;
  [[nodiscard]] virtual const Identity& identity() const = 0;
  [[nodiscard]] virtual Result<Bytes> free_memory() = 0;

  [[nodiscard]] virtual Result<Address> allocate(std::size_t bytes) = 0;
  virtual void release(Address address) = 0;
  [[nodiscard]] virtual Result<void> copy_in(Address to, std::span<const std::byte> from) = 0;
  [[nodiscard]] virtual Result<void> copy_out(std::span<std::byte> to, Address from) = 0;
  [[nodiscard]] virtual Result<void> copy(Address to, Address from, std::size_t bytes) = 0;
  [[nodiscard]] virtual Result<void> fill(Address to, std::uint8_t value, std::size_t bytes) = 0;

  /// `image` is PTX text or a binary; `name` appears in errors.
  [[nodiscard]] virtual Result<Module> load(std::string_view image, std::string_view name) = 0;
  virtual void unload(Module module) = 0;
  [[nodiscard]] virtual Result<Function> find(Module module, std::string_view entry) = 0;
  [[nodiscard]] virtual Result<FunctionFacts> facts(Function function) = 0;
  /// Needed above 48 KiB.
  [[nodiscard]] virtual Result<void> allow_dynamic_shared(Function function, std::uint32_t bytes) = 0;
  [[nodiscard]] virtual Result<void> launch(const LaunchRequest& request) = 0;
  [[nodiscard]] virtual Result<Parameter> tensor_map(const TensorMapRequest& request) = 0;

  [[nodiscard]] virtual Result<Event> create_event() = 0;
  virtual void destroy(Event event) = 0;
  [[nodiscard]] virtual Result<void> record(Event event) = 0;
  /// Waits for `end`.
  [[nodiscard]] virtual Result<Seconds> elapsed(Event begin, Event end) = 0;
  [[nodiscard]] virtual Result<void> synchronise() = 0;
};

/// The vendor's matrix products, to compare with. Matrices are row-major as in the lab's kernels.
class Blas {
 public:
  virtual ~Blas() = default;
  [[nodiscard]] virtual std::string version() const = 0;
  /// C = A B, n x n, fp32 on ordinary cores (no TF32).
  [[nodiscard]] virtual Result<void> multiply_fp32(Address a, Address b, Address c, std::int32_t n) = 0;
  /// C = A B^T, bf16, fp32 accumulation.
  [[nodiscard]] virtual Result<void> multiply_bf16(Address a, Address b, Address c, std::int32_t m, std::int32_t n,
                                                   std::int32_t k) = 0;
};

/// Clocks and the like, as they are now.
struct Reading {
  Value<Hertz> sm_clock, memory_clock;
  Value<double> watts, celsius;
  Value<double> throttle_reasons = {};  ///< bit mask of NVML (nvmlClocksEventReasons); 0: nothing holds the clocks
};
class Telemetry {
 public:
  virtual ~Telemetry() = default;
  [[nodiscard]] virtual Reading read() = 0;
};

/// Device memory that is given back.
class Memory {
 public:
  [[nodiscard]] static Result<Memory> allocate(Device& device, std::size_t bytes);
  Memory() = default;
  Memory(Memory&& other) noexcept;
  Memory& operator=(Memory&& other) noexcept;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory();

  [[nodiscard]] Address address() const { return address_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  Device* device_ = nullptr;
  Address address_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace ridge::device
