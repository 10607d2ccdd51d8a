#include "render/glossary/entries.h"

namespace ridge::render {
namespace {

constexpr GlossaryEntry kTerms[] = {
    {"above-the-roof",
     "above roof, over 100 %",
     {"finding: above the roof",
      "The kernel is faster than the roof drawn for it, so the roof is wrong for it: a clock above the stated one, a "
      "cache "
      "that served bytes counted to DRAM, or a faster unit than assumed. It is never clipped to 100 %.",
      "A card rated at 2.52 GHz that boosts to 2.69 reaches 106.6 % of its stated peak."},
     {"发现：高于上限",
      "内核比为它绘制的上限更快，说明该上限不适用：频率高于标称、缓存承担了计入 DRAM "
      "的字节，或使用了比假设更快的单元。绝不截断为 "
      "100 %。",
      "标称 2.52 GHz、实际加速到 2.69 GHz 的卡可达标称峰值的 106.6 %。"},
     "clock, cache-reuse, peak"},
    {"bytes-in-flight",
     "memory level parallelism, little's law",
     {"finding: bytes in flight",
      "Memory of high latency needs many requests under way at once: bandwidth x latency bytes. With fewer, DRAM idles "
      "between answers. More warps, wider loads or several loads per thread raise them.",
      "4.8 TB/s x 600 ns = 2.9 MB must be under way on an H200, 22 KB per SM."},
     {"发现：在途字节不足",
      "高延迟的内存需要同时有许多请求在途：带宽 x 延迟 的字节数。不足时 DRAM "
      "在两次应答之间空闲。更多线程束、更宽的读取或每线程多个读取可以增加它。",
      "H200 上须有 4.8 TB/s x 600 ns = 2.9 MB 在途，即每 SM 22 KB。"},
     "latency-bound, occupancy, bandwidth"},
    {"cache-reuse",
     "",
     {"finding: cache reuse",
      "L1 or L2 asks the next level for the same bytes again and again, although the data could be kept. Smaller "
      "tiles, "
      "another order of blocks, or fused kernels keep it in.",
      "A stencil that walks through memory plane by plane reads every neighbour plane from DRAM three times if three "
      "planes "
      "do not fit into L2."},
     {"发现：缓存复用不足",
      "L1 或 L2 反复向下一级索取同样的字节，而数据本可留住。更小的分块、不同的线程块次序或融合内核可以留住它。",
      "逐面遍历的模板计算，若三个平面放不进 L2，每个相邻平面要从 DRAM 读三次。"},
     "l2, working-set, operand-reuse"},
    {"divergence",
     "branch divergence, thread divergence, divergent",
     {"divergence",
      "Threads of one warp take different paths, and the warp executes both with part of its threads idle. Sort the "
      "work, "
      "or make the branch the same for a whole warp.",
      "if (i % 2) in a warp: both sides run with 16 of 32 threads, twice the instructions."},
     {"分支发散",
      "同一线程束的线程走不同分支，线程束依次执行两边，部分线程空闲。可将工作排序，或使整个线程束走同一分支。",
      "线程束中的 if (i % 2)：两边各以 32 个线程中的 16 个运行，指令数翻倍。"},
     "warp, issue-slot"},
    {"instruction-overhead",
     "instructions around the work, index arithmetic",
     {"finding: instructions around the work",
      "Issue slots are full, but mostly of instructions that neither compute in floating point nor touch memory: "
      "addresses, loop counters, conversions, predicates. Unroll loops, let each thread do several elements, use "
      "32-bit indices, load vectors.",
      "A loop that adds one float per turn also counts, compares, branches and advances an address: 1 useful "
      "instruction of 5."},
     {"发现：附加指令多",
      "发射槽已满，但大多是既不做浮点运算也不访存的指令：地址、循环计数、转换、谓词。应展开循环、每线程处理多个元素、使"
      "用 32 位下标和向量读取。",
      "每次循环只加一个 float，同时还要计数、比较、跳转、移动地址：5 条指令中只有 1 条有用。"},
     "issue-slot, stalls"},
    {"local-memory",
     "spill, register spill, spilling",
     {"finding: local memory",
      "Values that do not fit into registers, or arrays with a computed index, live in memory private to the thread "
      "and "
      "cost L1, L2 and DRAM traffic. More registers per thread, or constant indices, avoid it.",
      "A kernel forced to 32 registers that needs 48 writes and reads 16 values of 4 bytes per thread."},
     {"发现：本地内存",
      "放不进寄存器的值，或下标在运行时计算的数组，存放在线程私有的内存中，产生 L1、L2 和 DRAM "
      "流量。增加每线程寄存器或使用常量下标可避免。",
      "需要 48 个寄存器却被限制为 32 个的内核，每线程要写读 16 个 4 字节的值。"},
     "registers, l1"},
    {"low-occupancy",
     "",
     {"finding: low occupancy",
      "Few warps are resident and the kernel is latency-bound, so more of them could hide the waiting. The finding "
      "names "
      "what limits them: registers, shared memory, warps, blocks or barriers. A kernel near its roof has no such "
      "problem.",
      "18.8 % limited by registers: 160 instead of 168 per thread would let more warps in."},
     {"发现：占用率低",
      "驻留线程束少且内核受延迟限制，增加线程束可以隐藏等待。会指出限制因素：寄存器、共享内存、线程束数、块数或屏障。接"
      "近上限的内核没有"
      "这个问题。",
      "受寄存器限制为 18.8 %：每线程 160 而不是 168 个可容纳更多线程束。"},
     "occupancy, latency-bound"},
    {"operand-reuse",
     "register tiling, register blocking",
     {"finding: operand reuse",
      "Each operand fetched from L1 or shared memory is used too few times before it is fetched again. Let a thread "
      "compute "
      "several outputs from operands in registers.",
      "A thread that computes 1 output of a matrix product loads 2 values per FMA; one that computes 8 x 8 loads 16 "
      "values "
      "for 64 FMA."},
     {"发现：操作数复用不足",
      "从 L1 或共享内存取来的操作数在再次取用前使用次数太少。让每个线程用寄存器中的操作数计算多个输出。",
      "矩阵乘法中每线程算 1 个输出时，每次 FMA 取 2 个值；算 8 x 8 个输出时，64 次 FMA 只取 16 个值。"},
     "shared-memory, l1, registers"},
    {"partial-waves",
     "partial wave",
     {"finding: partial waves",
      "The last wave of blocks leaves much of the chip idle. Choose a grid that is a multiple of what fits at once, "
      "smaller "
      "blocks, or blocks that fetch their own work.",
      "2.1 waves: the third runs with a tenth of the chip, and a third of the time is nearly lost."},
     {"发现：波次不满",
      "最后一波线程块使芯片大部分空闲。选择一次容纳量整数倍的网格、更小的线程块，或由线程块自取工作。",
      "2.1 波：第三波只用芯片的十分之一，约三分之一的时间几乎浪费。"},
     "waves, small-grid"},
    {"short-launches",
     "short launch, launches too short",
     {"finding: launches too short",
      "Each launch is over within a few microseconds, mostly spent on launching, filling and draining the GPU. Merge "
      "small kernels, give each more work, or replay them as a CUDA graph.",
      "A launch below 5 us counts as short: ten of 3 us may take longer than one of 20 us that does the same work."},
     {"发现：启动时间过短",
      "每次启动几微秒即结束，时间主要花在启动、填充和排空 GPU 上。应合并小内核、让每次启动做更多工作，或用 CUDA "
      "图重放。",
      "不足 5 us 的启动视为过短：十次 3 us 的启动可能比一次完成同样工作的 20 us 启动更久。"},
     "overhead-bound, small-grid, waves"},
    {"slow-precision",
     "slow path, fp64 rate",
     {"finding: slow precision",
      "The arithmetic is done in a type that this chip does slowly, often fp64 by accident: a constant without f makes "
      "the "
      "whole expression double.",
      "fp64 on a GeForce Ada chip runs at 1/64 of its fp32 rate; x * 0.5 with float x is fp64, x * 0.5f is not."},
     {"发现：慢速精度", "使用了此芯片运算较慢的类型，常常是误用 fp64：常量不带 f 会使整个表达式成为双精度。",
      "GeForce Ada 的 fp64 速率为 fp32 的 1/64；float x 时 x * 0.5 是 fp64，x * 0.5f 不是。"},
     "precision, peak"},
    {"slow-tensor-path",
     "",
     {"finding: slow tensor path",
      "Tensor cores are used through an older instruction that cannot reach this chip's full rate. A library or "
      "compiler "
      "target for this architecture uses the newer one.",
      "mma.sync on a Hopper chip: at most about two thirds of wgmma. Building for sm_90a allows wgmma."},
     {"发现：慢速张量路径",
      "通过旧指令使用张量核心，达不到此芯片的全部速率。针对此架构的程序库或编译目标会使用新指令。",
      "Hopper 上的 mma.sync：最多约为 wgmma 的三分之二。以 sm_90a 为目标编译可使用 wgmma。"},
     "wgmma, mma, tensor-core"},
    {"small-grid",
     "",
     {"finding: small grid",
      "The launch has too few blocks to give every SM work. Split the work finer, batch several launches, or run other "
      "kernels beside it.",
      "64 blocks on 132 SMs: 52 % of the chip cannot take part."},
     {"发现：网格太小", "启动的线程块太少，无法让每个 SM 都有工作。把工作拆得更细、合并多次启动，或同时运行其他内核。",
      "132 个 SM 上 64 个线程块：芯片的 52 % 无法参与。"},
     "overhead-bound, waves, block"},
    {"special-functions",
     "",
     {"finding: special functions",
      "Much time goes to the special-function unit: sin, exp, division, roots. Approximate intrinsics, a polynomial, "
      "or "
      "moving the call out of the loop help.",
      "__expf(x) is 1 special instruction and 1 multiplication; expf(x) adds 4 FMA and 1 addition (counted on an "
      "H200)."},
     {"发现：特殊函数", "大量时间用于特殊函数单元：sin、exp、除法、开方。可用近似内建函数、多项式，或把调用移出循环。",
      "__expf(x) 为 1 条特殊指令加 1 次乘法；expf(x) 另加 4 次 FMA 和 1 次加法（H200 上计数）。"},
     "special-function-unit"},
    {"stalls",
     "stall, stall reasons, long scoreboard",
     {"finding: stalls",
      "Why warps were not ready to issue, as the profiler sampled it: waiting for global memory (long scoreboard), for "
      "shared memory (short scoreboard), at a barrier, for a busy pipe. The largest one says where to look.",
      "14 of 20 cycles between two instructions of a warp are long scoreboard: global loads; issue them earlier."},
     {"发现：停顿",
      "线程束未就绪的原因（由分析器采样）：等待全局内存（long scoreboard）、共享内存（short "
      "scoreboard）、屏障或繁忙管线。最大的一项指明着手之处。",
      "线程束两条指令之间的 20 个周期中有 14 个是 long scoreboard：全局读取；应更早发出。"},
     "issue-slot, latency-bound"},
    {"tensor-available",
     "",
     {"finding: tensor cores available",
      "A kernel bound by ordinary cores does what looks like matrix products, and this chip has tensor cores for its "
      "type. "
      "Let the library use them, if the precision suffices.",
      "fp32 products as tf32 on an A100: 156 TFLOP/s instead of 19.5."},
     {"发现：可用张量核心",
      "受普通核心限制的内核在做类似矩阵乘法的运算，而此芯片有相应类型的张量核心。若精度足够，可让程序库使用它。",
      "A100 上把 fp32 乘法改为 tf32：156 TFLOP/s 而不是 19.5。"},
     "tensor-core, precision"},
    {"uncoalesced-access",
     "uncoalesced",
     {"finding: uncoalesced access",
      "Threads of a warp touch addresses that lie apart, so whole sectors move for a few wanted bytes each. Let "
      "neighbouring threads touch neighbouring elements, or turn the data through shared memory.",
      "Reading a column of a row-major matrix: 32 sectors per request instead of 4, 28 of them excess."},
     {"发现：未合并访问",
      "线程束中的线程访问相隔较远的地址，为少量所需字节搬运整个扇区。让相邻线程访问相邻元素，或经共享内存转置数据。",
      "按列读取行主序矩阵：每次请求 32 个扇区而不是 4 个，其中 28 个多余。"},
     "coalescing, sector"},
};

}  // namespace

std::span<const GlossaryEntry> finding_terms() {
  return kTerms;
}

}  // namespace ridge::render
