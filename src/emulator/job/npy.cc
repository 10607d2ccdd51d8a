#include "emulator/job/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "base/words.h"
#include "emulator/job/numbers.h"

namespace ridge::emulator {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kMostHeader = 1 << 16;  ///< NumPy itself refuses more than 10,000 unless told
constexpr std::size_t kMostDimensions = 64;   ///< as NumPy 2 has them

struct Header {
  std::string type;
  std::optional<bool> fortran;
  std::optional<std::vector<std::uint64_t>> shape;
};

/// The Python literal of a header: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }. Its error is a text.
class HeaderReader {
 public:
  explicit HeaderReader(std::string_view text) : text_(text) {}

  tl::expected<Header, std::string> read() {
    if (!take('{')) return problem("no dictionary begins it");
    while (!take('}')) {
      const auto key = text();
      if (!key || !take(':')) return problem("a key in quotes is missing");
      if (auto error = entry(*key); !error.empty()) return problem(std::move(error));
      if (!take(',') && !next_is('}')) return problem("a comma is missing");
    }
    skip_blanks();
    if (at_ != text_.size()) return problem("something follows the dictionary");
    if (header_.type.empty() || !header_.fortran || !header_.shape) {
      return problem("descr, fortran_order or shape is missing");
    }
    return std::move(header_);
  }

 private:
  static tl::unexpected<std::string> problem(std::string what) { return tl::unexpected<std::string>(std::move(what)); }

  std::string entry(std::string_view key) {
    if (key == "descr") {
      if (next_is('[')) return "its elements are records of several fields";
      const auto type = text();
      if (!type) return "descr is no text";
      header_.type = *type;
      return {};
    }
    if (key == "fortran_order") {
      header_.fortran = boolean();
      return header_.fortran ? "" : "fortran_order is neither True nor False";
    }
    if (key == "shape") {
      header_.shape = shape();
      return header_.shape ? "" : "shape is no list of whole numbers";
    }
    return fmt::format("the key '{}' is not known", shown(key));
  }

  std::optional<std::string_view> text() {
    skip_blanks();
    if (at_ >= text_.size() || (text_[at_] != '\'' && text_[at_] != '"')) return std::nullopt;
    const std::size_t end = text_.find(text_[at_], at_ + 1);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view inner = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return inner;
  }

  std::optional<bool> boolean() {
    skip_blanks();
    for (const bool value : {true, false}) {
      const std::string_view word = value ? "True" : "False";
      if (text_.substr(at_, word.size()) != word) continue;
      at_ += word.size();
      return value;
    }
    return std::nullopt;
  }

  std::optional<std::vector<std::uint64_t>> shape() {
    if (!take('(')) return std::nullopt;
    std::vector<std::uint64_t> extents;
    while (!take(')')) {
      skip_blanks();
      std::uint64_t extent = 0;
      const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), extent);
      if (error != std::errc() || extents.size() == kMostDimensions) return std::nullopt;
      at_ = static_cast<std::size_t>(end - text_.data());
      (void)take('L');  // Python 2 wrote 3L
      extents.push_back(extent);
      if (!take(',') && !next_is(')')) return std::nullopt;
    }
    return extents;
  }

  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
  }
  bool next_is(char c) {
    skip_blanks();
    return at_ < text_.size() && text_[at_] == c;
  }
  bool take(char c) {
    if (!next_is(c)) return false;
    ++at_;
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Header header_;
};

/// The type without its byte order: "f4".
std::optional<ElementType> element_of(std::string_view kind) {
  struct Row {
    std::string_view kind;
    ElementType element;
  };
  static constexpr std::array kRows{
      Row{"f2", ElementType::kF16}, Row{"f4", ElementType::kF32}, Row{"f8", ElementType::kF64},
      Row{"i1", ElementType::kI8},  Row{"i2", ElementType::kI16}, Row{"i4", ElementType::kI32},
      Row{"i8", ElementType::kI64}, Row{"u1", ElementType::kU8},  Row{"u2", ElementType::kU16},
      Row{"u4", ElementType::kU32}, Row{"u8", ElementType::kU64}, Row{"b1", ElementType::kU8},
      Row{"V1", ElementType::kB8},  Row{"V2", ElementType::kB16}, Row{"V4", ElementType::kB32},
      Row{"V8", ElementType::kB64},
  };
  for (const Row& row : kRows) {
    if (row.kind == kind) return row.element;
  }
  return std::nullopt;
}

std::string_view descr_of(ElementType element) {
  static constexpr std::array<std::string_view, kElements> kDescr{
      "<f2", "<f4", "<f4", "<f8", "|i1", "<i2", "<i4", "<i8", "|u1", "<u2", "<u4", "<u8", "|u1", "<u2", "<u4", "<u8"};
  return kDescr[static_cast<std::size_t>(element)];
}

Error refused(const std::string& where, std::string what, std::string remedy) {
  return bad_input(std::move(what), where, std::move(remedy));
}

