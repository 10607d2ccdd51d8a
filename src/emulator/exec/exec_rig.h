// For tests of execution: one kernel given as PTX text, its arguments, and what came of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/exec/decode.h"
#include "emulator/exec/launch.h"

namespace ridge::emulator::testing {

class KernelRig {
 public:
  /// `text`: the module without its header; its only kernel is run.
  explicit KernelRig(std::string_view text, const DecodeOptions& options = {});

  /// Why the text could not be decoded or the kernel not be launched: "what | where"; empty if it could.
  [[nodiscard]] const std::string& error() const { return error_; }
  [[nodiscard]] const Program& program() const { return program_; }
  [[nodiscard]] GlobalMemory& memory() { return memory_; }

  /// The next argument, at its offset.
  template <class T>
  void value(const T& value) {
    add(&value, sizeof value);
  }
  /// A buffer, and its address as the next argument. Returns the address.
  template <class T>
  std::uint64_t buffer(const std::vector<T>& values) {
    const std::uint64_t address = allocate(values.size() * sizeof(T));
    if (!values.empty()) std::memcpy(memory_.bytes(address).data(), values.data(), values.size() * sizeof(T));
    value(address);
    return address;
  }
  template <class T>
  [[nodiscard]] std::vector<T> read(std::uint64_t address) const {
    const auto bytes = memory_.bytes(address);
    std::vector<T> values(bytes.size() / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
    return values;
  }

  LaunchRequest request{{1, 1, 1}, {32, 1, 1}, {1, 1, 1}, 0, {}};
  ExecuteOptions options;

  /// False if there is an error or a fault that stops.
  bool run();
  [[nodiscard]] const Outcome& outcome() const { return outcome_; }
  /// What happened first, as a user reads it; empty: nothing.
  [[nodiscard]] std::string fault() const;
  [[nodiscard]] bool has(FaultKind kind) const;
  /// Of all instructions that are spelled so, with their modifiers: "add.u32".
  [[nodiscard]] SiteCount count(std::string_view spelled) const;

 private:
  [[nodiscard]] Result<void> prepare(const std::string& text, const DecodeOptions& options);
  void add(const void* bytes, std::size_t size);
  std::uint64_t allocate(std::size_t bytes);

  Program program_;
  GlobalMemory memory_;
  std::string error_;
  Outcome outcome_;
  std::size_t next_argument_ = 0;
};

/// A module with the kernel k(out): registers %r<32>, %d<32> (64 bits), %h<16> (16), %f<16>, %e<8> (f64), %p<16>; %t
/// the thread in its block, %g in the grid; `body` leaves its answer in %r0, which goes to out[%g]. `module` comes
/// before it.
[[nodiscard]] std::string thread_kernel(std::string_view body, std::string_view module = {});

/// Runs thread_kernel() with a grid of so many blocks of so many threads, and gives what each thread answered. A fault
/// or an error is a failure of the test.
[[nodiscard]] std::vector<std::uint32_t> answers(std::string_view body, std::string_view module = {},
                                                 std::uint32_t threads = 32, std::uint32_t blocks = 1);

/// A rig for thread_kernel(), with its buffer.
struct ThreadRig {
  explicit ThreadRig(std::string_view body, std::string_view module = {}, std::uint32_t threads = 32,
                     std::uint32_t blocks = 1);
  [[nodiscard]] std::vector<std::uint32_t> answers() const { return rig.read<std::uint32_t>(out); }
  KernelRig rig;
  std::uint64_t out = 0;
};

}  // namespace ridge::emulator::testing
