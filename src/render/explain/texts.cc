#include "render/explain/texts.h"

namespace ridge::render {
namespace {

constexpr CatalogueEntry kEntries[] = {
    // What each workload computes.
    {"explain.workload.vector_add", "vector_add: c[i] = a[i] + b[i]", "vector_add：c[i] = a[i] + b[i]（向量加法）"},
    {"explain.workload.saxpy", "saxpy: y[i] = s * x[i] + y[i]", "saxpy：y[i] = s * x[i] + y[i]"},
    {"explain.workload.dot", "dot: the sum of x[i] * y[i]", "dot：x[i] * y[i] 之和（点积）"},
    {"explain.workload.reduction", "reduction: the sum of x[i]", "reduction：x[i] 之和（归约）"},
    {"explain.workload.elementwise", "elementwise: y[i] = f(x[i])", "elementwise：y[i] = f(x[i])（逐元素运算）"},
    {"explain.workload.gemm", "gemm: C (m x n) = A (m x k) * B (k x n)",
     "gemm：C (m x n) = A (m x k) * B (k x n)（矩阵乘法）"},
    {"explain.workload.gemv", "gemv: y (m) = A (m x n) * x (n)", "gemv：y (m) = A (m x n) * x (n)（矩阵乘向量）"},
    {"explain.workload.transpose", "transpose: B (n x m) = A (m x n) transposed",
     "transpose：B (n x m) 为 A (m x n) 的转置"},
    {"explain.workload.conv2d", "conv2d: convolution of n images, c to k channels, r x s filters",
     "conv2d：n 幅图像的卷积，c 到 k 个通道，r x s 卷积核"},
    {"explain.workload.attention", "attention: softmax(Q * K^T) * V for every head",
     "attention：每个头计算 softmax(Q * K^T) * V"},
    {"explain.workload.softmax", "softmax: over each of `rows` rows of `cols` elements",
     "softmax：共 rows 行，每行 cols 个元素"},
    {"explain.workload.layernorm", "layernorm: over each of `rows` rows of `cols` elements",
     "layernorm：共 rows 行，每行 cols 个元素"},
    {"explain.workload.stencil", "stencil: each of n^dims cells from `points` neighbours",
     "stencil：n^dims 个网格点，每点由 points 个邻点算出"},
    {"explain.workload.spmv", "spmv: y = A * x, A sparse in CSR with nnz stored elements",
     "spmv：y = A * x，A 为 CSR 稀疏矩阵，共 nnz 个非零元"},
    {"explain.workload.fft", "fft: complex transforms of length n", "fft：长度为 n 的复数变换"},
    {"explain.workload.formula", "Work from the formulas given", "由所给公式得出的计算量与数据量"},

    // Steps.
    {"explain.step.p", "output height", "输出高度"},
    {"explain.step.q", "output width", "输出宽度"},
    {"explain.step.flops", "FLOP", "FLOP"},
    {"explain.step.ops", "operations", "运算数"},
    {"explain.step.read", "bytes read", "读取字节"},
    {"explain.step.write", "bytes written", "写入字节"},
    {"explain.step.bytes", "bytes", "总字节"},
    {"explain.step.intensity", "intensity", "算术强度"},
    {"explain.step.best_bytes", "least bytes", "最少字节"},
    {"explain.step.best_bytes_without_c", "least, without C", "最少（不计 C）"},
    {"explain.step.best_intensity_without_c", "best, without C", "最高（不计 C）"},
    {"explain.step.best_intensity", "best intensity", "最高算术强度"},
    {"explain.step.working_set", "working set", "工作集"},
    {"explain.step.peak", "peak", "峰值算力"},
    {"explain.step.bandwidth", "bandwidth", "显存带宽"},
    {"explain.step.ridge", "ridge", "脊点"},
    {"explain.step.compute_time", "compute time", "计算时间"},
    {"explain.step.data_time", "data time", "数据时间"},
    {"explain.step.ratio", "ratio", "时间比"},
    {"explain.step.attainable", "attainable", "可达算力"},
    {"explain.step.mix_peak", "roof of this mix", "该指令组合上限"},
    {"explain.step.l2_share", "of L2", "占 L2"},
    {"explain.step.measured_time", "time", "时间"},
    {"explain.step.measured_speed", "speed", "速度"},
    {"explain.step.measured_rate", "bytes / time", "字节/时间"},
    {"explain.step.of_peak", "of peak", "占峰值"},
    {"explain.step.of_roof", "of attainable", "占可达算力"},
    {"explain.step.of_bandwidth", "of bandwidth", "占显存带宽"},
    {"explain.step.least_intensity", "least intensity", "最低算术强度"},

    // Labels, columns, verdicts.
    {"explain.label.work", "Work", "计算量与数据量"},
    {"explain.label.verdict", "Verdict", "结论"},
    {"explain.label.notes", "What this counts", "计数说明"},
    {"explain.label.measured", "Measured: {given}", "实测：{given}"},
    {"explain.label.machines", "On {count} machines", "{count} 种机器对比"},
    {"explain.label.given", "given", "指定值"},
    {"explain.label.stated", "stated", "标称值"},
    {"explain.label.catalogue", "What `ridge explain` knows", "`ridge explain` 的内容"},
    {"explain.label.generated",
     "Written by `ridge explain --list --format md`. How to use it: [the guide](../guide/explain.md).",
     "由 `ridge explain --list --format md --lang zh` 写出。用法见[指南](../guide/explain.zh-CN.md)。"},
    {"explain.bound.none", "no such unit", "无此单元"},
    {"explain.label.workloads", "Workloads and their parameters (one without a value must be given)",
     "问题及其参数（没有默认值的必须给出）"},
    {"explain.label.functions",
     "Functions of elementwise (f=...): operations as written, FLOP that counters see per element",
     "elementwise 的函数（f=...）：按写法的运算数，以及计数器看到的每元素 FLOP"},
    {"explain.label.terms", "Terms", "术语"},
    {"explain.label.example", "Example: ", "例："},
    {"explain.label.see", "See also: ", "另见："},
    {"explain.label.step", "step", "步骤"},
    {"explain.label.formula", "formula", "公式"},
    {"explain.label.numbers", "with numbers", "代入数值"},
    {"explain.label.result", "result", "结果"},
    {"explain.column.workload", "workload", "问题"},
    {"explain.column.parameters", "parameters", "参数"},
    {"explain.column.function", "function", "函数"},
    {"explain.column.written", "counted as", "按此计数"},
    {"explain.column.operations", "operations", "运算数"},
    {"explain.column.fp32_flops", "fp32 FLOP", "fp32 FLOP"},
    {"explain.column.fp64_flops", "fp64 FLOP", "fp64 FLOP"},
    {"explain.column.machine", "machine", "机器"},
    {"explain.column.unit", "unit", "运算单元"},
    {"explain.column.peak", "peak", "峰值算力"},
    {"explain.column.bandwidth", "bandwidth", "显存带宽"},
    {"explain.column.ridge", "ridge", "脊点"},
    {"explain.column.compute_time", "compute", "计算"},
    {"explain.column.data_time", "data", "数据"},
    {"explain.column.ratio", "ratio", "时间比"},
    {"explain.column.attainable", "attainable", "可达算力"},
    {"explain.column.verdict", "bound by", "瓶颈"},
    {"explain.column.of_peak", "of peak", "占峰值"},
    {"explain.column.measured", "{given} of roof", "{given} 占上限"},
    {"explain.column.of_roof", "of roof", "占上限"},
    {"explain.verdict.memory",
     "memory-bound: {intensity} lies left of the ridge at {ridge}; moving the data takes {ratio} the time of the "
     "arithmetic.",
     "访存受限：算术强度 {intensity} 位于脊点 {ridge} 左侧；搬运数据所需时间是计算的 {ratio}。"},
    {"explain.verdict.no_arithmetic", "memory-bound: there is no arithmetic, only data to move.",
     "访存受限：没有算术运算，只搬运数据。"},
    {"explain.verdict.compute",
     "compute-bound: {intensity} lies right of the ridge at {ridge}; the arithmetic takes {ratio} the time of moving "
     "the data.",
     "计算受限：算术强度 {intensity} 位于脊点 {ridge} 右侧；计算所需时间是搬运数据的 {ratio}。"},
    {"explain.speedup", "{to} is {factor} the speed of {from}.", "{to} 的速度是 {from} 的 {factor}。"},
    {"explain.paper",
     "On paper: best case by formulas. Latency, launches, occupancy and caches inside the chip are not modelled.",
     "以上为纸面估算，即公式给出的最好情况；不考虑延迟、启动开销、占用率和片上缓存。"},

    // Which unit, and why.
    {"explain.unit.named", "Unit {ceiling}, as asked for.", "运算单元 {ceiling}，由命令行指定。"},
    {"explain.unit.asked", "Unit {ceiling}, as asked for.", "运算单元 {ceiling}，由命令行指定。"},
    {"explain.unit.core", "Unit {ceiling}: this type runs on ordinary cores unless --unit says otherwise.",
     "运算单元 {ceiling}：此类型默认使用普通核心，可用 --unit 更改。"},
    {"explain.unit.matrix",
     "Unit {ceiling}: matrix products in this type run on tensor units (dense, fp32 accumulation for floats).",
     "运算单元 {ceiling}：此类型的矩阵乘法使用张量单元（稠密；浮点数以 fp32 累加）。"},
    {"explain.unit.formula",
     "Unit {ceiling}: taken as work for tensor units, as this type is mostly used there; --unit core for other work.",
     "运算单元 {ceiling}：此类型多用于张量单元，故按张量单元计算；其他运算请用 --unit core。"},
    {"explain.unit.vector", "Unit {ceiling}: tensor units only multiply matrices, so this runs on ordinary cores.",
     "运算单元 {ceiling}：张量单元只做矩阵乘法，此运算使用普通核心。"},
    {"explain.unit.converted",
     "Unit {ceiling}: ordinary cores have no arithmetic of this type; data is converted and computed in fp32.",
     "运算单元 {ceiling}：普通核心没有此类型的运算，数据转换后以 fp32 计算。"},

    // Conventions and what is left out.
    {"explain.note.function_operations",
     "{f} counts {operations} FLOP per element, the operations of {written} with a call as one: the texts' convention, "
     "{operation_intensity}. Counters see {instruction_flops} FLOP in add, multiply and FMA instructions and, on the "
     "special-function unit, {special} more: {instruction_intensity} (measured on an H200, CUDA 13.0 code without "
     "fast-math; "
     "count=instructions uses it).",
     "{f} 按每元素 {operations} FLOP 计，即 {written} 的运算数，函数调用计为一次（教科书惯例），强度 "
     "{operation_intensity}。硬件计数器看到的是加、乘、FMA 指令共 {instruction_flops} FLOP 和 {special} "
     "条特殊函数指令，"
     "强度 {instruction_intensity}（H200 实测，CUDA 13.0 代码，未用 fast-math；count=instructions 采用此数）。"},
    {"explain.note.function_instructions",
     "{f} counts {instruction_flops} FLOP per element, the add, multiply and FMA instructions that counters see; "
     "{special} more on the special-function unit are none: {instruction_intensity} (measured on an H200, CUDA 13.0 "
     "code without fast-math; it depends on compiler, chip and arguments). By the texts' convention {written} is "
     "{operations} FLOP, {operation_intensity}.",
     "{f} 按每元素 {instruction_flops} FLOP 计，即计数器看到的加、乘、FMA 指令，另有 {special} 条特殊函数指令：强度 "
     "{instruction_intensity}（H200 实测，CUDA 13.0 代码，未用 fast-math；与编译器、芯片和参数有关）。按教科书惯例，"
     "{written} 为 {operations} FLOP，强度 {operation_intensity}。"},
    {"explain.note.partial_sums", "Partial sums of blocks stay in caches and are not counted.",
     "各线程块的部分和留在缓存中，不计入。"},
    {"explain.note.gemm_ideal", "Least traffic: A, B and C each cross DRAM once; count_c=no leaves C out.",
     "最少数据量：A、B、C 各经过 DRAM 一次；count_c=no 不计 C。"},
    {"explain.note.gemm_tiled",
     "Tiles of {tile} x {tile} in shared memory: each element of A and B is read once per tile that needs it, and "
     "every "
     "such read is counted to DRAM. C is left out; count_c=yes adds it.",
     "共享内存分块 {tile} x {tile}：A、B 的每个元素在每个用到它的分块中各读一次，每次读取都计入 DRAM。不计 "
     "C；count_c=yes 计入。"},
    {"explain.note.gemm_naive",
     "No reuse: every multiply-add reads one element of A and one of B, and every such read is counted to DRAM; caches "
     "serve many of them in truth. C is left out; count_c=yes adds it.",
     "无复用：每次乘加各读 A、B 一个元素，每次读取都计入 DRAM；实际上许多读取由缓存完成。不计 C；count_c=yes 计入。"},
    {"explain.note.gemm_scaling", "alpha = 1, beta = 0 unless beta=yes, which reads C and adds to it.",
     "alpha = 1，beta = 0；beta=yes 时读取 C 并累加。"},
    {"explain.note.gemv_vector", "x is read once: it is small enough for a cache.", "x 只读一次：它小到可以放入缓存。"},
    {"explain.note.transpose_strided",
     "Strided: each element is written into its own sector of {sector} B, the worst case when no cache merges the "
     "writes.",
     "跨步写入：每个元素独占一个 {sector} B 扇区，即缓存不合并写入时的最坏情况。"},
    {"explain.note.no_arithmetic", "Nothing is computed: the data time is the whole story.",
     "没有计算：数据时间就是全部。"},
    {"explain.note.conv_implicit",
     "Implicit matrix product: input, filters and output each cross DRAM once; padding is not read.",
     "隐式矩阵乘法：输入、卷积核、输出各经过 DRAM 一次；填充不读取。"},
    {"explain.note.conv_im2col", "The unfolded matrix (n*p*q rows of c*r*s) is written to memory and read back.",
     "展开矩阵（n*p*q 行，每行 c*r*s）写入内存后再读回。"},
    {"explain.note.attention_fused", "Fused: the seq x kv_seq scores stay on the chip.",
     "融合：seq x kv_seq 的分数矩阵留在片上。"},
    {"explain.note.attention_unfused",
     "Unfused: the seq x kv_seq scores are written and read twice, before and after softmax, masked half included.",
     "未融合：seq x kv_seq 的分数矩阵在 softmax 前后各写读一次，含被遮蔽的一半。"},
    {"explain.note.attention_softmax",
     "Only the two matrix products are counted, as is usual; softmax adds about 5 FLOP per score on ordinary cores. "
     "causal=yes counts half of the scores.",
     "按惯例只计两次矩阵乘法；softmax 在普通核心上另需每个分数约 5 FLOP。causal=yes 只计一半分数。"},
    {"explain.note.rows_fused", "Fused: a row stays on the chip between its passes.",
     "融合：各遍之间整行数据留在片上。"},
    {"explain.note.rows_three_pass", "Three passes over memory: every row is read three times.",
     "三遍访存：每行读取三次。"},
    {"explain.note.softmax_flops",
     "5 operations per element: maximum, subtract, exp, add, divide, each as one. Counters see no FLOP in a maximum "
     "and several in exp and divide.",
     "每元素 5 次运算：求最大值、减、exp、加、除，各计一次。计数器认为求最大值没有 FLOP，而 exp 和除法各有若干。"},
    {"explain.note.layernorm_flops",
     "8 FLOP per element: mean 1, variance 3, normalise 2, scale and shift 2; the per-row root is not counted.",
     "每元素 8 FLOP：均值 1，方差 3，归一化 2，缩放平移 2；不计每行的开方。"},
    {"explain.note.stencil_ideal", "Least traffic: neighbours come from caches, each cell crosses DRAM once each way.",
     "最少数据量：邻点来自缓存，每个网格点读写 DRAM 各一次。"},
    {"explain.note.stencil_no_reuse", "No reuse: every neighbour is counted to DRAM.", "无复用：每个邻点都计入 DRAM。"},
    {"explain.note.stencil_flops",
     "Each point has its own coefficient: points multiplications, points - 1 additions. Boundaries are ignored.",
     "每个点有各自的系数：points 次乘法，points - 1 次加法。忽略边界。"},
    {"explain.note.spmv_ideal", "Least traffic: x is read once, elements and indices once.",
     "最少数据量：x 读一次，元素和下标各读一次。"},
    {"explain.note.spmv_no_reuse", "No reuse: x is read anew for every stored element.",
     "无复用：每个非零元都重新读取 x。"},
    {"explain.note.fft_passes",
     "Complex elements of 2*e bytes; the array is read and written once per pass (a transform that fits on the chip "
     "needs one).",
     "复数元素占 2*e 字节；每遍读写数组一次（能放在片上的变换只需一遍）。"},
    {"explain.note.fft_flops", "5*n*log2(n) is the convention for every algorithm; the true count is lower.",
     "5*n*log2(n) 是通用惯例，真实运算数更少。"},
    {"explain.note.mix_free",
     "Without fused multiply-adds throughout, the compute roof is {mix_peak}, {share} of the peak; it does not bind "
     "here.",
     "由于并非全部为融合乘加，计算上限为 {mix_peak}，即峰值的 {share}；此处不构成瓶颈。"},
    {"explain.note.mix_binds",
     "Without fused multiply-adds throughout, the compute roof is {mix_peak}, {share} of the peak, and lower than the "
     "attainable above.",
     "由于并非全部为融合乘加，计算上限为 {mix_peak}，即峰值的 {share}，低于上面的可达算力。"},
    {"explain.note.l2_fits",
     "The working set of {working_set} fits into the {l2_capacity} L2: a repeated run may find its data there, and "
     "reads counted twice need not reach DRAM.",
     "工作集 {working_set} 放得进 {l2_capacity} 的 L2：重复运行时数据可能已在其中，重复读取不必到 DRAM。"},
    {"explain.note.l2_too_small", "The working set of {working_set} does not fit into the {l2_capacity} L2.",
     "工作集 {working_set} 放不进 {l2_capacity} 的 L2。"},
    {"explain.note.other_type",
     "Bytes are counted for {type} elements; the unit {ceiling} computes with another type, so they are converted on "
     "the way.",
     "字节数按 {type} 元素计算；单元 {ceiling} 使用另一种类型运算，途中需要转换。"},
    {"explain.note.tensor_same", "The tensor unit does the same type at {peak} ({ceiling}): --unit tensor.",
     "张量单元处理同一类型可达 {peak}（{ceiling}）：--unit tensor。"},
    {"explain.note.tensor_tf32",
     "Libraries may be allowed to round fp32 products to tf32 on tensor units, {peak} ({ceiling}): --precision tf32.",
     "程序库可能获准把 fp32 乘积舍入为 tf32 在张量单元上计算，可达 {peak}（{ceiling}）：--precision tf32。"},

    // A stopwatch result.
    {"explain.measured.at_roof", "This is {fraction} of the paper's roof: what binds on paper also explains the run.",
     "达到纸面上限的 {fraction}：纸面瓶颈足以解释此次运行。"},
    {"explain.measured.below_roof",
     "This is {fraction} of the paper's roof, too far below to blame the resource that binds on paper: latency, "
     "occupancy, launch time or a level inside the chip holds it back (at most {gain} to gain). Counters tell which.",
     "仅为纸面上限的 {fraction}，差距过大，不能归因于纸面瓶颈：延迟、占用率、启动开销或片上某一级在限制它（最多可提速 "
     "{gain}）。具体原因需看硬件计数器。"},
    {"explain.above.memory",
     "Above the memory roof: {speed} is {factor} the {attainable} that {bandwidth} can feed at {intensity}. DRAM "
     "cannot "
     "have moved the bytes counted here, so the traffic assumption is wrong: the intensity is at least "
     "{least_intensity}.",
     "高于访存上限：{speed} 是 {bandwidth} 在 {intensity} 下所能支持的 {attainable} 的 {factor}。DRAM "
     "不可能搬运这里计算的字节数，因此数据量假设不成立：实际强度至少为 {least_intensity}。"},
    {"explain.above.memory_bytes",
     "Above the memory roof: {rate} is {factor} the {bandwidth} of DRAM, which cannot have moved the bytes counted "
     "here.",
     "高于访存上限：{rate} 是 DRAM 带宽 {bandwidth} 的 {factor}，DRAM 不可能搬运这里计算的字节数。"},
    {"explain.above.memory_margin",
     "{rate} is {of_bandwidth} of the stated {bandwidth}. So small an excess proves nothing: memory may run above the "
     "stated data rate (`--bandwidth dram=...` takes the real figure), or the stopwatch is off by that much.",
     "{rate} 是标称带宽 {bandwidth} 的 {of_bandwidth}。如此小的超出不说明问题：显存频率可能高于标称值（可用 "
     "`--bandwidth dram=...` 指定实际带宽），或计时有这么大的误差。"},
    {"explain.above.peak_margin",
     "{speed} is {of_peak} of the stated {peak}. So small an excess proves nothing: the board may boost above the "
     "clock "
     "of the stated peak (`--peak ...` takes the real figure), or the stopwatch is off by that much.",
     "{speed} 是标称峰值 {peak} 的 {of_peak}。如此小的超出不说明问题：实际加速频率可能高于标称峰值所用频率（可用 "
     "`--peak ...` 指定实际峰值），或计时有这么大的误差。"},
    {"explain.above.peak", "Above the peak: {speed} is more than the {peak} of the unit assumed.",
     "高于峰值：{speed} 超过所假设运算单元的 {peak}。"},
    {"explain.cause.reuse",
     "The no-reuse assumption broke: caches served repeated reads. With each array moved once ({best_bytes}, "
     "{best_intensity}) the roof is {best_attainable} and this run is at {fraction} of it; what binds now lies inside "
     "the chip, where only counters see.",
     "无复用假设不成立：重复读取由缓存完成。若每个数组只搬运一次（{best_bytes}，{best_intensity}），上限为 "
     "{best_attainable}，此次运行为其 {fraction}；真正的瓶颈在片上，只有计数器能看到。"},
    {"explain.cause.reuse_partly",
     "Reuse in caches is not enough: even with each array moved once ({best_bytes}) the roof is {best_attainable}, and "
     "this run is at {fraction} of it.",
     "缓存复用不足以解释：即使每个数组只搬运一次（{best_bytes}），上限也只有 {best_attainable}，此次运行为其 "
     "{fraction}。"},
    {"explain.cause.l2",
     "The data fits: {working_set} in an L2 of {l2_capacity}, so from the second run on it may never leave the chip.",
     "数据放得下：{working_set} 对 {l2_capacity} 的 L2，从第二次运行起数据可能不再离开芯片。"},
    {"explain.cause.l2_not", "L2 cannot hold it all: {working_set} against {l2_capacity}.",
     "L2 放不下全部数据：{working_set} 对 {l2_capacity}。"},
    {"explain.cause.other_unit",
     "Another unit may have done it: {ceiling} reaches {peak}. Check whether the library was allowed to use it.",
     "可能由另一运算单元完成：{ceiling} 可达 {peak}。请检查程序库是否获准使用它。"},
    {"explain.cause.fewer_flops",
     "Fewer operations may have run than the formula counts: another algorithm, skipped blocks, or a smaller size.",
     "实际运算可能少于公式：换了算法、跳过了部分数据块，或规模更小。"},
    {"explain.cause.stopwatch",
     "Or the stopwatch: kernels run asynchronously, so wait for the GPU before stopping it, and check the size.",
     "也可能是计时有误：内核异步执行，停表前须等待 GPU 完成；并请核对问题规模。"},
};

}  // namespace

std::span<const CatalogueEntry> explain_entries() {
  return kEntries;
}

}  // namespace ridge::render
