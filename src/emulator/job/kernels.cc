// Which kernel of a module is meant.
#include <fmt/format.h>

#include <vector>

#include "base/demangle.h"
#include "base/nearest.h"
#include "base/words.h"
#include "emulator/job/bind.h"
#include "emulator/job/numbers.h"
#include "model/profile/kernel_name.h"

namespace ridge::emulator {
namespace {

std::string demangled_name(const ptx::Function& kernel) {
  return demangled(std::string(kernel.name));
}

/// "ns::gemm" -> "gemm".
std::string_view last_part(std::string_view name) {
  const std::size_t colons = name.rfind("::");
  return colons == std::string_view::npos ? name : name.substr(colons + 2);
}

bool is_called(const ptx::Function& kernel, std::string_view name, int closeness) {
  const std::string full = demangled_name(kernel);
  const std::string brief = short_kernel_name(full);
  switch (closeness) {
    case 0:
      return kernel.name == name;
    case 1:
      return full == name || brief == name;
    case 2:
      return last_part(brief) == name;
    default:
      return name.find('<') != std::string_view::npos && full.find(name) != std::string::npos;
  }
}

std::string listed(const std::vector<const ptx::Function*>& kernels) {
  constexpr std::size_t kShown = 8;
  std::string list;
  for (std::size_t i = 0; i < kernels.size() && i < kShown; ++i) {
    list += (i == 0 ? "" : ", ") + std::string(kernels[i]->name);
  }
  return kernels.size() > kShown ? list + fmt::format(" and {} more", kernels.size() - kShown) : list;
}

Error unknown(const std::vector<const ptx::Function*>& entries, const std::string& name) {
  std::vector<std::string> names;
  for (const ptx::Function* entry : entries) names.push_back(short_kernel_name(demangled_name(*entry)));
  const std::string near = nearest(name, names);
  return usage_error(fmt::format("there is no kernel '{}'", shown(name)), "--kernel",
                     near.empty() ? "name one of " + listed(entries) : "did you mean " + near + "?");
}

}  // namespace

Result<const ptx::Function*> find_kernel(const ptx::Module& module, const std::string& name) {
  const auto entries = ptx::entries(module);
  if (entries.empty()) {
    return fail(bad_input("there is no kernel in the PTX", "", "give a file with an .entry, or a __global__ function"));
  }
  if (name.empty()) {
    if (entries.size() == 1) return entries.front();
    return fail(usage_error(fmt::format("there are {} kernels and none is named", entries.size()), "--kernel",
                            "name one of " + listed(entries)));
  }
  constexpr int kWays = 4;
  for (int closeness = 0; closeness < kWays; ++closeness) {
    std::vector<const ptx::Function*> found;
    for (const ptx::Function* entry : entries) {
      if (is_called(*entry, name, closeness)) found.push_back(entry);
    }
    if (found.size() == 1) return found.front();
    if (found.size() > 1) {
      return fail(usage_error(fmt::format("'{}' is the name of {} kernels", shown(name), found.size()), "--kernel",
                              "name one of " + listed(found)));
    }
  }
  return fail(unknown(entries, name));
}

}  // namespace ridge::emulator
