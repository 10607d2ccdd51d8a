// One buffer of a job: its type and length, what it holds at first and what it must hold in the end.
#pragma once

#include <optional>

#include "emulator/job/draft.h"
#include "emulator/job/job.h"
#include "emulator/job/parameters.h"
#include "model/expression/expression.h"
#include "ridgepoint/base/result.h"

namespace ridge::emulator {

struct BufferPlace {
  std::string name;          ///< "argument 2"
  std::uint64_t number = 1;  ///< the seed, unless one is said
  std::optional<Pointee> pointee;
};

/// Reads the files it names.
[[nodiscard]] Result<Buffer> bind_buffer(const ArgumentDraft& draft, const BufferPlace& place, const Variables& names);

}  // namespace ridge::emulator
