// CUPTI's host profiler for one chip: which counters exist, how many passes a set takes, the image that configures the
// hardware, and values from counters that were collected. Needs no GPU and no driver.
//
// One Host must not be used by two threads at once; make one for each. Values are as the library gives them: counts,
// bytes, nanoseconds, hertz, per cent 0..100. A value that was not collected is NaN.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/cupti/calls.h"
#include "ridgepoint/base/result.h"

namespace ridge::collectors::cupti {

/// Range profiler: counters of a replayed launch. Sampling: fewer counters exist, all have to fit one pass.
enum class Use : unsigned char { kRange, kSampling };

class Host {
 public:
  /// An unknown chip is kNotAvailable, and the error names the chips that the library knows.
  [[nodiscard]] static Result<Host> make(SharedCalls calls, const std::string& chip, Use use);
  Host(Host&& other) noexcept;
  Host& operator=(Host&& other) noexcept;
  ~Host();

  [[nodiscard]] bool has(const std::string& metric) const;
  /// Names without a rollup, of every kind: "dram__bytes_read".
  [[nodiscard]] std::vector<std::string> base_metrics() const;
  /// What may follow a base name: ".sum", ".avg.per_second"; empty for an unknown one.
  [[nodiscard]] std::vector<std::string> rollups(const std::string& base) const;

  /// Schedules the metrics, all at once: added one by one they take more passes. Call it once.
  [[nodiscard]] Result<void> schedule(const std::vector<std::string>& metrics);
  /// Of what was scheduled.
  [[nodiscard]] Result<std::string> config_image() const;
  [[nodiscard]] Result<std::size_t> passes(const std::string& config_image) const;

  /// Values of the range or sample at `index`, in the order of `metrics`.
  [[nodiscard]] abi::Result evaluate(std::span<const std::uint8_t> image, std::size_t index,
                                     std::vector<const char*>& metrics, double* values) const;

  [[nodiscard]] const Calls& calls() const { return *calls_; }

 private:
  Host(SharedCalls calls, abi::HostObject* object) : calls_(std::move(calls)), object_(object) {}

  SharedCalls calls_;
  abi::HostObject* object_ = nullptr;
};

/// Names for the library, which writes to none of them but wants a pointer to an array of its own.
[[nodiscard]] std::vector<const char*> c_names(const std::vector<std::string>& names);

}  // namespace ridge::collectors::cupti
