// What a sampler sees: executions of kernels, cut into samples of equal length.
//
// A kernel counts evenly over its time, and a sample holds of each kernel the share that lies in it; so the samples'
// sums are the kernels' sums, however they straddle. Counters of time (cycles elapsed) count in every sample. Ratios
// are weighted by time. Pure: no clock, no files; times are nanoseconds on any one clock.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "collectors/fake/metrics.h"
#include "collectors/fake/worklog.h"

namespace ridge::collectors::fake {

struct Sample {
  std::uint64_t start = 0, end = 0;
  double active = 0;            ///< seconds in which a kernel ran
  std::vector<double> amounts;  ///< one for each base name
};

class Sampler {
 public:
  /// `bases` are base names (metrics.h). The first sample starts at `start`.
  Sampler(const Script& script, std::uint32_t device, std::vector<std::string> bases, std::uint64_t start,
          std::uint64_t interval);

  /// Work that is known by now; what ended before the next sample is left out.
  void add(const std::vector<WorkRecord>& records);
  /// Samples that end by then and were not taken yet.
  [[nodiscard]] std::uint64_t ready(std::uint64_t until) const;
  [[nodiscard]] Sample take();
  /// Leaves out so many samples.
  void skip(std::uint64_t samples) { next_ += samples * interval_; }

 private:
  struct Running {
    std::uint64_t start = 0, end = 0;
    std::vector<double> amounts;  ///< of the whole execution
  };
  void begin(const WorkRecord& record);

  const Script* script_;
  std::uint32_t device_;
  std::vector<std::string> bases_;
  std::vector<double> time_;  ///< what a counter of time counts in a sample; 0: it counts work
  std::vector<bool> ratio_;
  std::uint64_t next_, interval_;
  std::vector<WorkRecord> waiting_;  ///< a heap, the first to start at its top
  std::vector<Running> running_;
};

}  // namespace ridge::collectors::fake
