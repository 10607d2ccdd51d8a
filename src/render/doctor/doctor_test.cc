#include <gtest/gtest.h>

#include <algorithm>

#include <nlohmann/json.hpp>

#include "render/doctor/doctor_view.h"
#include "render/text/messages.h"

namespace ridge::render {
namespace {

using doctor::Diagnosis;
using doctor::Facts;

/// A machine on which all that can be said is said.
Facts troubled() {
  Facts facts;
  facts.driver.library = "libcuda.so.1";
  facts.driver.cuda_version = "13.0";
  facts.driver.version = "580.95.05";
  facts.driver.module_version = "570.10";
  facts.driver.management_error = "NVML does not answer";
  doctor::GpuFacts gpu;
  gpu.name = "NVIDIA <b>H200</b>";
  gpu.chip = "GH100";
  gpu.capability = 90;
  gpu.mig = Value<bool>(true, Provenance::kReported);
  gpu.sm_clock = Value<Hertz>(Hertz(1.2e9), Provenance::kSampled);
  gpu.max_sm_clock = Value<Hertz>(Hertz(1.98e9), Provenance::kReported);
  gpu.slowed_by = {"power-cap"};
  gpu.others = {{77, "python"}};
  gpu.sampling = {true, false, "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES"};
  facts.gpus = {gpu, gpu, gpu};
  facts.gpus[1].sampling.reason = "CUPTI_ERROR_HARDWARE_BUSY";
  facts.gpus[2].sampling = {true, true, ""};
  facts.cuptis = {{"/opt/libcupti.so.13", "beside ridge", "13.0", "newer than the driver", true, true}};
  facts.cupti = {true, true, ""};
  facts.cupti_helper = false;
  facts.agent = "/opt/libridge_agent.so";
  facts.agent_error = "no such file";
  facts.injections = {{"CUDA_INJECTION64_PATH", "/opt/tool.so"}};
  facts.monitors = {{5, "nv-hostengine"}};
  facts.profilers = {{6, "ncu"}};
  facts.container = "docker";
  facts.wsl = true;
  return facts;
}

TEST(DoctorViewTest, EveryMessageHasATextInBothLanguages) {
  std::vector<Facts> all = {Facts(), troubled()};
  for (const int code : {34, 46, 100, 802, 803, 804, 999}) {
    Facts facts;
    facts.driver.library = "libcuda.so.1";
    facts.driver.init_code = code;
    facts.driver.init_error = "CUDA_ERROR";
    all.push_back(facts);
  }
  for (const Facts& facts : all) {
    const Diagnosis diagnosis = doctor::diagnose(facts);
    for (const Language language : {Language::kEnglish, Language::kChinese}) {
      const std::string page = document_markdown(doctor_document(facts, diagnosis, language));
      EXPECT_EQ(page.find("doctor."), std::string::npos) << page;
      EXPECT_EQ(page.find('{'), std::string::npos) << page;
    }
  }
}

TEST(DoctorViewTest, ThePageSaysWhichTiersWorkAndWhatToDo) {
  const Facts facts = troubled();
  TextOptions options;
  options.width = 200;
  const std::string page = document_text(doctor_document(facts, doctor::diagnose(facts), Language::kEnglish), options);
  EXPECT_NE(page.find("- timing: no. "), std::string::npos) << page;
  EXPECT_NE(page.find("- paper: yes. Needs no GPU."), std::string::npos) << page;
  EXPECT_NE(page.find("1.2 GHz of 1.98 GHz"), std::string::npos) << page;
  EXPECT_NE(page.find("PROBLEM: "), std::string::npos) << page;
}

TEST(DoctorViewTest, JsonHoldsFactsFindingsAndRemedies) {
  const Facts facts = troubled();
  const auto json = nlohmann::json::parse(doctor_json(facts, doctor::diagnose(facts)));
  EXPECT_EQ(json["schema"], "ridge.doctor/1");
  EXPECT_EQ(json["can_profile"], false);
  EXPECT_EQ(json["tiers"][0]["tier"], "counters");
  EXPECT_EQ(json["tiers"][0]["state"], "fails");
  EXPECT_FALSE(json["tiers"][0]["fixes"].empty());
  EXPECT_EQ(json["findings"][0]["level"], "problem");
  EXPECT_EQ(json["gpus"][0]["sm_clock_hz"], 1.2e9);
  EXPECT_TRUE(json["gpus"][0]["watts"].is_null());
  EXPECT_EQ(json["gpus"][0]["counters"]["reason"], "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES");
  EXPECT_TRUE(json["permission"]["admins_only"].is_null());
  EXPECT_EQ(json["surroundings"]["injections"]["CUDA_INJECTION64_PATH"], "/opt/tool.so");
}

TEST(DoctorViewTest, NamesAreTextInAPage) {
  const Facts facts = troubled();
  const std::string page =
      document_html(doctor_document(facts, doctor::diagnose(facts), Language::kEnglish), Language::kEnglish);
  EXPECT_EQ(page.find("<b>H200"), std::string::npos);
  EXPECT_NE(page.find("&lt;b&gt;H200"), std::string::npos);
}

TEST(DoctorViewTest, TheTableIsOneRowATier) {
  const std::string table = doctor_csv(doctor::diagnose(Facts()));
  EXPECT_TRUE(table.starts_with("tier,state,reason")) << table;
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 7) << table;
}

}  // namespace
}  // namespace ridge::render
