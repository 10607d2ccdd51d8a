// Running a plan on a device.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/lab/plan.h"
#include "lab/run/runner.h"

namespace ridge::cli {

struct LabOutcome {
  LabPlanStep step;
  std::optional<lab::Run> run;
  std::string skipped;  ///< why there is no run
};

struct LabGroupOutcome {
  std::string ladder, sizes;
  std::vector<LabOutcome> steps;
  std::optional<lab::Run> vendor;
};

struct LabMeasurement {
  std::vector<LabGroupOutcome> groups;
  std::vector<std::string> notes;
  [[nodiscard]] bool all_right() const;  ///< no check failed
};

/// What is needed to run; `blas` and `telemetry` may be nullptr, then `notes` should say why.
struct LabBench {
  device::Device& device;
  device::Telemetry* telemetry = nullptr;
  device::Blas* blas = nullptr;
  lab::Images images;
  lab::RunOptions options;
  std::function<void(const std::string&)> progress;  ///< called before each step
};

/// A kernel that this GPU cannot run, or has no room for, is skipped and says so. Not available if all were skipped;
/// any other failure of the device ends the measurement.
[[nodiscard]] Result<LabMeasurement> measure(const std::vector<LabPlanGroup>& plan, const LabBench& bench);

/// Launches every step once, for a profiler that watches, and lists them as CSV in that order.
[[nodiscard]] Result<std::string> launch_once(const std::vector<LabPlanStep>& plan, const LabBench& bench);

}  // namespace ridge::cli
