#include "emulator/device/emulated_device.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include "emulator/exec/launch.h"
#include "emulator/exec/registers.h"
#include "emulator/exec/tensor_map.h"
#include "emulator/ptx/parser.h"

namespace ridge::emulator {
namespace {

constexpr std::uint32_t kUsualShared = 48 << 10;  // dynamic shared memory beyond this must be asked for
constexpr double kShareOfHost = 0.8;              // of this host's memory, for buffers
constexpr std::uint64_t kMapAlignment = 16;       // of a tensor map's address and rows, in bytes

/// 10 x major + minor of "9.0"; 0 of what has no such number.
int capability_of(const Machine& machine) {
  int major = 0, minor = 0;
  const std::string& text = machine.compute_capability;
  const char* const end = text.data() + text.size();
  const auto [point, error] = std::from_chars(text.data(), end, major);
  if (error != std::errc() || point == end || *point != '.') return 0;
  return std::from_chars(point + 1, end, minor).ec == std::errc() ? 10 * major + minor : 0;
}

double host_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
  return pages > 0 && bytes > 0 ? double(pages) * double(bytes) : HUGE_VAL;
}

Value<Bytes> capacity_of(const Machine& machine, Level level) {
  const MemoryLevel* found = find_level(machine, level);
  return found == nullptr ? Value<Bytes>::missing("the machine does not state it") : found->capacity;
}

/// The cluster that a kernel's PTX requires; without one each block is its own.
Dim3 cluster_of(const ptx::Function& function) {
  Dim3 cluster;
  for (const ptx::FunctionDirective& directive : function.directives) {
    if (directive.name != "reqnctapercluster") continue;
    const auto extent = [&](std::size_t i) {
      return i < directive.values.size() ? static_cast<std::uint32_t>(directive.values[i]) : 1;
    };
    cluster = {extent(0), extent(1), extent(2)};
  }
  return cluster;
}

}  // namespace

Result<std::unique_ptr<EmulatedDevice>> EmulatedDevice::open(Machine machine, KernelOptions options) {
  if (capability_of(machine) == 0) {
    return fail(not_available(machine.name + " is not known to run PTX, which is what is emulated", machine.id,
                              "name a GPU of NVIDIA; `ridge machines` lists them"));
  }
  return std::make_unique<EmulatedDevice>(std::move(machine), std::move(options));
}

EmulatedDevice::EmulatedDevice(Machine machine, KernelOptions options)
    : machine_(std::move(machine)), options_(std::move(options)) {
  identify();
}

void EmulatedDevice::identify() {
  const auto stated = [](double value) {
    return value > 0 ? Value<double>(value, Provenance::kDatasheet)
                     : Value<double>::missing("the machine does not state it");
  };
  const auto bytes = [&](double value) { return transform(stated(value), [](double x) { return Bytes(x); }); };
  const OccupancyLimits& limits = machine_.occupancy;
  identity_.name = machine_.name;
  identity_.capability = capability_of(machine_);
  identity_.sm_count = machine_.sm_count;
  DeviceAttributes& a = identity_.attributes;
  a.sm_count = stated(machine_.sm_count);
  const int major = identity_.capability / 10, minor = identity_.capability % 10;
  a.compute_capability_major = stated(major);
  a.compute_capability_minor = Value<double>(minor, Provenance::kDatasheet);
  a.max_sm_clock = transform(stated(machine_.boost_clock.count()), [](double x) { return Hertz(x); });
  a.l2_capacity = capacity_of(machine_, Level::kL2);
  a.dram_capacity = capacity_of(machine_, Level::kDram);
  a.max_warps_per_sm = stated(limits.max_warps_per_sm);
  a.max_blocks_per_sm = stated(limits.max_blocks_per_sm);
  a.registers_per_sm = stated(limits.registers_per_sm);
  a.shared_per_sm = bytes(limits.shared_bytes_per_sm);
  a.shared_per_block = bytes(limits.shared_bytes_per_block);
  a.shared_reserved_per_block = bytes(limits.shared_reserved_per_block);
  capacity_ = std::min(a.dram_capacity.value_or(Bytes(HUGE_VAL)).count(), kShareOfHost * host_memory());
}

Result<void> EmulatedDevice::alive() const {
  if (fault_) return fail(*fault_);
  return {};
}

Error EmulatedDevice::refused(std::string what) const {
  return internal_error(std::move(what), "emulated " + machine_.name, "correct what drives the device");
}

// ---- memory

Result<Bytes> EmulatedDevice::free_memory() {
  RIDGE_TRY(alive());
  return Bytes(std::max(0.0, capacity_ - double(memory_.allocated())));
}

Result<device::Address> EmulatedDevice::allocate(std::size_t bytes) {
  RIDGE_TRY(alive());
  if (double(bytes) > capacity_ - double(memory_.allocated())) {
    return fail(not_available(fmt::format("no room for {} bytes", bytes), "emulated " + machine_.name,
                              "choose smaller sizes: buffers are in the memory of this host"));
  }
  return memory_.allocate(bytes, fmt::format("buffer {}", next_name_++));
}

