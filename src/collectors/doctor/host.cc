#include "collectors/doctor/host.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>
#include <system_error>

#include "collectors/process_name.h"

namespace ridge::collectors::doctor {
namespace {

namespace fs = std::filesystem;
using ridge::doctor::Facts;
using ridge::doctor::HostProcess;

constexpr unsigned kSysAdmin = 21, kPerfmon = 38;  // capabilities(7), linux/capability.h

/// Empty if it cannot be read. What is read here is short; a file that is not has its start read.
std::string content(const fs::path& path) {
  constexpr std::size_t kMost = std::size_t{64} * 1024;
  std::ifstream file(path, std::ios::binary);
  std::string text(kMost, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

std::string first_line(const fs::path& path) {
  const std::string text = content(path);
  return text.substr(0, text.find('\n'));
}

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

std::vector<fs::path> entries(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    found.push_back(it->path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// What follows "key:" at the start of a line.
std::optional<std::string> field(const std::string& text, std::string_view key) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = std::string_view(text).substr(at, end - at);
    if (line.starts_with(key) && line.substr(key.size()).starts_with(":")) {
      const std::string_view value = line.substr(key.size() + 1);
      const std::size_t start = std::min(value.find_first_not_of(" \t"), value.size());
      return std::string(value.substr(start));
    }
    at = end + 1;
  }
  return std::nullopt;
}

/// A GPU of NVIDIA: its vendor, and the class of display controllers.
bool is_gpu(const fs::path& device) {
  return first_line(device / "vendor") == "0x10de" && first_line(device / "class").starts_with("0x03");
}

bool is_device_node(const fs::path& path) {
  const std::string name = path.filename().string();
  constexpr std::string_view kPrefix = "nvidia";
  return name == "dxg" || (name.size() > kPrefix.size() && name.starts_with(kPrefix) && name[kPrefix.size()] >= '0' &&
                           name[kPrefix.size()] <= '9');
}

void look_at_driver(const fs::path& root, Facts& facts) {
  const auto devices = entries(root / "sys/bus/pci/devices");
  facts.driver.hardware = std::any_of(devices.begin(), devices.end(), is_gpu);
  facts.driver.module_version = first_line(root / "sys/module/nvidia/version");
  if (facts.driver.module_version.empty()) {
    facts.driver.module_version = module_version(content(root / "proc/driver/nvidia/version"));
  }
  const auto nodes = entries(root / "dev");
  facts.driver.device_nodes = std::any_of(nodes.begin(), nodes.end(), is_device_node);
}

void look_at_permission(const fs::path& root, Facts& facts) {
  const auto restricted = field(content(root / "proc/driver/nvidia/params"), "RmProfilingAdminOnly");
  if (restricted) facts.permission.admins_only = *restricted != "0";
  const auto effective = field(content(root / "proc/self/status"), "CapEff");
  if (!effective) return;
  std::uint64_t bits = 0;
  std::from_chars(effective->data(), effective->data() + effective->size(), bits, 16);
  facts.permission.sys_admin = ((bits >> kSysAdmin) & 1) != 0;
  facts.permission.perfmon = ((bits >> kPerfmon) & 1) != 0;
}

template <std::size_t kSize>
bool is_one_of(const std::string& name, const std::array<std::string_view, kSize>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void look_at_processes(const std::string& root, Facts& facts) {
  static constexpr std::array<std::string_view, 3> kMonitors{"nv-hostengine", "dcgm-exporter", "dcgmi"};
  static constexpr std::array<std::string_view, 5> kProfilers{"ncu", "nsys", "nv-nsight-cu-cl", "nvprof", "ncu-ui"};
  for (const fs::path& process : entries(root + "/proc")) {
    const std::string number = process.filename().string();
    HostProcess found;
    const auto parsed = std::from_chars(number.data(), number.data() + number.size(), found.id);
    if (parsed.ec != std::errc() || parsed.ptr != number.data() + number.size()) continue;
    found.name = process_name(found.id, root);
    if (is_one_of(found.name, kMonitors)) facts.monitors.push_back(found);
    if (is_one_of(found.name, kProfilers)) facts.profilers.push_back(found);
  }
}

std::string container_of(const fs::path& root, const Environment& environment) {
  if (environment.find("KUBERNETES_SERVICE_HOST") != environment.end()) return "kubernetes";
  if (is_there(root / ".dockerenv")) return "docker";
  if (is_there(root / "run/.containerenv")) return "podman";
  if (const auto named = environment.find("container"); named != environment.end() && !named->second.empty()) {
    return named->second;
  }
  const std::string groups = content(root / "proc/1/cgroup");
  for (const char* kind : {"kubepods", "docker", "lxc", "containerd"}) {
    if (groups.find(kind) != std::string::npos) return std::string(kind) == "kubepods" ? "kubernetes" : kind;
  }
  return "";
}

bool is_wsl(const fs::path& root) {
  std::string version = first_line(root / "proc/version");
  std::transform(version.begin(), version.end(), version.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return is_there(root / "dev/dxg") || version.find("microsoft") != std::string::npos;
}

}  // namespace

std::string module_version(const std::string& text) {
  // "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.95.05  Release Build": the first word of digits and
  // points after the title.
  const std::optional<std::string> line = field(text, "NVRM version");
  if (!line) return "";
  std::size_t at = 0;
  while (at < line->size()) {
    const std::size_t end = std::min(line->find(' ', at), line->size());
    std::string word = line->substr(at, end - at);
    const bool is_number =
        word.find('.') != std::string::npos && word.find_first_not_of("0123456789.") == std::string::npos;
    if (is_number) return word;
    at = end + 1;
  }
  return "";
}

void look_at_host(const std::string& root, const Environment& environment, Facts& facts) {
  const fs::path top = root + "/";
  look_at_driver(top, facts);
  look_at_permission(top, facts);
  look_at_processes(root, facts);
  facts.container = container_of(top, environment);
  facts.wsl = is_wsl(top);
  const auto injection = environment.find("CUDA_INJECTION64_PATH");
  if (injection != environment.end() && !injection->second.empty()) facts.injections.emplace_back(*injection);
}

}  // namespace ridge::collectors::doctor
