// What an instruction counts as: FLOP by kind and unit, the pipe that runs it, and how many machine instructions the
// vendor's compiler makes of it.
//
// Where one PTX instruction is one machine instruction the figures are exact. ptxas expands some (division, square
// roots, reciprocals with rounding, wide integer products); for these a table says what they become, for the path that
// ordinary operands take. Not known and not modelled: what ptxas leaves out or merges (address arithmetic, moves,
// unused results), contraction of separate mul and add without a rounding, and spills. So thread instructions by
// floating-point kind are those of the machine, totals are those of the PTX.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "emulator/ptx/module.h"
#include "emulator/ptx/opcodes.h"
#include "ridgepoint/model/compute.h"

namespace ridge::emulator {

enum class Pipe : std::uint8_t {
  kNone,  ///< barriers, waits
  kAlu,   ///< integer, logic, comparisons, conversions between integers
  kFma,   ///< fp32 and integer multiply-add
  kHalf,  ///< packed halves
  kFp64,
  kXu,  ///< special functions, conversions with floating-point numbers
  kTensor,
  kLsu,  ///< loads, stores, atomics, shuffles
  kBranch,
};
[[nodiscard]] std::string_view name(Pipe pipe);

/// Thread instructions of one thread; of fractions none.
struct FloatingWork {
  double add = 0, mul = 0, fma = 0;
};

/// Of one execution: by thread for the three kinds of floating-point work, by warp for the rest.
struct OpWork {
  Pipe pipe = Pipe::kNone;
  FloatingWork fp32, fp64, half;  ///< packed halves count as one instruction on two values
  bool brain = false;             ///< the halves are bf16
  double half_width = 2;          ///< values an instruction on halves works on: 1 or 2
  bool integer = false;
  double special_functions = 0;     ///< instructions of the XU pipe
  double machine_instructions = 1;  ///< of which this one stands for
  std::optional<ComputeKey> tensor;
  double tensor_operations = 0;  ///< FLOP (or integer operations) of the warp
  bool expanded = false;         ///< by the table
};

[[nodiscard]] OpWork classify(const ptx::Instruction& instruction, const ptx::Form& form);

}  // namespace ridge::emulator
