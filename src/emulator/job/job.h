// One launch to be emulated: which kernel, its shape, its arguments and the memory behind them. What bind_job (bind.h)
// makes of a draft, and all that running needs to know.
//
// Arguments are the bytes of the kernel's parameters, one by one; where a pointer belongs there is a note of which
// buffer it points to, since only who runs the job knows addresses. Bytes are bytes, counts are elements.
// Not here: several launches, streams, textures and surfaces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "emulator/job/element.h"
#include "emulator/job/npy.h"
#include "emulator/ptx/module.h"
#include "ridgepoint/model/profile.h"

namespace ridge::emulator {

enum class InitialKind : std::uint8_t {
  kRandom,    ///< from [low, high), whole numbers in integer types; of bit types every bit
  kRamp,      ///< low, low + high, low + 2 high, ...: start and step; integers wrap
  kConstant,  ///< value
  kPoison,    ///< all bits set: a NaN in each floating type
  kArray,     ///< the elements of a file
};

struct Initial {
  InitialKind kind = InitialKind::kPoison;
  double low = 0, high = 0;
  std::uint64_t seed = 0;
  Number value;
  std::shared_ptr<const NpyArray> array;  ///< as many elements as the buffer has, of any type
};

/// What a buffer must hold after the launch: each element within tolerance * max(1, |expected|). A NaN equals a NaN, an
/// infinity that of the same sign.
struct Expectation {
  Number value;
  std::shared_ptr<const NpyArray> array;  ///< instead of `value`, unless empty
  double tolerance = 0;
};

struct Buffer {
  std::string name;  ///< "argument 2", "argument 3, field 1"
  ElementType type = ElementType::kF32;
  std::uint64_t count = 0;
  std::vector<std::uint64_t> shape;  ///< of the file it came from, for the one it is saved to; else {count}
  Initial initial;
  std::string save;  ///< path of a .npy file; empty: none
  std::optional<Expectation> expected;

  [[nodiscard]] std::uint64_t bytes() const { return count * size_of(type); }
};

struct Pointer {
  std::uint32_t offset = 0;  ///< in the parameter; 8 bytes
  std::uint32_t buffer = 0;  ///< index into Job::buffers
};

struct JobArgument {
  std::vector<std::byte> bytes;  ///< exactly the parameter's; zero where a pointer goes
  std::vector<Pointer> pointers;
};

struct Job {
  std::string kernel;                       ///< its name in the PTX
  const ptx::Function* function = nullptr;  ///< of the module that the job was bound to; never nullptr
  Dim3 grid, block;
  std::optional<Dim3> cluster;
  std::uint64_t dynamic_shared = 0;  ///< bytes
  std::vector<Buffer> buffers;
  std::vector<JobArgument> arguments;  ///< one for each parameter
};

}  // namespace ridge::emulator
