#include "analysis/doctor/diagnose.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace ridge::doctor {
namespace {

/// A machine on which everything works.
Facts healthy() {
  Facts facts;
  facts.driver = {.hardware = true,
                  .module_version = "580.95.05",
                  .device_nodes = true,
                  .library = "libcuda.so.1",
                  .library_error = "",
                  .init_code = 0,
                  .init_error = "",
                  .cuda_version = "13.0",
                  .version = "580.95.05",
                  .management_error = ""};
  GpuFacts gpu;
  gpu.name = "NVIDIA H200";
  gpu.chip = "GH100";
  gpu.mig = Value<bool>(false, Provenance::kReported);
  gpu.sampling = {true, true, ""};
  facts.gpus = {gpu};
  facts.cuptis = {{"/usr/local/cuda/lib64/libcupti.so.13", "CUDA toolkit", "13.0", "", true, true}};
  facts.cupti = {true, true, ""};
  facts.cupti_helper = true;
  facts.agent = "/opt/ridge/lib/libridge_agent.so";
  return facts;
}

State state_of(const Diagnosis& diagnosis, std::string_view tier) {
  for (const TierState& each : diagnosis.tiers) {
    if (each.tier == tier) return each.state;
  }
  ADD_FAILURE() << "no tier " << tier;
  return State::kUnknown;
}
std::string reason_of(const Diagnosis& diagnosis, std::string_view tier) {
  for (const TierState& each : diagnosis.tiers) {
    if (each.tier == tier) return each.reason.id;
  }
  return "";
}

std::vector<std::string> ids(const std::vector<Finding>& findings, Level level) {
  std::vector<std::string> result;
  for (const Finding& finding : findings) {
    if (finding.level == level) result.push_back(finding.message.id);
  }
  return result;
}
std::vector<std::string> fixes_of(const Diagnosis& diagnosis, std::string_view finding) {
  std::vector<std::string> result;
  for (const Finding& each : diagnosis.findings) {
    if (each.message.id != finding) continue;
    for (const Fix& fix : each.fixes) result.push_back(std::string(name(fix.where)) + ":" + fix.message.id);
  }
  return result;
}

using Ids = std::vector<std::string>;

/// Counters, sampling and timing in one word each.
std::string live_tiers(const Diagnosis& diagnosis) {
  std::string all;
  for (const char* tier : {"counters", "sampling", "timing"}) {
    all += (all.empty() ? "" : " ") + std::string(name(state_of(diagnosis, tier)));
  }
  return all;
}

TEST(DiagnoseTest, WhereEverythingIsThereEverythingWorks) {
  const Diagnosis diagnosis = diagnose(healthy());
  EXPECT_EQ(live_tiers(diagnosis), "works works works");
  EXPECT_TRUE(diagnosis.can_profile());
  EXPECT_EQ(ids(diagnosis.findings, Level::kProblem), Ids());
  EXPECT_EQ(ids(diagnosis.findings, Level::kNote), Ids());
}

TEST(DiagnoseTest, EmulationWorksWhereThereIsAnEmulatorAndSaysWithWhat) {
  Facts facts;
  facts.emulator = "avx2";
  const Diagnosis diagnosis = diagnose(facts);
  EXPECT_EQ(state_of(diagnosis, "emulation"), State::kWorks);
  const auto at = std::find_if(diagnosis.tiers.begin(), diagnosis.tiers.end(),
                               [](const TierState& tier) { return tier.tier == "emulation"; });
  EXPECT_EQ(at->reason.id, "doctor.reason-emulator");
  ASSERT_EQ(at->reason.arguments.size(), 1U);
  EXPECT_FALSE(diagnosis.can_profile()) << "an emulated kernel is not the program's";
}

TEST(DiagnoseTest, PaperAndImportAlwaysWorkAndNoEmulatorIsSaid) {
  for (const Facts& facts : {Facts(), healthy()}) {
    const Diagnosis diagnosis = diagnose(facts);
    EXPECT_EQ(state_of(diagnosis, "paper"), State::kWorks);
    EXPECT_EQ(state_of(diagnosis, "import"), State::kWorks);
    EXPECT_EQ(state_of(diagnosis, "emulation"), State::kNotBuilt);
  }
}

TEST(DiagnoseTest, AMachineWithoutAGpuIsToldThatFirst) {
  Facts facts;
  facts.driver.library_error = "libcuda.so.1: cannot open shared object file";
  facts.cupti.reason = "no CUPTI was found";
  const Diagnosis diagnosis = diagnose(facts);
  EXPECT_FALSE(diagnosis.can_profile());
  EXPECT_EQ(live_tiers(diagnosis), "fails fails fails");
  EXPECT_EQ(reason_of(diagnosis, "timing"), "doctor.no-gpu");
  EXPECT_EQ(fixes_of(diagnosis, "doctor.no-gpu"),
            (Ids{"here:doctor.fix-paper", "bare-metal:doctor.fix-driver", "container:doctor.fix-container-gpu"}));
}

TEST(DiagnoseTest, AGpuWithoutItsDriverAndAContainerWithoutItsLibrariesAreToldApart) {
  Facts facts = healthy();
  facts.gpus.clear();
  facts.driver = {};
  facts.driver.hardware = true;
  facts.driver.library_error = "libcuda.so.1: cannot open shared object file";
  EXPECT_EQ(reason_of(diagnose(facts), "timing"), "doctor.module-missing");
  facts.driver.module_version = "580.95.05";
  facts.container = "docker";
  const Diagnosis diagnosis = diagnose(facts);
  EXPECT_EQ(reason_of(diagnosis, "timing"), "doctor.no-driver");
  EXPECT_EQ(fixes_of(diagnosis, "doctor.no-driver").front(), "container:doctor.fix-container-driver");
  facts.container.clear();
  facts.driver.module_version.clear();
  facts.wsl = true;
  EXPECT_EQ(fixes_of(diagnose(facts), "doctor.no-driver"), Ids{"wsl:doctor.fix-wsl-driver"});
}

TEST(DiagnoseTest, EachCodeOfADriverThatDoesNotStartHasItsRemedy) {
  const auto fixes = [](InitCode code) {
    Facts facts = healthy();
    facts.gpus.clear();
    facts.driver.init_code = static_cast<int>(code);
    facts.driver.init_error = "CUDA_ERROR: words";
    const Diagnosis diagnosis = diagnose(facts);
    EXPECT_FALSE(diagnosis.can_profile());
    const Ids stub = fixes_of(diagnosis, "doctor.stub-library");
    return stub.empty() ? fixes_of(diagnosis, "doctor.init-failed") : stub;
  };
  EXPECT_EQ(fixes(InitCode::kStubLibrary), Ids{"here:doctor.fix-stub"});
  EXPECT_EQ(fixes(InitCode::kDeviceUnavailable), Ids{"here:doctor.fix-exclusive"});
  EXPECT_EQ(fixes(InitCode::kNoDevice).front(), "here:doctor.fix-visible");
  EXPECT_EQ(fixes(InitCode::kSystemNotReady), Ids{"bare-metal:doctor.fix-fabric"});
  EXPECT_EQ(fixes(InitCode::kDriverMismatch).front(), "bare-metal:doctor.fix-restart");
  EXPECT_EQ(fixes(InitCode::kForwardCompatibility), Ids{"here:doctor.fix-compat"});
  EXPECT_EQ(fixes(InitCode::kUnknown).front(), "here:doctor.fix-look");
}

TEST(DiagnoseTest, VersionsThatDifferAreAProblemEvenIfCudaStarts) {
  Facts facts = healthy();
  facts.driver.version = "570.10";
  const Diagnosis diagnosis = diagnose(facts);
  EXPECT_EQ(ids(diagnosis.findings, Level::kProblem), Ids{"doctor.driver-mismatch"});
  EXPECT_TRUE(diagnosis.can_profile());
}

TEST(DiagnoseTest, WithoutPermissionTimesRemainAndTheRemedyIsNamedForEveryPlace) {
  Facts facts = healthy();
  facts.gpus[0].sampling = {true, false, "CUPTI says CUPTI_ERROR_INSUFFICIENT_PRIVILEGES to cuptiPmSamplingEnable"};
  Diagnosis diagnosis = diagnose(facts);
  EXPECT_EQ(live_tiers(diagnosis), "fails fails works");
  EXPECT_TRUE(diagnosis.can_profile());
  EXPECT_EQ(fixes_of(diagnosis, "doctor.counters-forbidden"),
            (Ids{"bare-metal:doctor.fix-permission", "container:doctor.fix-permission-container",
                 "rented:doctor.fix-permission-rented"}));
  facts.container = "docker";
  EXPECT_EQ(fixes_of(diagnose(facts), "doctor.counters-forbidden").front(),
            "container:doctor.fix-permission-container");
  facts.container.clear();
  facts.wsl = true;
  EXPECT_EQ(fixes_of(diagnose(facts), "doctor.counters-forbidden"), Ids{"wsl:doctor.fix-permission-wsl"});
}

TEST(DiagnoseTest, WhatTheDriverSaysOfPermissionYieldsToTheAttempt) {
  Facts facts = healthy();
  facts.permission.admins_only = true;
  EXPECT_EQ(live_tiers(diagnose(facts)), "works works works");
  facts.gpus[0].sampling = {false, false, "--no-try was given"};
  EXPECT_EQ(live_tiers(diagnose(facts)), "fails fails works");
  EXPECT_EQ(reason_of(diagnose(facts), "counters"), "doctor.counters-restricted");
  facts.permission.sys_admin = true;
  EXPECT_EQ(live_tiers(diagnose(facts)), "unknown unknown works");
  EXPECT_EQ(reason_of(diagnose(facts), "counters"), "doctor.reason-untried");
}

TEST(DiagnoseTest, CountersThatAreHeldNameTheHolder) {
  Facts facts = healthy();
  facts.gpus[0].sampling = {true, false, "CUPTI says CUPTI_ERROR_HARDWARE_BUSY to cuptiPmSamplingEnable"};
  EXPECT_EQ(live_tiers(diagnose(facts)), "fails fails works");
  EXPECT_EQ(fixes_of(diagnose(facts), "doctor.counters-busy"), Ids{"here:doctor.fix-busy-other"});
  facts.monitors = {{812, "nv-hostengine"}};
  EXPECT_EQ(fixes_of(diagnose(facts), "doctor.counters-busy"), Ids{"here:doctor.fix-busy-monitor"});
  EXPECT_EQ(ids(diagnose(facts).findings, Level::kNote), Ids{"doctor.monitor"});
}

TEST(DiagnoseTest, AChipThatCannotBeSampledMayStillCount) {
  Facts facts = healthy();
  facts.gpus[0].sampling = {true, false, "CUPTI says CUPTI_ERROR_NOT_SUPPORTED to cuptiPmSamplingEnable"};
  EXPECT_EQ(live_tiers(diagnose(facts)), "unknown fails works");
  facts.gpus[0].mig = Value<bool>(true, Provenance::kReported);
  EXPECT_EQ(fixes_of(diagnose(facts), "doctor.counters-failed"), Ids{"bare-metal:doctor.fix-mig"});
}

TEST(DiagnoseTest, OneGpuOfTwoIsEnough) {
  Facts facts = healthy();
  facts.gpus.push_back(facts.gpus[0]);
  facts.gpus[1].index = 1;
  facts.gpus[1].sampling = {true, false, "CUPTI_ERROR_HARDWARE_BUSY"};
  const Diagnosis diagnosis = diagnose(facts);
  EXPECT_EQ(live_tiers(diagnosis), "works works works");
  EXPECT_EQ(ids(diagnosis.findings, Level::kProblem), Ids{"doctor.counters-busy"});
}

TEST(DiagnoseTest, WithoutCuptiOrItsHelperOrTheAgentTheTiersAboveFall) {
  Facts facts = healthy();
  facts.cupti_helper = false;
  EXPECT_EQ(live_tiers(diagnose(facts)), "fails fails works");
  facts = healthy();
  facts.cuptis.clear();
  facts.cupti = {false, false, "no CUPTI was found"};
  EXPECT_EQ(live_tiers(diagnose(facts)), "fails fails fails");
  EXPECT_EQ(reason_of(diagnose(facts), "timing"), "doctor.cupti-none");
  facts = healthy();
  facts.cupti = {true, false, "wrong ELF class"};
  EXPECT_EQ(reason_of(diagnose(facts), "timing"), "doctor.cupti-failed");
  facts = healthy();
  facts.agent_error = "no such file";
  EXPECT_EQ(live_tiers(diagnose(facts)), "fails fails fails");
  EXPECT_EQ(reason_of(diagnose(facts), "timing"), "doctor.agent-missing");
}

TEST(DiagnoseTest, AnotherToolsLibraryInTheEnvironmentTakesThePlace) {
  Facts facts = healthy();
  facts.injections = {{"CUDA_INJECTION64_PATH", "/opt/nsys/libToolsInjection64.so"}};
  const Diagnosis diagnosis = diagnose(facts);
  EXPECT_FALSE(diagnosis.can_profile());
  EXPECT_EQ(reason_of(diagnosis, "timing"), "doctor.injection-set");
}

TEST(DiagnoseTest, WhatDisturbsAMeasurementIsNoted) {
  Facts facts = healthy();
  facts.gpus[0].slowed_by = {"power-cap"};
  facts.gpus[0].others = {{77, "python"}, {78, "python"}};
  facts.driver.management_error = "NVML does not answer";
  facts.profilers = {{9, "nsys"}};
  facts.cuptis[0].note = "newer than the driver";
  EXPECT_EQ(
      ids(diagnose(facts).findings, Level::kNote),
      (Ids{"doctor.no-telemetry", "doctor.slowed", "doctor.other-processes", "doctor.cupti-note", "doctor.profiler"}));
  EXPECT_TRUE(diagnose(facts).can_profile());
}

TEST(DiagnoseTest, AProcessWhoseNameIsNotShownIsItsNumber) {
  Facts facts = healthy();
  facts.gpus[0].others = {{77, "python"}, {4711, ""}};
  const std::vector<Finding> findings = diagnose(facts).findings;
  const auto found = std::find_if(findings.begin(), findings.end(),
                                  [](const Finding& f) { return f.message.id == "doctor.other-processes"; });
  ASSERT_NE(found, findings.end());
  EXPECT_EQ(std::get<std::string>(found->message.arguments.back().value), ": python (77), 4711");
}

TEST(DiagnoseTest, ProblemsComeBeforeNotes) {
  Facts facts = healthy();
  facts.container = "docker";
  facts.agent_error = "no such file";
  const Diagnosis diagnosis = diagnose(facts);
  EXPECT_TRUE(std::is_sorted(diagnosis.findings.begin(), diagnosis.findings.end(),
                             [](const Finding& a, const Finding& b) { return a.level > b.level; }));
  EXPECT_EQ(diagnosis.findings.front().message.id, "doctor.agent-missing");
}

}  // namespace
}  // namespace ridge::doctor
