// All teaching kernels, in a fixed order: recordings are matched with declarations by it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lab/declare/declaration.h"
#include "ridgepoint/base/result.h"

namespace ridge::lab {

[[nodiscard]] const std::vector<KernelDeclaration>& kernels();
[[nodiscard]] const KernelDeclaration* find_kernel(std::string_view id);
/// The ladders, each once, in the order of kernels().
[[nodiscard]] std::vector<std::string_view> ladders();
/// Kernels of a ladder, a kernel by its id, or all of them for "all". An unknown name is a usage error that suggests
/// near misses.
[[nodiscard]] Result<std::vector<const KernelDeclaration*>> select_kernels(std::string_view name);

/// What is missing or contradicts itself in a declaration; empty if nothing is. The registry's test calls it.
[[nodiscard]] std::vector<std::string> faults(const KernelDeclaration& kernel);

}  // namespace ridge::lab
