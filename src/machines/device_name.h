// A device name taken apart: what card it is, in which form, with how much memory, and whether it is a slice of one.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace ridge::machines {

struct DeviceName {
  /// The words that name the model, lower case: {"rtx", "4090"}; makers' and series' names are left out.
  std::set<std::string> model;
  /// Words that tell variants of a model apart: "sxm", "pcie", "nvl".
  std::set<std::string> form;
  std::optional<double> memory_gib;  ///< "80GB"
  bool slice = false;                ///< the name says MIG
};

[[nodiscard]] DeviceName parse_device_name(std::string_view name);

/// Blanks collapsed, lower case: two spellings of one driver name compare equal.
[[nodiscard]] std::string plain_device_name(std::string_view name);

}  // namespace ridge::machines
