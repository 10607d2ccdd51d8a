// The matrix products. Per warp and tile step the counts follow from the index expressions of gemm_f32.cu and
// gemm_tensor.cu; the comment of each kernel shows them.
#include "lab/declare/ladders.h"
#include "lab/reference/references.h"

namespace ridge::lab {
namespace {

/// Blocks run in the order of their rows, 32 rows of C at a time: each row reads all of B, which L2 has lost since,
/// unless two rows keep pace and share it. An H200 (60 MiB) read between 4.26 and 8.39 GB at n = 4096, where this
/// gives 8.66.
constexpr std::string_view kBlockRows32 = "n/32*4*n^2 + 4*n^2";

std::vector<Buffer> square_buffers() {
  return {{.name = "a", .count = "n^2"},
          {.name = "b", .count = "n^2"},
          {.name = "c", .count = "n^2", .role = Role::kOutput}};
}

std::vector<EntryArgument> square_arguments() {
  return {{.name = "a"}, {.name = "b"}, {.name = "c"}, {.kind = ArgumentKind::kInteger, .name = "n", .value = "n"}};
}

/// What all steps of the fp32 ladder share. One of n products missing shows as 1 / sqrt(n); rounding stays far below.
KernelDeclaration square_gemm(std::string_view id, double multiple) {
  KernelDeclaration kernel;
  kernel.id = kernel.entry = id;
  kernel.ladder = "gemm";
  kernel.module = "gemm_f32";
  kernel.parameters = {{.name = "n", .initial = "4096", .min = multiple, .max = 46080, .multiple = multiple}};
  kernel.runs = {"n=1024", "n=4096"};
  kernel.emulated = {"n=1024"};
  kernel.truth = {"n=1024"};
  kernel.buffers = square_buffers();
  kernel.arguments = square_arguments();
  kernel.vendor = VendorProduct::kFp32;
  kernel.reference = expect_gemm;
  kernel.reference_cost = "2*n";
  kernel.tolerance = 2e-5;
  return kernel;
}

/// Arithmetic, and traffic that does not depend on the tiling.
WorkFormulas square_work() {
  WorkFormulas work;
  work.flops = "2*n^3";
  work.fp32_add = work.fp32_mul = work.tensor = "0";
  work.fp32_fma = "n^3";
  work.dram_read = "8*n^2";
  work.dram_write = work.l2_write = "4*n^2";
  work.store_sectors = "n^2/8";
  work.shared_loads = work.shared_load_wavefronts = "0";
  work.shared_stores = work.shared_store_wavefronts = work.shared_atomic_wavefronts = "0";
  work.shared_tensor_wavefronts = work.shuffles = work.multicast = "0";
  work.excess_sectors = work.excess_wavefronts = work.bulk_read = "0";
  return work;
}

/// A warp and step of k: one broadcast load of A (1 sector), one of 32 neighbours of B (4 sectors), a line each.
KernelDeclaration naive() {
  KernelDeclaration kernel = square_gemm("gemm_naive", 32);
  kernel.truth = {"n=1024", "n=4096"};
  kernel.lesson = {
      "Every operand of every multiplication is loaded from global memory. DRAM is not the limit, because "
      "caches hold the matrices: the data path of L1 is, with two wavefronts for each warp's FMA.",
      "每次乘法的每个操作数都从全局内存加载。瓶颈不是 DRAM（缓存装得下矩阵），而是 L1 的数据通路：每个线程束每次 "
      "FMA 要两个波前。"};
  kernel.launch = {.grid_x = "n/32", .grid_y = "n/32", .block_x = 32, .block_y = 32};
  kernel.work = square_work();
  kernel.dram_read_outgrown = kBlockRows32;
  kernel.work.l2_read = "n^3/4";
  kernel.work.load_requests = kernel.work.load_wavefronts = "n^3/16";
  kernel.work.load_sectors = "5*n^3/32";
  kernel.work.store_requests = "n^2/32";
  kernel.work.store_wavefronts = "n^2/16";
  return kernel;
}

/// A warp and tile of depth 32: two loads of a line; two stores to shared memory; 8 loads of 16 bytes of A (all lanes
/// the same: 2 wavefronts) and 32 of B.
KernelDeclaration tiled() {
  KernelDeclaration kernel = square_gemm("gemm_tiled", 32);
  kernel.truth = {"n=1024", "n=4096"};
  kernel.lesson = {
      "A block shares 32x32 tiles in shared memory: 32 times fewer global loads. But shared memory is read "
      "through the same L1 data path, at 1.5 wavefronts an FMA instead of 2: hence about 1.4x, not 32x.",
      "线程块在共享内存中共用 32x32 的分块：全局加载少 32 倍。但共享内存走的是同一条 L1 数据通路，每次 FMA 仍要 "
      "1.5 个波前（原来 2 个），所以只快约 1.4 倍，而不是 32 倍。"};
  kernel.change = {"load each tile of A and B once for the whole block, through shared memory",
                   "A 和 B 的每个分块由整个线程块经共享内存只加载一次"};
  kernel.launch = {.grid_x = "n/32", .grid_y = "n/32", .block_x = 32, .block_y = 32};
  kernel.work = square_work();
  kernel.dram_read_outgrown = kBlockRows32;
  kernel.work.l2_read = "n^3/4";
  kernel.work.load_requests = kernel.work.load_wavefronts = "n^3/512";
  kernel.work.load_sectors = "n^3/128";
  kernel.work.store_requests = "n^2/32";
  kernel.work.store_wavefronts = "n^2/16";
  kernel.work.shared_loads = "5*n^3/128";
  kernel.work.shared_load_wavefronts = "3*n^3/64";
  kernel.work.shared_stores = kernel.work.shared_store_wavefronts = "n^3/512";
  return kernel;
}

/// A warp and tile of depth 8 (n^3/16384 of them): 4 loads of A (4 rows of 32 bytes) and 4 of B (a line), stored to
/// shared memory with 4 lanes of A in one bank; then 8 x (8 + 8) loads of 4 bytes.
KernelDeclaration register_tile() {
  KernelDeclaration kernel = square_gemm("gemm_register", 128);
  kernel.lesson = {
      "Each thread computes 8x8 results from 8 + 8 operands in registers: a quarter of a wavefront an FMA. "
      "Now instructions that load, and waiting for them, stand between the kernel and the FMA pipes.",
      "每个线程用寄存器里的 8 + 8 个操作数算 8x8 个结果：每次 FMA 只要四分之一个波前。现在挡在 FMA "
      "流水线前面的是加载指令和对它们的等待。"};
  kernel.change = {"keep 8x8 results a thread in registers, so that each value read from shared memory serves 8 FMAs",
                   "每个线程在寄存器中保存 8x8 个结果，从共享内存读一个值可用于 8 次 FMA"};
  kernel.launch = {.grid_x = "n/128", .grid_y = "n/128", .block_x = 256};
  kernel.work = square_work();
  kernel.work.l2_read = "n^3/16";
  kernel.work.load_requests = "n^3/2048";
  kernel.work.load_sectors = "n^3/512";
  kernel.work.load_wavefronts = "5*n^3/4096";
  kernel.work.store_requests = "n^2/32";
  kernel.work.store_wavefronts = "3*n^2/32";
  kernel.work.shared_loads = kernel.work.shared_load_wavefronts = "n^3/128";
  kernel.work.shared_stores = "n^3/2048";
  kernel.work.shared_store_wavefronts = "5*n^3/4096";
  kernel.work.excess_wavefronts = "3*n^3/4096";
  return kernel;
}

/// A warp and tile of depth 8: one load of 16 bytes a lane of A (16 rows) and one of B (4 lines); 4 + 1 stores to
/// shared memory (8 wavefronts); 8 x (2 + 2) loads of 16 bytes (2 and 4 wavefronts each).
KernelDeclaration vector() {
  KernelDeclaration kernel = square_gemm("gemm_vector", 128);
  kernel.lesson = {
      "The same bytes in a quarter of the load instructions, 16 bytes each. The block still waits for its "
      "tile before it computes, and computes before it fetches the next.",
      "同样的字节只用四分之一的加载指令，每条 16 字节。但线程块仍然先等分块到达再计算，算完才取下一块。"};
  kernel.change = {"move 16 bytes with each load from global and shared memory", "全局和共享内存的每次加载搬 16 字节"};
  kernel.launch = {.grid_x = "n/128", .grid_y = "n/128", .block_x = 256};
  kernel.work = square_work();
  kernel.work.l2_read = "n^3/16";
  kernel.work.load_requests = "n^3/8192";
  kernel.work.load_sectors = "n^3/512";
  kernel.work.load_wavefronts = "5*n^3/4096";
  kernel.work.store_requests = "n^2/128";
  kernel.work.store_wavefronts = "5*n^2/128";
  kernel.work.shared_loads = "n^3/512";
  kernel.work.shared_load_wavefronts = "3*n^3/512";
  kernel.work.shared_stores = "5*n^3/16384";
  kernel.work.shared_store_wavefronts = "n^3/2048";
  return kernel;
}

/// A warp and tile of depth 16 (n^3/65536 of them): 8 asynchronous copies of 4 bytes a lane of A (2 rows, 4 sectors; 4
/// wavefronts with their conflict in shared memory) and 4 of 16 bytes of B (16 sectors, past the data stage); 16 x (2 +
/// 4) loads of 16 bytes (2 and 4 wavefronts each). The first fragments cost 6 loads more.
KernelDeclaration async() {
  KernelDeclaration kernel = square_gemm("gemm_async", 256);
  kernel.lesson = {
      "cp.async fills a ring of four tiles while the FMAs run, and fragments are fetched one step ahead: "
      "copying is hidden, and the FMA pipes are the limit.",
      "cp.async 在 FMA 运行时填充四个分块的环形缓冲，操作数提前一步取到寄存器：拷贝被隐藏，瓶颈变成 FMA "
      "流水线。"};
  kernel.change = {"copy the next tiles with cp.async while computing, and compute 8x16 results a thread",
                   "计算的同时用 cp.async 拷贝后面的分块，每个线程算 8x16 个结果"};
  kernel.launch = {.grid_x = "(n/128)*(n/256)", .block_x = 256, .dynamic_shared = 99328};
  kernel.work = square_work();
  kernel.work.l2_read = "3*n^3/64";
  kernel.work.load_requests = "3*n^3/16384";
  kernel.work.load_sectors = "3*n^3/2048";
  kernel.work.load_wavefronts = "n^3/2048";
  kernel.work.store_requests = "n^2/128";
  kernel.work.store_wavefronts = "5*n^2/128";
  kernel.work.shared_loads = "3*n^3/2048 + 3*n^2/2048";
  kernel.work.shared_load_wavefronts = "5*n^3/1024 + 5*n^2/1024";
  return kernel;
}

std::vector<Buffer> tensor_buffers() {
  return {{.name = "a", .type = ElementType::kBfloat16, .count = "m*k"},
          {.name = "b", .type = ElementType::kBfloat16, .count = "n*k"},
          {.name = "c", .type = ElementType::kBfloat16, .count = "m*n", .role = Role::kOutput}};
}

std::vector<EntryArgument> extents() {
  return {{.name = "c"},
          {.kind = ArgumentKind::kInteger, .name = "m", .value = "m"},
          {.kind = ArgumentKind::kInteger, .name = "n", .value = "n"},
          {.kind = ArgumentKind::kInteger, .name = "k", .value = "k"}};
}

/// A bf16 result is rounded to 8 bits: 2^-9 each, about 1.7e-3 in the norm.
KernelDeclaration tensor_gemm(std::string_view id, double multiple) {
  KernelDeclaration kernel;
  kernel.id = kernel.entry = id;
  kernel.ladder = "gemm_tensor";
  kernel.parameters = {{.name = "n", .initial = "8192", .min = multiple, .max = 65536, .multiple = multiple},
                       {.name = "m", .initial = "n", .min = multiple, .max = 65536, .multiple = multiple},
                       {.name = "k", .initial = "n", .min = 256, .max = 65536, .multiple = 64}};
  kernel.emulated = {"n=2048"};
  kernel.truth = {"n=4096"};
  kernel.buffers = tensor_buffers();
  kernel.vendor = VendorProduct::kBf16;
  kernel.reference = expect_gemm_transposed;
  kernel.reference_cost = "2*k";
  kernel.tolerance = 3e-3;
  return kernel;
}

WorkFormulas tensor_work() {
  WorkFormulas work;
  work.flops = work.tensor = "2*m*n*k";
  work.fp32_add = work.fp32_mul = work.fp32_fma = "0";
  work.dram_read = "2*m*k + 2*n*k";
  work.dram_write = "2*m*n";
  work.shared_loads = work.shared_load_wavefronts = "0";
  work.shared_stores = work.shared_store_wavefronts = work.shared_atomic_wavefronts = "0";
  work.shared_tensor_wavefronts = work.shuffles = work.multicast = "0";
  work.excess_sectors = work.excess_wavefronts = work.bulk_read = "0";
  return work;
}

/// A warp and tile of depth 64 (m n k / 262144 of them): 16 asynchronous copies of 16 bytes a lane (16 sectors, past
/// the data stage), 32 ldmatrix.x4. Results leave as pairs: 8 rows of 16 bytes a store, half of each sector.
KernelDeclaration mma() {
  KernelDeclaration kernel = tensor_gemm("gemm_mma_bf16", 128);
  kernel.module = "gemm_tensor";
  kernel.lesson = {
      "mma.sync multiplies bf16 fragments that ldmatrix brings to registers: an order of magnitude more than "
      "the fp32 cores. On Hopper this path ends at two thirds of what wgmma reaches.",
      "mma.sync 把 ldmatrix 送进寄存器的 bf16 片段相乘：比 fp32 核心快一个数量级。在 Hopper 上，这条路径最多达到 "
      "wgmma 的三分之二。"};
  kernel.arguments = extents();
  kernel.arguments.insert(kernel.arguments.begin(), {{.name = "a"}, {.name = "b"}});
  kernel.tensor_key = tensor(DataType::kBf16, TensorPath::kMmaSync);
  kernel.launch = {.grid_x = "(m/128)*(n/128)", .block_x = 128, .dynamic_shared = 98304};
  kernel.work = tensor_work();
  kernel.work.l2_read = "m*n*k/32";
  kernel.work.l2_write = "4*m*n";
  kernel.work.load_requests = "m*n*k/16384";
  kernel.work.load_sectors = "m*n*k/1024";
  kernel.work.load_wavefronts = "0";
  kernel.work.store_requests = "m*n/64";
  kernel.work.store_sectors = "m*n/8";
  kernel.work.store_wavefronts = "9*m*n/64";
  kernel.work.shared_loads = "m*n*k/8192";
  kernel.work.shared_load_wavefronts = "m*n*k/2048";
  kernel.work.excess_sectors = "m*n/16";
  return kernel;
}

/// A block receives 128 x 64 of A and 256 x 64 of B a tile and step, 48 KiB; half of B comes from the fetch of the
/// other block of its cluster. A wgmma reads 64 x 16 of A and 256 x 16 of B, 80 wavefronts. Results leave as 16 bytes a
/// lane, 8 rows of 64 bytes, after four shuffles.
KernelDeclaration wgmma() {
  KernelDeclaration kernel = tensor_gemm("gemm_wgmma_bf16", 256);
  kernel.module = "gemm_wgmma";
  kernel.capability = 90;
  kernel.only_capability = true;
  kernel.lesson = {
      "wgmma reads its operands straight from shared memory, which the tensor memory accelerator fills without "
      "spending registers or instructions of the computing warps.",
      "wgmma 直接从共享内存读操作数，由张量内存加速器 (TMA) 填充，不占用计算线程束的寄存器和指令。"};
  kernel.change = {"multiply with wgmma from shared memory, filled by TMA for two blocks at once",
                   "用 wgmma 直接从共享内存做乘法，由 TMA 同时为两个线程块填充"};
  kernel.arguments = extents();
  const EntryArgument map_a{
      .kind = ArgumentKind::kTensorMap, .name = "a", .rows = "m", .columns = "k", .box_rows = 128, .box_columns = 64};
  const EntryArgument map_b{
      .kind = ArgumentKind::kTensorMap, .name = "b", .rows = "n", .columns = "k", .box_rows = 128, .box_columns = 64};
  kernel.arguments.insert(kernel.arguments.begin(), {map_a, map_b});
  kernel.tensor_key = tensor(DataType::kBf16, TensorPath::kWgmma);
  kernel.launch = {
      .grid_x = "min(2*floor(sms/2), 2*(m/256)*(n/256))", .block_x = 384, .cluster = 2, .dynamic_shared = 197632};
  kernel.work = tensor_work();
  kernel.work.l2_read = kernel.work.bulk_read = "3*m*n*k/128";
  kernel.work.multicast = "m*n*k/128";
  kernel.work.shared_tensor_wavefronts = "5*m*n*k/16384";
  kernel.work.shuffles = "m*n/64";
  kernel.work.l2_write = "2*m*n";
  kernel.work.load_requests = kernel.work.load_sectors = kernel.work.load_wavefronts = "0";
  kernel.work.store_requests = "m*n/256";
  kernel.work.store_sectors = "m*n/16";
  kernel.work.store_wavefronts = "9*m*n/256";
  return kernel;
}

}  // namespace

std::vector<KernelDeclaration> gemm_kernels() {
  return {naive(), tiled(), register_tile(), vector(), async()};
}

std::vector<KernelDeclaration> gemm_tensor_kernels() {
  return {mma(), wgmma()};
}

}  // namespace ridge::lab
