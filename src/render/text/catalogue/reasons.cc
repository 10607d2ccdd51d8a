#include "render/text/catalogue/catalogue.h"

namespace ridge::render {
namespace {

constexpr CatalogueEntry kReasons[] = {
    {"not collected", "not collected", "未采集"},
    {"divided by zero", "divided by zero", "除数为零"},
    {"not a finite number", "not a finite number", "不是有限数值"},
};

}  // namespace

std::span<const CatalogueEntry> reason_entries() {
  return kReasons;
}

}  // namespace ridge::render
