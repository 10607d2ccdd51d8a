#include "store/archive.h"

#include <bit>

namespace ridge::store {

namespace {

constexpr unsigned kVarintBits = 7;
constexpr unsigned kMoreFollows = 0x80;
constexpr unsigned kTagMask = 7;
constexpr unsigned kLastForm = 3;
constexpr int kDoubleBytes = 8;
constexpr int kFloatBytes = 4;

const std::string kNoText;

}  // namespace

std::uint64_t TextTable::number(std::string_view text) {
  const auto [entry, added] = numbers_.emplace(text, texts_.size());
  if (added) texts_.emplace_back(text);
  return entry->second;
}

void TextTable::shrink(std::size_t count) {
  for (std::size_t i = count; i < texts_.size(); ++i) numbers_.erase(texts_[i]);
  if (count < texts_.size()) texts_.resize(count);
}

void Encoder::put_varint(std::uint64_t value) {
  while (value >= kMoreFollows) {
    bytes_ += static_cast<char>(static_cast<unsigned char>(value | kMoreFollows));
    value >>= kVarintBits;
  }
  bytes_ += static_cast<char>(static_cast<unsigned char>(value));
}

void Encoder::put_bits(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  for (int i = 0; i < kDoubleBytes; ++i) bytes_ += static_cast<char>(static_cast<unsigned char>(bits >> (8 * i)));
}

void Encoder::put_bits(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  for (int i = 0; i < kFloatBytes; ++i) bytes_ += static_cast<char>(static_cast<unsigned char>(bits >> (8 * i)));
}

void Encoder::put_double(double value, unsigned tag) {
  const PackedDouble packed = pack(value);
  bytes_ += static_cast<char>(tag | static_cast<unsigned>(packed.form) << kFormShift);
  if (packed.form == DoubleForm::kBits) {
    put_bits(value);
  } else {
    put_varint(zigzag(packed.whole));
  }
}

unsigned char Decoder::get_byte() {
  if (rest_.empty()) {
    failed_ = true;
    return 0;
  }
  const auto byte = static_cast<unsigned char>(rest_.front());
  rest_.remove_prefix(1);
  return byte;
}

std::uint64_t Decoder::get_varint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && !failed_; shift += kVarintBits) {
    const std::uint64_t byte = get_byte();
    value |= (byte & (kMoreFollows - 1)) << shift;
    if ((byte & kMoreFollows) == 0) return failed_ ? 0 : value;
  }
  failed_ = true;
  return 0;
}

const std::string& Decoder::text(std::uint64_t number) {
  if (number >= texts_->size()) failed_ = true;
  return failed_ ? kNoText : (*texts_)[number];
}

void Decoder::copy_text(std::uint64_t number, std::string& copy) {
  const std::string& found = text(number);
  if (budget_ != nullptr && found.size() > kLongText) {
    if (found.size() > *budget_) return set_failed();
    *budget_ -= found.size();
  }
  copy = found;
}

double Decoder::get_bits() {
  std::uint64_t bits = 0;
  for (int i = 0; i < kDoubleBytes; ++i) bits |= static_cast<std::uint64_t>(get_byte()) << (8 * i);
  return failed_ ? 0 : std::bit_cast<double>(bits);
}

float Decoder::get_float_bits() {
  std::uint32_t bits = 0;
  for (int i = 0; i < kFloatBytes; ++i) bits |= static_cast<std::uint32_t>(get_byte()) << (8 * i);
  return failed_ ? 0 : std::bit_cast<float>(bits);
}

double Decoder::get_double(unsigned* tag) {
  const unsigned first = get_byte();
  const unsigned form = first >> kFormShift;
  if (tag != nullptr) *tag = first & kTagMask;
  if (form > kLastForm || (tag == nullptr && (first & kTagMask) != 0)) failed_ = true;
  if (failed_) return 0;
  if (form == static_cast<unsigned>(DoubleForm::kBits)) return get_bits();
  return unpack(static_cast<DoubleForm>(form), unzigzag(get_varint()));
}

}  // namespace ridge::store
