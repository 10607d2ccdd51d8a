#include "render/glossary/entries.h"

namespace ridge::render {
namespace {

constexpr GlossaryEntry kTerms[] = {
    {"roofline",
     "roofline model, roof",
     {"roofline",
      "A picture of what a machine allows: speed against arithmetic intensity. Left of the ridge the roof rises with "
      "the "
      "memory bandwidth, right of it it is flat at the compute peak. A kernel is a point under it; the distance to the "
      "roof is what could still be gained.",
      "Vector addition on an L40S: 1/12 FLOP/B x 864 GB/s = 72 GFLOP/s, of a peak of 91.6 TFLOP/s. No code can add "
      "vectors faster there."},
     {"屋顶线（roofline）",
      "一张说明机器允许多快的图：横轴是算术强度，纵轴是速度。脊点左侧的上限随显存带宽上升，右侧是平的峰值算力。一个内核"
      "是图中"
      "的一个点，它到屋顶的距离就是还能提升的空间。",
      "L40S 上的向量加法：1/12 FLOP/B x 864 GB/s = 72 GFLOP/s，而峰值为 91.6 "
      "TFLOP/s。任何代码在它上面做向量加法都不会更快。"},
     "arithmetic-intensity, ridge-point, attainable"},
    {"arithmetic-intensity",
     "intensity, operational intensity, ai",
     {"arithmetic intensity",
      "Work divided by traffic: FLOP per byte moved. It belongs to a memory level; the same kernel has a higher one "
      "against DRAM than against L1 when caches serve part of its reads.",
      "Vector addition in fp32 does 1 FLOP for 12 bytes: 1/12 FLOP/B. A matrix product of n = 4096 with each matrix "
      "moved "
      "once does 137.4 GFLOP for 201 MB: 683 FLOP/B."},
     {"算术强度",
      "计算量除以数据量：每搬运一个字节做多少 FLOP。它对应某一级存储；当缓存承担了一部分读取时，同一内核对 DRAM "
      "的强度高于对 L1 "
      "的强度。",
      "fp32 向量加法每 12 字节做 1 FLOP：1/12 FLOP/B。n = 4096 的矩阵乘法若每个矩阵只搬运一次，则以 201 MB 做 137.4 "
      "GFLOP：683 FLOP/B。"},
     "roofline, ridge-point, flop"},
    {"ridge-point",
     "ridge, machine balance, balance point",
     {"ridge point",
      "The arithmetic intensity at which the memory roof meets the compute roof: peak / bandwidth. With less, the "
      "bytes "
      "take longer than the arithmetic; with more, the arithmetic takes longer.",
      "fp32 on an L40S: 91.6 TFLOP/s / 864 GB/s = 106 FLOP/B. On an H100 SXM: 67 TFLOP/s / 3.35 TB/s = 20 FLOP/B."},
     {"脊点", "访存上限与算力上限相交处的算术强度：峰值 / 带宽。低于它，搬运字节比计算更久；高于它，计算更久。",
      "L40S 的 fp32：91.6 TFLOP/s / 864 GB/s = 106 FLOP/B。H100 SXM：67 TFLOP/s / 3.35 TB/s = 20 FLOP/B。"},
     "roofline, side, attainable"},
    {"attainable",
     "attainable performance, attainable speed",
     {"attainable",
      "The speed the roof allows at a given intensity: min(peak, intensity x bandwidth). Compare a kernel with this "
      "and "
      "not with the peak, which memory-bound code can never reach.",
      "At 1 FLOP/B on 900 GB/s and 30 TFLOP/s: min(30 T, 1 x 900 G) = 900 GFLOP/s, 3 % of the peak."},
     {"可达算力",
      "在给定强度下屋顶允许的速度：min(峰值, 强度 x "
      "带宽)。应与它比较，而不是与峰值比较；访存受限的代码永远达不到峰值。",
      "900 GB/s、30 TFLOP/s 的机器上，强度 1 FLOP/B：min(30 T, 1 x 900 G) = 900 GFLOP/s，为峰值的 3 %。"},
     "roofline, ridge-point, peak"},
    {"speed-of-light",
     "sol, speed of light",
     {"speed of light",
      "How close a kernel comes to the least time its work needs on the resource that binds it: least time / measured "
      "time. 100 % means nothing but that resource takes time.",
      "Vector addition of 1e8 elements moves 1.2 GB. At 4.8 TB/s that needs 0.25 ms; measured 0.345 ms: 72 % of the "
      "speed "
      "of light."},
     {"极限占比（speed of light）",
      "内核离瓶颈资源所需的最短时间有多近：最短时间 / 实测时间。100 % 表示除该资源外没有别的耗时。",
      "1e8 个元素的向量加法搬运 1.2 GB，4.8 TB/s 下需 0.25 ms；实测 0.345 ms：为极限的 72 %。"},
     "time-view, roofline"},
    {"time-view",
     "least time, binding resource",
     {"time view",
      "The roofline in time: for each resource (DRAM, L2, L1, shared memory, each arithmetic pipe, issue slots) the "
      "least "
      "time the kernel's work needs there. The longest of them binds.",
      "A naive matrix product may need 0.003 ms of DRAM but 0.16 ms of L1: L1 binds it, though DRAM alone would call "
      "it "
      "compute-bound."},
     {"时间视图",
      "以时间表示的屋顶线：内核的工作量在每种资源（DRAM、L2、L1、共享内存、各运算管线、发射槽）上至少需要多少时间。其中"
      "最长的就是"
      "瓶颈。",
      "朴素矩阵乘法可能只需 0.003 ms 的 DRAM 时间，却需 0.16 ms 的 L1 时间：瓶颈是 L1，而只看 DRAM 会误判为计算受限。"},
     "speed-of-light, memory-bound, compute-bound"},
    {"memory-bound",
     "bandwidth-bound, memory limited, memory bound",
     {"memory-bound",
      "Moving bytes through one memory level explains at least 60 % of the measured time. The level is named: DRAM, "
      "L2, "
      "L1 or shared memory. Fewer bytes, better use of each, or a level nearer to the core help; faster arithmetic "
      "does "
      "not. On paper, without a time: intensity left of the ridge.",
      "saxpy: 2 FLOP for 12 bytes. On an L40S the data takes over 600 times as long as the arithmetic."},
     {"访存受限",
      "某一级存储上的数据搬运至少解释了实测时间的 60 %，并指明是哪一级：DRAM、L2、L1 "
      "或共享内存。减少字节、提高每字节的利用率或使用更近的一级有帮助；更快的算术没有用。纸面上没有时间时，指强度位于脊"
      "点左侧。",
      "saxpy：每 12 字节 2 FLOP。在 L40S 上搬运数据的时间是计算的 600 多倍。"},
     "compute-bound, latency-bound, ridge-point"},
    {"compute-bound",
     "compute limited, math-bound, compute bound",
     {"compute-bound",
      "One arithmetic pipe explains at least 60 % of the measured time. Fewer operations, a smaller type or a faster "
      "unit "
      "(tensor cores) help; saving bytes does not. On paper, without a time: intensity right of the ridge.",
      "A matrix product of n = 4096 in fp32 on an L40S: 1.5 ms of arithmetic against 0.23 ms of data."},
     {"计算受限",
      "某条运算管线至少解释了实测时间的 60 "
      "%。减少运算、换更小的类型或更快的单元（张量核心）有帮助；节省字节没有用。纸面上没有时间"
      "时，指强度位于脊点右侧。",
      "L40S 上 n = 4096 的 fp32 矩阵乘法：计算 1.5 ms，数据 0.23 ms。"},
     "memory-bound, tensor-core, peak"},
    {"latency-bound",
     "latency bound, latency limited",
     {"latency-bound",
      "No resource explains 60 % of the measured time: warps wait for single answers and too few others have work "
      "meanwhile. More independent work in flight helps: higher occupancy, several loads per thread before the first "
      "is "
      "used, longer independent chains.",
      "A chain of dependent loads reads 4 bytes per memory round trip, however fast the memory is."},
     {"延迟受限",
      "没有任何资源能解释实测时间的 60 "
      "%：线程束在等待单次结果，而同时可做的其他工作太少。增加在途的独立工作有帮助：提高占用率、每线程"
      "先发出多个读取再使用、更长的独立指令序列。",
      "一串相互依赖的读取，每次往返只取 4 字节，内存再快也无济于事。"},
     "occupancy, bytes-in-flight, stalls"},
    {"overhead-bound",
     "overhead bound, launch-bound, launch overhead",
     {"overhead-bound",
      "The launch is too short or too small to fill the chip: starting, ramping up and draining take most of the time. "
      "Larger launches, fused kernels or CUDA graphs help, not a better inner loop.",
      "A kernel of 8 blocks on a chip of 132 SMs leaves 124 of them idle, and one of 3 us is mostly launch."},
     {"开销受限",
      "启动太短或太小，填不满芯片：启动、爬升和收尾占了大部分时间。应扩大每次启动、融合内核或使用 CUDA "
      "图，而不是改进内层循环。",
      "132 个 SM 的芯片上只有 8 个线程块的内核使 124 个 SM 空闲；3 us 的内核大部分时间是启动开销。"},
     "small-grid, waves, latency-bound"},
    {"unknown",
     "unknown verdict",
     {"unknown",
      "The report does not hold enough to judge: no duration, no counters of work, or no figures of the machine. The "
      "reason stands beside it, and the command that would collect the rest.",
      "A report taken with the profiler's smallest set has durations and occupancy but no FLOP counters."},
     {"未知", "报告的信息不足以判断：没有时间、没有工作量计数器，或没有机器数据。旁边写明原因，以及能补齐数据的命令。",
      "用分析器最小指标集采集的报告有时间和占用率，但没有 FLOP 计数器。"},
     "missing, confidence"},
    {"side",
     "left, right, left of the ridge, right of the ridge",
     {"side of the ridge",
      "Whether the kernel's DRAM intensity lies left (memory) or right (compute) of the ridge of its precision: the "
      "textbooks' answer. The verdict is the measured answer; the two may differ, and why is worth knowing.",
      "The naive matrix product of n = 1024 lies right of the DRAM ridge, since L2 holds both matrices, yet L1 binds "
      "it."},
     {"脊点侧",
      "内核的 DRAM "
      "强度位于其精度脊点的左侧（访存）还是右侧（计算）：这是教科书的答案。结论则是实测的答案；两者可以不同，而原因值得"
      "了解。",
      "n = 1024 的朴素矩阵乘法位于 DRAM 脊点右侧，因为 L2 放得下两个矩阵，但实际瓶颈是 L1。"},
     "ridge-point, time-view"},
    {"bandwidth",
     "memory bandwidth, throughput, gb/s",
     {"bandwidth",
      "Bytes per second that a memory level can move, reads and writes together. DRAM bandwidth = bus width x data "
      "rate / "
      "8; real code reaches 85 to 95 % of it. GB here means 1e9 bytes.",
      "L40S: 384 bit x 18 Gbit/s / 8 = 864 GB/s."},
     {"带宽",
      "某一级存储每秒能搬运的字节数，读写合计。显存带宽 = 位宽 x 数据速率 / 8；实际代码可达其 85 到 95 %。此处 GB 指 "
      "1e9 字节。",
      "L40S：384 bit x 18 Gbit/s / 8 = 864 GB/s。"},
     "dram, ridge-point"},
    {"flop",
     "flops, flop/s, tflop/s, floating point operation",
     {"FLOP and FLOP/s",
      "FLOP is an amount of work: one floating-point addition or multiplication; a fused multiply-add is two. FLOP/s "
      "is a "
      "speed. Comparisons, integer and address arithmetic are none.",
      "A matrix product of n = 4096 is 2 x 4096^3 = 137,438,953,472 FLOP. Done in 2 ms it runs at 68.7 TFLOP/s."},
     {"FLOP 与 FLOP/s",
      "FLOP 是工作量：一次浮点加法或乘法；一次融合乘加算两次。FLOP/s 是速度。比较、整数和地址运算不计。",
      "n = 4096 的矩阵乘法为 2 x 4096^3 = 137,438,953,472 FLOP；2 ms 完成即 68.7 TFLOP/s。"},
     "fma, peak"},
    {"fma",
     "fused multiply-add, ffma, multiply-add",
     {"fused multiply-add",
      "One instruction that computes a * b + c: 2 FLOP. Peaks assume that every instruction is one; code that only "
      "adds "
      "or only multiplies can reach half.",
      "L40S: 18,176 cores x 2 FLOP x 2.52 GHz = 91.6 TFLOP/s with FMA, 45.8 with additions alone."},
     {"融合乘加（FMA）",
      "一条指令计算 a * b + c：2 FLOP。峰值假设每条指令都是它；只有加法或只有乘法的代码最多达到一半。",
      "L40S：18,176 核 x 2 FLOP x 2.52 GHz = 91.6 TFLOP/s（FMA）；只做加法为 45.8。"},
     "flop, mix-aware-roof, peak"},
    {"mix-aware-roof",
     "mix aware, instruction mix, mixed precision roof",
     {"mix-aware roof",
      "The compute roof of the instructions a kernel really has: lower than the headline peak where it adds without "
      "multiplying, and between the peaks where it mixes precisions.",
      "Vector addition has additions only: its compute roof on an L40S is 45.8 and not 91.6 TFLOP/s."},
     {"按指令组合的上限", "按内核实际指令计算的算力上限：只加不乘时低于标称峰值，混合精度时介于各精度峰值之间。",
      "向量加法只有加法：它在 L40S 上的算力上限为 45.8 而不是 91.6 TFLOP/s。"},
     "fma, peak"},
    {"peak",
     "peak performance, compute peak, ceiling, datasheet peak",
     {"peak",
      "What a unit could do if it worked in every clock: units x operations per clock x clock. It belongs to one "
      "precision, one unit and one clock; datasheets mix clocks and print sparse figures.",
      "H100 SXM: fp32 132 x 128 x 2 x 1.98 GHz = 66.9 TFLOP/s; bf16 tensor, dense, at its own clock of 1.83 GHz: 989 "
      "TFLOP/s."},
     {"峰值算力",
      "某单元每个时钟都在工作时的速度：单元数 x 每时钟运算数 x "
      "频率。它属于一种精度、一种单元和一个频率；数据手册会混用频率，并印出稀疏"
      "数字。",
      "H100 SXM：fp32 为 132 x 128 x 2 x 1.98 GHz = 66.9 TFLOP/s；bf16 张量核心（稠密）按其 1.83 GHz 为 989 TFLOP/s。"},
     "fma, sparsity, clock"},
    {"clock",
     "boost clock, base clock, measured clock, roof basis, basis",
     {"clock",
      "Cycles per second of the SMs. Peaks scale with it, and it changes: boards boost above the stated clock, and "
      "profilers lock it to the base clock. A roof is drawn at the launch's own measured clock unless asked otherwise.",
      "An A100 at 1.09 GHz under the profiler reaches 77 % of what its 1.41 GHz datasheet peak says."},
     {"频率",
      "SM "
      "每秒的周期数。峰值随之变化：板卡会超过标称频率，分析器会锁定在基础频率。除非另行指定，上限按该次启动实测的频率绘"
      "制。",
      "A100 在分析器下以 1.09 GHz 运行，只能达到其 1.41 GHz 数据手册峰值的 77 %。"},
     "peak, above-the-roof"},
    {"working-set",
     "footprint",
     {"working set",
      "The distinct bytes a kernel touches. If they fit into a cache, reads after the first are served there and do "
      "not "
      "reach DRAM.",
      "A and B of a matrix product of n = 1024 in fp32: 8.4 MB, which fits into an L2 of 50 MB."},
     {"工作集", "内核触及的不同字节数。若放得进某级缓存，首次之后的读取由缓存完成，不再到 DRAM。",
      "n = 1024 的 fp32 矩阵乘法中 A 和 B 共 8.4 MB，放得进 50 MB 的 L2。"},
     "l2, cache-reuse"},
    {"confidence",
     "",
     {"confidence",
      "How far a verdict can be trusted: high when time and work were measured and nothing stands close to the "
      "threshold; "
      "lower when a counter is missing or two resources are nearly equal.",
      "DRAM at 61 % and L2 at 60 % of the time: memory-bound, but which level is a coin's toss."},
     {"可信度", "结论的可靠程度：时间和工作量均为实测且无接近阈值者为高；缺少计数器或两种资源几乎相等时降低。",
      "DRAM 占 61 %、L2 占 60 % 的时间：是访存受限，但哪一级难分高下。"},
     "unknown, provenance"},
};

}  // namespace

std::span<const GlossaryEntry> roofline_terms() {
  return kTerms;
}

}  // namespace ridge::render
