// What the lab's kernels should leave in memory, as plain loops in the kernels' own precision. Launches are believed:
// extents come from arguments and grid.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>

#include "support/fake_device.h"

namespace ridge::test {
namespace {

using Request = device::LaunchRequest;

template <class T>
T argument(const Request& request, std::size_t index) {
  T value;
  std::memcpy(&value, request.parameters[index].bytes.data(), sizeof(T));
  return value;
}
template <class T>
T* pointer(const Request& request, std::size_t index) {
  return std::bit_cast<T*>(argument<std::uint64_t>(request, index));
}
std::size_t whole(const Request& request, std::size_t index) {
  return static_cast<std::size_t>(argument<std::int32_t>(request, index));
}

float widened(std::uint16_t bits) {
  return std::bit_cast<float>(std::uint32_t{bits} << 16);
}
std::uint16_t narrowed(float value) {
  std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  bits += 0x7FFF + ((bits >> 16) & 1);
  return static_cast<std::uint16_t>(bits >> 16);
}

void vector_add(const Request& request) {
  const float *a = pointer<float>(request, 0), *b = pointer<float>(request, 1);
  std::transform(a, a + whole(request, 3), b, pointer<float>(request, 2), std::plus<>());
}

void saxpy(const Request& request) {
  const auto s = argument<float>(request, 0);
  const float* x = pointer<float>(request, 1);
  float* y = pointer<float>(request, 2);
  for (std::size_t i = 0; i < whole(request, 3); ++i) y[i] = std::fma(s, x[i], y[i]);
}

void sines(const Request& request) {
  const float* x = pointer<float>(request, 0);
  std::transform(x, x + whole(request, 2), pointer<float>(request, 1), [](float v) { return std::sin(v); });
}

void cosines(const Request& request) {
  const float* x = pointer<float>(request, 0);
  std::transform(x, x + whole(request, 2), pointer<float>(request, 1), [](float v) { return std::cos(v); });
}

void sines_and_cosines(const Request& request) {
  const float* x = pointer<float>(request, 0);
  const std::size_t n = whole(request, 3);
  std::transform(x, x + n, pointer<float>(request, 1), [](float v) { return std::sin(v); });
  std::transform(x, x + n, pointer<float>(request, 2), [](float v) { return std::cos(v); });
}

void strided(const Request& request) {
  const float* in = pointer<float>(request, 0);
  for (std::size_t i = 0; i < whole(request, 2); ++i) pointer<float>(request, 1)[i] = in[i * whole(request, 3)];
}

void gathered(const Request& request) {
  const float* in = pointer<float>(request, 0);
  const std::int32_t* index = pointer<std::int32_t>(request, 1);
  for (std::size_t i = 0; i < whole(request, 3); ++i) pointer<float>(request, 2)[i] = in[index[i]];
}

void sum(const Request& request) {
  const float* in = pointer<float>(request, 0);
  *pointer<float>(request, 1) += static_cast<float>(std::accumulate(in, in + whole(request, 2), 0.0));
}

void block_sums(const Request& request) {
  const float* in = pointer<float>(request, 0);
  for (std::size_t i = 0; i < whole(request, 2); i += 256) {
    pointer<float>(request, 1)[i / 256] = static_cast<float>(std::accumulate(in + i, in + i + 256, 0.0));
  }
}

void dot(const Request& request) {
  const float *x = pointer<float>(request, 0), *y = pointer<float>(request, 1);
  *pointer<float>(request, 2) += static_cast<float>(std::inner_product(x, x + whole(request, 3), y, 0.0));
}

void copy(const Request& request) {
  const std::size_t n = whole(request, 2);
  std::copy_n(pointer<float>(request, 0), n * n, pointer<float>(request, 1));
}

void transpose(const Request& request) {
  const std::size_t n = whole(request, 2);
  const float* in = pointer<float>(request, 0);
  float* out = pointer<float>(request, 1);
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t col = 0; col < n; ++col) out[col * n + row] = in[row * n + col];
  }
}

void shared_stride(const Request& request) {
  const float* in = pointer<float>(request, 0);
  float* out = pointer<float>(request, 1);
  for (std::size_t block = 0; block < request.grid.x; ++block) {
    for (std::size_t thread = 0; thread < 256; ++thread) {
      const std::size_t first = thread % 32 * whole(request, 2) + thread / 32 * 32;
      float total = 0;
      for (std::size_t k = 0; k < 64; ++k) total += in[(first + k) % 4096];
      out[block * 256 + thread] = total;
    }
  }
}

void divergence(const Request& request) {
  const float* in = pointer<float>(request, 0);
  for (std::size_t i = 0; i < whole(request, 2); ++i) {
    const auto path = static_cast<float>(i % 256 % whole(request, 3));
    const float scale = std::fma(0.01F, path, 0.5F);
    float value = in[i];
    for (std::size_t k = 0; k < whole(request, 4); ++k) value = std::fma(value, scale, 0.25F);
    pointer<float>(request, 1)[i] = value;
  }
}

