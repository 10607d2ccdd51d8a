// The declarations, one function a ladder; registry.cc puts them together.
#pragma once

#include <vector>

#include "lab/declare/declaration.h"

namespace ridge::lab {

[[nodiscard]] std::vector<KernelDeclaration> stream_kernels();
[[nodiscard]] std::vector<KernelDeclaration> elementwise_kernels();
[[nodiscard]] std::vector<KernelDeclaration> access_kernels();
[[nodiscard]] std::vector<KernelDeclaration> reduction_kernels();
[[nodiscard]] std::vector<KernelDeclaration> transpose_kernels();
[[nodiscard]] std::vector<KernelDeclaration> shared_bank_kernels();
[[nodiscard]] std::vector<KernelDeclaration> divergence_kernels();
[[nodiscard]] std::vector<KernelDeclaration> histogram_kernels();
[[nodiscard]] std::vector<KernelDeclaration> stencil_kernels();
[[nodiscard]] std::vector<KernelDeclaration> softmax_kernels();
[[nodiscard]] std::vector<KernelDeclaration> layernorm_kernels();
[[nodiscard]] std::vector<KernelDeclaration> gemm_kernels();
[[nodiscard]] std::vector<KernelDeclaration> gemm_tensor_kernels();

}  // namespace ridge::lab
