// Declared work against numbers: counters of the recordings in tests/data/h200 where the same kernel is in there, else
// counts made by hand for one size.
#include <gtest/gtest.h>

#include <map>

#include "lab/declare/bind.h"
#include "lab/declare/registry.h"

namespace ridge::lab {
namespace {

using Expected = std::map<std::string, double>;

struct Case {
  const char* kernel;
  const char* sizes;
  Expected fields;
};

/// Scalar fields of the work by path, tensor FLOP as "tensor".
Expected fields_of(const Work& work) {
  Expected fields;
  visit_fields(
      [&](std::string_view path, const auto& value) {
        if (!value) return;
        if constexpr (requires { value->count(); }) {
          fields[std::string(path)] = value->count();
        } else {
          fields[std::string(path)] = *value;
        }
      },
      work);
  for (const ComputeWork& part : work.compute) {
    if (part.key.unit == ComputeUnit::kTensor) fields["tensor"] = part.amount->count();
  }
  return fields;
}

void expect_work(const Case& wanted) {
  const auto sizes = parse_sizes(wanted.sizes);
  ASSERT_TRUE(sizes);
  const auto bound = bind_kernel(*find_kernel(wanted.kernel), *sizes, 132);
  ASSERT_TRUE(bound) << to_string(bound.error());
  Expected found = fields_of(bound->work);
  for (const auto& [path, value] : wanted.fields) {
    ASSERT_TRUE(found.contains(path)) << path;
    EXPECT_NEAR(found[path], value, 1e-9 * value) << wanted.kernel << " " << wanted.sizes << ": " << path;
  }
}

class LabWorkTest : public testing::TestWithParam<Case> {};

TEST_P(LabWorkTest, IsWhatWasRecordedOrCounted) {
  expect_work(GetParam());
}

// tour_full_raw.csv: thread instructions, requests, sectors, L2 bytes; shared instructions from
// smsp__sass_inst_executed.
const Case kRecorded[] = {
    {"vector_add",
     "n=100000000",
     {{"flops", 1e8},
      {"bytes.dram_read", 8e8},
      {"bytes.l2_read", 8e8},
      {"bytes.l2_write", 4e8},
      {"access.global_load_requests", 6250000},
      {"access.global_load_sectors", 25000000}}},
    {"saxpy", "n=100000000", {{"flops", 2e8}, {"bytes.dram_read", 8e8}, {"access.global_load_sectors", 25000000}}},
    {"gemm_naive",
     "n=1024",
     {{"flops", 2147483648.0},
      {"instructions.fp32_fma", 1073741824},
      {"access.global_load_requests", 67108864},
      {"access.global_load_sectors", 167772160},
      {"access.global_store_sectors", 131072},
      {"bytes.dram_read", 8388608},
      {"bytes.l2_read", 268435456},
      {"bytes.l2_write", 4194304}}},
    {"gemm_tiled",
     "n=1024",
     {{"flops", 2147483648.0},
      {"access.global_load_requests", 2097152},
      {"access.global_load_sectors", 8388608},
      {"access.shared_load_instructions", 41943040},
      {"access.shared_store_instructions", 2097152},
      {"access.shared_wavefronts", 52428800},
      {"bytes.l2_read", 268435456}}},
    {"gemm_naive", "n=4096", {{"flops", 137438953472.0}, {"access.global_load_sectors", 10737418240.0}}},
    {"gemm_tiled",
     "n=4096",
     {{"access.global_load_sectors", 536870912},
      {"access.shared_load_instructions", 2684354560.0},
      {"access.shared_wavefronts", 3355443200.0}}},
    {"transpose_naive",
     "n=8192",
     {{"flops", 0},
      {"access.global_load_requests", 2097152},
      {"access.global_store_sectors", 67108864},
      {"bytes.l2_write", 2147483648.0}}},
    {"transpose_shared",
     "n=8192",
     {{"access.shared_wavefronts", 69206016},
      {"access.shared_wavefronts_excess", 65011712},
      {"access.shared_load_instructions", 2097152},
      {"bytes.l2_write", 268435456}}},
    {"transpose_padded", "n=8192", {{"access.shared_wavefronts", 4194304}, {"access.shared_wavefronts_excess", 0}}},
};
INSTANTIATE_TEST_SUITE_P(Recorded, LabWorkTest, testing::ValuesIn(kRecorded));

const Case kCounted[] = {
    {"sin_map",
     "n=1024",
     {{"flops", 16384}, {"instructions.fp32_mul", 2048}, {"instructions.fp32_fma", 7168}, {"bytes.dram", 8192}}},
    {"cos_map", "n=1024", {{"flops", 18432}, {"instructions.fp32_fma", 8192}}},
    {"sin_cos_fused", "n=1024", {{"flops", 24576}, {"bytes.dram", 12288}, {"access.global_store_sectors", 256}}},
    {"strided_read",
     "n=1024 stride=1",
     {{"access.global_load_sectors", 128}, {"bytes.dram_read", 4096}, {"access.excess_sectors", 0}}},
    {"strided_read", "n=1024 stride=5", {{"access.global_load_sectors", 640}, {"bytes.dram_read", 20480}}},
    {"strided_read",
     "n=1024 stride=16",
     {{"access.global_load_sectors", 1024}, {"bytes.l2_read", 32768}, {"bytes.dram_read", 65536}}},
    {"gathered_read",
     "n=1024",
     {{"access.global_load_requests", 64}, {"access.global_load_sectors", 1152}, {"bytes.l2_read", 36864}}},
    {"reduce_interleaved",
     "n=1024",
     {{"flops", 1020}, {"access.shared_load_instructions", 380}, {"access.shared_store_instructions", 220}}},
    {"reduce_sequential",
     "n=1024",
     {{"flops", 1020}, {"access.shared_load_instructions", 100}, {"access.shared_store_instructions", 80}}},
    {"reduce_shuffle", "n=1024", {{"flops", 5504}, {"access.shared_load_instructions", 4}}},
    {"reduce_vector",
     "n=1048576",
     {{"flops", 3954688}, {"access.global_load_requests", 8192}, {"access.global_load_sectors", 131072}}},
    {"dot", "n=1048576", {{"flops", 5003264}, {"instructions.fp32_fma", 1048576}, {"bytes.dram_read", 8388608}}},
    {"transpose_copy",
     "n=64",
     {{"access.global_load_requests", 32}, {"access.global_load_sectors", 512}, {"bytes.dram", 32768}}},
    {"transpose_swizzled",
     "n=64",
     {{"access.shared_load_instructions", 128},
      {"access.shared_load_wavefronts", 256},
      {"access.shared_store_wavefronts", 128}}},
    {"shared_stride",
     "blocks=1 stride=12",
     {{"access.shared_load_wavefronts", 2048}, {"access.shared_wavefronts_excess", 1536}, {"flops", 16384}}},
    {"shared_stride",
     "blocks=1 stride=7",
     {{"access.shared_load_wavefronts", 512}, {"access.shared_wavefronts_excess", 0}}},
    {"divergence", "n=1024 paths=4 steps=10", {{"flops", 22528}, {"bytes.dram", 8192}}},
    {"histogram_global", "n=1024", {{"flops", 0}, {"access.global_load_sectors", 32}, {"bytes.dram_read", 1024}}},
    {"histogram_shared", "n=1024", {{"access.global_load_requests", 8}, {"bytes.l2_write", 1081344}}},
    {"stencil_direct",
     "width=128 height=16",
     {{"flops", 10584}, {"access.global_load_requests", 288}, {"access.global_load_sectors", 1236}}},
    {"stencil_rows",
     "width=128 height=16",
     {{"flops", 10584}, {"access.global_load_requests", 176}, {"access.global_load_sectors", 788}}},
    {"softmax_passes",
     "rows=2 columns=1024",
     {{"flops", 34816}, {"access.global_load_sectors", 768}, {"bytes.dram", 16384}}},
    {"softmax_fused",
     "rows=2 columns=8192",
     {{"flops", 72192}, {"instructions.fp32_add", 37376}, {"instructions.fp32_mul", 32768}}},
    {"softmax_fused", "rows=2 columns=4096", {{"flops", 88576}}},
    {"layernorm", "rows=1 columns=8192", {{"flops", 50432}, {"instructions.fp32_fma", 6656}}},
    {"gemm_register",
     "n=128",
     {{"flops", 4194304}, {"access.global_load_requests", 1024}, {"access.shared_load_wavefronts", 16384}}},
    {"gemm_vector", "n=128", {{"access.global_load_requests", 256}, {"access.shared_load_wavefronts", 12288}}},
    {"gemm_async", "n=256", {{"flops", 33554432}, {"access.global_load_requests", 3072}, {"bytes.l2_read", 786432}}},
    {"gemm_mma_bf16", "n=256", {{"tensor", 33554432}, {"bytes.dram_read", 262144}, {"bytes.l2_read", 524288}}},
    {"gemm_wgmma_bf16",
     "n=512",
     {{"tensor", 268435456}, {"bytes.bulk_read", 3145728}, {"access.global_store_sectors", 16384}}},
};
INSTANTIATE_TEST_SUITE_P(Counted, LabWorkTest, testing::ValuesIn(kCounted));

TEST(LabWorkTest, EveryKernelHasACase) {
  for (const KernelDeclaration& kernel : kernels()) {
    bool found = false;
    for (const Case& one : kRecorded) found = found || one.kernel == kernel.id;
    for (const Case& one : kCounted) found = found || one.kernel == kernel.id;
    EXPECT_TRUE(found) << kernel.id;
  }
}

TEST(LabWorkTest, EverythingIsDeclared) {
  const auto bound = bind_kernel(*find_kernel("gemm_tiled"), {{"n", 64}}, 132);
  ASSERT_TRUE(bound);
  EXPECT_EQ(bound->work.flops.provenance(), Provenance::kDeclared);
  EXPECT_EQ(bound->work.bytes.l1.provenance(), Provenance::kDeclared);
  EXPECT_EQ(bound->work.access.l1_wavefronts.provenance(), Provenance::kDeclared);
  EXPECT_FALSE(bound->work.instructions.warp_instructions);
}

TEST(LabWorkTest, TheModelOfOutgrownMatricesIsNearTheRecording) {
  const auto naive = bind_kernel(*find_kernel("gemm_naive"), {{"n", 4096}}, 132);
  const auto bytes = evaluate(naive->declaration->dram_read_outgrown, naive->variables);
  ASSERT_TRUE(bytes);
  EXPECT_NEAR(*bytes, 8.258e9, 0.06 * 8.258e9);
}

}  // namespace
}  // namespace ridge::lab
