// One error, as the person at the keyboard needs it: what went wrong, where, and what to do about it.
//
// Models a failure that stops the operation that returned it. Damage that does not stop the work (a launch whose
// counter is NaN, a truncated tail) is not an Error but an Issue (model/issue.h). Programmer mistakes are asserts.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace ridge {

/// Each code maps to one exit status of the program (see exit_status).
enum class ErrorCode {
  kUsage,          ///< the command line or an argument is wrong
  kBadInput,       ///< a file is damaged, foreign, empty or has no kernels
  kNotAvailable,   ///< not possible here: no GPU, no permission, not built in
  kInternal,       ///< a bug, or the machine failed us (disk full, out of memory)
  kNotComparable,  ///< two things that must not be compared
};

/// `what` is one sentence without a final full stop; `where` a path, an offset, an option or empty; `remedy` an
/// imperative sentence. to_string joins them on one line: "what (where): remedy".
struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string what;
  std::string where;
  std::string remedy;
};

/// 2 usage, 3 bad input, 4 not available, 5 internal, 6 not comparable.
[[nodiscard]] int exit_status(ErrorCode code);

/// Stable lower-case name: "usage", "bad-input", "not-available", "internal", "not-comparable".
[[nodiscard]] std::string_view name(ErrorCode code);

[[nodiscard]] std::string to_string(const Error& error);

[[nodiscard]] inline Error usage_error(std::string what, std::string where, std::string remedy) {
  return {ErrorCode::kUsage, std::move(what), std::move(where), std::move(remedy)};
}
[[nodiscard]] inline Error bad_input(std::string what, std::string where, std::string remedy) {
  return {ErrorCode::kBadInput, std::move(what), std::move(where), std::move(remedy)};
}
[[nodiscard]] inline Error not_available(std::string what, std::string where, std::string remedy) {
  return {ErrorCode::kNotAvailable, std::move(what), std::move(where), std::move(remedy)};
}
[[nodiscard]] inline Error internal_error(std::string what, std::string where, std::string remedy) {
  return {ErrorCode::kInternal, std::move(what), std::move(where), std::move(remedy)};
}

}  // namespace ridge
