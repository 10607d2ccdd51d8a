#include "collectors/cuda/cuda_device.h"

#include <fmt/format.h>

#include <bit>

#include "collectors/cuda/driver.h"

namespace ridge::collectors::cuda {
namespace {

using device::Address;
using device::Event;
using device::Function;
using device::Module;

// CUdevice_attribute and CUfunction_attribute.
enum Attribute {
  kMaxClockKhz = 13,
  kSmCount = 16,
  kMemoryClockKhz = 36,
  kMemoryBusBits = 37,
  kL2Bytes = 38,
  kThreadsPerSm = 39,
  kCapabilityMajor = 75,
  kCapabilityMinor = 76,
  kSharedPerSm = 81,
  kRegistersPerSm = 82,
  kSharedPerBlock = 97,
  kBlocksPerSm = 106,
  kSharedReserved = 111,
};
enum FunctionAttribute { kSharedStatic = 1, kLocal = 3, kRegisters = 4, kMaxDynamicShared = 8 };

constexpr int kWarpSize = 32;
constexpr unsigned kBlockingWait = 1;  // CU_EVENT_BLOCKING_SYNC
// CUjit_option: where the compiler in the driver writes why it refused.
constexpr int kJitErrorLog = 5, kJitErrorLogSize = 6;
// CUtensorMap enumerators.
constexpr int kBfloat16 = 9, kNoInterleave = 0, kSwizzle128 = 3, kPromote256 = 3, kNoFill = 0;

class CudaDevice final : public device::Device {
 public:
  CudaDevice(Driver driver, DeviceNumber number) : driver_(std::move(driver)), number_(number) {}
  ~CudaDevice() override {
    if (context_ != nullptr) driver_.release_context(number_);
  }
  CudaDevice(const CudaDevice&) = delete;
  CudaDevice& operator=(const CudaDevice&) = delete;

  Result<void> start() {
    Status status = driver_.retain_context(&context_, number_);
    if (status == kSuccess) status = driver_.set_context(context_);
    if (status == kSuccess) return identify();
    return fail(not_available("the GPU cannot be used: " + driver_.reason(status), fmt::format("device {}", number_),
                              "another program may hold it alone; see nvidia-smi"));
  }

  [[nodiscard]] const device::Identity& identity() const override { return identity_; }

  Result<Bytes> free_memory() override {
    std::size_t free = 0, total = 0;
    RIDGE_TRY(check(driver_.memory_info(&free, &total), "cannot ask for free memory"));
    return Bytes(static_cast<double>(free));
  }

  Result<Address> allocate(std::size_t bytes) override {
    DevicePointer pointer = 0;
    const Status status = driver_.allocate(&pointer, bytes);
    if (status == kOutOfMemory) {
      return fail(
          not_available(fmt::format("the GPU has no {:.2f} GB of memory free", static_cast<double>(bytes) / 1e9),
                        identity_.name, "choose smaller sizes, or end what else uses the GPU"));
    }
    RIDGE_TRY(check(status, "cannot allocate device memory"));
    return pointer;
  }
  void release(Address address) override { (void)driver_.release(address); }
  Result<void> copy_in(Address to, std::span<const std::byte> from) override {
    return check(driver_.copy_in(to, from.data(), from.size()), "cannot copy to the GPU");
  }
  Result<void> copy_out(std::span<std::byte> to, Address from) override {
    return check(driver_.copy_out(to.data(), from, to.size()), "cannot copy from the GPU");
  }
  Result<void> copy(Address to, Address from, std::size_t bytes) override {
    return check(driver_.copy(to, from, bytes), "cannot copy within the GPU");
  }
  Result<void> fill(Address to, std::uint8_t value, std::size_t bytes) override {
    return check(driver_.fill(to, value, bytes), "cannot fill device memory");
  }

  Result<Module> load(std::string_view image, std::string_view name) override {
    std::string log(4096, '\0');
    int options[] = {kJitErrorLog, kJitErrorLogSize};
    void* values[] = {log.data(), std::bit_cast<void*>(log.size())};
    const std::string terminated(image);  // the driver wants PTX to end in a zero byte
    ModuleHandle module = nullptr;
    const Status status = driver_.load_module(&module, terminated.c_str(), 2, options, values);
    if (status == kSuccess) return Module{std::bit_cast<std::uint64_t>(module)};
    log.resize(log.find('\0') == std::string::npos ? log.size() : log.find('\0'));
    const std::string why = driver_.reason(status) + (log.empty() ? "" : " (" + log.substr(0, log.find('\n')) + ")");
    return fail(not_available(
        fmt::format("the driver does not accept the kernels: {}", why), std::string(name),
        status == kUnsupportedPtx ? "install a newer driver" : "the GPU must have compute capability 8.0 or later"));
  }
  void unload(Module module) override { (void)driver_.unload_module(std::bit_cast<ModuleHandle>(module)); }

