// The buffers of a kernel on the device: filled, given to a launch, read back and checked.
#pragma once

#include <vector>

#include "device/device.h"
#include "lab/reference/problem.h"
#include "lab/run/run.h"

namespace ridge::lab {

/// One set of all buffers.
class BufferSet {
 public:
  [[nodiscard]] static Result<BufferSet> allocate(device::Device& device, const BoundKernel& kernel);

  /// The values of the problem; outputs poisoned or zero.
  [[nodiscard]] Result<void> fill(device::Device& device, const Problem& problem) const;
  /// Takes everything from another set.
  [[nodiscard]] Result<void> copy_from(device::Device& device, const BufferSet& other) const;
  [[nodiscard]] device::Address address(std::size_t buffer) const { return memory_[buffer].address(); }
  /// By the buffer's name. Precondition: it exists.
  [[nodiscard]] device::Address address(const KernelDeclaration& kernel, std::string_view name) const;
  /// The entry point's arguments over this set.
  [[nodiscard]] Result<std::vector<device::Parameter>> arguments(device::Device& device,
                                                                 const BoundKernel& kernel) const;

 private:
  std::vector<device::Memory> memory_;
};

/// Compares every result buffer with its reference: all elements where that is cheap, else a random choice of them with
/// the corners; that every element was written is looked at for all.
[[nodiscard]] Result<Check> check_results(device::Device& device, const BufferSet& set, const Problem& problem);

}  // namespace ridge::lab
