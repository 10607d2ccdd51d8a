// A GPU that the emulator plays: what drives a device (device.h) runs on it unchanged. Memory is the host's, modules
// are PTX, a launch is over when launch() returns, and time is a clock that each launch moves on by the time predicted
// for it. What a launch did is kept for whoever asks.
//
// Launches are those of a plain stream; a cluster is what the kernel's PTX requires. After a fault of a kernel every
// later call fails with that fault, as a driver's does. A launch of which only a sample was run leaves memory as those
// blocks left it. Not modelled: the time of copies and of launching, several streams, the vendor's tensor maps.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.h"
#include "emulator/exec/decode.h"
#include "emulator/exec/memory_space.h"
#include "emulator/run/kernel_run.h"

namespace ridge::emulator {

class EmulatedDevice final : public device::Device {
 public:
  /// Not available where the machine runs no PTX.
  [[nodiscard]] static Result<std::unique_ptr<EmulatedDevice>> open(Machine machine, KernelOptions options = {});

  /// Precondition: the machine runs PTX. open() looks.
  EmulatedDevice(Machine machine, KernelOptions options);

  /// One for each launch so far, in order.
  [[nodiscard]] const std::vector<KernelRun>& runs() const { return runs_; }
  [[nodiscard]] const Machine& machine() const { return machine_; }

  [[nodiscard]] const device::Identity& identity() const override { return identity_; }
  [[nodiscard]] Result<Bytes> free_memory() override;
  [[nodiscard]] Result<device::Address> allocate(std::size_t bytes) override;
  void release(device::Address address) override;
  [[nodiscard]] Result<void> copy_in(device::Address to, std::span<const std::byte> from) override;
  [[nodiscard]] Result<void> copy_out(std::span<std::byte> to, device::Address from) override;
  [[nodiscard]] Result<void> copy(device::Address to, device::Address from, std::size_t bytes) override;
  [[nodiscard]] Result<void> fill(device::Address to, std::uint8_t value, std::size_t bytes) override;
  /// Not available for a binary: PTX is what is emulated.
  [[nodiscard]] Result<device::Module> load(std::string_view image, std::string_view name) override;
  void unload(device::Module module) override;
  /// Decodes the kernel: not available where it has instructions that are not emulated.
  [[nodiscard]] Result<device::Function> find(device::Module module, std::string_view entry) override;
  /// Registers are estimated: PTX does not say them.
  [[nodiscard]] Result<device::FunctionFacts> facts(device::Function function) override;
  [[nodiscard]] Result<void> allow_dynamic_shared(device::Function function, std::uint32_t bytes) override;
  [[nodiscard]] Result<void> launch(const device::LaunchRequest& request) override;
  /// A map of the emulator's own, which only its kernels understand.
  [[nodiscard]] Result<device::Parameter> tensor_map(const device::TensorMapRequest& request) override;
  [[nodiscard]] Result<device::Event> create_event() override;
  void destroy(device::Event event) override;
  [[nodiscard]] Result<void> record(device::Event event) override;
  [[nodiscard]] Result<Seconds> elapsed(device::Event begin, device::Event end) override;
  [[nodiscard]] Result<void> synchronise() override;

 private:
  /// PTX that was loaded. Its variables lie at addresses that other modules use too: they are in memory only while
  /// kernels of this module are launched, and kept here in between.
  struct Loaded {
    std::shared_ptr<const ptx::Module> module;
    std::string name;
    std::optional<std::vector<std::vector<std::byte>>> variables;
  };
  struct Kernel {
    device::Module module{};
    Program program;
    std::uint32_t allowed_shared = 0;
  };

  void identify();
  [[nodiscard]] Result<void> alive() const;
  [[nodiscard]] Error refused(std::string what) const;
  [[nodiscard]] Result<std::span<std::byte>> range(device::Address address, std::size_t bytes) const;
  [[nodiscard]] Result<Kernel*> kernel(device::Function function);
  [[nodiscard]] Result<void> place_variables(device::Module module, const Program& program);
  void take_variables_away();
  [[nodiscard]] Result<LaunchRequest> arranged(const Kernel& kernel, const device::LaunchRequest& request) const;

  Machine machine_;
  KernelOptions options_;
  device::Identity identity_;
  double capacity_ = 0;  ///< bytes
  GlobalMemory memory_;
  std::map<device::Module, Loaded> modules_;
  std::map<device::Function, Kernel> kernels_;
  std::map<device::Event, std::optional<Seconds>> events_;
  std::uint64_t next_name_ = 1;
  std::optional<device::Module> placed_;  ///< whose variables are in memory
  std::vector<std::uint64_t> placed_at_;  ///< where
  Seconds now_{0};
  std::optional<Error> fault_;
  std::vector<KernelRun> runs_;
};

}  // namespace ridge::emulator
