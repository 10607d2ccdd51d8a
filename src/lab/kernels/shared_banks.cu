// Shared memory read with a stride: 32 banks of 4 bytes, so a stride of s words makes gcd(s, 32) lanes meet in one
// bank.
//
// Each thread adds kReads words of its block's 16 KiB; only the stride changes. Odd strides are free, 32 is the worst.
// Grid: any; block 256; out has one word a thread.

extern "C" __global__ void __launch_bounds__(256) shared_stride(const float* in, float* out, int stride) {
  constexpr int kWords = 4096, kReads = 64;
  __shared__ float tile[kWords];
  for (int i = threadIdx.x; i < kWords; i += 256) tile[i] = in[i];
  __syncthreads();
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float sum = 0;
#pragma unroll 8
  for (int k = 0; k < kReads; ++k) sum += tile[(lane * stride + warp * 32 + k) % kWords];
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}
