#include "collectors/fake/callbacks.h"

#include <atomic>
#include <mutex>
#include <set>
#include <utility>

#include "collectors/fake/activity.h"
#include "collectors/fake/export.h"
#include "collectors/fake/lasting.h"

namespace ridge::collectors::fake {
namespace {

/// CUPTI_CB_DOMAIN_SIZE
constexpr std::uint32_t kDomains = 7;
constexpr int kInvalidParameter = abi::kErrorInvalidParameter;

struct Subscription {
  std::mutex mutex;
  std::atomic<abi::CallbackFunc*> function{nullptr};
  void* userdata = nullptr;
  std::atomic<bool> whole[kDomains]{};
  std::set<std::pair<std::uint32_t, std::uint32_t>> single;
  std::atomic<bool> any_single{false};
};

Subscription& subscription() {
  return lasting<Subscription>();
}

abi::Subscriber handle() {
  return reinterpret_cast<abi::Subscriber>(&subscription());
}

bool wants(std::uint32_t domain, std::uint32_t cbid) {
  Subscription& one = subscription();
  if (one.function.load() == nullptr) return false;
  if (one.whole[domain].load()) return true;
  if (!one.any_single.load()) return false;
  const std::lock_guard lock(one.mutex);
  return one.single.contains({domain, cbid});
}

thread_local bool in_callback = false;
thread_local std::uint32_t correlation_now = 0;
thread_local unsigned depth = 0;

std::uint32_t new_correlation() {
  static std::atomic<std::uint32_t> next{1};
  return next.fetch_add(1);
}

void call(std::uint32_t domain, std::uint32_t cbid, const void* data) {
  if (in_callback || !wants(domain, cbid)) return;
  Subscription& one = subscription();
  abi::CallbackFunc* const function = one.function.load();
  if (function == nullptr) return;
  in_callback = true;
  function(one.userdata, domain, cbid, data);
  in_callback = false;
}

bool is_subscriber(abi::Subscriber subscriber) {
  return subscriber == handle() && subscription().function.load() != nullptr;
}

}  // namespace

ApiCall::ApiCall(std::uint32_t domain, std::uint32_t cbid, const char* name, const void* params, const char* symbol)
    : domain_(domain), cbid_(cbid), silent_(in_callback) {
  if (silent_) {
    data_.correlationId = correlation_now;
    return;
  }
  if (depth++ == 0) correlation_now = new_correlation();
  data_.functionName = name;
  data_.functionParams = params;
  data_.functionReturnValue = &result_;
  data_.symbolName = symbol;
  data_.correlationData = &kept_;
  data_.correlationId = correlation_now;
  began_ = cupti_time(now());
  tell(abi::kEnter);
}

ApiCall::~ApiCall() {
  if (silent_) return;
  tell(abi::kExit);
  record_call(domain_, cbid_, began_, data_.correlationId, result_);
  if (--depth == 0) correlation_now = 0;
}

int ApiCall::done(int result) {
  result_ = result;
  return result;
}

void ApiCall::tell(std::uint32_t site) {
  const Context* context = current_context();
  data_.callbackSite = site;
  data_.context = reinterpret_cast<abi::Context>(current_context());
  data_.contextUid = context == nullptr ? 0 : context->uid;
  call(domain_, cbid_, &data_);
}

std::uint32_t current_correlation() {
  return correlation_now;
}

void tell_resource(std::uint32_t cbid, Context* context, Stream* stream) {
  const abi::ResourceData data{reinterpret_cast<abi::Context>(context), reinterpret_cast<abi::Stream>(stream), nullptr};
  call(abi::kDomainResource, cbid, &data);
}

void tell_nvtx(std::uint32_t cbid, const char* name, const void* params, const void* result) {
  const abi::NvtxData data{name, params, result};
  call(abi::kDomainNvtx, cbid, &data);
}

// NOLINTBEGIN(readability-identifier-naming): the vendor's names
RIDGE_FAKE_EXPORT abi::Result cuptiSubscribe(abi::Subscriber* subscriber, abi::CallbackFunc* function, void* userdata) {
  if (subscriber == nullptr || function == nullptr) return kInvalidParameter;
  const World* here = world();
  if (here == nullptr) return abi::kErrorNotInitialized;
  if (here->script.faults.subscribe != 0) return here->script.faults.subscribe;
  Subscription& one = subscription();
  const std::lock_guard lock(one.mutex);
  if (one.function.load() != nullptr) return abi::kErrorMultipleSubscribersNotSupported;
  one.userdata = userdata;
  one.function.store(function);
  *subscriber = handle();
  return abi::kSuccess;
}

RIDGE_FAKE_EXPORT abi::Result cuptiUnsubscribe(abi::Subscriber subscriber) {
  if (!is_subscriber(subscriber)) return kInvalidParameter;
  Subscription& one = subscription();
  const std::lock_guard lock(one.mutex);
  one.function.store(nullptr);
  one.single.clear();
  one.any_single.store(false);
  for (auto& domain : one.whole) domain.store(false);
  return abi::kSuccess;
}

RIDGE_FAKE_EXPORT abi::Result cuptiEnableDomain(std::uint32_t enable, abi::Subscriber subscriber,
                                                std::uint32_t domain) {
  if (!is_subscriber(subscriber) || domain == 0 || domain >= kDomains) return kInvalidParameter;
  subscription().whole[domain].store(enable != 0);
  return abi::kSuccess;
}

RIDGE_FAKE_EXPORT abi::Result cuptiEnableCallback(std::uint32_t enable, abi::Subscriber subscriber,
                                                  std::uint32_t domain, std::uint32_t cbid) {
  if (!is_subscriber(subscriber) || domain == 0 || domain >= kDomains || cbid == 0) return kInvalidParameter;
  Subscription& one = subscription();
  const std::lock_guard lock(one.mutex);
  if (enable != 0) {
    one.single.insert({domain, cbid});
  } else {
    one.single.erase({domain, cbid});
  }
  one.any_single.store(!one.single.empty());
  return abi::kSuccess;
}

RIDGE_FAKE_EXPORT abi::Result cuptiGetContextId(abi::Context context, std::uint32_t* id) {
  if (context == nullptr) return abi::kErrorInvalidContext;
  if (id == nullptr) return kInvalidParameter;
  *id = reinterpret_cast<const Context*>(context)->uid;
  return abi::kSuccess;
}

RIDGE_FAKE_EXPORT abi::Result cuptiGetDeviceId(abi::Context context, std::uint32_t* id) {
  const auto* known = context == nullptr ? current_context() : reinterpret_cast<const Context*>(context);
  if (known == nullptr) return abi::kErrorInvalidContext;
  if (id == nullptr) return kInvalidParameter;
  *id = known->device;
  return abi::kSuccess;
}

RIDGE_FAKE_EXPORT abi::Result cuptiGetStreamIdEx(abi::Context /*context*/, abi::Stream stream,
                                                 std::uint8_t /*per_thread*/, std::uint32_t* id) {
  if (id == nullptr) return kInvalidParameter;
  *id = stream_id(reinterpret_cast<const Stream*>(stream));
  return abi::kSuccess;
}

// NOLINTEND(readability-identifier-naming)

}  // namespace ridge::collectors::fake
