#include "emulator/exec/value_graph.h"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>

#include "emulator/ptx/lexer.h"
#include "emulator/ptx/opcodes.h"

namespace ridge::emulator {
namespace {

constexpr std::uint32_t kNone = UINT32_MAX;

// The same for all threads of a block, or kept in constant memory.
bool is_uniform(std::string_view special) {
  return special.starts_with("%ctaid") || special.starts_with("%ntid") || special.starts_with("%nctaid") ||
         special.starts_with("%cluster") || special.starts_with("%ncluster");
}

// What ptxas makes a call of, and the words that it keeps free for it: measured as what the instruction adds to a
// kernel with many values alive (ptxas 13.0, sm_90).
struct Subroutine {
  std::string_view opcode, modifier, type;
  std::uint32_t words = 0;
};
constexpr auto kSubroutines = std::to_array<Subroutine>({{"div", "rn", "f32", 14},
                                                         {"rcp", "rn", "f32", 14},
                                                         {"sqrt", "rn", "f32", 8},
                                                         {"div", "rn", "f64", 18},
                                                         {"rcp", "rn", "f64", 10},
                                                         {"sqrt", "rn", "f64", 14},
                                                         {"div", "s64", "s64", 16},
                                                         {"div", "u64", "u64", 16},
                                                         {"rem", "s64", "s64", 16},
                                                         {"rem", "u64", "u64", 16}});

std::uint32_t scratch_of(const ptx::Instruction& instruction) {
  for (const Subroutine& each : kSubroutines) {
    if (each.opcode == instruction.opcode && ptx::has_modifier(instruction, each.modifier) &&
        ptx::has_modifier(instruction, each.type)) {
      return each.words;
    }
  }
  return 0;
}

// Words of a thread's part of an operand matrix of halves: PTX names more registers than that, as sm_70 held elements
// twice. 0: another instruction.
std::size_t fragment_words(const ptx::Instruction& instruction) {
  if (instruction.opcode != "wmma" || !ptx::has_modifier(instruction, "load") || !ptx::has_modifier(instruction, "f16"))
    return 0;
  const bool a = ptx::has_modifier(instruction, "a");
  if (!a && !ptx::has_modifier(instruction, "b")) return 0;
  constexpr std::size_t kInner = 16, kPerWord = 2, kThreads = 32;
  std::size_t outer = kInner;
  if (ptx::has_modifier(instruction, "m32n8k16")) outer = a ? 32 : 8;
  if (ptx::has_modifier(instruction, "m8n32k16")) outer = a ? 8 : 32;
  return outer * kInner / kPerWord / kThreads;
}

/// An instruction's operands as values, in their order.
struct Access {
  std::vector<std::uint32_t> reads, writes;
};

class GraphBuilder {
 public:
  explicit GraphBuilder(const Body& body) : body_(body), entry_(body.code.source->entry) {}

  Result<ValueGraph> run() {
    if (!entry_) {
      collect_variables(body_.code.source->parameters, graph_.given);
      collect_variables(body_.code.source->results, results_);
    }
    for (std::uint32_t i = 0; i < end(); ++i) RIDGE_TRY(read_item(i));
    find_definitions();
    find_folds();
    for (std::uint32_t i = 0; i < end(); ++i) RIDGE_TRY(add_item(i));
    graph_.items.emplace_back().reads = results_;  // the end
    return std::move(graph_);
  }

 private:
  [[nodiscard]] std::uint32_t end() const { return static_cast<std::uint32_t>(body_.items.size()); }
  [[nodiscard]] const ptx::Instruction& at(std::uint32_t i) const { return *body_.items[i].instruction; }

  // ---- operands

  std::uint32_t value_of(Slot slot, std::uint32_t words) {
    const auto [place, fresh] = values_.emplace(slot, static_cast<std::uint32_t>(graph_.words.size()));
    if (fresh) graph_.words.push_back(words);
    return place->second;
  }

  void collect_name(std::uint32_t scope, const ptx::Operand& operand, std::vector<std::uint32_t>& into) {
    const auto symbol = body_.symbols.find(scope, operand.name);
    if (!symbol || symbol->kind != SymbolKind::kRegister || symbol->type == Type::kPredicate) return;
    const std::uint32_t words = (size_of(symbol->type) + 3) / 4;
    for (std::uint32_t i = 0; i < symbol->vector; ++i) {
      constexpr std::string_view kElements = "xyzw";
      if (operand.element != 0 && kElements.find(operand.element) != i) continue;
      into.push_back(value_of(symbol->slot + static_cast<Slot>(slot_bytes(lane_of(symbol->type)) * i), words));
    }
  }

  void collect_variables(const std::vector<ptx::Variable>& variables, std::vector<std::uint32_t>& into) {
    for (const ptx::Variable& each : variables) {
      ptx::Operand name;
      name.name = each.name;
      collect_name(0, name, into);
    }
  }

