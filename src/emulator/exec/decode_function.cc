#include "emulator/exec/decode_function.h"

#include <algorithm>

#include "base/demangle.h"
#include "emulator/exec/errors.h"
#include "emulator/exec/families.h"
#include "emulator/exec/slots.h"
#include "emulator/exec/unread.h"
#include "emulator/ptx/lexer.h"

namespace ridge::emulator {
namespace {

constexpr Select kFamilies[] = {select_address,        select_atomic, select_barrier, select_async,
                                select_warp,           select_matrix, select_wgmma,   select_scalar_float,
                                select_scalar_convert, select_carry,  select_video};

class FunctionDecoder {
 public:
  FunctionDecoder(Pool& pool, Body& body, std::uint32_t index, const FunctionContext& context)
      : pool_(pool), body_(body), index_(index), context_(context), entry_(body.code.source->entry) {}

  Result<void> run() {
    if (!body_.code.source->body) return {};
    RIDGE_TRY(find_ways());
    place_registers(body_, flow_);
    unread_ = unread_atomics(body_);
    meetings_ = meeting_points(flow_);
    meets_here_.assign(flow_.size(), false);
    for (const std::uint32_t each : meetings_) {
      if (each != kNowhere) meets_here_[each] = true;
    }
    body_.code.first_step = next_step();
    for (std::uint32_t i = 0; i < body_.items.size(); ++i) {
      begin_item(i);
      RIDGE_TRY(add(i));
    }
    begin_item(end());
    if (!entry_) emit_plain(join);  // of the call itself
    emit_plain(entry_ ? exit_step : return_step);
    body_.code.end_step = next_step();
    fix();
    return {};
  }

 private:
  [[nodiscard]] std::uint32_t end() const { return static_cast<std::uint32_t>(body_.items.size()); }
  [[nodiscard]] std::uint32_t next_step() const { return static_cast<std::uint32_t>(pool_.program.steps.size()); }

  // ---- control flow before there are steps

  Result<void> find_ways() {
    flow_.resize(body_.items.size() + 1);
    flow_[end()].ends = true;
    flow_[end()].falls_through = false;
    for (std::uint32_t i = 0; i < end(); ++i) {
      const ptx::Instruction& instruction = *body_.items[i].instruction;
      const bool guarded = instruction.guard.has_value();
      if (instruction.opcode == "bra" || instruction.opcode == "brx") {
        RIDGE_TRY(find_targets(i));
        flow_[i].falls_through = guarded;
      } else if (instruction.opcode == "exit" || (instruction.opcode == "ret" && entry_)) {
        flow_[i].ends = true;
        flow_[i].falls_through = guarded;
      } else if (instruction.opcode == "ret") {
        flow_[i].targets = {end()};
        flow_[i].falls_through = guarded;
      } else if (instruction.opcode == "trap") {
        flow_[i].ends = true;
        flow_[i].falls_through = guarded;
      }
    }
    for (std::uint32_t i = 0; i < end(); ++i) shorten(i);
    return {};
  }

  // A kernel's branch to its end ends the lanes that take it, as the hardware's compiler makes it.
  void shorten(std::uint32_t i) {
    FlowItem& item = flow_[i];
    if (!entry_ || item.targets.size() != 1 || body_.items[i].instruction->opcode != "bra") return;
    const std::uint32_t target = item.targets[0];
    const bool to_end = target == end() || (flow_[target].ends && !flow_[target].falls_through &&
                                            body_.items[target].instruction->opcode != "trap");
    if (!to_end) return;
    item.targets.clear();
    item.ends = true;
  }

  Result<void> find_targets(std::uint32_t i) {
    const ptx::Instruction& instruction = *body_.items[i].instruction;
    if (instruction.opcode == "bra") {
      const auto target = label(i, instruction.operands.empty() ? std::string_view{} : instruction.operands[0].name);
      if (!target) return fail(target.error());
      flow_[i].targets = {*target};
      return {};
    }
    const auto table = instruction.operands.empty()
                           ? std::nullopt
                           : body_.symbols.find(body_.items[i].scope, instruction.operands.back().name);
    if (!table || table->kind != SymbolKind::kTable) {
      return fail(ptx::error_at(instruction.at, "brx.idx needs a list of targets", "name a .branchtargets list"));
    }
    for (const std::string_view each : table->table->targets) {
      const auto target = label(i, each);
      if (!target) return fail(target.error());
      flow_[i].targets.push_back(*target);
    }
    return {};
  }

