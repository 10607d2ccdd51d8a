// A warp while it runs: where its lanes are and what they hold.
//
// Lanes that took different ways form fragments; each runs on its own until the join that its branch named (the
// immediate post-dominator), where it waits for the others. Which fragment runs is free to choose, so lanes that wait
// for one another in a loop (spin locks) get their turn, as on hardware since compute capability 7.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "emulator/exec/listener.h"
#include "emulator/exec/program.h"

namespace ridge::emulator {

class Block;
struct Worker;

/// Registers of one call.
struct Frame {
  std::byte* base = nullptr;
  Frame* caller = nullptr;
  const Step* call = nullptr;  ///< the step that called; execution goes on after it
  std::uint32_t local_base = 0, function = 0;
  std::uint32_t local_top = 0;    ///< first byte of local memory that no call holds
  std::uint64_t stack_bytes = 0;  ///< of the registers of this call and of those it came from
  std::vector<std::byte> storage;
};

inline constexpr std::uint32_t kNoJoin = UINT32_MAX;
struct Join {
  const Step* at = nullptr;
  Mask expected = 0, arrived = 0;
  std::uint32_t parent = kNoJoin;
  Frame* frame = nullptr;
  bool leaves_loop = false;  ///< those who wait have left a loop that others are still in
};

struct Fragment {
  const Step* pc = nullptr;
  Mask active = 0;
  std::uint32_t join = kNoJoin;
  Frame* frame = nullptr;
  Mask executing = 0;  ///< of a parked one: the lanes whose guard holds
};

/// Warp instructions and the lanes that took part, by site.
struct SiteCount {
  std::uint64_t warps = 0, lanes = 0;
};

enum class WarpState : std::uint8_t { kReady, kWaiting, kDone, kFaulted };

struct Warp {
  // What runs now.
  const Step* pc = nullptr;
  Mask active = 0;
  std::uint32_t join = kNoJoin;
  std::byte* base = nullptr;
  std::int64_t budget = 0;  ///< steps until others get their turn; a step that must wait sets it to 0
  SiteCount* counts = nullptr;
  Frame* frame = nullptr;

  Block* block = nullptr;
  Worker* worker = nullptr;
  WarpState state = WarpState::kDone;
  std::uint32_t index = 0;  ///< in its block
  Where where;              ///< for listeners
  Mask exited = 0, exists = 0;
  std::vector<Fragment> pending;  ///< fragments that could run
  std::vector<Fragment> parked;   ///< at a warp-wide operation, waiting for lanes
  std::vector<Join> joins;
  std::vector<std::uint32_t> free_joins;
  std::vector<std::unique_ptr<Frame>> frames;  ///< frames[0] is the entry's
  std::vector<Frame*> free_frames;
  std::uint64_t steps_taken = 0;
  std::uint32_t spins = 0;          ///< atomics and volatile loads since lanes last met: a lock may be waited for
  std::vector<std::byte> local;     ///< local memory: lane after lane
  std::uint32_t local_bytes = 0;    ///< of a lane
  std::uint32_t cluster_phase = 0;  ///< of the cluster's barrier, when this warp arrived

  [[nodiscard]] std::uint32_t* word(Slot slot) const { return reinterpret_cast<std::uint32_t*>(base + slot); }
  [[nodiscard]] std::uint64_t* wide(Slot slot) const { return reinterpret_cast<std::uint64_t*>(base + slot); }
  [[nodiscard]] Mask& predicate(Slot slot) const { return *reinterpret_cast<Mask*>(base + slot); }
  [[nodiscard]] Mask live() const { return exists & ~exited; }
};

// Control flow, for the handlers of branches and the like.
/// Lanes `taken` of the active ones go to `target`, the others go on; they meet again at `rejoin` (nullptr: nowhere).
void diverge(Warp& warp, Mask taken, const Step* target, const Step* rejoin, bool leaves_loop = false);
/// The active lanes have come to a join step.
void arrive(Warp& warp, const Step& join);
/// Lanes end.
void exit_lanes(Warp& warp, Mask lanes);
/// Another fragment runs, if there is one; else the warp is done or waits.
void next_fragment(Warp& warp);
/// Puts what runs behind the other fragments; nothing if it is alone. Lanes that have left a loop and wait for the
/// others go on without them if these seem to wait for a lock.
void rotate(Warp& warp);
/// For an operation that all lanes of `members` take part in together, of which `mask` came here: all that came, once
/// they are complete. Until then 0: the fragment waits at the step, which runs again.
[[nodiscard]] Mask gather(Warp& warp, const Step& step, Mask members, Mask mask);
/// The same where lanes may wait at different steps (bar.warp.sync): true once they are complete.
[[nodiscard]] bool synchronise(Warp& warp, const Step& step, Mask members, Mask mask);

// Calls.
/// All active lanes will meet at `at`, in the frame that is current.
void require_join(Warp& warp, const Step* at);
/// A frame for a call of `function`; constants and special registers are those of the caller.
Frame& push_frame(Warp& warp, const Program& program, std::uint32_t function);
void pop_frame(Warp& warp);

}  // namespace ridge::emulator
