// Encoder and Decoder: stored structs to bytes and back, walking the lists of fields.h.
//
// Texts are numbers into a table shared by the whole file, and so are the names of Values. A Value is one byte (its
// provenance and the form of its number, or "missing") and a number or the number of its reason. Values that are simply
// "not collected" take no space.
// The decoder never trusts a length: a list of n items needs at least n bytes, and anything that does not fit sets
// failed() and yields zeros from there on.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "store/fields.h"
#include "store/number.h"
#include "store/valid.h"

namespace ridge::store {

/// A text above this length is drawn from a budget when it is copied out: a few bytes can refer to it, so that a small
/// file could ask for any amount of memory. No recording comes near the budget.
inline constexpr std::size_t kLongText = 256;
inline constexpr std::uint64_t kLongTextBudget = std::uint64_t{256} << 20;

/// Texts numbered in the order of first use.
class TextTable {
 public:
  [[nodiscard]] std::uint64_t number(std::string_view text);
  [[nodiscard]] const std::vector<std::string>& texts() const { return texts_; }
  /// Forgets all but the first `count` texts.
  void shrink(std::size_t count);

 private:
  std::unordered_map<std::string, std::uint64_t> numbers_;
  std::vector<std::string> texts_;
};

inline constexpr unsigned kMissing = 7;  ///< in place of a provenance
inline constexpr unsigned kFormShift = 3;

class Encoder {
 public:
  /// Both tables outlive the encoder.
  Encoder(TextTable& texts, TextTable& names) : texts_(&texts), names_(&names) {}

  template <class... T>
  void operator()(const T&... items) {
    (put(items), ...);
  }
  void put_varint(std::uint64_t value);
  void put_text(std::string_view text) { put_varint(texts_->number(text)); }
  /// `tag` takes the low three bits of the first byte.
  void put_double(double value, unsigned tag = 0);
  void put_bits(double value);
  void put_bits(float value);
  [[nodiscard]] std::string take() { return std::exchange(bytes_, {}); }

 private:
  template <class T>
  void put(const T& item);
  template <class T>
  void put_value(const Value<T>& value);
  template <class T>
  void put_named_values(const T& item);

  std::string bytes_;
  TextTable* texts_;
  TextTable* names_;
};

class Decoder {
 public:
  /// `texts` and `names` outlive the decoder. Names of Values that this version does not know go to `unknown`. `budget`
  /// is what all decoders of a file may copy of long texts.
  Decoder(std::string_view bytes, const std::vector<std::string>& texts, const std::vector<std::string>& names,
          std::uint64_t* budget = nullptr)
      : rest_(bytes), texts_(&texts), names_(&names), budget_(budget) {}

  template <class... T>
  void operator()(T&... items) {
    (get(items), ...);
  }
  [[nodiscard]] std::uint64_t get_varint();
  [[nodiscard]] const std::string& get_text() { return text(get_varint()); }
  /// The text of that number, or "" and failed().
  [[nodiscard]] const std::string& text(std::uint64_t number);
  void copy_text(std::uint64_t number, std::string& copy);
  [[nodiscard]] double get_double(unsigned* tag = nullptr);
  [[nodiscard]] double get_bits();
  [[nodiscard]] float get_float_bits();
  void set_failed() { failed_ = true; }
  [[nodiscard]] bool failed() const { return failed_; }
  /// True when everything was read and nothing was wrong.
  [[nodiscard]] bool finished() const { return !failed_ && rest_.empty(); }
  [[nodiscard]] std::size_t remaining() const { return rest_.size(); }
  /// Values in the bytes whose name this program does not know.
  [[nodiscard]] const std::set<std::string>& unknown() const { return unknown_; }

 private:
  template <class T>
  void get(T& item);
  template <class T>
  void get_enum(T& item);
  template <class T>
  void get_integer(T& item);
  /// The one variant of the model: Argument::value.
  template <class A, class B>
  void get_either(std::variant<A, B>& item);
  template <class T>
  void get_value(Value<T>& value);
  template <class T>
  void get_named_values(T& item);
  [[nodiscard]] unsigned char get_byte();

