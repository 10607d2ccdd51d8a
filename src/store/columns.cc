#include "store/columns.h"

#include <limits>
#include <optional>

#include "store/column_parts.h"
#include "store/schema.h"

namespace ridge::store {

namespace {

using Index = std::optional<std::uint32_t>;

/// Nothing is 0, the index n is n + 1.
void put_indices(Encoder& encoder, std::span<const Launch> launches, Index Launch::*member) {
  put_column(encoder, launches,
             [&](const Launch& launch) { return launch.*member ? std::uint64_t{*(launch.*member)} + 1 : 0; });
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

void get_indices(Decoder& decoder, std::span<Launch> launches, Index Launch::*member) {
  const Numbers numbers = get_numbers(decoder, launches.size());
  for (std::size_t i = 0; i < launches.size(); ++i) {
    if (numbers[i] == 0) continue;
    if (numbers[i] - 1 > std::numeric_limits<std::uint32_t>::max()) decoder.set_failed();
    launches[i].*member = static_cast<std::uint32_t>(numbers[i] - 1);
  }
}

}  // namespace

std::string encode_launches(std::span<const Launch> launches, TextTable& texts, TextTable& names) {
  Encoder encoder(texts, names);
  if (launches.empty()) return {};
  put_source_ids(encoder, launches);
  put_column(encoder, launches, [](const Launch& launch) { return launch.kernel; });
  put_column(encoder, launches, [](const Launch& launch) { return launch.configuration; });
  put_column(encoder, launches, [](const Launch& launch) { return launch.device; });
  put_indices(encoder, launches, &Launch::measurement);
  put_indices(encoder, launches, &Launch::sampled);
  put_column(encoder, launches, [](const Launch& launch) { return launch.process_id; });
  put_column(encoder, launches, [](const Launch& launch) { return launch.context; });
  put_column(encoder, launches, [](const Launch& launch) { return launch.stream; });
  put_value_column(encoder, launches, [](const Launch& launch) { return plain_value(launch.start); });
  put_value_column(encoder, launches, [](const Launch& launch) { return plain_value(launch.duration); });
  return encoder.take();
}

bool decode_launches(Decoder& decoder, std::size_t count, std::vector<Launch>& launches, std::int64_t version) {
  const std::span<Launch> items = append(decoder, count, launches);
  get_source_ids(decoder, items);
  get_column(decoder, items, &Launch::kernel);
  get_column(decoder, items, &Launch::configuration);
  get_column(decoder, items, &Launch::device);
  get_indices(decoder, items, &Launch::measurement);
  if (version >= kLiveVersion) get_indices(decoder, items, &Launch::sampled);
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
