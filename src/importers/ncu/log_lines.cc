#include "importers/ncu/log_lines.h"

#include <algorithm>

#include "base/utf8.h"
#include "base/words.h"

namespace ridge::ncu {
namespace {

constexpr std::size_t kMaxKept = 20;
constexpr std::size_t kMaxText = 400;
constexpr std::string_view kWarning = "==WARNING==", kError = "==ERROR==";

constexpr std::string_view kPermissionRemedy =
    "run ncu as root or load the driver with NVreg_RestrictProfilingToAdminUsers=0; a container needs CAP_SYS_ADMIN as "
    "well, and on a rented machine only the provider can allow it (without counters: ridge explain --measured)";

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace

void LogLines::add(std::string_view line, std::uint64_t number) {
  line = trim(line);
  if (line.empty()) return;
  if (contains(line, "ERR_NVGPUCTRPERM") || contains(line, "permission to access NVIDIA GPU Performance Counters")) {
    if (!is_forbidden_) forbidden_line_ = number;
    is_forbidden_ = true;
    if (line.starts_with(kError)) return;  // told of once, as what it is
  }
  if (contains(line, "No kernels were profiled")) is_nothing_profiled_ = true;
  if (contains(line, "Profiling is not supported on")) is_unsupported_ = true;
  const bool is_error = line.starts_with(kError);
  if (!is_error && !line.starts_with(kWarning)) {
    if (!line.starts_with("==")) ++other_;
    return;
  }
  line.remove_prefix(is_error ? kError.size() : kWarning.size());
  const std::string text = to_valid_utf8(trim(line).substr(0, kMaxText));
  const auto known =
      std::find_if(kept_.begin(), kept_.end(), [&](const Kept& k) { return k.is_error == is_error && k.text == text; });
  if (known != kept_.end()) {
    ++known->count;
  } else if (kept_.size() < kMaxKept) {
    kept_.push_back({is_error, text});
  } else {
    ++dropped_;
  }
}

std::optional<Error> LogLines::reason_for_nothing(const std::string& path) const {
  if (is_forbidden_) {
    return not_available("the profiler was not allowed to read the GPU's counters (ERR_NVGPUCTRPERM)",
                         path + ", line " + std::to_string(forbidden_line_), std::string(kPermissionRemedy));
  }
  if (is_unsupported_) {
    return not_available("the profiler does not support this device", path, "record on a GPU that it supports");
  }
  if (is_nothing_profiled_) {
    return bad_input("the profiler says that no kernels were profiled", path,
                     "check that the program ran kernels and that no filter hid them");
  }
  for (const Kept& kept : kept_) {
    if (kept.is_error) {
      return bad_input("the profiler failed: " + kept.text, path, "mend that and record again");
    }
  }
  return std::nullopt;
}

void LogLines::report(ProfileBuilder& builder) const {
  if (is_forbidden_) builder.issue(Severity::kDataLoss, Message("counters-forbidden"));
  for (const Kept& kept : kept_) {
    builder.issue(
        kept.is_error ? Severity::kError : Severity::kNotice,
        Message(kept.is_error ? "profiler-error" : "profiler-warning",
                {{"text", kept.text, Unit::kNone}, {"count", static_cast<double>(kept.count), Unit::kCount}}));
  }
  if (dropped_ > 0) {
    builder.issue(Severity::kNotice,
                  Message("profiler-messages-dropped", {{"count", static_cast<double>(dropped_), Unit::kCount}}));
  }
  if (other_ > 0) {
    builder.issue(Severity::kNotice, Message("program-output", {{"lines", static_cast<double>(other_), Unit::kCount}}));
  }
}

}  // namespace ridge::ncu
