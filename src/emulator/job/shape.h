// Grid, block, cluster and shared memory of a job, as the language, the kernel and the machine allow them.
#pragma once

#include "emulator/job/draft.h"
#include "emulator/job/job.h"
#include "model/expression/expression.h"
#include "ridgepoint/base/result.h"

namespace ridge::emulator {

/// Sets them in `job`, whose function is known. A block that the kernel demands (.reqntid) need not be said.
[[nodiscard]] Result<void> bind_shape(const JobDraft& draft, const Variables& names, Job& job);

}  // namespace ridge::emulator
