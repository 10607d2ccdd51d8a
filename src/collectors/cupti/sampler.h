// A device's counters over time, sampled from this process while another one uses the device.
//
// One thread decodes the hardware buffer into images of a few hundred samples; workers turn images into numbers and
// clear them. Samples come out in order of time. Times are nanoseconds since the Unix epoch, on the clock of CUPTI's
// activity records. When decoding cannot keep up, or the hardware buffer was full, Batch::behind says so: stop, and
// start again with an interval of at least needed_interval(). Not here: who ran meanwhile, and when to widen (session).
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collectors/cupti/plan.h"
#include "collectors/cupti/pm_device.h"

namespace ridge::collectors::cupti {

using std::chrono::nanoseconds;

/// Every number that decides how sampling behaves.
struct SamplerSettings {
  nanoseconds shortest{5'000}, longest{1'000'000};
  std::size_t hardware_buffer = std::size_t{256} << 20;  ///< bytes, in the GPU's reach
  /// Of one image; 0: as many as `image_span` holds. What a look finds beyond them CUPTI throws away, so an image must
  /// have room for all that comes in between two looks, however late the second one is.
  std::uint32_t samples_per_image = 0;
  nanoseconds image_span{60'000'000};
  std::uint32_t fewest_per_image = 256, most_per_image = 4096;
  std::size_t images = 6;
  std::size_t workers = 0;             ///< 0: a quarter of the cores, 1 to 4
  double fill = 0.1;                   ///< share of an image that the decoder lets come together before it looks
  nanoseconds least_pause{2'000'000};  ///< between looks at the buffer
  nanoseconds most_pause{10'000'000};
  nanoseconds most_lag{120'000'000};  ///< between a sample and its decoding; beyond it decoding is behind
  int looks_behind = 5;               ///< so many looks in a row with a growing lag, or with more than an image holds
  double headroom = 1.25;             ///< interval over the time that a sample needs
  nanoseconds drain{500'000'000};     ///< that stop() may take for what is still in the buffer
};

enum class Quantity : unsigned char {
  kDramRead,  ///< bytes
  kDramWrite,
  kL2,
  kWarpInstructions,
  kSmActive,      ///< 0..1 of the sample's time
  kOccupancy,     ///< 0..1 of what the active SMs hold
  kTensorActive,  ///< 0..1 of the active time
  kCount,
};
/// The name that recipes use: "dram_read".
[[nodiscard]] std::string_view name(Quantity quantity);

struct Sample {
  std::uint64_t start = 0, end = 0;
  /// NaN: the chip's sampled set lacks it.
  std::array<double, static_cast<std::size_t>(Quantity::kCount)> values{};
  [[nodiscard]] double operator[](Quantity quantity) const { return values[static_cast<std::size_t>(quantity)]; }
};

/// Since open(). Times are of the threads that did it, added up.
struct SamplerStatistics {
  std::uint64_t samples = 0, looks = 0, images = 0, overflows = 0;
  nanoseconds decode{}, evaluate{}, clear{}, waited{};  ///< waited: for an image, because the workers were busy
  nanoseconds greatest_lag{};
  std::size_t image_bytes = 0, workers = 0;
  [[nodiscard]] std::string text() const;  ///< one line for people who tune
};

class Sampler {
 public:
  /// Plans the recipe, initialises the driver, finds the device by its PCI address; takes no counters yet.
  [[nodiscard]] static Result<std::unique_ptr<Sampler>> open(const SharedCalls& calls, const Recipe& recipe,
                                                             const std::string& chip, const std::string& address,
                                                             const SamplerSettings& settings = {});
  virtual ~Sampler() = default;

  /// Takes the counters. On failure refusal() says which kind.
  [[nodiscard]] virtual Result<void> start(nanoseconds interval) = 0;
  /// Decodes what is still there and gives the counters back. collect() yields the rest afterwards.
  virtual void stop() = 0;

  struct Batch {
    std::vector<Sample> samples;
    bool behind = false;         ///< a wider interval is needed; with overflow, nothing comes until then
    bool overflow = false;       ///< samples were lost
    std::optional<Error> error;  ///< sampling has ended
  };
  [[nodiscard]] virtual Batch collect() = 0;

  [[nodiscard]] virtual Refusal refusal() const = 0;
  /// What the samples since start() took to decode and evaluate, with headroom; 0: not known yet.
  [[nodiscard]] virtual nanoseconds needed_interval() const = 0;
  [[nodiscard]] virtual SamplerStatistics statistics() const = 0;
  [[nodiscard]] virtual const SamplingPlan& plan() const = 0;
};

/// The index of the device in this process, by its PCI address ("0000:3b:00.0"; the domain may be written shorter or
/// longer). Initialises the driver.
[[nodiscard]] Result<std::size_t> device_at(const std::string& address);

}  // namespace ridge::collectors::cupti
