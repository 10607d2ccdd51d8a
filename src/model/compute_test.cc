#include "ridgepoint/model/compute.h"

#include <gtest/gtest.h>

namespace ridge {
namespace {

TEST(ComputeKeyTest, NamesFollowTheContract) {
  EXPECT_EQ(name(core(DataType::kFp32)), "fp32_core");
  EXPECT_EQ(name(tensor(DataType::kBf16, TensorPath::kWgmma)), "bf16_tensor_wgmma_dense");
  EXPECT_EQ(name(tensor(DataType::kFp16, TensorPath::kMmaSync, Sparsity::kSparse, Accumulator::kFp32)),
            "fp16_tensor_mma_sparse_acc32");
  EXPECT_EQ(short_name(tensor(DataType::kTf32, TensorPath::kWgmma)), "tensor_tf32");
}

TEST(ComputeKeyTest, EveryNameParsesBackToItsKey) {
  for (int type = 0; type <= static_cast<int>(DataType::kInt1); ++type) {
    for (int path = 0; path <= static_cast<int>(TensorPath::kMfma); ++path) {
      for (const Sparsity sparsity : {Sparsity::kDense, Sparsity::kSparse}) {
        for (const Accumulator acc : {Accumulator::kAny, Accumulator::kFp16, Accumulator::kFp32}) {
          const ComputeKey key = tensor(static_cast<DataType>(type), static_cast<TensorPath>(path), sparsity, acc);
          EXPECT_EQ(parse_compute_key(name(key)), key) << name(key);
        }
      }
    }
    const ComputeKey key = core(static_cast<DataType>(type));
    EXPECT_EQ(parse_compute_key(name(key)), key) << name(key);
  }
}

TEST(ComputeKeyTest, ForeignNamesAreRejected) {
  for (const char* text : {"", "fp32", "fp33_core", "fp32_core_dense", "bf16_tensor_gpu", "bf16__dense", "_"}) {
    EXPECT_FALSE(parse_compute_key(text)) << text;
  }
}

}  // namespace
}  // namespace ridge
