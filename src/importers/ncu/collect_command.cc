#include "importers/ncu/collect_command.h"

#include <algorithm>
#include <vector>

#include "base/words.h"

namespace ridge::ncu {
namespace {

/// The value of `--option V` or `--option=V` at words[i], and how many words it takes; 0 if it is another word.
std::size_t option_at(const std::vector<std::string_view>& all, std::size_t i, std::string_view option,
                      std::string_view& value) {
  if (all[i] == option && i + 1 < all.size()) {
    value = all[i + 1];
    return 2;
  }
  if (all[i].size() > option.size() && all[i].starts_with(option) && all[i][option.size()] == '=') {
    value = all[i].substr(option.size() + 1);
    return 1;
  }
  return 0;
}

}  // namespace

std::string roofline_command(std::string_view recorded, std::string_view program) {
  const std::vector<std::string_view> all = parts_of(recorded, " ");
  if (all.size() < 2) {
    return "ncu --set roofline -o roofline " + std::string(program.empty() ? std::string_view("PROGRAM") : program);
  }
  std::string kept;
  std::string_view output, ignored;
  for (std::size_t i = 1; i < all.size();) {
    std::size_t taken = 0;
    for (const std::string_view option : {"-o", "--export"}) {
      if (taken == 0 && output.empty()) taken = option_at(all, i, option, output);
    }
    for (const std::string_view option : {"--set", "--section", "--metrics", "--page"}) {
      if (taken == 0) taken = option_at(all, i, option, ignored);
    }
    if (taken == 0 && all[i] == "--csv") taken = 1;
    if (taken == 0) kept.append(" ").append(all[i]);
    i += std::max<std::size_t>(taken, 1);
  }
  if (output.ends_with(".ncu-rep")) output.remove_suffix(std::string_view(".ncu-rep").size());
  const std::string name = output.empty() ? "roofline" : std::string(output) + "_roofline";
  return "ncu --set roofline -o " + name + kept;
}

}  // namespace ridge::ncu
