#include "analysis/doctor/diagnose.h"

#include <algorithm>
#include <array>
#include <optional>

namespace ridge::doctor {
namespace {

Argument text(std::string name, std::string value) {
  return {std::move(name), std::move(value), Unit::kNone};
}
Argument count(std::string name, std::size_t value) {
  return {std::move(name), static_cast<double>(value), Unit::kCount};
}
Message message(const std::string& id, std::vector<Argument> arguments = {}) {
  return Message("doctor." + id, std::move(arguments));
}
Fix fix(Where where, const std::string& id, std::vector<Argument> arguments = {}) {
  return {where, message("fix-" + id, std::move(arguments))};
}

std::string names_of(const std::vector<HostProcess>& processes) {
  std::string names;
  for (const HostProcess& process : processes) {
    const std::string id = std::to_string(process.id);
    names += (names.empty() ? "" : ", ") + (process.name.empty() ? id : process.name + " (" + id + ")");
  }
  return names;
}

bool contains(const std::string& whole, std::string_view part) {
  return whole.find(part) != std::string::npos;
}

/// What an attempt at the counters says. Its words hold CUPTI's name of the error.
enum class Refusal : unsigned char { kForbidden, kBusy, kOther };
Refusal refusal_of(const std::string& reason) {
  if (contains(reason, "INSUFFICIENT_PRIVILEGES") || contains(reason, "VIRTUALIZED_DEVICE_INSUFFICIENT")) {
    return Refusal::kForbidden;
  }
  return contains(reason, "HARDWARE_BUSY") ? Refusal::kBusy : Refusal::kOther;
}

class Doctor {
 public:
  explicit Doctor(const Facts& facts) : facts_(facts) {}

  Diagnosis examine() {
    surroundings();
    const std::optional<Finding> no_timing = first_obstacle();
    gpus();
    cupti();
    counters_of_gpus();
    restricted();
    others();
    tiers(no_timing);
    for (Finding& finding : diagnosis_.findings) put_own_place_first(finding.fixes);
    for (TierState& tier : diagnosis_.tiers) put_own_place_first(tier.fixes);
    std::stable_sort(diagnosis_.findings.begin(), diagnosis_.findings.end(),
                     [](const Finding& a, const Finding& b) { return a.level > b.level; });
    return std::move(diagnosis_);
  }

 private:
  void add(Level level, Message message, std::vector<Fix> fixes = {}) {
    diagnosis_.findings.push_back({level, std::move(message), std::move(fixes)});
  }
  void put_own_place_first(std::vector<Fix>& fixes) const {
    const auto is_own = [this](const Fix& each) {
      return each.where == Where::kHere || (each.where == Where::kContainer && !facts_.container.empty()) ||
             (each.where == Where::kWsl && facts_.wsl);
    };
    std::stable_partition(fixes.begin(), fixes.end(), is_own);
  }

  void surroundings() {
    if (facts_.wsl) add(Level::kNote, message("wsl"));
    if (!facts_.container.empty()) add(Level::kNote, message("container", {text("container", facts_.container)}));
  }

  /// What keeps even the times of kernels from being taken: all such findings are added, the first is returned.
  std::optional<Finding> first_obstacle() {
    std::optional<Finding> first;
    for (const auto& found : {driver(), library_of_cupti(), agent(), injection()}) {
      if (!found) continue;
      diagnosis_.findings.push_back(*found);
      if (!first) first = found;
    }
    return first;
  }

  std::optional<Finding> driver() {
    const DriverFacts& driver = facts_.driver;
    if (!driver.module_version.empty() && !driver.version.empty() && driver.module_version != driver.version) {
      add(Level::kProblem,
          message("driver-mismatch", {text("module", driver.module_version), text("version", driver.version)}),
          mismatch_fixes());
    }
    if (driver.library.empty()) return no_library();
    if (!driver.init_error.empty()) return no_start();
    if (facts_.gpus.empty()) return Finding{Level::kProblem, message("no-gpu"), {fix(Where::kHere, "visible")}};
    add(Level::kGood, message("driver", {text("version", driver.version.empty() ? "?" : driver.version),
                                         text("cuda", driver.cuda_version)}));
    if (!driver.management_error.empty()) {
      add(Level::kNote, message("no-telemetry", {text("reason", driver.management_error)}),
          {fix(Where::kHere, "look")});
    }
    return std::nullopt;
  }

