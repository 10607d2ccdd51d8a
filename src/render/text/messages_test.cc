#include "render/text/messages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "render/text/catalogue/catalogue.h"

namespace ridge::render {
namespace {

std::vector<std::string> sorted_arguments(std::string_view text) {
  std::vector<std::string> names = template_arguments(text);
  std::sort(names.begin(), names.end());
  return names;
}

bool has_chinese(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) >= 0xE3; });
}

TEST(CatalogueTest, EveryIdIsThereOnceAndSorted) {
  const auto all = catalogue();
  ASSERT_GT(all.size(), 200u);
  for (std::size_t i = 1; i < all.size(); ++i) EXPECT_LT(all[i - 1].id, all[i].id);
}

TEST(CatalogueTest, EveryEntryHasBothLanguagesWithTheSameArguments) {
  for (const CatalogueEntry& entry : catalogue()) {
    if (entry.id == "column.mark") continue;  // the one heading that is empty
    EXPECT_FALSE(entry.english.empty()) << entry.id;
    EXPECT_FALSE(entry.chinese.empty()) << entry.id;
    EXPECT_EQ(sorted_arguments(entry.english), sorted_arguments(entry.chinese)) << entry.id;
  }
}

/// A command to be copied ends a text without a full stop.
bool ends_with_command(std::string_view text) {
  const std::size_t colon = text.rfind(": ");
  if (colon == std::string_view::npos) return false;
  const std::string_view last = text.substr(colon + 2);
  return !last.ends_with('.') &&
         (last.starts_with("{command}") || last.starts_with("ncu ") || last.starts_with("ridge "));
}

TEST(CatalogueTest, SentencesAreTranslatedAndEndAsSentences) {
  for (const auto part : {issue_entries(), profile_issue_entries(), rule_entries(), sentence_entries()}) {
    for (const CatalogueEntry& entry : part) {
      EXPECT_TRUE(has_chinese(entry.chinese)) << entry.id;
      if (entry.id.ends_with(".title") || ends_with_command(entry.english)) continue;
      EXPECT_NE(std::string_view(".!?").find(entry.english.back()), std::string_view::npos) << entry.id;
      EXPECT_TRUE(entry.chinese.ends_with("。") || entry.chinese.ends_with("？")) << entry.id;
    }
  }
}

TEST(CatalogueTest, EveryIssueSaysWhatToDoAndEveryRuleHasATitle) {
  for (const auto part : {issue_entries(), profile_issue_entries()}) {
    for (const CatalogueEntry& entry : part) {
      if (entry.id.ends_with(".remedy")) continue;
      EXPECT_NE(find_entry(std::string(entry.id) + ".remedy"), nullptr) << entry.id;
    }
  }
  for (const CatalogueEntry& entry : rule_entries()) {
    if (entry.id.ends_with(".title")) continue;
    EXPECT_NE(find_entry(std::string(entry.id) + ".title"), nullptr) << entry.id;
  }
}

TEST(CatalogueTest, RemediesUseOnlyWhatTheirIssueStates) {
  for (const auto part : {issue_entries(), profile_issue_entries()}) {
    for (const CatalogueEntry& entry : part) {
      if (!entry.id.ends_with(".remedy")) continue;
      const std::string id(entry.id.substr(0, entry.id.size() - 7));
      const CatalogueEntry* issue = find_entry(id);
      ASSERT_NE(issue, nullptr) << entry.id;
    }
  }
}

/// Issues as the table in collectors/session/issues.h lists them: the id, and its words, among them the arguments.
std::map<std::string, std::string> issues_of_the_session() {
  std::ifstream file(std::string(RIDGE_SOURCE_DIR) + "/src/collectors/session/issues.h");
  std::map<std::string, std::string> issues;
  std::string id;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("// | ")) continue;
    const std::string first = line.substr(5, line.find(' ', 5) - 5);
    if (first == "id") continue;
    if (first.starts_with("profile-")) id = first;  // else the line goes on with the arguments of the one before
    if (!id.empty()) issues[id] += line.substr(line.rfind('|', line.size() - 2));
  }
  return issues;
}

TEST(CatalogueTest, EveryIssueOfALiveProfileIsSaidWithArgumentsThatItHas) {
  const std::map<std::string, std::string> issues = issues_of_the_session();
  ASSERT_GT(issues.size(), 30u);
  for (const auto& [id, words] : issues) {
    const CatalogueEntry* entry = find_entry("issue." + id);
    ASSERT_NE(entry, nullptr) << id;
    for (const std::string& argument : template_arguments(entry->english)) {
      EXPECT_NE(words.find(argument), std::string::npos) << id << " has no argument " << argument;
    }
  }
}

