// What the words of `ridge lab` ask for: ladders of kernels, each at one size or at several.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lab/declare/bind.h"
#include "lab/declare/declaration.h"

namespace ridge::cli {

struct LabPlanStep {
  const lab::KernelDeclaration* kernel = nullptr;
  lab::Sizes sizes;   ///< those that are not initial
  std::string label;  ///< the id, and the sizes where they are what is taught
};

/// One table: the steps of a ladder at one size, or one kernel at the sizes that teach something.
struct LabPlanGroup {
  std::string ladder, sizes;
  std::vector<LabPlanStep> steps;
};

/// Who will run it, which decides the sizes where none are given.
enum class LabHost : std::uint8_t { kGpu, kEmulator };

/// Words are names of kernels or ladders, "all", and NAME=VALUE[,VALUE...]. Usage errors for what the lab does not
/// have.
[[nodiscard]] Result<std::vector<LabPlanGroup>> plan_lab(const std::vector<std::string>& words,
                                                         LabHost host = LabHost::kGpu);

/// Every kernel at its recorded sizes, in the order that recordings are matched by.
[[nodiscard]] Result<std::vector<LabPlanStep>> plan_truth(const std::vector<std::string>& words);

}  // namespace ridge::cli
