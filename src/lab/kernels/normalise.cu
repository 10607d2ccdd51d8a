// Row-wise softmax and layer normalisation, fp32. Reading a row once instead of three times is the lesson.
//
// Grid rows, block 256; columns are a multiple of 4, at most 8192 for the fused kernels (a row stays in registers).

namespace {

struct Sum {
  static __device__ __forceinline__ float join(float a, float b) { return a + b; }
};
struct Max {
  static __device__ __forceinline__ float join(float a, float b) { return fmaxf(a, b); }
  static constexpr float kNeutral = -3.402823466e38f;
};

/// The joined value of the block, in every thread.
template <class Join>
__device__ __forceinline__ float block_join(float v) {
  __shared__ float partial[8];
#pragma unroll
  for (int d = 16; d > 0; d /= 2) v = Join::join(v, __shfl_xor_sync(~0u, v, d));
  __syncthreads();
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = v;
  __syncthreads();
  v = partial[threadIdx.x % 8];
#pragma unroll
  for (int d = 4; d > 0; d /= 2) v = Join::join(v, __shfl_xor_sync(~0u, v, d));
  return v;
}

constexpr int kChunks = 8;  // 256 threads x 8 chunks x 4 words = 8192 columns

__device__ __forceinline__ void read_row(const float* row, int columns, float4 (&v)[kChunks], float fill) {
#pragma unroll
  for (int k = 0; k < kChunks; ++k) {
    const int at = (k * 256 + threadIdx.x) * 4;
    v[k] = at < columns ? *reinterpret_cast<const float4*>(row + at) : make_float4(fill, fill, fill, fill);
  }
}

__device__ __forceinline__ void write_row(float* row, int columns, const float4 (&v)[kChunks]) {
#pragma unroll
  for (int k = 0; k < kChunks; ++k) {
    const int at = (k * 256 + threadIdx.x) * 4;
    if (at < columns) *reinterpret_cast<float4*>(row + at) = v[k];
  }
}

__device__ __forceinline__ float sum4(float4 v) {
  return (v.x + v.y) + (v.z + v.w);
}

}  // namespace

/// Three passes over the row: maximum, sum of exponentials, result.
extern "C" __global__ void __launch_bounds__(256) softmax_passes(const float* in, float* out, int columns) {
  in += static_cast<size_t>(blockIdx.x) * columns;
  out += static_cast<size_t>(blockIdx.x) * columns;
  float top = Max::kNeutral, sum = 0;
  for (int i = threadIdx.x; i < columns; i += 256) top = fmaxf(top, in[i]);
  top = block_join<Max>(top);
  for (int i = threadIdx.x; i < columns; i += 256) sum += __expf(in[i] - top);
  sum = block_join<Sum>(sum);
  for (int i = threadIdx.x; i < columns; i += 256) out[i] = __expf(in[i] - top) / sum;
}

extern "C" __global__ void __launch_bounds__(256) softmax_fused(const float* in, float* out, int columns) {
  float4 v[kChunks];
  read_row(in + static_cast<size_t>(blockIdx.x) * columns, columns, v, Max::kNeutral);
  float top = Max::kNeutral, sum = 0;
#pragma unroll
  for (int k = 0; k < kChunks; ++k) top = fmaxf(top, fmaxf(fmaxf(v[k].x, v[k].y), fmaxf(v[k].z, v[k].w)));
  top = block_join<Max>(top);
#pragma unroll
  for (int k = 0; k < kChunks; ++k) {
    v[k] = make_float4(__expf(v[k].x - top), __expf(v[k].y - top), __expf(v[k].z - top), __expf(v[k].w - top));
    sum += sum4(v[k]);
  }
  const float scale = 1.0f / block_join<Sum>(sum);
#pragma unroll
  for (int k = 0; k < kChunks; ++k) v[k] = make_float4(v[k].x * scale, v[k].y * scale, v[k].z * scale, v[k].w * scale);
  write_row(out + static_cast<size_t>(blockIdx.x) * columns, columns, v);
}

/// Mean and variance of the row in registers, then (x - mean) / sqrt(variance + 1e-5); no affine part.
extern "C" __global__ void __launch_bounds__(256) layernorm(const float* in, float* out, int columns) {
  float4 v[kChunks];
  read_row(in + static_cast<size_t>(blockIdx.x) * columns, columns, v, 0.0f);
  float sum = 0, squares = 0;
#pragma unroll
  for (int k = 0; k < kChunks; ++k) sum += sum4(v[k]);
  const float mean = block_join<Sum>(sum) / static_cast<float>(columns);
#pragma unroll
  for (int k = 0; k < kChunks; ++k) {
    const bool inside = (k * 256 + static_cast<int>(threadIdx.x)) * 4 < columns;
    const float4 d = make_float4(v[k].x - mean, v[k].y - mean, v[k].z - mean, v[k].w - mean);
    if (inside) squares += (d.x * d.x + d.y * d.y) + (d.z * d.z + d.w * d.w);
    v[k] = d;
  }
  const float scale = rsqrtf(block_join<Sum>(squares) / static_cast<float>(columns) + 1e-5f);
#pragma unroll
  for (int k = 0; k < kChunks; ++k) v[k] = make_float4(v[k].x * scale, v[k].y * scale, v[k].z * scale, v[k].w * scale);
  write_row(out + static_cast<size_t>(blockIdx.x) * columns, columns, v);
}
