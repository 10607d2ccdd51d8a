// Quantities as people write them: "30TFLOP/s", "900 GB/s", "1.98GHz", "0.477ms", "24GiB", "6.4 Gbit/s", "0.25 FLOP/B".
//
// k/K, M, G, T, P, E are powers of 1000; Ki, Mi, Gi, Ti powers of 1024 (bytes only); m, u, n powers of 1/1000 (seconds
// only). FLOPS, OPS, TOPS mean per second, FLOP and OP an amount. An unknown unit is an error that names it, never a
// factor of one. Not accepted: thousands separators, a decimal comma, bits other than as a rate.
#pragma once

#include <string_view>

#include "ridgepoint/base/result.h"
#include "ridgepoint/base/units.h"

namespace ridge {

enum class Dimension : unsigned char {
  kNumber,
  kBytes,
  kFlops,
  kSeconds,
  kHertz,
  kBytesPerSecond,
  kBitsPerSecond,
  kFlopsPerSecond,
  kFlopsPerByte,
};
/// "a plain number", "bytes", ... as it fits into "expected ...".
[[nodiscard]] std::string_view name(Dimension dimension);

struct ParsedQuantity {
  double value = 0;  ///< in the base unit of its dimension
  Dimension dimension = Dimension::kNumber;
};

/// Any of the dimensions. `where` names the option or file position for the error.
[[nodiscard]] Result<ParsedQuantity> parse_quantity(std::string_view text, std::string_view where);
/// The base-unit number of a quantity that must have `dimension`.
[[nodiscard]] Result<double> parse_quantity_of(Dimension dimension, std::string_view text, std::string_view where);

[[nodiscard]] Result<Bytes> parse_bytes(std::string_view text, std::string_view where);
[[nodiscard]] Result<Flops> parse_flops(std::string_view text, std::string_view where);
[[nodiscard]] Result<Seconds> parse_seconds(std::string_view text, std::string_view where);
[[nodiscard]] Result<Hertz> parse_hertz(std::string_view text, std::string_view where);
[[nodiscard]] Result<BytesPerSecond> parse_bytes_per_second(std::string_view text, std::string_view where);
[[nodiscard]] Result<FlopsPerSecond> parse_flops_per_second(std::string_view text, std::string_view where);
[[nodiscard]] Result<FlopsPerByte> parse_flops_per_byte(std::string_view text, std::string_view where);

}  // namespace ridge
