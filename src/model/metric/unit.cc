#include "model/metric/unit.h"

namespace ridge {
namespace {

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

struct NamePart {
  std::string_view part;
  std::string_view unit;
};
// What a counter's name counts; the first match wins, so that "cycles_active" of a pipe is cycles, not instructions.
constexpr NamePart kCounted[] = {
    {"cycles_", "cycle"},
    {"bytes", "byte"},
    {"sectors", "sector"},
    {"requests", "request"},
    {"wavefronts", "wavefront"},
    {"thread_inst_executed", "inst"},
    {"inst_executed", "inst"},
    {"inst_issued", "inst"},
    {"warps_active", "warp"},
    {"warps_eligible", "warp"},
    {"warps_launched", "warp"},
    {"registers_per_thread", "register/thread"},
    {"shared_mem_per_block", "byte/block"},
    {"shared_mem_config_size", "byte"},
};

std::string_view counted(std::string_view metric) {
  for (const NamePart& entry : kCounted) {
    if (contains(metric, entry.part)) return entry.unit;
  }
  return {};
}

}  // namespace

MetricUnit unit_of_metric(std::string_view metric) {
  if (contains(metric, "time_duration") || contains(metric, "time_active") || contains(metric, "interval_time")) {
    return {"s", 1e-9};
  }
  if (metric.ends_with("_ns") || metric.ends_with("timestamp.min") || metric.ends_with("timestamp.max")) {
    return {"s", 1e-9};
  }
  if (metric.ends_with("pct") || contains(metric, ".pct_of_")) return {"%", 1};
  const bool is_ratio = metric.ends_with(".ratio") || metric.ends_with(".max_rate");
  if (is_ratio || metric.starts_with("device__attribute")) return {};
  const std::string_view what = counted(metric);
  if (what.empty()) return {};
  if (metric.ends_with(".per_second")) return {what == "cycle" ? "hz" : std::string(what) + "/s", 1};
  if (contains(metric, ".per_cycle_") || metric.ends_with(".peak_sustained")) return {std::string(what) + "/cycle", 1};
  return {std::string(what), 1};
}

}  // namespace ridge
