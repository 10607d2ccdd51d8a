#include "collectors/agent/devices.h"

#include <algorithm>
#include <array>

namespace ridge::collectors::agent {
namespace {

void read_attributes(const Driver& driver, abi::driver::Device device, wire::DeviceFound& found) {
  if (driver.device_get_attribute == nullptr) return;
  for (int number = 1; number <= abi::driver::kLastAttribute; ++number) {
    int value = 0;
    if (driver.device_get_attribute(&value, number, device) != 0) continue;
    found.attributes.emplace_back(static_cast<std::uint32_t>(number), value);
    if (number == abi::driver::kCapabilityMajor) found.capability += 10 * static_cast<std::uint32_t>(value);
    if (number == abi::driver::kCapabilityMinor) found.capability += static_cast<std::uint32_t>(value);
  }
}

void read_names(const Driver& driver, abi::driver::Device device, wire::DeviceFound& found) {
  std::array<char, 256> text{};
  const int length = static_cast<int>(text.size()) - 1;
  if (driver.device_get_name != nullptr && driver.device_get_name(text.data(), length, device) == 0) {
    found.name = text.data();
  }
  text.fill('\0');
  if (driver.device_get_pci_bus_id != nullptr && driver.device_get_pci_bus_id(text.data(), length, device) == 0) {
    found.address = text.data();
  }
  abi::driver::Uuid uuid{};
  if (driver.device_get_uuid != nullptr && driver.device_get_uuid(&uuid, device) == 0) {
    std::copy(std::begin(uuid.bytes), std::end(uuid.bytes), found.uuid.begin());
  }
  std::size_t memory = 0;
  if (driver.device_total_mem != nullptr && driver.device_total_mem(&memory, device) == 0) found.memory = memory;
}

}  // namespace

std::string DeviceBook::chip(std::uint32_t device) const {
  if (cupti_.device_get_chip_name == nullptr) return {};
  auto params = abi::params<abi::DeviceGetChipNameParams>();
  params.deviceIndex = device;
  abi::Result result = cupti_.device_get_chip_name(&params);
  if (result != abi::kSuccess && profiler_ && cupti_.profiler_initialize != nullptr) {
    auto initialize = abi::params<abi::ProfilerInitializeParams>();
    cupti_.profiler_initialize(&initialize);
    result = cupti_.device_get_chip_name(&params);
  }
  return result == abi::kSuccess && params.pChipName != nullptr ? params.pChipName : "";
}

wire::DeviceFound DeviceBook::facts(std::uint32_t device) const {
  wire::DeviceFound found;
  found.device = device;
  found.chip = chip(device);
  abi::driver::Device handle = 0;
  if (driver_.device_get == nullptr || driver_.device_get(&handle, static_cast<int>(device)) != 0) return found;
  read_names(driver_, handle, found);
  read_attributes(driver_, handle, found);
  return found;
}

bool DeviceBook::device(std::uint32_t device) {
  const std::lock_guard lock(mutex_);
  if (!devices_.insert(device).second) return false;
  outbox_.send(facts(device), Weight::kNeeded);
  return true;
}

bool DeviceBook::context(std::uint32_t context, std::uint32_t device) {
  const std::lock_guard lock(mutex_);
  if (!contexts_.insert(context).second) return false;
  outbox_.send(wire::ContextMade{context, device}, Weight::kNeeded);
  return true;
}

}  // namespace ridge::collectors::agent
