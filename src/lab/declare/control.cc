// Bank conflicts, divergence and contention.
#include <array>
#include <numeric>

#include "lab/declare/ladders.h"
#include "lab/reference/references.h"

namespace ridge::lab {
namespace {

double lanes_in_one_bank(double stride) {
  return std::gcd(static_cast<int>(stride), 32);
}

constexpr int kLanes = 32, kBanks = 32, kWordsOfABank = 8;  // 256 counters

/// The words that 32 lanes, each at a random one of 256 counters, meet in the fullest of 32 banks, on average. Lanes
/// are told apart, so exponential generating functions count: of the ways for j lanes to meet exactly d of a bank's 8
/// words it is C(8, d) (e^x - 1)^d; d is kept to at most k, the 32nd power taken, and x^32 compared with that of all
/// ways.
double words_in_the_fullest_bank(double) {
  using Series = std::array<double, kLanes + 1>;  // coefficients of x^0 to x^32
  const auto times = [](const Series& a, const Series& b) {
    Series product{};
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (std::size_t j = 0; i + j < b.size(); ++j) product[i + j] += a[i] * b[j];
    }
    return product;
  };
  Series one_word{}, of_d_words{}, of_at_most{};
  double factorial = 1;
  for (std::size_t i = 1; i < one_word.size(); ++i) one_word[i] = 1 / (factorial *= static_cast<double>(i));
  of_d_words[0] = of_at_most[0] = 1;
  const auto share_of_all = [&](const Series& bank) {
    Series all{};
    all[0] = 1;
    for (int i = 0; i < kBanks; ++i) all = times(all, bank);
    double share = all[kLanes] * factorial;  // 32!
    for (int i = 0; i < kLanes; ++i) share /= kBanks * kWordsOfABank;
    return share;
  };
  double mean = 0, choices = 1;
  for (int d = 0; d <= kWordsOfABank; ++d) {
    if (d > 0) {
      choices = choices * (kWordsOfABank - d + 1) / d;
      of_d_words = times(of_d_words, one_word);
      for (std::size_t i = 0; i < of_at_most.size(); ++i) of_at_most[i] += choices * of_d_words[i];
    }
    mean += 1 - share_of_all(of_at_most);  // sum of P(more than d)
  }
  return mean;
}

EntryArgument integer(std::string_view name) {
  return {.kind = ArgumentKind::kInteger, .name = name, .value = name};
}

/// All blocks read the same 4096 words, each SM once from L2. A block fills them into shared memory (128 loads of a
/// line, stored without conflict), then each of its 8 warps reads 64 times.
KernelDeclaration shared_stride() {
  KernelDeclaration kernel;
  kernel.id = kernel.entry = "shared_stride";
  kernel.ladder = kernel.module = "shared_banks";
  kernel.lesson = {
      "32 banks of one word: a stride of s words makes gcd(s, 32) lanes meet in a bank and wait in line. Odd "
      "strides are free, 32 is 32 times slower.",
      "32 个存储体各一个字：步长 s 使 gcd(s, 32) 个线程挤在同一个存储体里排队。奇数步长没有代价，步长 32 慢 32 倍。"};
  kernel.parameters = {{.name = "blocks", .initial = "4096", .min = 1, .max = 65536},
                       {.name = "stride", .initial = "32", .min = 1, .max = 32}};
  kernel.derived = {{.name = "ways", .meaning = "gcd(stride, 32)", .of = "stride", .value = lanes_in_one_bank}};
  kernel.runs = {"stride=1", "stride=2", "stride=3", "stride=4", "stride=8", "stride=16", "stride=32"};
  kernel.sweep = true;
  kernel.emulated = {"blocks=1056 stride=1", "blocks=1056 stride=2",  "blocks=1056 stride=3", "blocks=1056 stride=4",
                     "blocks=1056 stride=8", "blocks=1056 stride=16", "blocks=1056 stride=32"};
  kernel.truth = {"stride=1", "stride=2", "stride=32"};
  kernel.launch = {.grid_x = "blocks", .block_x = 256};
  kernel.buffers = {{.name = "in", .count = "4096"}, {.name = "out", .count = "256*blocks", .role = Role::kOutput}};
  kernel.arguments = {{.name = "in"}, {.name = "out"}, integer("stride")};
  WorkFormulas& work = kernel.work;
  work.flops = work.fp32_add = "16384*blocks";
  work.fp32_mul = work.fp32_fma = work.tensor = "0";
  work.dram_read = "16384";
  work.l2_read = "16384*min(blocks, sms)";
  work.dram_write = work.l2_write = "1024*blocks";
  work.load_requests = work.load_wavefronts = "128*blocks";
  work.load_sectors = "512*blocks";
  work.store_requests = "8*blocks";
  work.store_sectors = "32*blocks";
  work.store_wavefronts = "16*blocks";
  work.shared_loads = "512*blocks";
  work.shared_load_wavefronts = "512*blocks*ways";
  work.shared_stores = work.shared_store_wavefronts = "128*blocks";
  work.excess_wavefronts = "512*blocks*(ways - 1)";
  work.shared_tensor_wavefronts = work.shuffles = work.multicast = "0";
  work.shared_atomic_wavefronts = work.excess_sectors = work.bulk_read = "0";
  kernel.reference = expect_shared_stride;
  kernel.reference_cost = "64";
  kernel.tolerance = 1e-6;
  return kernel;
}

/// A lane computes its factor with one FMA, then runs the loop of `steps`.
KernelDeclaration divergence() {
  KernelDeclaration kernel;
  kernel.id = kernel.entry = kernel.ladder = "divergence";
  kernel.module = "control";
  kernel.lesson = {
      "Lanes of a warp that take different branches wait for each other: the same FLOP take as many times "
      "longer as there are paths.",
      "同一线程束里走不同分支的线程互相等待：同样的浮点运算，有几条路径就慢几倍。"};
  kernel.parameters = {{.name = "n", .initial = "16777216", .min = 256, .max = 2147483392, .multiple = 256},
                       {.name = "paths", .initial = "32", .min = 1, .max = 32},
                       {.name = "steps", .initial = "64", .min = 1, .max = 65536}};
  kernel.runs = {"paths=1", "paths=2", "paths=4", "paths=8", "paths=16", "paths=32"};
  kernel.sweep = true;
  kernel.emulated = {"n=1048576 paths=1", "n=1048576 paths=2",  "n=1048576 paths=4",
                     "n=1048576 paths=8", "n=1048576 paths=16", "n=1048576 paths=32"};
  kernel.truth = {"n=4194304 paths=1", "n=4194304 paths=4", "n=4194304 paths=32"};
  kernel.launch = {.grid_x = "n/256", .block_x = 256};
  kernel.buffers = {{.name = "in", .count = "n"}, {.name = "out", .count = "n", .role = Role::kOutput}};
  kernel.arguments = {{.name = "in"}, {.name = "out"}, integer("n"), integer("paths"), integer("steps")};
  WorkFormulas& work = kernel.work;
  work.flops = "2*n*(steps + 1)";
  work.fp32_fma = "n*(steps + 1)";
  work.fp32_add = work.fp32_mul = work.tensor = "0";
  work.dram_read = work.dram_write = work.l2_read = work.l2_write = "4*n";
  work.load_requests = work.load_wavefronts = work.store_requests = "n/32";
  work.load_sectors = work.store_sectors = "n/8";
  work.store_wavefronts = "n/16";
  work.shared_loads = work.shared_load_wavefronts = work.shared_stores = work.shared_store_wavefronts = "0";
  work.shared_tensor_wavefronts = work.shuffles = work.multicast = "0";
  work.shared_atomic_wavefronts = work.excess_sectors = work.excess_wavefronts = work.bulk_read = "0";
  kernel.reference = expect_divergence;
  kernel.reference_cost = "steps";
  kernel.tolerance = 1e-6;
  return kernel;
}

/// Bytes drawn evenly from 256 values. Integer work only.
KernelDeclaration histogram(std::string_view id) {
  KernelDeclaration kernel;
  kernel.id = kernel.entry = id;
  kernel.ladder = "histogram";
  kernel.module = "control";
  kernel.parameters = {{.name = "n", .initial = "268435456", .min = 256, .max = 2147483392, .multiple = 256}};
  kernel.emulated = {"n=4194304"};
  kernel.truth = {"n=16777216"};
  kernel.buffers = {{.name = "in", .type = ElementType::kUint8, .count = "n", .low = 0, .high = 256},
                    {.name = "counts", .type = ElementType::kUint32, .count = "256", .role = Role::kAccumulated}};
  kernel.arguments = {{.name = "in"}, {.name = "counts"}, integer("n")};
  WorkFormulas& work = kernel.work;
  work.flops = work.fp32_add = work.fp32_mul = work.fp32_fma = work.tensor = "0";
  work.dram_read = work.l2_read = "n";
  work.dram_write = "1024";
  work.store_requests = work.store_sectors = work.store_wavefronts = "0";
  work.shared_loads = work.shared_load_wavefronts = work.shared_stores = work.shared_store_wavefronts = "0";
  work.shared_tensor_wavefronts = work.shuffles = work.multicast = "0";
  work.shared_atomic_wavefronts = work.excess_sectors = work.excess_wavefronts = work.bulk_read = "0";
  kernel.reference = expect_histogram;
  kernel.reference_cost = "n";
  kernel.tolerance = 0;
  return kernel;
}

/// A warp reads 32 bytes (a sector) and sends 32 additions to 1 KiB of counters: of its 32 sectors, each is met with
/// probability 1 - (31/32)^32, and lanes that meet in one of the 256 words (32 - 256 (1 - (255/256)^32) of them) go
/// again. 22.3 sectors, four a wavefront, and one wavefront more.
KernelDeclaration histogram_global() {
  KernelDeclaration kernel = histogram("histogram_global");
  kernel.lesson = {
      "Each element is an atomic addition in L2, and all of them meet in the same kilobyte: contention, not "
      "bandwidth, sets the time.",
      "每个元素都是 L2 里的一次原子加，而且都挤在同一 KB 里：时间由争用决定，而不是带宽。"};
  kernel.launch = {.grid_x = "n/256", .block_x = 256};
  kernel.work.l2_write = "n*(32*(1 - (31/32)^32) + 32 - 256*(1 - (255/256)^32))";
  kernel.work.store_wavefronts = "n/32*(1 + (32*(1 - (31/32)^32) + 32 - 256*(1 - (255/256)^32))/4)";
  kernel.work.load_requests = kernel.work.load_sectors = kernel.work.load_wavefronts = "n/32";
  return kernel;
}

/// Each of 8 blocks an SM counts in shared memory; an addition takes a wavefront for each word of the fullest bank.
KernelDeclaration histogram_shared() {
  KernelDeclaration kernel = histogram("histogram_shared");
  kernel.lesson = {
      "Each block counts in its own shared memory and adds 256 numbers at its end: the contention stays inside "
      "the SM.",
      "每个线程块先在自己的共享内存里计数，最后只加 256 个数：争用留在 SM 内部。"};
  kernel.change = {"count in shared memory, and add each block's 256 counts at its end",
                   "在共享内存里计数，线程块结束时再加 256 个数"};
  kernel.launch = {.grid_x = "8*sms", .block_x = 256};
  kernel.work.l2_write = "8192*sms";
  kernel.work.load_requests = kernel.work.load_wavefronts = "n/128";
  kernel.work.load_sectors = "n/32";
  kernel.work.shared_loads = kernel.work.shared_load_wavefronts = "64*sms";
  kernel.work.shared_stores = kernel.work.shared_store_wavefronts = "64*sms";
  kernel.derived = {{.name = "fullest",
                     .meaning = "words that 32 random lanes meet in the fullest of 32 banks",
                     .of = "n",
                     .value = words_in_the_fullest_bank}};
  kernel.work.shared_atomic_wavefronts = "fullest*n/32";
  return kernel;
}

}  // namespace

std::vector<KernelDeclaration> shared_bank_kernels() {
  return {shared_stride()};
}

std::vector<KernelDeclaration> divergence_kernels() {
  return {divergence()};
}

std::vector<KernelDeclaration> histogram_kernels() {
  return {histogram_global(), histogram_shared()};
}

}  // namespace ridge::lab
