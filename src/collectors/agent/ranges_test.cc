#include "collectors/agent/ranges.h"

#include <gtest/gtest.h>

#include <thread>

namespace ridge::collectors::agent {
namespace {

namespace abi = cupti::abi;

void push(RangeWatch& watch, const char* name) {
  const abi::NvtxTextParams params{name};
  watch.on_call(abi::kNvtxRangePushA, {nullptr, &params, nullptr});
}
void pop(RangeWatch& watch) {
  const int unused = 0;
  watch.on_call(abi::kNvtxRangePop, {nullptr, &unused, nullptr});
}
void push_in(RangeWatch& watch, void* domain, const abi::NvtxEventAttributes& event) {
  const abi::NvtxDomainEventParams params{domain, &event};
  watch.on_call(abi::kNvtxDomainRangePushEx, {nullptr, &params, nullptr});
}
void pop_in(RangeWatch& watch, void* domain) {
  const abi::NvtxDomainParams params{domain};
  watch.on_call(abi::kNvtxDomainRangePop, {nullptr, &params, nullptr});
}
abi::NvtxEventAttributes event(std::int32_t type, const void* message) {
  abi::NvtxEventAttributes attributes{};
  attributes.messageType = type;
  attributes.message = message;
  return attributes;
}

TEST(AgentRanges, InsideIsUntilTheNamedRangeIsPopped) {
  RangeWatch watch("step");
  push(watch, "other");
  EXPECT_FALSE(watch.inside());
  push(watch, "step");
  push(watch, "inner");
  EXPECT_TRUE(watch.inside());
  pop(watch);
  EXPECT_TRUE(watch.inside());
  pop(watch);
  EXPECT_FALSE(watch.inside());
  pop(watch);
  pop(watch);
  EXPECT_FALSE(watch.inside());
}

TEST(AgentRanges, PushedRangesBelongToTheirThread) {
  RangeWatch watch("step");
  push(watch, "step");
  bool elsewhere = true;
  std::thread([&] { elsewhere = watch.inside(); }).join();
  EXPECT_FALSE(elsewhere);
  pop(watch);
}

TEST(AgentRanges, StartedRangesBelongToTheProcess) {
  RangeWatch watch("step");
  const abi::NvtxTextParams params{"step"};
  const std::uint64_t id = 9;
  watch.on_call(abi::kNvtxRangeStartA, {nullptr, &params, &id});
  bool elsewhere = false;
  std::thread([&] { elsewhere = watch.inside(); }).join();
  EXPECT_TRUE(elsewhere);
  const abi::NvtxEndParams end{9};
  watch.on_call(abi::kNvtxRangeEnd, {nullptr, &end, nullptr});
  EXPECT_FALSE(watch.inside());
}

TEST(AgentRanges, RangesOfTwoDomainsMayCross) {
  RangeWatch watch("step");
  int first = 0, second = 0;
  const auto named = event(abi::kNvtxAscii, "step");
  const auto other = event(abi::kNvtxUnicode, L"stop");
  push_in(watch, &first, named);
  push_in(watch, &second, other);
  pop_in(watch, &first);
  EXPECT_FALSE(watch.inside());
  pop_in(watch, &second);
}

TEST(AgentRanges, RegisteredAndWideNamesAreKnown) {
  RangeWatch watch("step");
  int domain = 0, other = 0;
  void* handle = &other;
  const abi::NvtxRegisterParams params{&domain, "step"};
  watch.on_call(abi::kNvtxDomainRegisterStringA, {nullptr, &params, static_cast<const void*>(&handle)});
  push_in(watch, &domain, event(abi::kNvtxRegistered, handle));
  EXPECT_TRUE(watch.inside());
  pop_in(watch, &domain);
  push_in(watch, &domain, event(abi::kNvtxUnicode, L"step"));
  EXPECT_TRUE(watch.inside());
  pop_in(watch, &domain);
  EXPECT_FALSE(watch.inside());
}

TEST(AgentRanges, OwnRangesNestBesideThoseOfNvtx) {
  RangeWatch watch("step");
  watch.enter("step");
  push(watch, "other");
  EXPECT_TRUE(watch.inside());
  watch.leave();
  EXPECT_FALSE(watch.inside()) << "the range of NVTX is another's";
  watch.enter("inner");
  EXPECT_FALSE(watch.inside());
  watch.leave();
  pop(watch);
}

TEST(AgentRanges, VeryDeepRangesAreCounted) {
  RangeWatch watch("step");
  for (int i = 0; i < 300; ++i) push(watch, "a");
  for (int i = 0; i < 300; ++i) pop(watch);
  push(watch, "step");
  EXPECT_TRUE(watch.inside());
  pop(watch);
}

}  // namespace
}  // namespace ridge::collectors::agent
