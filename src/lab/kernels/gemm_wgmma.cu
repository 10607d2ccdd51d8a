// The bf16 matrix product as Hopper means it: C = A B^T (shapes as in gemm_tensor.cu), operands brought by the tensor
// memory accelerator (TMA) into 128-byte-swizzled tiles, multiplied by wgmma straight from shared memory.
//
// One block per SM stays and walks over tiles of 128 x 256 outputs. A producer warp keeps a ring of kStages tile pairs
// filled; two consumer warpgroups multiply, 64 x 256 outputs each, and release a stage when its wgmma has retired. Two
// blocks of a cluster work on neighbouring tile rows and need the same tile of B: each fetches half of it and
// multicasts it to both, which halves the L2 traffic of B. Needs compute capability 9.0 (sm_90a).
#include <cuda.h>
#include <cuda_bf16.h>

#include <cstdint>

namespace {

constexpr int kM = 128, kN = 256, kK = 64;
constexpr int kBytesA = kM * kK * 2, kBytesB = kN * kK * 2, kStageBytes = kBytesA + kBytesB;
constexpr int kConsumerWarps = 8;

__device__ __forceinline__ std::uint32_t shared_address(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}
__device__ __forceinline__ void barrier_init(std::uint32_t barrier, int count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(count));
}
__device__ __forceinline__ void barrier_expect(std::uint32_t barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}
__device__ __forceinline__ void barrier_wait(std::uint32_t barrier, int parity) {
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "wait:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
      "@done bra.uni arrived;\n"
      "bra.uni wait;\n"
      "arrived:\n"
      "}\n" ::"r"(barrier),
      "r"(parity)
      : "memory");
}
/// Arrives at the barrier at the same shared address in block `rank` of the cluster. The default (block) scope is
/// enough: what the arrival publishes is that asynchronous reads have retired, and a cluster-scope release would cost a
/// fence.
__device__ __forceinline__ void barrier_arrive(std::uint32_t barrier, int rank) {
  asm volatile(
      "{\n"
      ".reg .b32 remote;\n"
      "mapa.shared::cluster.u32 remote, %0, %1;\n"
      "mbarrier.arrive.shared::cluster.b64 _, [remote];\n"
      "}\n" ::"r"(barrier),
      "r"(rank)
      : "memory");
}
__device__ __forceinline__ void tensor_load(std::uint32_t to, const CUtensorMap* map, int x, int y,
                                            std::uint32_t barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
          to),
      "l"(map), "r"(x), "r"(y), "r"(barrier)
      : "memory");
}
__device__ __forceinline__ void tensor_load_multicast(std::uint32_t to, const CUtensorMap* map, int x, int y,
                                                      std::uint32_t barrier, std::uint16_t blocks) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%2, "
      "%3}], [%4], %5;" ::"r"(to),
      "l"(map), "r"(x), "r"(y), "r"(barrier), "h"(blocks)
      : "memory");
}

/// Matrix descriptor of a K-major tile in 128-byte swizzle: rows of 128 bytes, 1024 bytes between groups of eight rows.
__device__ __forceinline__ std::uint64_t descriptor(std::uint32_t address) {
  return (static_cast<std::uint64_t>(address & 0x3FFFF) >> 4) | (std::uint64_t{1} << 16) | (std::uint64_t{64} << 32) |
         (std::uint64_t{1} << 62);
}

#define RIDGE_D8(i)                                                                                           \
  "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), \
      "+f"(d[i + 7])
#define RIDGE_D32(i) RIDGE_D8(i), RIDGE_D8(i + 8), RIDGE_D8(i + 16), RIDGE_D8(i + 24)

/// d(64x256) = keep ? d + a b^T : a b^T over 16 values of k; a and b lie in shared memory.
__device__ __forceinline__ void multiply_add(float (&d)[128], std::uint64_t a, std::uint64_t b, int keep) {
  asm volatile(
      "{\n"
      ".reg .pred p;\n"
      "setp.ne.b32 p, %130, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
      "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
      "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
      "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
      "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
      "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "
      "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127}, "
      "%128, %129, p, 1, 1, 0, 0;\n"
      "}\n"
      : RIDGE_D32(0), RIDGE_D32(32), RIDGE_D32(64), RIDGE_D32(96)
      : "l"(a), "l"(b), "r"(keep));
}

/// Where tile number `index` lies. Tiles are walked in bands of kBand groups of rows so that concurrent blocks share
/// operands in L2.
template <int kCluster, int kBand>
__device__ __forceinline__ void tile_position(int index, int tiles_m, int tiles_n, int rank, int& row, int& col) {
  const int groups_m = tiles_m / kCluster;
  const int band = index / (kBand * tiles_n), in_band = index % (kBand * tiles_n);
  const int rows = min(kBand, groups_m - band * kBand);
  row = ((band * kBand + in_band % rows) * kCluster + rank) * kM;
  col = in_band / rows * kN;
}

/// A quad of lanes holds eight columns of a row, two each; after this each lane holds one whole group of eight of four.
__device__ __forceinline__ uint4 gather_quad(std::uint32_t (&v)[4], int lane) {
  const bool odd = lane & 1, high = lane & 2;
#pragma unroll
  for (int i = 0; i < 4; i += 2) {
    const std::uint32_t got = __shfl_xor_sync(~0u, odd ? v[i] : v[i + 1], 1);
    (odd ? v[i] : v[i + 1]) = got;
  }
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const std::uint32_t got = __shfl_xor_sync(~0u, high ? v[i] : v[i + 2], 2);
    (high ? v[i] : v[i + 2]) = got;
  }
  return make_uint4(v[0], v[1], v[2], v[3]);
}

