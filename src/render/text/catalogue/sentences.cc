#include "render/text/catalogue/catalogue.h"

namespace ridge::render {
namespace {

constexpr CatalogueEntry kSentences[] = {
    {"summary.memory-bound", "Most of the time is spent in memory-bound kernels", "大部分时间花在访存受限的内核上"},
};

}  // namespace

std::span<const CatalogueEntry> sentence_entries() {
  return kSentences;
}

}  // namespace ridge::render