  void collect(std::uint32_t scope, const ptx::Operand& operand, std::vector<std::uint32_t>& into) {
    if (operand.kind == ptx::OperandKind::kName) collect_name(scope, operand, into);
    for (const ptx::Operand& each : operand.parts) collect(scope, each, into);
  }

  Result<void> read_item(std::uint32_t i) {
    const ptx::Instruction& instruction = at(i);
    const auto form = ptx::match(instruction);
    if (!form) return fail(form.error());
    Access access;
    const std::uint32_t scope = body_.items[i].scope;
    const bool writes = writes_first(instruction, **form);
    for (std::size_t k = 0; k < instruction.operands.size(); ++k) {
      collect(scope, instruction.operands[k], k == 0 && writes ? access.writes : access.reads);
    }
    // Accumulators of asynchronous products are read as well.
    if (instruction.opcode == "wgmma")
      access.reads.insert(access.reads.end(), access.writes.begin(), access.writes.end());
    if (const std::size_t needed = fragment_words(instruction); needed != 0) {
      for (std::size_t k = needed; k < access.writes.size(); ++k) graph_.words[access.writes[k]] = 0;
    }
    accesses_.push_back(std::move(access));
    return {};
  }

  // All destinations stand first.
  static bool writes_first(const ptx::Instruction& instruction, const ptx::Form& form) {
    if (instruction.opcode == "call") {
      return !instruction.operands.empty() && instruction.operands[0].kind == ptx::OperandKind::kList;
    }
    const std::string_view code = form.operands.substr(0, form.operands.find_first_of("{,"));
    return code == "d" || code == "p" || code == "d|p" || code == "dv" || code == "v" || code == "*";
  }

  // ---- what takes no register

  void find_definitions() {
    definition_.assign(graph_.words.size(), kNone);
    std::vector<std::uint32_t> writers(graph_.words.size(), 0);
    for (std::uint32_t i = 0; i < end(); ++i) {
      for (const std::uint32_t each : accesses_[i].writes) {
        definition_[each] = i;
        ++writers[each];
      }
    }
    for (const std::uint32_t each : results_) ++writers[each];
    for (std::uint32_t v = 0; v < writers.size(); ++v) {
      if (writers[v] != 1 || at(definition_[v]).guard) definition_[v] = kNone;
    }
  }

  void find_folds() {
    state_.assign(graph_.words.size(), State::kUnknown);
    roots_.resize(graph_.words.size());
    for (std::uint32_t v = 0; v < graph_.words.size(); ++v) resolve(v, 0);
  }

  enum class State : std::uint8_t { kUnknown, kBusy, kKept, kFolded };

  void resolve(std::uint32_t v, int depth) {
    constexpr int kDeepest = 1000;
    if (state_[v] != State::kUnknown) return;
    state_[v] = State::kKept;
    roots_[v] = {v};
    if (definition_[v] == kNone || depth > kDeepest) return;
    state_[v] = State::kBusy;
    const std::uint32_t item = definition_[v];
    bool stable = true;
    std::vector<std::uint32_t> roots;
    for (const std::uint32_t each : accesses_[item].reads) {
      resolve(each, depth + 1);
      if (state_[each] == State::kBusy) stable = false;
      for (const std::uint32_t root : roots_[each]) {
        if (definition_[root] == kNone) stable = false;
        if (std::find(roots.begin(), roots.end(), root) == roots.end()) roots.push_back(root);
      }
    }
    state_[v] = State::kKept;
    if (!stable || !folds(at(item), accesses_[item], roots)) return;
    state_[v] = State::kFolded;
    roots_[v] = std::move(roots);
  }

  // Whether a value that comes from `roots` is made where it is used, or is no register at all.
  bool folds(const ptx::Instruction& instruction, const Access& access, const std::vector<std::uint32_t>& roots) const {
    const std::string_view opcode = instruction.opcode;
    if (opcode == "ld") return entry_ && ptx::has_modifier(instruction, "param") && roots.empty();
    if (opcode == "mov") return folds_move(instruction, access, roots);
    if (opcode == "cvta") return true;
    return folds_arithmetic(instruction, roots);
  }

  // A copy; a constant; what is the same for a whole block. Halves of a word stay in it; others are put together or
  // taken apart by naming registers, and liveness sees that by itself.
  bool folds_move(const ptx::Instruction& instruction, const Access& access,
                  const std::vector<std::uint32_t>& roots) const {
    const ptx::Operand& source = instruction.operands[1];
    if (instruction.operands[0].kind == ptx::OperandKind::kVector) {
      return access.reads.size() == 1 && graph_.words[access.reads[0]] == 1;
    }
    if (source.kind == ptx::OperandKind::kVector) return false;
    return !roots.empty() || source.kind != ptx::OperandKind::kName || !source.name.starts_with('%') ||
           !access.reads.empty() || is_uniform(source.name);
  }

