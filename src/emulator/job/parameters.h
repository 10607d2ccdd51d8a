// What a kernel's parameters are: where their bytes lie, and what is known of what pointers point to.
//
// PTX declares a pointer as 64 bits; that it is one, and to what, shows where its value goes: into the address of a
// load, a store or an atomic. The search follows moves, conversions and sums of registers within the kernel, in the
// order of the text. A guess for people (a template, an error): nothing that is counted rests on it.
// Not modelled: pointers inside structures, through memory, through calls.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "emulator/job/element.h"
#include "emulator/ptx/module.h"
#include "ridgepoint/base/result.h"

namespace ridge::emulator {

inline constexpr std::uint32_t kMostParameterBytes = 32764;  ///< of a kernel from sm_70 on

struct Pointee {
  std::optional<ElementType> type;  ///< of the first access seen; none: not of a type that buffers have
  bool read = false, written = false;
};

struct Parameter {
  std::uint32_t bytes = 0;
  std::uint32_t alignment = 1;
  std::string_view type;           ///< "u32"; of a structure "b8"
  bool is_array = false;           ///< a structure passed by value
  std::optional<Pointee> pointee;  ///< absent: not seen to be a pointer
};

/// In order; an error for textures and the like, and for more than kMostParameterBytes.
[[nodiscard]] Result<std::vector<Parameter>> parameters_of(const ptx::Function& kernel);

/// "1: pointer to f32, read and written", for messages and templates.
[[nodiscard]] std::string described(const Parameter& parameter, std::size_t index);

}  // namespace ridge::emulator
