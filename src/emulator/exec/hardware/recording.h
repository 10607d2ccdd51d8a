// For tests: what a GPU answered to every instruction that tests/device/instructions/record sends it, and what the
// emulator answers to the same.
//
// The two files of a recording, in the folder given: instructions.txt.gz (what was executed, with which columns of
// operands) and instructions.bin.gz (those columns, then the answers). The recorder's own text says how they are laid
// out.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ridgepoint/base/result.h"

namespace ridge::emulator::testing {

/// A register of an entry, and the numbers that are in it, one a thread. Its letter is its width: p (a predicate, 0 or
/// 1), h (16 bits), r (32), d (64).
struct Register {
  std::string name;
  std::string kind;  ///< of what is read: the class of its numbers, "f32"
  std::vector<std::uint64_t> values;
};

/// One instruction, or a few, executed by `rows` threads.
struct Entry {
  std::string text;
  std::size_t rows = 0;
  std::vector<Register> reads;
  std::vector<Register> writes;  ///< with the device's answers

  /// The name of the instruction that counts: "fma.rn.f32" (the first, if there are several).
  [[nodiscard]] std::string spelled() const;
  /// That name up to its first dot.
  [[nodiscard]] std::string opcode() const;
};

struct Recording {
  std::string device;
  std::vector<Entry> entries;
  /// Kernels that the device refused, with its reason.
  std::map<std::string, std::string> failed;
};

[[nodiscard]] Result<Recording> read_recording(const std::string& folder);

/// What the emulator leaves in each register that `entry` writes, on the instruction set `lanes`; or why it cannot.
[[nodiscard]] Result<std::vector<std::vector<std::uint64_t>>> emulate(const Entry& entry, std::string_view lanes);

}  // namespace ridge::emulator::testing
