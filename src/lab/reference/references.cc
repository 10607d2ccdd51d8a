#include "lab/reference/references.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>
#include <vector>

namespace ridge::lab {
namespace {

/// The added constant of saxpy's declaration.
constexpr double kFactor = 1.25;

/// Two numbers of a row that all its elements need. Rows are visited in any order; each is computed once.
struct RowFacts {
  double first = 0, second = 0;
};
using RowCache = std::unordered_map<std::size_t, RowFacts>;

template <class Compute>
Expected per_row(const Problem& problem, Compute compute, double (*element)(double value, const RowFacts& facts)) {
  const std::size_t columns = problem.whole("columns");
  return [=, cache = RowCache()](std::size_t index) mutable {
    const std::size_t row = index / columns;
    auto at = cache.find(row);
    if (at == cache.end()) at = cache.emplace(row, compute(problem, row * columns, columns)).first;
    return element(problem.at(0, index), at->second);
  };
}

}  // namespace

Expected expect_vector_add(const Problem& problem, std::size_t) {
  return [=](std::size_t i) { return problem.at(0, i) + problem.at(1, i); };
}

Expected expect_saxpy(const Problem& problem, std::size_t) {
  return [=](std::size_t i) { return kFactor * problem.at(0, i) + problem.at(1, i); };
}

Expected expect_sin(const Problem& problem, std::size_t) {
  return [=](std::size_t i) { return std::sin(problem.at(0, i)); };
}

Expected expect_cos(const Problem& problem, std::size_t) {
  return [=](std::size_t i) { return std::cos(problem.at(0, i)); };
}

Expected expect_sin_cos(const Problem& problem, std::size_t buffer) {
  return buffer == 1 ? expect_sin(problem, buffer) : expect_cos(problem, buffer);
}

Expected expect_strided(const Problem& problem, std::size_t) {
  return [=, stride = problem.whole("stride")](std::size_t i) { return problem.at(0, i * stride); };
}

Expected expect_gathered(const Problem& problem, std::size_t) {
  return [=](std::size_t i) { return problem.at(0, static_cast<std::size_t>(problem.at(1, i))); };
}

Expected expect_sum(const Problem& problem, std::size_t) {
  double sum = 0;
  for (std::size_t i = 0; i < problem.whole("n"); ++i) sum += problem.at(0, i);
  return [sum](std::size_t) { return sum; };
}

Expected expect_block_sums(const Problem& problem, std::size_t) {
  return [=](std::size_t block) {
    double sum = 0;
    for (std::size_t i = 0; i < 256; ++i) sum += problem.at(0, block * 256 + i);
    return sum;
  };
}

Expected expect_dot(const Problem& problem, std::size_t) {
  double sum = 0;
  for (std::size_t i = 0; i < problem.whole("n"); ++i) sum += problem.at(0, i) * problem.at(1, i);
  return [sum](std::size_t) { return sum; };
}

Expected expect_copy(const Problem& problem, std::size_t) {
  return [=](std::size_t i) { return problem.at(0, i); };
}

Expected expect_transpose(const Problem& problem, std::size_t) {
  return [=, n = problem.whole("n")](std::size_t i) { return problem.at(0, i % n * n + i / n); };
}

Expected expect_shared_stride(const Problem& problem, std::size_t) {
  return [=, stride = problem.whole("stride")](std::size_t i) {
    const std::size_t thread = i % 256;
    double sum = 0;
    for (std::size_t k = 0; k < 64; ++k) sum += problem.at(0, (thread % 32 * stride + thread / 32 * 32 + k) % 4096);
    return sum;
  };
}

Expected expect_divergence(const Problem& problem, std::size_t) {
  return [=, paths = problem.whole("paths"), steps = problem.whole("steps")](std::size_t i) {
    const std::size_t path = i % 256 % paths;
    const double factor = std::fma(0.01F, static_cast<float>(path), 0.5F);
    double value = problem.at(0, i);
    for (std::size_t k = 0; k < steps; ++k) value = value * factor + 0.25;
    return value;
  };
}

Expected expect_histogram(const Problem& problem, std::size_t) {
  std::array<double, 256> counts{};
  for (std::size_t i = 0; i < problem.whole("n"); ++i) counts[static_cast<std::size_t>(problem.at(0, i))] += 1;
  return [counts](std::size_t i) { return counts[i]; };
}

Expected expect_stencil(const Problem& problem, std::size_t) {
  return [=, width = problem.whole("width"), height = problem.whole("height")](std::size_t i) {
    const std::size_t x = i % width, y = i / width;
    const double centre = problem.at(0, i);
    if (x == 0 || y == 0 || x == width - 1 || y == height - 1) return centre;
    const double around =
        problem.at(0, i - 1) + problem.at(0, i + 1) + problem.at(0, i - width) + problem.at(0, i + width);
    return 0.5 * centre + 0.125 * around;
  };
}

Expected expect_softmax(const Problem& problem, std::size_t) {
  const auto facts = [](const Problem& from, std::size_t first, std::size_t columns) {
    RowFacts row{from.at(0, first), 0};
    for (std::size_t i = 0; i < columns; ++i) row.first = std::max(row.first, from.at(0, first + i));
    for (std::size_t i = 0; i < columns; ++i) row.second += std::exp(from.at(0, first + i) - row.first);
    return row;
  };
  return per_row(problem, facts,
                 [](double value, const RowFacts& row) { return std::exp(value - row.first) / row.second; });
}

Expected expect_layernorm(const Problem& problem, std::size_t) {
  const auto facts = [](const Problem& from, std::size_t first, std::size_t columns) {
    RowFacts row;
    const auto count = static_cast<double>(columns);
    for (std::size_t i = 0; i < columns; ++i) row.first += from.at(0, first + i) / count;
    for (std::size_t i = 0; i < columns; ++i) {
      const double distance = from.at(0, first + i) - row.first;
      row.second += distance * distance / count;
    }
    return row;
  };
  return per_row(problem, facts,
                 [](double value, const RowFacts& row) { return (value - row.first) / std::sqrt(row.second + 1e-5); });
}

Expected expect_gemm(const Problem& problem, std::size_t) {
  return [=, n = problem.whole("n")](std::size_t i) {
    double sum = 0;
    for (std::size_t k = 0; k < n; ++k) sum += problem.at(0, i / n * n + k) * problem.at(1, k * n + i % n);
    return sum;
  };
}

Expected expect_gemm_transposed(const Problem& problem, std::size_t) {
  return [=, n = problem.whole("n"), depth = problem.whole("k")](std::size_t i) {
    double sum = 0;
    for (std::size_t k = 0; k < depth; ++k) sum += problem.at(0, i / n * depth + k) * problem.at(1, i % n * depth + k);
    return sum;
  };
}

}  // namespace ridge::lab
