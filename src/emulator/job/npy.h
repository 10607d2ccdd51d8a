// Arrays as NumPy's .npy files hold them (format versions 1 to 3), from bytes and to bytes.
//
// Read: numbers and booleans of 1 to 8 bytes in C order, little- or big-endian; a raw "V2" of bfloat16 libraries as
// b16. Fortran order of more than one dimension, pickled objects, text, complex and structured types are errors.
// Written: version 1.0, little-endian; NumPy has no bf16, so those are written as f32, which holds them exactly, and
// bits as unsigned integers. Not here: files (the caller reads and writes them), .npz, memory maps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/job/element.h"
#include "ridgepoint/base/result.h"

namespace ridge::emulator {

struct NpyArray {
  ElementType type = ElementType::kF32;
  std::vector<std::uint64_t> shape;  ///< empty: a single number
  std::string bytes;                 ///< of the whole file; the elements are little-endian
  std::size_t offset = 0;            ///< where the elements begin in it

  [[nodiscard]] std::uint64_t count() const { return (bytes.size() - offset) / size_of(type); }
  [[nodiscard]] std::span<const std::byte> data() const {
    return std::as_bytes(std::span<const char>(bytes)).subspan(offset);
  }
};

/// Takes over the bytes of a file; `where` names it in errors.
[[nodiscard]] Result<NpyArray> parse_npy(std::string bytes, const std::string& where);

/// The bytes of a file. Precondition: `data` holds as many elements as `shape` says.
[[nodiscard]] std::string encode_npy(ElementType type, const std::vector<std::uint64_t>& shape,
                                     std::span<const std::byte> data);

}  // namespace ridge::emulator
