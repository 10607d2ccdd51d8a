// What the columns of launches, spans, samples and readings are made of: columns of integers and of Values (see
// columns.h), written and read item by item through a member.
//
// A decoder that fails yields zeros from there on; nothing here checks it but what would run for long.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "store/archive.h"
#include "store/columns.h"

namespace ridge::store {

using Numbers = std::vector<std::uint64_t>;

void put_numbers(Encoder& encoder, const Numbers& numbers);
[[nodiscard]] Numbers get_numbers(Decoder& decoder, std::size_t count);
/// The first byte of a Value as archive.h writes it.
[[nodiscard]] std::uint64_t tag_of(const Value<double>& value);
/// A Value whose first byte is `tag`; `last` is the whole number before it.
[[nodiscard]] Value<double> get_column_value(Decoder& decoder, std::uint64_t tag, std::int64_t& last);

template <class T, class Member>
void put_column(Encoder& encoder, std::span<const T> items, Member member) {
  Numbers numbers;
  numbers.reserve(items.size());
  for (const T& item : items) numbers.push_back(static_cast<std::uint64_t>(member(item)));
  put_numbers(encoder, numbers);
}

template <class T, class N>
void get_column(Decoder& decoder, std::span<T> items, N T::*member) {
  const Numbers numbers = get_numbers(decoder, items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    items[i].*member = static_cast<N>(numbers[i]);
    if (static_cast<std::uint64_t>(items[i].*member) != numbers[i]) decoder.set_failed();
  }
}

template <class T, class Member>
void put_value_column(Encoder& encoder, std::span<const T> items, Member member) {
  put_column(encoder, items, [&](const T& item) { return tag_of(member(item)); });
  std::int64_t last = 0;
  for (const T& item : items) {
    const Value<double> value = member(item);
    if (!value) {
      encoder.put_text(value.reason().text());
      continue;
    }
    const PackedDouble packed = pack(*value);
    if (packed.form == DoubleForm::kBits) {
      encoder.put_bits(*value);
    } else {
      encoder.put_varint(zigzag(packed.whole - last));  // both below 2^53: no overflow
      last = packed.whole;
    }
  }
}

template <class T, class Assign>
void get_value_column(Decoder& decoder, std::span<T> items, Assign assign) {
  const Numbers tags = get_numbers(decoder, items.size());
  std::int64_t last = 0;
  for (std::size_t i = 0; i < items.size() && !decoder.failed(); ++i) {
    assign(items[i], get_column_value(decoder, tags[i], last));
  }
}

template <class Q>
[[nodiscard]] Value<double> plain_value(const Value<Q>& value) {
  return transform(value, [](Q quantity) { return quantity.count(); });
}
template <class Q>
[[nodiscard]] Value<Q> quantity_value(const Value<double>& value) {
  return transform(value, [](double number) { return Q(number); });
}
/// Plain quantities share the column form; their provenance is not used.
[[nodiscard]] inline Value<double> certain(Seconds seconds) {
  return {seconds.count(), Provenance::kMeasured};
}

/// Makes room for `count` items at the end, if the bytes can hold them.
template <class T>
[[nodiscard]] std::span<T> append(Decoder& decoder, std::size_t count, std::vector<T>& items) {
  if (count > kChunk || count > decoder.remaining()) {
    decoder.set_failed();
    return {};
  }
  items.resize(items.size() + count);
  return std::span<T>(items).last(count);
}

}  // namespace ridge::store
