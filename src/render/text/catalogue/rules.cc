#include "render/text/catalogue/catalogue.h"

namespace ridge::render {
namespace {

constexpr CatalogueEntry kRules[] = {
    {"rule.uncoalesced-access", "Threads of a warp touch scattered addresses: {excess} sectors, {share} of all, carry nothing that was asked for. Let neighbouring threads read neighbouring elements", "同一线程束的线程访问分散的地址：{excess} 个扇区（占 {share}）没有携带有用数据。应让相邻线程读取相邻元素"},
    {"rule.uncoalesced-access.title", "uncoalesced access", "未合并访问"},
};

}  // namespace

std::span<const CatalogueEntry> rule_entries() {
  return kRules;
}

}  // namespace ridge::render