/// Texts written as literals after `call` in the program's sources: Message("...").
std::set<std::string> literals_in_sources(std::string_view call) {
  std::set<std::string> texts;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(std::string(RIDGE_SOURCE_DIR) + "/src")) {
    const std::string path = entry.path().string();
    if (!path.ends_with(".cc") || path.ends_with("_test.cc")) continue;
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    const std::string source = text.str();
    for (std::size_t at = source.find(call); at != std::string::npos; at = source.find(call, at + 1)) {
      const std::size_t start = at + call.size();
      texts.insert(source.substr(start, source.find('"', start) - start));
    }
  }
  return texts;
}

TEST(CatalogueTest, KnowsEveryMessageTheProgramMakes) {
  const std::set<std::string> ids = literals_in_sources("Message(\"");
  ASSERT_GT(ids.size(), 30u);
  for (const std::string& id : ids) {
    if (id.ends_with('.')) continue;  // the beginning of a composed id
    EXPECT_TRUE(find_entry(id) || find_entry("issue." + id)) << id;
  }
}

TEST(MessagesTest, ReasonsOfASlowClockAreWords) {
  const Message message("issue.profile-throttled", {{"device", "GPU", Unit::kNone},
                                                    {"reasons", "power-cap, hardware-thermal", Unit::kNone},
                                                    {"share", 0.5, Unit::kRatio}});
  EXPECT_NE(render_message(message, Language::kEnglish).find("(the power limit, heat (hardware))"), std::string::npos)
      << render_message(message, Language::kEnglish);
  EXPECT_NE(render_message(message, Language::kChinese).find("功耗上限、过热（硬件）"), std::string::npos);
}

TEST(CatalogueTest, KnowsEveryReasonTheProgramGives) {
  const std::set<std::string> reasons = literals_in_sources(">::missing(\"");
  ASSERT_GT(reasons.size(), 10u);
  for (const std::string& reason : reasons) {
    if (reason.ends_with(' ')) continue;  // the beginning of a composed reason
    EXPECT_TRUE(has_chinese(reason_text(Reason(reason), Language::kChinese))) << reason;
  }
}

TEST(CatalogueTest, ReasonsAreTranslated) {
  for (const CatalogueEntry& entry : reason_entries()) EXPECT_TRUE(has_chinese(entry.chinese)) << entry.id;
}

TEST(RenderMessageTest, FillsArgumentsByTheirUnit) {
  const Message message("verdict.memory",
                        {{"resource", std::string("dram"), Unit::kNone}, {"fraction", 0.853, Unit::kRatio}});
  EXPECT_EQ(render_message(message, Language::kEnglish),
            "DRAM is busy for 85.3 % of the time; everything else has slack.");
  EXPECT_NE(render_message(message, Language::kChinese).find("85.3 %"), std::string::npos);
}

TEST(RenderMessageTest, TextArgumentsThatAreTermsAreTranslated) {
  const Message message("rule.low-occupancy", {{"achieved", 0.12, Unit::kRatio},
                                               {"theoretical", 0.25, Unit::kRatio},
                                               {"limiter", std::string("registers"), Unit::kNone}});
  EXPECT_NE(render_message(message, Language::kEnglish).find("limited by registers"), std::string::npos);
  EXPECT_NE(render_message(message, Language::kChinese).find("寄存器"), std::string::npos);
}

TEST(RenderMessageTest, AnUnknownIdShowsItselfAndItsArguments) {
  const Message message("no-such-message",
                        {{"lost", 2048.0, Unit::kBytes}, {"kernel", std::string("k\x1B"), Unit::kNone}});
  EXPECT_EQ(render_message(message, Language::kEnglish), "no-such-message (lost = 2.048 kB, kernel = k\\x1B)");
  EXPECT_EQ(render_message(Message("bare"), Language::kChinese), "bare");
}

TEST(RenderMessageTest, WordsFollowTheNumberAndTheResource) {
  const auto small = [](double blocks) {
    return render_message(
        Message("verdict.overhead-small", {{"blocks", blocks, Unit::kCount}, {"sms", 132.0, Unit::kCount}}),
        Language::kEnglish);
  };
  EXPECT_EQ(small(1), "1 block cannot fill 132 SMs.");
  EXPECT_EQ(small(2), "2 blocks cannot fill 132 SMs.");
  const auto busy = [](const char* resource) {
    return render_message(
        Message("verdict.compute", {{"resource", std::string(resource), Unit::kNone}, {"fraction", 0.7, Unit::kRatio}}),
        Language::kEnglish);
  };
  EXPECT_EQ(busy("fp32"), "fp32 pipe is busy for 70.0 % of the time.");
  EXPECT_EQ(busy("tensor_bf16_wgmma"), "bf16 tensor cores (wgmma) are busy for 70.0 % of the time.");
}

