#include "render/lab/labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ridge::render {
namespace {

constexpr std::array kEntries{
    CatalogueEntry{"lab.title", "The lab on {0}", "实验室：{0}"},
    CatalogueEntry{"lab.title_paper", "The lab on paper: {0}", "纸上实验室：{0}"},
    CatalogueEntry{
        "lab.about",
        "Times are measured (median of samples, by events); work is declared by formulas and stands for the "
        "best case of each level. CUDA driver {0}, seed {1}.",
        "时间为实测（样本中位数，用事件计时）；工作量由公式声明，表示每一级的最好情况。CUDA 驱动 {0}，随机种子 {1}。"},
    CatalogueEntry{"lab.about_paper",
                   "Nothing was run: work declared by formulas over the rates of the machine. The largest least time "
                   "binds; a run can only be slower.",
                   "没有运行：公式声明的工作量除以机器的速率。所需最短时间最长的资源就是瓶颈；实际运行只会更慢。"},
    CatalogueEntry{"lab.title_emulated", "The lab on an emulated {0}", "模拟的实验室：{0}"},
    CatalogueEntry{
        "lab.about_emulated",
        "Nothing ran on a GPU: this machine's CPU executed the kernels. Instructions and accesses are counted, the "
        "traffic between caches and all times are modelled. Seed {1}.",
        "没有在 GPU 上运行：内核由本机 CPU 执行。指令和访存为逐条计数，缓存之间的流量和所有时间为模型值。随机种子 "
        "{1}。"},
    CatalogueEntry{"lab.about_check_emulated",
                   "Results only, of kernels that this machine's CPU executed; no times are predicted. Seed {1}.",
                   "只检查结果：内核由本机 CPU 执行，不预测时间。随机种子 {1}。"},
    CatalogueEntry{"lab.about_check", "Results only, nothing was timed. CUDA driver {0}, seed {1}.",
                   "只检查结果，没有计时。CUDA 驱动 {0}，随机种子 {1}。"},
    CatalogueEntry{"lab.step", "step", "步骤"},
    CatalogueEntry{"lab.time", "time", "时间"},
    CatalogueEntry{"lab.predicted", "predicted", "预测时间"},
    CatalogueEntry{"lab.least_time", "least time", "最短时间"},
    CatalogueEntry{"lab.speed", "FLOP/s", "FLOP/s"},
    CatalogueEntry{"lab.rate", "DRAM", "DRAM"},
    CatalogueEntry{"lab.intensity", "FLOP/B", "FLOP/B"},
    CatalogueEntry{"lab.limit", "limit", "瓶颈"},
    CatalogueEntry{"lab.fraction", "of roof", "占上限"},
    CatalogueEntry{"lab.speedup", "speed-up", "加速"},
    CatalogueEntry{"lab.vendor", "of cuBLAS", "占 cuBLAS"},
    CatalogueEntry{"lab.second", "next limit", "次瓶颈"},
    CatalogueEntry{"lab.result", "result", "结果"},
    CatalogueEntry{"lab.compared", "compared", "比较数"},
    CatalogueEntry{"lab.error", "error", "误差"},
    CatalogueEntry{"lab.tolerance", "allowed", "容许"},
    CatalogueEntry{"lab.right", "right", "正确"},
    CatalogueEntry{"lab.wrong", "WRONG", "错误"},
    CatalogueEntry{"lab.unchecked", "not checked", "未检查"},
    CatalogueEntry{"lab.not_checked", "Results are not checked: {0}.", "结果未检查：{0}。"},
    CatalogueEntry{"lab.skipped", "not run", "未运行"},
    CatalogueEntry{"lab.near", "{0} (latency)", "{0}（延迟）"},
    CatalogueEntry{"lab.limit_bound", "{0} is busy for {1} of the time.", "{0} 在 {1} 的时间里忙碌。"},
    CatalogueEntry{"lab.limit_latency",
                   "No roof explains the time; the nearest, {0}, is busy for {1} of it: waiting is the limit.",
                   "没有哪个上限能解释这段时间；最接近的 {0} 只忙 {1}：瓶颈是等待。"},
    CatalogueEntry{"lab.limit_above",
                   "{0} would need {1} of the time: more than there is, so caches served a part of the declared bytes.",
                   "{0} 需要 {1} 的时间，超过实际时间：声明的字节有一部分由缓存提供。"},
    CatalogueEntry{"lab.limit_paper", "{0} needs {1} at least.", "{0} 至少需要 {1}。"},
    CatalogueEntry{"lab.next", "Next: {0}.", "下一步：{0}。"},
    CatalogueEntry{"lab.resident", "Its buffers fit into L2 even in {0} copies: DRAM moved less than declared.",
                   "即使有 {0} 份缓冲区也装得进 L2：DRAM 实际搬运少于声明。"},
    CatalogueEntry{"lab.clock", "SM clock while it ran: {0}.", "运行时 SM 时钟：{0}。"},
    CatalogueEntry{"lab.fault", "Wrong result: {0}.", "结果错误：{0}。"},
    CatalogueEntry{"lab.not_run", "Not run: {0}.", "未运行：{0}。"},
    CatalogueEntry{"lab.chart", "Roofline", "屋顶线"},
    CatalogueEntry{"lab.chart_emulated", "Roofline: counted work, predicted times", "屋顶线：计数的工作量，预测的时间"},
    CatalogueEntry{"lab.chart_paper", "Roofline: where each kernel could be at best", "屋顶线：每个内核最好能到的位置"},
    CatalogueEntry{"lab.story", "Why {0} is hardly faster than {1}", "为什么 {0} 比 {1} 快不了多少"},
    CatalogueEntry{"lab.story_loads",
                   "The loads that warps ask of global memory fall from {0} to {1}, a factor of {2}. It is tempting to "
                   "expect that speed-up.",
                   "线程束对全局内存的加载从 {0} 降到 {1}，相差 {2}。人们很容易期待同样的加速。"},
    CatalogueEntry{
        "lab.story_below",
        "But below L1 nothing changes. A block needs the same rows and columns either way: L2 delivers {0} to "
        "both, and DRAM moves {1} at best.",
        "但 L1 以下没有变化。线程块无论如何都需要同样的行和列：L2 向两者都送出 {0}，DRAM 最少搬 {1}。"},
    CatalogueEntry{"lab.story_path",
                   "And the data path of L1 serves shared memory too. It passes {0} wavefronts for one and {1} for the "
                   "other, {2} of them reads of the tiles: a factor of {3}. That is what is left of the gain.",
                   "而 L1 的数据通路也为共享内存服务。它分别要通过 {0} 和 {1} 个波前，其中 {2} 个是读分块：只少 "
                   "{3}。收益就剩这个比例。"},
    CatalogueEntry{"lab.story_measured",
                   "Measured: {0} against {1}, {2}. The path is busy for {3} of the time of one and {4} of the other, "
                   "which is the rest of the difference.",
                   "实测：{0} 对 {1}，{2}。通路在前者 {3}、后者 {4} 的时间里忙碌，这就是其余的差别。"},
    CatalogueEntry{"lab.story_predicted",
                   "Predicted: {0} against {1}, {2}. The path is busy for {3} of the time of one and {4} of the other, "
                   "which is the rest of the difference.",
                   "预测：{0} 对 {1}，{2}。通路在前者 {3}、后者 {4} 的时间里忙碌，这就是其余的差别。"},
    CatalogueEntry{"lab.story_fits", "A and B ({0}) fit into L2 ({1}), so DRAM has to move them once: {2} of its time.",
                   "A 和 B（{0}）装得进 L2（{1}），所以 DRAM 只需搬一次：占用它 {2}。"},
    CatalogueEntry{"lab.story_outgrown",
                   "A and B ({0}) have outgrown L2 ({1}): each row of blocks reads B from DRAM anew, about {2} instead "
                   "of {3} (modelled). That costs DRAM {4}, against {5} on the data path of L1: the ratio stays.",
                   "A 和 B（{0}）已经装不进 L2（{1}）：每一行线程块都重新从 DRAM 读 B，大约 {2}，而不是 "
                   "{3}（模型值）。DRAM 为此要 {4}，而 L1 数据通路要 {5}：所以比例不变。"},
    CatalogueEntry{"lab.list", "Kernels of the lab", "实验室的内核"},
    CatalogueEntry{
        "lab.list_note",
        "`ridge lab NAME` runs a ladder or a kernel on the GPU, or emulated where there is none; with --on MACHINE it "
        "shows "
        "the paper model. "
        "Sizes are changed with NAME=VALUE; (x256) says that it must be a multiple of 256.",
        "`ridge lab 名称` 在 GPU 上运行一个阶梯或内核（没有 GPU 时模拟运行）；加 --on 机型 则显示纸上模型。用 名称=值 "
        "改变规模；（x256）表示须为 256 的倍数。"},
    CatalogueEntry{"lab.id", "kernel", "内核"},
    CatalogueEntry{"lab.ladder", "ladder", "阶梯"},
    CatalogueEntry{"lab.parameters", "sizes", "规模"},
    CatalogueEntry{"lab.flops", "FLOP", "浮点运算"},
    CatalogueEntry{"lab.lesson", "lesson", "要点"},
    CatalogueEntry{"lab.needs", "needs", "需要"},
};

}  // namespace

std::span<const CatalogueEntry> lab_entries() {
  return kEntries;
}

std::string lab_text(std::string_view id, Language language, const std::vector<std::string>& values) {
  std::string wanted = fmt::format("lab.{}", id);
  const auto* at =
      std::find_if(kEntries.begin(), kEntries.end(), [&](const CatalogueEntry& entry) { return entry.id == wanted; });
  if (at == kEntries.end()) return wanted;
  const std::string_view text = language == Language::kChinese ? at->chinese : at->english;
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool place = text[i] == '{' && i + 2 < text.size() && text[i + 2] == '}';
    const auto number = place ? static_cast<std::size_t>(text[i + 1] - '0') : values.size();
    if (number >= values.size()) {
      out += text[i];
    } else {
      out += values[number];
      i += 2;
    }
  }
  return out;
}

}  // namespace ridge::render
