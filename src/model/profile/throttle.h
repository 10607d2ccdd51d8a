// What Reading::throttle_reasons says, bit by bit (NVML's nvmlClocksEventReasons).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace ridge {

/// The bits that mean: slower than it could be. The others say that the GPU is idle or that somebody set its clocks.
inline constexpr std::uint64_t kSlowingReasons = 0x4 | 0x8 | 0x20 | 0x40 | 0x80;
/// The bits by name, lowest first: "idle", "clocks-setting", "power-cap", "hardware-slowdown", "sync-boost",
/// "software-thermal", "hardware-thermal", "power-brake", "display-clocks"; "unknown" for all others together.
[[nodiscard]] std::vector<std::string_view> throttle_names(std::uint64_t reasons);

}  // namespace ridge
