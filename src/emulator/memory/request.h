// One memory instruction of one warp, as the hardware's memory units see it: up to 32 addresses, all of one width.
//
// Addresses of global requests are byte addresses; those of shared requests are byte offsets into the block's shared
// memory. Lanes whose bit in `active` is 0 ask for nothing and their addresses are never looked at. What is read or
// written, instructions and registers are not modelled: nothing here knows PTX.
#pragma once

#include <cstdint>

namespace ridge::emulator {

inline constexpr unsigned kLanes = 32;
inline constexpr unsigned kLineShift = 7;     ///< lines of 128 bytes
inline constexpr unsigned kSectorBytes = 32;  ///< four sectors a line
inline constexpr std::uint32_t kAllLanes = 0xFFFFFFFF;

enum class AccessKind : unsigned char {
  kLoad,
  kStore,
  kAtomic,     ///< wants the old value
  kReduction,  ///< does not
  kAsyncCopy,  ///< a copy to shared memory: its global side, and its store there
  kOperand,    ///< of shared memory only: what a matrix product reads there by itself
};

/// Whether L1 may keep what a load or an asynchronous copy brings: not with .cg, .cv, .volatile and the like.
enum class L1Use : unsigned char { kCached, kBypassed };

/// What a caller may know of 32 addresses, all of them active: it saves finding out.
enum class Shape : unsigned char {
  kUnknown,
  kUniform,     ///< one address
  kContiguous,  ///< each lane's bytes follow those of the lane before
};

struct WarpAccess {
  const std::uint64_t* addresses = nullptr;  ///< of 32 lanes
  std::uint32_t active = kAllLanes;
  std::uint32_t bytes = 4;  ///< of one lane: 1, 2, 4, 8, 16 or 32
  AccessKind kind = AccessKind::kLoad;
  L1Use l1 = L1Use::kCached;
  Shape shape = Shape::kUnknown;
};

}  // namespace ridge::emulator
