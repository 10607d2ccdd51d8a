// A program that measures ranges of its own and prints what it reads back: what ridgepoint/range.h is for.
//
//   adaptive
//
// Prints a line of JSON for each range, with what the program knows of it: {"range": ..., "seconds": ..., ...,
// "known_bytes": bytes that its kernels read, and as many written}. Figures that are absent are null. Ends with 1 if a
// result is wrong, which replaying launches inside a range would make.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "ridgepoint/range.h"

namespace {

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "adaptive: %s: %s\n", what, cudaGetErrorString(status));
  std::exit(2);
}

// Far more than L2 holds: what is read comes from DRAM, and what is written goes there, but for what is in L2 at the
// end.
constexpr long kElements = 256L << 20;  // of 4 bytes

__global__ void copy(const float4* from, float4* to, long n) {
  const long stride = long(gridDim.x) * blockDim.x;
  for (long i = long(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride) to[i] = from[i];
}

__global__ void increase(float* data, long n) {
  const long stride = long(gridDim.x) * blockDim.x;
  for (long i = long(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride) data[i] += 1;
}

void print(const char* name, const std::optional<double>& value) {
  std::printf(value ? ", \"%s\": %.9g" : ", \"%s\": null", name, value.value_or(0));
}

void report(const char* name, const ridge::RangeFigures& figures, double known_bytes) {
  std::printf("{\"range\": \"%s\", \"seconds\": %.9f, \"known_bytes\": %.0f", name, figures.seconds, known_bytes);
  print("kernel_seconds", figures.kernel_seconds);
  print("launches", figures.launches ? std::optional<double>(double(*figures.launches)) : std::nullopt);
  print("dram_read_bytes", figures.dram_read_bytes);
  print("dram_write_bytes", figures.dram_write_bytes);
  print("warp_instructions", figures.warp_instructions);
  std::printf("}\n");
}

float* buffer() {
  float* data = nullptr;
  check(cudaMalloc(&data, size_t(kElements) * sizeof(float)), "cudaMalloc");
  check(cudaMemset(data, 0, size_t(kElements) * sizeof(float)), "cudaMemset");
  return data;
}

}  // namespace

int main() {
  float* from = buffer();
  float* to = buffer();
  check(cudaDeviceSynchronize(), "cudaMemset");
  constexpr double kBytes = double(kElements) * sizeof(float);
  int increased = 0;
  for (int round = 0; round < 5; ++round) {
    {
      ridge::Range range("between");
      increase<<<1056, 256>>>(from, kElements);
      ++increased;
    }
    ridge::MeasuredRange copies("copies");
    for (int i = 0; i < 4; ++i) {
      copy<<<1056, 256>>>(reinterpret_cast<const float4*>(from), reinterpret_cast<float4*>(to), kElements / 4);
    }
    report("copies", copies.end(), 4 * kBytes);
    ridge::MeasuredRange steps("steps");
    for (int i = 0; i < 10; ++i) increase<<<1056, 256>>>(from, kElements);
    increased += 10;
    report("steps", steps.end(), 10 * kBytes);
    ridge::MeasuredRange none("nothing");
    report("nothing", none.end(), 0);
  }
  check(cudaGetLastError(), "launch");
  float first = -1, last = -1;
  check(cudaMemcpy(&first, from, sizeof first, cudaMemcpyDeviceToHost), "cudaMemcpy");
  check(cudaMemcpy(&last, to + kElements - 1, sizeof last, cudaMemcpyDeviceToHost), "cudaMemcpy");
  const float copied = float(increased - 10);  // the last copy was before the last steps
  if (first == float(increased) && last == copied) return 0;
  std::fprintf(stderr, "adaptive: results are %g and %g, expected %d and %g\n", first, last, increased, copied);
  return 1;
}
