// Every sentence and term a reader sees, in English and Chinese. Elsewhere a message is an id with named arguments
// (model/message.h); here it becomes text.
//
// Ids: "issue.<id>" with "issue.<id>.remedy"; "rule.<rule>" (the advice) with "rule.<rule>.title"; "verdict.*",
// "summary.*", "comparison.*" sentences; and terms: "resource.*", "limiter.*", "provenance.*", "severity.*", "side.*",
// "basis.*", "column.*", "label.*". The tables are in text/catalogue/.
// A field is {name}, or {name|one|many} for the word that fits the number: "{kernels} {kernels|kernel|kernels}".
// Not modelled: more than two forms of number, word order by gender or case.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ridgepoint/base/value.h"
#include "ridgepoint/model/issue.h"
#include "ridgepoint/model/message.h"

namespace ridge::render {

enum class Language : unsigned char { kEnglish, kChinese };

/// "en" and "zh"; anything else is English.
[[nodiscard]] Language parse_language(std::string_view text);

struct CatalogueEntry {
  std::string_view id, english, chinese;
};

/// What kernels are called in one report, by their ids.
using KernelNames = std::map<std::string, std::string>;

/// All entries, sorted by id, each id once.
[[nodiscard]] std::span<const CatalogueEntry> catalogue();
[[nodiscard]] const CatalogueEntry* find_entry(std::string_view id);

/// The sentence with its arguments filled in. A text argument that is itself a term is translated: argument `limiter`
/// with the value "registers" becomes the entry "limiter.registers". Control characters of arguments are made visible.
/// An id the catalogue does not have gives the id and every argument, never nothing.
/// Arguments `kernel`, `slower` and `faster` that are ids in `kernels` show the name found there.
[[nodiscard]] std::string render_message(const Message& message, Language language, const KernelNames& kernels = {});

/// A term or a fixed label; the id itself when the catalogue does not have it.
[[nodiscard]] std::string text_of(std::string_view id, Language language);

/// The entry "<kind>.<value>" or, when there is none, `value` made printable.
[[nodiscard]] std::string term(std::string_view kind, std::string_view value, Language language);

/// What a person calls a resource: "DRAM", "fp32 pipe", "bf16 tensor cores (wgmma)". Empty stays empty.
[[nodiscard]] std::string resource_name(std::string_view resource, Language language);

/// For narrow columns: "fp32", "shared", "bf16 wgmma".
[[nodiscard]] std::string short_resource_name(std::string_view resource, Language language);

[[nodiscard]] std::string issue_text(const Issue& issue, Language language);
/// What to do about it; empty if the catalogue knows no remedy.
[[nodiscard]] std::string issue_remedy(const Issue& issue, Language language);

/// Why a value is missing. Reasons are sentences, not ids: one without a translation stays English.
[[nodiscard]] std::string reason_text(Reason reason, Language language);

/// A machine's note, or its name where that is made up. In Chinese each sentence that the catalogue knows is
/// translated; the others stay as they are.
[[nodiscard]] std::string note_text(std::string_view note, Language language);

/// Names between braces, in order, each once: {"kernel", "sectors"}.
[[nodiscard]] std::vector<std::string> template_arguments(std::string_view text);

}  // namespace ridge::render
