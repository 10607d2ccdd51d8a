// What the entry points of CUPTI's profiler interface share.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "collectors/cupti/abi_profiler.h"
#include "collectors/fake/image.h"
#include "collectors/fake/world.h"

namespace ridge::collectors::fake {

namespace abi = cupti::abi;

/// Not null, and at least as large as we know it.
template <class P>
[[nodiscard]] bool valid(const P* params) {
  return params != nullptr && params->structSize >= abi::kStructSize<P>;
}

/// cuptiProfilerInitialize was called.
[[nodiscard]] std::atomic<bool>& profiler_initialised();

[[nodiscard]] inline std::vector<std::string> names_of(const char** names, std::size_t count) {
  return names == nullptr ? std::vector<std::string>{} : std::vector<std::string>(names, names + count);
}

}  // namespace ridge::collectors::fake
