// What `ridge lab` runs on: a GPU with what can be had beside it, or one that this machine's CPU emulates.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "device/device.h"
#include "emulator/device/emulated_device.h"
#include "lab/run/run.h"

namespace ridge::cli {

struct LabGpu {
  std::unique_ptr<device::Device> device;
  std::unique_ptr<device::Telemetry> telemetry;  ///< may be nullptr
  std::unique_ptr<device::Blas> blas;            ///< may be nullptr
  std::vector<std::string> notes;                ///< why they are
};
/// The GPU of that number.
[[nodiscard]] Result<LabGpu> open_lab_gpu(int number, bool with_blas);

/// The machine that --on names, or the one that is emulated where none is named, with --peak and --bandwidth.
[[nodiscard]] Result<Machine> machine_to_emulate(const Arguments& arguments, const Context& context);

/// Runs on `device` are emulated: they end with what it counted and predicted. It must outlive the options.
[[nodiscard]] lab::RunOptions emulated(lab::RunOptions options, const emulator::EmulatedDevice& device);

/// What the kernels that were emulated did wrong, a sentence each; what has been said is not said again.
[[nodiscard]] std::vector<std::string> findings_of(const emulator::EmulatedDevice& device);

}  // namespace ridge::cli
