// Units as Nsight Compute spells them, and what a report without units means.
//
// CSV pages state a unit per metric: an SI prefix and a name ("usecond", "Kbyte", "Ghz"), quotients of such
// ("cycle/nsecond"). Prefixes are powers of 1000 (K = 1000). The .ncu-rep container states none: its values are in the
// vendor's base units (model/metric/unit.h).
// Not modelled: a unit that is not in the table has no factor; the caller must not guess one.
#pragma once

#include <optional>
#include <string_view>

#include "model/metric/unit.h"

namespace ridge::ncu {

/// Whether the name is that of a quantity (a time, bytes, their rate, a frequency, a share) and not of a count, which
/// pages may leave out.
[[nodiscard]] bool is_dimension(std::string_view unit);

/// nullopt when a part is unknown.
[[nodiscard]] std::optional<MetricUnit> parse_unit(std::string_view text);

}  // namespace ridge::ncu