/// Where the header's text begins and ends; an error if the file ends before.
Result<std::pair<std::size_t, std::size_t>> header_range(std::string_view bytes, const std::string& where) {
  const auto truncated = [&] { return fail(refused(where, "the array's header is cut short", "save it again")); };
  if (!bytes.starts_with(kMagic)) {
    return fail(refused(where, "this is no .npy file", "write one with numpy.save"));
  }
  if (bytes.size() < kMagic.size() + 2) return truncated();
  const auto byte = [&](std::size_t at) { return std::size_t{static_cast<unsigned char>(bytes[at])}; };
  const std::size_t version = byte(kMagic.size());
  if (version < 1 || version > 3) {
    return fail(refused(where, fmt::format("version {} of the .npy format is not known", version),
                        "save it with versions 1 to 3"));
  }
  const std::size_t width = version == 1 ? 2 : 4;
  const std::size_t begin = kMagic.size() + 2 + width;
  if (bytes.size() < begin) return truncated();
  std::size_t length = 0;
  for (std::size_t i = 0; i < width; ++i) length |= byte(kMagic.size() + 2 + i) << (8 * i);
  if (length > kMostHeader) {
    return fail(refused(where, fmt::format("the array's header claims {} bytes", length), "save it again"));
  }
  if (bytes.size() - begin < length) return truncated();
  return std::pair(begin, begin + length);
}

Result<ElementType> type_of(const Header& header, const std::string& where) {
  const std::string_view type = header.type;
  if (type.ends_with("O")) {
    return fail(refused(where, "the array holds pickled Python objects", "save it with a number type"));
  }
  const bool has_order =
      type.starts_with('<') || type.starts_with('>') || type.starts_with('|') || type.starts_with('=');
  const auto element = element_of(has_order ? type.substr(1) : type);
  if (element) return *element;
  return fail(refused(where, fmt::format("the array's type '{}' is none that a buffer can have", shown(type)),
                      "save it as floating point or integers of up to 8 bytes"));
}

/// Bytes of all elements; nothing if that cannot be.
std::optional<std::uint64_t> bytes_of(const std::vector<std::uint64_t>& shape, std::size_t size) {
  std::uint64_t bytes = size;
  for (const std::uint64_t extent : shape) {
    if (extent == 0) return 0;
    if (bytes > kMostCount / extent) return std::nullopt;
    bytes *= extent;
  }
  return bytes;
}

bool is_column_major(const Header& header) {
  const auto longer = std::count_if(header.shape->begin(), header.shape->end(), [](auto extent) { return extent > 1; });
  return *header.fortran && longer > 1;
}

void swap_bytes(std::string& bytes, std::size_t offset, std::size_t size) {
  for (std::size_t at = offset; at + size <= bytes.size(); at += size) {
    std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                 bytes.begin() + static_cast<std::ptrdiff_t>(at + size));
  }
}

/// Each element as f32, which holds every bf16.
std::string widened(std::span<const std::byte> data) {
  const std::size_t count = data.size() / size_of(ElementType::kBf16);
  std::string bytes(count * size_of(ElementType::kF32), '\0');
  const auto out = std::as_writable_bytes(std::span<char>(bytes));
  for (std::size_t i = 0; i < count; ++i) {
    store(ElementType::kF32, out, i, load(ElementType::kBf16, data, i) << 16);
  }
  return bytes;
}

}  // namespace

Result<NpyArray> parse_npy(std::string bytes, const std::string& where) {
  const auto range = header_range(bytes, where);
  if (!range) return fail(range.error());
  const std::size_t begin = range->first, offset = range->second;
  const auto header = HeaderReader(std::string_view(bytes).substr(begin, offset - begin)).read();
  if (!header) {
    return fail(refused(where, "the array's header cannot be read: " + header.error(), "write it with numpy.save"));
  }
  const auto element = type_of(*header, where);
  if (!element) return fail(element.error());
  if (is_column_major(*header)) {
    return fail(refused(where, "the array is in Fortran order", "save numpy.ascontiguousarray of it"));
  }
  const std::size_t there = bytes.size() - offset;
  const auto claimed = bytes_of(*header->shape, size_of(*element));
  if (!claimed || *claimed != there) {
    return fail(refused(where,
                        claimed ? fmt::format("the array's shape needs {} bytes and the file has {}", *claimed, there)
                                : std::string("the array's shape is larger than any memory"),
                        "save one array, whole"));
  }
  if (header->type.starts_with('>')) swap_bytes(bytes, offset, size_of(*element));
  NpyArray array;
  array.type = *element;
  array.shape = *header->shape;
  array.bytes = std::move(bytes);
  array.offset = offset;
  return array;
}

std::string encode_npy(ElementType type, const std::vector<std::uint64_t>& shape, std::span<const std::byte> data) {
  std::string extents;
  for (const std::uint64_t extent : shape) extents += fmt::format("{}, ", extent);
  if (shape.size() > 1) extents.resize(extents.size() - 2);
  if (shape.size() == 1) extents.pop_back();
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", descr_of(type), extents);
  constexpr std::size_t kAlignment = 64;
  const std::size_t before = kMagic.size() + 4;
  header.append(kAlignment - 1 - (before + header.size()) % kAlignment, ' ');
  header += '\n';
  std::string bytes(kMagic);
  bytes += {'\1', '\0', static_cast<char>(header.size() & 0xFF), static_cast<char>(header.size() >> 8)};
  bytes += header;
  if (type == ElementType::kBf16) return bytes + widened(data);
  const auto* first = static_cast<const char*>(static_cast<const void*>(data.data()));
  bytes.append(first, data.size());
  return bytes;
}

}  // namespace ridge::emulator
