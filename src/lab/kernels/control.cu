// Control flow and contention: what happens when the 32 lanes of a warp do not do the same.

/// The lanes of a warp fall into `paths` groups (a power of two up to 32), each with its own loop: a warp runs them one
/// after another, so 32 / paths lanes work at a time. Grid n/256, block 256; steps FMAs a thread.
extern "C" __global__ void __launch_bounds__(256) divergence(const float* in, float* out, int n, int paths, int steps) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  float v = in[i];
  const int mine = threadIdx.x % paths;
  for (int path = 0; path < paths; ++path) {
    if (path != mine) continue;
    const float scale = 0.5f + 0.01f * static_cast<float>(path);
#pragma unroll 1
    for (int k = 0; k < steps; ++k) v = v * scale + 0.25f;
  }
  out[i] = v;
}

/// 256 bins, one global atomic an element. Grid n/256, block 256; counts start at 0.
extern "C" __global__ void __launch_bounds__(256) histogram_global(const unsigned char* in, unsigned* counts, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) atomicAdd(counts + in[i], 1u);
}

/// Each block counts in shared memory and adds 256 numbers at its end. n is a multiple of 4; grid 8 blocks per SM.
extern "C" __global__ void __launch_bounds__(256) histogram_shared(const unsigned* in, unsigned* counts, int n) {
  __shared__ unsigned bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  const int words = n / 4;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < words; i += gridDim.x * 256) {
    const unsigned four = in[i];
#pragma unroll
    for (int k = 0; k < 4; ++k) atomicAdd(bins + ((four >> (8 * k)) & 255u), 1u);
  }
  __syncthreads();
  if (bins[threadIdx.x] != 0) atomicAdd(counts + threadIdx.x, bins[threadIdx.x]);
}
