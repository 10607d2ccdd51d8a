// For tests of instructions that a warp executes as one: a kernel around a few lines of PTX whose registers each lane
// reads from memory before and writes there after.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "emulator/exec/decode.h"
#include "emulator/exec/launch.h"

namespace ridge::emulator::testing {

/// Registers %name0, %name1, ...
struct Registers {
  std::string name;
  std::uint32_t count = 0;
  bool wide = false;
};

struct Rig {
  std::vector<Registers> in, out;
  std::string declarations;  ///< shared variables and the like
  std::string body;
  std::uint32_t threads = 32;
  std::vector<std::byte> shared;  ///< first in shared memory, whose variable is `memory`; a multiple of 2048 bytes
  std::string lanes;              ///< instruction set of the host
  Listener* listener = nullptr;
};

using Words = std::vector<std::uint64_t>;

struct RigResult {
  std::vector<Words> out;         ///< by thread, in the order of the registers
  std::vector<std::byte> shared;  ///< after the kernel
  std::vector<Fault> faults;
  std::string error;  ///< why it could not be decoded or launched
  std::vector<SiteCount> counts;
};

/// `in`: by thread, in the order of the registers.
[[nodiscard]] RigResult run(const Rig& rig, const std::vector<Words>& in);

/// "{%a0, %a1}".
[[nodiscard]] std::string vector_of(const Registers& registers);

/// The instruction sets that this host has.
[[nodiscard]] std::vector<std::string> instruction_sets();

}  // namespace ridge::emulator::testing
