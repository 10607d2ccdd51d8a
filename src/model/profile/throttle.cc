#include "model/profile/throttle.h"

#include <array>

namespace ridge {

std::vector<std::string_view> throttle_names(std::uint64_t reasons) {
  static constexpr std::array<std::string_view, 9> kNames{
      "idle",          "clocks-setting",   "power-cap",        "hardware-slowdown",
      "sync-boost",    "software-thermal", "hardware-thermal", "power-brake",
      "display-clocks"};
  std::vector<std::string_view> names;
  for (std::size_t bit = 0; bit < kNames.size(); ++bit) {
    if (((reasons >> bit) & 1) != 0) names.push_back(kNames[bit]);
  }
  if ((reasons >> kNames.size()) != 0) names.emplace_back("unknown");
  return names;
}

}  // namespace ridge
