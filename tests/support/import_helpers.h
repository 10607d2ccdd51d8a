// Importing from memory and asking a profile for one thing, for tests.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "base/decompress.h"
#include "importers/importer.h"

namespace ridge::testing {

inline Result<Profile> import_text(std::string_view bytes, const ImportOptions& options = {}) {
  ByteReader reader(decoded(memory_source(bytes), "test"));
  return import_bytes(reader, "test", options);
}

/// The raw counter of a launch, or NaN when it is not there.
inline double raw_value(const Profile& profile, std::size_t launch, std::string_view metric) {
  const Measurement* const measurement = measurement_of(profile, profile.launches[launch]);
  if (measurement == nullptr) return std::nan("");
  for (const RawMetric& raw : measurement->raw) {
    if (profile.metrics[raw.metric].name == metric) return raw.value;
  }
  return std::nan("");
}

inline const Issue* find_issue(const Profile& profile, std::string_view id) {
  for (const Issue& issue : profile.issues) {
    if (issue.message.id == id) return &issue;
  }
  return nullptr;
}

inline double issue_number(const Issue& issue, std::string_view argument) {
  for (const Argument& a : issue.message.arguments) {
    if (a.name != argument) continue;
    const double* const number = std::get_if<double>(&a.value);
    return number != nullptr ? *number : std::nan("");
  }
  return std::nan("");
}

inline std::string issue_text(const Issue& issue, std::string_view argument) {
  for (const Argument& a : issue.message.arguments) {
    if (a.name != argument) continue;
    const std::string* const text = std::get_if<std::string>(&a.value);
    return text != nullptr ? *text : "";
  }
  return "";
}

}  // namespace ridge::testing
