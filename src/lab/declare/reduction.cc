// The ladder of sums. Shared-memory counts are per block of 256: in a step of a tree the warps that still have an
// active thread move words; the others send their two loads and one store with every lane switched off, a wavefront
// each.
#include "lab/declare/ladders.h"
#include "lab/reference/references.h"

namespace ridge::lab {
namespace {

/// Sums of values from [0, 1), so that nothing cancels: one a block, of 256 elements.
KernelDeclaration reduction(std::string_view id) {
  KernelDeclaration kernel;
  kernel.id = kernel.entry = id;
  kernel.ladder = "reduction";
  kernel.module = "reduce";
  kernel.parameters = {{.name = "n", .initial = "268435456", .min = 1024, .max = 2147482624, .multiple = 1024}};
  kernel.emulated = {"n=4194304"};
  kernel.truth = {"n=16777216"};
  kernel.launch = {.grid_x = "n/256", .block_x = 256};
  kernel.buffers = {{.name = "in", .count = "n", .low = 0, .high = 1},
                    {.name = "out", .count = "n/256", .role = Role::kOutput}};
  kernel.arguments = {{.name = "in"}, {.name = "out"}, {.kind = ArgumentKind::kInteger, .name = "n", .value = "n"}};
  WorkFormulas& work = kernel.work;
  work.fp32_mul = work.fp32_fma = work.tensor = work.shuffles = "0";
  work.dram_read = work.l2_read = "4*n";
  work.dram_write = "n/64";
  work.l2_write = "n/8";
  work.load_requests = work.load_wavefronts = "n/32";
  work.load_sectors = "n/8";
  work.store_requests = work.store_sectors = "n/256";
  work.store_wavefronts = "n/128";
  work.shared_tensor_wavefronts = work.multicast = "0";
  work.shared_atomic_wavefronts = work.excess_sectors = work.excess_wavefronts = work.bulk_read = "0";
  kernel.reference = expect_block_sums;
  kernel.reference_cost = "256";
  kernel.tolerance = 1e-6;
  return kernel;
}

/// Active warps over the eight steps: 8 x 5, then 4, 2, 1: 47 of 64, of two loads and a store each; 255 additions.
KernelDeclaration interleaved() {
  KernelDeclaration kernel = reduction("reduce_interleaved");
  kernel.lesson = {
      "Which thread adds is found with a modulo, and in the first five steps every warp is half idle or worse: "
      "the sum is limited by instructions and barriers, not by memory.",
      "用取模决定哪个线程做加法，前五步每个线程束至少一半空闲：限制求和的是指令和同步，而不是内存。"};
  kernel.work.flops = kernel.work.fp32_add = "255*n/256";
  kernel.work.shared_loads = kernel.work.shared_load_wavefronts = "95*n/256";
  kernel.work.shared_stores = kernel.work.shared_store_wavefronts = "55*n/256";
  kernel.work.shared_idle_wavefronts = "3*(64 - 47)*n/256";
  return kernel;
}

/// Active warps: 4, 2, then one in each of six steps: 12 of 64.
KernelDeclaration sequential() {
  KernelDeclaration kernel = reduction("reduce_sequential");
  kernel.lesson = {
      "Active threads stay together, so whole warps drop out instead of half of each: a quarter of the shared "
      "accesses for the same 255 additions.",
      "活动线程保持相邻，退出的是整个线程束而不是每个的一半：同样 255 次加法，共享内存访问只要四分之一。"};
  kernel.change = {"let neighbouring threads add, so that whole warps fall idle",
                   "让相邻的线程做加法，使整个线程束一起空闲"};
  kernel.work.flops = kernel.work.fp32_add = "255*n/256";
  kernel.work.shared_loads = kernel.work.shared_load_wavefronts = "25*n/256";
  kernel.work.shared_stores = kernel.work.shared_store_wavefronts = "20*n/256";
  kernel.work.shared_idle_wavefronts = "3*(64 - 12)*n/256";
  return kernel;
}

/// All 256 threads make five additions after a shuffle, then one warp three: 1376 additions a block, of which 255 are
/// needed, and 43 shuffles.
KernelDeclaration shuffle() {
  KernelDeclaration kernel = reduction("reduce_shuffle");
  kernel.lesson = {
      "A warp adds through registers (shuffle), without barriers: more additions than needed, and faster. What "
      "is left is one element a thread, too few bytes in flight.",
      "线程束用 shuffle "
      "在寄存器之间相加，不需要同步：加法更多，却更快。剩下的问题是每个线程只有一个元素，在途字节太少。"};
  kernel.change = {"add within a warp by shuffles, without shared memory or barriers",
                   "线程束内用 shuffle 相加，不用共享内存和同步"};
  kernel.work.flops = kernel.work.fp32_add = "1376*n/256";
  kernel.work.shuffles = "43*n/256";
  kernel.work.shared_loads = kernel.work.shared_load_wavefronts = "n/256";
  kernel.work.shared_stores = kernel.work.shared_store_wavefronts = "8*n/256";
  return kernel;
}

/// One sum of everything. 16 blocks an SM, whose results meet in an atomic addition of L2 each; a warp's request of 16
/// bytes a lane is 16 sectors in 4 lines.
void whole_chip(KernelDeclaration& kernel) {
  kernel.launch.grid_x = "16*sms";
  kernel.buffers.back() = {.name = "out", .count = "1", .role = Role::kAccumulated};
  kernel.work.dram_write = "4";
  kernel.work.l2_write = "32*16*sms";
  kernel.work.store_requests = kernel.work.store_sectors = kernel.work.store_wavefronts = "0";
  kernel.work.shared_loads = kernel.work.shared_load_wavefronts = "16*sms";
  kernel.work.shared_stores = kernel.work.shared_store_wavefronts = "8*16*sms";
  kernel.work.shuffles = "43*16*sms";
  kernel.reference = expect_sum;
  kernel.reference_cost = "n";
  kernel.tolerance = 2e-5;
}

KernelDeclaration vector() {
  KernelDeclaration kernel = reduction("reduce_vector");
  kernel.lesson = {
      "Eight loads of 16 bytes in flight a thread, and just enough blocks to fill the chip: the sum now runs at "
      "the speed at which DRAM can be read.",
      "每个线程有八个 16 字节的加载在途，线程块刚好填满芯片：求和达到 DRAM 的读取速度。"};
  kernel.change = {"load 16 bytes eight times before adding, in one pass of a grid that just fills the chip",
                   "先发出八个 16 字节的加载再相加，网格只启动刚好填满芯片的线程块"};
  whole_chip(kernel);
  kernel.work.flops = kernel.work.fp32_add = "n + 1376*16*sms";
  kernel.work.load_requests = "n/128";
  kernel.work.load_wavefronts = "n/32";
  return kernel;
}

KernelDeclaration dot() {
  KernelDeclaration kernel = reduction("dot");
  kernel.lesson = {"Two arrays and an FMA an element: twice the bytes of a sum, and again the read speed of DRAM.",
                   "两个数组，每个元素一次 FMA：字节是求和的两倍，速度仍是 DRAM 的读取速度。"};
  kernel.change = {"read two arrays and multiply", "读两个数组并相乘"};
  whole_chip(kernel);
  kernel.buffers = {{.name = "x", .count = "n", .low = 0, .high = 1},
                    {.name = "y", .count = "n", .low = 0, .high = 1},
                    {.name = "out", .count = "1", .role = Role::kAccumulated}};
  kernel.arguments.front() = {.name = "x"};
  kernel.arguments.insert(kernel.arguments.begin() + 1, EntryArgument{.name = "y"});
  kernel.work.flops = "2*n + 1376*16*sms";
  kernel.work.fp32_add = "1376*16*sms";
  kernel.work.fp32_fma = "n";
  kernel.work.dram_read = kernel.work.l2_read = "8*n";
  kernel.work.load_requests = "n/64";
  kernel.work.load_wavefronts = "n/16";
  kernel.work.load_sectors = "n/4";
  kernel.reference = expect_dot;
  kernel.reference_cost = "2*n";
  return kernel;
}

}  // namespace

std::vector<KernelDeclaration> reduction_kernels() {
  return {interleaved(), sequential(), shuffle(), vector(), dot()};
}

}  // namespace ridge::lab
