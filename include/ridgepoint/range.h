// Ranges of a program for `ridge profile`, and figures of a range read back while the program runs. Header only, C++17,
// nothing to link, no CUDA header needed; a program that includes it runs as before where no profiler is.
//
//   ridge::Range range("forward");           // marks what happens until the end of the block
//
//   ridge::MeasuredRange step("step");       // measures: waits for the GPU at its begin and end
//   launch_everything();
//   const ridge::RangeFigures figures = step.end();
//   if (figures.kernel_seconds && *figures.kernel_seconds < 0.5 * figures.seconds) use_larger_batches();
//
// A Range is an NVTX range, if the program is compiled where NVTX's header is (CUDA's toolkit has it), so that other
// tools show it, and `ridge profile --trace api` records it; a MeasuredRange gives time alone. The agent of `ridge
// profile` does not offer the interface below yet; once it does, ranges go into the recording and figures come from it.
// Figures are absent when they cannot be had, never 0: without `ridge profile` all but `seconds`, without permission to
// read counters those that come from counters. Units are seconds, bytes and counts.
//
// A measured range is of the whole device: what other threads and streams do meanwhile is in it. Measured ranges do not
// nest; the inner one gives time alone. Not here: kernels' own figures (they are in the report).
#pragma once

#include <dlfcn.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <optional>

#if defined(__has_include)
#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>
#define RIDGE_RANGE_NVTX 1
#endif
#endif

namespace ridge {

/// What a measured range took. `seconds` is host time from begin to end, the GPU idle at both.
struct RangeFigures {
  double seconds = 0;
  std::optional<double> kernel_seconds;  ///< sum over the launches in the range
  std::optional<std::uint64_t> launches;
  std::optional<double> dram_read_bytes, dram_write_bytes;
  std::optional<double> warp_instructions;
};

namespace range_detail {

// The interface of libridge_agent.so. `size` is of the struct as the caller knows it, `have` one bit a figure in the
// order below; the agent fills what fits.
extern "C" {
struct RidgeRangeFigures {
  std::uint32_t size;
  std::uint32_t have;
  double seconds, kernel_seconds;
  std::uint64_t launches;
  double dram_read_bytes, dram_write_bytes, warp_instructions;
};
}

struct Agent {
  void (*push)(const char* name) = nullptr;
  void (*pop)() = nullptr;
  void (*begin)(const char* name) = nullptr;
  void (*end)(RidgeRangeFigures* figures) = nullptr;
};

/// The agent that the driver loaded, if there is one. Looked for until it is found: CUDA may start later than the first
/// range.
inline const Agent& agent() {
  static thread_local Agent found;
  if (found.push != nullptr) return found;
  // allow(getenv): this header is part of the user's program, and the driver reads the same variable.
  const char* path = std::getenv("CUDA_INJECTION64_PATH");
  void* library = path == nullptr ? nullptr : dlopen(path, RTLD_NOW | RTLD_NOLOAD);
  if (library == nullptr) return found;
  Agent agent;
  agent.push = reinterpret_cast<void (*)(const char*)>(dlsym(library, "ridge_range_push"));
  agent.pop = reinterpret_cast<void (*)()>(dlsym(library, "ridge_range_pop"));
  agent.begin = reinterpret_cast<void (*)(const char*)>(dlsym(library, "ridge_range_begin"));
  agent.end = reinterpret_cast<void (*)(RidgeRangeFigures*)>(dlsym(library, "ridge_range_end"));
  if (agent.push != nullptr && agent.pop != nullptr && agent.begin != nullptr && agent.end != nullptr) found = agent;
  return found;
}

/// Waits for the GPU, if this thread uses one: where no agent does it.
inline void synchronise() {
  void* driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  if (driver == nullptr) return;
  const auto wait = reinterpret_cast<int (*)()>(dlsym(driver, "cuCtxSynchronize"));
  if (wait != nullptr) (void)wait();
  (void)dlclose(driver);
}

}  // namespace range_detail

/// Marks everything from its construction to its destruction, on one thread. Ranges nest.
class Range {
 public:
  explicit Range(const char* name) : agent_(range_detail::agent()) {
    if (agent_.push != nullptr) {
      agent_.push(name);
      return;
    }
#ifdef RIDGE_RANGE_NVTX
    nvtxRangePushA(name);
#endif
  }
  ~Range() {
    if (agent_.pop != nullptr) {
      agent_.pop();
      return;
    }
#ifdef RIDGE_RANGE_NVTX
    nvtxRangePop();
#endif
  }
  Range(const Range&) = delete;
  Range& operator=(const Range&) = delete;

 private:
  range_detail::Agent agent_;  ///< as it was at the begin: both ends go to the same place
};

/// Marks and measures. end() may be called once; a range that is destroyed without it is marked only.
class MeasuredRange {
 public:
  explicit MeasuredRange(const char* name) : range_(name), agent_(range_detail::agent()) {
    if (agent_.begin != nullptr) {
      agent_.begin(name);
    } else {
      range_detail::synchronise();
    }
    begin_ = std::chrono::steady_clock::now();
  }
  ~MeasuredRange() {
    if (!ended_) (void)end();
  }
  MeasuredRange(const MeasuredRange&) = delete;
  MeasuredRange& operator=(const MeasuredRange&) = delete;

  [[nodiscard]] RangeFigures end() {
    range_detail::RidgeRangeFigures raw{};
    raw.size = sizeof raw;
    if (agent_.end == nullptr) range_detail::synchronise();
    if (agent_.end != nullptr && !ended_) agent_.end(&raw);  // waits for the GPU, and notes the time before it reads
    RangeFigures figures;
    figures.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    if ((raw.have & 1U) != 0) figures.seconds = raw.seconds;
    ended_ = true;
    const auto take = [&raw](unsigned bit, auto& to, auto value) {
      if ((raw.have & (1U << bit)) != 0) to = value;
    };
    take(1, figures.kernel_seconds, raw.kernel_seconds);
    take(2, figures.launches, raw.launches);
    take(3, figures.dram_read_bytes, raw.dram_read_bytes);
    take(4, figures.dram_write_bytes, raw.dram_write_bytes);
    take(5, figures.warp_instructions, raw.warp_instructions);
    return figures;
  }

 private:
  Range range_;
  range_detail::Agent agent_;
  std::chrono::steady_clock::time_point begin_;
  bool ended_ = false;
};

}  // namespace ridge
