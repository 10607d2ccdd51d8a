#include "emulator/exec/warp.h"

#include <algorithm>
#include <cstring>

namespace ridge::emulator {
namespace {

std::uint32_t new_join(Warp& warp, const Join& join) {
  if (warp.free_joins.empty()) {
    warp.joins.push_back(join);
    return static_cast<std::uint32_t>(warp.joins.size() - 1);
  }
  const std::uint32_t index = warp.free_joins.back();
  warp.free_joins.pop_back();
  warp.joins[index] = join;
  return index;
}

bool is_at(const Warp& warp, const Step* step) {
  return warp.join != kNoJoin && warp.joins[warp.join].at == step && warp.joins[warp.join].frame == warp.frame;
}

void become(Warp& warp, const Fragment& fragment) {
  warp.pc = fragment.pc;
  warp.active = fragment.active;
  warp.join = fragment.join;
  warp.frame = fragment.frame;
  warp.base = fragment.frame->base;
}

Fragment current(const Warp& warp) {
  return {warp.pc, warp.active, warp.join, warp.frame, 0};
}

// The fragment that came last to a join is gone: those who wait there may now be complete.
void settle(Warp& warp, std::uint32_t index) {
  while (index != kNoJoin) {
    const Join join = warp.joins[index];
    if (join.expected != 0 && join.arrived != join.expected) return;
    warp.free_joins.push_back(index);
    if (join.expected != 0) {
      warp.pending.push_back({join.at, join.expected, join.parent, join.frame, 0});
      return;
    }
    index = join.parent;
  }
}

void park(Warp& warp, const Step& step, Mask executing) {
  Fragment fragment = current(warp);
  fragment.pc = &step;
  fragment.executing = executing;
  warp.parked.push_back(fragment);
  warp.active = 0;
  next_fragment(warp);
}

// Those who wait look again: who they wait for may have ended.
void wake_parked(Warp& warp) {
  for (const Fragment& each : warp.parked) {
    SiteCount& count = warp.counts[each.pc->site];
    count.warps -= 1;  // it runs again
    count.lanes -= static_cast<std::uint64_t>(__builtin_popcount(each.executing));
  }
  warp.pending.insert(warp.pending.end(), warp.parked.begin(), warp.parked.end());
  warp.parked.clear();
}

}  // namespace

void diverge(Warp& warp, Mask taken, const Step* target, const Step* rejoin, bool leaves_loop) {
  if (rejoin != nullptr && !is_at(warp, rejoin)) {
    warp.join = new_join(warp, {rejoin, warp.active, 0, warp.join, warp.frame, leaves_loop});
  }
  Fragment rest = current(warp);
  rest.active &= ~taken;
  warp.pending.push_back(rest);
  warp.pc = target;
  warp.active = taken;
}

void require_join(Warp& warp, const Step* at) {
  warp.join = new_join(warp, {at, warp.active, 0, warp.join, warp.frame, false});
}

void arrive(Warp& warp, const Step& join) {
  while (is_at(warp, &join)) {
    Join& here = warp.joins[warp.join];
    here.arrived |= warp.active;
    if (here.arrived != here.expected) {
      warp.active = 0;
      return next_fragment(warp);
    }
    warp.active = here.expected;
    warp.spins = 0;
    warp.free_joins.push_back(warp.join);
    warp.join = here.parent;
  }
}

void exit_lanes(Warp& warp, Mask lanes) {
  warp.exited |= lanes;
  warp.active &= ~lanes;
  for (std::uint32_t index = warp.join; index != kNoJoin; index = warp.joins[index].parent) {
    warp.joins[index].expected &= ~lanes;
  }
  if (!warp.parked.empty()) wake_parked(warp);
  if (warp.active != 0) return;
  settle(warp, warp.join);
  next_fragment(warp);
}

void next_fragment(Warp& warp) {
  if (warp.pending.empty()) {
    warp.budget = 0;
    warp.state = warp.live() == 0 ? WarpState::kDone : WarpState::kWaiting;
    return;
  }
  become(warp, warp.pending.back());
  warp.pending.pop_back();
}

namespace {

// Who has taken a lock must be able to give it back: the lanes that wait at the end of the loop go on.
void release_waiting(Warp& warp) {
  constexpr std::uint32_t kPatience = 64;  // more than a warp's lanes take turns
  if (warp.spins < kPatience || warp.join == kNoJoin) return;
  Join& join = warp.joins[warp.join];
  if (!join.leaves_loop || join.arrived == 0) return;
  warp.spins = 0;
  warp.pending.push_back({join.at, join.arrived, join.parent, join.frame, 0});
  join.expected &= ~join.arrived;
  join.arrived = 0;
}

}  // namespace

void rotate(Warp& warp) {
  release_waiting(warp);
  if (warp.pending.empty()) return;
  const Fragment now = current(warp);
  become(warp, warp.pending.back());
  warp.pending.pop_back();
  if (now.active != 0) warp.pending.insert(warp.pending.begin(), now);
}

Mask gather(Warp& warp, const Step& step, Mask members, Mask mask) {
  const Mask needed = members & warp.live();
  if ((mask & needed) == needed) return mask;
  Mask all = mask;
  for (const Fragment& each : warp.parked) {
    if (each.pc == &step && each.frame == warp.frame) all |= each.executing;
  }
  if ((all & needed) != needed) {
    park(warp, step, mask);
    return 0;
  }
  const auto here = [&](const Fragment& each) { return each.pc == &step && each.frame == warp.frame; };
  for (Fragment each : warp.parked) {
    if (!here(each)) continue;
    each.pc = &step + 1;
    warp.pending.push_back(each);
  }
  warp.parked.erase(std::remove_if(warp.parked.begin(), warp.parked.end(), here), warp.parked.end());
  return all;
}

bool synchronise(Warp& warp, const Step& step, Mask members, Mask mask) {
  const Mask needed = members & warp.live();
  Mask all = mask;
  const auto same = [&](const Fragment& each) { return each.pc->run == step.run && (each.executing & members) != 0; };
  for (const Fragment& each : warp.parked) all |= same(each) ? each.executing : 0;
  if ((all & needed) != needed) {
    park(warp, step, mask);
    return false;
  }
  for (Fragment each : warp.parked) {
    if (!same(each)) continue;
    ++each.pc;
    warp.pending.push_back(each);
  }
  warp.parked.erase(std::remove_if(warp.parked.begin(), warp.parked.end(), same), warp.parked.end());
  return true;
}

namespace {

// Local memory for `bytes` a lane; what lanes hold already stays theirs.
void grow_local(Warp& warp, std::uint32_t bytes) {
  if (bytes <= warp.local_bytes) return;
  bytes = std::max(bytes, 2 * warp.local_bytes);  // so that deep recursion copies little
  std::vector<std::byte> grown(std::size_t{bytes} * kLanes, std::byte{0});
  for (std::size_t i = 0; i < kLanes && warp.local_bytes != 0; ++i) {
    std::memcpy(grown.data() + i * bytes, warp.local.data() + i * warp.local_bytes, warp.local_bytes);
  }
  warp.local = std::move(grown);
  warp.local_bytes = bytes;
}

}  // namespace

Frame& push_frame(Warp& warp, const Program& program, std::uint32_t function) {
  if (warp.free_frames.empty()) {
    warp.frames.push_back(std::make_unique<Frame>());
    warp.free_frames.push_back(warp.frames.back().get());
  }
  Frame& frame = *warp.free_frames.back();
  warp.free_frames.pop_back();
  const FunctionCode& code = program.functions[function];
  const std::size_t prefix = program.prefix();
  constexpr std::size_t kAlignment = 64;
  frame.storage.assign(prefix + code.register_bytes + kAlignment, std::byte{0});
  const std::size_t misaligned = reinterpret_cast<std::uintptr_t>(frame.storage.data()) % kAlignment;
  std::byte* start = frame.storage.data() + (misaligned == 0 ? 0 : kAlignment - misaligned);
  frame.base = start + prefix;
  frame.function = function;
  frame.caller = warp.frame;
  frame.local_base = warp.frame == nullptr ? 0 : warp.frame->local_top;
  constexpr std::uint32_t kLocalAlignment = 16;
  frame.local_base = (frame.local_base + kLocalAlignment - 1) / kLocalAlignment * kLocalAlignment;
  frame.local_top = frame.local_base + code.local_bytes;
  frame.stack_bytes = (warp.frame == nullptr ? 0 : warp.frame->stack_bytes) + frame.storage.size();
  grow_local(warp, frame.local_top);
  const std::byte* common = warp.frame == nullptr ? program.shared_image.data() : warp.frame->base - prefix;
  if (prefix != 0) std::memcpy(start, common, prefix);
  for (const auto& [slot, offset] : code.local_addresses) {
    auto* lanes = reinterpret_cast<std::uint64_t*>(frame.base + slot);
    std::fill_n(lanes, kLanes, std::uint64_t{frame.local_base} + offset);
  }
  warp.frame = &frame;
  warp.base = frame.base;
  return frame;
}

void pop_frame(Warp& warp) {
  Frame* done = warp.frame;
  warp.frame = done->caller;
  warp.base = warp.frame->base;
  warp.free_frames.push_back(done);
}

}  // namespace ridge::emulator
