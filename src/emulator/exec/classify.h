// What one executed instruction of PTX counts as: floating-point instructions by class, the pipe it goes to, tensor
// work.
//
// Counted are the instructions that ptxas 13.0 makes of it for sm_90, as NVIDIA's counters class them
// (smsp__sass_thread_inst_executed_op_fadd, _fmul, _ffma, ...). Most are one for one. Those that it expands stand in a
// table in classify.cc, by the way that normal operands take; where not even that is known, `known` is false. f32
// minimum, maximum, comparison, absolute value, negation and conversion are no floating-point operations there, nor
// here.
//
// Left out, since only ptxas decides them: mul and add joined to fma (PTX without .rn asks for it), halves that are
// added or multiplied by fma, moves that vanish, integer multiplications that become shifts, address arithmetic on the
// uniform path.
#pragma once

#include <cstdint>
#include <optional>

#include "emulator/ptx/module.h"
#include "emulator/ptx/opcodes.h"
#include "ridgepoint/model/compute.h"

namespace ridge::emulator {

/// The unit that issues it. kNone: nothing is issued, or the front end does it.
enum class Pipe : std::uint8_t { kNone, kAlu, kFma, kFp64, kXu, kLsu, kBranch, kTensor, kTexture, kBulk, kControl };

/// Instructions of one class, each executed by every thread that executes the PTX instruction.
struct FloatingCounts {
  std::uint8_t add = 0, mul = 0, fma = 0;
};

struct TensorWork {
  ComputeKey key;
  double operations = 0;  ///< 2 m n k of one warp instruction; of wgmma a quarter of the warpgroup's
};

struct OpWork {
  Pipe pipe = Pipe::kNone;
  FloatingCounts fp32{}, fp64{};
  FloatingCounts fp16{};     ///< instructions, each on one or two halves
  bool known = true;         ///< false: it is expanded in a way that is not known; the counts are too low
  bool integer = false;      ///< counts as an integer instruction
  std::uint8_t special = 0;  ///< warp instructions on the XU pipe
  std::optional<TensorWork> tensor{};
};

[[nodiscard]] OpWork classify(const ptx::Instruction& instruction, const ptx::Form& form);

}  // namespace ridge::emulator
