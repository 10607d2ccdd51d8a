#include <array>
#include <optional>

#include "store/column_parts.h"
#include "store/columns.h"

namespace ridge::store {

namespace {

constexpr std::array kAmounts = {&SampledWork::dram_read,    &SampledWork::dram_write,        &SampledWork::l2,
                                 &SampledWork::sm_active,    &SampledWork::warp_instructions, &SampledWork::occupancy,
                                 &SampledWork::tensor_active};

std::uint64_t present_amounts(const SampledWork& sampled) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < kAmounts.size(); ++i) {
    if (sampled.*kAmounts[i]) bits |= std::uint64_t{1} << i;
  }
  return bits;
}

template <class Q>
void put_quantities(Encoder& encoder, std::span<const Reading> readings, Value<Q> Reading::*member) {
  put_value_column(encoder, readings, [&](const Reading& reading) {
    if constexpr (std::is_same_v<Q, double>) {
      return reading.*member;
    } else {
      return plain_value(reading.*member);
    }
  });
}

template <class Q>
void get_quantities(Decoder& decoder, std::span<Reading> readings, Value<Q> Reading::*member) {
  get_value_column(decoder, readings, [&](Reading& reading, const Value<double>& value) {
    if constexpr (std::is_same_v<Q, double>) {
      reading.*member = value;
    } else {
      reading.*member = quantity_value<Q>(value);
    }
  });
}

}  // namespace

std::string encode_sampled(std::span<const SampledWork> sampled, TextTable& texts, TextTable& names) {
  Encoder encoder(texts, names);
  if (sampled.empty()) return {};
  put_column(encoder, sampled, present_amounts);
  for (const auto amount : kAmounts) {
    for (const SampledWork& item : sampled) {
      if (item.*amount) encoder.put_bits(*(item.*amount));
    }
  }
  for (const SampledWork& item : sampled) encoder.put_bits(item.uncertainty);
  return encoder.take();
}

bool decode_sampled(Decoder& decoder, std::size_t count, std::vector<SampledWork>& sampled) {
  const std::span<SampledWork> items = append(decoder, count, sampled);
  const Numbers present = get_numbers(decoder, items.size());
  for (const std::uint64_t bits : present) {
    if ((bits >> kAmounts.size()) != 0) decoder.set_failed();
  }
  for (std::size_t k = 0; k < kAmounts.size(); ++k) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (((present[i] >> k) & 1) != 0) items[i].*kAmounts[k] = decoder.get_float_bits();
    }
  }
  for (SampledWork& item : items) item.uncertainty = decoder.get_float_bits();
  return decoder.finished();
}

std::string encode_readings(std::span<const Reading> readings, TextTable& texts, TextTable& names) {
  Encoder encoder(texts, names);
  if (readings.empty()) return {};
  put_column(encoder, readings, [](const Reading& reading) { return reading.device; });
  put_value_column(encoder, readings, [](const Reading& reading) { return certain(reading.time); });
  put_quantities(encoder, readings, &Reading::sm_clock);
  put_quantities(encoder, readings, &Reading::memory_clock);
  put_quantities(encoder, readings, &Reading::watts);
  put_quantities(encoder, readings, &Reading::celsius);
  put_quantities(encoder, readings, &Reading::throttle_reasons);
  return encoder.take();
}

bool decode_readings(Decoder& decoder, std::size_t count, std::vector<Reading>& readings) {
  const std::span<Reading> items = append(decoder, count, readings);
  get_column(decoder, items, &Reading::device);
  get_value_column(decoder, items, [&](Reading& reading, const Value<double>& value) {
    if (!value) decoder.set_failed();
    reading.time = Seconds(value.value_or(0));
  });
  get_quantities(decoder, items, &Reading::sm_clock);
  get_quantities(decoder, items, &Reading::memory_clock);
  get_quantities(decoder, items, &Reading::watts);
  get_quantities(decoder, items, &Reading::celsius);
  get_quantities(decoder, items, &Reading::throttle_reasons);
  return decoder.finished();
}

}  // namespace ridge::store
