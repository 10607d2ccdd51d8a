// Whether every index of a profile, or of a piece of one, points into its table: the rest of the program relies on it,
// so the reader refuses files where it does not hold, and the writer refuses to make one.
#pragma once

#include <cstddef>
#include <string_view>

#include "ridgepoint/model/profile.h"

namespace ridge::store {

/// Items of each table that something refers to.
struct TableSizes {
  std::size_t sources = 0, devices = 0, kernels = 0, configurations = 0, metrics = 0, measurements = 0, sampled = 0;
};

[[nodiscard]] TableSizes operator+(const TableSizes& sizes, const Profile& piece);

/// What points to nothing ("a launch of nothing"), or "". `sizes` includes the piece itself.
[[nodiscard]] std::string_view dangling(const Profile& piece, const TableSizes& sizes);

}  // namespace ridge::store
