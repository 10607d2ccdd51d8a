// A device that exists only in tests: memory is the host's, kernels are host functions, time is a script. It can refuse
// what real ones refuse: memory, a binary, a launch, and it can compute wrongly.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "device/device.h"

namespace ridge::test {

class FakeDevice final : public device::Device {
 public:
  using Kernel = std::function<void(const device::LaunchRequest&)>;

  FakeDevice();
  ~FakeDevice() override;
  FakeDevice(const FakeDevice&) = delete;
  FakeDevice& operator=(const FakeDevice&) = delete;

  // The script.
  device::Identity who;
  std::map<std::string, Kernel, std::less<>> kernels;     ///< by entry point; host_kernels() at first
  std::map<std::string, Seconds, std::less<>> durations;  ///< of one launch; 100 us where nothing is said
  std::size_t capacity = std::size_t{1} << 32;
  bool refuse_binaries = false;   ///< accepts PTX only
  int fail_at_launch = -1;        ///< this launch and all calls after it fail
  double slower_each_launch = 1;  ///< factor on the duration, launch by launch

  // What happened.
  std::vector<std::string> launched;
  std::vector<std::string> loaded;  ///< names of images
  std::size_t used = 0;             ///< bytes allocated now
  int events = 0;                   ///< alive

  [[nodiscard]] const device::Identity& identity() const override { return who; }
  [[nodiscard]] Result<Bytes> free_memory() override;
  [[nodiscard]] Result<device::Address> allocate(std::size_t bytes) override;
  void release(device::Address address) override;
  [[nodiscard]] Result<void> copy_in(device::Address to, std::span<const std::byte> from) override;
  [[nodiscard]] Result<void> copy_out(std::span<std::byte> to, device::Address from) override;
  [[nodiscard]] Result<void> copy(device::Address to, device::Address from, std::size_t bytes) override;
  [[nodiscard]] Result<void> fill(device::Address to, std::uint8_t value, std::size_t bytes) override;
  [[nodiscard]] Result<device::Module> load(std::string_view image, std::string_view name) override;
  void unload(device::Module module) override;
  [[nodiscard]] Result<device::Function> find(device::Module module, std::string_view entry) override;
  [[nodiscard]] Result<device::FunctionFacts> facts(device::Function function) override;
  [[nodiscard]] Result<void> allow_dynamic_shared(device::Function function, std::uint32_t bytes) override;
  [[nodiscard]] Result<void> launch(const device::LaunchRequest& request) override;
  [[nodiscard]] Result<device::Parameter> tensor_map(const device::TensorMapRequest& request) override;
  [[nodiscard]] Result<device::Event> create_event() override;
  void destroy(device::Event event) override;
  [[nodiscard]] Result<void> record(device::Event event) override;
  [[nodiscard]] Result<Seconds> elapsed(device::Event begin, device::Event end) override;
  [[nodiscard]] Result<void> synchronise() override;

 private:
  [[nodiscard]] Result<void> alive() const;

  std::map<device::Address, std::vector<std::byte>> memory_;
  std::map<std::uint64_t, Seconds> event_times_;
  std::vector<std::string> entries_;  ///< by function number
  std::map<std::uint32_t, std::uint32_t> allowed_shared_;
  Seconds now_{0};
  std::uint64_t next_event_ = 1, next_module_ = 1;
  std::set<std::uint64_t> modules_;
  bool dead_ = false;
};

/// Plain loops that do what the kernels of the lab should do, by entry point.
[[nodiscard]] std::map<std::string, FakeDevice::Kernel, std::less<>> host_kernels();

}  // namespace ridge::test
