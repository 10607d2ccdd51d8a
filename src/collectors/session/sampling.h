// A device's sampler on a thread of its own: started and stopped on request, decoded as it goes, its interval widened
// when decoding cannot keep up. What it has seen is fetched by the session.
//
// Requests return at once; state() says what has become of them. Times are nanoseconds since the Unix epoch.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "collectors/session/backend.h"

namespace ridge::collectors::session {

class SamplingThread {
 public:
  enum class State : unsigned char { kOff, kChanging, kOn, kFailed };
  struct News {
    State state = State::kOff;
    std::vector<DeviceSample> samples;
    Nanoseconds until = 0;  ///< samples of earlier times have all been given out, or will never come
    std::uint64_t gaps = 0;
    Nanoseconds lost = 0;            ///< time without samples in the gaps
    std::optional<Error> error;      ///< why it failed, once
    Seconds interval, widened_from;  ///< now, and when it was widened for the first time (0: never)
  };

  /// `interval` absent: chosen here. `wake` is called on the thread when the state changes.
  SamplingThread(std::unique_ptr<Sampler> sampler, std::optional<Seconds> interval, std::function<void()> wake);
  ~SamplingThread();
  SamplingThread(const SamplingThread&) = delete;
  SamplingThread& operator=(const SamplingThread&) = delete;

  void want(bool on);
  [[nodiscard]] State state() const;
  /// What is new since the last call.
  [[nodiscard]] News take();

 private:
  void work();
  [[nodiscard]] bool turn(bool on);
  [[nodiscard]] bool start();
  [[nodiscard]] bool collect();
  [[nodiscard]] bool widen();
  [[nodiscard]] bool fail_with(const Error& error);
  void add(const std::vector<DeviceSample>& samples);
  [[nodiscard]] State state_locked() const;

  std::unique_ptr<Sampler> sampler_;  // the thread's, as are the next two
  Seconds interval_;
  Nanoseconds last_end_ = 0;
  std::function<void()> wake_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool wanted_ = false, on_ = false, failed_ = false, ending_ = false;  // under mutex_, as are the next two
  bool turning_ = false;  // being started or stopped: it may have the counters whatever on_ says
  News news_;
  std::thread thread_;
};

}  // namespace ridge::collectors::session
