// The fp32 matrix-product ladder: C = A B, all row-major n x n, FP32 on ordinary cores (FMA = 2 FLOP, 2 n^3 in all).
//
//   naive      every operand of every FMA comes from global memory
//   tiled      a 32x32 tile of A and B is shared by a block: global traffic / 32
//   register   each thread computes 8x8 outputs: shared traffic / 8
//   vector     16-byte loads from global and shared memory: fewer instructions for the same bytes
//   async      cp.async fills a ring of tiles while the FMAs run: the copy no longer stands in the FMAs' way
//
// Launch shapes are stated in src/lab/declare. n must be a multiple of the tile; the host refuses others.
#include <cuda_pipeline.h>

namespace {

__device__ __forceinline__ void store(float* c, int n, int row, int col, float value) {
  c[static_cast<size_t>(row) * n + col] = value;
}

}  // namespace

/// One thread an output: grid (n/32, n/32), block (32, 32).
extern "C" __global__ void __launch_bounds__(1024) gemm_naive(const float* a, const float* b, float* c, int n) {
  const int col = blockIdx.x * 32 + threadIdx.x;
  const int row = blockIdx.y * 32 + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[static_cast<size_t>(row) * n + k] * b[static_cast<size_t>(k) * n + col];
  store(c, n, row, col, sum);
}

extern "C" __global__ void __launch_bounds__(1024) gemm_tiled(const float* a, const float* b, float* c, int n) {
  __shared__ float tile_a[32][32], tile_b[32][32];
  const int col = blockIdx.x * 32 + threadIdx.x;
  const int row = blockIdx.y * 32 + threadIdx.y;
  float sum = 0;
  for (int k0 = 0; k0 < n; k0 += 32) {
    tile_a[threadIdx.y][threadIdx.x] = a[static_cast<size_t>(row) * n + k0 + threadIdx.x];
    tile_b[threadIdx.y][threadIdx.x] = b[static_cast<size_t>(k0 + threadIdx.y) * n + col];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 32; ++k) sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
    __syncthreads();
  }
  store(c, n, row, col, sum);
}

