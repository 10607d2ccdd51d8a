#include "render/text/messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/words.h"
#include "render/explain/texts.h"
#include "render/text/catalogue/catalogue.h"
#include "render/text/format.h"
#include "render/text/unicode.h"

namespace ridge::render {
namespace {

bool id_less(const CatalogueEntry& a, const CatalogueEntry& b) {
  return a.id < b.id;
}

std::vector<CatalogueEntry> merged_catalogue() {
  std::vector<CatalogueEntry> all;
  for (const auto part : {issue_entries(), profile_issue_entries(), rule_entries(), sentence_entries(), cause_entries(),
                          term_entries(), explain_entries(), live_entries(), doctor_entries()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  std::sort(all.begin(), all.end(), id_less);
  return all;
}

std::string_view in(const CatalogueEntry& entry, Language language) {
  return language == Language::kChinese ? entry.chinese : entry.english;
}

bool names_resource(std::string_view argument) {
  static constexpr std::string_view kOfResources[] = {"resource", "level", "pipe", "where", "nearest"};
  return std::find(std::begin(kOfResources), std::end(kOfResources), argument) != std::end(kOfResources);
}

bool names_kernel(std::string_view argument) {
  return argument == "kernel" || argument == "slower" || argument == "faster";
}

/// "power-cap, hardware-thermal", each in words.
std::string throttle_reasons(std::string_view list, Language language) {
  std::string text;
  for (const std::string_view reason : parts_of(list, ", ")) {
    if (!text.empty()) text += language == Language::kChinese ? "、" : ", ";
    text += term("throttle", reason, language);
  }
  return text;
}

std::string argument_text(const Argument& argument, Language language, const KernelNames& kernels) {
  if (const double* number = std::get_if<double>(&argument.value)) {
    const bool capacity = argument.unit == Unit::kBytes && argument.name.ends_with("capacity");
    return capacity ? format_capacity(*number) : format_number(*number, argument.unit);
  }
  const std::string& text = std::get<std::string>(argument.value);
  if (names_resource(argument.name)) return resource_name(text, language);
  if (names_kernel(argument.name)) {
    const auto named = kernels.find(text);
    if (named != kernels.end()) return printable(named->second);
  }
  if (argument.name == "reasons") return throttle_reasons(text, language);
  return term(argument.name, text, language);
}

/// Whether English speaks of `argument` in the plural: any number but one, and the resources that are several.
bool is_plural(const Argument& argument) {
  if (const double* number = std::get_if<double>(&argument.value)) return *number != 1;
  const std::string& text = std::get<std::string>(argument.value);
  return text.starts_with("tensor") || text == "issue" || text == "registers";
}

/// {name}, or {name|one|many}: the word that fits what `name` stands for.
struct Field {
  std::string_view name, one, many;
  bool is_choice = false;
  std::size_t end = 0;  ///< behind the closing brace
};

/// The field whose brace opens at `open`; nothing when the brace opens no name.
std::optional<Field> field_at(std::string_view text, std::size_t open) {
  const std::size_t close = text.find('}', open);
  if (close == std::string_view::npos) return std::nullopt;
  Field field;
  field.end = close + 1;
  field.name = text.substr(open + 1, close - open - 1);
  const std::size_t bar = field.name.find('|');
  if (bar != std::string_view::npos) {
    const std::string_view words = field.name.substr(bar + 1);
    const std::size_t second = words.find('|');
    if (second == std::string_view::npos) return std::nullopt;
    field.is_choice = true;
    field.one = words.substr(0, second), field.many = words.substr(second + 1);
    field.name = field.name.substr(0, bar);
  }
  const bool is_name = std::all_of(field.name.begin(), field.name.end(),
                                   [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; });
  return is_name && !field.name.empty() ? std::optional(field) : std::nullopt;
}

/// Copies `text`, with every field given to `replace`.
template <class Replace>
std::string expand(std::string_view text, Replace replace) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = text.find('{', at);
    if (open == std::string_view::npos) return result.append(text.substr(at));
    result += text.substr(at, open - at);
    const std::optional<Field> field = field_at(text, open);
    if (field) {
      result += replace(*field);
      at = field->end;
    } else {
      result += '{';
      at = open + 1;
    }
  }
  return result;
}

/// Chinese sets no blank between two of its words, and says "1/19.7" and not "1/19.7x" of a part.
std::string tidy_chinese(std::string_view text) {
  std::string out;
  bool after_wide = false;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = decode(text.substr(at));
    const std::size_t next = at + point.bytes;
    const bool before_wide = next < text.size() && column_width(decode(text.substr(next)).value) == 2;
    const bool stray = point.value == ' ' && after_wide && before_wide;
    const std::size_t number = out.find_last_not_of("0123456789.,");
    const bool of_part = point.value == 'x' && number != std::string::npos && number > 0 && number + 1 < out.size() &&
                         out[number] == '/' && out[number - 1] == '1';
    if (!stray && !of_part) out += text.substr(at, point.bytes);
    after_wide = point.valid && column_width(point.value) == 2;
    at = next;
  }
  return out;
}

std::string fill(std::string_view text, const std::vector<Argument>& arguments, Language language,
                 const KernelNames& kernels) {
  std::string filled = expand(text, [&](const Field& wanted) {
    for (const Argument& argument : arguments) {
      if (argument.name != wanted.name) continue;
      if (wanted.is_choice) return std::string(is_plural(argument) ? wanted.many : wanted.one);
      return argument_text(argument, language, kernels);
    }
    return fmt::format("{{{}}}", wanted.name);
  });
  return language == Language::kChinese ? tidy_chinese(filled) : filled;
}

/// What stands for the one {name} of `pattern` in `text`, if everything else is the same.
std::optional<std::string_view> matched_name(std::string_view pattern, std::string_view text) {
  const std::size_t open = pattern.find('{');
  const std::size_t close = pattern.find('}');
  if (open == std::string_view::npos || close == std::string_view::npos) return std::nullopt;
  const std::string_view before = pattern.substr(0, open), after = pattern.substr(close + 1);
  if (text.size() <= before.size() + after.size()) return std::nullopt;
  if (!text.starts_with(before) || !text.ends_with(after)) return std::nullopt;
  return text.substr(before.size(), text.size() - before.size() - after.size());
}

std::string unknown_message(const Message& message, Language language) {
  std::string text = printable(message.id);
  std::string_view before = " (";
  for (const Argument& argument : message.arguments) {
    text += fmt::format("{}{} = {}", before, printable(argument.name), argument_text(argument, language, {}));
    before = ", ";
  }
  return message.arguments.empty() ? text : text + ")";
}

std::string tensor_name(std::string_view rest, Language language) {
  const std::size_t bar = rest.find('_');
  const std::string type = printable(rest.substr(0, bar));
  const std::string_view cores = language == Language::kChinese ? " \u5F20\u91CF\u6838\u5FC3" : " tensor cores";
  if (bar == std::string_view::npos) return fmt::format("{}{}", type, cores);
  return fmt::format("{}{} ({})", type, cores, printable(rest.substr(bar + 1)));
}

}  // namespace

