#include "emulator/job/draft.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/words.h"
#include "emulator/job/element.h"
#include "emulator/job/numbers.h"

namespace ridge::emulator {
namespace {

using Kind = ArgumentDraft::Kind;

Error wrong(const ArgumentDraft& draft, std::string what, std::string remedy) {
  return usage_error(std::move(what), draft.where, std::move(remedy));
}

/// save=, expect=, tolerance=, seed=: what may follow a buffer's type, elements and contents.
std::string* option_of(BufferDraft& buffer, std::string_view key) {
  if (key == "save") return &buffer.save;
  if (key == "expect") return &buffer.expect;
  if (key == "tolerance") return &buffer.tolerance;
  if (key == "seed") return &buffer.seed;
  return nullptr;
}

Result<void> read_option(ArgumentDraft& draft, std::string_view part, std::size_t equals) {
  std::string* const option = option_of(draft.buffer, part.substr(0, equals));
  if (option == nullptr) {
    return fail(wrong(draft, fmt::format("a buffer has no option '{}'", shown(part.substr(0, equals))),
                      "write save=FILE.npy, expect=FILE.npy, tolerance=X or seed=N"));
  }
  if (!option->empty()) {
    return fail(wrong(draft, fmt::format("'{}' is said twice", part.substr(0, equals)), "say it once"));
  }
  *option = trim(part.substr(equals + 1));
  if (!option->empty()) return {};
  return fail(wrong(draft, fmt::format("'{}' has no value", shown(part)), "write one after the ="));
}

/// The parts after those that stand at fixed places.
Result<void> read_options(ArgumentDraft& draft, const std::vector<std::string_view>& parts, std::size_t first) {
  for (std::size_t i = first; i < parts.size(); ++i) {
    const std::size_t equals = parts[i].find('=');
    if (equals == std::string_view::npos) {
      return fail(wrong(draft, fmt::format("'{}' is one part too many", shown(parts[i])),
                        "write TYPE:ELEMENTS:CONTENTS and then options such as save=FILE.npy"));
    }
    RIDGE_TRY(read_option(draft, parts[i], equals));
  }
  return {};
}

Result<void> read_typed_buffer(ArgumentDraft& draft, const std::vector<std::string_view>& parts) {
  draft.kind = Kind::kBuffer;
  draft.buffer.type = parts[0];
  if (parts[1].empty() && parts.size() < 3) {
    return fail(wrong(draft, fmt::format("'{}:' does not say how many elements", parts[0]), "write e.g. f32:1048576"));
  }
  draft.buffer.count = parts[1];
  std::size_t options = 2;
  if (parts.size() > 2 && parts[2].find('=') == std::string_view::npos) {
    draft.buffer.initial = parts[2];
    options = 3;
  }
  return read_options(draft, parts, options);
}

Result<void> read_structure(ArgumentDraft& draft, std::string_view text) {
  draft.kind = Kind::kStructure;
  const auto parts = split_outside(text.substr(1, text.size() - 2), ',');
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].starts_with('{')) {
      return fail(wrong(draft, "a structure in a structure", "write the fields of the inner one in its place"));
    }
    auto field = parse_argument(parts[i], fmt::format("{}, field {}", draft.where, i + 1), draft.folder);
    if (!field) return fail(field.error());
    const bool typed = field->kind == Kind::kScalar && !field->type.empty();
    if (!typed && field->kind != Kind::kBuffer && field->kind != Kind::kSame) {
      return fail(wrong(*field, fmt::format("the field '{}' has no type", shown(parts[i])),
                        "write it as TYPE=VALUE, e.g. {f32=2.5, u32=n}"));
    }
    draft.fields.push_back(*std::move(field));
  }
  return {};
}

