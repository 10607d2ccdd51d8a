#include "collectors/cupti/find.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "base/words.h"
#include "collectors/cuda/driver.h"

namespace ridge::collectors::cupti {
namespace {

namespace fs = std::filesystem;

/// Newest first; CUPTI before 12 has no range profiler of the kind that is used here.
constexpr std::array kNames{std::string_view("libcupti.so.13"), std::string_view("libcupti.so.12"),
                            std::string_view("libcupti.so")};
constexpr std::string_view kHelper = "libnvperf_host.so";
constexpr std::uint32_t kOldest = 12000;

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

std::vector<fs::path> entries(const fs::path& folder, std::string_view prefix) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (it->path().filename().string().starts_with(prefix)) found.push_back(it->path());
  }
  std::sort(found.rbegin(), found.rend());  // the newer version first
  return found;
}

/// The number after `prefix` in `text`, as 1000 x major + 10 x minor; 0 if there is none that can be one.
std::uint32_t number_after(std::string_view text, std::string_view prefix) {
  const std::size_t at = text.rfind(prefix);
  if (at == std::string_view::npos) return 0;
  std::array<std::uint32_t, 2> part{};
  std::size_t which = 0;
  for (const char c : text.substr(at + prefix.size())) {
    if (c >= '0' && c <= '9') {
      part[which] = part[which] * 10 + static_cast<std::uint32_t>(c - '0');
      if (part[which] > 999) return 0;  // a year: libcupti.so.2025.3.1
    } else if (c != '.' || which++ > 0) {
      break;
    }
    if (which > 1) break;
  }
  return part[0] * 1000 + part[1] * 10;
}

/// The folder's name knows the minor version ("cuda-13.0"), the file's name at least the major one.
std::uint32_t version_of(const fs::path& path) {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  const std::string text = error ? path.string() : real.string();
  const std::uint32_t folder = number_after(text, "/cuda-");
  if (folder > 0) return folder;
  for (const std::string& name : {path.filename().string(), fs::path(text).filename().string()}) {
    const std::uint32_t file = number_after(name, "libcupti.so.");
    if (file > 0) return file;
  }
  return number_after(text, "/nvidia/cu");
}

std::string as_text(std::uint32_t version) {
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

/// The order of preference beside the order of places: fit for the driver, then older, then newer.
int rank(const FoundLibrary& library, std::uint32_t driver) {
  if (library.unusable) return 4;
  if (driver == 0 || library.version == 0 || library.version / 1000 == driver / 1000) {
    return driver > 0 && library.version > driver ? 1 : 0;
  }
  return library.version < driver ? 2 : 3;
}

void judge(FoundLibrary& library, const Places& places) {
  const fs::path path(library.path);
  if (!is_file(path)) {
    library.unusable = true;
    library.note = "there is no such file";
  } else if (library.version > 0 && library.version < kOldest) {
    library.unusable = true;
    library.note = fmt::format("version {} is too old: 12.6 or later is needed", as_text(library.version));
  } else if (places.chosen.empty() && !is_file(path.parent_path() / kHelper)) {
    library.unusable = true;
    library.note = fmt::format("{} is not beside it", kHelper);
  } else if (const int order = rank(library, places.driver); order == 1 || order == 3) {
    library.note =
        fmt::format("version {} is newer than the driver (CUDA {})", as_text(library.version), as_text(places.driver));
  } else if (order == 2) {
    library.note = fmt::format("version {} is older than the driver (CUDA {}) and may not know the GPU",
                               as_text(library.version), as_text(places.driver));
  }
}

class Search {
 public:
  explicit Search(const Places& places) : places_(places) {}

  void file(const fs::path& path, std::string_view origin) {
    std::error_code error;
    const fs::path real = fs::weakly_canonical(path, error);
    if (std::find(seen_.begin(), seen_.end(), real) != seen_.end()) return;
    seen_.push_back(real);
    FoundLibrary library;
    library.path = path.string();
    library.origin = origin;
    library.version = version_of(path);
    judge(library, places_);
    found_.push_back(std::move(library));
  }

  void folder(const fs::path& folder, std::string_view origin) {
    for (const std::string_view name : kNames) {
      if (is_file(folder / name)) file(folder / name, origin);
    }
  }

  void toolkits(const fs::path& folder) {
    std::vector<fs::path> roots = {folder / "cuda"};
    for (const fs::path& path : entries(folder, "cuda-")) roots.push_back(path);
    for (const fs::path& root : roots) {
      for (const char* tail :
           {"lib64", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib", "extras/CUPTI/lib64", "lib"}) {
        this->folder(root / tail, "CUDA toolkit");
      }
    }
  }

  /// The packages of pip: nvidia-cuda-cupti and its relatives.
  void packages(const fs::path& site) {
    folder(site / "nvidia" / "cu13" / "lib", "Python package");
    folder(site / "nvidia" / "cuda_cupti" / "lib", "Python package");
  }

  void pythons() {
    for (const std::string& folder : places_.programs) {
      const fs::path program = fs::path(folder) / "python3";
      std::error_code error;
      if (!fs::exists(program, error)) continue;
      // The prefix of a virtual environment is where python3 lies, that of the system where the link leads.
      library_folder(fs::path(folder).parent_path() / "lib");
      const fs::path real = fs::canonical(program, error);
      if (!error) library_folder(real.parent_path().parent_path() / "lib");
      library_folder(fs::path(places_.root + "/usr/local/lib"));
      if (!places_.home.empty()) library_folder(fs::path(places_.home) / ".local" / "lib");
      return;
    }
  }

  void library_folder(const fs::path& folder) {
    for (const fs::path& python : entries(folder, "python3")) {
      packages(python / "site-packages");
      packages(python / "dist-packages");
    }
  }

  std::vector<FoundLibrary> take() {
    std::stable_sort(found_.begin(), found_.end(), [&](const FoundLibrary& a, const FoundLibrary& b) {
      return rank(a, places_.driver) < rank(b, places_.driver);
    });
    return std::move(found_);
  }

 private:
  const Places& places_;
  std::vector<FoundLibrary> found_;
  std::vector<fs::path> seen_;
};

std::vector<std::string> split_path(std::string_view rest) {
  std::vector<std::string> folders;
  for (const std::string_view part : parts_of(rest, ":")) {
    if (part.starts_with('/')) folders.emplace_back(part);
  }
  return folders;
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);  // allow(getenv): where libraries are is the environment's to say
  return value == nullptr ? "" : value;
}

std::uint32_t driver_version() {
  const auto driver = cuda::load_driver();
  int version = 0;
  return driver && driver->driver_version(&version) == cuda::kSuccess && version > 0 ? std::uint32_t(version) : 0;
}

}  // namespace

