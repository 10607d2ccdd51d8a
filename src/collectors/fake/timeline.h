// When work runs: each stream of a device does one thing after the other, streams run beside each other, and nothing
// slows anything down. Times are nanoseconds on any one clock; the caller says what time it is.
//
// Not here: priorities, the number of streams that hardware can serve, contention.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

namespace ridge::collectors::fake {

struct Span {
  std::uint64_t start = 0, end = 0;
};

class Timeline {
 public:
  /// Starts as soon as the stream is free, not before `now`.
  Span schedule(std::uint32_t device, std::uint64_t stream, std::uint64_t now, std::uint64_t duration) {
    std::uint64_t& busy_until = streams_[{device, stream}];
    const Span span{std::max(now, busy_until), std::max(now, busy_until) + duration};
    busy_until = span.end;
    std::uint64_t& device_until = devices_[device];
    device_until = std::max(device_until, span.end);
    return span;
  }
  /// When all that was scheduled so far is done; 0 if nothing was.
  [[nodiscard]] std::uint64_t end_of(std::uint32_t device) const {
    const auto at = devices_.find(device);
    return at == devices_.end() ? 0 : at->second;
  }
  [[nodiscard]] std::uint64_t end_of(std::uint32_t device, std::uint64_t stream) const {
    const auto at = streams_.find({device, stream});
    return at == streams_.end() ? 0 : at->second;
  }

 private:
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint64_t> streams_;
  std::map<std::uint32_t, std::uint64_t> devices_;
};

}  // namespace ridge::collectors::fake
