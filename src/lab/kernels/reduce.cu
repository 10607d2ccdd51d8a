// Sums. The ladder climbs from instruction overhead to the read bandwidth of DRAM.
//
//   interleaved  the classic first try: modulo, half of each warp idle, one element a thread
//   sequential   a tree whose active threads stay together
//   shuffle      the last 32 values never touch shared memory
//   vector       16-byte loads, eight in flight per thread, one pass of a grid that just fills the chip
// The first three: grid n/256, block 256, one partial sum a block in out[n/256]; an atomicAdd of each to one address
// would take L2 two nanoseconds a block and hide everything else. vector and dot: grid 16 blocks per SM, block 256;
// their few partial sums meet in atomicAdd, so the order of additions, and the last bits, vary.

namespace {

__device__ __forceinline__ float warp_sum(float v) {
#pragma unroll
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(~0u, v, d);
  return v;
}

/// The sum over a block of 256, valid in thread 0.
__device__ __forceinline__ float block_sum(float v) {
  __shared__ float partial[8];
  v = warp_sum(v);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x >= 32) return 0;
  v = threadIdx.x < 8 ? partial[threadIdx.x] : 0.0f;
#pragma unroll
  for (int d = 4; d > 0; d /= 2) v += __shfl_xor_sync(~0u, v, d);
  return v;
}

__device__ __forceinline__ float sum4(float4 v) {
  return (v.x + v.y) + (v.z + v.w);
}

}  // namespace

extern "C" __global__ void __launch_bounds__(256) reduce_interleaved(const float* in, float* out, int n) {
  __shared__ float tile[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  tile[threadIdx.x] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int d = 1; d < 256; d *= 2) {
    if (threadIdx.x % (2 * d) == 0) tile[threadIdx.x] += tile[threadIdx.x + d];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = tile[0];
}

extern "C" __global__ void __launch_bounds__(256) reduce_sequential(const float* in, float* out, int n) {
  __shared__ float tile[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  tile[threadIdx.x] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int d = 128; d > 0; d /= 2) {
    if (threadIdx.x < d) tile[threadIdx.x] += tile[threadIdx.x + d];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = tile[0];
}

extern "C" __global__ void __launch_bounds__(256) reduce_shuffle(const float* in, float* out, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  const float sum = block_sum(i < n ? in[i] : 0.0f);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

/// n is a multiple of 4.
extern "C" __global__ void __launch_bounds__(256) reduce_vector(const float4* in, float* out, int n) {
  constexpr int kInFlight = 8;
  const size_t count = n / 4, stride = static_cast<size_t>(gridDim.x) * 256;
  size_t i = blockIdx.x * size_t{256} + threadIdx.x;
  float sum = 0;
  for (; i + (kInFlight - 1) * stride < count; i += kInFlight * stride) {
    float4 v[kInFlight];
#pragma unroll
    for (int k = 0; k < kInFlight; ++k) v[k] = __ldcs(in + i + k * stride);
#pragma unroll
    for (int k = 0; k < kInFlight; ++k) sum += sum4(v[k]);
  }
  for (; i < count; i += stride) sum += sum4(in[i]);
  sum = block_sum(sum);
  if (threadIdx.x == 0) atomicAdd(out, sum);
}

/// n is a multiple of 4.
extern "C" __global__ void __launch_bounds__(256) dot(const float4* x, const float4* y, float* out, int n) {
  constexpr int kInFlight = 2;
  const size_t count = n / 4, stride = static_cast<size_t>(gridDim.x) * 256;
  size_t i = blockIdx.x * size_t{256} + threadIdx.x;
  float sum = 0;
  for (; i + (kInFlight - 1) * stride < count; i += kInFlight * stride) {
    float4 v[kInFlight], w[kInFlight];
#pragma unroll
    for (int k = 0; k < kInFlight; ++k) v[k] = x[i + k * stride], w[k] = y[i + k * stride];
#pragma unroll
    for (int k = 0; k < kInFlight; ++k) {
      sum += v[k].x * w[k].x;
      sum += v[k].y * w[k].y;
      sum += v[k].z * w[k].z;
      sum += v[k].w * w[k].w;
    }
  }
  for (; i < count; i += stride) {
    const float4 v = x[i], w = y[i];
    sum += v.x * w.x;
    sum += v.y * w.y;
    sum += v.z * w.z;
    sum += v.w * w.w;
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) atomicAdd(out, sum);
}