  [[nodiscard]] bool has_gpu() const {
    return facts_.driver.hardware || facts_.driver.device_nodes || !facts_.driver.module_version.empty();
  }

  [[nodiscard]] Finding no_library() const {
    const DriverFacts& driver = facts_.driver;
    if (facts_.wsl) {
      return {Level::kProblem,
              message("no-driver", {text("reason", driver.library_error)}),
              {fix(Where::kWsl, "wsl-driver")}};
    }
    if (!has_gpu()) {
      return {Level::kProblem,
              message("no-gpu"),
              {fix(Where::kHere, "paper"), fix(Where::kBareMetal, "driver"), fix(Where::kContainer, "container-gpu")}};
    }
    if (driver.module_version.empty() && driver.hardware && facts_.container.empty()) {
      return {Level::kProblem, message("module-missing"), {fix(Where::kBareMetal, "driver")}};
    }
    return {Level::kProblem,
            message("no-driver", {text("reason", driver.library_error)}),
            {fix(Where::kBareMetal, "driver"), fix(Where::kContainer, "container-driver")}};
  }

  [[nodiscard]] std::vector<Fix> mismatch_fixes() const {
    return {fix(Where::kBareMetal, "restart"), fix(Where::kContainer, "container-restart")};
  }

  [[nodiscard]] Finding no_start() const {
    const DriverFacts& driver = facts_.driver;
    const auto failed = [&](std::vector<Fix> fixes) {
      return Finding{Level::kProblem, message("init-failed", {text("reason", driver.init_error)}), std::move(fixes)};
    };
    switch (static_cast<InitCode>(driver.init_code)) {
      case InitCode::kStubLibrary:
        return {Level::kProblem, message("stub-library"), {fix(Where::kHere, "stub")}};
      case InitCode::kDeviceUnavailable:
        return failed({fix(Where::kHere, "exclusive")});
      case InitCode::kNoDevice:
        if (has_gpu()) return failed({fix(Where::kHere, "visible"), fix(Where::kContainer, "container-gpu")});
        return {
            Level::kProblem, message("no-gpu"), {fix(Where::kHere, "paper"), fix(Where::kContainer, "container-gpu")}};
      case InitCode::kSystemNotReady:
        return failed({fix(Where::kBareMetal, "fabric")});
      case InitCode::kDriverMismatch:
        return failed(mismatch_fixes());
      case InitCode::kForwardCompatibility:
        return failed({fix(Where::kHere, "compat")});
      case InitCode::kSuccess:
      case InitCode::kOperatingSystem:
      case InitCode::kUnknown:
        break;
    }
    return failed({fix(Where::kHere, "look"), fix(Where::kContainer, "container-gpu")});
  }

  [[nodiscard]] const CuptiFacts* chosen() const {
    const auto found =
        std::find_if(facts_.cuptis.begin(), facts_.cuptis.end(), [](const CuptiFacts& each) { return each.chosen; });
    return found == facts_.cuptis.end() ? nullptr : &*found;
  }

  [[nodiscard]] std::optional<Finding> library_of_cupti() const {
    const CuptiFacts* const library = chosen();
    if (library == nullptr) {
      return Finding{
          Level::kProblem, message("cupti-none", {text("reason", facts_.cupti.reason)}), {fix(Where::kHere, "cupti")}};
    }
    if (!facts_.cupti.tried || facts_.cupti.worked) return std::nullopt;
    return Finding{Level::kProblem,
                   message("cupti-failed", {text("reason", facts_.cupti.reason), text("path", library->path)}),
                   {fix(Where::kHere, "cupti")}};
  }

  [[nodiscard]] std::optional<Finding> agent() const {
    if (facts_.agent_error.empty()) return std::nullopt;
    return Finding{Level::kProblem,
                   message("agent-missing", {text("reason", facts_.agent_error), text("path", facts_.agent)}),
                   {fix(Where::kHere, "agent")}};
  }

  [[nodiscard]] std::optional<Finding> injection() const {
    if (facts_.injections.empty()) return std::nullopt;
    const auto& [variable, value] = facts_.injections.front();
    return Finding{Level::kProblem,
                   message("injection-set", {text("variable", variable), text("value", value)}),
                   {fix(Where::kHere, "unset", {text("variable", variable)})}};
  }

