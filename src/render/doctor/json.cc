#include <nlohmann/json.hpp>

#include <string>

#include "render/doctor/doctor_view.h"
#include "render/text/format.h"
#include "render/text/messages.h"

namespace ridge::render {
namespace {

using Json = nlohmann::ordered_json;
using doctor::Diagnosis;
using doctor::Facts;

/// Null for an empty text: not there, or not told.
Json text(const std::string& value) {
  return value.empty() ? Json(nullptr) : Json(value);
}

template <class T>
Json number(const Value<T>& value) {
  if (!value) return nullptr;
  if constexpr (requires { value->count(); }) {
    return value->count();
  } else {
    return *value;
  }
}

Json of_message(const Message& message) {
  return {{"id", message.id.substr(message.id.find('.') + 1)}, {"text", render_message(message, Language::kEnglish)}};
}

Json of_fixes(const std::vector<doctor::Fix>& fixes) {
  Json all = Json::array();
  for (const doctor::Fix& fix : fixes) {
    Json one = of_message(fix.message);
    one["where"] = name(fix.where);
    all.push_back(std::move(one));
  }
  return all;
}

Json of_processes(const std::vector<doctor::HostProcess>& processes) {
  Json all = Json::array();
  for (const doctor::HostProcess& process : processes) all.push_back({{"pid", process.id}, {"name", process.name}});
  return all;
}

Json of_attempt(const doctor::Attempt& attempt) {
  return {{"tried", attempt.tried}, {"worked", attempt.worked}, {"reason", text(attempt.reason)}};
}

Json tiers(const Diagnosis& diagnosis) {
  Json all = Json::array();
  for (const doctor::TierState& tier : diagnosis.tiers) {
    all.push_back({{"tier", tier.tier},
                   {"state", name(tier.state)},
                   {"reason", of_message(tier.reason)},
                   {"fixes", of_fixes(tier.fixes)}});
  }
  return all;
}

Json findings(const Diagnosis& diagnosis) {
  Json all = Json::array();
  for (const doctor::Finding& finding : diagnosis.findings) {
    Json one = of_message(finding.message);
    one["level"] = name(finding.level);
    one["fixes"] = of_fixes(finding.fixes);
    all.push_back(std::move(one));
  }
  return all;
}

Json driver(const doctor::DriverFacts& driver) {
  return {{"version", text(driver.version)},
          {"module_version", text(driver.module_version)},
          {"cuda_version", text(driver.cuda_version)},
          {"library", text(driver.library)},
          {"library_error", text(driver.library_error)},
          {"init_error", text(driver.init_error)},
          {"nvml_error", text(driver.management_error)},
          {"gpu_on_bus", driver.hardware},
          {"device_nodes", driver.device_nodes}};
}

Json gpus(const Facts& facts) {
  Json all = Json::array();
  for (const doctor::GpuFacts& gpu : facts.gpus) {
    all.push_back({{"index", gpu.index},
                   {"name", gpu.name},
                   {"address", text(gpu.address)},
                   {"chip", text(gpu.chip)},
                   {"compute_capability", gpu.capability > 0 ? Json(gpu.capability / 10.0) : Json(nullptr)},
                   {"mig", number(gpu.mig)},
                   {"sm_clock_hz", number(gpu.sm_clock)},
                   {"max_sm_clock_hz", number(gpu.max_sm_clock)},
                   {"memory_clock_hz", number(gpu.memory_clock)},
                   {"max_memory_clock_hz", number(gpu.max_memory_clock)},
                   {"watts", number(gpu.watts)},
                   {"celsius", number(gpu.celsius)},
                   {"utilisation", number(gpu.utilisation)},
                   {"slowed_by", gpu.slowed_by},
                   {"other_processes", of_processes(gpu.others)},
                   {"counters", of_attempt(gpu.sampling)}});
  }
  return all;
}

Json libraries(const Facts& facts) {
  Json all = Json::array();
  for (const doctor::CuptiFacts& library : facts.cuptis) {
    all.push_back({{"path", library.path},
                   {"origin", text(library.origin)},
                   {"version", text(library.version)},
                   {"usable", library.usable},
                   {"chosen", library.chosen},
                   {"note", text(library.note)}});
  }
  return all;
}

Json surroundings(const Facts& facts) {
  Json injections = Json::object();
  for (const auto& [variable, value] : facts.injections) injections[variable] = value;
  return {{"container", text(facts.container)},
          {"wsl", facts.wsl},
          {"monitors", of_processes(facts.monitors)},
          {"profilers", of_processes(facts.profilers)},
          {"injections", std::move(injections)}};
}

}  // namespace

std::string doctor_json(const Facts& facts, const Diagnosis& diagnosis) {
  const doctor::PermissionFacts& permission = facts.permission;
  Json json = {{"schema", kDoctorSchema}, {"tool", {{"version", RIDGE_VERSION}}}};
  json["can_profile"] = diagnosis.can_profile();
  json["tiers"] = tiers(diagnosis);
  json["findings"] = findings(diagnosis);
  json["driver"] = driver(facts.driver);
  json["gpus"] = gpus(facts);
  json["cupti"] = {{"libraries", libraries(facts)},
                   {"opened", of_attempt(facts.cupti)},
                   {"helper", facts.cupti_helper ? Json(*facts.cupti_helper) : Json(nullptr)}};
  json["agent"] = {{"path", text(facts.agent)}, {"error", text(facts.agent_error)}};
  json["permission"] = {{"admins_only", permission.admins_only ? Json(*permission.admins_only) : Json(nullptr)},
                        {"sys_admin", permission.sys_admin},
                        {"perfmon", permission.perfmon}};
  json["surroundings"] = surroundings(facts);
  return escape_json(json.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace ridge::render
