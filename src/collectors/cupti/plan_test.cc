// With the real library, where one is installed: it schedules for a chip by name and needs no GPU.
#include "collectors/cupti/plan.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <regex.h>

#include <algorithm>
#include <fstream>

#include "collectors/cupti/find.h"
#include "collectors/cupti/host.h"

namespace ridge::collectors::cupti {
namespace {

/// CUPTI of CUDA 13.0, whose schedule the table of passes was made with.
constexpr std::uint32_t kTableVersion = 1300;

class PlanTest : public testing::Test {
 protected:
  void SetUp() override {
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP()
        << "the vendor's library loads its own parts in a way (RTLD_DEEPBIND) that the address sanitizer refuses";
#endif
    const auto library = choose_library(places_here("", 0));
    if (!library) GTEST_SKIP() << "no CUPTI on this machine: " << to_string(library.error());
    const auto calls = open_calls(library->path);
    if (!calls) GTEST_SKIP() << to_string(calls.error());
    calls_ = *calls;
    if (supported_chips(*calls_).empty()) GTEST_SKIP() << "the library plans for no chip: it is not the vendor's";
    recipes_ = Recipes::built_in().value();
  }
  [[nodiscard]] Plan plan(const std::string& chip, std::vector<std::string> recipes,
                          std::vector<std::string> metrics = {}) const {
    auto made = make_plan(calls_, recipes_, {chip, std::move(recipes), std::move(metrics), true});
    EXPECT_TRUE(made) << to_string(made.error());
    return made ? *made : Plan{};
  }
  [[nodiscard]] bool is_table_version() const {
    return calls_->version / 100 == kTableVersion;
  }

  SharedCalls calls_;
  Recipes recipes_;
};

bool has(const wire::CounterSetup& setup, const std::string& metric) {
  return std::find(setup.metrics.begin(), setup.metrics.end(), metric) != setup.metrics.end();
}

bool is_left_out(const std::vector<LeftOut>& left_out, const std::string& what, Why why) {
  return std::any_of(left_out.begin(), left_out.end(),
                     [&](const LeftOut& item) { return item.what == what && item.why == why; });
}

/// Whether `text` has something that `expression`, in the language of the recipes' hints, matches.
bool matches(const std::string& expression, const char* text) {
  regex_t compiled;
  if (regcomp(&compiled, expression.c_str(), REG_EXTENDED | REG_NOSUB) != 0) {
    ADD_FAILURE() << expression << " is no expression";
    return false;
  }
  const bool found = regexec(&compiled, text, 0, nullptr, 0) == 0;
  regfree(&compiled);
  return found;
}

/// The rows of docs/reference/recipes.md: "| GH100 | 2 | 8 | 5 | 8 | 41 |".
std::vector<std::string> documented_rows() {
  std::ifstream file(RIDGE_SOURCE_DIR "/docs/reference/recipes.md");
  std::vector<std::string> rows;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line == "<!-- passes:begin -->") inside = true;
    if (line == "<!-- passes:end -->") inside = false;
    if (inside && line.starts_with("| ") && !line.starts_with("| chip")) rows.push_back(line);
  }
  return rows;
}

TEST_F(PlanTest, ARangeOfTheProgramTakesOnePass) {
  for (const char* chip : {"TU102", "GA100", "GA102", "AD102", "GH100", "GB202"}) {
    const auto made = make_plan(calls_, recipes_, {chip, {"range"}, {}, false});
    ASSERT_TRUE(made) << chip << ": " << to_string(made.error());
    ASSERT_EQ(made->setups.size(), 1U) << chip;
    EXPECT_EQ(made->setups[0].passes, 1U) << chip;
    EXPECT_EQ(made->setups[0].metrics.size(), 3U) << chip;
    for (const std::string& metric : made->setups[0].metrics) {
      EXPECT_EQ(metric.find("sass"), std::string::npos) << chip << ": " << metric << " changes the kernels";
    }
  }
}

