#include "lab/declare/registry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "lab/declare/bind.h"
#include "lab/run/images.h"

namespace ridge::lab {
namespace {

TEST(LabRegistryTest, EveryKernelIsDeclaredCompletely) {
  for (const KernelDeclaration& kernel : kernels()) {
    const auto found = faults(kernel);
    EXPECT_TRUE(found.empty()) << kernel.id << ": " << (found.empty() ? "" : found.front());
  }
}

TEST(LabRegistryTest, HasEveryKernelOfEverySource) {
  std::size_t entries = 0;
  for (const EmbeddedFile& file : embedded_images().ptx) {
    for (std::size_t at = 0; (at = file.content.find(".visible .entry ", at)) != std::string_view::npos; ++at)
      ++entries;
  }
  EXPECT_EQ(kernels().size(), entries);
  EXPECT_EQ(entries, 33U);
}

TEST(LabRegistryTest, IdsAreUniqueAndLaddersContiguous) {
  std::set<std::string_view> ids, ladders_seen;
  for (const KernelDeclaration& kernel : kernels()) EXPECT_TRUE(ids.insert(kernel.id).second) << kernel.id;
  for (const std::string_view ladder : ladders()) EXPECT_TRUE(ladders_seen.insert(ladder).second) << ladder;
  EXPECT_EQ(ladders_seen.size(), 13U);
}

/// The parameters between an entry's parentheses in the PTX.
std::size_t parameters_of(std::string_view ptx, std::string_view entry) {
  const std::size_t begin = ptx.find(".visible .entry " + std::string(entry) + "(");
  if (begin == std::string_view::npos) return 99;
  const std::string_view list = ptx.substr(begin, ptx.find("\n)", begin) - begin);
  std::size_t count = 0;
  for (std::size_t at = 0; (at = list.find(".param ", at)) != std::string_view::npos; ++at) ++count;
  return count;
}

TEST(LabRegistryTest, ArgumentsAndBlocksAreThoseOfThePtx) {
  for (const KernelDeclaration& kernel : kernels()) {
    const auto ptx = embedded_images().ptx_of(kernel.module);
    ASSERT_TRUE(ptx) << kernel.module;
    EXPECT_EQ(parameters_of(*ptx, kernel.entry), kernel.arguments.size()) << kernel.id;
    const std::size_t entry = ptx->find(".visible .entry " + std::string(kernel.entry) + "(");
    const std::string most = ".maxntid " + std::to_string(kernel.launch.block_x * kernel.launch.block_y) + ", 1, 1";
    EXPECT_LT(ptx->find(most, entry) - entry, 1500U) << kernel.id;
  }
}

TEST(LabRegistryTest, RefusesAKernelWithoutOneOfItsFormulas) {
  const KernelDeclaration& complete = kernels().front();
  ASSERT_TRUE(faults(complete).empty());
  for (auto member : {&WorkFormulas::flops, &WorkFormulas::fp32_fma, &WorkFormulas::dram_read, &WorkFormulas::l2_write,
                      &WorkFormulas::load_sectors, &WorkFormulas::shared_load_wavefronts, &WorkFormulas::bulk_read}) {
    KernelDeclaration kernel = complete;
    kernel.work.*member = "";
    EXPECT_FALSE(faults(kernel).empty());
  }
}

TEST(LabRegistryTest, RefusesContradictions) {
  KernelDeclaration kernel = kernels().front();
  kernel.work.flops = "2*n";
  EXPECT_EQ(faults(kernel).front(), "flops is not add + mul + 2 fma + tensor");
  kernel = kernels().front();
  kernel.work.l2_read = "n";
  EXPECT_EQ(faults(kernel).front(), "more bytes are read from DRAM than L2 delivers");
  kernel = kernels().front();
  kernel.reference = nullptr;
  EXPECT_FALSE(faults(kernel).empty());
  kernel = kernels().front();
  kernel.truth = {"n=7"};
  EXPECT_NE(faults(kernel).front().find("size 'n=7'"), std::string::npos);
  kernel = kernels().front();
  kernel.emulated = {"n=9"};
  EXPECT_NE(faults(kernel).front().find("size 'n=9'"), std::string::npos);
  kernel.emulated.clear();
  EXPECT_EQ(faults(kernel).front(), "no size to emulate at");
  kernel = kernels().front();
  kernel.arguments.front().name = "nothing";
  EXPECT_EQ(faults(kernel).front(), "argument nothing: no such buffer");
}

TEST(LabRegistryTest, FindsKernelsByNameAndByLadder) {
  EXPECT_EQ(select_kernels("gemm")->size(), 5U);
  EXPECT_EQ(select_kernels("gemm_tiled")->size(), 1U);
  EXPECT_EQ(select_kernels("all")->size(), kernels().size());
  const auto unknown = select_kernels("gemm_tild");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::kUsage);
  EXPECT_EQ(unknown.error().remedy, "did you mean gemm_tiled?");
}

TEST(LabBindTest, SizesTakeTheirInitialFormulas) {
  const auto bound = bind_kernel(*find_kernel("gemm_mma_bf16"), {{"n", 256}}, 132);
  ASSERT_TRUE(bound);
  EXPECT_EQ(bound->sizes, "n=256 m=256 k=256");
  EXPECT_EQ(bound->grid.x, 4U);
  EXPECT_EQ(bound->counts[0], 65536U);
}

TEST(LabBindTest, RefusesSizesTheKernelCannotHave) {
  const KernelDeclaration& kernel = *find_kernel("gemm_register");
  const auto odd = bind_kernel(kernel, {{"n", 1000}}, 132);
  ASSERT_FALSE(odd);
  EXPECT_EQ(odd.error().remedy, "give a whole number from 128 to 46080 that 128 divides");
  const auto unknown = bind_kernel(kernel, {{"m", 128}}, 132);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().remedy, "its sizes are n");
  EXPECT_FALSE(bind_kernel(kernel, {{"n", 1e9}}, 132));
  EXPECT_FALSE(bind_kernel(kernel, {{"n", 128.5}}, 132));
}

TEST(LabBindTest, ReadsSizesAsWritten) {
  const auto sizes = parse_sizes("n=2^20 stride=4");
  ASSERT_TRUE(sizes);
  EXPECT_EQ(sizes->at("n"), 1048576);
  EXPECT_EQ(sizes->at("stride"), 4);
  EXPECT_FALSE(parse_sizes("n"));
  EXPECT_FALSE(parse_sizes("n=many"));
  EXPECT_TRUE(parse_sizes("")->empty());
}

}  // namespace
}  // namespace ridge::lab
