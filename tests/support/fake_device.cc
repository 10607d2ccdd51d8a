#include "support/fake_device.h"

#include <bit>
#include <cstring>

namespace ridge::test {

FakeDevice::FakeDevice() : kernels(host_kernels()) {
  const auto reported = [](double value) { return Value<double>(value, Provenance::kReported); };
  const auto size = [](double value) { return Value<Bytes>(Bytes(value), Provenance::kReported); };
  who.name = "NVIDIA H200";
  who.capability = 90;
  who.sm_count = 4;
  who.driver = "13.0";
  who.address = "0000:00:00.0";
  who.attributes.sm_count = reported(132);
  who.attributes.compute_capability_major = reported(9);
  who.attributes.compute_capability_minor = reported(0);
  who.attributes.shared_per_block = size(232448);
  who.attributes.l2_capacity = size(1 << 20);
}

FakeDevice::~FakeDevice() = default;

Result<void> FakeDevice::alive() const {
  if (!dead_) return {};
  return fail(internal_error("the kernel failed: an illegal memory access", who.name, "none"));
}

Result<Bytes> FakeDevice::free_memory() {
  return Bytes(static_cast<double>(capacity - used));
}

Result<device::Address> FakeDevice::allocate(std::size_t bytes) {
  RIDGE_TRY(alive());
  if (bytes > capacity - used) return fail(not_available("no memory", who.name, "choose smaller sizes"));
  std::vector<std::byte> storage(bytes, std::byte{0xA5});
  const auto address = std::bit_cast<device::Address>(storage.data());
  memory_.emplace(address, std::move(storage));
  used += bytes;
  return address;
}

void FakeDevice::release(device::Address address) {
  const auto at = memory_.find(address);
  used -= at->second.size();
  memory_.erase(at);
}

Result<void> FakeDevice::copy_in(device::Address to, std::span<const std::byte> from) {
  std::memcpy(std::bit_cast<void*>(to), from.data(), from.size());
  return alive();
}

Result<void> FakeDevice::copy_out(std::span<std::byte> to, device::Address from) {
  std::memcpy(to.data(), std::bit_cast<void*>(from), to.size());
  return alive();
}

Result<void> FakeDevice::copy(device::Address to, device::Address from, std::size_t bytes) {
  std::memcpy(std::bit_cast<void*>(to), std::bit_cast<void*>(from), bytes);
  return alive();
}

Result<void> FakeDevice::fill(device::Address to, std::uint8_t value, std::size_t bytes) {
  std::memset(std::bit_cast<void*>(to), value, bytes);
  return alive();
}

Result<device::Module> FakeDevice::load(std::string_view image, std::string_view name) {
  const bool text = image.starts_with("//");
  if (refuse_binaries && !text) return fail(not_available("no code for this GPU", std::string(name), "use PTX"));
  loaded.emplace_back(name);
  modules_.insert(next_module_);
  return device::Module{next_module_++};
}

void FakeDevice::unload(device::Module module) {
  modules_.erase(static_cast<std::uint64_t>(module));
}

Result<device::Function> FakeDevice::find(device::Module, std::string_view entry) {
  if (kernels.find(entry) == kernels.end()) return fail(internal_error("no such kernel", std::string(entry), "none"));
  entries_.emplace_back(entry);
  return device::Function{entries_.size() - 1};
}

Result<device::FunctionFacts> FakeDevice::facts(device::Function) {
  return device::FunctionFacts{40, Bytes(1024), Bytes(0)};
}

Result<void> FakeDevice::allow_dynamic_shared(device::Function function, std::uint32_t bytes) {
  allowed_shared_[static_cast<std::uint32_t>(function)] = bytes;
  return {};
}

Result<void> FakeDevice::launch(const device::LaunchRequest& request) {
  RIDGE_TRY(alive());
  const auto number = static_cast<std::uint32_t>(request.function);
  if (request.dynamic_shared > (48U << 10) && allowed_shared_[number] < request.dynamic_shared) {
    return fail(internal_error("invalid argument: shared memory was not allowed", who.name, "none"));
  }
  dead_ = fail_at_launch >= 0 && static_cast<int>(launched.size()) >= fail_at_launch;
  const std::string& entry = entries_[number];
  launched.push_back(entry);
  const auto duration = durations.find(entry);
  double factor = 1;
  for (std::size_t i = 1; i < launched.size() && slower_each_launch != 1; ++i) factor *= slower_each_launch;
  now_ += (duration == durations.end() ? Seconds(1e-4) : duration->second) * factor;
  if (!dead_) kernels.find(entry)->second(request);
  return {};
}

Result<device::Parameter> FakeDevice::tensor_map(const device::TensorMapRequest& request) {
  device::Parameter map = device::Parameter::of(request.address);
  map.size = map.bytes.size();
  return map;
}

Result<device::Event> FakeDevice::create_event() {
  ++events;
  return device::Event{next_event_++};
}

void FakeDevice::destroy(device::Event) {
  --events;
}

Result<void> FakeDevice::record(device::Event event) {
  event_times_[static_cast<std::uint64_t>(event)] = now_;
  return alive();
}

Result<Seconds> FakeDevice::elapsed(device::Event begin, device::Event end) {
  RIDGE_TRY(alive());
  return event_times_[static_cast<std::uint64_t>(end)] - event_times_[static_cast<std::uint64_t>(begin)];
}

Result<void> FakeDevice::synchronise() {
  return alive();
}

}  // namespace ridge::test
