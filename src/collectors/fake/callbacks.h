// CUPTI's callbacks: the one subscriber, and what is told to it around each call of the driver.
//
// ApiCall stands at the top of each driver function: it gives the call its correlation id, tells the subscriber before
// and after, and keeps an activity record of it. A call made from inside a callback is not told and leaves no record. A
// driver call inside a runtime call has the runtime call's id.
#pragma once

#include <cstdint>

#include "collectors/cupti/abi_callbacks.h"
#include "collectors/fake/machine.h"

namespace ridge::collectors::fake {

namespace abi = cupti::abi;

class ApiCall {
 public:
  /// `params` points to the call's parameters as the subscriber expects them; `symbol` is the kernel's name.
  ApiCall(std::uint32_t domain, std::uint32_t cbid, const char* name, const void* params = nullptr,
          const char* symbol = nullptr);
  ~ApiCall();
  ApiCall(const ApiCall&) = delete;
  ApiCall& operator=(const ApiCall&) = delete;
  /// The call's result, which is also returned.
  int done(int result);
  [[nodiscard]] std::uint32_t correlation() const { return data_.correlationId; }

 private:
  void tell(std::uint32_t site);

  std::uint32_t domain_, cbid_;
  abi::CallbackData data_{};
  std::uint64_t kept_ = 0;  ///< what the subscriber keeps between the two callbacks
  std::uint64_t began_ = 0;
  int result_ = 0;
  bool silent_ = false;
};

/// Tells of a context, a stream and so on (ResourceCallback).
void tell_resource(std::uint32_t cbid, Context* context, Stream* stream = nullptr);
/// Tells of a call of NVTX.
void tell_nvtx(std::uint32_t cbid, const char* name, const void* params, const void* result = nullptr);

/// The id of the call that this thread is in; 0: in none.
[[nodiscard]] std::uint32_t current_correlation();

}  // namespace ridge::collectors::fake