void EmulatedDevice::release(device::Address address) {
  memory_.release(address);
}

Result<std::span<std::byte>> EmulatedDevice::range(device::Address address, std::size_t bytes) const {
  RIDGE_TRY(alive());
  const std::span<std::byte> all = memory_.bytes(address);
  if (bytes <= all.size()) return all.first(bytes);
  return fail(refused(fmt::format("{} bytes at 0x{:x} are not all in one buffer", bytes, address)));
}

Result<void> EmulatedDevice::copy_in(device::Address to, std::span<const std::byte> from) {
  const auto target = range(to, from.size());
  if (!target) return fail(target.error());
  std::copy(from.begin(), from.end(), target->begin());
  return {};
}

Result<void> EmulatedDevice::copy_out(std::span<std::byte> to, device::Address from) {
  const auto source = range(from, to.size());
  if (!source) return fail(source.error());
  std::copy(source->begin(), source->end(), to.begin());
  return {};
}

Result<void> EmulatedDevice::copy(device::Address to, device::Address from, std::size_t bytes) {
  const auto target = range(to, bytes), source = range(from, bytes);
  if (!target) return fail(target.error());
  if (!source) return fail(source.error());
  std::memmove(target->data(), source->data(), bytes);
  return {};
}

Result<void> EmulatedDevice::fill(device::Address to, std::uint8_t value, std::size_t bytes) {
  const auto target = range(to, bytes);
  if (!target) return fail(target.error());
  std::fill(target->begin(), target->end(), std::byte{value});
  return {};
}

// ---- modules

Result<device::Module> EmulatedDevice::load(std::string_view image, std::string_view name) {
  RIDGE_TRY(alive());
  image = image.substr(0, image.find_last_not_of('\0') + 1);
  if (image.find('\0') != std::string_view::npos) {
    return fail(not_available("a binary cannot be emulated", std::string(name), "give its PTX"));
  }
  auto parsed = ptx::parse(std::string(image));
  if (!parsed) {
    Error error = parsed.error();
    error.where = fmt::format("{}, {}", name, error.where);
    return fail(std::move(error));
  }
  const device::Module module{next_name_++};
  modules_[module] = {std::make_shared<const ptx::Module>(*std::move(parsed)), std::string(name), std::nullopt};
  return module;
}

void EmulatedDevice::unload(device::Module module) {
  if (placed_ == module) take_variables_away();
  for (auto at = kernels_.begin(); at != kernels_.end();) {
    at = at->second.module == module ? kernels_.erase(at) : std::next(at);
  }
  modules_.erase(module);
}

Result<device::Function> EmulatedDevice::find(device::Module module, std::string_view entry) {
  RIDGE_TRY(alive());
  const auto loaded = modules_.find(module);
  if (loaded == modules_.end()) return fail(refused("this module is not loaded"));
  auto program = decode(loaded->second.module, entry, {false, options_.lanes});
  if (!program) {
    Error error = program.error();
    error.where = fmt::format("{}{}{}", loaded->second.name, error.where.empty() ? "" : ", ", error.where);
    return fail(std::move(error));
  }
  const device::Function function{next_name_++};
  kernels_[function] = {module, *std::move(program), kUsualShared};
  return function;
}

Result<EmulatedDevice::Kernel*> EmulatedDevice::kernel(device::Function function) {
  RIDGE_TRY(alive());
  const auto found = kernels_.find(function);
  if (found == kernels_.end()) return fail(refused("this kernel is not loaded"));
  return &found->second;
}

Result<device::FunctionFacts> EmulatedDevice::facts(device::Function function) {
  const auto found = kernel(function);
  if (!found) return fail(found.error());
  const Program& program = (*found)->program;
  const auto estimate = estimate_registers(program);
  if (!estimate) return fail(estimate.error());
  return device::FunctionFacts{estimate->registers, Bytes(program.static_shared),
                               Bytes(program.functions.front().local_bytes)};
}

Result<void> EmulatedDevice::allow_dynamic_shared(device::Function function, std::uint32_t bytes) {
  const auto found = kernel(function);
  if (!found) return fail(found.error());
  const double most = machine_.occupancy.shared_bytes_per_block;
  if (most > 0 && bytes + (*found)->program.static_shared > most) {
    return fail(refused(fmt::format("the GPU has no {} bytes of shared memory for a block", bytes)));
  }
  (*found)->allowed_shared = std::max(bytes, kUsualShared);
  return {};
}

