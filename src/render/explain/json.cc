#include <nlohmann/json.hpp>

#include "render/explain/explain.h"
#include "render/text/format.h"

namespace ridge::render {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kIndent = 2;

template <class T>
double plain(const T& value) {
  if constexpr (requires { value.count(); }) {
    return value.count();
  } else {
    return static_cast<double>(value);
  }
}

/// null and an entry under "missing" when there is no number.
template <class T>
void put(Json& object, const std::string& key, const Value<T>& value) {
  if (value) {
    object[key] = plain(*value);
    return;
  }
  object[key] = nullptr;
  object["missing"][key] = value.reason().text();
}

Json arguments(const std::vector<Argument>& list) {
  Json object = Json::object();
  for (const Argument& argument : list) {
    if (const double* number = std::get_if<double>(&argument.value)) {
      object[argument.name] = *number;
    } else {
      object[argument.name] = std::get<std::string>(argument.value);
    }
  }
  return object;
}

Json messages(const std::vector<Message>& list) {
  Json array = Json::array();
  for (const Message& message : list) {
    array.push_back({{"id", message.id},
                     {"text", render_message(message, Language::kEnglish)},
                     {"arguments", arguments(message.arguments)}});
  }
  return array;
}

Json steps(const std::vector<ExplainStep>& list) {
  Json array = Json::array();
  for (const ExplainStep& step : list) {
    Json entry{{"id", step.id}, {"formula", step.formula}, {"operands", arguments(step.operands)}};
    put(entry, "value", step.value);
    if (step.value) entry["provenance"] = name(step.value.provenance());
    array.push_back(std::move(entry));
  }
  return array;
}

Json work_object(const Explanation& explanation) {
  const PaperWork& work = explanation.work;
  Json object{{"workload", work.workload}, {"precision", name(work.type)}, {"element_bytes", element_bytes(work.type)}};
  if (!work.variant.empty()) object["variant"] = work.variant;
  Json parameters = Json::object();
  for (const BoundParameter& parameter : work.parameters) {
    if (parameter.word.empty()) {
      parameters[parameter.name] = parameter.number;
    } else {
      parameters[parameter.name] = parameter.word;
    }
  }
  object["parameters"] = std::move(parameters);
  object["flops"] = work.flops.value;
  object["bytes"] = work.bytes();
  if (work.split) {
    object["bytes_read"] = work.read.value;
    object["bytes_written"] = work.write.value;
  }
  put(object, "intensity", explanation.intensity);
  object["least_bytes"] = work.best_bytes();
  put(object, "best_intensity", explanation.best_intensity);
  if (!work.working_set.empty()) object["working_set_bytes"] = work.working_set[0].value;
  object["steps"] = steps(explanation.steps);
  object["notes"] = messages(explanation.notes);
  return object;
}

Json measured_object(const MeasuredPlacement& placed) {
  const PaperMeasurement& m = placed.measured;
  return {{"given", placed.text},
          {"time_s", m.time.count()},
          {"flops_per_s", m.speed.count()},
          {"bytes_per_s", m.bandwidth.count()},
          {"of_peak", m.of_peak},
          {"of_attainable", m.of_roof},
          {"of_bandwidth", m.of_bandwidth},
          {"least_intensity", m.least_intensity.count()},
          {"verdict", name(placed.verdict)},
          {"steps", steps(placed.steps)},
          {"findings", messages(placed.findings)}};
}

Json machine_object(const MachinePlacement& at) {
  Json object{{"id", at.id}, {"name", at.name}, {"ceiling", at.ceiling}, {"unit_reason", at.unit_message}};
  if (!at.note.empty()) object["note"] = at.note;
  put(object, "peak_flops_per_s", at.peak);
  put(object, "bandwidth_bytes_per_s", at.bandwidth);
  put(object, "ridge", at.ridge);
  put(object, "compute_time_s", at.compute_time);
  put(object, "data_time_s", at.data_time);
  put(object, "ratio", at.ratio);
  put(object, "attainable_flops_per_s", at.attainable);
  put(object, "mix_peak_flops_per_s", at.mix_peak);
  put(object, "l2_capacity_bytes", at.l2_capacity);
  if (at.fits_l2) object["fits_l2"] = *at.fits_l2;
  object["verdict"] = name(at.verdict);
  object["side"] = name(at.side);
  object["steps"] = steps(at.steps);
  object["notes"] = messages(at.notes);
  Json measured = Json::array();
  for (const MeasuredPlacement& placed : at.measured) measured.push_back(measured_object(placed));
  object["measured"] = std::move(measured);
  return object;
}

}  // namespace

std::string explain_json(const Explanation& explanation) {
  Json root{{"schema", kExplainSchema}, {"tool", {{"version", RIDGE_VERSION}}}, {"work", work_object(explanation)}};
  Json machines = Json::array();
  for (const MachinePlacement& at : explanation.machines) machines.push_back(machine_object(at));
  root["machines"] = std::move(machines);
  Json speedups = Json::array();
  for (const SpeedUp& speedup : explanation.speedups) {
    speedups.push_back({{"from", speedup.from}, {"to", speedup.to}, {"factor", speedup.factor}});
  }
  root["speedups"] = std::move(speedups);
  return escape_json(root.dump(kIndent, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace ridge::render
