#include "collectors/session/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "base/demangle.h"
#include "model/profile/kernel_name.h"

namespace ridge::collectors::session {
namespace {

// CUdevice_attribute.
enum Attribute : std::uint32_t {
  kMaxClockKhz = 13,
  kSmCount = 16,
  kMemoryClockKhz = 36,
  kMemoryBusBits = 37,
  kL2Bytes = 38,
  kThreadsPerSm = 39,
  kSharedPerSm = 81,
  kRegistersPerSm = 82,
  kSharedPerBlockOptin = 97,
  kBlocksPerSm = 106,
  kSharedReserved = 111,
};
constexpr double kWarpSize = 32;

template <class T>
Value<T> reported(double x) {
  return Value<T>(T(x), Provenance::kReported);
}

std::string key_of(const Configuration& c) {
  const Dim3 grid = c.grid.value_or(Dim3{0, 0, 0});
  const Dim3 block = c.block.value_or(Dim3{0, 0, 0});
  const Dim3 cluster = c.cluster.value_or(Dim3{0, 0, 0});
  return fmt::format("{} {} {} {} {} {} {} {} {} {} {} {}", grid.x, grid.y, grid.z, block.x, block.y, block.z,
                     cluster.x, cluster.y, cluster.z, c.registers_per_thread.value_or(-1),
                     c.shared_static.value_or(Bytes(-1)).count(), c.shared_dynamic.value_or(Bytes(-1)).count()) +
         fmt::format(" {} {}", c.shared_carveout.value_or(Bytes(-1)).count(),
                     c.shared_driver.value_or(Bytes(-1)).count());
}

std::string key_of(const wire::DeviceFound& found) {
  const bool has_uuid = std::any_of(found.uuid.begin(), found.uuid.end(), [](std::uint8_t byte) { return byte != 0; });
  if (has_uuid) return std::string(found.uuid.begin(), found.uuid.end());
  if (!found.address.empty()) return found.address;
  return fmt::format("{} {}", found.device, found.name);
}

std::optional<Dim3> size(const std::array<std::uint32_t, 3>& of) {
  if (of[0] == 0 && of[1] == 0 && of[2] == 0) return std::nullopt;
  return Dim3{of[0], of[1], of[2]};
}

}  // namespace

Configuration configuration_of(const wire::Shape& shape) {
  Configuration result;
  result.grid = size(shape.grid);
  result.block = size(shape.block);
  result.cluster = size(shape.cluster);
  if (shape.registers > 0) result.registers_per_thread = reported<double>(shape.registers);
  result.shared_static = reported<Bytes>(shape.shared_static);
  result.shared_dynamic = reported<Bytes>(shape.shared_dynamic);
  // The driver chooses it for each launch, by what else runs, and a replay changes it: with it one configuration would
  // become several.
  result.shared_carveout = Value<Bytes>::missing("it differs from launch to launch");
  return result;
}

DeviceAttributes attributes_of(const wire::DeviceFound& found) {
  const auto number = [&](Attribute wanted) {
    const auto item = std::find_if(found.attributes.begin(), found.attributes.end(),
                                   [&](const auto& attribute) { return attribute.first == wanted; });
    if (item == found.attributes.end()) return Value<double>::missing("the driver does not state it");
    return reported<double>(static_cast<double>(item->second));
  };
  const auto bytes = [&](Attribute wanted) { return transform(number(wanted), [](double x) { return Bytes(x); }); };
  const auto hertz = [&](Attribute wanted) {
    return transform(number(wanted), [](double khz) { return Hertz(khz * 1e3); });
  };
  DeviceAttributes a;
  a.sm_count = number(kSmCount);
  if (found.capability > 0) {
    const std::uint32_t major = found.capability / 10;
    a.compute_capability_major = reported<double>(major);
    a.compute_capability_minor = reported<double>(found.capability % 10);
  }
  a.max_sm_clock = hertz(kMaxClockKhz);
  a.max_dram_clock = hertz(kMemoryClockKhz);
  a.dram_bus_width_bits = number(kMemoryBusBits);
  a.l2_capacity = bytes(kL2Bytes);
  if (found.memory > 0) a.dram_capacity = reported<Bytes>(static_cast<double>(found.memory));
  a.max_warps_per_sm = number(kThreadsPerSm) * (1.0 / kWarpSize);
  a.max_blocks_per_sm = number(kBlocksPerSm);
  a.registers_per_sm = number(kRegistersPerSm);
  a.shared_per_sm = bytes(kSharedPerSm);
  a.shared_per_block = bytes(kSharedPerBlockOptin);
  a.shared_reserved_per_block = bytes(kSharedReserved);
  return a;
}

std::uint32_t Tables::kernel(const std::string& symbol) {
  const auto [found, is_new] = kernels_.try_emplace(symbol, static_cast<std::uint32_t>(kernel_names_.size()));
  if (is_new) {
    Kernel kernel;
    kernel.full_name = demangled(symbol);
    kernel.short_name = short_kernel_name(kernel.full_name);
    if (kernel.full_name != symbol) kernel.mangled_name = symbol;
    kernel_names_.push_back(kernel.short_name);
    fresh_.kernels.push_back(std::move(kernel));
  }
  return found->second;
}

std::uint32_t Tables::configuration(const Configuration& configuration) {
  const auto next = static_cast<std::uint32_t>(configurations_.size());
  const auto [found, is_new] = configurations_.try_emplace(key_of(configuration), next);
  if (is_new) fresh_.configurations.push_back(configuration);
  return found->second;
}

std::uint32_t Tables::device(const wire::DeviceFound& found) {
  const auto next = static_cast<std::uint32_t>(devices_.size());
  const auto [known, is_new] = devices_.try_emplace(key_of(found), next);
  if (is_new) {
    found_.push_back(found);
    Device device;
    device.index = found.device;
    device.name = found.name;
    device.chip = found.chip;
    device.attributes = attributes_of(found);
    fresh_.devices.push_back(std::move(device));
  }
  return known->second;
}

std::uint32_t Tables::metric(const std::string& name, std::string_view unit) {
  const auto [found, is_new] = metrics_.try_emplace(name, static_cast<std::uint32_t>(metrics_.size()));
  if (is_new) fresh_.metrics.push_back({name, std::string(unit)});
  return found->second;
}

void Tables::take(Profile& piece) {
  piece.kernels = std::exchange(fresh_.kernels, {});
  piece.configurations = std::exchange(fresh_.configurations, {});
  piece.devices = std::exchange(fresh_.devices, {});
  piece.metrics = std::exchange(fresh_.metrics, {});
}

}  // namespace ridge::collectors::session