Language parse_language(std::string_view text) {
  return text.starts_with("zh") ? Language::kChinese : Language::kEnglish;
}

std::span<const CatalogueEntry> catalogue() {
  static const std::vector<CatalogueEntry> all = merged_catalogue();
  return all;
}

const CatalogueEntry* find_entry(std::string_view id) {
  const auto all = catalogue();
  const auto found = std::lower_bound(all.begin(), all.end(), CatalogueEntry{id, {}, {}}, id_less);
  return found != all.end() && found->id == id ? &*found : nullptr;
}

std::string render_message(const Message& message, Language language, const KernelNames& kernels) {
  if (message.id.empty()) return {};
  const CatalogueEntry* entry = find_entry(message.id);
  return entry ? fill(in(*entry, language), message.arguments, language, kernels) : unknown_message(message, language);
}

std::string text_of(std::string_view id, Language language) {
  const CatalogueEntry* entry = find_entry(id);
  return entry ? std::string(in(*entry, language)) : printable(id);
}

std::string term(std::string_view kind, std::string_view value, Language language) {
  const CatalogueEntry* entry = find_entry(fmt::format("{}.{}", kind, value));
  return entry ? std::string(in(*entry, language)) : printable(value);
}

std::string resource_name(std::string_view resource, Language language) {
  constexpr std::string_view kTensor = "tensor_";
  if (const CatalogueEntry* entry = find_entry(fmt::format("resource.{}", resource))) {
    return std::string(in(*entry, language));
  }
  return resource.starts_with(kTensor) ? tensor_name(resource.substr(kTensor.size()), language) : printable(resource);
}

std::string short_resource_name(std::string_view resource, Language language) {
  constexpr std::string_view kTensor = "tensor_";
  if (const CatalogueEntry* entry = find_entry(fmt::format("short.{}", resource))) {
    return std::string(in(*entry, language));
  }
  if (!resource.starts_with(kTensor)) return resource_name(resource, language);
  std::string text = printable(resource.substr(kTensor.size()));
  if (text.find('_') == std::string::npos) text += language == Language::kChinese ? " 张量" : " tensor";
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

std::string issue_text(const Issue& issue, Language language) {
  Message message = issue.message;
  message.id = "issue." + message.id;
  return render_message(message, language);
}

std::string issue_remedy(const Issue& issue, Language language) {
  const CatalogueEntry* entry = find_entry(fmt::format("issue.{}.remedy", issue.message.id));
  return entry ? fill(in(*entry, language), issue.message.arguments, language, {}) : std::string();
}

std::string reason_text(Reason reason, Language language) {
  const std::string& english = reason.text();
  if (language == Language::kEnglish) return printable(english);
  for (const CatalogueEntry& entry : reason_entries()) {
    if (entry.english == english) return std::string(entry.chinese);
    const std::optional<std::string_view> name = matched_name(entry.english, english);
    if (name) return expand(entry.chinese, [&](const Field&) { return printable(*name); });
  }
  return printable(english);
}

namespace {

/// The entry that `note` begins with, or whose {name} can be the rest of it.
const CatalogueEntry* first_sentence(std::string_view note) {
  for (const CatalogueEntry& entry : note_entries()) {
    if (note.starts_with(entry.english) || matched_name(entry.english, note)) return &entry;
  }
  return nullptr;
}

}  // namespace

std::string note_text(std::string_view note, Language language) {
  if (language == Language::kEnglish) return printable(note);
  std::string text;
  while (!note.empty()) {
    const CatalogueEntry* entry = first_sentence(note);
    if (!entry) {  // up to the next sentence
      const std::size_t end = note.find(". ");
      const std::size_t taken = end == std::string_view::npos ? note.size() : end + 2;
      text += printable(note.substr(0, taken));
      note.remove_prefix(taken);
      continue;
    }
    if (const auto name = matched_name(entry->english, note)) {
      return text + expand(entry->chinese, [&](const Field&) { return printable(*name); });
    }
    text += entry->chinese;
    note.remove_prefix(entry->english.size());
    while (note.starts_with(' ')) note.remove_prefix(1);
  }
  return text;
}

std::vector<std::string> template_arguments(std::string_view text) {
  std::vector<std::string> names;
  (void)expand(text, [&](const Field& field) {
    if (std::find(names.begin(), names.end(), field.name) == names.end()) names.emplace_back(field.name);
    return std::string();
  });
  return names;
}

}  // namespace ridge::render