  Result<std::uint32_t> label(std::uint32_t i, std::string_view name) const {
    const auto found = body_.symbols.find(body_.items[i].scope, name);
    if (!found || found->kind != SymbolKind::kLabel) {
      return fail(ptx::error_at(body_.items[i].instruction->at, "there is no label '" + std::string(name) + "'",
                                "branch to a label of this function"));
    }
    return static_cast<std::uint32_t>(found->value);
  }

  // ---- steps

  void begin_item(std::uint32_t i) {
    step_of_.push_back(next_step());
    if (meets_here_[i]) emit_plain(join);
  }

  void emit_plain(Handler handler) {
    Step step;
    step.run = handler;
    step.guard = pool_.constant(Lane::kMask, kAllLanes);
    pool_.program.steps.push_back(step);
  }

  Result<void> add(std::uint32_t i) {
    const ptx::Instruction& instruction = *body_.items[i].instruction;
    const auto form = ptx::match(instruction);
    if (!form) return fail(form.error());
    const auto site = static_cast<std::uint32_t>(pool_.program.sites.size());
    pool_.program.sites.push_back({&instruction, *form, index_, false, unread_[i]});
    Builder builder(pool_, body_, body_.items[i], **form, site);
    const std::uint32_t before = next_step();
    if (!add_control(builder, i) && !add_family(builder)) {
      builder.refuse("'" + std::string(instruction.opcode) + "' is not emulated", "leave it out for the emulator");
    }
    auto done = builder.finish();
    if (done) return {};
    if (!context_.skip_unsupported || done.error().code != ErrorCode::kNotAvailable) return done;
    pool_.program.steps.resize(before);
    pool_.program.sites[site].skipped = true;
    Builder skipped(pool_, body_, body_.items[i], **form, site);
    skipped.emit({.run = nothing});
    return skipped.finish();
  }

  bool add_family(Builder& builder) const {
    for (const Select each : context_.lanes.families) {
      if (each(builder)) return true;
    }
    return std::any_of(std::begin(kFamilies), std::end(kFamilies), [&](Select each) { return each(builder); });
  }

  bool add_control(Builder& builder, std::uint32_t i) {
    const std::string_view opcode = builder.opcode();
    if (opcode == "bra" || (opcode == "ret" && !entry_)) {
      if (flow_[i].ends) {
        builder.emit({.run = exit_step});
      } else {
        add_branch(builder, i);
      }
    } else if (opcode == "brx") {
      add_table(builder, i);
    } else if (opcode == "exit" || opcode == "ret") {
      builder.emit({.run = exit_step});
    } else if (opcode == "trap" || opcode == "brkpt") {
      builder.emit({.run = trap_step});
    } else if (opcode == "call") {
      add_call(builder);
    } else {
      return false;
    }
    return true;
  }

  // Whether one of the branch's ways leads back to it before the other lanes are met: going by the text's order, as
  // compilers lay loops out.
  [[nodiscard]] bool leaves_loop(std::uint32_t i) const {
    const std::uint32_t end_of_loop = meetings_[i];
    if (end_of_loop == kNowhere || end_of_loop <= i) return false;
    return std::any_of(flow_.begin() + i, flow_.begin() + end_of_loop, [&](const FlowItem& each) {
      return std::any_of(each.targets.begin(), each.targets.end(), [&](std::uint32_t to) { return to <= i; });
    });
  }

  void add_branch(Builder& builder, std::uint32_t i) {
    builder.emit({.run = builder.instruction().guard ? branch : branch_always, .flags = leaves_loop(i) ? 1U : 0U});
    context_.joints.branches.push_back({next_step() - 1, flow_[i].targets[0], meetings_[i]});
    branches_.push_back(context_.joints.branches.size() - 1);
  }

  void add_table(Builder& builder, std::uint32_t i) {
    auto table = std::make_shared<BranchTable>();
    builder.emit({.run = branch_table, .a = builder.source(0, Type::kU32), .detail = table.get()});
    context_.joints.table_details.emplace_back(next_step() - 1, table.get());
    context_.joints.tables.push_back({next_step() - 1, flow_[i].targets, meetings_[i]});
    tables_.push_back(context_.joints.tables.size() - 1);
    pool_.program.details.push_back(std::move(table));
  }

  // ---- calls

