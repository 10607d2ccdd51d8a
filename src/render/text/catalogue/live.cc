// What `ridge profile` says while a program runs.
#include "render/text/catalogue/catalogue.h"

namespace ridge::render {
namespace {

// An entry is three lines: id, English, Chinese.
// clang-format off
constexpr CatalogueEntry kLive[] = {
    {"profile.kept",
     "the recording is in {path}; ridge report shows it again.",
     "记录已保存到 {path}；用 ridge report 可再次查看。"},
    {"profile.not-kept",
     "the recording was not kept; -o FILE.ridge keeps it.",
     "未保存记录；用 -o FILE.ridge 保存。"},
    {"profile.plan",
     "counters: {passes} {passes|pass|passes} for each kernel and shape, about {each} each, at most {at_most}; --budget changes it.",
     "计数器：每个内核和形状 {passes} 遍，每次约 {each}，最多 {at_most}；可用 --budget 更改。"},
    {"profile.shown-if-kept",
     "run again with -o FILE, then ridge report FILE --detail",
     "加 -o FILE 重新运行，再用 ridge report FILE --detail"},
};
// clang-format on

}  // namespace

std::span<const CatalogueEntry> live_entries() {
  return kLive;
}

}  // namespace ridge::render
