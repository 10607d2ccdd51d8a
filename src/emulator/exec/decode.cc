#include "emulator/exec/decode.h"

#include <algorithm>
#include <set>
#include <unordered_set>

#include "emulator/exec/alignment.h"
#include "emulator/exec/control.h"
#include "emulator/exec/decode_function.h"
#include "emulator/exec/errors.h"
#include "emulator/exec/lanes/select.h"
#include "emulator/ptx/lexer.h"

namespace ridge::emulator {
namespace {

constexpr std::uint64_t kVariablesBegin = std::uint64_t{0x7E} << 40;  // where a module's variables lie
constexpr std::uint64_t kVariableAlignment = 256;
constexpr std::uint64_t kDynamicAlignment = 16;

// All names that the operands of a function mention: variables that nobody mentions take no shared memory.
void mention(const ptx::Operand& operand, std::unordered_set<std::string_view>& names) {
  if (!operand.name.empty()) names.insert(operand.name);
  for (const ptx::Operand& each : operand.parts) mention(each, names);
}

class Decoder {
 public:
  Decoder(std::shared_ptr<const ptx::Module> module, const DecodeOptions& options)
      : module_(*module), options_(options), symbols_(nullptr) {
    pool_.program.module = std::move(module);
  }

  Result<Program> run(const ptx::Function& entry) {
    RIDGE_TRY(declare_functions(entry));
    RIDGE_TRY(place_variables());
    RIDGE_TRY(lay_out_all());
    RIDGE_TRY(place_shared());
    place_parameters(entry);
    for (std::uint32_t i = 0; i < bodies_.size(); ++i) RIDGE_TRY(decode_function(pool_, bodies_[i], i, context()));
    return finish();
  }

 private:
  [[nodiscard]] FunctionContext context() { return {options_.skip_unsupported, lane_code(options_.lanes), joints_}; }

  // The entry is function 0; the others follow, those without a body as external.
  Result<void> declare_functions(const ptx::Function& entry) {
    order_.push_back(&entry);
    std::map<std::string_view, const ptx::Function*> by_name;
    for (const auto& item : module_.items) {
      const auto* function = std::get_if<ptx::Function>(&item);
      if (function == nullptr || function->entry) continue;
      const ptx::Function*& known = by_name[function->name];
      if (known == nullptr || function->body) known = function;
    }
    for (const auto& item : module_.items) {
      if (const auto* alias = std::get_if<ptx::Alias>(&item)) by_name[alias->name] = by_name[alias->target];
    }
    for (const auto& [name, function] : by_name) {
      if (function == nullptr) continue;
      Symbol symbol;
      symbol.kind = SymbolKind::kFunction;
      symbol.value = order_.size();
      RIDGE_TRY(symbols_.define(0, name, symbol, function->at));
      order_.push_back(function);
    }
    return {};
  }

  Result<void> place_variables() {
    std::uint64_t next = kVariablesBegin;
    for (const auto& item : module_.items) {
      const auto* variable = std::get_if<ptx::Variable>(&item);
      if (variable == nullptr) continue;
      if (variable->space == ptx::Space::kShared) {
        shared_.push_back({variable, kNowhere, 0});
        continue;
      }
      if (variable->space != ptx::Space::kGlobal && variable->space != ptx::Space::kConstant) continue;
      const auto extent = extent_of(*variable);
      if (!extent) return fail(extent.error());
      next = round_up(next, std::max<std::uint64_t>(extent->alignment, kVariableAlignment));
      RIDGE_TRY(place(*variable, next, extent->bytes));
      next += extent->bytes + kVariableAlignment;
    }
    return {};
  }

  Result<void> place(const ptx::Variable& variable, std::uint64_t address, std::uint64_t bytes) {
    Symbol symbol;
    symbol.kind = SymbolKind::kAddress;
    symbol.space = variable.space;
    symbol.value = address;
    pool_.program.variables.push_back({variable.name, variable.space, address, bytes, &variable});
    return symbols_.define(0, variable.name, symbol, variable.at);
  }

  // Bodies of what can be reached; a function without one keeps its number and cannot be called.
  Result<void> lay_out_all() {
    std::vector<bool> wanted(order_.size(), false);
    wanted[0] = true;
    note_tables(wanted);
    for (bool more = true; more;) {
      more = false;
      for (std::uint32_t i = 0; i < order_.size(); ++i) {
        if (!wanted[i] || laid_out_.contains(i) || !order_[i]->body) continue;
        laid_out_.insert(i);
        more = true;
        RIDGE_TRY(note_names(*order_[i]->body, wanted));
      }
    }
    bodies_.reserve(order_.size());
    for (std::uint32_t i = 0; i < order_.size(); ++i) {
      if (!laid_out_.contains(i)) {
        bodies_.emplace_back(&symbols_);
        bodies_.back().code.source = order_[i];
        continue;
      }
      auto body = lay_out(*order_[i], i, symbols_, shared_);
      if (!body) return fail(body.error());
      bodies_.push_back(std::move(*body));
    }
    return {};
  }

  Result<void> note_names(const ptx::Scope& scope, std::vector<bool>& wanted) {
    std::unordered_set<std::string_view> names;
    collect(scope, names);
    for (const std::string_view each : names) {
      const auto symbol = symbols_.find(0, each);
      if (symbol && symbol->kind == SymbolKind::kFunction) wanted[symbol->value] = true;
    }
    mentioned_.merge(names);
    return {};
  }