TEST(RenderMessageTest, KernelsAreNamedByTheirIds) {
  const Message message("summary.start",
                        {{"kernel", std::string("k3"), Unit::kNone}, {"saving", 7.99e-3, Unit::kSeconds}});
  EXPECT_EQ(render_message(message, Language::kEnglish, {{"k3", "gemm_tiled [128x128]"}}),
            "Start with gemm_tiled [128x128]: up to 7.99 ms.");
  EXPECT_EQ(render_message(message, Language::kEnglish), "Start with k3: up to 7.99 ms.");
}

TEST(RenderMessageTest, AMissingArgumentStaysVisible) {
  EXPECT_NE(render_message(Message("verdict.memory"), Language::kEnglish).find("{fraction}"), std::string::npos);
}

TEST(RenderMessageTest, BracesInArgumentsAreNotExpanded) {
  const Message message("issue.no-flops",
                        {{"kernels", 1.0, Unit::kCount}, {"kernel", std::string("{kernels} {0}"), Unit::kNone}});
  EXPECT_NE(render_message(message, Language::kEnglish).find("{kernels} {0}"), std::string::npos);
}

TEST(ResourceNameTest, NamesTensorPathsFromTheirParts) {
  EXPECT_EQ(resource_name("tensor_bf16_wgmma", Language::kEnglish), "bf16 tensor cores (wgmma)");
  EXPECT_EQ(resource_name("tensor_fp8", Language::kEnglish), "fp8 tensor cores");
  EXPECT_EQ(resource_name("l1", Language::kChinese), "L1");
  EXPECT_EQ(resource_name("something_new", Language::kEnglish), "something_new");
  EXPECT_EQ(resource_name("", Language::kEnglish), "");
}

TEST(ReasonTextTest, TranslatesKnownReasonsAndKeepsOthers) {
  EXPECT_EQ(reason_text(Reason(), Language::kEnglish), "not collected");
  EXPECT_EQ(reason_text(Reason(), Language::kChinese), "未采集");
  EXPECT_EQ(reason_text(Reason("the machine has no ceiling for fp8_core"), Language::kChinese),
            "设备没有 fp8_core 的上限");
  EXPECT_EQ(reason_text(Reason("made up for this test"), Language::kChinese), "made up for this test");
}

TEST(IssueTextTest, FindsTextAndRemedy) {
  const Issue issue{Severity::kNotice, Message("no-flops", {{"kernels", 2.0, Unit::kCount},
                                                            {"kernel", std::string("gemm"), Unit::kNone}})};
  EXPECT_TRUE(issue_text(issue, Language::kEnglish).starts_with("2 kernels, gemm among them"));
  EXPECT_NE(issue_remedy(issue, Language::kEnglish).find("ncu --set roofline"), std::string::npos);
  EXPECT_EQ(issue_remedy({Severity::kInfo, Message("unheard-of")}, Language::kEnglish), "");
}

TEST(TemplateArgumentsTest, FindsNamesOnce) {
  EXPECT_EQ(template_arguments("{a} and {b_2}, {a} {} {X} {not a name}"), (std::vector<std::string>{"a", "b_2"}));
  EXPECT_EQ(template_arguments("{a|one|many} {b||s} {c|one} {|x|y}"), (std::vector<std::string>{"a", "b"}));
}

TEST(NoteTextTest, SentencesAreTranslatedOneByOne) {
  const std::string note =
      "mma.sync reaches two thirds of wgmma. Unheard of. Given on the command line: fp32=1TFLOP/s.";
  EXPECT_EQ(note_text(note, Language::kEnglish), note);
  EXPECT_EQ(note_text(note, Language::kChinese),
            "mma.sync 可达 wgmma 的三分之二。Unheard of. 命令行给出：fp32=1TFLOP/s。");
  EXPECT_EQ(note_text("", Language::kChinese), "");
}

TEST(RenderMessageTest, ChineseHasNoBlankBetweenItsWordsAndNoTimesSignInAPart) {
  const Message saved("comparison.l1-traffic", {{"l1_factor", 19.7, Unit::kFactor}});
  EXPECT_NE(render_message(saved, Language::kChinese).find("减少到 1/19.7。"), std::string::npos);
  const Message busy("verdict.compute", {{"resource", "load_store", Unit::kNone}, {"fraction", 0.8, Unit::kRatio}});
  EXPECT_TRUE(render_message(busy, Language::kChinese).starts_with("加载存储流水线在 80.0 %"));
}

TEST(RenderMessageTest, ACapacityIsInPowersOfTwo) {
  const Message message("comparison.l1-traffic-in-l2", {{"l2_capacity", 60.0 * 1048576, Unit::kBytes}});
  EXPECT_NE(render_message(message, Language::kEnglish).find("L2 (60 MiB)"), std::string::npos);
}

}  // namespace
}  // namespace ridge::render
