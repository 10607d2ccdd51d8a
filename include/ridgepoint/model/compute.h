// What computes: a data type on a unit, for tensor units further by instruction path, sparsity and accumulator.
//
// A ComputeKey names both an amount of work ("tensor bf16 work done through wgmma") and the ceiling it is held against.
// Ceiling names are `<type>_core` or `<type>_tensor_<path>_<dense|sparse>[_acc16|_acc32]`; paths are mma (mma.sync),
// wgmma, tcgen05 and mfma (AMD). Dense and sparse, and paths, are never mixed: on an H200 mma.sync tops out at 2/3 of
// wgmma.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ridge {

enum class DataType : unsigned char {
  kFp64,
  kFp32,
  kTf32,
  kFp16,
  kBf16,
  kFp8,
  kFp6,
  kFp4,
  kInt32,
  kInt8,
  kInt4,
  kInt1,
};
enum class ComputeUnit : unsigned char { kCore, kTensor };
/// kAny: the source does not say through which instruction the tensor unit was reached.
enum class TensorPath : unsigned char { kAny, kMmaSync, kWgmma, kTcgen05, kMfma };
enum class Sparsity : unsigned char { kDense, kSparse };
/// kAny: one rate for every accumulator, or not known.
enum class Accumulator : unsigned char { kAny, kFp16, kFp32 };

struct ComputeKey {
  DataType type = DataType::kFp32;
  ComputeUnit unit = ComputeUnit::kCore;
  TensorPath path = TensorPath::kAny;
  Sparsity sparsity = Sparsity::kDense;
  Accumulator accumulator = Accumulator::kAny;

  friend auto operator<=>(const ComputeKey&, const ComputeKey&) = default;
};

[[nodiscard]] constexpr ComputeKey core(DataType type) {
  return {type};
}
[[nodiscard]] constexpr ComputeKey tensor(DataType type, TensorPath path, Sparsity sparsity = Sparsity::kDense,
                                          Accumulator accumulator = Accumulator::kAny) {
  return {type, ComputeUnit::kTensor, path, sparsity, accumulator};
}

/// "fp64", "fp32", "tf32", "fp16", "bf16", "fp8", "fp6", "fp4", "int32", "int8", "int4", "int1".
[[nodiscard]] std::string_view name(DataType type);
[[nodiscard]] std::optional<DataType> parse_data_type(std::string_view text);
/// Storage size of one element in bytes; tf32 occupies 4, fp4 0.5, fp6 0.75.
[[nodiscard]] double element_bytes(DataType type);
/// True for the types whose operations are FLOP; integer operations are not counted into a FLOP total.
[[nodiscard]] bool is_floating_point(DataType type);

/// Ceiling name, see the top of this file; kAny parts are left out ("bf16_tensor_dense").
[[nodiscard]] std::string name(const ComputeKey& key);
[[nodiscard]] std::optional<ComputeKey> parse_compute_key(std::string_view text);
/// Short name for tables and JSON "flops": "fp32", "tensor_bf16".
[[nodiscard]] std::string short_name(const ComputeKey& key);

}  // namespace ridge