/// 128x128 outputs a block, 8x8 a thread: grid (n/128, n/128), block 256.
extern "C" __global__ void __launch_bounds__(256) gemm_register(const float* a, const float* b, float* c, int n) {
  constexpr int kBlock = 128, kDepth = 8, kThread = 8;
  __shared__ float tile_a[kDepth][kBlock + 1], tile_b[kDepth][kBlock];
  const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  const int row0 = blockIdx.y * kBlock, col0 = blockIdx.x * kBlock;
  float sum[kThread][kThread] = {};
  for (int k0 = 0; k0 < n; k0 += kDepth) {
#pragma unroll
    for (int i = 0; i < kBlock * kDepth / 256; ++i) {
      const int at = threadIdx.x + i * 256;
      tile_a[at % kDepth][at / kDepth] = a[static_cast<size_t>(row0 + at / kDepth) * n + k0 + at % kDepth];
      tile_b[at / kBlock][at % kBlock] = b[static_cast<size_t>(k0 + at / kBlock) * n + col0 + at % kBlock];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kDepth; ++k) {
      float left[kThread], right[kThread];
#pragma unroll
      for (int i = 0; i < kThread; ++i) left[i] = tile_a[k][ty + 16 * i];
#pragma unroll
      for (int j = 0; j < kThread; ++j) right[j] = tile_b[k][tx + 16 * j];
#pragma unroll
      for (int i = 0; i < kThread; ++i) {
#pragma unroll
        for (int j = 0; j < kThread; ++j) sum[i][j] += left[i] * right[j];
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < kThread; ++i) {
#pragma unroll
    for (int j = 0; j < kThread; ++j) store(c, n, row0 + ty + 16 * i, col0 + tx + 16 * j, sum[i][j]);
  }
}

/// As gemm_register, with every global and shared access 16 bytes wide.
extern "C" __global__ void __launch_bounds__(256) gemm_vector(const float* a, const float* b, float* c, int n) {
  constexpr int kBlock = 128, kDepth = 8;
  __shared__ float tile_a[kDepth][kBlock + 4], tile_b[kDepth][kBlock];
  const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  const int row0 = blockIdx.y * kBlock, col0 = blockIdx.x * kBlock;
  const int a_row = threadIdx.x / 2, a_col = threadIdx.x % 2 * 4;
  const int b_row = threadIdx.x / 32, b_col = threadIdx.x % 32 * 4;
  float sum[8][8] = {};
  for (int k0 = 0; k0 < n; k0 += kDepth) {
    const float4 va = *reinterpret_cast<const float4*>(a + static_cast<size_t>(row0 + a_row) * n + k0 + a_col);
    const float4 vb = *reinterpret_cast<const float4*>(b + static_cast<size_t>(k0 + b_row) * n + col0 + b_col);
    tile_a[a_col + 0][a_row] = va.x;
    tile_a[a_col + 1][a_row] = va.y;
    tile_a[a_col + 2][a_row] = va.z;
    tile_a[a_col + 3][a_row] = va.w;
    *reinterpret_cast<float4*>(&tile_b[b_row][b_col]) = vb;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kDepth; ++k) {
      float left[8], right[8];
      *reinterpret_cast<float4*>(left) = *reinterpret_cast<const float4*>(&tile_a[k][ty * 4]);
      *reinterpret_cast<float4*>(left + 4) = *reinterpret_cast<const float4*>(&tile_a[k][64 + ty * 4]);
      *reinterpret_cast<float4*>(right) = *reinterpret_cast<const float4*>(&tile_b[k][tx * 4]);
      *reinterpret_cast<float4*>(right + 4) = *reinterpret_cast<const float4*>(&tile_b[k][64 + tx * 4]);
#pragma unroll
      for (int i = 0; i < 8; ++i) {
#pragma unroll
        for (int j = 0; j < 8; ++j) sum[i][j] += left[i] * right[j];
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int row = row0 + (i / 4) * 64 + ty * 4 + i % 4;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const float4 out =
          make_float4(sum[i][half * 4], sum[i][half * 4 + 1], sum[i][half * 4 + 2], sum[i][half * 4 + 3]);
      *reinterpret_cast<float4*>(c + static_cast<size_t>(row) * n + col0 + half * 64 + tx * 4) = out;
    }
  }
}

namespace {

/// A ring of kStages tiles filled by cp.async. A is transposed on the way in (4-byte copies), so that both operands of
/// a step are read with 16-byte loads; the fragments of step k + 1 are loaded while the FMAs of step k run, across
/// tiles too. A thread owns kFragmentsM x kFragmentsN groups of 4 x 4 outputs.
template <int kM, int kN, int kK, int kFragmentsM, int kFragmentsN, int kLanesM, int kStages, int kThreads>
struct AsyncGemm {
  static constexpr int kLanesN = 32 / kLanesM;
  static constexpr int kThreadM = kFragmentsM * 4, kThreadN = kFragmentsN * 4;
  static constexpr int kWarpM = kLanesM * kThreadM, kWarpN = kLanesN * kThreadN;
  static constexpr int kWarpsN = kN / kWarpN;
  static constexpr int kRowA = kM + 4;
  static constexpr int kStageFloats = kK * (kRowA + kN);
  static constexpr int kSharedBytes = kStages * kStageFloats * 4;
  static_assert(kM / kWarpM * kWarpsN * 32 == kThreads);

  static __device__ __forceinline__ void fetch(float* stage, const float* a, const float* b, int n) {
#pragma unroll
    for (int i = 0; i < kM * kK / kThreads; ++i) {
      const int at = threadIdx.x + i * kThreads, row = at / kK, k = at % kK;
      __pipeline_memcpy_async(stage + k * kRowA + row, a + static_cast<size_t>(row) * n + k, 4);
    }
    float* stage_b = stage + kK * kRowA;
#pragma unroll
    for (int i = 0; i < kK * kN / 4 / kThreads; ++i) {
      const int at = threadIdx.x + i * kThreads, k = at / (kN / 4), col = at % (kN / 4) * 4;
      __pipeline_memcpy_async(stage_b + k * kN + col, b + static_cast<size_t>(k) * n + col, 16);
    }
  }

  static __device__ __forceinline__ void load(const float* stage, int k, int row, int col, float (&left)[kThreadM],
                                              float (&right)[kThreadN]) {
#pragma unroll
    for (int i = 0; i < kFragmentsM; ++i) {
      *reinterpret_cast<float4*>(left + i * 4) =
          *reinterpret_cast<const float4*>(stage + k * kRowA + row + i * kLanesM * 4);
    }
    const float* stage_b = stage + kK * kRowA + k * kN;
#pragma unroll
    for (int j = 0; j < kFragmentsN; ++j) {
      *reinterpret_cast<float4*>(right + j * 4) = *reinterpret_cast<const float4*>(stage_b + col + j * kLanesN * 4);
    }
  }

  /// Where this block's tile lies. Tiles are walked in bands of eight rows so that concurrent blocks meet in L2.
  static __device__ __forceinline__ void tile_position(int n, int& tile_m, int& tile_n) {
    constexpr int kBand = 8;
    const int tiles_n = n / kN, tiles_m = n / kM;
    const int band = blockIdx.x / (kBand * tiles_n), in_band = blockIdx.x % (kBand * tiles_n);
    const int rows = min(kBand, tiles_m - band * kBand);
    tile_m = band * kBand + in_band % rows;
    tile_n = in_band / rows;
  }

  static __device__ __forceinline__ void write(const float (&sum)[kThreadM][kThreadN], float* c, int n) {
#pragma unroll
    for (int i = 0; i < kThreadM; ++i) {
      float* out = c + static_cast<size_t>(i / 4 * kLanesM * 4 + i % 4) * n;
#pragma unroll
      for (int j = 0; j < kThreadN; j += 4) {
        *reinterpret_cast<float4*>(out + j * kLanesN) =
            make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]);
      }
    }
  }

  static __device__ __forceinline__ void run(const float* a, const float* b, float* c, int n) {
    extern __shared__ float ring[];
    int tile_m, tile_n;
    tile_position(n, tile_m, tile_n);
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int row = warp / kWarpsN * kWarpM + lane / kLanesN * 4, col = warp % kWarpsN * kWarpN + lane % kLanesN * 4;
    a += static_cast<size_t>(tile_m) * kM * n;
    b += tile_n * kN;
    const int steps = n / kK;
#pragma unroll
    for (int s = 0; s < kStages - 1; ++s) {
      fetch(ring + s * kStageFloats, a, b, n);
      __pipeline_commit();
      a += kK;
      b += static_cast<size_t>(kK) * n;
    }
    float sum[kThreadM][kThreadN] = {}, left[2][kThreadM], right[2][kThreadN];
    const float* read = ring;
    float* fill = ring + (kStages - 1) * kStageFloats;
    __pipeline_wait_prior(kStages - 2);
    __syncthreads();
    load(read, 0, row, col, left[0], right[0]);
    for (int s = 0; s < steps; ++s) {
#pragma unroll
      for (int k = 0; k < kK; ++k) {
        if (k == kK - 1) {  // the next fragments come from the next tile
          __pipeline_wait_prior(kStages - 2);
          __syncthreads();
          read = read + kStageFloats == ring + kStages * kStageFloats ? ring : read + kStageFloats;
        }
        load(read, (k + 1) % kK, row, col, left[(k + 1) % 2], right[(k + 1) % 2]);
        if (k == 0) {
          if (s + kStages - 1 < steps) fetch(fill, a, b, n);
          __pipeline_commit();
          a += kK;
          b += static_cast<size_t>(kK) * n;
          fill = fill + kStageFloats == ring + kStages * kStageFloats ? ring : fill + kStageFloats;
        }
#pragma unroll
        for (int i = 0; i < kThreadM; ++i) {
#pragma unroll
          for (int j = 0; j < kThreadN; ++j) sum[i][j] += left[k % 2][i] * right[k % 2][j];
        }
      }
    }
    write(sum, c + (static_cast<size_t>(tile_m) * kM + row) * n + tile_n * kN + col, n);
  }
};

}  // namespace

#ifndef RIDGE_LAB_TUNING
/// 128x256 outputs a block, 8x16 a thread, four tiles of depth 16 in flight: grid (n/128 * n/256), block 256, dynamic
/// shared memory 99,328 bytes.
extern "C" __global__ void __launch_bounds__(256, 1) gemm_async(const float* a, const float* b, float* c, int n) {
  AsyncGemm<128, 256, 16, 2, 4, 4, 4, 256>::run(a, b, c, n);
}
#endif
