// What a kernel does wrong while it runs, as a memory checker tells it.
#pragma once

#include <cstdint>
#include <string>

#include "emulator/exec/program.h"

namespace ridge::emulator {

enum class FaultKind : std::uint8_t {
  kOutOfBounds,
  kMisaligned,
  kReadOnly,  ///< a store to constant or parameter memory
  kBadCall,   ///< a call of what is no function
  kTrap,
  kAssertion,
  kDeadlock,
  kDivergentBarrier,  ///< an aligned barrier that not all lanes of the warp came to together
  kBadOperand,        ///< a value that the instruction does not allow: a barrier above 15
  kUnsupported,       ///< reached while running, and not emulated
  kUninitialisedShared,
  kSharedRace,
};
[[nodiscard]] std::string_view name(FaultKind kind);

/// Where and by whom. `stops`: the kernel cannot go on; else it is a finding.
struct Fault {
  FaultKind kind{};
  std::uint32_t site = kNoSite;
  std::uint64_t block = 0;
  std::uint32_t thread = 0;  ///< linear in its block
  ptx::Space space = ptx::Space::kGlobal;
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;
  std::string text;  ///< more, where the kind does not say it all
  [[nodiscard]] bool stops() const {
    return kind != FaultKind::kDivergentBarrier && kind != FaultKind::kUninitialisedShared &&
           kind != FaultKind::kSharedRace;
  }
};

}  // namespace ridge::emulator
