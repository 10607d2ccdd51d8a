// The transpose ladder: no FLOP, 8 n^2 bytes at best, and five ways to ask for them.
#include "lab/declare/ladders.h"
#include "lab/reference/references.h"

namespace ridge::lab {
namespace {

KernelDeclaration transpose(std::string_view id) {
  KernelDeclaration kernel;
  kernel.id = kernel.entry = id;
  kernel.ladder = kernel.module = "transpose";
  kernel.parameters = {{.name = "n", .initial = "8192", .min = 64, .max = 65536, .multiple = 64}};
  kernel.emulated = {"n=2048"};
  kernel.truth = {"n=4096"};
  kernel.launch = {.grid_x = "n/32", .grid_y = "n/32", .block_x = 32, .block_y = 8};
  kernel.buffers = {{.name = "in", .count = "n^2"}, {.name = "out", .count = "n^2", .role = Role::kOutput}};
  kernel.arguments = {{.name = "in"}, {.name = "out"}, {.kind = ArgumentKind::kInteger, .name = "n", .value = "n"}};
  WorkFormulas& work = kernel.work;
  work.flops = work.fp32_add = work.fp32_mul = work.fp32_fma = work.tensor = "0";
  work.dram_read = work.dram_write = work.l2_read = work.l2_write = "4*n^2";
  work.load_requests = work.load_wavefronts = work.store_requests = "n^2/32";
  work.load_sectors = work.store_sectors = "n^2/8";
  work.store_wavefronts = "n^2/16";
  work.shared_loads = work.shared_load_wavefronts = work.shared_stores = work.shared_store_wavefronts = "0";
  work.shared_tensor_wavefronts = work.shuffles = work.multicast = "0";
  work.shared_atomic_wavefronts = work.excess_sectors = work.excess_wavefronts = work.bulk_read = "0";
  kernel.reference = expect_transpose;
  kernel.tolerance = 0;
  return kernel;
}

/// 16 bytes a lane: two rows of 256 bytes, 4 lines a request.
void wide(KernelDeclaration& kernel) {
  kernel.launch = {.grid_x = "n/64", .grid_y = "n/64", .block_x = 256};
  kernel.work.load_requests = kernel.work.store_requests = "n^2/128";
  kernel.work.load_wavefronts = "n^2/32";
  kernel.work.store_wavefronts = "5*n^2/128";
}

KernelDeclaration copy() {
  KernelDeclaration kernel = transpose("transpose_copy");
  kernel.lesson = {"Nothing is transposed: the same bytes in and out, which is the best any transpose can do.",
                   "不做转置：同样的字节读入写出，这是任何转置能达到的上限。"};
  wide(kernel);
  kernel.reference = expect_copy;
  return kernel;
}

/// A store of a warp goes down a column: 32 lines, one sector of each, 4 bytes of 32 used.
KernelDeclaration naive() {
  KernelDeclaration kernel = transpose("transpose_naive");
  kernel.lesson = {
      "Rows are read in order, columns are written: each store touches 32 lines, so L2 receives eight times the "
      "bytes, a sector for each word.",
      "按行读，按列写：每次存储碰到 32 行，每个字占一个扇区，L2 收到八倍的字节。"};
  kernel.change = {"write each row as a column", "把每一行写成一列"};
  kernel.work.l2_write = "32*n^2";
  kernel.work.store_sectors = "n^2";
  kernel.work.store_wavefronts = "33*n^2/32";
  kernel.work.excess_sectors = "7*n^2/8";
  return kernel;
}

/// A column of a 32-word tile lies in one bank: 32 wavefronts a load.
KernelDeclaration shared() {
  KernelDeclaration kernel = transpose("transpose_shared");
  kernel.lesson = {
      "A tile in shared memory makes both sides coalesced. But its columns lie in one bank: each load from it "
      "takes 32 wavefronts, and L1 becomes the limit.",
      "共享内存分块使两边都合并访问。但分块的一列都落在同一个存储体：每次读要 32 个波前，L1 成为瓶颈。"};
  kernel.change = {"turn tiles of 32x32 in shared memory, so that global memory sees whole lines both ways",
                   "在共享内存里转置 32x32 的分块，使全局内存两个方向都是整行访问"};
  kernel.work.shared_loads = kernel.work.shared_stores = kernel.work.shared_store_wavefronts = "n^2/32";
  kernel.work.shared_load_wavefronts = "n^2";
  kernel.work.excess_wavefronts = "31*n^2/32";
  return kernel;
}

KernelDeclaration padded() {
  KernelDeclaration kernel = transpose("transpose_padded");
  kernel.lesson = {"One unused column moves each row to the next bank: no conflict, and almost the speed of the copy.",
                   "多一列空位，使每一行错开一个存储体：没有冲突，速度接近拷贝。"};
  kernel.change = {"add one column to the tile, so that a column's words lie in 32 banks",
                   "分块多加一列，使一列的字分布在 32 个存储体"};
  kernel.work.shared_loads = kernel.work.shared_load_wavefronts = "n^2/32";
  kernel.work.shared_stores = kernel.work.shared_store_wavefronts = "n^2/32";
  return kernel;
}

/// Stores of 16 bytes a lane take 4 wavefronts. Loads of 4 bytes find two lanes in each bank: columns c and c + 8 of
/// the XOR pattern, which costs nothing here because DRAM is the limit.
KernelDeclaration swizzled() {
  KernelDeclaration kernel = transpose("transpose_swizzled");
  kernel.lesson = {
      "An XOR in the index spreads the columns instead of padding, and keeps 16-byte accesses whole: fewer "
      "instructions and more bytes in flight. Blocks that start together write side by side.",
      "用下标的异或代替空列来错开，16 字节访问保持完整：指令更少，在途字节更多。同时启动的线程块写入相邻的位置。"};
  kernel.change = {
      "64x64 tiles moved 16 bytes at a time, with an XOR instead of the padding, in the order of what they write",
      "64x64 的分块，每次搬 16 字节，用异或代替空列，并按写入位置的顺序处理分块"};
  wide(kernel);
  kernel.work.shared_loads = "n^2/32";
  kernel.work.shared_load_wavefronts = "n^2/16";
  kernel.work.shared_stores = "n^2/128";
  kernel.work.shared_store_wavefronts = "n^2/32";
  kernel.work.excess_wavefronts = "n^2/32";
  return kernel;
}

}  // namespace

std::vector<KernelDeclaration> transpose_kernels() {
  return {copy(), naive(), shared(), padded(), swizzled()};
}

}  // namespace ridge::lab
