#include "cli/emulate/outputs.h"

#include <algorithm>
#include <ostream>
#include <set>

#include "emulator/job/contents.h"
#include "emulator/job/npy.h"
#include "store/atomic_file.h"

namespace ridge::cli {

bool keeps_results(const emulator::Job& job) {
  return std::any_of(job.buffers.begin(), job.buffers.end(),
                     [](const emulator::Buffer& buffer) { return !buffer.save.empty() || buffer.expected; });
}

Result<void> check_outputs(const emulator::Job& job) {
  std::set<std::string> paths;
  for (const emulator::Buffer& buffer : job.buffers) {
    if (buffer.save.empty()) continue;
    RIDGE_TRY(store::check_file(buffer.save));
    if (!paths.insert(buffer.save).second) {
      return fail(usage_error("two buffers are saved to one file", buffer.save, "name another file for one of them"));
    }
  }
  return {};
}

Result<bool> keep_results(const emulator::Job& job, const emulator::RunResult& result, Context& context) {
  if (!keeps_results(job)) return true;
  if (result.buffers.size() != job.buffers.size()) {
    return fail(not_available("results are neither saved nor compared, as the kernel did not run to its end",
                              job.kernel, "see what it did wrong, or run it --whole"));
  }
  for (std::size_t i = 0; i < job.buffers.size(); ++i) {
    const emulator::Buffer& buffer = job.buffers[i];
    if (buffer.save.empty()) continue;
    RIDGE_TRY(store::write_file(buffer.save, emulator::encode_npy(buffer.type, buffer.shape, result.buffers[i])));
  }
  bool right = true;
  for (std::size_t i = 0; i < job.buffers.size(); ++i) {
    if (!job.buffers[i].expected) continue;
    const auto comparison = emulator::compare(job.buffers[i], result.buffers[i]);
    context.err << emulator::described(comparison, job.buffers[i]) << '\n';
    right = right && comparison.passed();
  }
  return right;
}

}  // namespace ridge::cli
