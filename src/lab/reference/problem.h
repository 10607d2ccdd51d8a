// The numbers of one problem: every input value is a function of seed, buffer and index, so nothing needs to be stored
// and any result can be computed anywhere.
#pragma once

#include <cstdint>
#include <span>

#include "lab/declare/bind.h"

namespace ridge::lab {

/// A number that only its arguments decide and that looks random (the mixing function of splitmix64, public domain).
[[nodiscard]] std::uint64_t mixed(std::uint64_t seed, std::uint64_t stream, std::uint64_t index);

class Problem {
 public:
  /// `kernel` must outlive the problem.
  Problem(const BoundKernel& kernel, std::uint64_t seed);

  [[nodiscard]] const BoundKernel& kernel() const { return *kernel_; }
  [[nodiscard]] std::uint64_t seed() const { return seed_; }
  /// A parameter's value.
  [[nodiscard]] double size(std::string_view name) const { return kernel_->variables.find(name)->second; }
  [[nodiscard]] std::size_t whole(std::string_view name) const { return static_cast<std::size_t>(size(name)); }

  /// What element `index` of `buffer` holds before the launch; exact in the buffer's type.
  [[nodiscard]] double at(std::size_t buffer, std::size_t index) const;
  /// The bytes of elements [first, first + count) before the launch; outputs are poisoned with all bits set (a NaN in
  /// each floating type).
  void fill(std::size_t buffer, std::size_t first, std::span<std::byte> bytes) const;

 private:
  const BoundKernel* kernel_;
  std::uint64_t seed_;
  std::vector<double> index_ends_;  ///< by buffer; 0 for those that hold no indices
};

/// The value of element `index` of a result as it was copied back.
[[nodiscard]] double decode(ElementType type, std::span<const std::byte> bytes, std::size_t index);
/// True if the element still holds the poison.
[[nodiscard]] bool is_poison(ElementType type, std::span<const std::byte> bytes, std::size_t index);

}  // namespace ridge::lab
