#include "emulator/job/bind_buffer.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "base/files.h"
#include "base/words.h"
#include "emulator/job/numbers.h"

namespace ridge::emulator {
namespace {

using Array = std::shared_ptr<const NpyArray>;

constexpr std::size_t kMostFileBytes = std::size_t{1} << 35;

double usual_tolerance(ElementType type) {
  switch (type) {
    case ElementType::kF16:
      return 1e-3;
    case ElementType::kBf16:
      return 1e-2;
    case ElementType::kF32:
      return 1e-5;
    case ElementType::kF64:
      return 1e-12;
    default:
      return 0;
  }
}

bool is_file(std::string_view text) {
  return text.ends_with(".npy");
}

/// The arguments of "random(-1, 1)"; nothing if the text is no call of `name`.
std::optional<std::vector<std::string_view>> call_of(std::string_view name, std::string_view text) {
  if (!text.starts_with(name)) return std::nullopt;
  const std::string_view rest = trim(text.substr(name.size()));
  if (rest.empty()) return std::vector<std::string_view>();
  if (rest.front() != '(' || rest.back() != ')') return std::nullopt;
  return split_outside(rest.substr(1, rest.size() - 2), ',');
}

/// The elements keep their bits: the types are of one width, and the same or no more than bits.
bool keeps_bits(ElementType from, ElementType to) {
  return from == to || (size_of(from) == size_of(to) && (is_bits(from) || is_bits(to)));
}

class BufferBinder {
 public:
  BufferBinder(const ArgumentDraft& draft, const BufferPlace& place, const Variables& names)
      : draft_(draft), text_(draft.buffer), place_(place), names_(names) {}

  Result<Buffer> bind() {
    buffer_.name = place_.name;
    RIDGE_TRY(read_files());
    RIDGE_TRY(decide_type());
    RIDGE_TRY(decide_count());
    RIDGE_TRY(decide_initial());
    RIDGE_TRY(decide_expected());
    if (!text_.save.empty()) buffer_.save = path_of(text_.save);
    return std::move(buffer_);
  }

 private:
  [[nodiscard]] Error wrong(std::string what, std::string remedy) const {
    return usage_error(std::move(what), draft_.where, std::move(remedy));
  }

  [[nodiscard]] std::string path_of(const std::string& text) const {
    return (std::filesystem::path(draft_.folder) / text).string();
  }

  Result<Array> read(const std::string& name) const {
    const std::string path = path_of(name);
    auto bytes = read_file(path, kMostFileBytes);
    if (!bytes) return fail(bytes.error());
    auto array = parse_npy(*std::move(bytes), path);
    if (!array) return fail(array.error());
    return std::make_shared<const NpyArray>(*std::move(array));
  }

  Result<void> read_files() {
    if (is_file(text_.initial)) {
      auto array = read(text_.initial);
      if (!array) return fail(array.error());
      initial_ = *std::move(array);
    }
    if (is_file(text_.expect)) {
      auto array = read(text_.expect);
      if (!array) return fail(array.error());
      expected_ = *std::move(array);
    }
    return {};
  }

  Result<void> decide_type() {
    if (text_.type.empty() && initial_ == nullptr) {
      return fail(wrong("a buffer has no type", "write one of " + element_list()));
    }
    const auto named = element_type_named(text_.type);
    if (!text_.type.empty() && !named) {
      return fail(
          wrong(fmt::format("'{}' is no type of elements", shown(text_.type)), "write one of " + element_list()));
    }
    buffer_.type = named.value_or(initial_ ? initial_->type : ElementType::kF32);
    return {};
  }

  Result<void> decide_count() {
    const Array& file = initial_ ? initial_ : expected_;
    if (text_.count.empty()) {
      if (file == nullptr)
        return fail(wrong("a buffer does not say how many elements it has", "write e.g. f32:1048576"));
      buffer_.count = file->count();
    } else {
      const auto count = evaluate_count(text_.count, names_, draft_.where);
      if (!count) return fail(count.error());
      buffer_.count = *count;
    }
    if (buffer_.count == 0) return fail(wrong("a buffer has no elements", "give it 1 or more, or pass null"));
    if (buffer_.bytes() > kMostCount) return fail(wrong("a buffer is larger than any memory", "correct the number"));
    for (const Array& array : {initial_, expected_}) {
      if (array != nullptr) RIDGE_TRY(check_length(*array));
    }
    buffer_.shape = file ? file->shape : std::vector<std::uint64_t>{buffer_.count};
    return {};
  }

  [[nodiscard]] Result<void> check_length(const NpyArray& array) const {
    if (array.count() == buffer_.count) return {};
    return fail(wrong(fmt::format("the file has {} elements and the buffer {}", array.count(), buffer_.count),
                      "leave out the number, or correct it"));
  }

  Result<void> decide_initial() {
    Initial& initial = buffer_.initial;
    const std::string_view text = trim(text_.initial);
    RIDGE_TRY(decide_seed());
    if (initial_ != nullptr) {
      initial.kind = InitialKind::kArray;
      initial.array = initial_;
      return check_array(*initial_);
    }
    const bool only_written = place_.pointee && place_.pointee->written && !place_.pointee->read;
    if (text == "poison" || (text.empty() && only_written)) {
      initial.kind = InitialKind::kPoison;
      return {};
    }
    if (const auto bounds = call_of("random", text.empty() ? "random" : text)) return decide_random(*bounds);
    if (const auto steps = call_of("ramp", text)) return decide_ramp(*steps);
    return decide_constant(text);
  }

  Result<void> decide_seed() {
    buffer_.initial.seed = place_.number;
    if (text_.seed.empty()) return {};
    const auto seed = evaluate_count(text_.seed, names_, draft_.where);
    if (!seed) return fail(seed.error());
    buffer_.initial.seed = *seed;
    return {};
  }

