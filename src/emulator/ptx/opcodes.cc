#include "emulator/ptx/opcodes.h"

#include <algorithm>
#include <array>
#include <string>

#include "emulator/ptx/lexer.h"
#include "emulator/ptx/printer.h"

namespace ridge::ptx {
namespace {

using Words = std::span<const std::string_view>;
constexpr std::size_t kShownAtMost = 16;

// "m64n*k*" against "m64n128k16".
bool fits(std::string_view pattern, std::string_view word) {
  while (!pattern.empty() && pattern.front() != '*') {
    if (word.empty() || word.front() != pattern.front()) return false;
    pattern.remove_prefix(1);
    word.remove_prefix(1);
  }
  if (pattern.empty()) return word.empty();
  const std::size_t digits = std::min(word.find_first_not_of("0123456789"), word.size());
  return digits > 0 && fits(pattern.substr(1), word.substr(digits));
}

bool in_set(std::string_view set, std::string_view word) {
  const auto names = members(set);
  return std::any_of(names.begin(), names.end(), [word](std::string_view each) { return fits(each, word); });
}

// How far the modifiers of an instruction went along any form, and what could have stood there.
struct Furthest {
  std::size_t words = 0;
  std::vector<std::string> expected;

  void note(std::size_t at, const std::string& what) {
    if (at < words) return;
    if (at > words) expected.clear();
    words = at;
    if (std::find(expected.begin(), expected.end(), what) == expected.end()) expected.push_back(what);
  }
};

// A form's modifiers against an instruction's, by trying what may stand at each place in turn.
class ModifierMatch {
 public:
  ModifierMatch(Words words, Furthest& furthest) : words_(words), furthest_(furthest) {}

  bool run(std::string_view pattern, std::size_t at) {
    if (pattern.empty()) {
      if (at == words_.size()) return true;
      furthest_.note(at, "the end");
      return false;
    }
    const char first = pattern.front();
    if (first == '(' || first == '{') {
      const std::size_t end = pattern.find(first == '(' ? ')' : '}');
      const std::string_view rest = pattern.substr(end + 1);
      return any_of(pattern.substr(1, end - 1), rest, at) || (first == '{' && run(rest, at));
    }
    const std::size_t end = std::min(pattern.find_first_of(".({$", 1), pattern.size());
    return sequence(pattern.substr(0, end), pattern.substr(end), at);
  }

 private:
  bool any_of(std::string_view alternatives, std::string_view rest, std::size_t at) {
    while (!alternatives.empty()) {
      const std::size_t end = std::min(alternatives.find('|'), alternatives.size());
      if (sequence(alternatives.substr(0, end), rest, at)) return true;
      alternatives.remove_prefix(std::min(end + 1, alternatives.size()));
    }
    return false;
  }

  // ".a.b" or "$set", then the rest of the form.
  bool sequence(std::string_view wanted, std::string_view rest, std::size_t at) {
    while (!wanted.empty()) {
      const bool set = wanted.front() == '$';
      const std::size_t end = std::min(wanted.find_first_of(".$", 1), wanted.size());
      const std::string_view name = wanted.substr(1, end - 1);
      if (at == words_.size() || !(set ? in_set(name, words_[at]) : name == words_[at])) {
        expect(set, name, at);
        return false;
      }
      ++at;
      wanted.remove_prefix(end);
    }
    return run(rest, at);
  }

  void expect(bool set, std::string_view name, std::size_t at) {
    if (!set) return furthest_.note(at, "." + std::string(name));
    for (const std::string_view each : members(name)) furthest_.note(at, "." + std::string(each));
  }

