// The profiler's raw CSV page, read in the plainest way: a check on the importer must not use it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ridge::testing {

/// One launch: every column that is a number, in base units; per cent stays per cent.
struct RawLaunch {
  unsigned id = 0;
  std::string kernel;
  std::map<std::string, double> values;

  /// NaN if the column is not there.
  [[nodiscard]] double at(const std::string& column) const;
};

/// nullopt if the file cannot be read.
[[nodiscard]] std::optional<std::vector<RawLaunch>> read_raw_page(const std::string& path);

}  // namespace ridge::testing