void histogram(const Request& request) {
  const std::uint8_t* in = pointer<std::uint8_t>(request, 0);
  for (std::size_t i = 0; i < whole(request, 2); ++i) ++pointer<std::uint32_t>(request, 1)[in[i]];
}

void stencil(const Request& request) {
  const float* in = pointer<float>(request, 0);
  float* out = pointer<float>(request, 1);
  const std::size_t width = whole(request, 2), height = whole(request, 3);
  std::copy_n(in, width * height, out);
  for (std::size_t y = 1; y + 1 < height; ++y) {
    for (std::size_t x = 1; x + 1 < width; ++x) {
      const float* at = in + y * width + x;
      out[y * width + x] = 0.5F * at[0] + 0.125F * (at[-1] + at[1] + at[-std::ptrdiff_t(width)] + at[width]);
    }
  }
}

void softmax(const Request& request) {
  const std::size_t columns = whole(request, 2);
  for (std::size_t row = 0; row < request.grid.x; ++row) {
    const float* in = pointer<float>(request, 0) + row * columns;
    float* out = pointer<float>(request, 1) + row * columns;
    const float top = *std::max_element(in, in + columns);
    double total = 0;
    for (std::size_t i = 0; i < columns; ++i) total += std::exp(in[i] - top);
    for (std::size_t i = 0; i < columns; ++i) out[i] = static_cast<float>(std::exp(in[i] - top) / total);
  }
}

void layernorm(const Request& request) {
  const std::size_t columns = whole(request, 2);
  const auto count = static_cast<double>(columns);
  for (std::size_t row = 0; row < request.grid.x; ++row) {
    const float* in = pointer<float>(request, 0) + row * columns;
    float* out = pointer<float>(request, 1) + row * columns;
    const double mean = std::accumulate(in, in + columns, 0.0) / count;
    double squares = 0;
    for (std::size_t i = 0; i < columns; ++i) squares += (in[i] - mean) * (in[i] - mean);
    const double scale = 1 / std::sqrt(squares / count + 1e-5);
    for (std::size_t i = 0; i < columns; ++i) out[i] = static_cast<float>((in[i] - mean) * scale);
  }
}

void gemm(const Request& request) {
  const std::size_t n = whole(request, 3);
  const float *a = pointer<float>(request, 0), *b = pointer<float>(request, 1);
  float* c = pointer<float>(request, 2);
  std::fill_n(c, n * n, 0.0F);
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t col = 0; col < n; ++col) c[row * n + col] += a[row * n + k] * b[k * n + col];
    }
  }
}

void gemm_bf16(const Request& request) {
  const std::size_t m = whole(request, 3), n = whole(request, 4), depth = whole(request, 5);
  const std::uint16_t *a = pointer<std::uint16_t>(request, 0), *b = pointer<std::uint16_t>(request, 1);
  for (std::size_t row = 0; row < m; ++row) {
    for (std::size_t col = 0; col < n; ++col) {
      float total = 0;
      for (std::size_t k = 0; k < depth; ++k) total += widened(a[row * depth + k]) * widened(b[col * depth + k]);
      pointer<std::uint16_t>(request, 2)[row * n + col] = narrowed(total);
    }
  }
}

}  // namespace

std::map<std::string, FakeDevice::Kernel, std::less<>> host_kernels() {
  std::map<std::string, FakeDevice::Kernel, std::less<>> all{{"vector_add", vector_add},
                                                             {"saxpy", saxpy},
                                                             {"sin_map", sines},
                                                             {"cos_map", cosines},
                                                             {"sin_cos_fused", sines_and_cosines},
                                                             {"strided_read", strided},
                                                             {"gathered_read", gathered},
                                                             {"reduce_vector", sum},
                                                             {"dot", dot},
                                                             {"transpose_copy", copy},
                                                             {"shared_stride", shared_stride},
                                                             {"divergence", divergence},
                                                             {"softmax_passes", softmax},
                                                             {"softmax_fused", softmax},
                                                             {"layernorm", layernorm},
                                                             {"gemm_mma_bf16", gemm_bf16},
                                                             {"gemm_wgmma_bf16", gemm_bf16}};
  for (const char* entry : {"reduce_interleaved", "reduce_sequential", "reduce_shuffle"}) all[entry] = block_sums;
  for (const char* entry : {"transpose_naive", "transpose_shared", "transpose_padded", "transpose_swizzled"}) {
    all[entry] = transpose;
  }
  for (const char* entry : {"histogram_global", "histogram_shared"}) all[entry] = histogram;
  for (const char* entry : {"stencil_direct", "stencil_rows"}) all[entry] = stencil;
  for (const char* entry : {"gemm_naive", "gemm_tiled", "gemm_register", "gemm_vector", "gemm_async"})
    all[entry] = gemm;
  return all;
}

}  // namespace ridge::test
