// One kernel for each part of the language that the lab's kernels leave out, for the tests of the PTX front end.
// nvcc -ptx -arch=sm_90 -std=c++17 -lineinfo language.cu -o language.ptx
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include <cstdio>

struct Shape {
  __device__ virtual float of(float x) const = 0;
};
struct Square : Shape {
  __device__ float of(float x) const override { return x * x; }
};
struct Root : Shape {
  __device__ float of(float x) const override { return sqrtf(x); }
};

__constant__ float table[64] = {1, 2, 3};
__device__ int counter = 5;
__device__ const float* pointer = table;

__device__ __noinline__ int factorial(int n) {
  return n < 2 ? 1 : n * factorial(n - 1);
}

__global__ void virtual_calls(float* x, int n, int which) {
  const Square square;
  const Root root;
  const Shape* shape = which != 0 ? static_cast<const Shape*>(&square) : &root;
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) x[i] = shape->of(x[i]) + factorial(i % 7) + table[i & 63] + pointer[0];
}

__global__ void prints(int n) {
  if (threadIdx.x == 0) printf("%d %s %f\n", n, "text", 1.5);
}

__global__ void halves(half2* x, __nv_bfloat162* y) {
  const int i = threadIdx.x;
  x[i] = __hfma2(x[i], x[i], h2exp(x[i]));
  x[i] = __hmax2(x[i], __hmin2(x[i], x[i + 1]));
  if (__hlt(x[i].x, x[i].y)) y[i] = __hfma2(y[i], y[i], __float2bfloat162_rn(2.0f));
}

__global__ void tensor(const half* a, const half* b, float* c) {
  using namespace nvcuda::wmma;
  fragment<matrix_a, 16, 16, 16, half, row_major> left;
  fragment<matrix_b, 16, 16, 16, half, col_major> right;
  fragment<accumulator, 16, 16, 16, float> sum;
  fill_fragment(sum, 0.0f);
  load_matrix_sync(left, a, 16);
  load_matrix_sync(right, b, 16);
  mma_sync(sum, left, right, sum);
  store_matrix_sync(c, sum, 16, mem_row_major);
}

__global__ void warps(int* out) {
  const int v = out[threadIdx.x];
  out[1] = __match_any_sync(~0u, v) + __reduce_max_sync(~0u, v) + __activemask() + __ballot_sync(~0u, v > 3);
  out[2] = __any_sync(~0u, v) + __shfl_up_sync(~0u, v, 1) + __syncthreads_count(v);
}

__global__ void atomics(int* a, float* f, double* d, unsigned long long* u, half2* h) {
  atomicAdd(a, 1);
  atomicCAS(a, 1, 2);
  a[1] = atomicExch(a, 3) + atomicMin(a, 4) + atomicInc(reinterpret_cast<unsigned*>(a), 7);
  atomicAdd(f, 1.0f);
  atomicAdd(d, 1.0);
  atomicMax(u, 5ULL);
  atomicAdd(h, *h);
  atomicAdd_system(a, 1);
  atomicAdd_block(a, 2);
  atomicAdd(&counter, 1);
}

__global__ void integers(int* x, long long* y, unsigned char* c) {
  const int i = threadIdx.x;
  x[i] = x[i] / 7 + x[i] % 13 + __popc(x[i]) + __clz(x[i]) + __brev(x[i]) + __ffs(x[i]) + __dp4a(x[i], x[i], 3) +
         __byte_perm(x[i], 3, 0x1234) + __funnelshift_l(x[i], 3, 5);
  y[i] = y[i] / x[i] + __mulhi(x[i], 77) + y[i] * y[i] + (y[i] >> x[i]);
  c[i] = c[i] * 3 + __vadd4(x[i], 5);
}

__global__ void vectors(float4* x, int4* y, const float4* __restrict__ z) {
  const int i = threadIdx.x;
  x[i] = __ldg(z + i);
  y[i] = __ldcs(y + i + 1);
  __stcg(y + i, y[i + 3]);
  __nanosleep(10);
}

__global__ void indexed(float* x) {
  float a[20];
  for (int i = 0; i < 20; ++i) a[i] = x[i];
  for (int i = 0; i < 20; ++i) x[i] = a[static_cast<int>(x[i]) % 20];
  switch (static_cast<int>(x[0])) {
    case 0:
      x[1] = 2;
      break;
    case 1:
      x[1] = 3;
      break;
    case 2:
      x[5] = 3;
      break;
    case 3:
      x[6] = 8;
      break;
    case 4:
      x[7] = 9;
      break;
    case 5:
      x[8] = 11;
      break;
  }
}

__global__ void textures(cudaTextureObject_t texture, cudaSurfaceObject_t surface, float* out) {
  out[threadIdx.x] = tex2D<float>(texture, threadIdx.x, 0.5f) + tex1Dfetch<float>(texture, 3);
  surf2Dwrite(1.0f, surface, 4, 4);
}
