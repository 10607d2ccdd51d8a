#include "render/glossary/entries.h"

namespace ridge::render {
namespace {

constexpr GlossaryEntry kTerms[] = {
    {"provenance",
     "evidence, where a number comes from",
     {"provenance",
      "Where a number comes from, best first: measured, sampled, counted, reported, modelled, declared, datasheet. A "
      "number made of several is only as good as the weakest.",
      "FLOP/s from a measured time and FLOP by formula is declared, not measured."},
     {"来源（provenance）",
      "数字从何而来，由优到劣：实测、采样、计数、设备报告、建模、声明、数据手册。由多个数字得出者，以最弱的为准。",
      "由实测时间和公式 FLOP 得出的 FLOP/s 是“声明”，不是“实测”。"},
     "measured, declared, missing"},
    {"measured",
     "",
     {"measured", "Read from a hardware counter or a timer of this very launch.",
      "dram__bytes_read of launch 3: 8,391,168 B, as the profiler counted it."},
     {"实测", "读自该次启动的硬件计数器或计时器。", "第 3 次启动的 dram__bytes_read：8,391,168 B，由分析器计数得出。"},
     "provenance, sampled"},
    {"sampled",
     "",
     {"sampled",
      "Counters read at fixed intervals and given to kernels by time, or one representative launch standing for its "
      "kind.",
      "1,000 launches of one kernel, one of them replayed with counters: its bytes stand for all."},
     {"采样", "按固定间隔读取的计数器，按时间归给各内核；或以一次代表性启动代表同类。",
      "同一内核启动 1,000 次，其中一次带计数器重放：其字节数代表全部。"},
     "provenance, measured"},
    {"counted",
     "emulated",
     {"counted",
      "The kernel's instructions were executed by an emulator, each operation and access counted. Exact for work, "
      "silent "
      "about time.",
      "An emulated vector addition of 1,000 elements: exactly 1,000 additions, 2,000 loads, 1,000 stores."},
     {"计数", "由模拟器执行内核指令，逐一计数每个运算和访问。工作量精确，但不涉及时间。",
      "模拟 1,000 个元素的向量加法：恰好 1,000 次加法、2,000 次读取、1,000 次写入。"},
     "provenance"},
    {"reported",
     "reported by the device",
     {"reported",
      "An attribute that the device or another tool states about itself, such as the number of SMs or the highest "
      "clock.",
      "A GPU that the database does not know is described by what its report states about it."},
     {"设备报告", "设备或其他工具自报的属性，例如 SM 数量或最高频率。", "数据库中没有的 GPU，按其报告自述的属性描述。"},
     "provenance, datasheet"},
    {"modelled",
     "modeled, predicted",
     {"modelled",
      "The output of a model, such as the traffic a simulated cache would let through. As good as the model.",
      "Emulated accesses through a simulated 50 MB L2 give modelled DRAM bytes."},
     {"建模", "模型的输出，例如模拟缓存放行的流量。好坏取决于模型。",
      "模拟访问经过 50 MB 的模拟 L2，得到建模的 DRAM 字节数。"},
     "provenance"},
    {"declared",
     "given, on paper",
     {"declared", "A formula of the problem size, or a figure the user gave. True of the idea, not of the code.",
      "2 x n^3 FLOP for a matrix product, or --peak fp32=82.6TFLOP/s."},
     {"声明", "由问题规模的公式得出，或由用户给定。符合思路，不一定符合代码。",
      "矩阵乘法的 2 x n^3 FLOP，或 --peak fp32=82.6TFLOP/s。"},
     "provenance, roofline"},
    {"datasheet",
     "machine database",
     {"datasheet",
      "From the machine database: what the vendor states. A real run is slower by clocks and by what DRAM really "
      "reaches.",
      "4.8 TB/s for an H200; the best measured copy reaches about 4.4."},
     {"数据手册", "来自机器数据库，即厂商标称。实际运行会因频率和 DRAM 实际可达带宽而更慢。",
      "H200 标称 4.8 TB/s；最好的实测复制约为 4.4。"},
     "provenance, clock, bandwidth"},
    {"missing",
     "n/a, not available, dash",
     {"missing",
      "A value that was not obtained. It is shown as a dash with its reason and is never 0: a kernel without FLOP "
      "counters "
      "has an unknown number of FLOP, not none.",
      "Tensor cores were used, but the report has no counter of their work: FLOP missing."},
     {"缺失", "没有获得的数值。显示为短横并附原因，绝不写成 0：没有 FLOP 计数器的内核，其 FLOP 是未知，而不是零。",
      "使用了张量核心，但报告中没有其工作量计数器：FLOP 缺失。"},
     "provenance, unknown"},
};

}  // namespace

std::span<const GlossaryEntry> evidence_terms() {
  return kTerms;
}

}  // namespace ridge::render
