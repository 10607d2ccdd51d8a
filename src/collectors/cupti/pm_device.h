// The counters of one device, sampled periodically into its hardware buffer: CUPTI's PM sampling as an object. No
// context is needed; the driver must have been initialised.
//
// Holds the device's counters from configure() to release(); nobody else can have them meanwhile, and who comes second
// is told so (Refusal). decode() and clear() may run in different threads, each on its own image. Not here: threads,
// queues, evaluation (sampler.h).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "collectors/cupti/calls.h"
#include "ridgepoint/base/result.h"

namespace ridge::collectors::cupti {

/// Why the counters cannot be had.
enum class Refusal : unsigned char {
  kNone,
  kBusy,         ///< another profiler, a replay or a monitoring service has them
  kForbidden,    ///< the driver allows them to administrators only
  kUnsupported,  ///< this device or its mode (MIG, vGPU, WSL, confidential computing) has none
  kOther,
};
[[nodiscard]] Refusal refusal_of(abi::Result result);

struct Decoded {
  std::size_t samples = 0;  ///< complete ones in the image
  bool image_full = false;  ///< there is more in the hardware buffer
  bool overflow = false;    ///< the hardware buffer was full: nothing more comes until the next configure()
  abi::Result result = abi::kSuccess;
};

class PmDevice {
 public:
  PmDevice(SharedCalls calls, std::size_t device, std::string chip, std::vector<std::string> metrics,
           std::string config_image);
  PmDevice(const PmDevice&) = delete;
  PmDevice& operator=(const PmDevice&) = delete;
  ~PmDevice() { release(); }

  /// Takes the counters if they are not held, and sets the interval (nanoseconds) and the hardware buffer. Takes some
  /// 0.2 s. On failure refusal() says which kind.
  [[nodiscard]] Result<void> configure(std::uint64_t interval, std::size_t hardware_buffer);
  [[nodiscard]] Result<void> start();
  void stop();
  /// Gives the counters back.
  void release();
  [[nodiscard]] Refusal refusal() const { return refusal_; }

  /// Bytes of an image for so many samples; after configure().
  [[nodiscard]] Result<std::size_t> image_size(std::uint32_t samples) const;
  /// Makes an image ready to be decoded into.
  [[nodiscard]] abi::Result clear(std::span<std::uint8_t> image) const;
  [[nodiscard]] Decoded decode(std::span<std::uint8_t> image) const;
  /// When the sample began and ended; false if the library does not say.
  [[nodiscard]] bool times(std::span<const std::uint8_t> image, std::size_t sample, std::uint64_t& start,
                           std::uint64_t& end) const;

 private:
  [[nodiscard]] Result<void> enable();
  [[nodiscard]] Error refused(abi::Result result, const char* call);
  [[nodiscard]] bool has_time_trigger() const;

  SharedCalls calls_;
  std::size_t device_;
  std::string chip_;
  std::vector<std::string> metrics_;
  std::string config_image_;
  abi::PmSamplingObject* object_ = nullptr;
  bool running_ = false;
  Refusal refusal_ = Refusal::kNone;
};

}  // namespace ridge::collectors::cupti
