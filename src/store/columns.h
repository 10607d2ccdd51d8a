// Launches, spans, sampled amounts and readings by column: a profile has few kernels and many launches, and a column of
// a thousand equal or slowly growing numbers takes a byte or two a launch where a row would take a hundred.
//
// A column of integers is either one number for all (mode 0) or, item by item, the difference to the one before (mode
// 1). A column of Values is a column of first bytes (see archive.h) followed by, per item, the difference to the last
// whole number, the 8 bytes, or the number of the reason. Sampled amounts are a column of bits that say which of them
// are there, and then those, 4 bytes each.
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
[[nodiscard]] std::string encode_sampled(std::span<const SampledWork> sampled, TextTable& texts, TextTable& names);
[[nodiscard]] std::string encode_readings(std::span<const Reading> readings, TextTable& texts, TextTable& names);

/// Appends `count` items; false if the bytes are damaged. At least one byte per item is required, so that a short chunk
/// cannot claim many items. `version` is the file's schema version.
[[nodiscard]] bool decode_launches(Decoder& decoder, std::size_t count, std::vector<Launch>& launches,
                                   std::int64_t version);
[[nodiscard]] bool decode_spans(Decoder& decoder, std::size_t count, std::vector<Span>& spans);
[[nodiscard]] bool decode_sampled(Decoder& decoder, std::size_t count, std::vector<SampledWork>& sampled);
[[nodiscard]] bool decode_readings(Decoder& decoder, std::size_t count, std::vector<Reading>& readings);

}  // namespace ridge::store
