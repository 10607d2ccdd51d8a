// Which launch of one page a kernel name of another page belongs to.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::ncu {

/// A name without what pages of one version spell differently: spaces, and the casts of "gemm<(int)32>".
[[nodiscard]] std::string comparable_name(std::string_view full_name);

/// For each wanted name the index of the launch it stands for: the first launch of that name goes to the first mention,
/// the second to the second, and so on; nullopt when there are no more.
[[nodiscard]] std::vector<std::optional<std::size_t>> match_kernels(std::span<const std::string> wanted,
                                                                    std::span<const std::string> launches);

}  // namespace ridge::ncu