__device__ __forceinline__ std::uint32_t pack(float low, float high) {
  const __nv_bfloat162 pair = __floats2bfloat162_rn(low, high);
  return *reinterpret_cast<const std::uint32_t*>(&pair);
}

__device__ __forceinline__ void write_tile(const float (&d)[128], __nv_bfloat16* c, int n, int lane) {
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    __nv_bfloat16* out = c + static_cast<size_t>(lane / 4 + half * 8) * n + lane % 4 * 8;
#pragma unroll
    for (int j = 0; j < 32; j += 4) {
      std::uint32_t v[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) v[i] = pack(d[(j + i) * 4 + half * 2], d[(j + i) * 4 + half * 2 + 1]);
      *reinterpret_cast<uint4*>(out + j * 8) = gather_quad(v, lane);
    }
  }
}

template <int kCluster, int kStages, int kBand>
struct WgmmaGemm {
  static constexpr int kSharedBytes = kStages * kStageBytes + 1024;
  static constexpr int kThreads = 384;

  static __device__ __forceinline__ void produce(const CUtensorMap& map_a, const CUtensorMap& map_b, std::uint32_t ring,
                                                 std::uint32_t full, std::uint32_t empty, int tiles_m, int tiles_n,
                                                 int steps, int rank) {
    int stage = 0, phase = 0;
    const int tiles = tiles_m / kCluster * tiles_n;
    for (int tile = blockIdx.x / kCluster; tile < tiles; tile += gridDim.x / kCluster) {
      int row, col;
      tile_position<kCluster, kBand>(tile, tiles_m, tiles_n, rank, row, col);
      for (int s = 0; s < steps; ++s) {
        barrier_wait(empty + stage * 8, phase ^ 1);
        const std::uint32_t to = ring + stage * kStageBytes;
        barrier_expect(full + stage * 8, kStageBytes);
        tensor_load(to, &map_a, s * kK, row, full + stage * 8);
        if constexpr (kCluster == 1) {
          tensor_load(to + kBytesA, &map_b, s * kK, col, full + stage * 8);
        } else {
          constexpr int kPart = kN / kCluster;
          tensor_load_multicast(to + kBytesA + rank * kPart * kK * 2, &map_b, s * kK, col + rank * kPart,
                                full + stage * 8, (1 << kCluster) - 1);
        }
        if (++stage == kStages) stage = 0, phase ^= 1;
      }
    }
  }

  static __device__ __forceinline__ void release(std::uint32_t barrier, int lane) {
    if (lane < kCluster) barrier_arrive(barrier, lane);
  }

  static __device__ __forceinline__ void consume(__nv_bfloat16* c, std::uint32_t ring, std::uint32_t full,
                                                 std::uint32_t empty, int tiles_m, int tiles_n, int steps, int rank,
                                                 int group, int n) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32 % 4;
    int stage = 0, phase = 0;
    float d[128];
    const int tiles = tiles_m / kCluster * tiles_n;
    for (int tile = blockIdx.x / kCluster; tile < tiles; tile += gridDim.x / kCluster) {
      int row, col, previous = -1;
      tile_position<kCluster, kBand>(tile, tiles_m, tiles_n, rank, row, col);
      for (int s = 0; s < steps; ++s) {
        barrier_wait(full + stage * 8, phase);
        const std::uint32_t at = ring + stage * kStageBytes;
        const std::uint64_t a = descriptor(at + group * 64 * 128), b = descriptor(at + kBytesA);
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
        for (int k = 0; k < kK / 16; ++k) multiply_add(d, a + k * 2, b + k * 2, s > 0 || k > 0);
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
        if (previous >= 0) release(empty + previous * 8, lane);
        previous = stage;
        if (++stage == kStages) stage = 0, phase ^= 1;
      }
      asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
      release(empty + previous * 8, lane);
      write_tile(d, c + static_cast<size_t>(row + group * 64 + warp * 16) * n + col, n, lane);
    }
  }

  static __device__ __forceinline__ void run(const CUtensorMap& map_a, const CUtensorMap& map_b, __nv_bfloat16* c,
                                             int m, int n, int k) {
    extern __shared__ unsigned char memory[];
    __shared__ __align__(8) std::uint64_t barriers[2 * kStages];
    const std::uint32_t ring = (shared_address(memory) + 1023) & ~1023u;
    const std::uint32_t full = shared_address(barriers), empty = full + kStages * 8;
    const int rank = kCluster == 1 ? 0 : static_cast<int>(blockIdx.x % kCluster);
    if (threadIdx.x == 0) {
      for (int s = 0; s < kStages; ++s) {
        barrier_init(full + s * 8, 1);
        barrier_init(empty + s * 8, kConsumerWarps * kCluster);
      }
      asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    if constexpr (kCluster > 1) {
      asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
    }
    const int group = threadIdx.x / 128;
    if (group == 0) {
      asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
      if (threadIdx.x == 0) produce(map_a, map_b, ring, full, empty, m / kM, n / kN, k / kK, rank);
    } else {
      asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
      consume(c, ring, full, empty, m / kM, n / kN, k / kK, rank, group - 1, n);
    }
    if constexpr (kCluster > 1) {  // a block's shared memory must outlive its neighbour's arrivals and multicasts
      asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
    }
  }
};

}  // namespace

#ifndef RIDGE_LAB_TUNING
/// Grid: a multiple of the cluster, at most one block per SM; block 384; cluster 2; dynamic shared memory 197,632
/// bytes.
extern "C" __global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(384, 1)
    gemm_wgmma_bf16(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b,
                    __nv_bfloat16* c, int m, int n, int k) {
  WgmmaGemm<2, 4, 8>::run(map_a, map_b, c, m, n, k);
}
#endif
