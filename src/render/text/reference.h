// docs/reference/issues.md and rules.md, written from the message catalogue so that they cannot go out of date.
#pragma once

#include <string>

namespace ridge::render {

[[nodiscard]] std::string issues_reference();
/// The rules with their advice, then the sentences of verdicts and the stall reasons.
[[nodiscard]] std::string rules_reference();

}  // namespace ridge::render
