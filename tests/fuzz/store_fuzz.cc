// The .ridge reader on any bytes: a whole file, and what its blobs hold. What it accepts, it writes and reads back the
// same.
#include <cstdint>
#include <string_view>

#include "fuzz/profile_check.h"
#include "store/archive.h"
#include "store/columns.h"
#include "store/schema.h"

namespace {

using ridge::store::Decoder;
using ridge::store::Encoder;
using ridge::store::TextTable;
using ridge::test::require;

void read_file(std::string_view bytes) {
  const ridge::Result<ridge::Profile> profile = ridge::store::profile_from_bytes(bytes, "fuzz");
  if (!profile) return;
  ridge::test::require_same_again(*profile);
}

const std::vector<std::string>& some_texts() {
  static const std::vector<std::string> texts = {"", "reason", "sm_clock", "bytes.dram", "sm_count", "l2_hit_rate"};
  return texts;
}

/// Decodes one struct; an accepted one encodes to bytes that decode to the same encoding.
template <class T>
void read_blob(std::string_view bytes) {
  Decoder decoder(bytes, some_texts(), some_texts());
  T item;
  decoder(item);
  if (!decoder.finished()) return;
  const auto encode = [](const T& what) {
    TextTable texts;
    TextTable names;
    Encoder encoder(texts, names);
    encoder(what);
    return std::make_tuple(encoder.take(), texts.texts(), names.texts());
  };
  const auto [encoded, texts, names] = encode(item);
  Decoder back(encoded, texts, names);
  T copy;
  back(copy);
  require(back.finished());
  require(std::get<0>(encode(copy)) == encoded);
}

void read_columns(std::string_view bytes) {
  if (bytes.empty()) return;
  const std::size_t count = static_cast<unsigned char>(bytes.front());
  Decoder launches(bytes.substr(1), some_texts(), some_texts());
  std::vector<ridge::Launch> launch_items;
  (void)ridge::store::decode_launches(launches, count, launch_items, ridge::store::kSchemaVersion);
  Decoder old_launches(bytes.substr(1), some_texts(), some_texts());
  std::vector<ridge::Launch> old_items;
  (void)ridge::store::decode_launches(old_launches, count, old_items, 1);
  Decoder spans(bytes.substr(1), some_texts(), some_texts());
  std::vector<ridge::Span> span_items;
  (void)ridge::store::decode_spans(spans, count, span_items);
  Decoder sampled(bytes.substr(1), some_texts(), some_texts());
  std::vector<ridge::SampledWork> sampled_items;
  (void)ridge::store::decode_sampled(sampled, count, sampled_items);
  Decoder readings(bytes.substr(1), some_texts(), some_texts());
  std::vector<ridge::Reading> reading_items;
  (void)ridge::store::decode_readings(readings, count, reading_items);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  read_file(bytes);
  read_columns(bytes);
  read_blob<ridge::Measurement>(bytes);
  read_blob<ridge::Machine>(bytes);
  read_blob<ridge::DeviceAttributes>(bytes);
  read_blob<ridge::Configuration>(bytes);
  read_blob<std::vector<ridge::Argument>>(bytes);
  read_blob<ridge::Recording>(bytes);
  return 0;
}
