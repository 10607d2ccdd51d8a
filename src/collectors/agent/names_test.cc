#include "collectors/agent/names.h"

#include <gtest/gtest.h>

namespace ridge::collectors::agent {
namespace {

TEST(AgentNames, AMangledNameIsReadAndAnotherIsLeftAlone) {
  EXPECT_EQ(demangled("_Z5saxpyfPKfPf"), "saxpy(float, float const*, float*)");
  EXPECT_EQ(demangled("saxpy"), "saxpy");
  EXPECT_EQ(demangled("_Zbroken"), "_Zbroken");
  EXPECT_EQ(demangled(""), "");
}

TEST(AgentNames, TheQualifiedNameHasNoReturnTypeArgumentsOrParameters) {
  EXPECT_EQ(qualified_name("void lib::gemm<float, 128, (bool)1>(float const*, int)"), "lib::gemm");
  EXPECT_EQ(qualified_name("saxpy(float, float const*)"), "saxpy");
  EXPECT_EQ(qualified_name("void (anonymous namespace)::softmax<lib::F<int>>(lib::G<float>)"), "{anonymous}::softmax");
  EXPECT_EQ(qualified_name("std::enable_if<true, void>::type outer<int>::inner(int)"), "outer::inner");
  EXPECT_EQ(qualified_name("cutlass_80_tensorop_s1688gemm_128x128"), "cutlass_80_tensorop_s1688gemm_128x128");
  EXPECT_EQ(plain_name("lib::deep::gemm"), "gemm");
  EXPECT_EQ(plain_name("gemm"), "gemm");
}

TEST(AgentNames, KernelsThatWaitForOtherGpusAreCollectives) {
  for (const char* name :
       {"ncclDevKernel_AllReduce_Sum_f32_RING_LL", "nvshmemi_barrier_all", "one_shot_all_reduce_kernel",
        "vllm::cross_device_reduce_1stage", "AllGather", "my::reduce_scatter", "deep_ep::intranode::combine"}) {
    EXPECT_TRUE(is_collective(name)) << name;
  }
}

TEST(AgentNames, OrdinaryReductionsAreNot) {
  for (const char* name : {"block_all_reduce_sum_f32", "warpAllReduce", "reduce_kernel",
                           "at::native::vectorized_gather", "softmax", "gemm", ""}) {
    EXPECT_FALSE(is_collective(name)) << name;
  }
}

TEST(AgentNames, ExpressionsAreExtendedOnes) {
  EXPECT_TRUE(Pattern("^(gemm|conv)[0-9]+$").matches("gemm128"));
  EXPECT_FALSE(Pattern("^(gemm|conv)[0-9]+$").matches("mygemm128"));
  EXPECT_FALSE(Pattern("(").valid());
  EXPECT_FALSE(Pattern("(").matches("("));
  EXPECT_FALSE(Pattern().matches(""));
}

}  // namespace
}  // namespace ridge::collectors::agent
