// What is in a job's buffers: before the launch, and whether it is right after it.
//
// Every initial value is a function of the buffer and the index alone, so that buffers can be filled in parts and by
// several threads, and so that two runs of one job see the same numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "emulator/job/job.h"

namespace ridge::emulator {

/// The bytes of elements [first, first + memory.size() / element size) before the launch.
void fill(const Buffer& buffer, std::uint64_t first, std::span<std::byte> memory);

/// Elements of a buffer held against what is expected of it.
struct Comparison {
  std::uint64_t compared = 0, wrong = 0;
  std::uint64_t first_wrong = 0;  ///< index; meaningful if any is wrong
  Number got, expected;           ///< there
  double worst = 0;               ///< largest |got - expected| / max(1, |expected|) of finite ones
  [[nodiscard]] bool passed() const { return wrong == 0; }
};

/// Precondition: the buffer has an expectation, and `memory` is the whole of it.
[[nodiscard]] Comparison compare(const Buffer& buffer, std::span<const std::byte> memory);

/// "argument 3: 2 of 1024 elements differ, the first at 17: 2.5 instead of 3 (tolerance 1e-05, worst 0.17)".
[[nodiscard]] std::string described(const Comparison& comparison, const Buffer& buffer);

}  // namespace ridge::emulator
