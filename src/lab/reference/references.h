// What each kernel's results should be, in fp64, from the problem's own numbers. Written as the textbook states the
// operation, not as the kernel computes it. Buffers are numbered as in the declaration.
#pragma once

#include "lab/reference/problem.h"

namespace ridge::lab {

[[nodiscard]] Expected expect_vector_add(const Problem& problem, std::size_t buffer);
[[nodiscard]] Expected expect_saxpy(const Problem& problem, std::size_t buffer);
[[nodiscard]] Expected expect_sin(const Problem& problem, std::size_t buffer);
[[nodiscard]] Expected expect_cos(const Problem& problem, std::size_t buffer);
[[nodiscard]] Expected expect_sin_cos(const Problem& problem, std::size_t buffer);
[[nodiscard]] Expected expect_strided(const Problem& problem, std::size_t buffer);
[[nodiscard]] Expected expect_gathered(const Problem& problem, std::size_t buffer);
[[nodiscard]] Expected expect_sum(const Problem& problem, std::size_t buffer);
/// Of each 256 elements.
[[nodiscard]] Expected expect_block_sums(const Problem& problem, std::size_t buffer);
[[nodiscard]] Expected expect_dot(const Problem& problem, std::size_t buffer);
[[nodiscard]] Expected expect_copy(const Problem& problem, std::size_t buffer);
[[nodiscard]] Expected expect_transpose(const Problem& problem, std::size_t buffer);
[[nodiscard]] Expected expect_shared_stride(const Problem& problem, std::size_t buffer);
[[nodiscard]] Expected expect_divergence(const Problem& problem, std::size_t buffer);
[[nodiscard]] Expected expect_histogram(const Problem& problem, std::size_t buffer);
[[nodiscard]] Expected expect_stencil(const Problem& problem, std::size_t buffer);
[[nodiscard]] Expected expect_softmax(const Problem& problem, std::size_t buffer);
[[nodiscard]] Expected expect_layernorm(const Problem& problem, std::size_t buffer);
/// C = A B, square, row-major.
[[nodiscard]] Expected expect_gemm(const Problem& problem, std::size_t buffer);
/// C = A B^T with extents m, n, k.
[[nodiscard]] Expected expect_gemm_transposed(const Problem& problem, std::size_t buffer);

}  // namespace ridge::lab
