#include "emulator/exec/lanes/lanes_rig.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "emulator/exec/matrix/matrix_rig.h"
#include "emulator/number/host.h"

namespace ridge::emulator::testing {
namespace {

constexpr std::uint32_t kThreads = 1024;
constexpr std::uint64_t kUntouched = 0x5a5a5a5a;

std::uint64_t ones(char letter) {
  switch (letter) {
    case 'p':
      return 1;
    case 'h':
      return 0xffff;
    case 'w':
      return 0xffffffff;
    default:
      return ~std::uint64_t{0};
  }
}

/// Numbers at which things change, of integers and of every format that fits.
std::vector<std::uint64_t> edges(char letter) {
  std::vector<std::uint64_t> values = {0,  1,  2,  3,   7,   8,   15,  16,     31,    32,
                                       33, 63, 64, 127, 128, 255, 256, 0x7fff, 0x8000};
  for (const std::uint64_t each : {std::uint64_t{0x80000000}, std::uint64_t{1} << 63, std::uint64_t{1} << 32}) {
    for (int near = -2; near <= 2; ++near) values.push_back(each + static_cast<std::uint64_t>(near));
  }
  for (std::uint64_t each = 1; each < 5; ++each) values.push_back(~each + 1);
  const auto add = [&](const number::Format& format) {
    for (const std::uint64_t each : number::testing::directed(format)) values.push_back(each);
  };
  if (letter == 'l') add(number::kF64);
  if (letter == 'l' || letter == 'w') add(number::kF32);
  add(number::kF16);
  add(number::kBf16);
  if (letter == 'w') {  // whole and half numbers, around the ends of integers
    for (const float each : {0.5F, 1.5F, 2.5F, -0.5F, -1.5F, 255.5F, 65535.5F, 2147483648.0F, 4294967296.0F,
                             -2147483648.0F, 9223372036854775808.0F, 18446744073709551616.0F}) {
      values.push_back(std::bit_cast<std::uint32_t>(each));
    }
  }
  if (letter == 'l') {
    for (const double each : {0.5, 1.5, -0.5, -2.5, 127.5, 65535.5, 2147483647.5, 4294967295.5, -2147483648.5, 9.2e18,
                              18446744073709551616.0, -9223372036854775808.0}) {
      values.push_back(std::bit_cast<std::uint64_t>(each));
    }
  }
  for (std::uint64_t& each : values) each &= ones(letter);
  return values;
}

class Operands {
 public:
  /// Of one thread: edges and random bits, and now and then one near the one before.
  Words next(std::string_view letters) {
    Words words;
    for (const char letter : letters) {
      auto& values = edges_[letter];
      if (values.empty()) values = edges(letter);
      const std::uint64_t kind = random_() % 4;
      std::uint64_t value = kind < 2 ? values[random_() % values.size()] : random_();
      if (kind == 3 && !words.empty()) value = words.back() + random_() % 3 - 1;
      words.push_back(value & ones(letter));
    }
    return words;
  }