  Result<Function> find(Module module, std::string_view entry) override {
    FunctionHandle function = nullptr;
    const std::string name(entry);
    RIDGE_TRY(check(driver_.find_function(&function, std::bit_cast<ModuleHandle>(module), name.c_str()),
                    "there is no such kernel: " + name));
    return Function{std::bit_cast<std::uint64_t>(function)};
  }

  Result<device::FunctionFacts> facts(Function function) override {
    int registers = 0, shared = 0, local = 0;
    const auto handle = std::bit_cast<FunctionHandle>(function);
    RIDGE_TRY(check(driver_.function_attribute(&registers, kRegisters, handle), "cannot ask for a kernel's registers"));
    RIDGE_TRY(check(driver_.function_attribute(&shared, kSharedStatic, handle), "cannot ask for shared memory"));
    RIDGE_TRY(check(driver_.function_attribute(&local, kLocal, handle), "cannot ask for local memory"));
    return device::FunctionFacts{registers, Bytes(shared), Bytes(local)};
  }

  Result<void> allow_dynamic_shared(Function function, std::uint32_t bytes) override {
    return check(driver_.set_function_attribute(std::bit_cast<FunctionHandle>(function), kMaxDynamicShared,
                                                static_cast<int>(bytes)),
                 fmt::format("the GPU has no {} bytes of shared memory for a block", bytes));
  }

  Result<void> launch(const device::LaunchRequest& request) override {
    // The driver reads the arguments during the call and does not change them.
    std::vector<device::Parameter> copies = request.parameters;
    std::vector<void*> arguments;
    arguments.reserve(copies.size());
    for (device::Parameter& parameter : copies) arguments.push_back(parameter.bytes.data());
    return check(driver_.launch(std::bit_cast<FunctionHandle>(request.function), request.grid.x, request.grid.y,
                                request.grid.z, request.block.x, request.block.y, request.block.z,
                                request.dynamic_shared, nullptr, arguments.data(), nullptr),
                 "cannot launch the kernel");
  }

  Result<device::Parameter> tensor_map(const device::TensorMapRequest& request) override {
    if (driver_.tensor_map_encode == nullptr) {
      return fail(not_available("the driver cannot make tensor maps", driver_.library.name(),
                                "install a driver of CUDA 12.0 or later"));
    }
    device::Parameter map;
    map.size = map.bytes.size();
    const std::uint64_t extents[] = {request.columns, request.rows};
    const std::uint64_t row_bytes[] = {request.columns * 2};
    const std::uint32_t box[] = {request.box_columns, request.box_rows};
    const std::uint32_t steps[] = {1, 1};
    RIDGE_TRY(
        check(driver_.tensor_map_encode(map.bytes.data(), kBfloat16, 2, std::bit_cast<void*>(request.address), extents,
                                        row_bytes, box, steps, kNoInterleave, kSwizzle128, kPromote256, kNoFill),
              "cannot describe a matrix to the tensor memory accelerator"));
    return map;
  }

  Result<Event> create_event() override {
    EventHandle event = nullptr;
    RIDGE_TRY(check(driver_.create_event(&event, kBlockingWait), "cannot create an event"));
    return Event{std::bit_cast<std::uint64_t>(event)};
  }
  void destroy(Event event) override { (void)driver_.destroy_event(std::bit_cast<EventHandle>(event)); }
  Result<void> record(Event event) override {
    return check(driver_.record_event(std::bit_cast<EventHandle>(event), nullptr), "cannot record an event");
  }
  Result<Seconds> elapsed(Event begin, Event end) override {
    RIDGE_TRY(check(driver_.wait_event(std::bit_cast<EventHandle>(end)), "the kernel failed"));
    float milliseconds = 0;
    RIDGE_TRY(check(driver_.elapsed(&milliseconds, std::bit_cast<EventHandle>(begin), std::bit_cast<EventHandle>(end)),
                    "cannot read the time between two events"));
    return Seconds(static_cast<double>(milliseconds) * 1e-3);
  }
  Result<void> synchronise() override { return check(driver_.synchronise(), "the kernel failed"); }

