// Global memory as a kernel sees it: allocations at device addresses, in the host's memory.
//
// Addresses are chosen here, the same in every run. Between allocations lies room that nothing may touch, so that an
// access past an end is found. Constant memory and a module's variables are regions like any other. Reading and writing
// regions is up to execution; the map itself must not change while a kernel runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ridgepoint/base/result.h"

namespace ridge::emulator {

struct Region {
  std::uint64_t begin = 0, end = 0;
  std::byte* host = nullptr;
  bool writable = true;
  std::string name;  ///< of the buffer or variable, for messages
  [[nodiscard]] bool holds(std::uint64_t low, std::uint64_t high) const {
    return low >= begin && low <= high && high <= end;
  }
};

class GlobalMemory {
 public:
  /// Aligned to 256 bytes, filled with zeros; not available: no room on this host.
  [[nodiscard]] Result<std::uint64_t> allocate(std::uint64_t bytes, std::string name);
  /// At an address of the caller's. Precondition: free there.
  [[nodiscard]] Result<void> allocate_at(std::uint64_t address, std::uint64_t bytes, std::string name, bool writable);
  void release(std::uint64_t address);

  /// The region that holds the address, or nullptr.
  [[nodiscard]] const Region* find(std::uint64_t address) const;
  /// The region that ends before or begins after it, whichever is nearer: for messages; nullptr without any.
  [[nodiscard]] const Region* nearest(std::uint64_t address) const;
  /// All of an allocation, or as much as lies in it from `address` on; empty where there is none.
  [[nodiscard]] std::span<std::byte> bytes(std::uint64_t address) const;
  [[nodiscard]] std::uint64_t allocated() const { return allocated_; }

 private:
  struct Free {
    void operator()(std::byte* memory) const;
  };
  struct Owned {
    Region region;
    std::unique_ptr<std::byte, Free> memory;
  };
  std::vector<Owned> owned_;  ///< by address
  std::uint64_t next_ = std::uint64_t{1} << 40;
  std::uint64_t allocated_ = 0;
};

}  // namespace ridge::emulator