  // Functions whose addresses lie in variables can be called without being named.
  void note_tables(std::vector<bool>& wanted) const {
    for (const Placed& variable : pool_.program.variables) {
      for (const ptx::InitialValue& each : variable.variable->initial) {
        const auto symbol = each.symbol.empty() ? std::nullopt : symbols_.find(0, each.symbol);
        if (symbol && symbol->kind == SymbolKind::kFunction) wanted[symbol->value] = true;
      }
    }
  }

  void collect(const ptx::Scope& scope, std::unordered_set<std::string_view>& names) {
    for (const ptx::Statement& statement : scope.statements) {
      if (const auto* instruction = std::get_if<ptx::Instruction>(&statement)) {
        for (const ptx::Operand& each : instruction->operands) mention(each, names);
      } else if (const auto* inner = std::get_if<ptx::Scope>(&statement)) {
        collect(*inner, names);
      } else if (const auto* table = std::get_if<ptx::Table>(&statement)) {
        names.insert(table->targets.begin(), table->targets.end());
      }
    }
  }

  // Static variables first; those with an open dimension share what is asked for at launch.
  Result<void> place_shared() {
    std::uint64_t next = 0;
    for (const bool dynamic : {false, true}) {
      if (dynamic) next = round_up(next, kDynamicAlignment);
      for (const SharedVariable& each : shared_) {
        if (each.variable->open_dimension != dynamic || !mentioned_.contains(each.variable->name)) continue;
        const auto extent = extent_of(*each.variable);
        if (!extent) return fail(extent.error());
        next = round_up(next, extent->alignment);
        RIDGE_TRY(place_shared(each, next));
        next += extent->bytes;
        if (next > kMostShared) {
          return fail(ptx::error_at(each.variable->at, "more shared memory than any GPU has", "declare less of it"));
        }
      }
      if (!dynamic) pool_.program.static_shared = static_cast<std::uint32_t>(next);
    }
    return {};
  }

  Result<void> place_shared(const SharedVariable& shared, std::uint64_t offset) {
    if (shared.function == kNowhere) return place(*shared.variable, offset, 0);
    Symbol symbol;
    symbol.kind = SymbolKind::kAddress;
    symbol.space = ptx::Space::kShared;
    symbol.value = offset;
    return bodies_[shared.function].symbols.define(shared.scope, shared.variable->name, symbol, shared.variable->at);
  }

  void place_parameters(const ptx::Function& entry) {
    std::uint64_t next = 0;
    for (const ptx::Variable& each : entry.parameters) {
      const auto extent = extent_of(each);
      const MemoryExtent size = extent ? *extent : MemoryExtent{8, 8};
      next = round_up(next, size.alignment);
      Symbol symbol;
      symbol.kind = SymbolKind::kEntryParameter;
      symbol.space = ptx::Space::kParameter;
      symbol.value = next;
      // A name that stands twice was refused by the parser's own rules or is refused here by the first use.
      if (!bodies_[0].symbols.define(0, each.name, symbol, each.at)) continue;
      pool_.program.parameters.push_back(
          {each.name, static_cast<std::uint32_t>(next), static_cast<std::uint32_t>(size.bytes), &each});
      next += size.bytes;
    }
    pool_.program.parameter_bytes = static_cast<std::uint32_t>(next);
  }

  Result<Program> finish() {
    pool_.finish();
    Program& program = pool_.program;
    const auto uncounted = static_cast<std::uint32_t>(program.sites.size());
    for (Step& each : program.steps) {
      if (each.site == kNoSite) each.site = uncounted;
    }
    resolve(program, joints_);
    for (Body& each : bodies_) program.functions.push_back(std::move(each.code));
    return std::move(program);
  }

  const ptx::Module& module_;
  DecodeOptions options_;
  Pool pool_;
  Symbols symbols_;
  std::vector<const ptx::Function*> order_;
  std::set<std::uint32_t> laid_out_;
  std::vector<Body> bodies_;
  std::vector<SharedVariable> shared_;
  std::unordered_set<std::string_view> mentioned_;
  Joints joints_;
};

std::string listed(const std::vector<const ptx::Function*>& functions) {
  std::string text;
  constexpr std::size_t kShown = 8;
  for (std::size_t i = 0; i < functions.size() && i < kShown; ++i) {
    text += (i == 0 ? "" : ", ") + std::string(functions[i]->name);
  }
  return functions.size() > kShown ? text + ", ..." : text;
}

}  // namespace

Result<const ptx::Function*> find_entry(const ptx::Module& module, std::string_view name) {
  const auto all = ptx::entries(module);
  if (all.empty()) {
    return fail(bad_input("the module has no kernel", "", "give PTX with an .entry, made from a __global__ function"));
  }
  std::vector<const ptx::Function*> matching;
  for (const ptx::Function* each : all) {
    if (each->name == name) return each;
    if (name.empty() || names_kernel(name, each->name)) matching.push_back(each);
  }
  if (matching.size() == 1) return matching[0];
  if (matching.empty()) {
    return fail(usage_error("no kernel is named '" + std::string(name) + "'", "", "choose one of: " + listed(all)));
  }
  return fail(
      usage_error(name.empty() ? "the module has several kernels" : "several kernels match '" + std::string(name) + "'",
                  "", "name one of: " + listed(matching)));
}

Result<Program> decode(std::shared_ptr<const ptx::Module> module, std::string_view entry,
                       const DecodeOptions& options) {
  const auto function = find_entry(*module, entry);
  if (!function) return fail(function.error());
  return Decoder(std::move(module), options).run(**function);
}

}  // namespace ridge::emulator
