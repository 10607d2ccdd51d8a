#include "emulator/ptx/reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "emulator/ptx/opcodes.h"

namespace ridge::ptx {
namespace {

constexpr std::string_view kHead = R"(<!-- generated: RIDGE_WRITE_REFERENCE=1 build/release/bin/emulator_test -->
# Instructions of PTX

What `ridge` takes for legal PTX, one row a form; an instruction that has none of these forms is an error that says the line
and what could have stood there. The front end knows the syntax of PTX ISA 6.0 to 9.0. It does not know since which version
and target a form is there, nor what only ptxas rejects.

Modifiers: `.f32` must stand there, `(.a|.b)` one of these must, `{.a|.b}` one of these may, `$set` a member of a set listed
below. Operands: `d` destination register, `p` destination predicate, `d|p` a register and maybe a predicate, `a` source
(register, symbol or constant), `q` source predicate, `i` constant, `m` address, `v` vector, `dv` and `av` vector or single
register, `l` label, `f` function, `t` table of labels, `()` list of a call, `*` anything; in braces: may be left out.
)";

std::string in_cell(std::string_view text) {
  std::string cell;
  for (const char c : text) {
    if (c == '|') cell += '\\';
    cell += c;
  }
  return cell.empty() ? "" : "`" + cell + "`";
}

std::string row(const Form& form) {
  const std::string modifiers = std::string(form.opcode) + std::string(form.modifiers);
  return fmt::format("| {} | {} |\n", in_cell(modifiers), in_cell(form.operands));
}

}  // namespace

std::string opcode_reference() {
  std::string page(kHead);
  std::vector<Family> seen;
  for (const Form& first : forms()) {
    if (std::find(seen.begin(), seen.end(), first.family) != seen.end()) continue;
    seen.push_back(first.family);
    page += fmt::format("\n## {}\n\n| form | operands |\n|---|---|\n", name(first.family));
    for (const Form& form : forms()) {
      if (form.family == first.family) page += row(form);
    }
  }
  page += "\n## Sets\n\n| set | members |\n|---|---|\n";
  for (const ModifierSet& set : sets()) {
    std::string list;
    for (const std::string_view each : set.members) list += fmt::format("{}`.{}`", list.empty() ? "" : " ", each);
    page += fmt::format("| `${}` | {} |\n", set.name, list);
  }
  return page;
}

}  // namespace ridge::ptx