  // Arithmetic on what is the same for the block goes to the uniform registers; a sum of one address and such a value
  // is the addressing mode or is made at its use, as is a widened index.
  static bool folds_arithmetic(const ptx::Instruction& instruction, const std::vector<std::uint32_t>& roots) {
    constexpr std::array<std::string_view, 10> kSimple = {"add", "sub", "mul", "mad", "shl",
                                                          "shr", "and", "or",  "xor", "cvt"};
    const std::string_view opcode = instruction.opcode;
    if (std::find(kSimple.begin(), kSimple.end(), opcode) == kSimple.end() || ptx::has_modifier(instruction, "cc"))
      return false;
    const auto type = type_named(instruction.modifiers.back());
    if (!type || is_floating(*type) || size_of(*type) < 4) return false;
    if (roots.empty()) return true;
    if (roots.size() > 1) return false;
    const bool wide = size_of(*type) == 8;
    return opcode == "cvt" || ptx::has_modifier(instruction, "wide") ||
           (wide && (opcode == "add" || opcode == "sub" || opcode == "shl"));
  }

  // ---- the graph

  void add_all(const std::vector<std::uint32_t>& values, std::vector<std::uint32_t>& into) const {
    for (const std::uint32_t each : values) {
      for (const std::uint32_t root : roots_[each]) {
        if (std::find(into.begin(), into.end(), root) == into.end()) into.push_back(root);
      }
    }
  }

  Result<void> add_item(std::uint32_t i) {
    const ptx::Instruction& instruction = at(i);
    LiveItem item;
    item.keeps = instruction.guard.has_value();
    item.scratch = scratch_of(instruction);
    const bool folded =
        !accesses_[i].writes.empty() && std::all_of(accesses_[i].writes.begin(), accesses_[i].writes.end(),
                                                    [&](std::uint32_t each) { return state_[each] == State::kFolded; });
    if (!folded) add_all(accesses_[i].reads, item.reads);
    for (const std::uint32_t each : accesses_[i].writes) {
      if (state_[each] != State::kFolded) item.writes.push_back(each);
    }
    RIDGE_TRY(add_ways(i, item));
    if (instruction.opcode == "call") add_call(i);
    graph_.items.push_back(std::move(item));
    return {};
  }

  void add_call(std::uint32_t i) {
    const auto& operands = at(i).operands;
    const std::size_t target = operands[0].kind == ptx::OperandKind::kList ? 1 : 0;
    const auto symbol = body_.symbols.find(body_.items[i].scope, operands[target].name);
    const bool indirect = symbol && symbol->kind == SymbolKind::kRegister;
    graph_.calls.push_back({i, indirect ? std::string_view{} : operands[target].name});
  }

  Result<void> add_ways(std::uint32_t i, LiveItem& item) {
    const ptx::Instruction& instruction = at(i);
    const std::string_view op = instruction.opcode;
    const bool leaves = op == "exit" || op == "ret" || op == "trap";
    const bool branches = op == "bra" || op == "brx";
    if (op == "ret") item.reads.insert(item.reads.end(), results_.begin(), results_.end());
    if (branches) RIDGE_TRY(add_targets(i, item.next));
    if (!(leaves || branches) || instruction.guard) item.next.push_back(i + 1);
    return {};
  }

  Result<void> add_targets(std::uint32_t i, std::vector<std::uint32_t>& into) const {
    const ptx::Instruction& instruction = at(i);
    std::vector<std::string_view> names;
    if (instruction.opcode == "bra") {
      names.push_back(instruction.operands[0].name);
    } else {
      const auto table = body_.symbols.find(body_.items[i].scope, instruction.operands.back().name);
      if (table && table->kind == SymbolKind::kTable) names = table->table->targets;
    }
    for (const std::string_view each : names) {
      const auto label = body_.symbols.find(body_.items[i].scope, each);
      if (!label || label->kind != SymbolKind::kLabel) {
        return fail(ptx::error_at(instruction.at, "there is no label '" + std::string(each) + "'",
                                  "branch to a label of this function"));
      }
      into.push_back(static_cast<std::uint32_t>(label->value));
    }
    return {};
  }

  const Body& body_;
  bool entry_;
  std::unordered_map<Slot, std::uint32_t> values_;
  std::vector<Access> accesses_;
  std::vector<std::uint32_t> results_;     ///< registers that a caller reads
  std::vector<std::uint32_t> definition_;  ///< the item that alone writes a value, always; kNone: several, or perhaps
  std::vector<State> state_;
  std::vector<std::vector<std::uint32_t>> roots_;
  ValueGraph graph_;
};

}  // namespace

Result<ValueGraph> value_graph(const Body& body) {
  return GraphBuilder(body).run();
}

}  // namespace ridge::emulator
