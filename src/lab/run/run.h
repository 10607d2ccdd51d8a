// What running one kernel at one size gave.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "device/device.h"
#include "lab/declare/bind.h"

namespace ridge::lab {

/// What a device that emulates says of a launch: work that was counted, and a time that a model predicts.
struct Prediction {
  Measurement measurement;
  Configuration configuration;
  Value<Seconds> duration;
  double fraction = 1;  ///< of the blocks, that were run
};

struct RunOptions {
  std::uint64_t seed = 1;
  int repetitions = 20;     ///< timed samples
  bool check_only = false;  ///< no timing
  /// Of a device that emulates: asked after each kernel's only launch. Then nothing is timed.
  std::function<Prediction()> prediction;
};

/// Results against the reference.
struct Check {
  std::string not_done;  ///< why nothing was compared; empty: it was
  double error = 0;      ///< ||result - expected|| / ||expected|| over the compared elements
  double tolerance = 0;
  std::size_t compared = 0, elements = 0;
  bool passed = false;
  std::string fault;  ///< what is wrong; empty if passed
};

/// One sample is the time of `launches_per_sample` launches in a row, by events, divided by their number.
struct Timing {
  std::vector<Seconds> samples;
  Seconds median, least, most;
  int launches_per_sample = 1;
  int copies = 1;            ///< of the buffers, used in turn so that L2 does not hold the inputs of the next launch
  bool l2_resident = false;  ///< even so all buffers fit into L2: DRAM bytes are fewer than declared
  device::Reading reading;   ///< median clock, last power and temperature, while the samples ran
};

struct Run {
  BoundKernel kernel;
  std::string name;     ///< "gemm_tiled n=1024", "cuBLAS 13.0.2 fp32 n=1024"
  bool vendor = false;  ///< the vendor's library instead of the lab's kernel
  device::FunctionFacts facts;
  bool from_ptx = false;  ///< compiled by the driver rather than by the toolkit
  Check check;
  Timing timing;                         ///< no samples with check_only
  std::optional<Prediction> prediction;  ///< instead of times, if it was emulated

  [[nodiscard]] bool timed() const { return !timing.samples.empty(); }
  [[nodiscard]] bool wrong() const { return check.not_done.empty() && !check.passed; }
  /// What was predicted of a kernel that computes wrongly says nothing.
  [[nodiscard]] bool predicted() const { return prediction && !wrong(); }
};

}  // namespace ridge::lab
