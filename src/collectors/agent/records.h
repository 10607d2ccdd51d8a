// CUPTI's activity records as messages, collected into batches.
//
// Not thread-safe: the owner locks. Records of kinds that nobody knows are counted, not guessed at.
#pragma once

#include <string>
#include <unordered_map>

#include "collectors/agent/devices.h"
#include "collectors/agent/policy.h"
#include "collectors/agent/tally.h"

namespace ridge::collectors::agent {

/// What the records refer to; shared by all that sends.
struct Books {
  TextBook texts;
  KernelBook kernels;
  ShapeBook shapes;
  DeviceBook devices;
};

class RecordReader {
 public:
  RecordReader(Books& books, Policy& policy, RangeTally& tally, Outbox& outbox, const Cupti& cupti)
      : books_(books), policy_(policy), tally_(tally), outbox_(outbox), cupti_(cupti) {}

  void read(const abi::Activity& record);
  /// Sends what is waiting.
  void flush();

 private:
  struct OpenRange {
    wire::TextId name = 0;
    std::uint32_t thread = 0;
    wire::Nanoseconds start = 0, end = 0;  ///< 0: not come yet; either may be first
  };
  void kernel(const abi::ActivityKernel& record);
  void copy(const abi::ActivityMemcpy& record);
  void peer_copy(const abi::ActivityMemcpyPtoP& record);
  void set(const abi::ActivityMemset& record);
  void call(const abi::ActivityApi& record, bool runtime);
  void marker(const abi::ActivityMarker& record);
  void synchronisation(const abi::ActivitySynchronization& record);
  void allocation(const abi::ActivityMemory& record);
  void unified(const abi::ActivityUnifiedMemory& record);
  void context(std::uint32_t context, std::uint32_t device);
  template <class Record>
  void add(wire::Copy& copy, const Record& record);
  void add(const wire::Event& event);
  wire::TextId call_name(bool runtime, std::uint32_t callback);

  Books& books_;
  Policy& policy_;
  RangeTally& tally_;
  Outbox& outbox_;
  const Cupti& cupti_;
  wire::Launches launches_;
  wire::Copies copies_;
  wire::Events events_;
  std::uint64_t unknown_ = 0;
  std::uint32_t last_context_ = 0;
  std::unordered_map<std::uint32_t, OpenRange> ranges_;    // by marker id
  std::unordered_map<std::uint64_t, wire::TextId> calls_;  // by domain and callback id
};

}  // namespace ridge::collectors::agent
