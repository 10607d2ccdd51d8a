// What a run needs of the vendor's libraries, as an interface: so that a session is tested without them.
//
// Times are nanoseconds since the Unix epoch. A Backend and its evaluation belong to the session's thread; each Sampler
// and each Gauge is used by one other thread, after it was made. Not here: what runs inside the program (wire).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collectors/session/attribute.h"
#include "collectors/session/session.h"
#include "collectors/wire/messages.h"
#include "device/device.h"
#include "ridgepoint/base/result.h"

namespace ridge::collectors::session {

/// As the library gives it (nanoseconds, bytes, hertz; shares as per cent 0..100); NaN: not collected.
struct Counter {
  std::string name;
  double value = 0;
};

/// A device's counters, read periodically while anything runs on it.
class Sampler {
 public:
  struct Batch {
    std::vector<DeviceSample> samples;  ///< in order of time
    bool behind = false;                ///< decoding cannot keep up: a wider interval is needed
  };
  virtual ~Sampler() = default;
  /// Takes some 0.2 s. Not available: forbidden, or somebody else has the counters.
  [[nodiscard]] virtual Result<void> start(Seconds interval) = 0;
  /// The last start() failed because somebody else has the counters: a program that ends gives them back a little after
  /// it closed its socket.
  [[nodiscard]] virtual bool busy() const = 0;
  /// What came since. An error: sampling has ended.
  [[nodiscard]] virtual Result<Batch> collect() = 0;
  /// Gives the counters back; collect() yields what was still to be decoded.
  virtual void stop() = 0;
  [[nodiscard]] virtual Seconds shortest_interval() const = 0;
  /// What decoding could keep up with; 0: not known.
  [[nodiscard]] virtual Seconds needed_interval() const = 0;
};

/// Clocks, power and processes of a device.
class Gauge {
 public:
  virtual ~Gauge() = default;
  [[nodiscard]] virtual device::Reading read() = 0;
  /// With a compute context.
  [[nodiscard]] virtual Result<std::vector<std::uint64_t>> processes() = 0;
  /// The GPU is divided into slices (MIG).
  [[nodiscard]] virtual bool is_divided() { return false; }
  /// Of the bits of Reading::throttle_reasons, those that say that the GPU is slower than it could be, by name.
  [[nodiscard]] virtual std::vector<std::string> slowing(std::uint64_t throttle_reasons) const = 0;
};

/// What is counted on a device, and what of the recipes is not.
struct CounterPlan {
  std::vector<wire::CounterSetup> setups;
  std::vector<std::string> no_pass;      ///< quantities that would take another pass than their recipe may
  std::vector<std::string> not_on_chip;  ///< of the recipes in a person's own file alone: the chip lacks their counters
  std::vector<std::string> wrong_names;  ///< of --metrics, each with what is wrong and what to write instead
};

class Backend {
 public:
  virtual ~Backend() = default;
  /// The CUPTI that the agent is to open: `chosen` by a person, or found. The error's `what` says why there is none.
  [[nodiscard]] virtual Result<std::string> find_cupti(const std::string& chosen) = 0;
  /// For the device's chip. No setups: no counters are wanted.
  [[nodiscard]] virtual Result<CounterPlan> plan(const wire::DeviceFound& device, const Options& options) = 0;
  [[nodiscard]] virtual Result<std::vector<Counter>> evaluate(const wire::DeviceFound& device,
                                                              const wire::CounterImage& image) = 0;
  [[nodiscard]] virtual Result<std::unique_ptr<Sampler>> sampler(const wire::DeviceFound& device,
                                                                 const Options& options) = 0;
  [[nodiscard]] virtual Result<std::unique_ptr<Gauge>> gauge(const wire::DeviceFound& device) = 0;
};

/// run() over these libraries.
[[nodiscard]] Result<Outcome> run_with(Backend& backend, const Options& options, const Sink& sink, Observer& observer);

/// The vendor's.
[[nodiscard]] std::unique_ptr<Backend> vendor_backend();

}  // namespace ridge::collectors::session
