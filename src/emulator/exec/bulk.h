// Bulk copies between global and shared memory, with and without tensor maps.
#pragma once

#include "emulator/exec/builder.h"

namespace ridge::emulator {

/// cp.async.bulk and cp.reduce.async.bulk in all their forms.
[[nodiscard]] bool select_bulk(Builder& builder);
/// st.bulk: zeros.
void add_bulk_fill(Builder& builder);

}  // namespace ridge::emulator