  Words words_;
  Furthest& furthest_;
};

bool is_plain_name(const Operand& operand) {
  return operand.kind == OperandKind::kName && !operand.negated && !operand.minus && operand.offset == 0;
}
bool is_destination(const Operand& operand) {
  return is_plain_name(operand) || operand.kind == OperandKind::kSink;
}
bool is_source(const Operand& operand) {
  switch (operand.kind) {
    case OperandKind::kName:
      return !operand.negated && !operand.minus;
    case OperandKind::kInteger:
    case OperandKind::kFloat32:
    case OperandKind::kFloat64:
      return true;
    default:
      return false;
  }
}

bool fits_operand(std::string_view code, const Operand& operand) {
  const OperandKind kind = operand.kind;
  if (code == "*") return true;
  if (code == "d" || code == "p") return is_destination(operand);
  if (code == "a") return is_source(operand);
  if (code == "q") return (kind == OperandKind::kName && !operand.minus) || kind == OperandKind::kInteger;
  if (code == "i") return kind == OperandKind::kInteger;
  if (code == "m") return kind == OperandKind::kAddress;
  if (code == "v") return kind == OperandKind::kVector;
  if (code == "dv") return kind == OperandKind::kVector || is_destination(operand);
  if (code == "av") return kind == OperandKind::kVector || is_source(operand);
  if (code == "()") return kind == OperandKind::kList;
  if (code == "d|p") {
    if (kind != OperandKind::kPair) return is_destination(operand);
    return std::all_of(operand.parts.begin(), operand.parts.end(), is_destination);
  }
  return is_plain_name(operand);  // l, f, t
}

// What ptxas accepts in any order, and libraries write in any: how atomics are ordered, for whom, and where.
std::vector<std::string_view> in_usual_order(const Instruction& instruction) {
  std::vector<std::string_view> words = instruction.modifiers;
  if (instruction.opcode != "atom" && instruction.opcode != "red") return words;
  if (!words.empty() && words.front() == "async") return words;
  const auto rank = [](std::string_view word) {
    return in_set("semantics", word) ? 0 : in_set("scope", word) ? 1 : in_set("atomic_space", word) ? 2 : 3;
  };
  std::stable_sort(words.begin(), words.end(), [&](auto a, auto b) { return rank(a) < rank(b); });
  return words;
}

struct Slot {
  std::string_view code;
  bool optional = false;
};

// "d,a{,a}" and "{(),}f": one slot an operand.
std::vector<Slot> slots_of(std::string_view operands) {
  std::vector<Slot> slots;
  bool optional = false;
  while (!operands.empty()) {
    const char first = operands.front();
    if (first == '{' || first == '}') optional = first == '{';
    if (first == '{' || first == '}' || first == ',') {
      operands.remove_prefix(1);
      continue;
    }
    const std::size_t end = std::min(operands.find_first_of("{},"), operands.size());
    slots.push_back({operands.substr(0, end), optional});
    operands.remove_prefix(end);
  }
  return slots;
}

bool fit(std::span<const Slot> slots, std::span<const Operand> operands) {
  if (slots.empty()) return operands.empty();
  const bool taken =
      !operands.empty() && fits_operand(slots[0].code, operands[0]) && fit(slots.subspan(1), operands.subspan(1));
  return taken || (slots[0].optional && fit(slots.subspan(1), operands));
}

std::string spelled(std::string_view opcode, Words modifiers) {
  std::string text(opcode);
  for (const std::string_view each : modifiers) text.append(".").append(each);
  return text;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size() && i < kShownAtMost; ++i) text += (i == 0 ? "" : ", ") + words[i];
  return words.size() > kShownAtMost ? text + ", ..." : text;
}

Error wrong_modifier(const Instruction& instruction, Words words, const Furthest& furthest) {
  const std::string before = spelled(instruction.opcode, words.first(furthest.words));
  const bool at_end = furthest.words == words.size();
  std::string what = at_end ? "'" + before + "' is not complete"
                            : "'." + std::string(words[furthest.words]) + "' cannot follow '" + before + "'";
  return error_at(instruction.at, std::move(what), "PTX allows there: " + joined(furthest.expected));
}

}  // namespace

std::string_view name(Family family) {
  constexpr std::array<std::string_view, 16> kNames = {"integer", "float",   "half",   "compare", "logic",   "move",
                                                       "memory",  "async",   "matrix", "control", "barrier", "warp",
                                                       "atomic",  "texture", "video",  "other"};
  return kNames[static_cast<std::size_t>(family)];
}

Result<const Form*> match(const Instruction& instruction) {
  Furthest furthest;
  const Form* modifiers_fit = nullptr;
  const std::vector<std::string_view> words = in_usual_order(instruction);
  bool known = false;
  for (const Form& form : forms()) {
    if (form.opcode != instruction.opcode) continue;
    known = true;
    if (!ModifierMatch(words, furthest).run(form.modifiers, 0)) continue;
    modifiers_fit = &form;
    if (fit(slots_of(form.operands), instruction.operands)) return &form;
  }
  if (!known) {
    return fail(error_at(instruction.at, "PTX has no instruction '" + std::string(instruction.opcode) + "'",
                         "check the spelling; the reference lists what is known"));
  }
  if (modifiers_fit == nullptr) return fail(wrong_modifier(instruction, words, furthest));
  return fail(error_at(instruction.at, "the operands of '" + print(instruction) + "' do not fit it",
                       "'" + spelled(instruction) + "' takes " + std::string(modifiers_fit->operands)));
}

}  // namespace ridge::ptx
