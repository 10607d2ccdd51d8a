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
// Under `ridge profile` both are in the recording, and `--range NAME` knows them. A Range is an NVTX range as well, if
// the program is compiled where NVTX's header is (CUDA's toolkit has it), so that other tools show it; it is recorded
// once all the same. Figures are absent when they cannot be had, never 0: without `ridge profile` all but `seconds`,
// those that come from counters without permission to read them, with `--tier timing` or `sampling`, or while another
// process has the counters. Where a range has counters and a CUDA graph is launched in it, `kernel_seconds` and
// `launches` are absent; a range in which a stream is captured has `seconds` alone. Units are seconds, bytes and
// counts. Errors: none reach the program.
//
// A measured range is of the whole device that is current on its thread, between two moments at which the context was
// idle: what other threads and streams do meanwhile is in it. Nothing is run twice for it. One at a time has figures: a
// measured range inside another, or beside one of another thread, has its time alone, and so has one that began before
// the program used CUDA. Getting the counters takes time before its begin (up to a second the first time; after a
// replay about 0.13 s for a new session; else little), not in it. Kernels of other threads that still run when a range
// with counters ends lose their times in the recording. Under `ridge profile` nothing is waited for while a stream is
// captured, as that would spoil the capture. Not here: kernels' own figures (they are in the report).
#pragma once

#include <dlfcn.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
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

inline const char* injected(const char* variable) {
  // allow(getenv): this header is part of the user's program, and the driver reads the same variables.
  return std::getenv(variable);
}

/// The agent that the driver loaded, if there is one. Looked for until it is found: CUDA may start later than the first
/// range.
inline const Agent& agent() {
  static thread_local Agent found;
  if (found.push != nullptr) return found;
  const char* path = injected("CUDA_INJECTION64_PATH");
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

/// A range for other tools, from open() to close().
class NvtxRange {
 public:
  /// Not for an agent that hears of NVTX ranges too: it was told of this one already, and would record it twice.
  void open([[maybe_unused]] const char* name, const Agent& agent) {
#ifdef RIDGE_RANGE_NVTX
    const char* cuda = injected("CUDA_INJECTION64_PATH");
    const char* nvtx = injected("NVTX_INJECTION64_PATH");
    if (agent.push != nullptr && cuda != nullptr && nvtx != nullptr && std::strcmp(cuda, nvtx) == 0) return;
    (void)nvtxRangePushA(name);
    open_ = true;
#else
    (void)agent;
#endif
  }
  void close() {
#ifdef RIDGE_RANGE_NVTX
    if (open_) (void)nvtxRangePop();
#endif
    open_ = false;
  }

 private:
  bool open_ = false;
};

}  // namespace range_detail

/// Marks everything from its construction to its destruction, on one thread. Ranges nest.
class Range {
 public:
  explicit Range(const char* name) : agent_(range_detail::agent()) {
    if (agent_.push != nullptr) agent_.push(name);
    nvtx_.open(name, agent_);
  }
  ~Range() {
    nvtx_.close();
    if (agent_.pop != nullptr) agent_.pop();
  }
  Range(const Range&) = delete;
  Range& operator=(const Range&) = delete;

 private:
  range_detail::Agent agent_;  ///< as it was at the begin: both ends go to the same place
  range_detail::NvtxRange nvtx_;
};

/// Marks and measures, from its construction to end() or its destruction, both on one thread. end() may be called once.
class MeasuredRange {
 public:
  explicit MeasuredRange(const char* name) : agent_(range_detail::agent()) {
    nvtx_.open(name, agent_);
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
    RangeFigures figures;
    if (ended_) return figures;
    ended_ = true;
    range_detail::RidgeRangeFigures raw{};
    raw.size = sizeof raw;
    if (agent_.end != nullptr) {
      agent_.end(&raw);  // waits for the GPU, and notes the time before it reads
    } else {
      range_detail::synchronise();
    }
    figures.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    nvtx_.close();
    const auto take = [&raw](unsigned bit, auto& to, auto value) {
      if ((raw.have & (1U << bit)) != 0) to = value;
    };
    take(0, figures.seconds, raw.seconds);
    take(1, figures.kernel_seconds, raw.kernel_seconds);
    take(2, figures.launches, raw.launches);
    take(3, figures.dram_read_bytes, raw.dram_read_bytes);
    take(4, figures.dram_write_bytes, raw.dram_write_bytes);
    take(5, figures.warp_instructions, raw.warp_instructions);
    return figures;
  }

 private:
  range_detail::Agent agent_;
  range_detail::NvtxRange nvtx_;
  std::chrono::steady_clock::time_point begin_;
  bool ended_ = false;
};

}  // namespace ridge
