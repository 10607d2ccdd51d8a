#include "store/columns.h"

#include <algorithm>
#include <limits>

namespace ridge::store {

namespace {

constexpr std::uint64_t kConstant = 0;
constexpr std::uint64_t kDifferences = 1;

using Numbers = std::vector<std::uint64_t>;

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

/// The first byte of a Value as archive.h writes it.
std::uint64_t tag_of(const Value<double>& value) {
  if (!value) return kMissing;
  return static_cast<std::uint64_t>(value.provenance()) | static_cast<std::uint64_t>(pack(*value).form) << kFormShift;
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

Value<double> get_value(Decoder& decoder, std::uint64_t tag, std::int64_t& last) {
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

template <class T, class Assign>
void get_value_column(Decoder& decoder, std::span<T> items, Assign assign) {
  const Numbers tags = get_numbers(decoder, items.size());
  std::int64_t last = 0;
  for (std::size_t i = 0; i < items.size() && !decoder.failed(); ++i) {
    assign(items[i], get_value(decoder, tags[i], last));
  }
}

template <class Q>
Value<double> plain_value(const Value<Q>& value) {
  return transform(value, [](Q quantity) { return quantity.count(); });
}
template <class Q>
Value<Q> quantity_value(const Value<double>& value) {
  return transform(value, [](double number) { return Q(number); });
}
/// Plain quantities share the column form; their provenance is not used.
Value<double> certain(Seconds seconds) {
  return {seconds.count(), Provenance::kMeasured};
}

/// A launch without a measurement is 0, the measurement n is n + 1.
std::uint64_t measurement_number(const Launch& launch) {
  return launch.measurement ? std::uint64_t{*launch.measurement} + 1 : 0;
}

/// The column that always differs, so that each item takes at least a byte.
void put_source_ids(Encoder& encoder, std::span<const Launch> launches) {
  std::uint64_t last = 0;
  for (const Launch& launch : launches) {
    encoder.put_varint(zigzag(static_cast<std::int64_t>(launch.source_id - last)));
    last = launch.source_id;
  }
}

void get_source_ids(Decoder& decoder, std::span<Launch> launches) {
  std::uint64_t last = 0;
  for (Launch& launch : launches) {
    last += static_cast<std::uint64_t>(unzigzag(decoder.get_varint()));
    launch.source_id = last;
  }
}

void get_measurements(Decoder& decoder, std::span<Launch> launches) {
  const Numbers numbers = get_numbers(decoder, launches.size());
  for (std::size_t i = 0; i < launches.size(); ++i) {
    if (numbers[i] == 0) continue;
    if (numbers[i] - 1 > std::numeric_limits<std::uint32_t>::max()) decoder.set_failed();
    launches[i].measurement = static_cast<std::uint32_t>(numbers[i] - 1);
  }
}

/// Makes room for `count` items at the end, if the bytes can hold them.
template <class T>
std::span<T> append(Decoder& decoder, std::size_t count, std::vector<T>& items) {
  if (count > kChunk || count > decoder.remaining()) {
    decoder.set_failed();
    return {};
  }
  items.resize(items.size() + count);
  return std::span<T>(items).last(count);
}

}  // namespace

std::string encode_launches(std::span<const Launch> launches, TextTable& texts, TextTable& names) {
  Encoder encoder(texts, names);
  if (launches.empty()) return {};
  put_source_ids(encoder, launches);
  put_column(encoder, launches, [](const Launch& launch) { return launch.kernel; });
  put_column(encoder, launches, [](const Launch& launch) { return launch.configuration; });
  put_column(encoder, launches, [](const Launch& launch) { return launch.device; });
  put_column(encoder, launches, measurement_number);
  put_column(encoder, launches, [](const Launch& launch) { return launch.process_id; });
  put_column(encoder, launches, [](const Launch& launch) { return launch.context; });
  put_column(encoder, launches, [](const Launch& launch) { return launch.stream; });
  put_value_column(encoder, launches, [](const Launch& launch) { return plain_value(launch.start); });
  put_value_column(encoder, launches, [](const Launch& launch) { return plain_value(launch.duration); });
  return encoder.take();
}

bool decode_launches(Decoder& decoder, std::size_t count, std::vector<Launch>& launches) {
  const std::span<Launch> items = append(decoder, count, launches);
  get_source_ids(decoder, items);
  get_column(decoder, items, &Launch::kernel);
  get_column(decoder, items, &Launch::configuration);
  get_column(decoder, items, &Launch::device);
  get_measurements(decoder, items);
  get_column(decoder, items, &Launch::process_id);
  get_column(decoder, items, &Launch::context);
  get_column(decoder, items, &Launch::stream);
  get_value_column(decoder, items,
                   [](Launch& launch, const Value<double>& value) { launch.start = quantity_value<Seconds>(value); });
  get_value_column(decoder, items, [](Launch& launch, const Value<double>& value) {
    launch.duration = quantity_value<Seconds>(value);
  });
  return decoder.finished();
}

std::string encode_spans(std::span<const Span> spans, TextTable& texts, TextTable& names) {
  Encoder encoder(texts, names);
  if (spans.empty()) return {};
  put_column(encoder, spans, [](const Span& span) { return span.kind; });
  put_column(encoder, spans, [&](const Span& span) { return texts.number(span.name); });
  put_value_column(encoder, spans, [](const Span& span) { return certain(span.start); });
  put_value_column(encoder, spans, [](const Span& span) { return certain(span.duration); });
  put_column(encoder, spans, [](const Span& span) { return span.process_id; });
  put_column(encoder, spans, [](const Span& span) { return span.thread_id; });
  put_column(encoder, spans, [](const Span& span) { return span.stream; });
  put_column(encoder, spans, [](const Span& span) { return span.device; });
  put_value_column(encoder, spans, [](const Span& span) { return plain_value(span.bytes); });
  return encoder.take();
}

namespace {

void get_kinds(Decoder& decoder, std::span<Span> spans) {
  const Numbers kinds = get_numbers(decoder, spans.size());
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const auto kind = static_cast<SpanKind>(kinds[i]);
    if (kinds[i] > 0xff || !is_valid(kind)) return decoder.set_failed();
    spans[i].kind = kind;
  }
}

/// A plain quantity is always there.
Seconds required(Decoder& decoder, const Value<double>& value) {
  if (!value) decoder.set_failed();
  return Seconds(value.value_or(0));
}

}  // namespace

bool decode_spans(Decoder& decoder, std::size_t count, std::vector<Span>& spans) {
  const std::span<Span> items = append(decoder, count, spans);
  get_kinds(decoder, items);
  const Numbers name_numbers = get_numbers(decoder, items.size());
  for (std::size_t i = 0; i < items.size(); ++i) decoder.copy_text(name_numbers[i], items[i].name);
  get_value_column(decoder, items,
                   [&](Span& span, const Value<double>& value) { span.start = required(decoder, value); });
  get_value_column(decoder, items,
                   [&](Span& span, const Value<double>& value) { span.duration = required(decoder, value); });
  get_column(decoder, items, &Span::process_id);
  get_column(decoder, items, &Span::thread_id);
  get_column(decoder, items, &Span::stream);
  get_column(decoder, items, &Span::device);
  get_value_column(decoder, items,
                   [](Span& span, const Value<double>& value) { span.bytes = quantity_value<Bytes>(value); });
  return decoder.finished();
}

}  // namespace ridge::store
