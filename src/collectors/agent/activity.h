// Activity records: what is enabled, the buffers that CUPTI fills, and their way to the collector.
//
// CUPTI calls back on its own thread while the program runs, and on the program's when that flushes. One object a
// process, which lives to its end: CUPTI's callbacks carry no user pointer.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "collectors/agent/records.h"

namespace ridge::collectors::agent {

class ActivityStream {
 public:
  using OnProblem = std::function<void(abi::Result, const std::string& call)>;
  ActivityStream(const Cupti& cupti, Books& books, Policy& policy, RangeTally& tally, Outbox& outbox, bool api,
                 OnProblem problem);

  /// Registers the buffers; false: CUPTI refused, and a problem said so.
  bool start();
  /// Enables or disables all kinds. Idempotent, any thread.
  void record(bool on);
  /// Unified memory is configured for each device, when its first context is there; only with `api`.
  void device_ready(std::uint32_t device);
  /// What CUPTI holds is delivered; forced: unfinished buffers too.
  void flush(bool forced);
  /// The same; returns when it was read, whichever thread does that.
  void deliver(bool forced);

 private:
  static void requested(std::uint8_t** buffer, std::size_t* size, std::size_t* records);
  static void completed(abi::Context context, std::uint32_t stream, std::uint8_t* buffer, std::size_t size,
                        std::size_t valid);
  void complete(abi::Context context, std::uint32_t stream, std::uint8_t* buffer, std::size_t valid);
  void walk(std::uint8_t* buffer, std::size_t valid);
  std::uint8_t* take_buffer();
  void keep_buffer(std::uint8_t* buffer);
  void enable(std::uint32_t kind, bool on);

  const Cupti& cupti_;
  RangeTally& tally_;
  Outbox& outbox_;
  const bool api_;
  const OnProblem problem_;
  std::mutex switch_mutex_;
  bool recording_ = false;             // under switch_mutex_
  std::vector<std::uint32_t> failed_;  // likewise: kinds that were refused and are not tried again
  std::atomic<int> reading_ = 0;       ///< buffers that CUPTI's threads and ours have in hand
  std::mutex read_mutex_;
  RecordReader reader_;  // under read_mutex_
  std::mutex pool_mutex_;
  std::vector<std::unique_ptr<std::uint64_t[]>> pool_;  // under pool_mutex_
};

}  // namespace ridge::collectors::agent
