#include "render/machines/labels.h"

#include <fmt/format.h>

#include <array>

namespace ridge::render {
namespace {

constexpr std::array kEntries{
    CatalogueEntry{"machines.list", "Machines", "机型"},
    CatalogueEntry{
        "machines.list_note",
        "Peaks are dense and hold at the clocks that `ridge machines show ID` states; tensor is bf16, else "
        "fp16. Ridge: fp32 peak / DRAM bandwidth.",
        "峰值为稠密峰值，所依据的时钟见 `ridge machines show ID`；张量列为 bf16，若无则为 fp16。脊点：fp32 峰值 / "
        "DRAM 带宽。"},
    CatalogueEntry{"machines.id", "id", "标识"},
    CatalogueEntry{"machines.name", "name", "名称"},
    CatalogueEntry{"machines.sms", "SMs", "SM 数"},
    CatalogueEntry{"machines.tensor", "tensor 16-bit", "张量 16 位"},
    CatalogueEntry{"machines.dram", "DRAM", "DRAM"},
    CatalogueEntry{"machines.ridge_fp32", "ridge fp32", "fp32 脊点"},
    CatalogueEntry{"machines.facts", "{0}, {1}, compute capability {2}, {3} SMs x {4} fp32 lanes",
                   "{0}，{1}，计算能力 {2}，{3} 个 SM x {4} 条 fp32 通道"},
    CatalogueEntry{"machines.clocks", "Boost clock {0}, base clock {1}.", "加速时钟 {0}，基础时钟 {1}。"},
    CatalogueEntry{"machines.boost", "Boost clock {0}.", "加速时钟 {0}。"},
    CatalogueEntry{"machines.ceilings", "Compute ceilings", "计算上限"},
    CatalogueEntry{"machines.ceilings_note", "peak = SMs x operations per clock per SM x clock; an FMA counts 2.",
                   "峰值 = SM 数 x 每 SM 每时钟操作数 x 时钟；一次 FMA 计 2。"},
    CatalogueEntry{"machines.ceiling", "ceiling", "上限"},
    CatalogueEntry{"machines.ops", "op/clk/SM", "操作/时钟/SM"},
    CatalogueEntry{"machines.clock", "clock", "时钟"},
    CatalogueEntry{"machines.peak", "peak", "峰值"},
    CatalogueEntry{"machines.stated", "source prints", "来源标称"},
    CatalogueEntry{"machines.provenance", "provenance", "来源类型"},
    CatalogueEntry{"machines.levels", "Memory levels", "存储层次"},
    CatalogueEntry{"machines.bus", "DRAM: {0}, {1} bits x {2} Gbit/s per pin / 8.",
                   "DRAM：{0}，{1} 位 x 每针 {2} Gbit/s / 8。"},
    CatalogueEntry{"machines.level", "level", "层次"},
    CatalogueEntry{"machines.bandwidth", "bandwidth", "带宽"},
    CatalogueEntry{"machines.per_clock", "B/clk", "字节/时钟"},
    CatalogueEntry{"machines.capacity", "capacity", "容量"},
    CatalogueEntry{"machines.line", "line", "缓存行"},
    CatalogueEntry{"machines.sector", "sector", "扇区"},
    CatalogueEntry{
        "machines.level_note",
        "Per clock and capacity are of one SM for registers, shared and L1, of the whole chip otherwise; links "
        "count both directions together.",
        "寄存器、共享内存与 L1 的每时钟字节数和容量按单个 SM 计，其余按整个芯片计；互连按双向合计。"},
    CatalogueEntry{"machines.missing", "{0}: no bandwidth ({1})", "{0}：无带宽（{1}）"},
    CatalogueEntry{"machines.occupancy", "Occupancy limits of one SM", "单个 SM 的占用率限制"},
    CatalogueEntry{"machines.limit", "limit", "限制"},
    CatalogueEntry{"machines.value", "value", "数值"},
    CatalogueEntry{"machines.max_warps", "warps", "线程束"},
    CatalogueEntry{"machines.warp_size", "threads per warp", "每线程束线程数"},
    CatalogueEntry{"machines.max_blocks", "blocks", "线程块"},
    CatalogueEntry{"machines.max_threads", "threads per block", "每块线程数"},
    CatalogueEntry{"machines.registers", "registers", "寄存器"},
    CatalogueEntry{"machines.registers_block", "registers per block", "每块寄存器"},
    CatalogueEntry{"machines.registers_thread", "registers per thread", "每线程寄存器"},
    CatalogueEntry{"machines.register_unit", "register unit per warp", "每线程束寄存器分配单位"},
    CatalogueEntry{"machines.warp_unit", "warps are counted in steps of", "线程束计数步长"},
    CatalogueEntry{"machines.shared_sm", "shared memory", "共享内存"},
    CatalogueEntry{"machines.shared_block", "shared memory per block", "每块共享内存"},
    CatalogueEntry{"machines.shared_reserved", "of it reserved per block", "每块系统保留"},
    CatalogueEntry{"machines.shared_unit", "shared memory unit", "共享内存分配单位"},
    CatalogueEntry{"machines.carveouts", "shared memory settings: {0}", "共享内存可选配置：{0}"},
    CatalogueEntry{"machines.barriers", "barriers", "屏障"},
    CatalogueEntry{"machines.sources", "Sources", "资料来源"},
    CatalogueEntry{"machines.device_names", "Driver names: {0}", "驱动报告的名称：{0}"},
    CatalogueEntry{"machines.aliases", "Also known as: {0}", "别名：{0}"},
    CatalogueEntry{"machines.compare", "Comparison", "对比"},
    CatalogueEntry{"machines.compare_note",
                   "The factor is against the first machine. Tensor rows take the fastest dense path.",
                   "倍数相对于第一个机型。张量各行取最快的稠密路径。"},
    CatalogueEntry{"machines.quantity", "quantity", "项目"},
    CatalogueEntry{"machines.l2_capacity", "L2 capacity", "L2 容量"},
    CatalogueEntry{"machines.dram_capacity", "DRAM capacity", "DRAM 容量"},
    CatalogueEntry{"occupancy.title", "Occupancy on {0}", "{0} 上的占用率"},
    CatalogueEntry{"occupancy.request",
                   "{0} threads per block, {1} registers per thread, {2} shared memory per block, {3} barriers",
                   "每块 {0} 线程，每线程 {1} 个寄存器，每块 {2} 共享内存，{3} 个屏障"},
    CatalogueEntry{"occupancy.result", "{0} blocks per SM, {1} of {2} warps: {3} occupancy, limited by {4}.",
                   "每 SM {0} 个线程块，{2} 个线程束中占 {1} 个：占用率 {3}，受限于{4}。"},
    CatalogueEntry{"occupancy.none", "A block does not fit on an SM ({0}): the launch fails.",
                   "线程块放不进一个 SM（{0}）：启动会失败。"},
    CatalogueEntry{"occupancy.limits", "Blocks per SM that each resource admits", "各资源允许的每 SM 线程块数"},
    CatalogueEntry{"occupancy.resource", "resource", "资源"},
    CatalogueEntry{"occupancy.blocks", "blocks", "线程块"},
    CatalogueEntry{"occupancy.uses", "one block takes", "每块占用"},
    CatalogueEntry{"occupancy.no_limit", "no limit", "无限制"},
    CatalogueEntry{"occupancy.uses_warps", "{0} warps", "{0} 个线程束"},
    CatalogueEntry{"occupancy.uses_registers", "{0} registers ({1} a warp)", "{0} 个寄存器（每线程束 {1}）"},
    CatalogueEntry{"occupancy.uses_barriers", "{0} barriers", "{0} 个屏障"},
    CatalogueEntry{"occupancy.changes", "What would have to change", "需要改变什么"},
    CatalogueEntry{"occupancy.change_registers", "registers per thread at most {1} (now {0})",
                   "每线程寄存器至多 {1}（现为 {0}）"},
    CatalogueEntry{"occupancy.change_shared", "shared memory per block at most {1} (now {0})",
                   "每块共享内存至多 {1}（现为 {0}）"},
    CatalogueEntry{"occupancy.change_barriers", "barriers per block at most {1} (now {0})",
                   "每块屏障至多 {1}（现为 {0}）"},
    CatalogueEntry{"occupancy.after", "That gives {0} occupancy.", "占用率将为 {0}。"},
    CatalogueEntry{"occupancy.after_all", "All of these together give {0} occupancy.", "以上全部满足时占用率为 {0}。"},
    CatalogueEntry{"occupancy.smaller", "blocks of {0} threads give {1}", "每块 {0} 线程可达 {1}"},
    CatalogueEntry{"occupancy.larger", "blocks of {0} threads give {1}", "每块 {0} 线程可达 {1}"},
    CatalogueEntry{"occupancy.best", "blocks of {0} threads give {1}, the most of any size",
                   "每块 {0} 线程可达 {1}，为所有块大小中最高"},
    CatalogueEntry{"occupancy.full", "The SM is full: nothing to gain here.", "SM 已满：这里没有提升空间。"},
    CatalogueEntry{"occupancy.no_change", "No smaller need and no other block size gives more.",
                   "减少需求或改变块大小都不会提高占用率。"},
    CatalogueEntry{"occupancy.carveout", "The SM must be set to at least {0} of shared memory to hold these blocks.",
                   "SM 需配置至少 {0} 共享内存才能容纳这些线程块。"},
    CatalogueEntry{"occupancy.table", "By block size", "按块大小"},
    CatalogueEntry{"occupancy.table_note", "Registers per thread and shared memory per block as given.",
                   "每线程寄存器与每块共享内存保持不变。"},
    CatalogueEntry{"occupancy.threads", "threads", "线程"},
    CatalogueEntry{"occupancy.warps", "warps per SM", "每 SM 线程束"},
    CatalogueEntry{"occupancy.occupancy", "occupancy", "占用率"},
    CatalogueEntry{"occupancy.limiter", "limited by", "受限于"},
    CatalogueEntry{
        "occupancy.caution",
        "High occupancy is no aim in itself: a kernel that keeps its pipes busy with few warps needs no more.",
        "高占用率本身不是目标：用较少线程束就能让流水线满载的内核无需更多。"},
    CatalogueEntry{"limiter.warps", "warps", "线程束"},
    CatalogueEntry{"limiter.blocks", "blocks", "线程块数"},
    CatalogueEntry{"limiter.registers", "registers", "寄存器"},
    CatalogueEntry{"limiter.shared", "shared memory", "共享内存"},
    CatalogueEntry{"limiter.barriers", "barriers", "屏障"},
};

}  // namespace

std::span<const CatalogueEntry> machine_entries() {
  return kEntries;
}

std::string machine_label(std::string_view id, Language language) {
  for (const CatalogueEntry& entry : kEntries) {
    if (entry.id == id) return std::string(language == Language::kChinese ? entry.chinese : entry.english);
  }
  return std::string(id);
}

std::string filled(std::string_view id, Language language, const std::vector<std::string>& values) {
  const std::string text = machine_label(id, language);
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool place = text[i] == '{' && i + 2 < text.size() && text[i + 2] == '}';
    const auto index = place ? static_cast<std::size_t>(text[i + 1] - '0') : values.size();
    if (!place || index >= values.size()) {
      out += text[i];
      continue;
    }
    out += values[index];
    i += 2;
  }
  return out;
}

}  // namespace ridge::render
