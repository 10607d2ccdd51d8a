#include "collectors/cupti/recipes.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>

namespace ridge::collectors::cupti {
namespace {

std::string error_of(const std::string& text) {
  const auto recipes = Recipes::parse(text, "mine.toml");
  return recipes ? "" : to_string(recipes.error());
}

TEST(RecipesTest, BuiltInFileHasTheNamedRecipes) {
  const auto recipes = Recipes::built_in();
  ASSERT_TRUE(recipes) << to_string(recipes.error());
  for (const char* name : {"roofline", "memory", "stalls", "tensor", "sampling", "sampling-light"}) {
    const auto recipe = recipes->find(name);
    ASSERT_TRUE(recipe) << name;
    EXPECT_FALSE(recipe->title.empty());
    EXPECT_FALSE(recipe->wants.empty());
  }
  EXPECT_EQ(recipes->find("roofline")->wants.front().what, "duration");
  EXPECT_EQ(recipes->find("roofline")->passes, 2u);
}

TEST(RecipesTest, BuiltInWantsAreNamedOnce) {
  const auto recipes = Recipes::built_in();
  ASSERT_TRUE(recipes);
  for (const Recipe& recipe : recipes->all()) {
    std::set<std::string> names;
    for (const Want& want : recipe.wants) EXPECT_TRUE(names.insert(want.what).second) << want.what;
  }
}

TEST(RecipesTest, ReadsAlternativesBracesAndScales) {
  const auto recipes = Recipes::parse(R"([r]
title = "t"
passes = 3
name_hint = "gemm|mma"
want = ["both: a__{x,y}.sum b.sum | 32 x c.sum", "one: d.{e,f}.{g,h}"]
)",
                                      "mine.toml");
  ASSERT_TRUE(recipes) << to_string(recipes.error());
  const Recipe& recipe = recipes->all().at(0);
  EXPECT_EQ(recipe.name, "r");
  EXPECT_EQ(recipe.passes, 3u);
  EXPECT_EQ(recipe.name_hint, "gemm|mma");
  ASSERT_EQ(recipe.wants.size(), 2u);
  EXPECT_EQ(recipe.wants[0].what, "both");
  ASSERT_EQ(recipe.wants[0].alternatives.size(), 2u);
  EXPECT_EQ(recipe.wants[0].alternatives[0].metrics, (std::vector<std::string>{"a__x.sum", "a__y.sum", "b.sum"}));
  EXPECT_EQ(recipe.wants[0].alternatives[0].scale, 1);
  EXPECT_EQ(recipe.wants[0].alternatives[1].metrics, std::vector<std::string>{"c.sum"});
  EXPECT_EQ(recipe.wants[0].alternatives[1].scale, 32);
  EXPECT_EQ(recipe.wants[1].alternatives[0].metrics, (std::vector<std::string>{"d.e.g", "d.e.h", "d.f.g", "d.f.h"}));
}

TEST(RecipesTest, SaysWhatIsWrongAndWhere) {
  EXPECT_NE(error_of("x = 1\n").find("x is not a recipe (mine.toml:1)"), std::string::npos) << error_of("x = 1\n");
  EXPECT_NE(error_of("[r]\nwant = [\"a: b\"]\n").find("r.title is missing"), std::string::npos);
  EXPECT_NE(error_of("[r]\ntitle = \"t\"\n").find("r.want is missing"), std::string::npos);
  EXPECT_NE(error_of("[r]\ntitle = \"t\"\nwant = [\"a: b\"]\nfoo = 1\n").find("unknown key r.foo"), std::string::npos);
  EXPECT_NE(error_of("[r]\ntitle = \"t\"\npasses = 0\nwant = [\"a: b\"]\n").find("mine.toml:3"), std::string::npos);
  EXPECT_NE(error_of("[r\n").find("not TOML"), std::string::npos);
  EXPECT_NE(error_of("").find("no recipe"), std::string::npos);
}

TEST(RecipesTest, RejectsAWantThatIsNone) {
  for (const char* want : {"no colon", ": b", "a: ", "a: b{c", "a: b}c{", "a: 0 x b", "a: -1 x b", "a: k x b", "a:b"}) {
    const std::string text = std::string("[r]\ntitle = \"t\"\nwant = [\"") + want + "\"]\n";
    EXPECT_NE(error_of(text).find("is not a want"), std::string::npos) << want;
  }
  std::string wide = "[r]\ntitle = \"t\"\nwant = [\"a: ";
  for (int i = 0; i < 8; ++i) wide += "{0,1}";
  EXPECT_NE(error_of(wide + "\"]\n").find("is not a want"), std::string::npos);
}

TEST(RecipesTest, RejectsAHintThatIsNoExpression) {
  const std::string text = "[r]\ntitle = \"t\"\nname_hint = \"(\"\nwant = [\"a: b\"]\n";
  EXPECT_NE(error_of(text).find("r.name_hint is not a regular expression"), std::string::npos) << error_of(text);
}

TEST(RecipesTest, SuggestsTheNearestName) {
  const auto recipes = Recipes::built_in();
  ASSERT_TRUE(recipes);
  EXPECT_EQ(to_string(recipes->find("rofline").error()), "there is no recipe \"rofline\": did you mean roofline?");
  const std::string none = to_string(recipes->find("xyzzy").error());
  EXPECT_NE(none.find("give one of "), std::string::npos) << none;
  EXPECT_EQ(recipes->find("xyzzy").error().code, ErrorCode::kUsage);
}

TEST(RecipesTest, TheLineOfAWantIsItsOwn) {
  const std::string head = "[r]\ntitle = \"t\"\nwant = [\n  \"a: b\",\n";
  EXPECT_EQ(error_of(head + "  \"no colon\",\n]\n"),
            "\"no colon\" is not a want (mine.toml:5): write \"what it is: counter counter | counter of other chips\"");
  EXPECT_EQ(error_of(head + "  \"a: c\",\n]\n"),
            "r asks for \"a\" twice (mine.toml:5): leave one out, or give it another name");
}

TEST(RecipesTest, OnlyQuantitiesOfSamplesAreSampled) {
  const auto text = [](const char* what) {
    return std::string("[sampling]\ntitle = \"t\"\nwant = [\"") + what + ": a.sum\"]\n";
  };
  EXPECT_EQ(error_of(text("dram_read")), "");
  EXPECT_NE(
      error_of(text("speed")).find("\"speed\" is nothing that can be sampled (mine.toml:3): write one of dram_read"),
      std::string::npos)
      << error_of(text("speed"));
}

TEST(RecipesTest, ValuesOfTheWrongTypeAreToldWithTheirLine) {
  const std::string head = "[r]\ntitle = \"t\"\n";
  for (const char* line :
       {"want = 3", "want = \"a: b\"", "want = [3]", "want = [[\"a: b\"]]", "want = {a = 1}", "title = 3",
        "passes = \"many\"", "passes = 1.5", "passes = 1e300", "passes = nan", "passes = 101", "passes = -1",
        "name_hint = 3", "name_hint = [\"a\"]", "want = [\"a: b\", 3]"}) {
    std::string text = std::string(line).starts_with("title") ? "[r]\nwant = [\"a: b\"]\n" : head;
    if (!std::string(line).starts_with("want") && !std::string(line).starts_with("title")) {
      text = "[r]\nwant = [\"a: b\"]\n" + text.substr(4);
    }
    const std::string error = error_of(text + line + "\n");
    EXPECT_NE(error.find("mine.toml:"), std::string::npos) << line << ": " << error;
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  }
}

TEST(RecipesTest, NamesThatAreThereTwiceAreRefused) {
  const std::string recipe = "[r]\ntitle = \"t\"\nwant = [\"a: b\"]\n";
  EXPECT_NE(error_of(recipe + recipe).find("(mine.toml:4)"), std::string::npos) << error_of(recipe + recipe);
  EXPECT_NE(error_of(recipe + "title = \"u\"\n").find("(mine.toml:4)"), std::string::npos);
}

TEST(RecipesTest, NonsenseOfAnySizeIsAnErrorAndNotACrash) {
  const auto with_want = [](const std::string& want) { return "[r]\ntitle = \"t\"\nwant = [\"" + want + "\"]\n"; };
  std::string braces = "a: ";
  for (int i = 0; i < 100'000; ++i) braces += "{b}";
  EXPECT_NE(error_of(with_want(braces)).find("is not a want"), std::string::npos);
  EXPECT_LT(error_of(with_want(braces)).size(), 300U) << "a line for people";
  std::string spellings = "a: b";
  for (int i = 0; i < 100; ++i) spellings += " | b";
  EXPECT_NE(error_of(with_want(spellings)).find("is not a want"), std::string::npos);
  std::string many = "[r]\ntitle = \"t\"\nwant = [";
  for (int i = 0; i < 300; ++i) many += "\"a" + std::to_string(i) + ": b\",";
  EXPECT_NE(error_of(many + "]\n").find("more than 256"), std::string::npos);
  const auto with_hint = [](const std::string& hint) {
    return "[r]\ntitle = \"t\"\nname_hint = \"" + hint + "\"\nwant = [\"a: b\"]\n";
  };
  EXPECT_NE(error_of(with_hint(std::string(100'000, '('))).find("not a regular expression"), std::string::npos);
  EXPECT_NE(error_of(with_hint("((x{1,255}){1,255}){1,255}")).find("not a regular expression"), std::string::npos);
  EXPECT_EQ(error_of(with_hint("gemm{1,2}")), "");
  EXPECT_NE(error_of(std::string(200'000, '[')).find("not TOML"), std::string::npos);
}

class RecipeFileTest : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path_); }
  void write(const std::string& text) const { std::ofstream(path_) << text; }

  const std::string path_ = testing::TempDir() + "ridge-recipes-" + std::to_string(getpid()) + ".toml";
};

TEST_F(RecipeFileTest, StandsBesideTheBuiltInRecipesOrInTheirPlace) {
  write("[memory]\ntitle = \"mine\"\nwant = [\"a: b.sum\"]\n[atomics]\ntitle = \"t\"\nwant = [\"c: d.sum\"]\n");
  const auto recipes = Recipes::with(path_);
  ASSERT_TRUE(recipes) << to_string(recipes.error());
  EXPECT_EQ(recipes->all().size(), Recipes::built_in()->all().size() + 1);
  EXPECT_EQ(recipes->find("memory")->title, "mine");
  EXPECT_TRUE(recipes->find("memory")->own);
  EXPECT_TRUE(recipes->find("atomics")->own);
  EXPECT_FALSE(recipes->find("roofline")->own);
  EXPECT_EQ(Recipes::with("")->all().size(), Recipes::built_in()->all().size());
}

TEST_F(RecipeFileTest, WhatIsWrongIsTheFilesOwnLine) {
  write("[memory]\n");
  const auto recipes = Recipes::with(path_);
  ASSERT_FALSE(recipes);
  EXPECT_EQ(recipes.error().where, path_ + ":1");
}

TEST_F(RecipeFileTest, AFileTooLargeIsRefused) {
  write(std::string((1U << 20U) + 1, '#'));
  EXPECT_FALSE(Recipes::with(path_));
}

TEST(RecipesTest, AFileThatIsNotThereIsAnError) {
  EXPECT_FALSE(Recipes::read("/nonexistent/recipes.toml"));
}

}  // namespace
}  // namespace ridge::collectors::cupti
