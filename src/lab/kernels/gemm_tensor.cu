// The bf16 matrix product through mma.sync: C = A B^T, A is m x k and B n x k (as a linear layer keeps its weights),
// both row-major bf16; fp32 accumulation, bf16 result. 2 m n k FLOP.
//
// cp.async fills a ring of 64-deep tiles, ldmatrix feeds the fragments, 16-byte chunks are XOR-swizzled so that the
// eight rows one ldmatrix phase reads lie in different banks. Works from compute capability 8.0 on; on Hopper this path
// tops out at two thirds of wgmma.
#include <cuda_bf16.h>
#include <cuda_pipeline.h>

#include <cstdint>

namespace {

__device__ __forceinline__ std::uint32_t shared_address(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

__device__ __forceinline__ void load_matrix(std::uint32_t (&r)[4], std::uint32_t address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(address));
}

__device__ __forceinline__ void multiply_add(float (&d)[4], const std::uint32_t (&a)[4], std::uint32_t b0,
                                             std::uint32_t b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

template <int kM, int kN, int kStages, int kThreads>
struct MmaGemm {
  static constexpr int kK = 64;  // 128 bytes a row: eight 16-byte chunks
  static constexpr int kWarpM = 64, kWarpN = 64;
  static constexpr int kWarpsN = kN / kWarpN;
  static constexpr int kStageBytes = (kM + kN) * kK * 2;
  static constexpr int kSharedBytes = kStages * kStageBytes;
  static_assert(kM / kWarpM * kWarpsN * 32 == kThreads);

  /// Copies `rows` rows of kK values to shared memory, chunk c of row r at c ^ (r % 8).
  static __device__ __forceinline__ void fetch(unsigned char* to, const __nv_bfloat16* from, int rows, int stride) {
#pragma unroll
    for (int i = 0; i < rows * 8 / kThreads; ++i) {
      const int at = threadIdx.x + i * kThreads, row = at / 8, chunk = at % 8;
      __pipeline_memcpy_async(to + row * 128 + ((chunk ^ (row % 8)) * 16),
                              from + static_cast<size_t>(row) * stride + chunk * 8, 16);
    }
  }

  static __device__ __forceinline__ void multiply(std::uint32_t tile_a, std::uint32_t tile_b, int lane,
                                                  float (&sum)[4][8][4]) {
#pragma unroll
    for (int k = 0; k < kK / 16; ++k) {
      std::uint32_t a[4][4], b[4][4];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const int row = i * 16 + lane % 16, chunk = k * 2 + lane / 16;
        load_matrix(a[i], tile_a + row * 128 + ((chunk ^ (row % 8)) * 16));
      }
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        const int row = j * 16 + lane % 8 + lane / 16 * 8, chunk = k * 2 + lane / 8 % 2;
        load_matrix(b[j], tile_b + row * 128 + ((chunk ^ (row % 8)) * 16));
      }
#pragma unroll
      for (int i = 0; i < 4; ++i) {
#pragma unroll
        for (int j = 0; j < 8; ++j) multiply_add(sum[i][j], a[i], b[j / 2][j % 2 * 2], b[j / 2][j % 2 * 2 + 1]);
      }
    }
  }

  static __device__ __forceinline__ void run(const __nv_bfloat16* a, const __nv_bfloat16* b, __nv_bfloat16* c, int m,
                                             int n, int k) {
    extern __shared__ __align__(128) unsigned char ring[];
    constexpr int kBand = 8;
    const int tiles_n = n / kN, tiles_m = m / kM;
    const int band = blockIdx.x / (kBand * tiles_n), in_band = blockIdx.x % (kBand * tiles_n);
    const int band_rows = min(kBand, tiles_m - band * kBand);
    const int tile_m = band * kBand + in_band % band_rows, tile_n = in_band / band_rows;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int warp_m = warp / kWarpsN * kWarpM, warp_n = warp % kWarpsN * kWarpN;
    a += static_cast<size_t>(tile_m) * kM * k;
    b += static_cast<size_t>(tile_n) * kN * k;
    float sum[4][8][4] = {};
    const int steps = k / kK;
    for (int s = 0; s < kStages - 1; ++s) {
      if (s < steps) {
        fetch(ring + s * kStageBytes, a + s * kK, kM, k);
        fetch(ring + s * kStageBytes + kM * 128, b + s * kK, kN, k);
      }
      __pipeline_commit();
    }
    const std::uint32_t base = shared_address(ring);
    for (int s = 0; s < steps; ++s) {
      __pipeline_wait_prior(kStages - 2);
      __syncthreads();
      const int next = s + kStages - 1;
      if (next < steps) {
        unsigned char* stage = ring + next % kStages * kStageBytes;
        fetch(stage, a + next * kK, kM, k);
        fetch(stage + kM * 128, b + next * kK, kN, k);
      }
      __pipeline_commit();
      const std::uint32_t stage = base + s % kStages * kStageBytes;
      multiply(stage + warp_m * 128, stage + (kM + warp_n) * 128, lane, sum);
    }
    c += (static_cast<size_t>(tile_m) * kM + warp_m + lane / 4) * n + tile_n * kN + warp_n + lane % 4 * 2;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
#pragma unroll
      for (int j = 0; j < 8; ++j) {
        __nv_bfloat16* out = c + static_cast<size_t>(i) * 16 * n + j * 8;
        *reinterpret_cast<__nv_bfloat162*>(out) = __floats2bfloat162_rn(sum[i][j][0], sum[i][j][1]);
        *reinterpret_cast<__nv_bfloat162*>(out + static_cast<size_t>(8) * n) =
            __floats2bfloat162_rn(sum[i][j][2], sum[i][j][3]);
      }
    }
  }
};

}  // namespace

#ifndef RIDGE_LAB_TUNING
/// 128x128 outputs a block of four warps: grid (m/128 * n/128), block 128, dynamic shared memory 98,304 bytes.
extern "C" __global__ void __launch_bounds__(128, 1)
    gemm_mma_bf16(const __nv_bfloat16* a, const __nv_bfloat16* b, __nv_bfloat16* c, int m, int n, int k) {
  MmaGemm<128, 128, 3, 128>::run(a, b, c, m, n, k);
}
#endif
