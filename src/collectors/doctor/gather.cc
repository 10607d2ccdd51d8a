#include "collectors/doctor/gather.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <optional>
#include <system_error>

#include "collectors/cupti/calls.h"
#include "collectors/cupti/find.h"
#include "collectors/library.h"
#include "collectors/nvml/nvml.h"
#include "collectors/process_name.h"
#include "collectors/session/backend.h"
#include "model/profile/throttle.h"

namespace ridge::collectors::doctor {
namespace {

using ridge::doctor::Attempt;
using ridge::doctor::CuptiFacts;
using ridge::doctor::Facts;
using ridge::doctor::GpuFacts;

/// The few calls of the driver that tell who is there. It is asked for less than the lab asks, so that an old driver is
/// not called unusable.
struct Driver {
  int (*init)(unsigned) = nullptr;
  int (*version)(int*) = nullptr;
  int (*error_name)(int, const char**) = nullptr;
  int (*error_string)(int, const char**) = nullptr;
  int (*count)(int*) = nullptr;
  int (*get)(int*, int) = nullptr;
  int (*name)(char*, int, int) = nullptr;
  int (*attribute)(int*, int, int) = nullptr;
  int (*address)(char*, int, int) = nullptr;

  [[nodiscard]] std::string reason(int status) const {
    const char* id = nullptr;
    const char* words = nullptr;
    if (error_name(status, &id) != 0 || id == nullptr) id = "error";
    if (error_string(status, &words) != 0 || words == nullptr) words = "no words for it";
    return fmt::format("{}: {} ({})", id, words, status);
  }
};

constexpr int kCapabilityMajor = 75, kCapabilityMinor = 76;  // CUdevice_attribute

std::optional<Driver> open_driver(Facts& facts) {
  const auto library = Library::open({"libcuda.so.1"}, "");
  if (!library) {
    facts.driver.library_error = library.error().what;
    return std::nullopt;
  }
  Driver driver;
  const bool complete =
      library->find("cuInit", driver.init) && library->find("cuDriverGetVersion", driver.version) &&
      library->find("cuGetErrorName", driver.error_name) && library->find("cuGetErrorString", driver.error_string) &&
      library->find("cuDeviceGetCount", driver.count) && library->find("cuDeviceGet", driver.get) &&
      library->find("cuDeviceGetName", driver.name) && library->find("cuDeviceGetAttribute", driver.attribute) &&
      library->find("cuDeviceGetPCIBusId", driver.address);
  if (!complete) {
    facts.driver.library_error = library->name() + " lacks calls that every CUDA driver has";
    return std::nullopt;
  }
  facts.driver.library = library->name();
  return driver;
}

GpuFacts gpu_of(const Driver& driver, int index) {
  GpuFacts gpu;
  gpu.index = index;
  int device = 0;
  if (driver.get(&device, index) != 0) return gpu;
  std::array<char, 256> text{};
  if (driver.name(text.data(), int(text.size()) - 1, device) == 0) gpu.name = text.data();
  if (driver.address(text.data(), int(text.size()) - 1, device) == 0) gpu.address = text.data();
  int major = 0;
  int minor = 0;
  if (driver.attribute(&major, kCapabilityMajor, device) == 0 &&
      driver.attribute(&minor, kCapabilityMinor, device) == 0) {
    gpu.capability = 10 * major + minor;
  }
  return gpu;
}

/// The version as cuDriverGetVersion says it; 0: unknown.
std::uint32_t ask_driver(Facts& facts) {
  const std::optional<Driver> driver = open_driver(facts);
  if (!driver) return 0;
  int version = 0;
  if (driver->version(&version) == 0 && version > 0) {
    facts.driver.cuda_version = fmt::format("{}.{}", version / 1000, version % 1000 / 10);
  }
  facts.driver.init_code = driver->init(0);
  if (facts.driver.init_code != 0) {
    facts.driver.init_error = driver->reason(facts.driver.init_code);
    return static_cast<std::uint32_t>(version);
  }
  int count = 0;
  if (driver->count(&count) != 0) count = 0;
  for (int index = 0; index < count; ++index) facts.gpus.push_back(gpu_of(*driver, index));
  return static_cast<std::uint32_t>(version);
}

void ask_management(const nvml::Nvml& management, GpuFacts& gpu) {
  const auto found = management.at(gpu.address);
  if (!found) return;
  nvml::Gpu& one = **found;
  const device::Reading now = one.read();
  gpu.sm_clock = now.sm_clock, gpu.memory_clock = now.memory_clock;
  gpu.watts = now.watts, gpu.celsius = now.celsius;
  gpu.max_sm_clock = one.max_sm_clock(), gpu.max_memory_clock = one.max_memory_clock();
  gpu.utilisation = one.utilisation();
  gpu.mig = one.mig();
  if (now.throttle_reasons) {
    const auto reasons = static_cast<std::uint64_t>(*now.throttle_reasons) & kSlowingReasons;
    for (const std::string_view name : throttle_names(reasons)) gpu.slowed_by.emplace_back(name);
  }
  const auto processes = one.processes();
  if (!processes) return;
  for (const nvml::Process& process : *processes) {
    if (process.id != static_cast<std::uint64_t>(getpid())) {
      gpu.others.push_back({process.id, process_name(process.id)});
    }
  }
}

void ask_management(Facts& facts) {
  const auto management = nvml::Nvml::open();
  if (!management) {
    facts.driver.management_error = management.error().what;
    return;
  }
  facts.driver.version = management->driver_version().value_or("");
  for (GpuFacts& gpu : facts.gpus) ask_management(*management, gpu);
}

std::string version_text(std::uint32_t version) {
  return version == 0 ? "" : fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

void look_for_cupti(const Question& question, std::uint32_t driver, Facts& facts) {
  const cupti::Places places = cupti::places_here(question.cupti, driver);
  const auto chosen = cupti::choose_library(places);
  if (!chosen) facts.cupti.reason = to_string(chosen.error());
  for (const cupti::FoundLibrary& library : cupti::find_libraries(places)) {
    CuptiFacts& known = facts.cuptis.emplace_back();
    known.path = library.path, known.origin = library.origin, known.note = library.note;
    known.version = version_text(library.version);
    known.usable = !library.unusable;
    known.chosen = chosen && chosen->path == library.path;
  }
}

cupti::SharedCalls open_cupti(Facts& facts) {
  for (CuptiFacts& library : facts.cuptis) {
    if (!library.chosen) continue;
    facts.cupti.tried = true;
    const auto calls = cupti::open_calls(library.path);
    if (!calls) {
      facts.cupti.reason = calls.error().what;
      return nullptr;
    }
    facts.cupti.worked = true;
    if (library.version.empty()) library.version = version_text((*calls)->version / 10);
    facts.cupti_helper = !cupti::supported_chips(**calls).empty();
    return *calls;
  }
  return nullptr;
}

/// Empty if the library does not tell, as where the driver does not work.
std::string chip_of(const cupti::Calls& calls, std::int64_t index) {
  auto initialise = cupti::abi::params<cupti::abi::ProfilerInitializeParams>();
  auto chip = cupti::abi::params<cupti::abi::DeviceGetChipNameParams>();
  chip.deviceIndex = static_cast<std::size_t>(index);
  if (calls.initialise(&initialise) != 0 || calls.chip_name(&chip) != 0 || chip.pChipName == nullptr) return "";
  return chip.pChipName;
}

/// What went wrong and where: for a refusal of CUPTI, the call and its code.
std::string words_of(const Error& error) {
  return error.where.empty() ? error.what : fmt::format("{} ({})", error.what, error.where);
}

/// Samples the GPU's counters for a moment: what is allowed and free shows in no other way.
Attempt try_sampling(session::Backend& backend, const GpuFacts& gpu) {
  constexpr Seconds kInterval{1e-3};
  wire::DeviceFound found;
  found.device = static_cast<std::uint32_t>(gpu.index);
  found.name = gpu.name, found.chip = gpu.chip, found.address = gpu.address;
  found.capability = static_cast<std::uint32_t>(gpu.capability);
  const auto sampler = backend.sampler(found, {});
  if (!sampler) return {true, false, words_of(sampler.error())};
  const Result<void> started = (*sampler)->start(kInterval);
  if (!started) return {true, false, words_of(started.error())};
  (*sampler)->stop();
  return {true, true, ""};
}

void try_counters(const Question& question, const cupti::Calls& calls, Facts& facts) {
  const std::unique_ptr<session::Backend> backend = session::vendor_backend();
  if (const auto chosen = backend->find_cupti(question.cupti); !chosen) return;
  for (GpuFacts& gpu : facts.gpus) {
    gpu.chip = chip_of(calls, gpu.index);
    if (question.try_counters) {
      gpu.sampling = try_sampling(*backend, gpu);
    } else {
      gpu.sampling.reason = "not wanted";
    }
  }
}

void look_at_agent(const Question& question, Facts& facts) {
  facts.agent = question.agent;
  if (access(question.agent.c_str(), R_OK) != 0) facts.agent_error = std::generic_category().message(errno);
}

}  // namespace

Facts gather(const Question& question) {
  Facts facts;
  look_at_host("", question.environment, facts);
  const std::uint32_t driver = ask_driver(facts);
  ask_management(facts);
  look_for_cupti(question, driver, facts);
  look_at_agent(question, facts);
  const cupti::SharedCalls calls = open_cupti(facts);
  if (calls) try_counters(question, *calls, facts);
  return facts;
}

}  // namespace ridge::collectors::doctor