/// What a module's variables hold outlives the kernels that wrote it.
void EmulatedDevice::take_variables_away() {
  if (!placed_) return;
  auto& kept = modules_[*placed_].variables.emplace();
  for (const std::uint64_t address : placed_at_) {
    const std::span<std::byte> bytes = memory_.bytes(address);
    kept.emplace_back(bytes.begin(), bytes.end());
    memory_.release(address);
  }
  placed_at_.clear();
  placed_.reset();
}

Result<void> EmulatedDevice::place_variables(device::Module module, const Program& program) {
  if (placed_ == module) return {};
  take_variables_away();
  RIDGE_TRY(load_variables(program, memory_));
  for (const Placed& each : program.variables) {
    if (each.space == ptx::Space::kGlobal || each.space == ptx::Space::kConstant) placed_at_.push_back(each.address);
  }
  placed_ = module;
  const auto& kept = modules_[module].variables;
  for (std::size_t i = 0; kept && i < kept->size(); ++i) {
    std::copy((*kept)[i].begin(), (*kept)[i].end(), memory_.bytes(placed_at_[i]).begin());
  }
  return {};
}

// ---- launches

Result<LaunchRequest> EmulatedDevice::arranged(const Kernel& kernel, const device::LaunchRequest& request) const {
  const Program& program = kernel.program;
  if (request.dynamic_shared > kernel.allowed_shared) {
    return fail(refused(fmt::format("{} bytes of dynamic shared memory were not allowed", request.dynamic_shared)));
  }
  if (request.parameters.size() != program.parameters.size()) {
    return fail(refused(
        fmt::format("the kernel takes {} arguments, not {}", program.parameters.size(), request.parameters.size())));
  }
  LaunchRequest launch;
  launch.grid = request.grid;
  launch.block = request.block;
  launch.cluster = cluster_of(*program.functions.front().source);
  launch.dynamic_shared = request.dynamic_shared;
  launch.parameters.resize(program.parameter_bytes);
  for (std::size_t i = 0; i < request.parameters.size(); ++i) {
    const device::Parameter& given = request.parameters[i];
    const EntryParameter& wanted = program.parameters[i];
    if (given.size != wanted.bytes) {
      return fail(refused(fmt::format("argument {} has {} bytes, not {}", i + 1, wanted.bytes, given.size)));
    }
    std::copy_n(given.bytes.begin(), given.size, launch.parameters.begin() + wanted.offset);
  }
  return launch;
}

Result<void> EmulatedDevice::launch(const device::LaunchRequest& request) {
  const auto found = kernel(request.function);
  if (!found) return fail(found.error());
  const Program& program = (*found)->program;
  const auto launch = arranged(**found, request);
  if (!launch) return fail(launch.error());
  RIDGE_TRY(place_variables((*found)->module, program));
  auto run = run_kernel(program, memory_, *launch, machine_, options_);
  if (!run) return fail(run.error());
  now_ += run->time.total.value_or(Seconds(0));
  if (!run->faults.empty()) {
    fault_ = internal_error("the kernel failed: " + run->faults.front(), "emulated " + machine_.name,
                            "correct the kernel or its arguments");
  }
  runs_.push_back(*std::move(run));
  return alive();
}

Result<device::Parameter> EmulatedDevice::tensor_map(const device::TensorMapRequest& request) {
  RIDGE_TRY(alive());
  constexpr std::uint32_t kElement = 2;  // bf16
  const std::uint64_t row = request.columns * kElement;
  if (request.address % kMapAlignment != 0 || row % kMapAlignment != 0) {
    return fail(refused("the matrix of a tensor map is not aligned to 16 bytes"));
  }
  RIDGE_TRY(range(request.address, request.rows * row));
  TensorMap map;
  map.address = request.address;
  map.rank = 2;
  map.element_bytes = kElement;
  map.swizzle = Swizzle::k128;
  map.extent = {static_cast<std::uint32_t>(request.columns), static_cast<std::uint32_t>(request.rows)};
  map.box = {request.box_columns, request.box_rows};
  map.stride = {kElement, row};
  return device::Parameter::of(encode(map));
}

// ---- events

Result<device::Event> EmulatedDevice::create_event() {
  RIDGE_TRY(alive());
  const device::Event event{next_name_++};
  events_[event] = std::nullopt;
  return event;
}

void EmulatedDevice::destroy(device::Event event) {
  events_.erase(event);
}

Result<void> EmulatedDevice::record(device::Event event) {
  RIDGE_TRY(alive());
  const auto found = events_.find(event);
  if (found == events_.end()) return fail(refused("there is no such event"));
  found->second = now_;
  return {};
}

Result<Seconds> EmulatedDevice::elapsed(device::Event begin, device::Event end) {
  RIDGE_TRY(alive());
  const auto first = events_.find(begin), last = events_.find(end);
  if (first == events_.end() || last == events_.end() || !first->second || !last->second) {
    return fail(refused("an event was not recorded"));
  }
  return *last->second - *first->second;
}

Result<void> EmulatedDevice::synchronise() {
  return alive();
}

}  // namespace ridge::emulator
