// How much of a grid is run.
#pragma once

#include <cstdint>

namespace ridge::emulator {

enum class Extent : std::uint8_t {
  kAuto,    ///< all of it if that fits the time budget, else a sample
  kWhole,   ///< all of it, however long that takes
  kSample,  ///< whole waves spread across it, scaled up
};

}  // namespace ridge::emulator
