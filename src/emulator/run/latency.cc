#include "emulator/run/latency.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace ridge::emulator {
namespace {

enum class Source : std::uint8_t { kGlobal, kShared, kAtomic, kSpecial, kNothing };

Source source_of(const ptx::Instruction& instruction) {
  const std::string_view opcode = instruction.opcode;
  if (opcode == "ld" || opcode == "ldu") {
    if (ptx::has_modifier(instruction, "param") || ptx::has_modifier(instruction, "const")) return Source::kNothing;
    return ptx::has_modifier(instruction, "shared") || ptx::has_modifier(instruction, "shared::cta") ? Source::kShared
                                                                                                     : Source::kGlobal;
  }
  if (opcode == "atom") return ptx::has_modifier(instruction, "shared") ? Source::kShared : Source::kAtomic;
  if (opcode == "ldmatrix" || opcode == "shfl" || opcode == "redux" || opcode == "match") return Source::kShared;
  for (const std::string_view each : {"ex2", "lg2", "sin", "cos", "rcp", "rsqrt", "sqrt", "div", "tanh"}) {
    if (opcode == each) return Source::kSpecial;
  }
  return Source::kNothing;
}

bool waits_for_copies(const ptx::Instruction& instruction) {
  return instruction.opcode == "cp" &&
         (ptx::has_modifier(instruction, "wait_group") || ptx::has_modifier(instruction, "wait_all"));
}

template <class F>
void each_name(const ptx::Operand& operand, const F& f) {
  if (!operand.name.empty()) f(operand.name);
  for (const ptx::Operand& each : operand.parts) each_name(each, f);
}

// One function's instructions in order, with the registers that are on their way.
class Scan {
 public:
  explicit Scan(Waits& waits) : waits_(waits) {}

  void step(const ptx::Instruction& instruction, double warps) {
    ++at_;
    if (instruction.opcode == "bar" || instruction.opcode == "barrier") waits_.barrier += warps;
    if (waits_for_copies(instruction)) waits_.global += warps;
    if (instruction.opcode == "bra" || instruction.opcode == "bar" || instruction.opcode == "barrier") waited_ = 0;
    note_reads(instruction, warps);
    extend_chain(instruction, warps);
    const Source source = source_of(instruction);
    if (source == Source::kNothing || instruction.operands.empty()) return;
    each_name(instruction.operands[0], [&](std::string_view name) { pending_[name] = {source, warps}; });
  }

 private:
  void note_reads(const ptx::Instruction& instruction, double warps) {
    Pending waits;
    const auto look = [&](std::string_view name) {
      const auto found = pending_.find(name);
      if (found != pending_.end() && found->second.source < waits.source) waits = found->second;
    };
    if (instruction.guard) look(instruction.guard->predicate);
    // The first operand is written, but for stores and the like, whose first is an address to be read.
    const bool writes = !instruction.operands.empty() && instruction.operands[0].kind != ptx::OperandKind::kAddress;
    for (std::size_t i = writes ? 1 : 0; i < instruction.operands.size(); ++i) each_name(instruction.operands[i], look);
    if (waits.source == Source::kNothing) return;
    constexpr std::array<double Waits::*, 4> kFields = {&Waits::global, &Waits::shared, &Waits::atomic,
                                                        &Waits::special};
    // In a loop that reads what was asked for before it only the first turn waits.
    if (!is_hoisted(waits.source)) {
      waits_.*kFields[static_cast<std::size_t>(waits.source)] += std::min(warps, waits.warps);
    }
    // What was asked for earlier and comes sooner is there as well.
    std::erase_if(pending_, [&](const auto& each) { return each.second.source >= waits.source; });
  }

  // The compiler moves loads from shared memory up, past the arithmetic on those before, but not past a branch or a
  // barrier: those of one stretch of code wait together.
  bool is_hoisted(Source source) {
    if (source != Source::kShared) return false;
    constexpr std::uint64_t kStretch = 32;
    const bool near = waited_ != 0 && at_ - waited_ < kStretch;
    if (!near) waited_ = at_;
    return near;
  }

  std::uint64_t at_ = 0;      ///< instructions so far
  std::uint64_t waited_ = 0;  ///< where shared memory was last waited for; 0: not since a branch or barrier

  // A branch, or another number of warps than before, begins a new stretch.
  void extend_chain(const ptx::Instruction& instruction, double warps) {
    constexpr double kDependent = 4.2;  // clocks from an operation to one that needs its result
    if (warps != stretch_warps_) end_stretch();
    stretch_warps_ = warps;
    stretch_instructions_ += 1;
    double ready = 0;
    const auto look = [&](std::string_view name) {
      const auto found = ready_.find(name);
      if (found != ready_.end()) ready = std::max(ready, found->second);
    };
    if (instruction.guard) look(instruction.guard->predicate);
    for (std::size_t i = 1; i < instruction.operands.size(); ++i) each_name(instruction.operands[i], look);
    if (!instruction.operands.empty()) {
      each_name(instruction.operands[0], [&](std::string_view name) { ready_[name] = ready + kDependent; });
    }
    longest_ = std::max(longest_, ready + kDependent);
    if (instruction.opcode == "bra" || instruction.opcode == "bar") end_stretch();
  }

 public:
  void end_stretch() {
    waits_.arithmetic += stretch_warps_ * std::max(stretch_instructions_, longest_);
    stretch_instructions_ = longest_ = 0;
    ready_.clear();
  }

 private:
  std::unordered_map<std::string_view, double> ready_;  ///< clocks since the stretch began
  double stretch_warps_ = 0, stretch_instructions_ = 0, longest_ = 0;

  struct Pending {
    Source source = Source::kNothing;
    double warps = 0;  ///< that asked
  };

  Waits& waits_;
  std::unordered_map<std::string_view, Pending> pending_;
};

}  // namespace

Waits count_waits(const Program& program, const std::vector<SiteCount>& sites) {
  Waits waits;
  Scan scan(waits);
  for (std::size_t i = 0; i < sites.size(); ++i) {
    scan.step(*program.sites[i].instruction, static_cast<double>(sites[i].warps));
  }
  scan.end_stretch();
  return waits;
}

}  // namespace ridge::emulator
