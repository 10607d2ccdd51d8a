#include "collectors/agent/subscription.h"

#include <array>

namespace ridge::collectors::agent {
namespace {

constexpr std::array<std::uint32_t, 10> kSeldom = {abi::kCuProfilerStart,
                                                   abi::kCuProfilerStop,
                                                   abi::kCuStreamBeginCapture,
                                                   abi::kCuStreamBeginCapturePtsz,
                                                   abi::kCuStreamEndCapture,
                                                   abi::kCuStreamEndCapturePtsz,
                                                   abi::kCuStreamBeginCaptureV2,
                                                   abi::kCuStreamBeginCaptureV2Ptsz,
                                                   abi::kCuStreamBeginCaptureToGraph,
                                                   abi::kCuStreamBeginCaptureToGraphPtsz};
constexpr std::array<std::uint32_t, 9> kLaunches = {abi::kCuLaunchKernel,
                                                    abi::kCuLaunchKernelPtsz,
                                                    abi::kCuLaunchKernelEx,
                                                    abi::kCuLaunchKernelExPtsz,
                                                    abi::kCuLaunchCooperativeKernel,
                                                    abi::kCuLaunchCooperativeKernelPtsz,
                                                    abi::kCuLaunchCooperativeKernelMultiDevice,
                                                    abi::kCuGraphLaunch,
                                                    abi::kCuGraphLaunchPtsz};

}  // namespace

abi::Result Subscription::start(abi::CallbackFunc* callback, void* user) {
  if (cupti_.subscribe == nullptr || cupti_.enable_callback == nullptr) return abi::kErrorApiNotImplemented;
  const std::lock_guard lock(mutex_);
  const abi::Result result = cupti_.subscribe(&subscriber_, callback, user);
  if (result != abi::kSuccess) {
    subscriber_ = nullptr;
    return result;
  }
  cupti_.enable_callback(1, subscriber_, abi::kDomainResource, abi::kContextCreated);
  cupti_.enable_callback(1, subscriber_, abi::kDomainResource, abi::kContextDestroyStarting);
  // Calls that an older library does not know are refused, and not made by its programs either.
  for (const auto call : kSeldom) cupti_.enable_callback(1, subscriber_, abi::kDomainDriver, call);
  return result;
}

void Subscription::launches(bool on) {
  const std::lock_guard lock(mutex_);
  if (subscriber_ == nullptr || launches_ == on) return;
  launches_ = on;
  for (const auto call : kLaunches) cupti_.enable_callback(on ? 1 : 0, subscriber_, abi::kDomainDriver, call);
}

bool Subscription::launches_are(bool on) {
  const std::lock_guard lock(mutex_);
  return launches_ == on;
}

void Subscription::ranges() {
  const std::lock_guard lock(mutex_);
  if (subscriber_ != nullptr && cupti_.enable_domain != nullptr) {
    cupti_.enable_domain(1, subscriber_, abi::kDomainNvtx);
  }
}

}  // namespace ridge::collectors::agent
