#include "store/column_parts.h"

namespace ridge::store {

namespace {

constexpr std::uint64_t kConstant = 0;
constexpr std::uint64_t kDifferences = 1;

/// The whole number after `last`; what lies beyond 2^53 was not written by the encoder.
std::int64_t next_whole(Decoder& decoder, std::int64_t last) {
  constexpr std::int64_t kLargest = std::int64_t{1} << 53;
  const std::int64_t difference = unzigzag(decoder.get_varint());
  if (difference > 2 * kLargest || difference < -2 * kLargest) decoder.set_failed();
  if (decoder.failed()) return 0;
  const std::int64_t whole = last + difference;
  if (whole > kLargest || whole < -kLargest) decoder.set_failed();
  return decoder.failed() ? 0 : whole;
}

}  // namespace

void put_numbers(Encoder& encoder, const Numbers& numbers) {
  const bool constant = std::adjacent_find(numbers.begin(), numbers.end(), std::not_equal_to<>()) == numbers.end();
  encoder.put_varint(constant ? kConstant : kDifferences);
  if (constant) return encoder.put_varint(numbers.front());
  std::uint64_t last = 0;
  for (const std::uint64_t number : numbers) {
    encoder.put_varint(zigzag(static_cast<std::int64_t>(number - last)));  // wraps around, as its inverse does
    last = number;
  }
}

Numbers get_numbers(Decoder& decoder, std::size_t count) {
  const std::uint64_t mode = decoder.get_varint();
  if (mode > kDifferences) decoder.set_failed();
  if (mode == kConstant) return Numbers(count, decoder.get_varint());
  Numbers numbers(count);
  std::uint64_t last = 0;
  for (std::uint64_t& number : numbers) {
    last += static_cast<std::uint64_t>(unzigzag(decoder.get_varint()));
    number = last;
  }
  return numbers;
}

std::uint64_t tag_of(const Value<double>& value) {
  if (!value) return kMissing;
  return static_cast<std::uint64_t>(value.provenance()) | static_cast<std::uint64_t>(pack(*value).form) << kFormShift;
}

Value<double> get_column_value(Decoder& decoder, std::uint64_t tag, std::int64_t& last) {
  const std::uint64_t form = tag >> kFormShift;
  const std::uint64_t provenance = tag & kMissing;
  if (tag == kMissing) return Value<double>::missing(Reason(decoder.get_text()));
  if (provenance == kMissing || form > static_cast<std::uint64_t>(DoubleForm::kNanosecondsOver)) {
    decoder.set_failed();
    return {};
  }
  if (form == static_cast<std::uint64_t>(DoubleForm::kBits)) {
    return {decoder.get_bits(), static_cast<Provenance>(provenance)};
  }
  last = next_whole(decoder, last);
  return {unpack(static_cast<DoubleForm>(form), last), static_cast<Provenance>(provenance)};
}

}  // namespace ridge::store
