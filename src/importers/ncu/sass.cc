#include "importers/ncu/sass.h"

#include <algorithm>

namespace ridge::ncu {
namespace {

struct OpcodeCounter {
  std::string_view opcode, counter;
};
constexpr OpcodeCounter kCounters[] = {
    {"FADD", "fadd"},      {"FADD32I", "fadd"}, {"FMUL", "fmul"},      {"FMUL32I", "fmul"}, {"FFMA", "ffma"},
    {"FFMA32I", "ffma"},   {"DADD", "dadd"},    {"DMUL", "dmul"},      {"DFMA", "dfma"},    {"HADD2", "hadd"},
    {"HADD2_32I", "hadd"}, {"HMUL2", "hmul"},   {"HMUL2_32I", "hmul"}, {"HFMA2", "hfma"},   {"HFMA2_32I", "hfma"},
    {"FADD2", "fadd2"},    {"FMUL2", "fmul2"},  {"FFMA2", "ffma2"},
};

constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

}  // namespace

std::string_view sass_opcode(std::string_view line) {
  const auto skip_spaces = [&] {
    while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
  };
  skip_spaces();
  if (line.starts_with('@')) {
    line.remove_prefix(line.find(' ') == std::string_view::npos ? line.size() : line.find(' '));
    skip_spaces();
  }
  const std::size_t end = line.find_first_not_of(kLetters);
  if (end == std::string_view::npos) return line;
  const bool is_opcode = line[end] == '.' || line[end] == ' ' || line[end] == ';';
  return is_opcode ? line.substr(0, end) : std::string_view();
}

std::string_view counter_of_opcode(std::string_view opcode) {
  for (const OpcodeCounter& entry : kCounters) {
    if (entry.opcode == opcode) return entry.counter;
  }
  return {};
}

bool loads_constant(std::string_view line) {
  if (!sass_opcode(line).starts_with("HFMA2")) return false;
  const std::size_t first = line.find(',');
  if (first == std::string_view::npos) return false;
  std::size_t zeros = 0;
  // The two factors; "-RZ" and "RZ.H0_H0" are zero as well.
  std::string_view rest = line.substr(first + 1);
  for (int operand = 0; operand < 2; ++operand) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    zeros += rest.substr(0, end).find("RZ") != std::string_view::npos ? 1 : 0;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return zeros == 2;
}

bool is_matrix_opcode(std::string_view opcode) {
  // HMMA, IMMA, DMMA, BMMA, QMMA, OMMA; HGMMA, IGMMA, QGMMA, BGMMA; UTCHMMA, UTCIMMA, UTCQMMA, UTCOMMA.
  return opcode.ends_with("MMA") && opcode.size() >= 4 && opcode.size() <= 8;
}

bool ends_kernel(std::string_view opcode) {
  return opcode == "EXIT";
}

}  // namespace ridge::ncu