  static Argument argument(Builder& builder, const ptx::Operand& operand) {
    const auto symbol = operand.kind == ptx::OperandKind::kName ? builder.symbol(operand.name) : std::nullopt;
    if (symbol && symbol->kind == SymbolKind::kArea)
      return {symbol->area.slot, symbol->area.bytes, symbol->area.stride};
    if (symbol && symbol->kind == SymbolKind::kRegister && symbol->type != Type::kPredicate) {
      const std::uint32_t bytes = slot_bytes(lane_of(symbol->type)) / kLanes;
      return {symbol->slot, bytes, bytes};
    }
    constexpr std::uint32_t kWide = 8;
    return {builder.source(operand, Type::kU64), kWide, kWide};
  }

  void add_call(Builder& builder) {
    Call call;
    const auto& operands = builder.instruction().operands;
    std::size_t next = 0;
    if (operands[next].kind == ptx::OperandKind::kList) {
      for (const ptx::Operand& each : operands[next].parts) call.results.push_back(argument(builder, each));
      ++next;
    }
    const ptx::Operand& target = operands[next++];
    if (next < operands.size() && operands[next].kind == ptx::OperandKind::kList) {
      for (const ptx::Operand& each : operands[next].parts) call.arguments.push_back(argument(builder, each));
    }
    const auto symbol = builder.symbol(target.name);
    if (!symbol || (symbol->kind != SymbolKind::kFunction && symbol->kind != SymbolKind::kRegister)) {
      return builder.reject("'" + std::string(target.name) + "' is no function", "declare it before the call");
    }
    if (symbol->kind == SymbolKind::kFunction) {
      call.function = static_cast<std::uint32_t>(symbol->value);
      call.external = target.name;
    } else {
      call.function = Call::kIndirect;
      call.address = builder.source(target, Type::kU64);
    }
    const bool parts = call.function == Call::kIndirect || builder.instruction().guard.has_value();
    builder.emit({.run = call_step, .detail = builder.keep(std::move(call))});
    if (parts) builder.emit_uncounted({.run = join});
  }

  // Items to steps, now that all steps of this function are there.
  void fix() {
    const auto step = [&](std::uint32_t item) { return item == kNowhere ? kNowhere : step_of_[item]; };
    for (const std::size_t each : branches_) {
      BranchFix& branch_fix = context_.joints.branches[each];
      branch_fix.target = step(branch_fix.target);
      branch_fix.rejoin = step(branch_fix.rejoin);
    }
    for (const std::size_t each : tables_) {
      TableFix& table = context_.joints.tables[each];
      std::transform(table.targets.begin(), table.targets.end(), table.targets.begin(), step);
      table.rejoin = step(table.rejoin);
    }
  }

  Pool& pool_;
  Body& body_;
  std::uint32_t index_;
  const FunctionContext& context_;
  bool entry_;
  std::vector<FlowItem> flow_;
  std::vector<std::uint32_t> meetings_, step_of_;
  std::vector<bool> meets_here_, unread_;
  std::vector<std::size_t> branches_, tables_;
};

std::string_view before(std::string_view text, char end) {
  return text.substr(0, std::min(text.find(end), text.size()));
}

}  // namespace

Result<void> decode_function(Pool& pool, Body& body, std::uint32_t index, const FunctionContext& context) {
  return FunctionDecoder(pool, body, index, context).run();
}

void resolve(Program& program, Joints& joints) {
  const auto step = [&](std::uint32_t index) { return index == kNowhere ? nullptr : &program.steps[index]; };
  for (const BranchFix& each : joints.branches) {
    program.steps[each.step].target = step(each.target);
    program.steps[each.step].detail = step(each.rejoin);
  }
  for (std::size_t i = 0; i < joints.tables.size(); ++i) {
    BranchTable& table = *joints.table_details[i].second;
    for (const std::uint32_t target : joints.tables[i].targets) table.targets.push_back(step(target));
    table.rejoin = step(joints.tables[i].rejoin);
  }
}

bool names_kernel(std::string_view wanted, std::string_view symbol) {
  const std::string full = demangled(std::string(symbol));
  if (wanted == full) return true;
  std::string_view plain = full;
  if (plain.starts_with("void ")) plain.remove_prefix(5);
  plain = before(plain, '(');
  if (wanted == plain) return true;
  plain = before(plain, '<');
  if (wanted == plain) return true;
  const std::size_t space = plain.rfind("::");
  return space != std::string_view::npos && wanted == plain.substr(space + 2);
}

}  // namespace ridge::emulator
