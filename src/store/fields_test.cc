// Every member of every stored struct is listed in fields.h. A structured binding names exactly as many members as the
// struct has, so a new member stops this file from compiling: add it to fields.h (and raise kSchemaVersion unless it is
// a named Value), then here.
#include "store/fields.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace ridge::store {
namespace {

/// Counts what an archive is shown.
struct Counter {
  template <class... T>
  void operator()(const T&...) {
    members += sizeof...(T);
  }
  std::size_t members = 0;
};

template <class T>
std::size_t listed(const T& item) {
  Counter counter;
  fields(counter, item);
  if constexpr (HasNamedValues<const T>) visit_values([&](std::string_view, const auto&) { ++counter.members; }, item);
  return counter.members;
}

// The number of names in a binding, given as the number of arguments.
template <class... T>
constexpr std::size_t count(const T&...) {
  return sizeof...(T);
}

TEST(StoreFieldsTest, ListsEveryMemberOfAMachine) {
  const Machine machine;
  const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t] = machine;
  EXPECT_EQ(listed(machine), count(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t));
}

TEST(StoreFieldsTest, ListsEveryMemberOfAMachinesParts) {
  const Ceiling ceiling;
  const auto& [c1, c2, c3, c4, c5] = ceiling;
  EXPECT_EQ(listed(ceiling), count(c1, c2, c3, c4, c5));
  const MemoryLevel level;
  const auto& [l1, l2, l3, l4, l5, l6, l7, l8, l9] = level;
  EXPECT_EQ(listed(level), count(l1, l2, l3, l4, l5, l6, l7, l8, l9));
  const DramBus bus;
  const auto& [b1, b2, b3] = bus;
  EXPECT_EQ(listed(bus), count(b1, b2, b3));
  const OccupancyLimits limits;
  const auto& [o1, o2, o3, o4, o5, o6, o7, o8, o9, o10, o11, o12, o13, o14, o15] = limits;
  EXPECT_EQ(listed(limits), count(o1, o2, o3, o4, o5, o6, o7, o8, o9, o10, o11, o12, o13, o14, o15));
  const ComputeKey key;
  const auto& [k1, k2, k3, k4, k5] = key;
  EXPECT_EQ(listed(key), count(k1, k2, k3, k4, k5));
}

TEST(StoreFieldsTest, ListsEveryMemberOfALaunchAndASpan) {
  const Launch launch;
  const auto& [l1, l2, l3, l4, l5, l6, l7, l8, l9, l10, l11] = launch;
  EXPECT_EQ(listed(launch), count(l1, l2, l3, l4, l5, l6, l7, l8, l9, l10, l11));
  const Span span;
  const auto& [s1, s2, s3, s4, s5, s6, s7, s8, s9] = span;
  EXPECT_EQ(listed(span), count(s1, s2, s3, s4, s5, s6, s7, s8, s9));
}

TEST(StoreFieldsTest, ListsEveryMemberOfWhatALiveRecordingAdds) {
  const SampledWork sampled;
  const auto& [s1, s2, s3, s4, s5, s6, s7, s8] = sampled;
  EXPECT_EQ(listed(sampled), count(s1, s2, s3, s4, s5, s6, s7, s8));
  const Reading reading;
  const auto& [r1, r2, r3, r4, r5, r6, r7] = reading;
  EXPECT_EQ(listed(reading), count(r1, r2, r3, r4, r5, r6, r7));
  const Recording recording;
  const auto& [c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c17] = recording;
  EXPECT_EQ(listed(recording), count(c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c17));
}

TEST(StoreFieldsTest, ListsEveryMemberOfTheTables) {
  const Profile profile;
  const auto& [p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12] = profile;
  EXPECT_EQ(listed(profile), count(p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12));
  const Device device;
  const auto& [d1, d2, d3, d4, d5, d6, d7] = device;
  EXPECT_EQ(listed(device), count(d1, d2, d3, d4, d5, d6, d7));
  const Source source;
  const auto& [s1, s2, s3, s4] = source;
  EXPECT_EQ(listed(source), count(s1, s2, s3, s4));
  const Kernel kernel;
  const auto& [k1, k2, k3] = kernel;
  EXPECT_EQ(listed(kernel), count(k1, k2, k3));
  const MetricName metric;
  const auto& [m1, m2] = metric;
  EXPECT_EQ(listed(metric), count(m1, m2));
  const Measurement measurement;
  const auto& [e1, e2, e3, e4, e5] = measurement;
  EXPECT_EQ(listed(measurement), count(e1, e2, e3, e4, e5));
  const HotLine line;
  const auto& [h1, h2, h3, h4, h5] = line;
  EXPECT_EQ(listed(line), count(h1, h2, h3, h4, h5));
  const Issue issue;
  const auto& [i1, i2] = issue;
  EXPECT_EQ(listed(issue), count(i1, i2));
  const Argument argument;
  const auto& [a1, a2, a3] = argument;
  EXPECT_EQ(listed(argument), count(a1, a2, a3));
}

TEST(StoreFieldsTest, ListsEveryMemberOfTheStructsOfNamedValues) {
  const Configuration configuration;
  const auto& [c1, c2, c3, c4, c5, c6, c7, c8, c9] = configuration;
  EXPECT_EQ(listed(configuration), count(c1, c2, c3, c4, c5, c6, c7, c8, c9));
  const Conditions conditions;
  const auto& [d1, d2, d3, d4, d5, d6, d7, d8] = conditions;
  EXPECT_EQ(listed(conditions), count(d1, d2, d3, d4, d5, d6, d7, d8));
  const Execution execution;
  const auto& [e1, e2, e3, e4, e5, e6, e7, e8, e9, e10, e11, e12, e13, e14, e15, e16, e17, e18, e19] = execution;
  EXPECT_EQ(listed(execution),
            count(e1, e2, e3, e4, e5, e6, e7, e8, e9, e10, e11, e12, e13, e14, e15, e16, e17, e18, e19));
  const DeviceAttributes attributes;
  const auto& [a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18] = attributes;
  EXPECT_EQ(listed(attributes), count(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18));
}

TEST(StoreFieldsTest, ListsEveryMemberOfWork) {
  // Its parts hold Values of one size and nothing else.
  constexpr std::size_t kParts = sizeof(InstructionWork) + sizeof(TrafficWork) + sizeof(AccessWork);
  const Work work;
  EXPECT_EQ(listed(work), kParts / sizeof(Value<double>) + count(work.flops, work.compute));
}

template <class T>
bool names_are_unique() {
  std::multiset<std::string> names;
  const T item;
  visit_values([&](std::string_view name, const auto&) { names.emplace(name); }, item);
  return std::set<std::string>(names.begin(), names.end()).size() == names.size();
}

TEST(StoreFieldsTest, NamesValuesUniquelyWithinAStruct) {
  EXPECT_TRUE(names_are_unique<Work>());
  EXPECT_TRUE(names_are_unique<Configuration>());
  EXPECT_TRUE(names_are_unique<Conditions>());
  EXPECT_TRUE(names_are_unique<Execution>());
  EXPECT_TRUE(names_are_unique<DeviceAttributes>());
  EXPECT_TRUE(names_are_unique<Recording>());
}

}  // namespace
}  // namespace ridge::store
