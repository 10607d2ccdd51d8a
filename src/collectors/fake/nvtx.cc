// NVTX as CUPTI hears of it: the program's NVTX loads this library where NVTX_INJECTION64_PATH names it, and gives it
// the table of its functions, in which those for ranges and marks are replaced. Each call becomes a callback and,
// where asked for, marker records.
//
// Only the default domain's functions with plain texts, which is what the fake program calls.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "collectors/fake/activity.h"
#include "collectors/fake/callbacks.h"
#include "collectors/fake/export.h"

namespace ridge::collectors::fake {
namespace {

constexpr std::uint32_t kCallbacksTable = 1;  // NVTX_ETID_CALLBACKS
constexpr int kCoreModule = 1;                // NVTX_CB_MODULE_CORE
// NvtxCallbackIdCore
enum : unsigned { kMarkA = 2, kRangeStartA = 5, kRangeEnd = 7, kRangePushA = 9, kRangePop = 11 };

using FunctionPointer = void (*)();
/// NvtxExportTableCallbacks
struct CallbacksTable {
  std::size_t size;
  int (*module_functions)(int module, FunctionPointer*** table, unsigned* count);
};
using ExportTable = const void* (*)(std::uint32_t);

struct EndParams {
  std::uint64_t id;
};
constexpr std::uint32_t kNvtxMarkA = 1;  // CUPTI_CBID_NVTX_nvtxMarkA

std::uint32_t new_id() {
  static std::atomic<std::uint32_t> next{1};
  return next.fetch_add(1);
}

std::vector<std::uint32_t>& open_ranges() {
  static thread_local std::vector<std::uint32_t> ranges;
  return ranges;
}

void mark(const char* text) {
  const abi::NvtxTextParams params{text};
  record_marker(abi::kMarkerInstantaneous, new_id(), text);
  tell_nvtx(kNvtxMarkA, "nvtxMarkA", &params);
}

int push(const char* text) {
  const abi::NvtxTextParams params{text};
  open_ranges().push_back(new_id());
  const int level = static_cast<int>(open_ranges().size()) - 1;
  record_marker(abi::kMarkerStart, open_ranges().back(), text);
  tell_nvtx(abi::kNvtxRangePushA, "nvtxRangePushA", &params, &level);
  return level;
}

int pop() {
  if (open_ranges().empty()) return -2;  // NVTX_NO_PUSH_POP_TRACKING
  void* nothing = nullptr;
  const int level = static_cast<int>(open_ranges().size()) - 1;
  record_marker(abi::kMarkerEnd, open_ranges().back(), nullptr);
  tell_nvtx(abi::kNvtxRangePop, "nvtxRangePop", &nothing, &level);
  open_ranges().pop_back();
  return level;
}

std::uint64_t start(const char* text) {
  const abi::NvtxTextParams params{text};
  const std::uint64_t id = new_id();
  record_marker(abi::kMarkerStart, static_cast<std::uint32_t>(id), text);
  tell_nvtx(abi::kNvtxRangeStartA, "nvtxRangeStartA", &params, &id);
  return id;
}

void end(std::uint64_t id) {
  const EndParams params{id};
  record_marker(abi::kMarkerEnd, static_cast<std::uint32_t>(id), nullptr);
  tell_nvtx(abi::kNvtxRangeEnd, "nvtxRangeEnd", &params);
}

template <class F>
void replace(FunctionPointer** table, unsigned count, unsigned at, F* function) {
  if (at <= count && table[at] != nullptr) *table[at] = reinterpret_cast<FunctionPointer>(function);
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): the vendor's names
RIDGE_FAKE_EXPORT int InitializeInjectionNvtx2(ExportTable export_table) {
  if (world() == nullptr || export_table == nullptr) return 0;
  const auto* callbacks = static_cast<const CallbacksTable*>(export_table(kCallbacksTable));
  FunctionPointer** table = nullptr;
  unsigned count = 0;
  if (callbacks == nullptr || callbacks->module_functions(kCoreModule, &table, &count) == 0) return 0;
  replace(table, count, kMarkA, &mark);
  replace(table, count, kRangePushA, &push);
  replace(table, count, kRangePop, &pop);
  replace(table, count, kRangeStartA, &start);
  replace(table, count, kRangeEnd, &end);
  return 1;
}

// NOLINTEND(readability-identifier-naming)

}  // namespace ridge::collectors::fake