  /// Two numbers in place of low and high.
  Result<void> decide_two(const std::vector<std::string_view>& texts, std::string_view form) {
    if (texts.empty()) return {};
    if (texts.size() != 2) {
      return fail(
          wrong(fmt::format("'{}' does not have two numbers", shown(text_.initial)), fmt::format("write {}", form)));
    }
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const auto number = evaluate_number(texts[i], names_, draft_.where);
      if (!number) return fail(number.error());
      if (!std::isfinite(number->real)) {
        return fail(wrong(fmt::format("'{}' is not finite", shown(texts[i])), "write a number"));
      }
      (i == 0 ? buffer_.initial.low : buffer_.initial.high) = number->real;
    }
    return {};
  }

  Result<void> decide_random(const std::vector<std::string_view>& bounds) {
    Initial& initial = buffer_.initial;
    initial.kind = InitialKind::kRandom;
    constexpr double kMostWhole = 100;
    initial.low = is_floating(buffer_.type) ? -1 : 0;
    initial.high = is_floating(buffer_.type) ? 1 : kMostWhole;
    if (is_bits(buffer_.type) && !bounds.empty()) {
      return fail(wrong("random bits have no bounds", "write random alone, or another type"));
    }
    RIDGE_TRY(decide_two(bounds, "random(LOW,HIGH)"));
    if (!(initial.low < initial.high)) {
      return fail(wrong(fmt::format("nothing lies from {} to below {}", initial.low, initial.high),
                        "write random(LOW,HIGH) with the lower bound first"));
    }
    const bool whole = !is_floating(buffer_.type);
    const double last = whole ? std::ceil(initial.high) - 1 : initial.high;
    for (const double bound : {whole ? std::floor(initial.low) : initial.low, last}) {
      if (!bits_of(buffer_.type, Number::of(bound))) return fail(does_not_fit(Number::of(bound)));
    }
    return {};
  }

  Result<void> decide_ramp(const std::vector<std::string_view>& steps) {
    buffer_.initial.kind = InitialKind::kRamp;
    buffer_.initial.low = 0;
    buffer_.initial.high = 1;
    RIDGE_TRY(decide_two(steps, "ramp(START,STEP)"));
    const bool whole = Number::of(buffer_.initial.low).whole && Number::of(buffer_.initial.high).whole;
    if (is_floating(buffer_.type) || whole) return {};
    return fail(wrong(fmt::format("a ramp of {} needs whole numbers", emulator::name(buffer_.type)),
                      "write whole START and STEP, or another type"));
  }

  Result<void> decide_constant(std::string_view text) {
    const auto number = evaluate_number(text, names_, draft_.where);
    if (!number) {
      Error error = number.error();
      error.remedy += "; a buffer holds random, ramp, poison, a number or FILE.npy";
      return fail(std::move(error));
    }
    if (!bits_of(buffer_.type, *number)) return fail(does_not_fit(*number));
    buffer_.initial.kind = InitialKind::kConstant;
    buffer_.initial.value = *number;
    return {};
  }

  [[nodiscard]] Error does_not_fit(const Number& number) const {
    return wrong(fmt::format("{} is no number that {} can hold", to_string(number), emulator::name(buffer_.type)),
                 "write another number, or another type");
  }

  [[nodiscard]] Result<void> check_array(const NpyArray& array) const {
    if (keeps_bits(array.type, buffer_.type)) return {};
    if (is_bits(array.type) || is_bits(buffer_.type)) {
      return fail(wrong(
          fmt::format("the file holds {} and the buffer {}", emulator::name(array.type), emulator::name(buffer_.type)),
          "give both the same width"));
    }
    for (std::size_t i = 0; i < array.count(); ++i) {
      const Number number = number_of(array.type, load(array.type, array.data(), i));
      if (bits_of(buffer_.type, number)) continue;
      Error error = does_not_fit(number);
      error.what = fmt::format("element {} of the file: {}", i, error.what);
      return fail(std::move(error));
    }
    return {};
  }

  Result<void> decide_expected() {
    if (text_.expect.empty()) {
      if (text_.tolerance.empty()) return {};
      return fail(wrong("a tolerance without anything to compare with", "write expect=FILE.npy or expect=NUMBER too"));
    }
    Expectation expected;
    expected.array = expected_;
    expected.tolerance = usual_tolerance(buffer_.type);
    if (expected_ == nullptr) {
      const auto number = evaluate_number(text_.expect, names_, draft_.where);
      if (!number) return fail(number.error());
      expected.value = *number;
    } else if (!keeps_bits(expected_->type, buffer_.type) && (is_bits(expected_->type) || is_bits(buffer_.type))) {
      return check_array(*expected_);
    }
    if (!text_.tolerance.empty()) {
      const auto tolerance = evaluate_number(text_.tolerance, names_, draft_.where);
      if (!tolerance) return fail(tolerance.error());
      if (!(tolerance->real >= 0)) {
        return fail(wrong(fmt::format("'{}' is no tolerance", shown(text_.tolerance)), "write 0 or more, e.g. 1e-5"));
      }
      expected.tolerance = tolerance->real;
    }
    buffer_.expected = std::move(expected);
    return {};
  }

  const ArgumentDraft& draft_;
  const BufferDraft& text_;
  const BufferPlace& place_;
  const Variables& names_;
  Array initial_, expected_;
  Buffer buffer_;
};

}  // namespace

Result<Buffer> bind_buffer(const ArgumentDraft& draft, const BufferPlace& place, const Variables& names) {
  return BufferBinder(draft, place, names).bind();
}

}  // namespace ridge::emulator
