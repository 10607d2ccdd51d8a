// Why a value is missing. A {name} stands for any text.
#include "render/text/catalogue/catalogue.h"

namespace ridge::render {
namespace {

// clang-format off: one entry, three lines
constexpr CatalogueEntry kReasons[] = {
    {"a kernel above its roof has no time to save there",
     "a kernel above its roof has no time to save there",
     "高于上限的内核在此没有可节省的时间"},
    {"divided by zero",
     "divided by zero",
     "除数为零"},
    {"it would change the precision of the results",
     "it would change the precision of the results",
     "会改变结果的精度"},
    {"l1tex__t_bytes and the sector counters it sums were not collected",
     "l1tex__t_bytes and the sector counters it sums were not collected",
     "未采集 l1tex__t_bytes 及其对应的扇区计数器"},
    {"no floating-point counter was collected",
     "no floating-point counter was collected",
     "未采集浮点计数器"},
    {"no floating-point instruction but a few HFMA2 per thread, which may be half-precision work or constants being loaded",
     "no floating-point instruction but a few HFMA2 per thread, which may be half-precision work or constants being loaded",
     "除每线程少量 HFMA2 外没有浮点指令，可能是半精度运算或加载常量"},
    {"no floating-point work",
     "no floating-point work",
     "没有浮点运算"},
    {"no launch has a duration",
     "no launch has a duration",
     "没有任何启动带有时长"},
    {"no launch has counters",
     "no launch has counters",
     "没有任何启动带有计数器"},
    {"no measured time",
     "no measured time",
     "没有实测时间"},
    {"no resource's work and rate are both known",
     "no resource's work and rate are both known",
     "没有任何资源同时已知工作量和速率"},
    {"not a finite number",
     "not a finite number",
     "不是有限数值"},
    {"not collected",
     "not collected",
     "未采集"},
    {"not in this file",
     "not in this file",
     "不在该文件中"},
    {"only HFMA2 instructions, a few per thread: the compiler loads constants with these, so they are not counted",
     "only HFMA2 instructions, a few per thread: the compiler loads constants with these, so they are not counted",
     "只有每线程少量 HFMA2 指令：编译器用它们加载常量，故不计入"},
    {"only some of the add, mul and fma counters were collected",
     "only some of the add, mul and fma counters were collected",
     "只采集了加、乘、乘加计数器中的一部分"},
    {"tensor cores used, and no sm__ops_path_tensor counter was collected",
     "tensor cores used, and no sm__ops_path_tensor counter was collected",
     "使用了张量核心，但未采集 sm__ops_path_tensor 计数器"},
    {"the machine has no ceiling for {name}",
     "the machine has no ceiling for {name}",
     "设备没有 {name} 的上限"},
    {"the machine is not known",
     "the machine is not known",
     "设备未知"},
    {"the machine's SM clock is not known",
     "the machine's SM clock is not known",
     "设备的 SM 频率未知"},
    {"the machine's bandwidth of {name} is not known",
     "the machine's bandwidth of {name} is not known",
     "设备的 {name} 带宽未知"},
    {"the pipe's rate is not known for this architecture",
     "the pipe's rate is not known for this architecture",
     "该架构的流水线速率未知"},
    {"the recording holds kernels only, each run alone; a timeline of the program is needed",
     "the recording holds kernels only, each run alone; a timeline of the program is needed",
     "记录只包含逐个运行的内核；需要程序的时间线"},
    {"this launch has no counters",
     "this launch has no counters",
     "该启动没有计数器"},
};
// clang-format on

}  // namespace

std::span<const CatalogueEntry> reason_entries() {
  return kReasons;
}

}  // namespace ridge::render
