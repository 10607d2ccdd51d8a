// The transpose ladder: out = in^T, n x n fp32, no FLOP at all; best case 8 n^2 bytes. Only the access pattern differs.
//
//   copy      the ceiling: the same bytes, nothing transposed
//   naive     rows are read in order, columns written with stride n: 32 sectors a request, 8 needed bytes of 32
//   shared    a 32x32 tile in shared memory makes both sides coalesced, but its columns lie in one bank
//   padded    one more column moves each row to the next bank: no conflict
//   swizzled  64x64 tiles, 16-byte accesses, XOR instead of padding: more bytes in flight per thread; and blocks that
//             run together write into the same rows
//
// Grid (n/32, n/32), block (32, 8); swizzled and copy: grid (n/64, n/64), block 256. n is a multiple of 64.

extern "C" __global__ void __launch_bounds__(256) transpose_copy(const float* in, float* out, int n) {
  const int x = blockIdx.x * 64 + threadIdx.x % 16 * 4, y = blockIdx.y * 64 + threadIdx.x / 16;
  float4 v[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) v[i] = *reinterpret_cast<const float4*>(in + static_cast<size_t>(y + i * 16) * n + x);
#pragma unroll
  for (int i = 0; i < 4; ++i) *reinterpret_cast<float4*>(out + static_cast<size_t>(y + i * 16) * n + x) = v[i];
}

extern "C" __global__ void __launch_bounds__(256) transpose_naive(const float* in, float* out, int n) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
  for (int j = 0; j < 32; j += 8) out[static_cast<size_t>(x) * n + y + j] = in[static_cast<size_t>(y + j) * n + x];
}

namespace {

template <int kPad>
__device__ __forceinline__ void transpose_through_shared(const float* in, float* out, int n) {
  __shared__ float tile[32][32 + kPad];
  const int x = blockIdx.x * 32, y = blockIdx.y * 32;
#pragma unroll
  for (int j = 0; j < 32; j += 8) {
    tile[threadIdx.y + j][threadIdx.x] = in[static_cast<size_t>(y + threadIdx.y + j) * n + x + threadIdx.x];
  }
  __syncthreads();
#pragma unroll
  for (int j = 0; j < 32; j += 8) {
    out[static_cast<size_t>(x + threadIdx.y + j) * n + y + threadIdx.x] = tile[threadIdx.x][threadIdx.y + j];
  }
}

}  // namespace

extern "C" __global__ void __launch_bounds__(256) transpose_shared(const float* in, float* out, int n) {
  transpose_through_shared<0>(in, out, n);
}
extern "C" __global__ void __launch_bounds__(256) transpose_padded(const float* in, float* out, int n) {
  transpose_through_shared<1>(in, out, n);
}

/// Word (row, col) of the tile lies at row * 64 + (col ^ f(row)), f in steps of four words so that 16-byte stores stay
/// whole. Blocks with neighbouring x start together; they take tiles of one column of `in`, so that what they write
/// lies side by side: DRAM minds scattered writes more than scattered reads (99 % of the copy on an H200, 97 %
/// otherwise).
extern "C" __global__ void __launch_bounds__(256) transpose_swizzled(const float* in, float* out, int n) {
  __shared__ __align__(16) float tile[64 * 64];
  const int column = threadIdx.x % 16, row = threadIdx.x / 16;
  const int x = blockIdx.y * 64, y = blockIdx.x * 64;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const int r = row + i * 16;
    const float4 v = *reinterpret_cast<const float4*>(in + static_cast<size_t>(y + r) * n + x + column * 4);
    *reinterpret_cast<float4*>(tile + r * 64 + ((column ^ (r / 4)) * 4)) = v;
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const int c = row + i * 16;  // column of the tile = row of the output
    float v[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const int r = column * 4 + k;
      v[k] = tile[r * 64 + (((c / 4) ^ (r / 4)) * 4) + c % 4];
    }
    *reinterpret_cast<float4*>(out + static_cast<size_t>(x + c) * n + y + column * 4) =
        make_float4(v[0], v[1], v[2], v[3]);
  }
}
