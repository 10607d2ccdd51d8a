// Which libcupti to use: many machines have several (toolkits, Python packages), some too old for the GPU, some newer
// than the driver allows, some without the helper library that plans counters.
//
// Looks at files only and opens none, because two of them in one process disturb each other: the version is the one in
// the file's or folder's name. Not here: whether the chosen one works on this GPU (open_calls, ridge doctor).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ridgepoint/base/result.h"

namespace ridge::collectors::cupti {

/// Where to look. The folders are absolute; tests give their own.
struct Places {
  std::string chosen;                 ///< by the user (--cupti): nothing else is looked at
  std::string chosen_by;              ///< "--cupti" or "RIDGE_CUPTI"
  std::string root;                   ///< before /usr/local, /opt/nvidia; empty on a real machine
  std::string program_folder;         ///< of the running program, for a library that came with it
  std::vector<std::string> loader;    ///< folders of LD_LIBRARY_PATH
  std::vector<std::string> programs;  ///< folders of PATH, to find a Python
  std::string home;
  std::uint32_t driver = 0;  ///< as cuDriverGetVersion says: 13000; 0: unknown
};
/// Of this machine and its environment; `chosen` is the option's path or empty. `driver` 0: asked of the driver, which
/// is loaded and not initialised.
[[nodiscard]] Places places_here(const std::string& chosen, std::uint32_t driver);

struct FoundLibrary {
  std::string path;
  std::string origin;         ///< "CUDA toolkit", "Python package", "beside ridge", ...
  std::uint32_t version = 0;  ///< 1000 x major + 10 x minor as far as the names tell: 13000; 0: they do not
  bool unusable = false;
  std::string note;  ///< why it is unusable or another one is preferred; empty: nothing is known against it
};

/// Every library found, the best one first; those that cannot be used last.
[[nodiscard]] std::vector<FoundLibrary> find_libraries(const Places& places);

/// The best one. The error says where was looked, or what is wrong with the one that was named.
[[nodiscard]] Result<FoundLibrary> choose_library(const Places& places);

}  // namespace ridge::collectors::cupti
