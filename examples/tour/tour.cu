// A tour of what holds kernels back: eighteen launches whose recording is bundled in tests/data/h200.
//
//   nvcc -O3 -std=c++17 -lineinfo -gencode arch=compute_90a,code=sm_90a -o tour tour.cu
//   ncu --set full --import-source no --clock-control none -o tour ./tour
//
// Each kernel teaches one limit; its work is stated beside its launch. Inputs are pseudo-random, results are
// spot-checked.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                         \
  do {                                                                      \
    const cudaError_t status_ = (call);                                     \
    if (status_ != cudaSuccess) {                                           \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(status_)); \
      std::exit(1);                                                         \
    }                                                                       \
  } while (0)

__global__ void fill(float* out, size_t n, unsigned seed) {
  const size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (i >= n) return;
  unsigned x = unsigned(i) * 2654435761u ^ seed;
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  out[i] = float(x & 0xffff) / 65536.0f - 0.5f;
}

// --- Streaming: bound by DRAM
// -----------------------------------------------------------------------------------------
__global__ void vector_add(const float* a, const float* b, float* c, size_t n) {
  const size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}
__global__ void saxpy(float s, const float* x, float* y, size_t n) {
  const size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (i < n) y[i] = s * x[i] + y[i];
}
__global__ void dot(const float* x, const float* y, float* out, size_t n) {
  __shared__ float partial[256];
  float sum = 0;
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x) {
    sum += x[i] * y[i];
  }
  partial[threadIdx.x] = sum;
  __syncthreads();
  for (int k = 128; k > 0; k /= 2) {
    if (threadIdx.x < k) partial[threadIdx.x] += partial[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(out, partial[0]);
}
__global__ void sine(const float* x, float* y, size_t n) {
  const size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (i < n) y[i] = sinf(x[i]);
}
/// Packed half arithmetic: 2 FLOP per half, 4 per thread instruction.
__global__ void half_axpy(__half2 s, const __half2* x, __half2* y, size_t n, int repeats) {
  const size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (i >= n) return;
  __half2 v = y[i];
  const __half2 w = x[i];
  for (int k = 0; k < repeats; ++k) v = __hfma2(s, v, w);
  y[i] = v;
}

// --- Matrix products -------------------------------------------------------------------------------------------------
__global__ void gemm_naive(const float* a, const float* b, float* c, int n) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col >= n || row >= n) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + col];
  c[row * n + col] = sum;
}
template <int kTile>
__global__ void gemm_tiled(const float* a, const float* b, float* c, int n) {
  __shared__ float tile_a[kTile][kTile], tile_b[kTile][kTile];
  const int col = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  float sum = 0;
  for (int t = 0; t < n / kTile; ++t) {
    tile_a[threadIdx.y][threadIdx.x] = a[row * n + t * kTile + threadIdx.x];
    tile_b[threadIdx.y][threadIdx.x] = b[(t * kTile + threadIdx.y) * n + col];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + col] = sum;
}
/// Tensor cores through mma.sync: one warp a 16x16 tile, operands straight from global memory.
__global__ void gemm_wmma(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c, int n) {
  namespace wmma = nvcuda::wmma;
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int tiles = n / 16;
  const int row = warp / tiles * 16, col = warp % tiles * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
  wmma::fill_fragment(acc, 0.0f);
  for (int k = 0; k < n; k += 16) {
    wmma::load_matrix_sync(fa, a + row * n + k, n);
    wmma::load_matrix_sync(fb, b + k * n + col, n);
    wmma::mma_sync(acc, fa, fb, acc);
  }
  wmma::store_matrix_sync(c + row * n + col, acc, n, wmma::mem_row_major);
}
__global__ void gemm_double(const double* a, const double* b, double* c, int n) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  double sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + col];
  c[row * n + col] = sum;
}

// --- Access patterns
// --------------------------------------------------------------------------------------------------
__global__ void transpose_naive(const float* in, float* out, int n) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) out[x * size_t(n) + y + j] = in[(y + j) * size_t(n) + x];
}
template <int kPad>
__global__ void transpose_shared(const float* in, float* out, int n) {
  __shared__ float tile[32][32 + kPad];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * size_t(n) + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) out[(y + j) * size_t(n) + x] = tile[threadIdx.x][threadIdx.y + j];
}
__global__ void gather_strided(const float* in, float* out, size_t n, int stride) {
  const size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  out[i] = in[(i * stride) % n];
}

// --- Other limits
// -----------------------------------------------------------------------------------------------------
/// Each lane loops a different number of times: most lanes wait for the slowest of their warp.
__global__ void divergent(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = in[i];
  for (int k = 0; k < (i % 32) * 16; ++k) v = v * 0.999f + 0.001f;
  out[i] = v;
}
/// An array indexed at run time lives in local memory.
__global__ void spilled(const float* in, float* out, const int* order, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float window[64];
  for (int k = 0; k < 64; ++k) window[k] = in[(i + k * 97) % n];
  float sum = 0;
  for (int k = 0; k < 64; ++k) sum += window[order[k]] * float(k);
  out[i] = sum;
}
/// One dependent chain per thread and one block more than fits: latency, then a tail.
__global__ void chain(float* out, int steps) {
  float v = float(threadIdx.x);
  for (int k = 0; k < steps; ++k) v = v * 1.0001f + 0.5f;
  out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}
__global__ void tiny(float* out) {
  out[threadIdx.x] += 1.0f;
}

