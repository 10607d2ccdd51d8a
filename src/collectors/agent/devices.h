// Devices and contexts, each told to the collector once, before the first message that refers to it.
#pragma once

#include <mutex>
#include <set>

#include "collectors/agent/cupti.h"
#include "collectors/agent/outbox.h"

namespace ridge::collectors::agent {

class DeviceBook {
 public:
  /// `profiler`: the chip's name is needed, even if the profiler interface has to be initialised for it.
  DeviceBook(const Cupti& cupti, const Driver& driver, Outbox& outbox, bool profiler)
      : cupti_(cupti), driver_(driver), outbox_(outbox), profiler_(profiler) {}
  /// True: the device is new and was told.
  bool device(std::uint32_t device);
  /// True: the context is new and was told.
  bool context(std::uint32_t context, std::uint32_t device);

 private:
  [[nodiscard]] wire::DeviceFound facts(std::uint32_t device) const;
  [[nodiscard]] std::string chip(std::uint32_t device) const;

  const Cupti& cupti_;
  const Driver& driver_;
  Outbox& outbox_;
  const bool profiler_;
  std::mutex mutex_;
  std::set<std::uint32_t> devices_, contexts_;
};

}  // namespace ridge::collectors::agent