Places places_here(const std::string& chosen, std::uint32_t driver) {
  Places places;
  places.chosen = chosen;
  places.chosen_by = "--cupti";
  if (chosen.empty()) {
    places.chosen = variable("RIDGE_CUPTI");
    places.chosen_by = "RIDGE_CUPTI";
  }
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) places.program_folder = program.parent_path().string();
  places.loader = split_path(variable("LD_LIBRARY_PATH"));
  places.programs = split_path(variable("PATH"));
  places.home = variable("HOME");
  places.driver = driver > 0 ? driver : driver_version();
  return places;
}

std::vector<FoundLibrary> find_libraries(const Places& places) {
  Search search(places);
  if (!places.chosen.empty()) {
    std::error_code error;
    search.file(fs::absolute(places.chosen, error), places.chosen_by);
    return search.take();
  }
  if (!places.program_folder.empty()) {
    const fs::path own(places.program_folder);
    for (const fs::path& folder : {own, own.parent_path() / "lib" / "cupti", own.parent_path() / "lib"}) {
      search.folder(folder, "beside ridge");
    }
  }
  search.toolkits(places.root + "/usr/local");
  search.toolkits(places.root + "/opt/nvidia");
  search.toolkits(places.root + "/opt");
  for (const std::string& folder : places.loader) search.folder(folder, "LD_LIBRARY_PATH");
  for (const char* folder : {"/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"}) {
    search.folder(places.root + folder, "system libraries");
  }
  search.pythons();
  return search.take();
}

Result<FoundLibrary> choose_library(const Places& places) {
  const std::vector<FoundLibrary> found = find_libraries(places);
  const char* remedy =
      "install CUPTI (it comes with the CUDA toolkit and as pip's nvidia-cuda-cupti), or name its "
      "libcupti.so with --cupti";
  if (found.empty()) {
    return fail(not_available("no CUPTI was found",
                              "looked beside ridge, in CUDA toolkits, in LD_LIBRARY_PATH and in Python packages",
                              remedy));
  }
  if (!found.front().unusable) return found.front();
  const std::string where = found.front().path;
  if (places.chosen.empty()) return fail(not_available("no CUPTI can be used: " + found.front().note, where, remedy));
  return fail(usage_error(fmt::format("{}: {}", places.chosen_by, found.front().note), where,
                          "give the path of a libcupti.so, or leave it out to have one searched for"));
}

}  // namespace ridge::collectors::cupti
