// Limits: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability"; the same for all that have
// one.
#include "emulator/job/shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/words.h"
#include "emulator/job/bind.h"
#include "emulator/job/numbers.h"

namespace ridge::emulator {
namespace {

constexpr double kMostThreads = 1024, kMostBlockZ = 64;
constexpr double kMostGridX = 2147483647, kMostGridYz = 65535;
constexpr double kMostClusterBlocks = 16;
constexpr const char* kBlock = "--block";

std::string text_of(const Dim3& size) {
  return fmt::format("{}x{}x{}", size.x, size.y, size.z);
}

Error wrong(const std::optional<Text>& text, const char* flag, std::string what, std::string remedy) {
  return usage_error(std::move(what), text ? text->where : flag, std::move(remedy));
}

/// What a directive of the kernel says: .maxntid 256, 1, 1.
std::optional<Dim3> directive_of(const ptx::Function& kernel, std::string_view name) {
  for (const ptx::FunctionDirective& directive : kernel.directives) {
    if (directive.name != name || directive.values.empty()) continue;
    Dim3 size;
    const auto value = [&](std::size_t i) {
      return i < directive.values.size() ? static_cast<std::uint32_t>(directive.values[i]) : 1U;
    };
    size = {value(0), value(1), value(2)};
    return size;
  }
  return std::nullopt;
}

Result<void> bind_grid(const JobDraft& draft, const Variables& names, Job& job) {
  if (!draft.grid) {
    return fail(usage_error("the grid is missing", "--grid", "give its blocks, e.g. --grid 4096 or --grid 64x64"));
  }
  const auto grid = evaluate_shape(draft.grid->text, names, draft.grid->where);
  if (!grid) return fail(grid.error());
  if (grid->x > kMostGridX || grid->y > kMostGridYz || grid->z > kMostGridYz) {
    return fail(wrong(draft.grid, "--grid", fmt::format("a grid of {} blocks", text_of(*grid)),
                      "give at most 2147483647 x 65535 x 65535"));
  }
  job.grid = *grid;
  return {};
}

Result<void> check_block(const JobDraft& draft, const Job& job) {
  const Dim3& block = job.block;
  if (block.count() < 1)
    return fail(bad_input("the kernel demands blocks without threads", "", "correct its .reqntid"));
  if (block.count() > kMostThreads || block.z > kMostBlockZ) {
    return fail(wrong(draft.block, kBlock, fmt::format("a block of {} has too many threads", text_of(block)),
                      "give at most 1024, and 64 in the third direction"));
  }
  const auto required = directive_of(*job.function, "reqntid");
  if (required && *required != block) {
    return fail(wrong(draft.block, kBlock, fmt::format("the kernel demands blocks of {}", text_of(*required)),
                      "leave the block out"));
  }
  const auto most = directive_of(*job.function, "maxntid");
  if (most && block.count() > most->count()) {
    return fail(wrong(draft.block, kBlock,
                      fmt::format("the kernel was compiled for at most {:.0f} threads a block", most->count()),
                      "give a smaller block"));
  }
  return {};
}

Result<void> bind_block(const JobDraft& draft, const Variables& names, Job& job) {
  const auto required = directive_of(*job.function, "reqntid");
  if (draft.block) {
    const auto block = evaluate_shape(draft.block->text, names, draft.block->where);
    if (!block) return fail(block.error());
    job.block = *block;
  } else if (required) {
    job.block = *required;
  } else {
    const auto most = directive_of(*job.function, "maxntid");
    const std::string hint = most ? fmt::format(" (this kernel was compiled for at most {:.0f})", most->count()) : "";
    return fail(usage_error("the block size is missing", kBlock, "give its threads, e.g. --block 256" + hint));
  }
  return check_block(draft, job);
}

Result<void> bind_cluster(const JobDraft& draft, const Variables& names, Job& job) {
  const auto required = directive_of(*job.function, "reqnctapercluster");
  job.cluster = required;
  if (draft.cluster) {
    const auto cluster = evaluate_shape(draft.cluster->text, names, draft.cluster->where);
    if (!cluster) return fail(cluster.error());
    if (required && *required != *cluster) {
      return fail(wrong(draft.cluster, "--cluster",
                        fmt::format("the kernel demands clusters of {}", text_of(*required)), "leave the cluster out"));
    }
    job.cluster = *cluster;
  }
  if (!job.cluster) return {};
  const Dim3& cluster = *job.cluster;
  if (cluster.count() > kMostClusterBlocks) {
    return fail(
        wrong(draft.cluster, "--cluster", fmt::format("a cluster of {} blocks", text_of(cluster)), "give at most 16"));
  }
  const bool whole = cluster.x != 0 && cluster.y != 0 && cluster.z != 0 && job.grid.x % cluster.x == 0 &&
                     job.grid.y % cluster.y == 0 && job.grid.z % cluster.z == 0;
  if (whole) return {};
  return fail(wrong(draft.grid, "--grid",
                    fmt::format("a grid of {} is not made of clusters of {}", text_of(job.grid), text_of(cluster)),
                    "give a multiple in each direction"));
}

Result<void> bind_shared(const JobDraft& draft, const Variables& names, Job& job) {
  if (!draft.dynamic_shared) return {};
  // "48KiB" and "48Ki" are the same.
  std::string_view text = trim(draft.dynamic_shared->text);
  if (text.ends_with('B')) text.remove_suffix(1);
  const auto bytes = evaluate_count(text, names, draft.dynamic_shared->where);
  if (!bytes) return fail(bytes.error());
  job.dynamic_shared = *bytes;
  return {};
}

}  // namespace

Result<void> bind_shape(const JobDraft& draft, const Variables& names, Job& job) {
  RIDGE_TRY(bind_grid(draft, names, job));
  RIDGE_TRY(bind_block(draft, names, job));
  RIDGE_TRY(bind_cluster(draft, names, job));
  return bind_shared(draft, names, job);
}

Result<void> check_on(const Job& job, const Machine& machine) {
  const OccupancyLimits& limits = machine.occupancy;
  if (machine.vendor != Vendor::kNvidia) {
    return fail(usage_error(machine.id + " does not run PTX", "--on", "name an NVIDIA GPU (`ridge machines list`)"));
  }
  if (job.block.count() > limits.max_threads_per_block) {
    return fail(usage_error(fmt::format("{} runs at most {} threads a block", machine.id, limits.max_threads_per_block),
                            kBlock, "give a smaller block"));
  }
  const auto shared = static_cast<double>(job.dynamic_shared);
  if (limits.shared_bytes_per_block > 0 && shared > limits.shared_bytes_per_block) {
    return fail(usage_error(
        fmt::format("a block on {} can have {:.0f} bytes of shared memory", machine.id, limits.shared_bytes_per_block),
        "--dynamic-shared", "give less"));
  }
  constexpr double kFirstWithClusters = 9;
  const std::string& text = machine.compute_capability;
  double capability = 0;
  (void)std::from_chars(text.data(), text.data() + text.size(), capability);
  if (job.cluster && job.cluster->count() > 1 && capability > 0 && capability < kFirstWithClusters) {
    return fail(
        usage_error(fmt::format("{} has compute capability {} and no clusters", machine.id, machine.compute_capability),
                    "--cluster", "name a machine of 9.0 or later"));
  }
  return {};
}

}  // namespace ridge::emulator
