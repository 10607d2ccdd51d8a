// Which forms of the instruction table are emulated: every legal spelling of the families of lanes/ and scalar/ is
// decoded, with registers of whatever widths it takes.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "emulator/exec/decode.h"
#include "emulator/ptx/opcodes.h"
#include "emulator/ptx/parser.h"

namespace ridge::emulator {
namespace {

using Spellings = std::vector<std::string>;

/// Alternatives of one bracket: "(.a|.b)", "{.c}" (also none) or "$set".
Spellings alternatives(std::string_view part) {
  Spellings result;
  std::string_view inner = part;
  if (part.front() == '{') result.emplace_back();
  if (part.front() == '{' || part.front() == '(') inner = part.substr(1, part.size() - 2);
  while (!inner.empty()) {
    const std::size_t end = std::min(inner.find('|'), inner.size());
    const std::string_view one = inner.substr(0, end);
    inner.remove_prefix(std::min(end + 1, inner.size()));
    if (one.front() != '$') {
      result.emplace_back(one);
      continue;
    }
    for (const std::string_view each : ptx::members(one.substr(1))) result.push_back("." + std::string(each));
  }
  return result;
}

std::string_view next_part(std::string_view& notation) {
  std::size_t end = 0;
  if (notation.front() == '{' || notation.front() == '(') {
    end = notation.find(notation.front() == '{' ? '}' : ')') + 1;
  } else {
    end = std::min(notation.find_first_of("{(.$", 1), notation.size());
  }
  const std::string_view part = notation.substr(0, end);
  notation.remove_prefix(end);
  return part;
}

Spellings spellings(std::string_view notation) {
  Spellings all = {""};
  while (!notation.empty()) {
    const Spellings next = alternatives(next_part(notation));
    Spellings longer;
    for (const std::string& begin : all) {
      for (const std::string& end : next) longer.push_back(begin + end);
    }
    all = std::move(longer);
  }
  return all;
}

/// Operand codes, those that may be left out once with and once without.
std::vector<std::vector<std::string>> operand_lists(std::string_view notation) {
  std::string shorter, longer;
  for (std::size_t i = 0; i < notation.size(); ++i) {
    if (notation[i] == '{') {
      const std::size_t end = notation.find('}', i);
      longer += notation.substr(i + 1, end - i - 1);
      i = end;
      continue;
    }
    shorter += notation[i];
    longer += notation[i];
  }
  std::vector<std::vector<std::string>> lists;
  for (const std::string& text : std::set<std::string>{shorter, longer}) {
    lists.emplace_back();
    std::string code;
    for (const char each : text + ",") {
      if (each != ',') {
        code += each;
      } else if (!code.empty()) {
        lists.back().push_back(std::exchange(code, ""));
      }
    }
  }
  return lists;
}

/// Ways to write an operand: registers of each width first.
Spellings ways(const std::string& code, std::size_t n) {
  const std::string number = std::to_string(n);
  const Spellings registers = {"%w" + number, "%l" + number, "%q" + number, "%p" + number};
  if (code == "i") return {"1"};
  if (code == "p" || code == "q") return {"%p" + number};
  if (code == "v") return {"{%w10, %w11}", "{%w10, %w11, %w12, %w13}", "{%l10, %l11}", "{%l10, %l11, %l12, %l13}"};
  if (code != "*") return registers;
  Spellings any = registers;
  for (const char* each : {"{%w15, %w16}", "{%w15, %w16, %w17, %w18}", "{%l15, %l16}", "{%l15, %l16, %l17, %l18}"})
    any.push_back(each);
  return any;
}

enum class Verdict { kDecoded, kRefused, kRejected };

Verdict try_decode(const std::string& statement, std::string& why) {
  const std::string text =
      ".version 9.0\n.target sm_100a\n.address_size 64\n.visible .entry k() {\n  .reg .b32 %w<20>;\n  .reg .b64 "
      "%l<20>;\n  .reg .b128 %q<20>;\n  .reg .pred %p<20>;\n  " +
      statement + "\n  ret;\n}\n";
  auto module = ptx::parse(text);
  if (!module) {
    why = module.error().what;
    return Verdict::kRejected;
  }
  const auto program = decode(std::make_shared<const ptx::Module>(std::move(*module)), "k");
  if (program) return Verdict::kDecoded;
  why = program.error().what;
  return program.error().code == ErrorCode::kNotAvailable ? Verdict::kRefused : Verdict::kRejected;
}

/// Tries widths of registers until one is taken.
Verdict decode_any(const std::string& opcode, const std::vector<std::string>& codes, std::string& why) {
  std::vector<std::size_t> choice(codes.size(), 0);
  Verdict best = Verdict::kRejected;
  for (;;) {
    std::string statement = opcode;
    for (std::size_t i = 0; i < codes.size(); ++i) statement += (i == 0 ? " " : ", ") + ways(codes[i], i)[choice[i]];
    std::string reason;
    const Verdict verdict = try_decode(statement + ";", reason);
    if (verdict == Verdict::kDecoded) return verdict;
    if (verdict == Verdict::kRefused || why.empty()) why = statement + ": " + reason;
    if (verdict == Verdict::kRefused) best = verdict;
    std::size_t i = 0;
    while (i < codes.size() && ++choice[i] == ways(codes[i], i).size()) choice[i++] = 0;
    if (i == codes.size()) return best;
  }
}

bool is_ours(const ptx::Form& form) {
  switch (form.family) {
    case ptx::Family::kInteger:
    case ptx::Family::kFloat:
    case ptx::Family::kHalf:
    case ptx::Family::kCompare:
    case ptx::Family::kLogic:
    case ptx::Family::kVideo:
      return true;
    case ptx::Family::kMove:
      return form.opcode == "mov" || form.opcode == "prmt" || form.opcode == "cvt";
    default:
      return false;
  }
}

TEST(LaneCoverage, EveryFormIsEmulatedButThoseThatSayWhyNot) {
  std::size_t decoded = 0;
  std::map<std::string, std::string> refused, rejected;
  for (const ptx::Form& form : ptx::forms()) {
    if (!is_ours(form)) continue;
    for (const std::string& modifiers : spellings(form.modifiers)) {
      for (const auto& codes : operand_lists(form.operands)) {
        const std::string opcode = std::string(form.opcode) + modifiers;
        std::string why;
        const Verdict verdict = decode_any(opcode, codes, why);
        if (verdict == Verdict::kDecoded) ++decoded;
        if (verdict == Verdict::kRefused) refused[opcode] = why;
        if (verdict == Verdict::kRejected) rejected[opcode] = why;
      }
    }
  }
  for (const auto& [opcode, why] : rejected) ADD_FAILURE() << opcode << " is rejected: " << why;
  for (const auto& [opcode, why] : refused) {
    EXPECT_NE(opcode.find(".oob"), std::string::npos) << opcode << " is refused: " << why;
  }
  EXPECT_GT(decoded, 4000U);
  RecordProperty("decoded", static_cast<int>(decoded));
  RecordProperty("refused", static_cast<int>(refused.size()));
}

}  // namespace
}  // namespace ridge::emulator