  void gpus() {
    for (const GpuFacts& gpu : facts_.gpus) {
      if (gpu.mig && *gpu.mig) add(Level::kNote, message("mig", {name_of(gpu)}), {fix(Where::kBareMetal, "mig")});
      if (!gpu.slowed_by.empty()) add(Level::kNote, message("slowed", {name_of(gpu), reasons_of(gpu)}));
      if (gpu.others.empty()) continue;
      add(Level::kNote, message("other-processes", {name_of(gpu), count("processes", gpu.others.size()),
                                                    text("names", ": " + names_of(gpu.others))}));
    }
  }

  static Argument name_of(const GpuFacts& gpu) {
    return text("gpu", "GPU " + std::to_string(gpu.index) + " (" + gpu.name + ")");
  }
  static Argument reasons_of(const GpuFacts& gpu) {
    std::string all;
    for (const std::string& each : gpu.slowed_by) all += (all.empty() ? "" : ", ") + each;
    return text("reasons", all);
  }

  void cupti() {
    const CuptiFacts* const library = chosen();
    if (library == nullptr || (facts_.cupti.tried && !facts_.cupti.worked)) return;
    add(Level::kGood, message("cupti-chosen", {text("version", library->version.empty() ? "?" : library->version),
                                               text("path", library->path), text("origin", library->origin)}));
    if (!library->note.empty()) add(Level::kNote, message("cupti-note", {text("reason", library->note)}));
    if (facts_.cupti_helper && !*facts_.cupti_helper) diagnosis_.findings.push_back(no_helper(*library));
  }

  static Finding no_helper(const CuptiFacts& library) {
    return {
        Level::kProblem, message("cupti-no-helper", {text("path", library.path)}), {fix(Where::kHere, "cupti-helper")}};
  }

  [[nodiscard]] std::vector<Fix> permission_fixes() const {
    if (facts_.wsl) return {fix(Where::kWsl, "permission-wsl")};
    return {fix(Where::kBareMetal, "permission"), fix(Where::kContainer, "permission-container"),
            fix(Where::kRented, "permission-rented")};
  }
  [[nodiscard]] std::vector<Fix> busy_fixes() const {
    std::vector<Fix> fixes;
    if (!facts_.monitors.empty()) fixes.push_back(fix(Where::kHere, "busy-monitor"));
    if (!facts_.profilers.empty()) {
      fixes.push_back(fix(Where::kHere, "busy-profiler", {text("names", names_of(facts_.profilers))}));
    }
    if (fixes.empty()) fixes.push_back(fix(Where::kHere, "busy-other"));
    return fixes;
  }

  /// What the attempt at this GPU's counters came to.
  [[nodiscard]] Finding refused(const GpuFacts& gpu) const {
    const std::vector<Argument> arguments = {name_of(gpu), text("reason", gpu.sampling.reason)};
    switch (refusal_of(gpu.sampling.reason)) {
      case Refusal::kForbidden:
        return {Level::kProblem, message("counters-forbidden", arguments), permission_fixes()};
      case Refusal::kBusy:
        return {Level::kProblem, message("counters-busy", arguments), busy_fixes()};
      case Refusal::kOther:
        break;
    }
    std::vector<Fix> fixes;
    if (gpu.mig && *gpu.mig) fixes.push_back(fix(Where::kBareMetal, "mig"));
    return {Level::kProblem, message("counters-failed", arguments), std::move(fixes)};
  }

  void counters_of_gpus() {
    for (const GpuFacts& gpu : facts_.gpus) {
      if (!gpu.sampling.tried) continue;
      if (gpu.sampling.worked) {
        add(Level::kGood, message("counters-allowed", {name_of(gpu)}));
      } else {
        diagnosis_.findings.push_back(refused(gpu));
      }
    }
  }

  [[nodiscard]] bool is_restricted() const {
    const PermissionFacts& has = facts_.permission;
    return has.admins_only.value_or(false) && !has.sys_admin && !has.perfmon;
  }

  /// What the driver's setting lets expect, where no attempt could tell.
  void restricted() {
    if (!is_restricted() || tried() > 0) return;
    add(Level::kProblem, message("counters-restricted"), permission_fixes());
  }

