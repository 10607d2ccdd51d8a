// Runs teaching kernels on a device: checks the results on fresh random inputs, then takes the time.
//
// Samples are timed by events around enough launches in a row that the events themselves do not count, after a warm-up
// in which clocks settle. Where the buffers are small against L2 several copies are used in turn, so that the bytes
// declared for DRAM really come from there.
// Not modelled: the time of a single cold launch, other work on the GPU, throttling (clock and power are recorded).
#pragma once

#include <map>
#include <string>
#include <utility>

#include "device/device.h"
#include "lab/run/buffers.h"
#include "lab/run/images.h"
#include "lab/run/run.h"

namespace ridge::lab {

class Runner {
 public:
  /// `telemetry` may be nullptr. Everything given must outlive the runner.
  Runner(device::Device& device, device::Telemetry* telemetry, Images images, RunOptions options)
      : device_(device), telemetry_(telemetry), images_(images), options_(std::move(options)) {}
  ~Runner();
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  /// Not available: the GPU cannot run this kernel, or has no room for its buffers. A wrong result is no error: it is
  /// in the run's check, and the run is then not timed.
  [[nodiscard]] Result<Run> run(const BoundKernel& kernel);
  /// The vendor's routine on the same problem. Precondition: the declaration names one.
  [[nodiscard]] Result<Run> run_vendor(const BoundKernel& kernel, device::Blas& blas);
  /// One launch, neither checked nor timed, for a profiler that watches.
  [[nodiscard]] Result<void> run_once(const BoundKernel& kernel);

 private:
  struct Loaded {
    device::Module module{};
    bool from_ptx = false;
  };
  struct Launchable {
    device::Function function{};
    device::FunctionFacts facts;
    bool from_ptx = false;
  };
  /// Launches on buffer set number `set`.
  using Launch = std::function<Result<void>(std::size_t set)>;

  [[nodiscard]] Result<Loaded> load(std::string_view module);
  [[nodiscard]] Result<Launchable> prepare(const BoundKernel& kernel);
  [[nodiscard]] Result<std::vector<BufferSet>> make_sets(const BoundKernel& kernel, const Problem& problem, int copies);
  [[nodiscard]] Result<void> check_and_time(Run& run, std::vector<BufferSet>& sets, const Problem& problem,
                                            const Launch& launch);
  [[nodiscard]] int copies_for(const BoundKernel& kernel);

  device::Device& device_;
  device::Telemetry* telemetry_;
  Images images_;
  RunOptions options_;
  std::map<std::string, Loaded, std::less<>> modules_;
};

}  // namespace ridge::lab
