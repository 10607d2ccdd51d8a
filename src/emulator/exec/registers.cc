#include "emulator/exec/registers.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>

#include "emulator/exec/symbols.h"
#include "emulator/exec/value_graph.h"

namespace ridge::emulator {
namespace {

// The line from live words to registers, fitted to ptxas 13.0 for sm_90: some are lost to alignment of pairs and quads,
// and to the stack pointer and addresses that the text does not hold as values.
constexpr double kPerWord = 1.05;
constexpr double kAtLeast = 3;
constexpr int kFewest = 16;                  // a launch reports no fewer, whatever the compiler says
constexpr int kMost = 255;                   // the instruction format's
constexpr int kUnknownCallee = 24;           // what the calling convention lets a callee use
constexpr std::uint64_t kPerSm = 64 * 1024;  // of every architecture since sm_30, but for sm_37
constexpr std::uint64_t kWarp = 32;
constexpr std::uint64_t kGranule = 8;  // registers of a thread are allocated in

class Estimator {
 public:
  explicit Estimator(const Program& program) : program_(program), module_(nullptr) {
    for (const FunctionCode& each : program.functions) by_name_[each.source->name] = each.source;
    for (const auto& item : program.module->items) {
      const auto* alias = std::get_if<ptx::Alias>(&item);
      if (alias != nullptr && by_name_.contains(alias->target)) by_name_[alias->name] = by_name_[alias->target];
    }
  }

  Result<RegisterEstimate> run() {
    const ptx::Function& entry = *program_.functions[0].source;
    const auto live = live_of(entry);
    if (!live) return fail(live.error());
    RegisterEstimate estimate;
    estimate.live = static_cast<int>(*live);
    estimate.registers = static_cast<int>(std::lround(kPerWord * *live + kAtLeast));
    estimate.registers = std::max(estimate.registers, unknown_callee_ ? kUnknownCallee : kFewest);
    const std::optional<int> bound = bound_of(entry);
    // A kernel that moves registers between its warps starts with all that it may have.
    if (bound) estimate.registers = moves_registers_ ? *bound : std::min(estimate.registers, *bound);
    estimate.registers = std::min(estimate.registers, kMost);
    return estimate;
  }

 private:
  Result<std::uint32_t> live_of(const ptx::Function& function) {
    if (!function.body) {
      unknown_callee_ = true;
      return 0;
    }
    if (const auto known = known_.find(&function); known != known_.end()) return known->second;
    known_[&function] = 0;  // of a function that calls itself
    std::vector<SharedVariable> shared;
    const auto body = lay_out(function, 0, module_, shared);
    if (!body) return fail(body.error());
    moves_registers_ = moves_registers_ || std::any_of(body->items.begin(), body->items.end(), [](const Item& each) {
                         return each.instruction->opcode == "setmaxnreg";
                       });
    const auto graph = value_graph(*body);
    if (!graph) return fail(graph.error());
    const std::vector<std::uint32_t> words = live_words(graph->items, graph->words, graph->given);
    std::uint32_t most = *std::max_element(words.begin(), words.end());
    for (const CallSite& each : graph->calls) {
      const auto callee = live_of_callee(each.callee);
      if (!callee) return callee;
      most = std::max(most, words[each.item + 1] + *callee);
    }
    known_[&function] = most;
    return most;
  }

  Result<std::uint32_t> live_of_callee(std::string_view name) {
    const auto found = by_name_.find(name);
    if (found != by_name_.end()) return live_of(*found->second);
    unknown_callee_ = true;
    return 0;
  }

  // What the directives leave: .maxnreg says it, .maxntid and .minnctapersm make the register file that small.
  static std::optional<int> bound_of(const ptx::Function& entry) {
    std::uint64_t threads = 0, blocks = 1;
    std::optional<std::uint64_t> most;
    for (const ptx::FunctionDirective& each : entry.directives) {
      if (each.values.empty()) continue;
      if (each.name == "maxnreg") most = each.values[0];
      if (each.name == "minnctapersm") blocks = std::max<std::uint64_t>(each.values[0], 1);
      if (each.name == "maxntid" || each.name == "reqntid") threads = product(each.values);
    }
    if (threads != 0) {
      const std::uint64_t warps = (threads + kWarp - 1) / kWarp * blocks;
      const std::uint64_t share = kPerSm / (warps * kWarp) / kGranule * kGranule;
      most = std::min(most.value_or(share), share);
    }
    if (!most) return std::nullopt;
    return static_cast<int>(std::clamp<std::uint64_t>(*most, kFewest, kMost));
  }

  static std::uint64_t product(const std::vector<std::uint64_t>& values) {
    std::uint64_t all = 1;
    for (const std::uint64_t each : values) all *= std::clamp<std::uint64_t>(each, 1, kPerSm);
    return std::min(all, kPerSm);
  }

  const Program& program_;
  Symbols module_;
  std::map<std::string_view, const ptx::Function*> by_name_;
  std::map<const ptx::Function*, std::uint32_t> known_;
  bool unknown_callee_ = false, moves_registers_ = false;
};

}  // namespace

Result<RegisterEstimate> estimate_registers(const Program& program) {
  return Estimator(program).run();
}

}  // namespace ridge::emulator
