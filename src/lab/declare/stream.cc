// Streaming, element-wise and scattered access: a handful of FLOP an element, so only the bytes count.
#include "lab/declare/ladders.h"
#include "lab/reference/references.h"

namespace ridge::lab {
namespace {

constexpr double kMostElements = 2147483392;  // the kernels count elements with an int; a multiple of 256

WorkFormulas no_shared() {
  WorkFormulas work;
  work.flops = work.fp32_add = work.fp32_mul = work.fp32_fma = work.tensor = "0";
  work.shared_loads = work.shared_load_wavefronts = "0";
  work.shared_stores = work.shared_store_wavefronts = work.shared_atomic_wavefronts = "0";
  work.shared_tensor_wavefronts = work.shuffles = work.multicast = "0";
  work.excess_sectors = work.excess_wavefronts = work.bulk_read = "0";
  return work;
}

/// One array of n floats written, a line a warp.
void writes_one(WorkFormulas& work) {
  work.dram_write = work.l2_write = "4*n";
  work.store_requests = "n/32";
  work.store_sectors = "n/8";
  work.store_wavefronts = "n/16";
}

void reads_one(WorkFormulas& work) {
  work.dram_read = work.l2_read = "4*n";
  work.load_requests = work.load_wavefronts = "n/32";
  work.load_sectors = "n/8";
}

void reads_two(WorkFormulas& work) {
  work.dram_read = work.l2_read = "8*n";
  work.load_requests = work.load_wavefronts = "n/16";
  work.load_sectors = "n/4";
}

EntryArgument integer(std::string_view name) {
  return {.kind = ArgumentKind::kInteger, .name = name, .value = name};
}

/// One thread an element, blocks of 256.
KernelDeclaration per_element(std::string_view id, std::string_view ladder, std::string_view n) {
  KernelDeclaration kernel;
  kernel.id = kernel.entry = id;
  kernel.ladder = ladder;
  kernel.module = "stream";
  kernel.parameters = {{.name = "n", .initial = n, .min = 256, .max = kMostElements, .multiple = 256}};
  kernel.emulated = {"n=4194304"};
  kernel.launch = {.grid_x = "n/256", .block_x = 256};
  kernel.work = no_shared();
  return kernel;
}

KernelDeclaration vector_add() {
  KernelDeclaration kernel = per_element("vector_add", "stream", "100000000");
  kernel.lesson = {"1 FLOP for 12 bytes: the FMA pipes idle, DRAM sets the time. No change to the arithmetic can help.",
                   "每 12 字节才 1 次浮点运算：运算单元空闲，时间由 DRAM 决定。改算术没有用。"};
  kernel.truth = {"n=16777216"};
  kernel.buffers = {
      {.name = "a", .count = "n"}, {.name = "b", .count = "n"}, {.name = "c", .count = "n", .role = Role::kOutput}};
  kernel.arguments = {{.name = "a"}, {.name = "b"}, {.name = "c"}, integer("n")};
  kernel.work.flops = kernel.work.fp32_add = "n";
  reads_two(kernel.work);
  writes_one(kernel.work);
  kernel.reference = expect_vector_add;
  kernel.tolerance = 1e-7;
  return kernel;
}

KernelDeclaration saxpy() {
  KernelDeclaration kernel = per_element("saxpy", "stream", "100000000");
  kernel.lesson = {"The same bytes as vector_add with twice the FLOP, in one FMA: the same time.",
                   "与 vector_add 字节相同，浮点运算加倍（一次 FMA）：时间相同。"};
  kernel.change = {"multiply as well, in the same instruction", "在同一条指令里再做乘法"};
  kernel.truth = {"n=16777216"};
  kernel.buffers = {{.name = "x", .count = "n"}, {.name = "y", .count = "n", .role = Role::kInOut}};
  kernel.arguments = {
      {.kind = ArgumentKind::kFloat, .name = "s", .value = "1.25"}, {.name = "x"}, {.name = "y"}, integer("n")};
  kernel.work.flops = "2*n";
  kernel.work.fp32_fma = "n";
  reads_two(kernel.work);
  writes_one(kernel.work);
  kernel.reference = expect_saxpy;
  kernel.tolerance = 1e-7;
  return kernel;
}

/// Arguments inside (-pi/4, pi/4): the quadrant is 0 for all, so that no predicated step differs between elements.
/// The fast path multiplies by 2/pi (mul), subtracts the quadrant in three steps (fma), squares (mul), and evaluates a
/// polynomial of four (sine) or five (cosine) fma. The reduction of huge arguments is in the code and never taken.
KernelDeclaration elementwise(std::string_view id) {
  KernelDeclaration kernel = per_element(id, "elementwise", "67108864");
  kernel.truth = {"n=16777216"};
  kernel.buffers = {{.name = "x", .count = "n", .low = -0.75, .high = 0.75},
                    {.name = "y", .count = "n", .role = Role::kOutput}};
  kernel.arguments = {{.name = "x"}, {.name = "y"}, integer("n")};
  reads_one(kernel.work);
  writes_one(kernel.work);
  kernel.work.fp32_mul = "2*n";
  kernel.tolerance = 2e-7;
  return kernel;
}

KernelDeclaration sin_map() {
  KernelDeclaration kernel = elementwise("sin_map");
  kernel.lesson = {"A sine costs 16 FLOP in instructions, and still the 8 bytes an element decide.",
                   "一次正弦要 16 次浮点运算（按指令计），但决定时间的仍是每个元素的 8 字节。"};
  kernel.work.flops = "16*n";
  kernel.work.fp32_fma = "7*n";
  kernel.reference = expect_sin;
  return kernel;
}

KernelDeclaration cos_map() {
  KernelDeclaration kernel = elementwise("cos_map");
  kernel.lesson = {"The same for the cosine: after sin_map it reads the same input from DRAM once more.",
                   "余弦同理：在 sin_map 之后，它又从 DRAM 把同样的输入读了一遍。"};
  kernel.change = {"the cosine of the same input, in a kernel of its own", "对同一输入求余弦，用另一个内核"};
  kernel.work.flops = "18*n";
  kernel.work.fp32_fma = "8*n";
  kernel.reference = expect_cos;
  return kernel;
}

KernelDeclaration sin_cos_fused() {
  KernelDeclaration kernel = elementwise("sin_cos_fused");
  kernel.lesson = {"One reading of x serves both results: 12 bytes an element where two kernels move 16, so 1.33x.",
                   "x 只读一次就得到两个结果：每个元素 12 字节，而两个内核要 16 字节，因此快 1.33 倍。"};
  kernel.change = {"compute both from one reading of x", "读一次 x，同时算两者"};
  kernel.buffers = {{.name = "x", .count = "n", .low = -0.75, .high = 0.75},
                    {.name = "s", .count = "n", .role = Role::kOutput},
                    {.name = "c", .count = "n", .role = Role::kOutput}};
  kernel.arguments = {{.name = "x"}, {.name = "s"}, {.name = "c"}, integer("n")};
  kernel.work.flops = "24*n";
  kernel.work.fp32_fma = "11*n";
  kernel.work.dram_write = kernel.work.l2_write = "8*n";
  kernel.work.store_requests = "n/16";
  kernel.work.store_sectors = "n/4";
  kernel.work.store_wavefronts = "n/8";
  kernel.reference = expect_sin_cos;
  return kernel;
}

/// 32 lanes 4 x stride bytes apart: min(4 stride, 32) sectors in min(stride, 32) lines; DRAM moves 64 bytes at least.
KernelDeclaration strided_read() {
  KernelDeclaration kernel = per_element("strided_read", "access", "16777216");
  kernel.lesson = {
      "From a stride of 8 on, each element costs a sector of 32 bytes; from 16 on, 64 bytes of DRAM. What is "
      "not used has been moved all the same.",
      "步长从 8 起，每个元素要搬一个 32 字节的扇区；从 16 起，要搬 64 字节 DRAM。用不到的字节也照样搬了。"};
  kernel.parameters.push_back({.name = "stride", .initial = "16", .min = 1, .max = 64});
  kernel.runs = {"stride=1", "stride=2", "stride=4", "stride=8", "stride=16", "stride=32"};
  kernel.sweep = true;
  kernel.emulated = {"n=1048576 stride=1", "n=1048576 stride=2",  "n=1048576 stride=4",
                     "n=1048576 stride=8", "n=1048576 stride=16", "n=1048576 stride=32"};
  kernel.truth = {"n=4194304 stride=1", "n=4194304 stride=4", "n=4194304 stride=16"};
  kernel.buffers = {{.name = "in", .count = "n*stride"}, {.name = "out", .count = "n", .role = Role::kOutput}};
  kernel.arguments = {{.name = "in"}, {.name = "out"}, integer("n"), integer("stride")};
  writes_one(kernel.work);
  kernel.work.dram_read = "4*n*min(stride, 16)";
  kernel.work.l2_read = "4*n*min(stride, 8)";
  kernel.work.load_requests = "n/32";
  kernel.work.load_sectors = "n/8*min(stride, 8)";
  kernel.work.load_wavefronts = "n/32*min(stride, 32)";
  kernel.work.excess_sectors = "n/8*(min(stride, 8) - 1)";
  kernel.reference = expect_strided;
  kernel.tolerance = 0;
  return kernel;
}

/// Random elements: 32 sectors in 32 lines a request, but for rare chances; two lines share a wavefront where their
/// banks differ. The array fits in L2, so DRAM moves it once.
KernelDeclaration gathered_read() {
  KernelDeclaration kernel = per_element("gathered_read", "access", "4194304");
  kernel.lesson = {
      "Elements named by an index array: each lane takes a sector and a line of its own. Even when L2 holds "
      "everything, L1 needs 16 wavefronts where neighbours need one.",
      "由索引数组指定元素：每个线程各取一个扇区和一行。即使 L2 装得下全部数据，L1 也要 16 "
      "个波前，而相邻访问只要一个。"};
  kernel.change = {"take the elements from random places", "从随机位置取元素"};
  kernel.sweep = true;
  kernel.emulated = {"n=1048576"};
  kernel.truth = {"n=4194304"};
  kernel.buffers = {
      {.name = "in", .count = "n"},
      {.name = "index", .type = ElementType::kInt32, .count = "n", .role = Role::kIndex, .index_end = "n"},
      {.name = "out", .count = "n", .role = Role::kOutput}};
  kernel.arguments = {{.name = "in"}, {.name = "index"}, {.name = "out"}, integer("n")};
  writes_one(kernel.work);
  kernel.work.dram_read = "8*n";
  kernel.work.l2_read = "36*n";
  kernel.work.load_requests = "n/16";
  kernel.work.load_sectors = "9*n/8";
  kernel.work.load_wavefronts = "17*n/32";
  kernel.work.excess_sectors = "7*n/8";
  kernel.reference = expect_gathered;
  kernel.tolerance = 0;
  return kernel;
}

}  // namespace

std::vector<KernelDeclaration> stream_kernels() {
  return {vector_add(), saxpy()};
}

std::vector<KernelDeclaration> elementwise_kernels() {
  return {sin_map(), cos_map(), sin_cos_fused()};
}

std::vector<KernelDeclaration> access_kernels() {
  return {strided_read(), gathered_read()};
}

}  // namespace ridge::lab
