#include "collectors/fake/metrics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "collectors/fake/metric_names.h"

namespace ridge::collectors::fake {
namespace {

constexpr double kSector = 32;

/// Adds what the pattern stands for, the first {} first.
void expand(std::string_view pattern, std::vector<std::string>& into) {
  const std::size_t open = pattern.find('{');
  if (open == std::string_view::npos) {
    into.emplace_back(pattern);
    return;
  }
  const std::size_t close = pattern.find('}', open);
  std::string_view choices = pattern.substr(open + 1, close - open - 1);
  while (true) {
    const std::size_t comma = std::min(choices.find(','), choices.size());
    std::string one(pattern.substr(0, open));
    one.append(choices.substr(0, comma)).append(pattern.substr(close + 1));
    expand(one, into);
    if (comma == choices.size()) return;
    choices.remove_prefix(comma + 1);
  }
}

struct Known {
  MetricClass type;
  bool sampled;
};

class Catalogue {
 public:
  static const Catalogue& get() {
    static const Catalogue catalogue;
    return catalogue;
  }
  [[nodiscard]] const Known* find(std::string_view base) const {
    const auto at = names_.find(base);
    return at == names_.end() ? nullptr : &at->second;
  }
  [[nodiscard]] const std::vector<const char*>& list(MetricClass type, bool sampled) const {
    return lists_[static_cast<std::size_t>(type)][sampled ? 1 : 0];
  }