 private:
  Result<void> check(Status status, const std::string& what) const {
    if (status == kSuccess) return {};
    const std::string where = identity_.name.empty() ? fmt::format("device {}", number_) : identity_.name;
    return fail(internal_error(fmt::format("{}: {}", what, driver_.reason(status)), where,
                               "see the driver's log (dmesg | grep NVRM) if this is not expected"));
  }

  Value<double> attribute(Attribute which) const {
    int value = 0;
    const Status status = driver_.device_attribute(&value, which, number_);
    if (status != kSuccess) return Value<double>::missing("the driver does not state it");
    return Value<double>(value, Provenance::kReported);
  }

  Result<void> identify() {
    char text[256] = {};
    RIDGE_TRY(check(driver_.device_name(text, sizeof text, number_), "cannot ask for the GPU's name"));
    identity_.name = text;
    if (driver_.device_address(text, sizeof text, number_) == kSuccess) identity_.address = text;
    int version = 0;
    if (driver_.driver_version(&version) == kSuccess) {
      identity_.driver = fmt::format("{}.{}", version / 1000, version % 1000 / 10);
    }
    fill_attributes();
    identity_.sm_count = static_cast<int>(identity_.attributes.sm_count.value_or(0));
    identity_.capability = static_cast<int>(10 * identity_.attributes.compute_capability_major.value_or(0) +
                                            identity_.attributes.compute_capability_minor.value_or(0));
    return {};
  }

  void fill_attributes() {
    const auto bytes = [&](Attribute which) { return transform(attribute(which), [](double x) { return Bytes(x); }); };
    const auto hertz = [&](Attribute which) {
      return transform(attribute(which), [](double khz) { return Hertz(khz * 1e3); });
    };
    DeviceAttributes& a = identity_.attributes;
    a.sm_count = attribute(kSmCount);
    a.compute_capability_major = attribute(kCapabilityMajor);
    a.compute_capability_minor = attribute(kCapabilityMinor);
    a.max_sm_clock = hertz(kMaxClockKhz);
    a.max_dram_clock = hertz(kMemoryClockKhz);
    a.dram_bus_width_bits = attribute(kMemoryBusBits);
    a.l2_capacity = bytes(kL2Bytes);
    std::size_t memory = 0;
    if (driver_.device_memory(&memory, number_) == kSuccess) {
      a.dram_capacity = Value<Bytes>(Bytes(static_cast<double>(memory)), Provenance::kReported);
    }
    a.max_warps_per_sm = attribute(kThreadsPerSm) * (1.0 / kWarpSize);
    a.max_blocks_per_sm = attribute(kBlocksPerSm);
    a.registers_per_sm = attribute(kRegistersPerSm);
    a.shared_per_sm = bytes(kSharedPerSm);
    a.shared_per_block = bytes(kSharedPerBlock);
    a.shared_reserved_per_block = bytes(kSharedReserved);
  }

  Driver driver_;
  DeviceNumber number_;
  Context context_ = nullptr;
  device::Identity identity_;
};

Error no_device(const Driver& driver, Status status) {
  std::string remedy = "see the driver's log (dmesg | grep NVRM)";
  if (status == kNoDevice) remedy = "check nvidia-smi and CUDA_VISIBLE_DEVICES (in a container: its access to the GPU)";
  if (status == kDriverMismatch) remedy = "the driver was updated while it runs: restart the machine";
  if (status == kStubLibrary) remedy = "the toolkit's stub of the driver was found: remove it from LD_LIBRARY_PATH";
  return not_available("no GPU can be used: " + driver.reason(status), driver.library.name(), remedy);
}

}  // namespace

Result<std::unique_ptr<device::Device>> open_device(int number) {
  auto driver = load_driver();
  if (!driver) return fail(driver.error());
  if (const Status status = driver->init(0); status != kSuccess) return fail(no_device(*driver, status));
  int count = 0;
  if (const Status status = driver->device_count(&count); status != kSuccess) return fail(no_device(*driver, status));
  if (number < 0 || number >= count) {
    return fail(usage_error(fmt::format("there is no GPU {}", number), "--device",
                            count == 0 ? "this machine has none" : fmt::format("give 0 to {}", count - 1)));
  }
  DeviceNumber handle = 0;
  if (const Status status = driver->device_get(&handle, number); status != kSuccess) {
    return fail(no_device(*driver, status));
  }
  auto opened = std::make_unique<CudaDevice>(*std::move(driver), handle);
  RIDGE_TRY(opened->start());
  return opened;
}

}  // namespace ridge::collectors::cuda
