#include "collectors/agent/marks.h"

#include <gtest/gtest.h>

#include <thread>

#include "collectors/agent/keeps_all.h"

namespace ridge::collectors::agent {
namespace {

struct World {
  explicit World(const std::string& wanted = "") : watch(wanted) {}
  [[nodiscard]] std::vector<wire::Event> events() {
    marks.flush();
    std::vector<wire::Event> all;
    for (const auto& batch : outbox.all<wire::Events>()) all.insert(all.end(), batch.items.begin(), batch.items.end());
    return all;
  }
  bool recording = true;
  KeepsAll outbox;
  TextBook texts{outbox};
  RangeWatch watch;
  Marks marks{texts, watch, outbox, [this] { return recording; }};
};

TEST(AgentMarks, ARangeIsRecordedWhenItIsPopped) {
  World world;
  world.marks.push("outer");
  world.marks.push("inner");
  world.marks.pop();
  ASSERT_EQ(world.events().size(), 1U);
  world.marks.pop();
  const auto events = world.events();
  const auto texts = world.outbox.all<wire::Text>();
  ASSERT_EQ(events.size(), 2U);
  ASSERT_EQ(texts.size(), 2U);
  EXPECT_EQ(texts[0].text, "outer");
  EXPECT_EQ(events[0].name, texts[1].id);
  EXPECT_EQ(events[1].name, texts[0].id);
  EXPECT_EQ(events[0].kind, wire::EventKind::kRange);
  EXPECT_EQ(events[0].thread, this_thread());
  EXPECT_LE(events[1].start, events[0].start);
  EXPECT_GE(events[1].end, events[0].end);
}

TEST(AgentMarks, WhatWasNotPushedIsNotPopped) {
  World world;
  world.marks.pop();
  world.marks.push("a");
  std::thread([&] { world.marks.pop(); }).join();
  EXPECT_TRUE(world.events().empty()) << "a range is of its thread";
  world.marks.pop();
  EXPECT_EQ(world.events().size(), 1U);
}

TEST(AgentMarks, OutsideOfTheRecordingNothingIsSaidButFiltersKnowTheRange) {
  World world("step");
  world.recording = false;
  world.marks.push("step");
  EXPECT_TRUE(world.watch.inside());
  world.recording = true;
  world.marks.pop();
  EXPECT_FALSE(world.watch.inside());
  EXPECT_TRUE(world.events().empty());
}

TEST(AgentMarks, VeryDeepRangesAreCounted) {
  World world("step");
  for (int i = 0; i < 300; ++i) world.marks.push("a");
  for (int i = 0; i < 300; ++i) world.marks.pop();
  EXPECT_EQ(world.events().size(), 128U);
  world.marks.push("step");
  EXPECT_TRUE(world.watch.inside());
  world.marks.pop();
  EXPECT_EQ(world.events().size(), 129U);
}

}  // namespace
}  // namespace ridge::collectors::agent
