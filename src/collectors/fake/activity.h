// CUPTI's activity records: what is kept, and when it is handed over.
//
// A record is complete once what it tells of has ended; complete records go into the tool's buffers, which are handed
// over when full, every flush period, and when flushed. A forced flush hands over what has not ended too, with times 0.
// The library has a thread of its own for this, from the first kind that is enabled on.
#pragma once

#include <cstdint>
#include <string_view>

#include "collectors/cupti/abi_activity.h"
#include "collectors/fake/machine.h"

namespace ridge::collectors::fake {

namespace abi = cupti::abi;

/// Converts from the host's clock to the one that the tool asked for.
[[nodiscard]] std::uint64_t cupti_time(std::uint64_t moment);

/// Where a piece of work was submitted from, and when it runs.
struct Submission {
  const Context* context = nullptr;
  std::uint32_t stream = kDefaultStream, correlation = 0;
  Span span;
  bool timed = true;  ///< false: replayed, so nobody knows when it ran
};

void record_kernel(const Submission& submission, const Configuration& configuration, const Kernel& kernel,
                   std::uint64_t graph_node, std::uint32_t graph);
/// `kind` as CUpti_ActivityMemcpyKind; memory kinds as ActivityMemoryKind.
void record_copy(const Submission& submission, std::uint64_t bytes, std::uint8_t kind, std::uint8_t from,
                 std::uint8_t to);
void record_set(const Submission& submission, std::uint64_t bytes, std::uint32_t value);
void record_call(std::uint32_t domain, std::uint32_t cbid, std::uint64_t began, std::uint32_t correlation, int result);
void record_memory(const Context& context, std::uint32_t operation, std::uint64_t address, std::uint64_t bytes);
/// `stream` 0xffffffff: the whole context.
void record_wait(const Context& context, std::uint32_t stream, std::uint64_t began);
/// A range of NVTX begins or ends; the name is copied. `flags` as kMarkerStart and so on.
void record_marker(std::uint32_t flags, std::uint32_t id, const char* name);

}  // namespace ridge::collectors::fake
