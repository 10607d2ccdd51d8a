#include "render/glossary/entries.h"

namespace ridge::render {
namespace {

constexpr GlossaryEntry kTerms[] = {
    {"dram",
     "hbm, gddr, device memory, global memory, vram",
     {"DRAM",
      "The GPU's own memory outside the chip, HBM or GDDR: large, and the slowest level of the device. Most kernels of "
      "low intensity are bound by it.",
      "H200: 141 GB of HBM3e at 4.8 TB/s. Reading all of it once takes 29 ms."},
     {"DRAM（显存）", "芯片之外的 GPU 显存，HBM 或 GDDR：容量大，是设备上最慢的一级。大多数低强度内核受它限制。",
      "H200：141 GB HBM3e，4.8 TB/s。完整读一遍需 29 ms。"},
     "bandwidth, l2, memory-bound"},
    {"l2",
     "l2 cache, second level cache",
     {"L2",
      "The cache that all SMs share, between them and DRAM. Data that fits in it is read from DRAM once, however often "
      "kernels ask for it.",
      "Naive and tiled matrix products of n = 1024 both read 8.39 MB from DRAM on an H200: L2 holds both matrices, so "
      "tiling saves L1 traffic and no DRAM traffic."},
     {"L2 缓存", "所有 SM 共享的缓存，位于它们与 DRAM 之间。放得进的数据只从 DRAM 读一次，无论内核请求多少次。",
      "H200 上 n = 1024 的朴素与分块矩阵乘法都只从 DRAM 读 8.39 MB：L2 放得下两个矩阵，分块节省的是 L1 流量而非 DRAM "
      "流量。"},
     "dram, l1, working-set"},
    {"l1",
     "l1 cache, first level cache, tex cache",
     {"L1",
      "The cache inside each SM, in the same memory as shared memory. Every global load and store passes it; its limit "
      "is "
      "how many wavefronts a clock it serves, one of 128 bytes.",
      "The naive matrix product of n = 1024 moves 5.4 GB through L1 and 8 MB from DRAM: L1 binds it."},
     {"L1 缓存",
      "每个 SM 内部的缓存，与共享内存同处一块存储。所有全局读写都经过它；它的极限是每时钟服务一个 128 字节的波前。",
      "n = 1024 的朴素矩阵乘法经 L1 搬运 5.4 GB，而从 DRAM 只有 8 MB：瓶颈是 L1。"},
     "shared-memory, wavefront, l2"},
    {"shared-memory",
     "shared, smem, lds, scratchpad",
     {"shared memory",
      "Memory inside each SM that the threads of a block manage themselves. 32 banks of 4 bytes serve 128 bytes a "
      "clock "
      "when every thread asks a different bank.",
      "A 32 x 32 tile of fp32 is 4 KiB: loaded once from global memory, read 32 times from shared memory."},
     {"共享内存", "每个 SM 内由线程块自行管理的存储。32 个 4 字节的存储体，各线程访问不同存储体时每时钟提供 128 字节。",
      "32 x 32 的 fp32 分块占 4 KiB：从全局内存读一次，从共享内存读 32 次。"},
     "bank-conflict, occupancy, operand-reuse"},
    {"registers",
     "register, register file, register pressure",
     {"registers",
      "The fastest storage, private to each thread. An SM has a fixed number, given out per warp in fixed portions; "
      "many "
      "per thread mean few warps at once, too few mean spills to local memory.",
      "65,536 registers at 64 per thread: 1,024 threads, half of what 2,048 thread slots allow."},
     {"寄存器",
      "最快的存储，每线程私有。每个 SM "
      "的数量固定，按线程束以固定份额分配；每线程用得多则同时运行的线程束少，过少则溢出到本地内存。",
      "65,536 个寄存器，每线程 64 个：1,024 个线程，是 2,048 个线程槽的一半。"},
     "occupancy, local-memory"},
    {"sector",
     "sectors, memory sector",
     {"sector",
      "The smallest piece a cache moves: 32 bytes, four of them a 128-byte line. A warp that reads one 4-byte value "
      "from "
      "each of 32 sectors moves 1,024 bytes for 128 wanted.",
      "32 neighbouring floats are 128 bytes: 4 sectors per request, the ideal for 4-byte loads."},
     {"扇区",
      "缓存搬运的最小单位：32 字节，四个组成一条 128 字节的缓存行。线程束若从 32 个扇区各读一个 4 字节值，就为所需的 "
      "128 字节搬运了 "
      "1,024 字节。",
      "32 个相邻的 float 为 128 字节：每次请求 4 个扇区，是 4 字节读取的理想情况。"},
     "coalescing, wavefront"},
    {"wavefront",
     "wavefronts",
     {"wavefront",
      "One pass through the data stage of L1 or shared memory, at most 128 bytes. A request that one pass cannot serve "
      "takes several; time there is counted in wavefronts, not in bytes. (AMD calls its 64-thread warp so; here that "
      "is a "
      "warp.)",
      "A shared-memory load where all 32 threads hit the same bank at different addresses takes 32 wavefronts, not 1."},
     {"波前（wavefront）",
      "通过 L1 或共享内存数据通路的一趟，最多 128 "
      "字节。一趟完成不了的请求要多趟；那里的时间按波前而不是按字节计。（AMD "
      "用此词称其 64 "
      "线程的线程束；本工具称为线程束。）",
      "32 个线程访问同一存储体的不同地址时，一次共享内存读取需要 32 个波前而不是 1 个。"},
     "bank-conflict, l1, shared-memory"},
    {"coalescing",
     "coalesced, coalesced access, memory coalescing",
     {"coalescing",
      "Threads of a warp that touch neighbouring addresses share sectors, so the warp moves just the bytes it wants. "
      "Strided or scattered addresses move whole sectors for a few bytes each.",
      "Transposing an 8192 x 8192 matrix on an H200: 1.04 ms with strided writes, 0.147 ms when both sides are "
      "coalesced "
      "through shared memory."},
     {"合并访问", "线程束中各线程访问相邻地址时共用扇区，只搬运所需字节。跨步或分散的地址则为几个字节搬运整个扇区。",
      "H200 上转置 8192 x 8192 矩阵：跨步写入需 1.04 ms，经共享内存使两侧都合并后为 0.147 ms。"},
     "sector, uncoalesced-access"},
    {"bank-conflict",
     "bank conflicts, bank",
     {"bank conflict",
      "Shared memory has 32 banks; threads of a warp that ask one bank for different addresses are served one after "
      "another. Padding a row by one element usually cures it.",
      "Transpose of 8192 x 8192 on an H200 through a 32 x 32 tile: 0.329 ms, with rows padded to 33 elements 0.147 "
      "ms."},
     {"存储体冲突",
      "共享内存有 32 个存储体；线程束中访问同一存储体不同地址的线程只能依次服务。通常把每行多留一个元素即可消除。",
      "H200 上经 32 x 32 分块转置 8192 x 8192 矩阵：0.329 ms；每行补到 33 个元素后为 0.147 ms。"},
     "shared-memory, wavefront"},
    {"warp",
     "warps, wave (amd), simt",
     {"warp",
      "32 threads that execute the same instruction at the same time (64 on AMD's compute GPUs). Scheduling, memory "
      "requests and divergence happen per warp.",
      "A block of 256 threads is 8 warps; one of 33 threads is 2 warps, the second almost empty."},
     {"线程束（warp）",
      "同时执行同一指令的 32 个线程（AMD 计算卡为 64 个）。调度、访存请求和分支发散都以线程束为单位。",
      "256 个线程的线程块是 8 个线程束；33 个线程是 2 个，第二个几乎是空的。"},
     "divergence, occupancy, block"},
    {"block",
     "thread block, cta, workgroup, grid",
     {"block and grid",
      "Threads are launched in blocks, all of one kernel's blocks being its grid. A block runs on one SM from start to "
      "end, and its threads share that SM's shared memory.",
      "1e8 elements in blocks of 256 threads: a grid of 390,625 blocks."},
     {"线程块与网格",
      "线程按线程块启动，一个内核的全部线程块构成网格。线程块自始至终在一个 SM 上运行，其线程共用该 SM 的共享内存。",
      "1e8 个元素，每块 256 个线程：网格为 390,625 个线程块。"},
     "warp, waves, sm"},
    {"sm",
     "streaming multiprocessor, multiprocessor, cu, compute unit",
     {"SM",
      "The GPU's core: schedulers, arithmetic units, registers, L1 and shared memory. AMD calls it CU. A chip's peak "
      "is "
      "that of one SM times their number.",
      "An H100 SXM has 132 SMs of 128 fp32 lanes: 16,896 FMA per clock."},
     {"SM（流多处理器）",
      "GPU 的核心：调度器、运算单元、寄存器、L1 和共享内存。AMD 称为 CU。芯片峰值等于单个 SM 的峰值乘以数量。",
      "H100 SXM 有 132 个 SM，每个 128 条 fp32 通道：每时钟 16,896 次 FMA。"},
     "peak, occupancy"},
    {"occupancy",
     "achieved occupancy, theoretical occupancy",
     {"occupancy",
      "Warps resident on an SM as a share of the most it can hold. Registers, shared memory, block size and block "
      "slots "
      "limit it. It hides latency and is no aim in itself: code with much work per thread can be fast at 12 %.",
      "384 threads with 168 registers: 5,376 registers a warp, 16,384 per scheduler allow 3, so 12 of 64 warps: 18.8 "
      "%, "
      "limited by registers."},
     {"占用率",
      "SM "
      "上驻留的线程束占其最大容量的比例。受寄存器、共享内存、线程块大小和块数限制。它用来隐藏延迟，本身不是目标：每线程"
      "工作量大的代码在 12 "
      "% 也可以很快。",
      "384 线程、每线程 168 个寄存器：每线程束 5,376 个，每调度器 16,384 个只容 3 个线程束，即 64 个中的 12 个：18.8 "
      "%，受寄存器限制。"},
     "registers, latency-bound, low-occupancy"},
    {"waves",
     "wave, tail, tail effect, wave quantization",
     {"waves and tail",
      "If a grid has more blocks than fit on the chip at once, it runs in waves. A last wave that is nearly empty, the "
      "tail, takes as long as a full one.",
      "288 blocks where 152 fit at once: 1.89 waves, so the second wave uses 89 % of the chip. 153 blocks would take "
      "two "
      "waves for the work of one."},
     {"波次与尾部", "网格的线程块多于芯片一次能容纳的数量时，分波次运行。几乎为空的最后一波（尾部）与满波耗时相同。",
      "一次容纳 152 块时，288 块为 1.89 波，第二波使用芯片的 89 %。153 块则要用两波做一波的工作。"},
     "block, partial-waves, small-grid"},
    {"tensor-core",
     "tensor cores, tensor unit, matrix core, matrix unit",
     {"tensor core",
      "A unit that multiplies small matrices in one instruction, in tf32, fp16, bf16, fp8, int8 and smaller, on some "
      "chips fp64. It is many times faster than ordinary cores and does nothing but matrix products.",
      "H100 SXM in bf16: 989 TFLOP/s dense on tensor cores, against 67 TFLOP/s fp32 on ordinary ones."},
     {"张量核心",
      "一条指令完成小矩阵乘法的单元，支持 tf32、fp16、bf16、fp8、int8 及更小类型，部分芯片支持 "
      "fp64。比普通核心快许多倍，但只会做矩阵乘法。",
      "H100 SXM 的 bf16：张量核心稠密 989 TFLOP/s，而普通核心 fp32 为 67 TFLOP/s。"},
     "wgmma, mma, sparsity, tensor-available"},
    {"wgmma",
     "warpgroup mma, hgmma",
     {"wgmma",
      "Hopper's tensor instruction for four warps together, fed from shared memory. Only it reaches the full tensor "
      "rate "
      "of those chips.",
      "On an H200 code with the older mma.sync tops out at about two thirds of what wgmma reaches."},
     {"wgmma", "Hopper 的张量指令，由四个线程束共同执行，从共享内存取数。只有它能达到这些芯片的全部张量算力。",
      "H200 上使用旧指令 mma.sync 的代码最多达到 wgmma 的约三分之二。"},
     "tensor-core, mma, slow-tensor-path"},
    {"mma",
     "mma.sync, hmma, wmma",
     {"mma.sync",
      "The tensor instruction of one warp, on every NVIDIA chip since Volta. Its rate is a ceiling of its own where "
      "newer "
      "instructions are faster (wgmma on Hopper, tcgen05 on data-centre Blackwell).",
      "Ampere and Ada reach their full tensor rate with it, Hopper about two thirds."},
     {"mma.sync",
      "单个线程束的张量指令，自 Volta 起的所有 NVIDIA 芯片都有。若有更快的新指令（Hopper 的 wgmma、数据中心 Blackwell "
      "的 "
      "tcgen05），它的速率是单独的上限。",
      "Ampere 和 Ada 用它可达全部张量算力，Hopper 约三分之二。"},
     "wgmma, tcgen05, tensor-core"},
    {"tcgen05",
     "utcmma, tensor memory",
     {"tcgen05",
      "The tensor instructions of data-centre Blackwell chips (B200), issued by one thread, with accumulators in a "
      "memory "
      "of their own.",
      "A kernel built for Hopper's wgmma does not run on a B200 and needs this path to reach its peak."},
     {"tcgen05", "数据中心 Blackwell 芯片（B200）的张量指令，由单个线程发出，累加器位于专用存储。",
      "为 Hopper 的 wgmma 编写的内核不能在 B200 上运行，需用此路径才能达到其峰值。"},
     "wgmma, tensor-core"},
    {"mfma",
     "matrix fused multiply-add",
     {"mfma", "The matrix instruction of AMD's compute GPUs (CDNA), one wave of 64 threads at a time.",
      "An MI250X counts per die (GCD), of which a card has two: a program sees one and should be held against one."},
     {"mfma", "AMD 计算卡（CDNA）的矩阵指令，每次由 64 线程的一个波执行。",
      "MI250X 按单个芯片（GCD）计，一张卡有两个：程序看到的是一个，应与一个比较。"},
     "tensor-core, warp"},
    {"sparsity",
     "sparse, dense, structured sparsity, 2:4",
     {"dense and sparse",
      "Tensor cores run twice as fast when two of every four values of one operand are zero in a fixed pattern. "
      "Datasheets like to print that figure; ordinary products are dense and have half of it.",
      "H100 SXM bf16: 1,979 TFLOP/s sparse, 989 dense. A perfect dense product is 50 % of the printed peak."},
     {"稠密与稀疏",
      "当一个操作数每四个值中有两个按固定模式为零时，张量核心速度翻倍。数据手册爱印这个数字；普通乘法是稠密的，只有一半"
      "。",
      "H100 SXM bf16：稀疏 1,979 TFLOP/s，稠密 989。完美的稠密乘法是印出峰值的 50 %。"},
     "tensor-core, peak"},
    {"precision",
     "tf32, bf16, fp16, fp8, fp64, fp32, int8, fp4, data type",
     {"precision",
      "The number format: fp64, fp32, tf32 (fp32 storage with a short mantissa), bf16, fp16, fp8, fp4 and integers. A "
      "smaller type halves the bytes and raises the peak of the unit.",
      "The same matrix product in bf16 instead of fp32 moves half of the bytes and on an H100 may run 15 times as "
      "fast."},
     {"精度",
      "数的格式：fp64、fp32、tf32（以 fp32 存储、尾数较短）、bf16、fp16、fp8、fp4 "
      "和整数。更小的类型字节减半，单元峰值更高。",
      "同一矩阵乘法用 bf16 代替 fp32，字节减半，在 H100 上最多可快约 15 倍。"},
     "tensor-core, slow-precision"},
    {"accumulator",
     "accumulate, accumulation, fp32 accumulate",
     {"accumulator",
      "The format in which a tensor core sums up. fp32 is safer; GeForce chips do fp16 with fp32 accumulation at half "
      "of "
      "the rate, data-centre chips do both alike.",
      "RTX 4090, fp16 dense: 330 TFLOP/s with fp16 accumulation, 165 with fp32."},
     {"累加精度",
      "张量核心求和所用的格式。fp32 更安全；GeForce 芯片的 fp16 以 fp32 累加时速率减半，数据中心芯片两者相同。",
      "RTX 4090，fp16 稠密：fp16 累加 330 TFLOP/s，fp32 累加 165。"},
     "tensor-core, precision"},
    {"special-function-unit",
     "sfu, mufu, xu, special function, transcendental",
     {"special-function unit",
      "The unit (XU) for reciprocal, roots, exp2, log2, sin and cos approximations, at a fraction of the rate of "
      "additions. Accurate library functions add several ordinary instructions to it.",
      "sinf(x) in fp32 on an H200: 1 instruction there, and 2 multiplications and about 8 FMA around it."},
     {"特殊函数单元",
      "计算倒数、开方、exp2、log2、sin、cos "
      "近似值的单元（XU），速率只有加法的几分之一。精确的库函数还要加上若干普通指令。",
      "H200 上 fp32 的 sinf(x)：在该单元 1 条指令，外加 2 次乘法和约 8 次 FMA。"},
     "special-functions, flop"},
    {"issue-slot",
     "issue, issue slots, ipc",
     {"issue slot",
      "Each of an SM's schedulers can issue one warp instruction a clock. Slots that stay empty because no warp is "
      "ready "
      "are lost; a kernel with every slot used cannot go faster without fewer instructions.",
      "132 SMs x 4 schedulers x 1.98 GHz: 1,045 billion warp instructions a second on an H100 SXM."},
     {"发射槽",
      "SM "
      "的每个调度器每时钟可发射一条线程束指令。没有就绪线程束而空出的槽就浪费了；所有槽都用满的内核只有减少指令才能更快"
      "。",
      "H100 SXM：132 个 SM x 4 个调度器 x 1.98 GHz，即每秒 10,450 亿条线程束指令。"},
     "warp, stalls, latency-bound"},
    {"host-link",
     "pcie, nvlink, host link, peer link",
     {"host link and peer link",
      "The connections of a GPU to the host (PCIe, NVLink-C2C) and to other GPUs (NVLink, PCIe). Far slower than DRAM: "
      "data that must cross them in every step is the roof.",
      "54 GB/s each way over PCIe against 4.8 TB/s of DRAM on an H200: 89 times slower. 17.5 GB/s from pageable "
      "memory."},
     {"主机链路与对等链路",
      "GPU 到主机（PCIe、NVLink-C2C）以及到其他 GPU（NVLink、PCIe）的连接。远慢于 "
      "DRAM：每步都要经过它们的数据就是上限。",
      "H200 的 PCIe 单向 54 GB/s，而 DRAM 为 4.8 TB/s：慢 89 倍。可分页内存只有 17.5 GB/s。"},
     "bandwidth, dram"},
};

}  // namespace

std::span<const GlossaryEntry> machine_terms() {
  return kTerms;
}

}  // namespace ridge::render
