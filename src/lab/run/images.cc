#include "lab/run/images.h"

#include <algorithm>
#include <string>

namespace ridge {
std::span<const EmbeddedFile> embedded_lab_ptx();
#ifdef RIDGE_LAB_CUBINS
std::span<const EmbeddedFile> embedded_lab_binaries();
#endif
}  // namespace ridge

namespace ridge::lab {
namespace {

std::optional<std::string_view> find(std::span<const EmbeddedFile> files, const std::string& name) {
  const auto at = std::find_if(files.begin(), files.end(), [&](const EmbeddedFile& file) { return file.name == name; });
  if (at == files.end()) return std::nullopt;
  return at->content;
}

}  // namespace

std::optional<std::string_view> Images::ptx_of(std::string_view module) const {
  return find(ptx, std::string(module) + ".ptx");
}

std::optional<std::string_view> Images::binary_of(std::string_view module) const {
  return find(binaries, std::string(module) + ".fatbin");
}

Images embedded_images() {
#ifdef RIDGE_LAB_CUBINS
  return {embedded_lab_ptx(), embedded_lab_binaries()};
#else
  return {embedded_lab_ptx(), {}};
#endif
}

}  // namespace ridge::lab
