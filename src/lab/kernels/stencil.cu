// A five-point stencil on a width x height grid, out = c0 centre + c1 (left + right + up + down); borders are copied.
//
//   direct  each value is asked for up to five times; L1 answers four of them
//   rows    a thread walks down a column strip and keeps three rows in registers: vertical neighbours cost nothing
// 6 FLOP an inner point (3 additions, one multiplication, one FMA). width is a multiple of 32.

namespace {

__device__ __forceinline__ float weigh(float centre, float left, float right, float up, float down) {
  return 0.5f * centre + 0.125f * ((left + right) + (up + down));
}

}  // namespace

/// Grid (width/32, height/8), block (32, 8).
extern "C" __global__ void __launch_bounds__(256) stencil_direct(const float* in, float* out, int width, int height) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= width || y >= height) return;
  const size_t at = static_cast<size_t>(y) * width + x;
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
    out[at] = in[at];
    return;
  }
  out[at] = weigh(in[at], in[at - 1], in[at + 1], in[at - width], in[at + width]);
}

/// Grid (width/128, height/16), block 128: each thread 16 points of one column. height is a multiple of 16.
extern "C" __global__ void __launch_bounds__(128) stencil_rows(const float* in, float* out, int width, int height) {
  constexpr int kRows = 16;
  const int x = blockIdx.x * 128 + threadIdx.x, y0 = blockIdx.y * kRows;
  if (x >= width) return;
  size_t at = static_cast<size_t>(y0) * width + x;
  const bool edge_column = x == 0 || x == width - 1;
  float up = y0 > 0 ? in[at - width] : 0.0f, centre = in[at];
#pragma unroll 4
  for (int y = y0; y < y0 + kRows; ++y, at += width) {
    const float down = y + 1 < height ? in[at + width] : 0.0f;
    const bool edge = edge_column || y == 0 || y == height - 1;
    out[at] = edge ? centre : weigh(centre, in[at - 1], in[at + 1], up, down);
    up = centre;
    centre = down;
  }
}
