#include "emulator/exec/slots.h"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>

#include "emulator/ptx/opcodes.h"

namespace ridge::emulator {
namespace {

using Value = std::uint32_t;
using Set = std::vector<std::uint64_t>;  // a bit a value
constexpr std::uint32_t kBits = 64;

void insert(Set& set, Value value) {
  set[value / kBits] |= std::uint64_t{1} << value % kBits;
}
bool holds(const Set& set, Value value) {
  return (set[value / kBits] >> value % kBits & 1) != 0;
}

struct Uses {
  std::vector<Value> reads, writes;  ///< writes: of the whole register, whatever the lane
};

/// First and last item at which a value is needed or made.
struct Range {
  std::uint32_t first = UINT32_MAX, last = 0;
  void include(std::uint32_t item) {
    first = std::min(first, item);
    last = std::max(last, item);
  }
};

class Placing {
 public:
  Placing(Body& body, const std::vector<FlowItem>& flow) : body_(body), flow_(flow) {}

  void run() {
    for (const Item& each : body_.items) note(each);
    find_blocks();
    find_live();
    find_ranges();
    assign();
  }

 private:
  struct Block : FlowBlock {
    Set reads, writes;  ///< read before written here; written here
    Set in, out;
  };

  // ---- what instructions read and write

  void note(const Item& item) {
    Uses uses;
    const ptx::Instruction& instruction = *item.instruction;
    if (instruction.guard) add(item.scope, instruction.guard->predicate, uses.reads);
    // Only a plain first operand of an instruction without a guard is known to be written and not read.
    const bool first_is_result = writes_first(instruction) && !instruction.guard;
    for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
      add_all(item.scope, instruction.operands[i], i == 0 && first_is_result ? uses.writes : uses.reads);
    }
    uses_.push_back(std::move(uses));
  }

  static bool writes_first(const ptx::Instruction& instruction) {
    if (instruction.operands.empty() || instruction.opcode == "call") return false;
    const auto form = ptx::match(instruction);
    if (!form) return false;  // its error is told when it is decoded
    const std::string_view operands = (*form)->operands;
    const bool vector_load = instruction.opcode == "ld" || instruction.opcode == "ldu" || instruction.opcode == "mov";
    if (operands.starts_with("dv,")) return vector_load;
    if (operands.starts_with("v,")) return instruction.opcode == "ld" || instruction.opcode == "ldmatrix";
    return operands.starts_with("d,") || operands.starts_with("d|p,") || operands.starts_with("p,");
  }

  void add_all(std::uint32_t scope, const ptx::Operand& operand, std::vector<Value>& to) {
    if (!operand.name.empty()) add(scope, operand.name, to);
    for (const ptx::Operand& each : operand.parts) add_all(scope, each, to);
  }

  void add(std::uint32_t scope, std::string_view name, std::vector<Value>& to) {
    const auto symbol = body_.symbols.find(scope, name);
    if (!symbol || symbol->kind != SymbolKind::kRegister || symbol->slot < kVirtualSlots) return;
    const auto [place, is_new] = value_of_.try_emplace(symbol->slot, static_cast<Value>(values_.size()));
    if (is_new) values_.push_back({symbol->slot, lane_of(symbol->type)});
    to.push_back(place->second);
  }

  // ---- control flow

  void find_blocks() {
    for (FlowBlock& each : flow_blocks(flow_)) {
      blocks_.emplace_back();
      static_cast<FlowBlock&>(blocks_.back()) = std::move(each);
    }
  }

  void find_live() {
    for (Block& block : blocks_) {
      block.reads.assign((values_.size() + kBits - 1) / kBits, 0);
      block.writes = block.in = block.out = block.reads;
      for (std::uint32_t i = block.first; i <= block.last && i < uses_.size(); ++i) {
        for (const Value each : uses_[i].reads) {
          if (!holds(block.writes, each)) insert(block.reads, each);
        }
        for (const Value each : uses_[i].writes) insert(block.writes, each);
      }
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (auto block = blocks_.rbegin(); block != blocks_.rend(); ++block) changed = flow_back(*block) || changed;
    }
  }

  bool flow_back(Block& block) {
    bool changed = false;
    for (std::size_t word = 0; word < block.in.size(); ++word) {
      std::uint64_t out = 0;
      for (const std::uint32_t each : block.next) out |= blocks_[each].in[word];
      const std::uint64_t in = block.reads[word] | (out & ~block.writes[word]);
      changed = changed || in != block.in[word] || out != block.out[word];
      block.out[word] = out;
      block.in[word] = in;
    }
    return changed;
  }

  void find_ranges() {
    ranges_.resize(values_.size());
    for (const Block& block : blocks_) {
      for (Value v = 0; v < values_.size(); ++v) {
        if (holds(block.in, v)) ranges_[v].include(block.first);
        if (holds(block.out, v)) ranges_[v].include(block.last);
      }
    }
    for (std::uint32_t i = 0; i < uses_.size(); ++i) {
      for (const Value each : uses_[i].reads) ranges_[each].include(i);
      for (const Value each : uses_[i].writes) ranges_[each].include(i);
    }
  }

  // ---- slots, in order of the ranges' beginnings

  void assign() {
    std::vector<Value> order(values_.size());
    for (Value v = 0; v < order.size(); ++v) order[v] = v;
    std::stable_sort(order.begin(), order.end(), [&](Value a, Value b) { return ranges_[a].first < ranges_[b].first; });
    std::multimap<std::uint32_t, Value> busy;  // by their last item
    std::array<std::vector<Slot>, 4> free;
    for (const Value v : order) {
      // A slot that an instruction reads for the last time is not taken for its own result: handlers may write one
      // part of a result before they have read all of their operands.
      while (!busy.empty() && busy.begin()->first < ranges_[v].first) {
        const Placed& done = values_[busy.begin()->second];
        free[static_cast<std::size_t>(done.lane)].push_back(done.slot);
        busy.erase(busy.begin());
      }
      auto& slots = free[static_cast<std::size_t>(values_[v].lane)];
      if (slots.empty()) slots.push_back(body_.allocate(values_[v].lane));
      values_[v].slot = slots.back();
      slots.pop_back();
      body_.places[values_[v].register_slot] = values_[v].slot;
      busy.emplace(ranges_[v].last, v);
    }
  }

  struct Placed {
    Slot register_slot = 0;  ///< the virtual one
    Lane lane{};
    Slot slot = 0;
  };

  Body& body_;
  const std::vector<FlowItem>& flow_;
  std::unordered_map<Slot, Value> value_of_;
  std::vector<Placed> values_;
  std::vector<Uses> uses_;
  std::vector<Block> blocks_;
  std::vector<Range> ranges_;
};

}  // namespace

void place_registers(Body& body, const std::vector<FlowItem>& flow) {
  Placing(body, flow).run();
}

}  // namespace ridge::emulator