Result<void> read_bytes(ArgumentDraft& draft, std::string_view digits) {
  draft.kind = Kind::kBytes;
  for (const char c : digits) {
    const bool digit = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    if (digit) draft.text += c;
    if (digit || c == ' ' || c == '_') continue;
    return fail(wrong(draft, fmt::format("'{}' is no hexadecimal number", shown(digits)), "write e.g. hex:00ff10"));
  }
  if (draft.text.empty() || draft.text.size() % 2 != 0) {
    return fail(wrong(draft, "the bytes are not whole", "write two hexadecimal digits a byte, e.g. hex:00ff10"));
  }
  return {};
}

bool is_npy(std::string_view part) {
  return part.ends_with(".npy");
}

Result<void> read_buffer(ArgumentDraft& draft, const std::vector<std::string_view>& parts) {
  if (is_npy(parts[0])) {
    draft.kind = Kind::kBuffer;
    draft.buffer.initial = parts[0];
    return read_options(draft, parts, 1);
  }
  if (element_type_named(parts[0])) return read_typed_buffer(draft, parts);
  return fail(
      wrong(draft, fmt::format("'{}' is no type of elements", shown(parts[0])), "write one of " + element_list()));
}

Result<void> read_scalar(ArgumentDraft& draft, std::string_view text) {
  const std::size_t equals = text.find('=');
  draft.text = text == "null" ? "0" : text;
  if (equals == std::string_view::npos) return {};
  draft.type = trim(text.substr(0, equals));
  draft.text = trim(text.substr(equals + 1));
  if (element_type_named(draft.type)) return {};
  return fail(
      wrong(draft, fmt::format("'{}' is no type of a number", shown(draft.type)), "write one of " + element_list()));
}

}  // namespace

Result<ArgumentDraft> parse_argument(std::string_view given, std::string where, std::string folder) {
  ArgumentDraft draft;
  draft.where = std::move(where);
  draft.folder = std::move(folder);
  const std::string_view text = trim(given);
  if (text.empty())
    return fail(wrong(draft, "an argument is empty", "write a number, or a buffer such as f32:n:random"));
  const auto parts = split_outside(text, ':');
  Result<void> read;
  if (text.front() == '{' && text.back() == '}' && text.size() > 2) {
    read = read_structure(draft, text);
  } else if (text.front() == '@') {
    draft.kind = Kind::kSame;
    draft.text = trim(text.substr(1));
  } else if (text.starts_with("hex:")) {
    read = read_bytes(draft, text.substr(4));
  } else if (parts.size() > 1 || is_npy(parts[0])) {
    read = read_buffer(draft, parts);
  } else {
    read = read_scalar(draft, text);
  }
  if (!read) return fail(read.error());
  return draft;
}

Result<std::pair<std::string, Text>> parse_setting(std::string_view text, std::string where) {
  const std::size_t equals = text.find('=');
  const std::string_view name = trim(text.substr(0, equals));
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto fits = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); };
  const bool is_name = !name.empty() && is_letter(name.front()) && std::all_of(name.begin(), name.end(), fits);
  if (equals == std::string_view::npos || !is_name) {
    return fail(usage_error(fmt::format("'{}' gives no name a value", shown(text)), std::move(where),
                            "write NAME=VALUE, e.g. --set n=1024"));
  }
  return std::pair(std::string(name), Text{std::string(trim(text.substr(equals + 1))), std::move(where)});
}

JobDraft overridden(JobDraft file, JobDraft line) {
  const auto over = [](std::optional<Text>& below, std::optional<Text>& above) {
    if (above) below = std::move(above);
  };
  over(file.kernel, line.kernel);
  over(file.grid, line.grid);
  over(file.block, line.block);
  over(file.cluster, line.cluster);
  over(file.dynamic_shared, line.dynamic_shared);
  for (auto& setting : line.names) {
    const auto same = std::find_if(file.names.begin(), file.names.end(),
                                   [&](const auto& known) { return known.first == setting.first; });
    if (same == file.names.end()) {
      file.names.push_back(std::move(setting));
    } else {
      same->second = std::move(setting.second);
    }
  }
  if (!line.arguments.empty()) file.arguments = std::move(line.arguments);
  return file;
}

}  // namespace ridge::emulator
