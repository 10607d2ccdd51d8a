// The border to the program: nothing that goes wrong inside the agent may leave it.
#pragma once

#include <atomic>

namespace ridge::collectors::agent {

/// Whether the agent does anything at all: not in a forked child, not after it failed or ended.
inline std::atomic<bool> agent_alive = false;

/// Calls `f` where the agent is alive; an exception (out of memory, no more threads) ends the agent, not the program.
template <class F>
void guarded(F&& f) noexcept {
  if (!agent_alive.load(std::memory_order_acquire)) return;
  try {
    f();
  } catch (...) {
    agent_alive = false;
  }
}

}  // namespace ridge::collectors::agent
