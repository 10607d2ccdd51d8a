#include "cli/command.h"

namespace ridge::cli {

bool Arguments::has(std::string_view flag) const {
  return given_.find(flag) != given_.end();
}

std::string Arguments::value(std::string_view flag) const {
  if (const auto given = given_.find(flag); given != given_.end()) {
    return given->second.empty() ? std::string() : given->second.back();
  }
  const auto fallback = defaults_.find(flag);
  return fallback == defaults_.end() ? std::string() : fallback->second;
}

std::vector<std::string> Arguments::values(std::string_view flag) const {
  if (const auto given = given_.find(flag); given != given_.end()) return given->second;
  const auto fallback = defaults_.find(flag);
  return fallback == defaults_.end() ? std::vector<std::string>() : std::vector<std::string>{fallback->second};
}

void Arguments::set(std::string flag, std::vector<std::string> values) {
  given_[std::move(flag)] = std::move(values);
}

void Arguments::set_default(std::string flag, std::string value) {
  defaults_[std::move(flag)] = std::move(value);
}

}  // namespace ridge::cli
