// The recorded counters of the lab's kernels (tests/data/h200/lab_truth.csv), and each of them emulated on that
// machine.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "emulator/run/kernel_run.h"

namespace ridge::testing {

struct TruthRow {
  std::string kernel, sizes;
  std::map<std::string, double> counters;

  [[nodiscard]] std::string name() const { return kernel + " " + sizes; }
  /// A counter that is not there is a failure of the test.
  [[nodiscard]] double recorded(const std::string& counter) const;
};

/// In the file's order; empty where it cannot be read.
[[nodiscard]] const std::vector<TruthRow>& truth_rows();

/// One launch of it, as `ridge lab` launches it, with registers as estimated. Results are kept: asking again costs
/// nothing.
[[nodiscard]] const Result<emulator::KernelRun>& emulated(std::size_t row);

/// Of these rows, far larger than the rest, one wave is run: every block does the same work, and every wave moves what
/// the first one moves.
[[nodiscard]] bool is_sampled(const TruthRow& row);

}  // namespace ridge::testing