  void others() {
    if (!facts_.monitors.empty()) {
      add(Level::kNote, message("monitor", {text("names", names_of(facts_.monitors))}));
    }
    if (!facts_.profilers.empty()) {
      add(Level::kNote, message("profiler", {text("names", names_of(facts_.profilers))}));
    }
  }

  [[nodiscard]] std::size_t tried() const {
    return count_if([](const Attempt& each) { return each.tried; });
  }
  [[nodiscard]] std::size_t worked() const {
    return count_if([](const Attempt& each) { return each.worked; });
  }
  template <class Which>
  [[nodiscard]] std::size_t count_if(Which which) const {
    return static_cast<std::size_t>(std::count_if(facts_.gpus.begin(), facts_.gpus.end(),
                                                  [&](const GpuFacts& gpu) { return which(gpu.sampling); }));
  }

  void tiers(const std::optional<Finding>& no_timing) {
    if (no_timing) {
      for (const char* tier : {"counters", "sampling", "timing"}) add_tier(tier, State::kFails, *no_timing);
    } else {
      counter_tiers();
      add_tier("timing", State::kWorks, Finding{Level::kGood, message("reason-timing"), {}});
    }
    if (facts_.emulator.empty()) {
      add_tier("emulation", State::kNotBuilt, Finding{Level::kNote, message("reason-not-built"), {}});
    } else {
      add_tier("emulation", State::kWorks,
               Finding{Level::kGood, message("reason-emulator", {text("lanes", facts_.emulator)}), {}});
    }
    add_tier("paper", State::kWorks, Finding{Level::kGood, message("reason-always"), {}});
    add_tier("import", State::kWorks, Finding{Level::kGood, message("reason-always"), {}});
  }

  void add_tier(std::string tier, State state, const Finding& because) {
    diagnosis_.tiers.push_back({std::move(tier), state, because.message, because.fixes});
  }

  /// Sampling was tried. Counters of replays need the same permission and the same hardware, so what forbids or
  /// occupies one does the other; but a chip or a CUPTI that cannot be sampled may still count.
  void counter_tiers() {
    if (facts_.cupti_helper && !*facts_.cupti_helper && chosen() != nullptr) {
      return both(State::kFails, no_helper(*chosen()));
    }
    if (worked() > 0) {
      return both(
          State::kWorks,
          Finding{Level::kGood, message("reason-allowed", {count("tried", tried()), count("worked", worked())}), {}});
    }
    if (tried() == 0) {
      if (is_restricted())
        return both(State::kFails, {Level::kProblem, message("counters-restricted"), permission_fixes()});
      const std::string reason = facts_.gpus.empty() ? "no GPU" : facts_.gpus.front().sampling.reason;
      return both(State::kUnknown, {Level::kNote, message("reason-untried", {text("reason", reason)}), {}});
    }
    const auto first =
        std::find_if(facts_.gpus.begin(), facts_.gpus.end(), [](const GpuFacts& gpu) { return gpu.sampling.tried; });
    const bool only_sampling = refusal_of(first->sampling.reason) == Refusal::kOther;
    const Finding because = refused(*first);
    add_tier("counters", only_sampling ? State::kUnknown : State::kFails, because);
    add_tier("sampling", State::kFails, because);
  }

  void both(State state, const Finding& because) {
    add_tier("counters", state, because);
    add_tier("sampling", state, because);
  }

  const Facts& facts_;
  Diagnosis diagnosis_;
};

}  // namespace

std::string_view name(Level level) {
  static constexpr std::array<std::string_view, 3> kNames{"good", "note", "problem"};
  return kNames[static_cast<std::size_t>(level)];
}

std::string_view name(Where where) {
  static constexpr std::array<std::string_view, 5> kNames{"here", "bare-metal", "container", "rented", "wsl"};
  return kNames[static_cast<std::size_t>(where)];
}

std::string_view name(State state) {
  static constexpr std::array<std::string_view, 4> kNames{"works", "fails", "unknown", "not-built"};
  return kNames[static_cast<std::size_t>(state)];
}

bool Diagnosis::can_profile() const {
  return std::any_of(tiers.begin(), tiers.end(), [](const TierState& tier) {
    return tier.state == State::kWorks && (tier.tier == "counters" || tier.tier == "sampling" || tier.tier == "timing");
  });
}

Diagnosis diagnose(const Facts& facts) {
  return Doctor(facts).examine();
}

}  // namespace ridge::doctor
