// From what somebody wrote to a job that fits a kernel: names and formulas evaluated, files read, every argument held
// to its parameter, the shape to what the kernel and the machine allow.
#pragma once

#include <string>

#include "emulator/job/draft.h"
#include "emulator/job/job.h"
#include "emulator/ptx/module.h"
#include "ridgepoint/base/result.h"
#include "ridgepoint/model/machine.h"

namespace ridge::emulator {

/// The entry called so in the PTX, or whose C++ name it is ("gemm", "ns::gemm"); the only one if `name` is empty.
/// Errors list what there is.
[[nodiscard]] Result<const ptx::Function*> find_kernel(const ptx::Module& module, const std::string& name);

/// The job refers to `module`, which must outlive it.
[[nodiscard]] Result<Job> bind_job(const ptx::Module& module, const JobDraft& draft);

/// What no SM of the machine can run: too many threads, too much shared memory, clusters where there are none.
[[nodiscard]] Result<void> check_on(const Job& job, const Machine& machine);

/// A TOML to start from: the kernel, a shape, and an argument for each parameter. `file` is named in it.
[[nodiscard]] Result<std::string> job_template(const ptx::Function& kernel, const std::string& file);

}  // namespace ridge::emulator