 private:
  Catalogue() {
    add(MetricClass::kCounter, kCounterPatterns);
    add(MetricClass::kRatio, kRatioPatterns);
    add(MetricClass::kThroughput, kThroughputPatterns);
    for (const auto& [name, known] : names_) {
      auto& lists = lists_[static_cast<std::size_t>(known.type)];
      lists[0].push_back(name.c_str());
      if (known.sampled) lists[1].push_back(name.c_str());
    }
  }
  void add(MetricClass type, std::span<const Pattern> patterns) {
    for (const Pattern& pattern : patterns) {
      std::vector<std::string> names;
      expand(pattern.text, names);
      for (std::string& name : names) names_.emplace(std::move(name), Known{type, pattern.sampled});
    }
  }
  std::map<std::string, Known, std::less<>> names_;
  std::vector<const char*> lists_[3][2];
};

std::string_view unit_of(std::string_view base) {
  return base.substr(0, std::min(base.find("__"), base.size()));
}

double instances(std::string_view unit, const Device& device) {
  if (unit == "sm" || unit == "l1tex") return device.sms;
  if (unit == "smsp") return 4.0 * device.sms;
  if (unit == "lts") return 96;
  if (unit == "dram") return device.bus_bits / 64.0;
  if (unit == "gpc") return 8;
  return 1;
}

double clock_of(std::string_view unit, const Device& device) {
  return unit == "dram" ? device.memory_clock : device.sm_clock;
}

/// What one instance counts at most in a cycle.
double peak(std::string_view base, const Device& device) {
  const std::string_view unit = unit_of(base);
  if (unit == "dram" && base.find("bytes") != std::string_view::npos) {
    return device.dram_rate / device.memory_clock / instances(unit, device);
  }
  if (unit == "dram" && base.find("sectors") != std::string_view::npos) {
    return device.dram_rate / device.memory_clock / instances(unit, device) / kSector;
  }
  if (base.find("warps_active") != std::string_view::npos) return unit == "smsp" ? 16 : 64;
  if (base.find("thread_inst_executed") != std::string_view::npos) return unit == "sm" ? 128 : 32;
  if (base == "lts__t_bytes") return 64;
  if (base == "lts__t_sectors") return 2;
  return 1;
}

/// A base name that follows from others: factor x amount, added up. "@..." are facts of the launch.
struct Term {
  std::string_view of;
  double factor;
};
struct Rule {
  std::string_view base;
  Term terms[3];
};
constexpr Rule kRules[] = {
    {"dram__bytes_read", {{"dram__sectors_read", kSector}}},
    {"dram__bytes_write", {{"dram__sectors_write", kSector}}},
    {"dram__sectors_read", {{"@threads", 8 / kSector}}},
    {"dram__sectors_write", {{"@threads", 4 / kSector}}},
    {"dram__bytes", {{"dram__bytes_read", 1}, {"dram__bytes_write", 1}}},
    {"dram__sectors", {{"dram__bytes", 1 / kSector}}},
    {"lts__t_sectors_op_read", {{"dram__bytes_read", 1 / kSector}}},
    {"lts__t_sectors_op_write", {{"dram__bytes_write", 1 / kSector}}},
    {"lts__t_sectors", {{"lts__t_sectors_op_read", 1}, {"lts__t_sectors_op_write", 1}}},
    {"lts__t_bytes", {{"lts__t_sectors", kSector}}},
    {"lts__t_requests", {{"lts__t_sectors", 0.25}}},
    {"lts__t_tag_requests", {{"lts__t_sectors", 0.25}}},
    {"lts__t_requests_op_read", {{"lts__t_sectors_op_read", 0.25}}},
    {"lts__t_requests_op_write", {{"lts__t_sectors_op_write", 0.25}}},
    {"lts__t_sectors_srcunit_tex_op_read", {{"lts__t_sectors_op_read", 1}}},
    {"lts__t_sectors_srcunit_tex_op_write", {{"lts__t_sectors_op_write", 1}}},
    {"lts__t_sectors_srcunit_tex",
     {{"lts__t_sectors_srcunit_tex_op_read", 1}, {"lts__t_sectors_srcunit_tex_op_write", 1}}},
    {"lts__t_sectors_srcunit_tex_aperture_device", {{"lts__t_sectors_srcunit_tex", 1}}},
    {"lts__lts2xbar_cycles_active", {{"lts__t_sectors_op_read", 1}}},
    {"l1tex__m_xbar2l1tex_read_sectors", {{"lts__t_sectors_srcunit_tex_op_read", 1}}},
    {"l1tex__m_xbar2l1tex_read_bytes", {{"l1tex__m_xbar2l1tex_read_sectors", kSector}}},
    {"l1tex__m_l1tex2xbar_write_sectors", {{"lts__t_sectors_srcunit_tex_op_write", 1}}},
    {"l1tex__m_l1tex2xbar_write_bytes", {{"l1tex__m_l1tex2xbar_write_sectors", kSector}}},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld", {{"lts__t_sectors_op_read", 1}}},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st", {{"lts__t_sectors_op_write", 1}}},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_ld", {{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld", 0.25}}},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_st", {{"l1tex__t_sectors_pipe_lsu_mem_global_op_st", 0.25}}},
    {"l1tex__t_bytes_pipe_lsu_mem_global_op_ld", {{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld", kSector}}},
    {"l1tex__t_bytes_pipe_lsu_mem_global_op_st", {{"l1tex__t_sectors_pipe_lsu_mem_global_op_st", kSector}}},
    {"l1tex__t_sectors",
     {{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld", 1}, {"l1tex__t_sectors_pipe_lsu_mem_global_op_st", 1}}},
    {"l1tex__t_bytes", {{"l1tex__t_sectors", kSector}}},
    {"l1tex__t_bytes_pipe_lsu_mem_lg", {{"l1tex__t_bytes", 1}}},
    {"l1tex__t_requests", {{"l1tex__t_sectors", 0.25}}},
    {"l1tex__data_pipe_lsu_wavefronts", {{"l1tex__t_requests", 1}, {"l1tex__data_pipe_lsu_wavefronts_mem_shared", 1}}},
    {"l1tex__lsu_writeback_active", {{"l1tex__t_requests_pipe_lsu_mem_global_op_ld", 1}}},
    {"l1tex__lsu_writeback_active_mem_lgds", {{"l1tex__lsu_writeback_active", 1}}},
    {"smsp__sass_thread_inst_executed_op_fp32_pred_on",
     {{"smsp__sass_thread_inst_executed_op_fadd_pred_on", 1},
      {"smsp__sass_thread_inst_executed_op_fmul_pred_on", 1},
      {"smsp__sass_thread_inst_executed_op_ffma_pred_on", 1}}},
    {"smsp__sass_thread_inst_executed_op_fp64_pred_on",
     {{"smsp__sass_thread_inst_executed_op_dadd_pred_on", 1},
      {"smsp__sass_thread_inst_executed_op_dmul_pred_on", 1},
      {"smsp__sass_thread_inst_executed_op_dfma_pred_on", 1}}},
    {"smsp__inst_executed",
     {{"@warps", 16},
      {"smsp__sass_thread_inst_executed_op_fp32_pred_on", 1.0 / 32},
      {"smsp__sass_thread_inst_executed_op_fp64_pred_on", 1.0 / 32}}},
    {"smsp__inst_issued", {{"smsp__inst_executed", 1}}},
    {"smsp__issue_active", {{"smsp__inst_issued", 1}}},
    {"smsp__thread_inst_executed", {{"smsp__inst_executed", 32}}},
    {"smsp__thread_inst_executed_pred_on", {{"smsp__thread_inst_executed", 1}}},
    {"smsp__warps_launched", {{"@warps", 1}}},
    {"smsp__warps_active", {{"sm__warps_active", 1}}},
    {"smsp__warps_eligible", {{"sm__warps_active", 0.125}}},
    {"smsp__warps_issue_stalled_long_scoreboard", {{"sm__warps_active", 0.5}}},
    {"sm__inst_executed", {{"smsp__inst_executed", 1}}},
    {"sm__issue_active", {{"smsp__issue_active", 1}}},
    {"sm__ctas_launched", {{"@blocks", 1}}},
    {"sm__warps_launched", {{"@warps", 1}}},
    {"sm__warps_active", {{"@sm cycles", kActiveShare * 32}}},
    {"sm__ctas_active", {{"@sm cycles", kActiveShare * 4}}},
    {"sm__inst_executed_pipe_fma", {{"smsp__sass_thread_inst_executed_op_fp32_pred_on", 1.0 / 32}}},
    {"sm__inst_executed_pipe_fp64", {{"smsp__sass_thread_inst_executed_op_fp64_pred_on", 1.0 / 32}}},
    {"gpu__time_active", {{"@time", 1e9}}},
    {"sm__pipe_tensor_cycles_active_realtime", {{"sm__pipe_tensor_cycles_active", 1}}},
};

struct Ratio {
  std::string_view part;  ///< of the base name
  double value;
};
constexpr Ratio kRatios[] = {{"hit_rate", 0.5},  {"sectors_per_request", 4}, {"long_scoreboard", 4},
                             {"selected", 1},    {"_per_inst_executed", 32}, {"latency", 8},
                             {"warps_active", 8}};

double fact(std::string_view name, const Execution& execution) {
  if (name == "@threads") return execution.threads;
  if (name == "@warps") return execution.warps;
  if (name == "@blocks") return execution.blocks;
  if (name == "@time") return execution.seconds;
  return execution.seconds * execution.device->sm_clock * execution.device->sms;  // "@sm cycles"
}

double scaled(const Count& count, const Execution& execution) {
  switch (count.per) {
    case Count::Per::kBlock:
      return count.amount * execution.blocks;
    case Count::Per::kWarp:
      return count.amount * execution.warps;
    case Count::Per::kThread:
      return count.amount * execution.threads;
    case Count::Per::kLaunch:
      break;
  }
  return count.amount;
}

/// How much of a form's value one counted unit is worth; forms that do not depend on what was counted have none.
double worth(const MetricName& name, const Window& window, const Device& device) {
  if (name.type == MetricClass::kRatio) return name.form == "pct" ? 100 : 1;
  if (name.type == MetricClass::kThroughput) return 1;
  const std::string_view unit = unit_of(name.base);
  const double count = instances(unit, device);
  const double rolled = name.rollup == "sum" ? 1 : 1 / count;
  const double elapsed = window.seconds * clock_of(unit, device), active = window.active * clock_of(unit, device);
  if (name.form.empty()) return rolled;
  if (name.form == "per_second") return rolled / window.seconds;
  if (name.form == "per_cycle_elapsed") return rolled / elapsed;
  if (name.form == "per_cycle_active") return rolled / active;
  if (name.form == "pct_of_peak_sustained_elapsed") return 100 / (peak(name.base, device) * count * elapsed);
  return 100 / (peak(name.base, device) * count * active);
}

bool is_peak(const MetricName& name) {
  return name.type == MetricClass::kCounter && name.form.substr(0, 14) == "peak_sustained";
}

double peak_value(const MetricName& name, const Window& window, const Device& device) {
  const std::string_view unit = unit_of(name.base);
  double value = peak(name.base, device) * (name.rollup == "sum" ? instances(unit, device) : 1);
  if (name.form.ends_with("per_second")) return value * clock_of(unit, device);
  if (name.form.ends_with("elapsed")) value *= window.seconds * clock_of(unit, device);
  if (name.form.ends_with("active")) value *= window.active * clock_of(unit, device);
  return value;
}

/// What the script lists for the base name in any form, as a sum. False: nothing.
bool listed(std::string_view base, const Execution& execution, double& amount) {
  const auto& counts = execution.kernel->counts;
  for (auto at = counts.lower_bound(base); at != counts.end() && at->first.starts_with(base); ++at) {
    MetricName name;
    if (!parse_metric(at->first, false, name) || name.base != base || is_peak(name)) continue;
    const Window window{execution.seconds, execution.seconds * kActiveShare};
    amount = scaled(at->second, execution) / worth(name, window, *execution.device);
    return true;
  }
  return false;
}

/// As listed(), and bytes from sectors and sectors from bytes of the same thing.
bool listed_or_twin(std::string_view base, const Execution& execution, double& amount) {
  if (listed(base, execution, amount)) return true;
  constexpr std::string_view kBytes = "bytes", kSectors = "sectors";
  for (const bool bytes : {true, false}) {
    const std::string_view mine = bytes ? kBytes : kSectors, other = bytes ? kSectors : kBytes;
    const std::size_t at = base.find(mine);
    if (at == std::string_view::npos) continue;
    std::string twin(base);
    twin.replace(at, mine.size(), other);
    if (!listed(twin, execution, amount)) continue;
    amount *= bytes ? kSector : 1 / kSector;
    return true;
  }
  return false;
}

double ratio(std::string_view base) {
  for (const Ratio& one : kRatios) {
    if (base.find(one.part) != std::string_view::npos) return one.value;
  }
  return 0.25;
}

double derived(std::string_view base, const Execution& execution) {
  // Counters of opcodes are told for each SM too: the same thing, added up.
  if (base.starts_with("sm__sass_")) return counted("smsp" + std::string(base.substr(2)), execution);
  double per_second = 0;
  if (counts_time(base, *execution.device, per_second)) return per_second * execution.seconds;
  if (base.ends_with("__cycles_active")) {
    const std::string_view unit = unit_of(base);
    return kActiveShare * execution.seconds * clock_of(unit, *execution.device) * instances(unit, *execution.device);
  }
  for (const Rule& rule : kRules) {
    if (rule.base != base) continue;
    double sum = 0;
    for (const Term& term : rule.terms) {
      if (term.of.empty()) break;
      sum += term.factor * (term.of.front() == '@' ? fact(term.of, execution) : counted(term.of, execution));
    }
    return sum;
  }
  return 0;
}

/// The counter whose share of its peak a throughput is.
double throughput(std::string_view base, const Execution& execution) {
  const std::string_view unit = unit_of(base);
  const bool dram = unit == "dram" || unit == "gpu";
  const std::string_view of = dram ? "dram__bytes" : unit == "lts" ? "lts__t_sectors" : "sm__inst_executed";
  const MetricName name{of, "avg", "pct_of_peak_sustained_elapsed", MetricClass::kCounter};
  const Window window{execution.seconds, execution.seconds * kActiveShare};
  return std::min(100.0, form_value(name, counted(of, execution), window, *execution.device));
}

}  // namespace

bool knows_chip(std::string_view chip) {
  return chip == "GH100";
}

const std::vector<const char*>& base_metrics(MetricClass type, bool sampled) {
  return Catalogue::get().list(type, sampled);
}

const std::vector<const char*>& forms(MetricClass type) {
  static const auto lists = [] {
    std::vector<std::string> texts[3];
    expand(
        ".{avg,max,min,sum}{,.peak_sustained,.peak_sustained_active,.peak_sustained_active.per_second,"
        ".peak_sustained_elapsed,.peak_sustained_elapsed.per_second,.per_cycle_active,.per_cycle_elapsed,.per_second,"
        ".pct_of_peak_sustained_active,.pct_of_peak_sustained_elapsed}",
        texts[0]);
    expand(".{max_rate,pct,ratio}", texts[1]);
    expand(".{avg,max,min,sum}.pct_of_peak_sustained_{active,elapsed}", texts[2]);
    // Kept for ever, so that the pointers stay good.
    static std::vector<std::string> kept[3];
    std::vector<std::vector<const char*>> pointers(3);
    for (std::size_t i = 0; i < 3; ++i) {
      kept[i] = std::move(texts[i]);
      for (const std::string& text : kept[i]) pointers[i].push_back(text.c_str());
    }
    return pointers;
  }();
  return lists[static_cast<std::size_t>(type)];
}

bool parse_metric(std::string_view text, bool sampled, MetricName& name) {
  const std::size_t dot = std::min(text.find('.'), text.size());
  const Known* known = Catalogue::get().find(text.substr(0, dot));
  if (known == nullptr || (sampled && !known->sampled)) return false;
  const std::string_view rest = text.substr(dot);
  const auto& all = forms(known->type);
  if (std::none_of(all.begin(), all.end(), [&](const char* form) { return rest == form; })) return false;
  name = {text.substr(0, dot), {}, rest.substr(1), known->type};
  if (known->type == MetricClass::kRatio) return true;
  const std::size_t second = std::min(name.form.find('.'), name.form.size());
  name.rollup = name.form.substr(0, second);
  name.form.remove_prefix(std::min(second + 1, name.form.size()));
  return true;
}

std::size_t passes_of(std::span<const std::string> names) {
  constexpr std::size_t kPerPass = 8, kTensorPerPass = 3;
  std::map<std::string_view, std::set<std::string_view>> units;
  std::set<std::string_view> opcodes, tensor;
  for (const std::string& text : names) {
    MetricName name;
    if (!parse_metric(text, false, name)) continue;
    if (name.base.find("_sass_") != std::string_view::npos) {
      opcodes.insert(name.base);
    } else if (name.base.find("ops_path_tensor") != std::string_view::npos) {
      tensor.insert(name.base);
    } else {
      units[unit_of(name.base)].insert(name.base);
    }
  }
  std::size_t most = 0;
  for (const auto& [unit, bases] : units) most = std::max(most, (bases.size() + kPerPass - 1) / kPerPass);
  return most + (opcodes.empty() ? 0 : 1) + (tensor.size() + kTensorPerPass - 1) / kTensorPerPass;
}

bool counts_time(std::string_view base, const Device& device, double& per_second) {
  if (base == "gpu__time_duration") {
    per_second = 1e9;
    return true;
  }
  if (!base.ends_with("__cycles_elapsed")) return false;
  const std::string_view unit = unit_of(base);
  per_second = clock_of(unit, device) * instances(unit, device);
  return true;
}

double counted(std::string_view base, const Execution& execution) {
  const std::string_view unit = unit_of(base);
  if (execution.device->mig && (unit == "dram" || unit == "lts")) return std::numeric_limits<double>::quiet_NaN();
  double amount = 0;
  if (listed_or_twin(base, execution, amount)) return amount;
  const Known* known = Catalogue::get().find(base);
  if (known != nullptr && known->type == MetricClass::kRatio) return ratio(base);
  if (known != nullptr && known->type == MetricClass::kThroughput) return throughput(base, execution);
  return derived(base, execution);
}

double form_value(const MetricName& name, double amount, const Window& window, const Device& device) {
  if (is_peak(name)) return peak_value(name, window, device);
  return amount == 0 ? 0 : amount * worth(name, window, device);
}

}  // namespace ridge::collectors::fake
