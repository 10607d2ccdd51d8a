// What the file says of a run beside its launches: the source, and the Recording with its facts.
#pragma once

#include "collectors/session/session.h"

namespace ridge::collectors::session {

/// The piece that a file begins with: one source, one recording that is not finished. `now` is seconds since the epoch.
[[nodiscard]] Profile first_piece(const Options& options, double now);

/// The order of facts for people: what is `name`d twice keeps its last value.
void set_fact(Recording& recording, const std::string& name, const std::string& value);

/// "SIGSEGV"; "signal 47" for one without a name.
[[nodiscard]] std::string signal_name(int signal);

}  // namespace ridge::collectors::session