TEST_F(PlanTest, PassesAreThoseOfTheReferencePage) {
  const std::vector<std::string> rows = documented_rows();
  ASSERT_EQ(rows.size(), 6u);
  for (const std::string& row : rows) {
    const std::string chip = row.substr(2, row.find(' ', 2) - 2);
    const Plan roofline = plan(chip, {"roofline"});
    ASSERT_FALSE(roofline.setups.empty());
    const std::uint32_t memory = plan(chip, {"roofline", "memory"}).setups.at(0).passes;
    const std::uint32_t all = plan(chip, {"roofline", "memory", "stalls"}).setups.at(0).passes;
    EXPECT_LE(roofline.setups[0].passes, 2u) << chip;
    EXPECT_LE(memory, 5u) << chip;
    EXPECT_LE(all, 8u) << chip;
    if (!is_table_version()) continue;  // another library may schedule otherwise, within the limits
    const std::uint32_t tensor = roofline.setups.size() > 1 ? roofline.setups[1].passes : 0;
    EXPECT_EQ(fmt::format("| {} | {} | {} | {} | {} | {} |", chip, roofline.setups[0].passes, tensor, memory, all,
                          roofline.setups[0].metrics.size()),
              row);
  }
}

TEST_F(PlanTest, TwoPassesOfGh100HoldTheWholeRoofline) {
  const Plan made = plan("GH100", {"roofline"});
  const wire::CounterSetup& setup = made.setups.at(0);
  EXPECT_EQ(setup.recipe, 0u);
  EXPECT_FALSE(setup.config_image.empty());
  EXPECT_TRUE(setup.name_hint.empty());
  for (const char* metric :
       {"gpu__time_duration.sum", "dram__bytes_read.sum", "dram__bytes_write.sum", "lts__t_bytes.sum",
        "l1tex__t_bytes.sum", "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
        "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum", "smsp__sass_thread_inst_executed_op_hfma_pred_on.sum",
        "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active", "smsp__inst_executed.sum",
        "sm__warps_active.avg.pct_of_peak_sustained_active", "sm__cycles_elapsed.avg.per_second"}) {
    EXPECT_TRUE(has(setup, metric)) << metric;
  }
  for (const LeftOut& item : made.left_out)
    EXPECT_NE(item.recipe == "roofline" && item.why == Why::kPasses, true) << item.what;
}

TEST_F(PlanTest, TheTensorSetupIsTheBaseAndMore) {
  const Plan made = plan("GH100", {"roofline"});
  ASSERT_EQ(made.setups.size(), 2u);
  for (const std::string& metric : made.setups[0].metrics) EXPECT_TRUE(has(made.setups[1], metric)) << metric;
  EXPECT_TRUE(has(made.setups[1], "sm__ops_path_tensor_op_hgmma_src_bf16_dst_fp32_sparsity_off.sum"));
  EXPECT_TRUE(has(made.setups[1], "sm__ops_path_tensor_src_fp64.sum"));
  EXPECT_EQ(made.setups[1].recipe, 1u);
}

TEST_F(PlanTest, TheHintKnowsMatrixProductsAndNotTheirNeighbours) {
  const std::string hint = recipes_.find("tensor")->name_hint;
  for (const char* name :
       {"sm90_xmma_gemm_bf16bf16_bf16f32", "ampere_fp16_s16816gemm_fp16_128x128", "nvjet_hsh_128x256",
        "void cutlass::Kernel<cutlass_80_tensorop>", "flash_fwd_kernel", "wmma_gemm"}) {
    EXPECT_TRUE(matches(hint, name)) << name;
  }
  for (const char* name : {"saxpy", "gamma_function", "transpose_tiled", "layer_norm_gamma_beta", "vectorAdd",
                           "softmax_warp_forward", "sgemm_naive", "convert"}) {
    EXPECT_FALSE(matches(hint, name)) << name;
  }
}

TEST_F(PlanTest, OtherChipsUseTheirOwnSpelling) {
  EXPECT_TRUE(has(plan("GB202", {"roofline"}).setups.at(0), "dram__bytes_op_read.sum"));
  const Plan integrated = plan("GB20B", {"roofline"});
  EXPECT_TRUE(is_left_out(integrated.left_out, "DRAM bytes", Why::kNotOnChip));
  EXPECT_TRUE(has(integrated.setups.at(0), "lts__t_bytes.sum"));
}

TEST_F(PlanTest, WhatNeedsAnotherPassIsSaid) {
  const Plan made = plan("TU102", {"roofline"});
  EXPECT_TRUE(std::any_of(made.left_out.begin(), made.left_out.end(),
                          [](const LeftOut& item) { return item.why == Why::kPasses; }));
  EXPECT_TRUE(has(made.setups.at(0), "gpu__time_duration.sum"));
}

