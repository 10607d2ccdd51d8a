#include "collectors/agent/selection.h"

#include <gtest/gtest.h>

#include "collectors/agent/keeps_all.h"

namespace ridge::collectors::agent {
namespace {

constexpr wire::Nanoseconds kSecond = 1'000'000'000;
constexpr wire::Nanoseconds kStart = 100 * kSecond;

struct World {
  KeepsAll outbox;
  TextBook texts{outbox};
  KernelBook kernels{texts, ""};
  wire::Settings settings;
  Selection selection{settings, kStart};

  World() { selection.add_recipe({0, 0, 2, {"m"}, "image", ""}); }
  Selection::Launch launch(const char* name, std::uint32_t grid = 1) {
    Selection::Launch launch;
    launch.kernel = &kernels.find(name);
    launch.key = {launch.kernel->id, {grid, 1, 1}, {128, 1, 1}, 0};
    return launch;
  }
};

using Recipe = std::optional<std::uint32_t>;

TEST(AgentSelection, EachShapeIsMeasuredOnceWithTheBaseRecipe) {
  World world;
  const auto first = world.launch("saxpy");
  EXPECT_EQ(world.selection.wanted(first), Recipe(0));
  world.selection.measured(first.key, 0, true, 40);
  EXPECT_EQ(world.selection.wanted(first), std::nullopt);
  EXPECT_EQ(world.selection.wanted(world.launch("saxpy", 2)), Recipe(0));
  const auto progress = world.selection.progress();
  EXPECT_EQ(progress.seen, 2U);
  EXPECT_EQ(progress.measured, 1U);
  EXPECT_EQ(progress.spent, 40U);
}

TEST(AgentSelection, DynamicSharedMemoryMakesAnotherShape) {
  World world;
  auto launch = world.launch("saxpy");
  world.selection.measured(launch.key, 0, true, 40);
  launch.key.shared_dynamic = 1024;
  EXPECT_EQ(world.selection.wanted(launch), Recipe(0));
}

TEST(AgentSelection, SeveralSamplesWhereAsked) {
  World world;
  world.settings.samples_per_shape = 2;
  Selection selection(world.settings, kStart);
  selection.add_recipe({0, 0, 2, {"m"}, "image", ""});
  const auto launch = world.launch("saxpy");
  selection.measured(launch.key, 0, true, 40);
  EXPECT_EQ(selection.wanted(launch), Recipe(0));
  selection.measured(launch.key, 0, true, 40);
  EXPECT_EQ(selection.wanted(launch), std::nullopt);
}

TEST(AgentSelection, CollectivesCooperativeLaunchesAndGraphsAreNeverMeasured) {
  World world;
  auto cooperative = world.launch("grid_sync");
  cooperative.cooperative = true;
  auto node = world.launch("node");
  node.in_graph = true;
  auto filtered = world.launch("other");
  filtered.recorded = false;
  EXPECT_EQ(world.selection.wanted(world.launch("ncclDevKernel_AllReduce_Sum")), std::nullopt);
  EXPECT_EQ(world.selection.wanted(cooperative), std::nullopt);
  EXPECT_EQ(world.selection.wanted(node), std::nullopt);
  EXPECT_EQ(world.selection.wanted(filtered), std::nullopt);
  const auto progress = world.selection.progress();
  EXPECT_EQ(progress.seen, 4U);
  EXPECT_EQ(progress.collectives, 1U);
  EXPECT_EQ(progress.cooperative, 1U);
  EXPECT_EQ(progress.in_graphs, 1U);
  EXPECT_EQ(progress.filtered, 1U);
}

TEST(AgentSelection, AKernelOfAGraphThatIsAlsoLaunchedAloneIsMeasuredThere) {
  World world;
  auto node = world.launch("node");
  node.in_graph = true;
  EXPECT_EQ(world.selection.wanted(node), std::nullopt);
  EXPECT_EQ(world.selection.wanted(world.launch("node")), Recipe(0));
}

TEST(AgentSelection, ANameThatMatchesAHintGetsThatRecipeAtFirst) {
  World world;
  world.selection.add_recipe({3, 0, 3, {"t"}, "image", "gemm|mma"});
  const auto gemm = world.launch("_Z4gemmPf");
  EXPECT_EQ(world.selection.wanted(gemm), Recipe(3));
  world.selection.measured(gemm.key, 3, true, 40);
  EXPECT_EQ(world.selection.wanted(gemm), std::nullopt);
  EXPECT_EQ(world.selection.wanted(world.launch("saxpy")), Recipe(0));
}

TEST(AgentSelection, DecideAsksForAnotherRecipeOnTheNextLaunch) {
  World world;
  world.selection.add_recipe({1, 0, 1, {"t"}, "image", ""});
  const auto launch = world.launch("saxpy");
  world.selection.measured(launch.key, 0, true, 40);
  const wire::Decide decision{launch.key.kernel, launch.key.grid, launch.key.block, 0, 1};
  world.selection.decide(decision);
  world.selection.decide(decision);
  EXPECT_EQ(world.selection.wanted(launch), Recipe(1));
  world.selection.measured(launch.key, 1, true, 40);
  EXPECT_EQ(world.selection.wanted(launch), std::nullopt);
  EXPECT_EQ(world.selection.progress().measured, 1U);
}

TEST(AgentSelection, WhatFailedIsTriedOnceMore) {
  World world;
  const auto launch = world.launch("saxpy");
  world.selection.measured(launch.key, 0, false, 40);
  EXPECT_EQ(world.selection.wanted(launch), Recipe(0));
  world.selection.measured(launch.key, 0, false, 40);
  EXPECT_EQ(world.selection.wanted(launch), std::nullopt);
  EXPECT_EQ(world.selection.progress().failed, 1U);
  EXPECT_EQ(world.selection.progress().measured, 0U);
}

TEST(AgentSelection, AShapeIsNotMeasuredTwiceAtTheSameTime) {
  World world;
  const auto launch = world.launch("saxpy");
  world.selection.begin(launch.key);
  EXPECT_EQ(world.selection.wanted(launch), std::nullopt);
  world.selection.abandoned(launch.key);
  EXPECT_EQ(world.selection.wanted(launch), Recipe(0));
  world.selection.begin(launch.key);
  world.selection.measured(launch.key, 0, false, 40);
  EXPECT_EQ(world.selection.wanted(launch), Recipe(0));
}

TEST(AgentSelection, NothingIsWantedWithoutARecipeForTheDevice) {
  World world;
  auto elsewhere = world.launch("saxpy");
  elsewhere.device = 1;
  EXPECT_EQ(world.selection.wanted(elsewhere), std::nullopt);
  world.selection.give_up();
  EXPECT_EQ(world.selection.wanted(world.launch("saxpy")), std::nullopt);
}

TEST(AgentSelection, TheBudgetIsTenSecondsOrAFifthOfTheRun) {
  World world;
  const auto launch = world.launch("saxpy");
  world.selection.measured(launch.key, 0, true, 4 * kSecond);
  world.selection.measured(launch.key, 0, true, 4 * kSecond);
  const auto other = world.launch("other");
  EXPECT_FALSE(world.selection.affordable(other.key, kStart + kSecond)) << "8 s spent and the next may take 4";
  EXPECT_EQ(world.selection.wanted(other), Recipe(0));
  EXPECT_EQ(world.selection.progress().over_budget, 1U);
  EXPECT_TRUE(world.selection.affordable(other.key, kStart + 60 * kSecond)) << "a fifth of a minute";
  EXPECT_EQ(world.selection.progress().over_budget, 0U);
}

TEST(AgentSelection, AStatedBudgetHolds) {
  World world;
  world.settings.budget = kSecond;
  Selection selection(world.settings, kStart);
  const auto launch = world.launch("saxpy");
  EXPECT_TRUE(selection.affordable(launch.key, kStart));
  selection.measured(launch.key, 0, true, kSecond);
  EXPECT_TRUE(selection.budget_spent(kStart + 1000 * kSecond));
}

TEST(AgentBooks, ANameIsSentOnceBeforeItsNumberIsUsed) {
  World world;
  const auto& first = world.kernels.find("_Z4gemmPf");
  const auto& again = world.kernels.find("_Z4gemmPf");
  EXPECT_EQ(&first, &again);
  EXPECT_EQ(first.plain, "gemm");
  ASSERT_EQ(world.outbox.messages.size(), 1U);
  const auto& text = std::get<wire::Text>(world.outbox.messages[0]);
  EXPECT_EQ(text.id, first.id.load());
  EXPECT_EQ(text.text, "_Z4gemmPf");
  EXPECT_EQ(world.kernels.find(nullptr).id.load(), 0U);
}

TEST(AgentBooks, AShapeIsSentOnce) {
  World world;
  ShapeBook shapes(world.outbox);
  wire::Shape shape;
  shape.grid = {4, 1, 1};
  EXPECT_EQ(shapes.id(shape), 1U);
  EXPECT_EQ(shapes.id(shape), 1U);
  shape.registers = 32;
  EXPECT_EQ(shapes.id(shape), 2U);
  EXPECT_EQ(world.outbox.messages.size(), 2U);
}

TEST(AgentBooks, TheFilterMatchesMangledAndPlainNames) {
  World world;
  KernelBook book(world.texts, "^gemm$");
  EXPECT_TRUE(book.find("_Z4gemmPf").wanted);
  EXPECT_FALSE(book.find("_Z5sgemmPf").wanted);
  EXPECT_FALSE(KernelBook(world.texts, "(").filter_is_valid());
}

}  // namespace
}  // namespace ridge::collectors::agent
