#include "collectors/agent/ranges.h"

#include <array>
#include <cwchar>

namespace ridge::collectors::agent {
namespace {

namespace abi = cupti::abi;

// Deeper ranges than this are counted, not looked at.
constexpr std::size_t kDeepest = 128;

struct Pushed {
  const void* domain;
  bool matching;
};
struct Stack {
  std::array<Pushed, kDeepest> ranges;
  std::size_t depth, beyond, matching;
};
// No constructor: a thread of the program that never pushes pays nothing.
thread_local Stack stack;

constexpr char kOwnDomain = 0;

void push(const void* domain, bool matching) {
  if (stack.depth == kDeepest) {
    ++stack.beyond;
    return;
  }
  stack.ranges[stack.depth++] = {domain, matching};
  if (matching) ++stack.matching;
}

// Ranges of one domain nest; those of two may cross.
void pop(const void* domain) {
  if (stack.beyond > 0) {
    --stack.beyond;
    return;
  }
  for (std::size_t at = stack.depth; at > 0; --at) {
    if (stack.ranges[at - 1].domain != domain) continue;
    if (stack.ranges[at - 1].matching) --stack.matching;
    for (std::size_t next = at; next < stack.depth; ++next) stack.ranges[next - 1] = stack.ranges[next];
    --stack.depth;
    return;
  }
}

template <class Params>
const Params& as(const abi::NvtxData& data) {
  return *static_cast<const Params*>(data.functionParams);
}

bool same_wide(const std::string& name, const wchar_t* text) {
  if (std::wcslen(text) != name.size()) return false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (text[i] != static_cast<wchar_t>(name[i])) return false;
  }
  return true;
}

}  // namespace

// As if they were of an NVTX domain that only they have.
void RangeWatch::enter(const char* name) {
  push(&kOwnDomain, matches(name));
}

void RangeWatch::leave() {
  pop(&kOwnDomain);
}

bool RangeWatch::inside() const {
  return stack.matching > 0 || open_.load(std::memory_order_relaxed) > 0;
}

bool RangeWatch::matches(const abi::NvtxEventAttributes* event) {
  if (event == nullptr || event->message == nullptr) return false;
  switch (event->messageType) {
    case abi::kNvtxAscii:
      return matches(static_cast<const char*>(event->message));
    case abi::kNvtxUnicode:
      return same_wide(name_, static_cast<const wchar_t*>(event->message));
    case abi::kNvtxRegistered: {
      const std::lock_guard lock(mutex_);
      return registered_.contains(event->message);
    }
    default:
      return false;
  }
}

void RangeWatch::start(bool matching, const void* id) {
  if (!matching || id == nullptr) return;
  const std::lock_guard lock(mutex_);
  started_.insert(*static_cast<const std::uint64_t*>(id));
  open_ = started_.size();
}

void RangeWatch::end(std::uint64_t id) {
  const std::lock_guard lock(mutex_);
  started_.erase(id);
  open_ = started_.size();
}

void RangeWatch::on_call(std::uint32_t callback, const abi::NvtxData& data) {
  if (data.functionParams == nullptr) return;
  switch (callback) {
    case abi::kNvtxRangePushA:
      push(nullptr, matches(as<abi::NvtxTextParams>(data).message));
      break;
    case abi::kNvtxRangePushEx:
      push(nullptr, matches(as<abi::NvtxEventParams>(data).eventAttrib));
      break;
    case abi::kNvtxRangePop:
      pop(nullptr);
      break;
    case abi::kNvtxDomainRangePushEx: {
      const auto& params = as<abi::NvtxDomainEventParams>(data);
      push(params.domain, matches(params.eventAttrib));
      break;
    }
    case abi::kNvtxDomainRangePop:
      pop(as<abi::NvtxDomainParams>(data).domain);
      break;
    case abi::kNvtxRangeStartA:
      start(matches(as<abi::NvtxTextParams>(data).message), data.functionReturnValue);
      break;
    case abi::kNvtxRangeStartEx:
      start(matches(as<abi::NvtxEventParams>(data).eventAttrib), data.functionReturnValue);
      break;
    case abi::kNvtxDomainRangeStartEx:
      start(matches(as<abi::NvtxDomainEventParams>(data).eventAttrib), data.functionReturnValue);
      break;
    case abi::kNvtxRangeEnd:
      end(as<abi::NvtxEndParams>(data).id);
      break;
    case abi::kNvtxDomainRangeEnd:
      end(as<abi::NvtxDomainEndParams>(data).id);
      break;
    case abi::kNvtxDomainRegisterStringA: {
      const auto& params = as<abi::NvtxRegisterParams>(data);
      if (!matches(params.string) || data.functionReturnValue == nullptr) return;
      const std::lock_guard lock(mutex_);
      registered_.insert(*static_cast<const void* const*>(data.functionReturnValue));
      break;
    }
    default:
      break;
  }
}

}  // namespace ridge::collectors::agent
