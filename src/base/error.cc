#include "ridgepoint/base/error.h"

namespace ridge {

int exit_status(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUsage:
      return 2;
    case ErrorCode::kBadInput:
      return 3;
    case ErrorCode::kNotAvailable:
      return 4;
    case ErrorCode::kInternal:
      return 5;
    case ErrorCode::kNotComparable:
      return 6;
  }
  return 5;
}

std::string_view name(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUsage:
      return "usage";
    case ErrorCode::kBadInput:
      return "bad-input";
    case ErrorCode::kNotAvailable:
      return "not-available";
    case ErrorCode::kInternal:
      return "internal";
    case ErrorCode::kNotComparable:
      return "not-comparable";
  }
  return "internal";
}

std::string to_string(const Error& error) {
  std::string text = error.what;
  if (!error.where.empty()) text += " (" + error.where + ")";
  if (!error.remedy.empty()) text += ": " + error.remedy;
  return text;
}

}  // namespace ridge
