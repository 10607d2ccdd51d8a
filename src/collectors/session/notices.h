// What a person is told while the run goes on, and the file as well: each thing once.
#pragma once

#include <fmt/format.h>

#include <set>
#include <string>

#include "collectors/session/assemble.h"
#include "collectors/session/issues.h"

namespace ridge::collectors::session {

class Notices {
 public:
  Notices(Observer& observer, Assembler& assembler) : observer_(observer), assembler_(assembler) {}

  /// Nothing if the same id was told before, of the same device where it names one.
  void tell(Issue issue) {
    std::string key = issue.message.id;
    for (const Argument& argument : issue.message.arguments) {
      if (argument.name != "device" && argument.name != "process" && argument.name != "stage") continue;
      const auto* words = std::get_if<std::string>(&argument.value);
      key += '\n' + (words != nullptr ? *words : fmt::format("{}", std::get<double>(argument.value)));
    }
    if (!told_.insert(std::move(key)).second) return;
    observer_.notice(issue);
    assembler_.add_issue(std::move(issue));
  }

 private:
  Observer& observer_;
  Assembler& assembler_;
  std::set<std::string> told_;
};

/// Counters or sampling that are not to be had: forbidden, held by somebody, or not on this chip. `otherwise` is the id
/// for what is neither of the first two. Reasons are the library's own names or the sentences of cupti/pm_device.cc.
[[nodiscard]] inline Issue not_to_be_had(const std::string& reason, const std::string& device, const char* otherwise) {
  const auto says = [&](const char* what) { return reason.find(what) != std::string::npos; };
  if (says("INSUFFICIENT_PRIVILEGES") || says("does not permit")) {
    return make_issue(Severity::kNotice, "no-permission", {text("reason", reason)});
  }
  if (says("HARDWARE_BUSY") || says("in use by another"))
    return make_issue(Severity::kNotice, "counters-busy", {text("reason", reason)});
  return make_issue(Severity::kNotice, otherwise, {text("device", device), text("reason", reason)});
}

}  // namespace ridge::collectors::session