TEST_F(PlanTest, ExtraCountersAreNeverLeftOut) {
  const Plan made = plan("GH100", {"roofline"}, {"sm__throughput.avg.pct_of_peak_sustained_elapsed"});
  EXPECT_TRUE(has(made.setups.at(0), "sm__throughput.avg.pct_of_peak_sustained_elapsed"));
  EXPECT_GT(made.setups[0].passes, 2u);
  ASSERT_EQ(made.setups.size(), 2u);
  EXPECT_GT(made.setups[1].metrics.size(), made.setups[0].metrics.size());
}

TEST_F(PlanTest, AnUnknownCounterIsToldWithTheNearestAndCostsTheOthersNothing) {
  const auto error_of = [&](const std::string& metric) {
    const std::string good = "sm__throughput.avg.pct_of_peak_sustained_elapsed";
    const Plan made = plan("GH100", {"roofline"}, {metric, good});
    EXPECT_TRUE(has(made.setups.at(0), good));
    EXPECT_TRUE(has(made.setups.at(0), "gpu__time_duration.sum"));
    return made.wrong_names.size() == 1 ? to_string(made.wrong_names[0]) : "none";
  };
  EXPECT_EQ(error_of("dram__bytes_raed.sum"),
            "GH100 has no counter dram__bytes_raed.sum (--metrics): did you mean dram__bytes_read.sum?");
  EXPECT_NE(error_of("dram__bytes_read").find("write dram__bytes_read with .avg or .max or .min or .sum"),
            std::string::npos);
  EXPECT_NE(error_of("dram__bytes_read.smu").find("write dram__bytes_read.sum"), std::string::npos);
  EXPECT_NE(error_of("nonsense").find("has no counter nonsense"), std::string::npos);
}

TEST_F(PlanTest, AnUnknownChipNamesTheKnownOnes) {
  const auto made = make_plan(calls_, recipes_, {"ZZ999", {"roofline"}, {}, true});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::kNotAvailable);
  EXPECT_NE(made.error().remedy.find("GH100"), std::string::npos);
}

TEST_F(PlanTest, AnUnknownRecipeIsAUsageError) {
  const auto made = make_plan(calls_, recipes_, {"GH100", {"rofline"}, {}, true});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::kUsage);
}

TEST_F(PlanTest, EverySampledQuantityOfGh100FitsOnePass) {
  const auto made = make_sampling_plan(calls_, *recipes_.find("sampling"), "GH100");
  ASSERT_TRUE(made) << to_string(made.error());
  std::vector<std::string> whats;
  for (const SampledMetric& metric : made->metrics) whats.push_back(metric.what);
  EXPECT_EQ(whats, (std::vector<std::string>{"dram_read", "dram_write", "warp_instructions", "sm_active", "occupancy",
                                             "l2", "tensor_active"}));
  EXPECT_FALSE(made->config_image.empty());
}

TEST_F(PlanTest, ChipsBeforeTuringCannotBeSampled) {
  const auto made = make_sampling_plan(calls_, *recipes_.find("sampling"), "GV100");
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::kNotAvailable);
}

TEST_F(PlanTest, EveryWantOfTheRecipesExistsOnSomeChip) {
  std::vector<Host> hosts;
  for (const std::string& chip : supported_chips(*calls_)) {
    for (const Use use : {Use::kRange, Use::kSampling}) {
      if (auto host = Host::make(calls_, chip, use)) hosts.push_back(std::move(*host));
    }
  }
  for (const Recipe& recipe : recipes_.all()) {
    for (const Want& want : recipe.wants) {
      const bool exists = std::any_of(want.alternatives.begin(), want.alternatives.end(), [&](const Alternative& a) {
        return std::any_of(hosts.begin(), hosts.end(), [&](const Host& host) {
          return std::all_of(a.metrics.begin(), a.metrics.end(), [&](const std::string& m) { return host.has(m); });
        });
      });
      EXPECT_TRUE(exists) << recipe.name << ": " << want.what;
    }
  }
}

}  // namespace
}  // namespace ridge::collectors::cupti
