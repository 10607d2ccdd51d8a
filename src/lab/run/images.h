// The compiled kernels inside the program: PTX for every GPU, and where the toolkit was there at build time, binaries.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "base/embedded.h"

namespace ridge::lab {

struct Images {
  std::span<const EmbeddedFile> ptx;
  std::span<const EmbeddedFile> binaries;  ///< may be empty

  [[nodiscard]] std::optional<std::string_view> ptx_of(std::string_view module) const;
  [[nodiscard]] std::optional<std::string_view> binary_of(std::string_view module) const;
};

/// Those of this program.
[[nodiscard]] Images embedded_images();

}  // namespace ridge::lab
