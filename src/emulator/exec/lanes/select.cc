#include "emulator/exec/lanes/select.h"

#include <array>

namespace ridge::emulator {
namespace {

struct Candidate {
  const LaneCode& (*code)();
  bool runs_here = false;
};

// Widest first.
std::array<Candidate, 3> candidates() {
  __builtin_cpu_init();
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
  const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  return {{{avx512::lane_code, avx512}, {avx2::lane_code, avx2}, {portable::lane_code, true}}};
}

}  // namespace

const LaneCode& lane_code(std::string_view wanted) {
  for (const Candidate& each : candidates()) {
    if (each.runs_here && (wanted.empty() || each.code().name == wanted)) return each.code();
  }
  return portable::lane_code();
}

}  // namespace ridge::emulator
