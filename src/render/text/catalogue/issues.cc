#include "render/text/catalogue/catalogue.h"

namespace ridge::render {
namespace {

constexpr CatalogueEntry kIssues[] = {
    {"issue.truncated", "The file ends early; {lost} could not be read", "文件不完整，有 {lost} 无法读取"},
    {"issue.truncated.remedy", "Copy or record the file again", "请重新复制或重新采集该文件"},
};

}  // namespace

std::span<const CatalogueEntry> issue_entries() {
  return kIssues;
}

}  // namespace ridge::render
