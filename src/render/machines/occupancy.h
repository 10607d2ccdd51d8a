// Occupancy for people and for programs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "render/machines/document.h"
#include "ridgepoint/model/machine.h"
#include "ridgepoint/model/occupancy.h"

namespace ridge::render {

inline constexpr std::string_view kOccupancySchema = "ridge.occupancy/1";

struct OccupancyView {
  const Machine& machine;
  const Occupancy& occupancy;
  BetterBlockSizes better;
  std::vector<Occupancy> by_block_size;
};

[[nodiscard]] Document occupancy_page(const OccupancyView& view, Language language);
/// Schema "ridge.occupancy/1" (docs/reference/machines.md).
[[nodiscard]] std::string occupancy_json(const OccupancyView& view);
/// One row a block size.
[[nodiscard]] std::string occupancy_csv(const OccupancyView& view);

}  // namespace ridge::render
