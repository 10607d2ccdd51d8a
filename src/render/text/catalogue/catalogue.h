// The tables of the message catalogue, one file each; text/messages.h puts them together.
#pragma once

#include <span>

#include "render/text/messages.h"

namespace ridge::render {

[[nodiscard]] std::span<const CatalogueEntry> issue_entries();
[[nodiscard]] std::span<const CatalogueEntry> profile_issue_entries();  ///< of live recordings
[[nodiscard]] std::span<const CatalogueEntry> rule_entries();
[[nodiscard]] std::span<const CatalogueEntry> sentence_entries();  ///< verdicts, summaries, comparisons, steps
[[nodiscard]] std::span<const CatalogueEntry> cause_entries();     ///< stalls, causes above a roof and of the gap
[[nodiscard]] std::span<const CatalogueEntry> term_entries();      ///< resources, limiters, columns, labels
[[nodiscard]] std::span<const CatalogueEntry> live_entries();      ///< what `ridge profile` says meanwhile
[[nodiscard]] std::span<const CatalogueEntry> doctor_entries();    ///< what `ridge doctor` says
[[nodiscard]] std::span<const CatalogueEntry> reason_entries();    ///< the id is the English text
[[nodiscard]] std::span<const CatalogueEntry> note_entries();      ///< sentences; the id is the English text

}  // namespace ridge::render