__global__ void to_bfloat(const float* in, __nv_bfloat16* out, size_t n) {
  const size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (i < n) out[i] = __float2bfloat16(in[i]);
}
__global__ void to_double(const float* in, double* out, size_t n) {
  const size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (i < n) out[i] = in[i];
}

static unsigned blocks(size_t n) {
  return unsigned((n + 255) / 256);
}

static void check_gemm(const float* a, const float* b, const float* c, int n, const char* name) {
  float *ha = new float[n], *hb = new float[size_t(n) * n], got = 0;
  const int row = n / 3, col = n / 5;
  CHECK(cudaMemcpy(ha, a + size_t(row) * n, n * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(hb, b, size_t(n) * n * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(&got, c + size_t(row) * n + col, sizeof got, cudaMemcpyDeviceToHost));
  double want = 0;
  for (int k = 0; k < n; ++k) want += double(ha[k]) * hb[size_t(k) * n + col];
  if (!(std::fabs(got - want) < 0.02 * std::sqrt(double(n)))) std::printf("WRONG %s %g %g\n", name, got, want);
  delete[] ha;
  delete[] hb;
}

int main() {
  const size_t n = 100000000;
  const int large = 8192;
  float *a, *b, *c;
  CHECK(cudaMalloc(&a, n * sizeof(float)));
  CHECK(cudaMalloc(&b, n * sizeof(float)));
  CHECK(cudaMalloc(&c, n * sizeof(float)));
  fill<<<blocks(n), 256>>>(a, n, 1u);
  fill<<<blocks(n), 256>>>(b, n, 2u);
  CHECK(cudaMemset(c, 0, n * sizeof(float)));
  __nv_bfloat16 *ha, *hb;
  double *da, *db, *dc;
  int* order;
  const int tensor_n = 2048, double_n = 1024;
  CHECK(cudaMalloc(&ha, size_t(tensor_n) * tensor_n * 2));
  CHECK(cudaMalloc(&hb, size_t(tensor_n) * tensor_n * 2));
  CHECK(cudaMalloc(&da, size_t(double_n) * double_n * 8));
  CHECK(cudaMalloc(&db, size_t(double_n) * double_n * 8));
  CHECK(cudaMalloc(&dc, size_t(double_n) * double_n * 8));
  CHECK(cudaMalloc(&order, 64 * sizeof(int)));
  int host_order[64];
  for (int k = 0; k < 64; ++k) host_order[k] = (k * 37) % 64;
  CHECK(cudaMemcpy(order, host_order, sizeof host_order, cudaMemcpyHostToDevice));
  to_bfloat<<<blocks(size_t(tensor_n) * tensor_n), 256>>>(a, ha, size_t(tensor_n) * tensor_n);
  to_bfloat<<<blocks(size_t(tensor_n) * tensor_n), 256>>>(b, hb, size_t(tensor_n) * tensor_n);
  to_double<<<blocks(size_t(double_n) * double_n), 256>>>(a, da, size_t(double_n) * double_n);
  to_double<<<blocks(size_t(double_n) * double_n), 256>>>(b, db, size_t(double_n) * double_n);

  vector_add<<<blocks(n), 256>>>(a, b, c, n);  // 1e8 FLOP, 1.2 GB
  saxpy<<<blocks(n), 256>>>(2.0f, a, c, n);    // 2e8 FLOP, 1.2 GB
  dot<<<132 * 8, 256>>>(a, b, c, n);           // about 2e8 FLOP, 0.8 GB
  sine<<<blocks(n), 256>>>(a, c, n);           // 0.8 GB
  half_axpy<<<blocks(n / 2), 256>>>(__float2half2_rn(0.5f), reinterpret_cast<__half2*>(a),
                                    reinterpret_cast<__half2*>(c), n / 2, 64);  // 64 x 4 x 5e7 FLOP
  for (const int size : {1024, 4096}) {                                         // 2 n^3 FLOP
    const dim3 block(32, 32), grid(size / 32, size / 32);
    gemm_naive<<<grid, block>>>(a, b, c, size);
    check_gemm(a, b, c, size, "gemm_naive");
    gemm_tiled<32><<<grid, block>>>(a, b, c, size);
    check_gemm(a, b, c, size, "gemm_tiled");
  }
  gemm_wmma<<<tensor_n / 16 * tensor_n / 16 / 8, 256>>>(ha, hb, c, tensor_n);  // 2 n^3 FLOP
  check_gemm(a, b, c, tensor_n, "gemm_wmma");
  gemm_double<<<dim3(double_n / 32, double_n / 32), dim3(32, 32)>>>(da, db, dc, double_n);  // 2 n^3 FLOP
  const dim3 block(32, 8), grid(large / 32, large / 32);                                    // 0.54 GB each
  transpose_naive<<<grid, block>>>(a, c, large);
  transpose_shared<0><<<grid, block>>>(a, c, large);
  transpose_shared<1><<<grid, block>>>(a, c, large);
  gather_strided<<<(1 << 24) / 256, 256>>>(a, c, n, 16);  // 2^24 elements
  divergent<<<blocks(1 << 24), 256>>>(a, c, 1 << 24);
  spilled<<<blocks(1 << 22), 256>>>(a, c, order, 1 << 22);
  chain<<<133, 1024>>>(c, 20000);
  tiny<<<1, 32>>>(c);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaGetLastError());
  std::printf("done\n");
  return 0;
}