  std::string_view rest_;
  const std::vector<std::string>* texts_;
  const std::vector<std::string>* names_;
  std::set<std::string> unknown_;
  std::uint64_t* budget_;
  bool failed_ = false;
};

namespace detail {
template <class T>
struct IsQuantity : std::false_type {};
template <int kB, int kF, int kS>
struct IsQuantity<Quantity<kB, kF, kS>> : std::true_type {};
template <class T, template <class...> class Of>
struct IsA : std::false_type {};
template <class... T, template <class...> class Of>
struct IsA<Of<T...>, Of> : std::true_type {};

template <class T>
[[nodiscard]] double plain(const T& item) {
  if constexpr (IsQuantity<T>::value) {
    return item.count();
  } else {
    return static_cast<double>(item);
  }
}
}  // namespace detail

template <class T>
void Encoder::put(const T& item) {
  if constexpr (std::is_same_v<T, std::string>) {
    put_text(item);
  } else if constexpr (std::is_enum_v<T>) {
    put_varint(static_cast<std::uint64_t>(item));
  } else if constexpr (std::is_same_v<T, double> || detail::IsQuantity<T>::value) {
    put_double(detail::plain(item));
  } else if constexpr (std::is_integral_v<T>) {
    put_varint(std::is_signed_v<T> ? zigzag(static_cast<std::int64_t>(item)) : static_cast<std::uint64_t>(item));
  } else if constexpr (detail::IsA<T, Value>::value) {
    put_value(item);
  } else if constexpr (detail::IsA<T, std::vector>::value) {
    put_varint(item.size());
    for (const auto& element : item) put(element);
  } else if constexpr (detail::IsA<T, std::optional>::value) {
    put_varint(item ? 1 : 0);
    if (item) put(*item);
  } else if constexpr (detail::IsA<T, std::variant>::value) {
    put_varint(item.index());
    std::visit([&](const auto& alternative) { this->put(alternative); }, item);
  } else {
    if constexpr (HasNamedValues<const T>) put_named_values(item);
    fields(*this, item);
  }
}

template <class T>
void Encoder::put_value(const Value<T>& value) {
  if (value) {
    put_double(detail::plain(*value), static_cast<unsigned>(value.provenance()));
  } else {
    bytes_ += static_cast<char>(kMissing);
    put_text(value.reason().text());
  }
}

template <class T>
void Encoder::put_named_values(const T& item) {
  std::uint64_t count = 0;
  Encoder values(*texts_, *names_);
  visit_values(
      [&](std::string_view name, const auto& value) {
        if (!value && value.reason() == Reason()) return;
        ++count;
        values.put_varint(names_->number(name));
        values.put_value(value);
      },
      item);
  put_varint(count);
  bytes_ += values.bytes_;
}

template <class T>
void Decoder::get(T& item) {
  if constexpr (std::is_same_v<T, std::string>) {
    copy_text(get_varint(), item);
  } else if constexpr (std::is_enum_v<T>) {
    get_enum(item);
  } else if constexpr (std::is_same_v<T, double> || detail::IsQuantity<T>::value) {
    item = T(get_double());
  } else if constexpr (std::is_integral_v<T>) {
    get_integer(item);
  } else if constexpr (detail::IsA<T, Value>::value) {
    get_value(item);
  } else if constexpr (detail::IsA<T, std::vector>::value) {
    const std::uint64_t count = get_varint();
    if (count > remaining()) return set_failed();
    for (std::uint64_t i = 0; i < count && !failed_; ++i) get(item.emplace_back());
  } else if constexpr (detail::IsA<T, std::optional>::value) {
    const std::uint64_t present = get_varint();
    if (present > 1) return set_failed();
    if (present == 1) get(item.emplace());
  } else if constexpr (detail::IsA<T, std::variant>::value) {
    get_either(item);
  } else {
    if constexpr (HasNamedValues<T>) get_named_values(item);
    fields(*this, item);
  }
}

template <class T>
void Decoder::get_enum(T& item) {
  const std::uint64_t number = get_varint();
  item = static_cast<T>(number);
  if (number <= 0xff && is_valid(item)) return;
  item = T{};
  set_failed();
}

template <class T>
void Decoder::get_integer(T& item) {
  const std::uint64_t number = get_varint();
  if constexpr (std::is_signed_v<T>) {
    item = static_cast<T>(unzigzag(number));
    if (unzigzag(number) != static_cast<std::int64_t>(item)) set_failed();
  } else {
    item = static_cast<T>(number);
    if (number != static_cast<std::uint64_t>(item)) set_failed();
  }
}

template <class A, class B>
void Decoder::get_either(std::variant<A, B>& item) {
  const std::uint64_t index = get_varint();
  if (index > 1) return set_failed();
  if (index == 0) {
    get(item.template emplace<0>());
  } else {
    get(item.template emplace<1>());
  }
}

template <class T>
void Decoder::get_value(Value<T>& value) {
  if (!rest_.empty() && static_cast<unsigned char>(rest_.front()) == kMissing) {
    (void)get_byte();
    value = Value<T>::missing(Reason(get_text()));
    return;
  }
  unsigned tag = 0;
  const double number = get_double(&tag);
  if (failed_ || tag >= kMissing) return set_failed();
  value = Value<T>(T(number), static_cast<Provenance>(tag));
}

template <class T>
void Decoder::get_named_values(T& item) {
  const std::uint64_t count = get_varint();
  if (count > remaining()) return set_failed();
  for (std::uint64_t i = 0; i < count && !failed_; ++i) {
    const std::uint64_t number = get_varint();
    if (number >= names_->size()) return set_failed();
    Value<double> stored;
    get_value(stored);
    bool known = false;
    visit_values(
        [&](std::string_view name, auto& value) {
          if (known || name != (*names_)[number]) return;
          known = true;
          using V = std::remove_reference_t<decltype(value)>;
          using Content = std::remove_cvref_t<decltype(*value)>;
          value = stored ? V(Content(*stored), stored.provenance()) : V::missing(stored.reason());
        },
        item);
    if (!known) unknown_.insert((*names_)[number]);
  }
}

}  // namespace ridge::store
