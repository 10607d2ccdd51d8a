#include "render/glossary/glossary.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "render/text/format.h"
#include "ridgepoint/analysis/analyse.h"
#include "ridgepoint/analysis/report.h"

namespace ridge::render {
namespace {

TEST(GlossaryTest, EveryEntryIsCompleteInBothLanguages) {
  for (const GlossaryEntry& entry : glossary()) {
    for (const GlossaryText& words : {entry.english, entry.chinese}) {
      EXPECT_FALSE(words.title.empty()) << entry.id;
      EXPECT_FALSE(words.meaning.empty()) << entry.id;
      EXPECT_FALSE(words.example.empty()) << entry.id;
    }
    EXPECT_NE(entry.english.meaning, entry.chinese.meaning) << entry.id;
    EXPECT_FALSE(entry.see.empty()) << entry.id;
  }
}

TEST(GlossaryTest, NoNameMeansTwoThings) {
  std::set<std::string> seen;
  for (const std::string& name : term_names()) EXPECT_TRUE(seen.insert(name).second) << name;
  for (const GlossaryEntry& entry : glossary()) {
    std::istringstream aliases{std::string(entry.aliases)};
    for (std::string alias; std::getline(aliases >> std::ws, alias, ',');) EXPECT_EQ(find_term(alias), &entry) << alias;
  }
}

TEST(GlossaryTest, EveryNameFindsItsEntryAndEveryCrossReferenceExists) {
  for (const GlossaryEntry& entry : glossary()) {
    EXPECT_EQ(find_term(entry.id), &entry);
    EXPECT_EQ(find_term(entry.english.title), &entry);
    EXPECT_EQ(find_term(entry.chinese.title), &entry);
    std::istringstream see{std::string(entry.see)};
    for (std::string id; std::getline(see >> std::ws, id, ',');) {
      const GlossaryEntry* other = find_term(id);
      ASSERT_NE(other, nullptr) << entry.id << " -> " << id;
      EXPECT_EQ(other->id, id) << entry.id;
      EXPECT_NE(other, &entry) << entry.id;
    }
  }
}

TEST(GlossaryTest, SpellingDoesNotMatter) {
  EXPECT_EQ(find_term("Arithmetic Intensity"), find_term("arithmetic_intensity"));
  EXPECT_EQ(find_term("L2"), find_term("l2 cache"));
  EXPECT_EQ(find_term("算术强度"), find_term("arithmetic-intensity"));
  EXPECT_EQ(find_term("tail"), find_term("waves"));
  EXPECT_EQ(find_term(""), nullptr);
  EXPECT_EQ(find_term("xyzzy"), nullptr);
}

TEST(GlossaryTest, ExplainsEveryVerdictProvenanceAndFinding) {
  for (const Verdict verdict : {Verdict::kMemoryBound, Verdict::kComputeBound, Verdict::kLatencyBound,
                                Verdict::kOverheadBound, Verdict::kUnknown}) {
    EXPECT_NE(find_term(name(verdict)), nullptr) << name(verdict);
  }
  for (const Provenance provenance :
       {Provenance::kMeasured, Provenance::kSampled, Provenance::kCounted, Provenance::kReported, Provenance::kModelled,
        Provenance::kDeclared, Provenance::kDatasheet}) {
    EXPECT_NE(find_term(name(provenance)), nullptr) << name(provenance);
  }
  for (const std::string_view rule : rule_names()) EXPECT_NE(find_term(rule), nullptr) << rule;
}

TEST(GlossaryTest, TextFitsTheWidthAndShowsTheExample) {
  for (const GlossaryEntry& entry : glossary()) {
    for (const Language language : {Language::kEnglish, Language::kChinese}) {
      TextOptions options;
      options.width = 60;
      options.language = language;
      std::istringstream lines(term_text(entry, options));
      for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), 60) << line;
    }
  }
  const std::string text = term_text(*find_term("ridge point"), {});
  EXPECT_NE(text.find("106 FLOP/B"), std::string::npos) << text;
}

TEST(GlossaryTest, JsonCarriesBothLanguages) {
  const auto json = nlohmann::json::parse(term_json(*find_term("warp")));
  EXPECT_EQ(json["schema"], "ridge.explain/1");
  EXPECT_EQ(json["term"]["id"], "warp");
  EXPECT_NE(json["term"]["en"]["meaning"], json["term"]["zh"]["meaning"]);
}

}  // namespace
}  // namespace ridge::render
