// Issues: what went wrong with the data without stopping the work, each with a remedy.
//
// Ids are stable and listed in render/text/messages.cc as "issue.<id>" (text) and "issue.<id>.remedy". No parser may
// skip bad input without adding one.
#pragma once

#include <string_view>

#include "ridgepoint/model/message.h"

namespace ridge {

enum class Severity : unsigned char { kInfo, kNotice, kError, kDataLoss };
/// "info", "notice", "error", "data-loss".
[[nodiscard]] std::string_view name(Severity severity);

struct Issue {
  Severity severity = Severity::kNotice;
  Message message;  ///< id without the "issue." prefix
};

}  // namespace ridge
