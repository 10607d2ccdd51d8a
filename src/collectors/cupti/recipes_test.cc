#include "collectors/cupti/recipes.h"

#include <gtest/gtest.h>

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

TEST(RecipesTest, AFileThatIsNotThereIsAnError) {
  EXPECT_FALSE(Recipes::read("/nonexistent/recipes.toml"));
}

}  // namespace
}  // namespace ridge::collectors::cupti