 private:
  std::mt19937_64 random_{20261130};
  std::map<char, std::vector<std::uint64_t>> edges_;
};

std::string register_of(char letter, std::size_t n, char name) {
  return letter == 'p' ? "%q" + std::to_string(n) : std::string("%") + name + "0";
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

/// The instruction with its operands, under a guard.
std::string statement(std::string_view instruction, const std::vector<std::string>& operands, std::string_view guard) {
  std::string text(instruction);
  if (text.find("$0") == std::string::npos) {
    text = "$g " + text;
    for (std::size_t n = 0; n < operands.size(); ++n) text += (n == 0 ? " $" : ", $") + std::to_string(n);
    text += ";";
  }
  for (std::size_t n = 0; n < operands.size(); ++n) text = replaced(text, "$" + std::to_string(n), operands[n]);
  return "  " + replaced(text, "$g", guard) + "\n";
}

Rig rig_of(std::string_view instruction, std::string_view shape) {
  Rig rig;
  rig.threads = kThreads;
  rig.declarations = "  .reg .pred %q<10>;\n  .reg .b32 %odd;\n";
  std::vector<std::string> operands = {""};
  std::string before;
  for (std::size_t n = 1; n < shape.size(); ++n) {
    const auto name = static_cast<char>('a' + n);
    rig.in.push_back({std::string(1, name), 1, shape[n] == 'l'});
    if (shape[n] == 'p') before += "  setp.ne.u32 %q" + std::to_string(n) + ", %" + std::string(1, name) + "0, 0;\n";
    operands.push_back(register_of(shape[n], n, name));
  }
  const bool wide = shape[0] == 'l';
  rig.out = {{"x", 1, wide}, {"y", 1, wide}};
  const std::string untouched = std::string(wide ? "  mov.b64 " : "  mov.b32 ");
  rig.body = before + "  and.b32 %odd, %thread, 1;\n  setp.ne.u32 %q9, %odd, 0;\n";
  const auto add = [&](char name, std::string_view guard) {
    operands[0] = register_of(shape[0], 0, name);
    if (shape[0] == 'p') rig.body += "  setp.ne.u32 %q0, 0, 0;\n";
    if (shape[0] != 'p') rig.body += untouched + operands[0] + ", " + std::to_string(kUntouched) + ";\n";
    rig.body += statement(instruction, operands, guard);
    if (shape[0] == 'p') rig.body += "  selp.b32 %" + std::string(1, name) + "0, 1, 0, %q0;\n";
  };
  add('x', "");
  add('y', "@%q9");
  return rig;
}

std::string hex(std::uint64_t value) {
  return fmt::format("{:x}", value);
}

void expect_on(const Rig& rig, std::string_view instruction, std::string_view shape, const std::vector<Words>& in,
               const Expected& expected) {
  const RigResult result = run(rig, in);
  ASSERT_EQ(result.error, "") << instruction;
  ASSERT_EQ(result.out.size(), in.size()) << instruction;
  const std::uint64_t untouched = shape[0] == 'p' ? 0 : kUntouched;
  for (std::size_t thread = 0; thread < in.size(); ++thread) {
    Bits bits{};
    std::copy(in[thread].begin(), in[thread].end(), bits.begin());
    const std::uint64_t wanted = expected(bits), second = thread % 2 == 1 ? wanted : untouched;
    const Words& got = result.out[thread];
    if (got[0] == wanted && got[1] == second) continue;
    std::string operands;
    for (const std::uint64_t each : in[thread]) operands += " " + hex(each);
    FAIL() << rig.lanes << ": " << instruction << " of" << operands << " is " << hex(got[0]) << ", wanted "
           << hex(wanted) << "; under the guard " << hex(got[1]) << ", wanted " << hex(second);
  }
}

}  // namespace

void expect_instruction(std::string_view instruction, std::string_view shape, const Expected& expected) {
  Rig rig = rig_of(instruction, shape);
  Operands operands;
  std::vector<Words> in;
  for (std::uint32_t i = 0; i < kThreads; ++i) in.push_back(operands.next(shape.substr(1)));
  for (const std::string& each : instruction_sets()) {
    rig.lanes = each;
    expect_on(rig, instruction, shape, in, expected);
  }
}

std::vector<std::uint64_t> results_of(std::string_view instruction, std::string_view shape, const Bits& operands) {
  Rig rig = rig_of(instruction, shape);
  rig.threads = 32;
  const Words words(operands.begin(), operands.begin() + static_cast<std::ptrdiff_t>(shape.size()) - 1);
  std::vector<std::uint64_t> results;
  for (const std::string& each : instruction_sets()) {
    rig.lanes = each;
    const RigResult result = run(rig, std::vector<Words>(rig.threads, words));
    EXPECT_EQ(result.error, "") << instruction;
    results.push_back(result.out.empty() ? 0 : result.out[0][0]);
  }
  return results;
}

std::string error_of(std::string_view instruction, std::string_view shape) {
  Rig rig = rig_of(instruction, shape);
  rig.threads = 32;
  return run(rig, std::vector<Words>(rig.threads, Words(shape.size() - 1, 0))).error;
}

}  // namespace ridge::emulator::testing
