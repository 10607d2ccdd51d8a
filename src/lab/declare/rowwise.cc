// The stencil, softmax and layer normalisation.
#include "lab/declare/ladders.h"
#include "lab/reference/references.h"

namespace ridge::lab {
namespace {

EntryArgument integer(std::string_view name) {
  return {.kind = ArgumentKind::kInteger, .name = name, .value = name};
}

/// Five points, 6 FLOP inside the border: three additions, a multiplication, an FMA. Rows are whole warps, so left and
/// right neighbours of a warp straddle two lines (5 sectors) except at the ends of a row.
KernelDeclaration stencil(std::string_view id) {
  KernelDeclaration kernel;
  kernel.id = kernel.entry = id;
  kernel.ladder = kernel.module = "stencil";
  kernel.parameters = {{.name = "width", .initial = "8192", .min = 128, .max = 46080, .multiple = 128},
                       {.name = "height", .initial = "width", .min = 16, .max = 46080, .multiple = 16}};
  kernel.emulated = {"width=2048"};
  kernel.truth = {"width=4096"};
  kernel.buffers = {{.name = "in", .count = "width*height"},
                    {.name = "out", .count = "width*height", .role = Role::kOutput}};
  kernel.arguments = {{.name = "in"}, {.name = "out"}, integer("width"), integer("height")};
  WorkFormulas& work = kernel.work;
  work.flops = "6*(width - 2)*(height - 2)";
  work.fp32_add = "3*(width - 2)*(height - 2)";
  work.fp32_mul = work.fp32_fma = "(width - 2)*(height - 2)";
  work.dram_read = work.dram_write = "4*width*height";
  work.shared_loads = work.shared_load_wavefronts = work.shared_stores = work.shared_store_wavefronts = "0";
  work.shared_tensor_wavefronts = work.shuffles = work.multicast = "0";
  work.shared_atomic_wavefronts = work.excess_wavefronts = work.tensor = work.bulk_read = "0";
  work.excess_sectors = "(height - 2)*(width/16 - 2)";
  kernel.reference = expect_stencil;
  kernel.tolerance = 2e-7;
  return kernel;
}

/// A block of 32 x 8 needs 10 rows of 4 sectors and 2 more beside each of 8 rows: 7 bytes a point. The border of a row
/// is stored by an instruction of its own.
KernelDeclaration stencil_direct() {
  KernelDeclaration kernel = stencil("stencil_direct");
  kernel.lesson = {
      "Each value is asked for five times; L1 answers four of them, so DRAM still moves it once. The price is "
      "five loads for 6 FLOP.",
      "每个值被请求五次，其中四次由 L1 回答，所以 DRAM 只搬一次。代价是每 6 次浮点运算要五次加载。"};
  kernel.launch = {.grid_x = "width/32", .grid_y = "height/8", .block_x = 32, .block_y = 8};
  WorkFormulas& work = kernel.work;
  work.l2_read = "7*width*height";
  work.l2_write = "4*width*height + 64*(height - 2)";
  work.load_requests = "width*height/32 + (height - 2)*width/8";
  work.load_sectors = "width*height/8 + (height - 2)*(9*width/16 - 2)";
  work.load_wavefronts = "width*height/32 + (height - 2)*(3*width/16 - 2)";
  work.store_requests = "width*height/32 + 2*(height - 2)";
  work.store_sectors = "width*height/8 + 2*(height - 2)";
  work.store_wavefronts = "width*height/16 + 4*(height - 2)";
  return kernel;
}

/// A thread walks down 16 points: the first value and the one above it, then one new value a row, and two neighbours. A
/// block of 128 x 16 needs 18 rows of 16 sectors and 2 more beside each of 16 rows: 5 bytes a point.
KernelDeclaration stencil_rows() {
  KernelDeclaration kernel = stencil("stencil_rows");
  kernel.lesson = {
      "A thread walks down a column and keeps three rows in registers: three loads a point instead of five.",
      "线程沿一列向下走，三行留在寄存器里：每个点三次加载，而不是五次。"};
  kernel.change = {"keep the rows above and below in registers while walking down", "向下走时把上下两行留在寄存器里"};
  kernel.launch = {.grid_x = "width/128", .grid_y = "height/16", .block_x = 128};
  WorkFormulas& work = kernel.work;
  work.l2_read = "5*width*height";
  work.l2_write = "4*width*height";
  work.load_requests = "width/32*(9*height/8 - 2) + (height - 2)*width/16";
  work.load_sectors = "width/8*(9*height/8 - 2) + (height - 2)*(5*width/16 - 2)";
  work.load_wavefronts = "width/32*(9*height/8 - 2) + (height - 2)*(width/8 - 2)";
  work.store_requests = "width*height/32";
  work.store_sectors = "width*height/8";
  work.store_wavefronts = "width*height/16";
  return kernel;
}

/// A block of 256 a row; at each of two joins (a maximum, a sum) each warp shuffles eight times, stores one word to
/// shared memory and loads one.
KernelDeclaration rowwise(std::string_view id, std::string_view ladder) {
  KernelDeclaration kernel;
  kernel.id = kernel.entry = id;
  kernel.ladder = ladder;
  kernel.module = "normalise";
  kernel.parameters = {{.name = "rows", .initial = "16384", .min = 1, .max = 1048576},
                       {.name = "columns", .initial = "8192", .min = 256, .max = 8192, .multiple = 256}};
  kernel.emulated = {"rows=1024 columns=4096"};
  kernel.truth = {"rows=2048 columns=8192", "rows=2048 columns=4096"};
  kernel.launch = {.grid_x = "rows", .block_x = 256};
  kernel.buffers = {{.name = "in", .count = "rows*columns"},
                    {.name = "out", .count = "rows*columns", .role = Role::kOutput}};
  kernel.arguments = {{.name = "in"}, {.name = "out"}, integer("columns")};
  WorkFormulas& work = kernel.work;
  work.dram_read = work.dram_write = work.l2_read = work.l2_write = "4*rows*columns";
  work.load_requests = work.store_requests = "rows*columns/128";
  work.load_sectors = work.store_sectors = "rows*columns/8";
  work.load_wavefronts = "rows*columns/32";
  work.store_wavefronts = "5*rows*columns/128";
  work.shared_loads = work.shared_load_wavefronts = "16*rows";
  work.shared_stores = work.shared_store_wavefronts = "16*rows";
  work.shuffles = "128*rows";
  work.shared_tensor_wavefronts = work.multicast = "0";
  work.tensor = work.shared_atomic_wavefronts = work.excess_sectors = work.excess_wavefronts = work.bulk_read = "0";
  kernel.tolerance = 2e-6;
  return kernel;
}

/// An element costs a subtraction and a multiplication (the exponential itself runs on the special-function unit) and
/// an addition in the second pass; the same two and a division of five fma in the third. Joining the sums: 8 additions
/// of each of 256 threads.
KernelDeclaration softmax_passes() {
  KernelDeclaration kernel = rowwise("softmax_passes", "softmax");
  kernel.lesson = {
      "Maximum, sum and result each read the row again. Whether that costs DRAM traffic depends on whether "
      "the caches keep the row in between.",
      "最大值、求和、结果各读一遍整行。是否多花 DRAM 流量，取决于缓存能否在两遍之间留住这一行。"};
  WorkFormulas& work = kernel.work;
  work.flops = "rows*(15*columns + 2048)";
  work.fp32_add = "rows*(3*columns + 2048)";
  work.fp32_mul = "2*rows*columns";
  work.fp32_fma = "5*rows*columns";
  work.load_requests = work.load_wavefronts = "3*rows*columns/32";
  work.load_sectors = "3*rows*columns/8";
  work.store_requests = "rows*columns/32";
  work.store_wavefronts = "rows*columns/16";
  kernel.reference = expect_softmax;
  kernel.reference_cost = "4";
  return kernel;
}

/// Always 8192 values a row in registers, whatever its length; those beyond it cost two multiplications more (their
/// exponential underflows). 32 subtractions, 32 + 8 + 1 additions, 32 + 32 multiplications and 2 fma a thread.
KernelDeclaration softmax_fused() {
  KernelDeclaration kernel = rowwise("softmax_fused", "softmax");
  kernel.lesson = {"The row is read once and stays in registers; one reciprocal replaces a division an element.",
                   "整行只读一次并留在寄存器里；用一个倒数代替每个元素的除法。"};
  kernel.change = {"keep the row in registers between the passes, and divide once a row",
                   "各遍之间把整行留在寄存器里，每行只除一次"};
  WorkFormulas& work = kernel.work;
  work.flops = "rows*(18688 + 16384 + 2*(8192 - columns) + 1024)";
  work.fp32_add = "18688*rows";
  work.fp32_mul = "rows*(16384 + 2*(8192 - columns))";
  work.fp32_fma = "512*rows";
  kernel.reference = expect_softmax;
  kernel.reference_cost = "4";
  return kernel;
}

/// Always 8192 values a row; only those of the row enter the squares. A thread: 32 + 8 + 32 + 8 + 1 additions, 32
/// multiplications, two divisions of 5 fma; four values of a row: 2 additions, 2 multiplications and 2 fma.
KernelDeclaration layernorm() {
  KernelDeclaration kernel = rowwise("layernorm", "layernorm");
  kernel.lesson = {
      "Mean, variance and result from one reading of the row: two joins of the block are cheap beside the bytes.",
      "一次读入整行就得到均值、方差和结果：与字节相比，线程块的两次归约很便宜。"};
  WorkFormulas& work = kernel.work;
  work.flops = "rows*(20736 + 8192 + 5120 + 2*columns)";
  work.fp32_add = "rows*(20736 + columns/2)";
  work.fp32_mul = "rows*(8192 + columns/2)";
  work.fp32_fma = "rows*(2560 + columns/2)";
  kernel.reference = expect_layernorm;
  kernel.reference_cost = "4";
  return kernel;
}

}  // namespace

std::vector<KernelDeclaration> stencil_kernels() {
  return {stencil_direct(), stencil_rows()};
}

std::vector<KernelDeclaration> softmax_kernels() {
  return {softmax_passes(), softmax_fused()};
}

std::vector<KernelDeclaration> layernorm_kernels() {
  return {layernorm()};
}

}  // namespace ridge::lab
