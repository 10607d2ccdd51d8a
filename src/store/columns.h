// Launches and spans by column: a profile has few kernels and many launches, and a column of a thousand equal or slowly
// growing numbers takes a byte or two a launch where a row would take a hundred.
//
// A column of integers is either one number for all (mode 0) or, item by item, the difference to the one before (mode
// 1). A column of Values is a column of first bytes (see archive.h) followed by, per item, the difference to the last
// whole number, the 8 bytes, or the number of the reason.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "store/archive.h"

namespace ridge::store {

/// Items of one chunk; a larger chunk saves little and must be read whole.
inline constexpr std::size_t kChunk = 4096;

[[nodiscard]] std::string encode_launches(std::span<const Launch> launches, TextTable& texts, TextTable& names);
[[nodiscard]] std::string encode_spans(std::span<const Span> spans, TextTable& texts, TextTable& names);

/// Appends `count` items; false if the bytes are damaged. At least one byte per item is required, so that a short chunk
/// cannot claim many items.
[[nodiscard]] bool decode_launches(Decoder& decoder, std::size_t count, std::vector<Launch>& launches);
[[nodiscard]] bool decode_spans(Decoder& decoder, std::size_t count, std::vector<Span>& spans);

}  // namespace ridge::store
