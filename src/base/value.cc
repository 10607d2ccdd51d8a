#include "ridgepoint/base/value.h"

#include <mutex>
#include <unordered_set>

namespace ridge {

std::string_view name(Provenance provenance) {
  switch (provenance) {
    case Provenance::kMeasured:
      return "measured";
    case Provenance::kSampled:
      return "sampled";
    case Provenance::kCounted:
      return "counted";
    case Provenance::kReported:
      return "reported";
    case Provenance::kModelled:
      return "modelled";
    case Provenance::kDeclared:
      return "declared";
    case Provenance::kDatasheet:
      return "datasheet";
  }
  return "datasheet";
}

namespace {

/// Nodes of an unordered_set never move, so pointers into it stay valid while the program runs.
const std::string* intern(std::string_view text) {
  static std::mutex mutex;
  // allow(new): never destroyed, so that reasons outlive static destruction
  static auto* pool = new std::unordered_set<std::string>();
  const std::lock_guard lock(mutex);
  return &*pool->emplace(text).first;
}

constexpr std::string_view kDefaultReason = "not collected";

}  // namespace

Reason::Reason(std::string_view text) : text_(text == kDefaultReason ? nullptr : intern(text)) {}

const std::string& Reason::text() const {
  static const std::string* const default_text = intern(kDefaultReason);
  return text_ == nullptr ? *default_text : *text_;
}

}  // namespace ridge
