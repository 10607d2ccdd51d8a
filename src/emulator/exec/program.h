// A kernel made ready to run: one array of steps, each a function over 32 lanes and the slots it reads and writes.
//
// A frame holds one call's registers. Its base points at the registers; what all frames share (constants, special
// registers) lies below the base, at negative slots, so that every operand is a slot and no step looks at what kind of
// operand it has. Steps that no instruction of the text stands for (joins, widening of operands) have no site and are
// not counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/exec/type.h"
#include "emulator/memory/request.h"
#include "emulator/ptx/module.h"
#include "emulator/ptx/opcodes.h"

namespace ridge::emulator {

using Mask = std::uint32_t;  ///< bit i: lane i

using Slot = std::int32_t;  ///< bytes from a frame's base
inline constexpr Slot kNoSlot = INT32_MIN;
inline constexpr std::uint32_t kNoSite = UINT32_MAX;

struct Warp;
struct Step;
/// Runs one step for the lanes of `mask`, which may be none. Moves the warp on only if it is about control flow.
using Handler = void (*)(Warp& warp, const Step& step, Mask mask);

struct Step {
  Handler run = nullptr;
  Slot d = kNoSlot, a = kNoSlot, b = kNoSlot, c = kNoSlot;
  Slot guard = kNoSlot;  ///< a predicate; one that is always true without a guard
  Mask invert = 0;       ///< all ones: where the guard is false
  std::uint32_t site = kNoSite;
  std::uint32_t flags = 0;  ///< the handler's
  std::int64_t immediate = 0;
  const void* detail = nullptr;  ///< the handler's; lives as long as the program
  const Step* target = nullptr;  ///< of a branch
};

/// What an instruction of the text is to those who count.
struct Site {
  const ptx::Instruction* instruction = nullptr;
  const ptx::Form* form = nullptr;
  std::uint32_t function = 0;
  bool skipped = false;  ///< not supported, and asked to go on all the same
  bool unread = false;   ///< of an atomic: nothing reads what it returns
};

enum class Special : std::uint8_t {
  kTidX,
  kTidY,
  kTidZ,
  kNtidX,
  kNtidY,
  kNtidZ,
  kCtaidX,
  kCtaidY,
  kCtaidZ,
  kNctaidX,
  kNctaidY,
  kNctaidZ,
  kClusteridX,
  kClusteridY,
  kClusteridZ,
  kNclusteridX,
  kNclusteridY,
  kNclusteridZ,
  kClusterCtaidX,
  kClusterCtaidY,
  kClusterCtaidZ,
  kClusterNctaidX,
  kClusterNctaidY,
  kClusterNctaidZ,
  kClusterCtarank,
  kClusterNctarank,
  kIsExplicitCluster,
  kLaneid,
  kWarpid,
  kNwarpid,
  kSmid,
  kNsmid,
  kGridid,
  kLanemaskEq,
  kLanemaskLt,
  kLanemaskLe,
  kLanemaskGt,
  kLanemaskGe,
  kDynamicSharedSize,
  kTotalSharedSize,
  kReservedShared,
  kZero,
};
struct SpecialSlot {
  Special which{};
  Slot slot = 0;
  bool wide = false;  ///< 64-bit lanes
};

/// A variable or parameter that lives in a frame, one copy a lane: `stride` bytes apart.
struct Area {
  Slot slot = 0;
  std::uint32_t bytes = 0, stride = 0;
};

struct FunctionCode {
  const ptx::Function* source = nullptr;
  std::uint32_t first_step = 0, end_step = 0;
  std::uint32_t register_bytes = 0;                             ///< of a frame above its base
  std::uint32_t local_bytes = 0;                                ///< of a thread
  std::vector<std::pair<Slot, std::uint32_t>> local_addresses;  ///< slots that hold the address of a local variable
  std::vector<Area> parameters, results;                        ///< of a function; an entry's lie in constant memory
};

/// A variable of the module, where it lies.
struct Placed {
  std::string_view name;
  ptx::Space space{};
  std::uint64_t address = 0;  ///< of a shared variable its offset; of others what execution sees
  std::uint64_t bytes = 0;
  const ptx::Variable* variable = nullptr;
};

struct EntryParameter {
  std::string_view name;
  std::uint32_t offset = 0, bytes = 0;
  const ptx::Variable* variable = nullptr;
};

struct Program {
  std::shared_ptr<const ptx::Module> module;
  std::vector<Step> steps;
  std::vector<Site> sites;
  std::vector<FunctionCode> functions;  ///< the entry first; only what it can reach
  std::vector<std::byte> shared_image;  ///< below a frame's base: constants at their place
  std::vector<SpecialSlot> specials;
  std::vector<Placed> variables;
  std::vector<EntryParameter> parameters;
  std::uint32_t parameter_bytes = 0;
  std::uint32_t static_shared = 0;
  std::deque<std::shared_ptr<void>> details;

  [[nodiscard]] std::uint32_t prefix() const { return static_cast<std::uint32_t>(shared_image.size()); }
};

/// Where the windows of generic addresses begin.
inline constexpr std::uint64_t kSharedWindow = std::uint64_t{1} << 56;
inline constexpr std::uint64_t kLocalWindow = std::uint64_t{1} << 57;
inline constexpr std::uint64_t kWindowBytes = std::uint64_t{1} << 32;
inline constexpr std::uint64_t kParameterWindow = std::uint64_t{1} << 58;
inline constexpr std::uint64_t kCodeWindow = std::uint64_t{1} << 59;  ///< addresses of functions: + index
inline constexpr std::uint64_t kMostShared = 228 << 10;  ///< bytes of a block: the most any architecture has
inline constexpr std::uint64_t kMostLocal = 512 << 10;   ///< bytes of a thread, on any of them
/// Bytes of the shared window that one block of a cluster has.
inline constexpr std::uint64_t kClusterStride = std::uint64_t{1} << 24;

}  // namespace ridge::emulator
