// The lab for programs: JSON and CSV.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "render/lab/lab_view.h"
#include "render/table.h"
#include "render/text/format.h"

namespace ridge::render {
namespace {

using Json = nlohmann::ordered_json;

std::string dump(const Json& json) {
  return escape_json(json.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

template <class T>
void put(Json& object, std::string_view key, const Value<T>& value) {
  Json& place = object[std::string(key)];
  if (!value) {
    place = nullptr;
    object["missing"][std::string(key)] = value.reason().text();
  } else if constexpr (requires { value->count(); }) {
    place = value->count();
  } else {
    place = *value;
  }
}

Json json_of(const LabCheck& check) {
  if (!check.done) return nullptr;
  Json json{{"passed", check.passed},
            {"error", check.error},
            {"tolerance", check.tolerance},
            {"compared", check.compared},
            {"elements", check.elements}};
  if (!check.passed) json["fault"] = check.fault;
  return json;
}

Json json_of(const std::vector<ResourceTime>& times) {
  Json all = Json::array();
  for (const ResourceTime& time : times) {
    all.push_back({{"resource", time.resource},
                   {"amount", time.amount},
                   {"rate_per_s", time.rate},
                   {"least_time_s", time.least_time.count()},
                   {"fraction", time.fraction > 0 ? Json(time.fraction) : Json(nullptr)},
                   {"estimated", time.estimated}});
  }
  return all;
}

template <class T>
void put_origin(Json& json, std::string_view key, const Value<T>& value) {
  if (value) json[std::string(key)] = name(value.provenance());
}

/// What a reader might otherwise take for measured.
void put_prediction(Json& json, const LabStep& step) {
  put(json, "predicted_time_s", step.time);
  json["emulated_fraction"] = step.emulated_fraction;
  Json& origin = json["provenance"] = Json::object();
  put_origin(origin, "predicted_time_s", step.time);
  put_origin(origin, "registers_per_thread", step.registers);
  put_origin(origin, "flops", step.flops);
  put_origin(origin, "dram_bytes", step.dram);
}

void put_timing(Json& json, const LabStep& step) {
  put(json, "time_s", step.time);
  put(json, "time_min_s", step.least);
  put(json, "time_max_s", step.most);
  json["samples"] = step.samples;
  json["launches_per_sample"] = step.launches_per_sample;
  json["buffer_copies"] = step.copies;
  json["l2_resident"] = step.l2_resident;
  put(json, "sm_clock_hz", step.clock);
  put(json, "power_w", step.watts);
  put(json, "temperature_c", step.celsius);
}

void put_check(Json& json, const LabCheck& check) {
  json["check"] = json_of(check);
  if (!check.not_done.empty()) json["missing"]["check"] = check.not_done;
}

void put_run(Json& json, const LabStep& step, const LabView& view) {
  put_check(json, step.check);
  if (view.emulated) {
    put_prediction(json, step);
  } else {
    put_timing(json, step);
    json["compiled_by"] = step.from_ptx ? "driver" : "toolkit";
  }
  put(json, "registers_per_thread", step.registers);
}

Json json_of(const LabStep& step, const LabView& view) {
  Json json{{"id", step.id}, {"sizes", step.sizes}, {"vendor", step.vendor}};
  if (!step.skipped.empty()) {
    json["skipped"] = step.skipped;
    return json;
  }
  if (view.paper) {
    put(json, "least_time_s", step.time);
  } else {
    put_run(json, step, view);
  }
  put(json, "flops", step.flops);
  put(json, "dram_bytes", step.dram);
  put(json, "flops_per_s", step.speed);
  put(json, "dram_bytes_per_s", step.dram_rate);
  put(json, "intensity_dram", step.intensity);
  json["resource"] = step.resource.empty() ? Json(nullptr) : Json(step.resource);
  put(json, "fraction", step.fraction);
  json["verdict"] = name(step.verdict);
  json["side"] = name(step.side);
  put(json, "speedup", step.speedup);
  put(json, "of_vendor", step.of_vendor);
  json["times"] = json_of(step.times);
  json["lesson"] = step.lesson;
  if (!step.next.empty()) json["next"] = step.next;
  return json;
}

Json json_of(const LabGemmStory& story) {
  Json json{{"slower", story.slower},
            {"faster", story.faster},
            {"slower_load_requests", story.slower_load_requests},
            {"faster_load_requests", story.faster_load_requests},
            {"slower_wavefronts", story.slower_wavefronts},
            {"faster_wavefronts", story.faster_wavefronts},
            {"faster_shared_wavefronts", story.faster_shared_wavefronts},
            {"l2_read_bytes", story.l2.count()},
            {"dram_read_bytes", story.dram.count()},
            {"operand_bytes", story.operands.count()}};
  put(json, "l2_capacity_bytes", story.l2_capacity);
  put(json, "dram_read_outgrown_bytes", story.dram_outgrown);
  put(json, "dram_time_s", story.dram_time);
  put(json, "l1_time_s", story.l1_time);
  return json;
}

template <class T>
std::string cell(const Value<T>& value) {
  if (!value) return "";
  if constexpr (requires { value->count(); }) {
    return fmt::format("{}", value->count());
  } else {
    return fmt::format("{}", *value);
  }
}

Table table_of(const std::vector<std::string>& titles) {
  Table table;
  for (const std::string& title : titles) table.columns.push_back({title});
  return table;
}

}  // namespace

std::string lab_json(const LabView& view) {
  Json json{{"schema", kLabSchema},
            {"tool", {{"version", RIDGE_VERSION}}},
            {"mode", view.paper      ? "paper"
                     : !view.timed   ? "check"
                     : view.emulated ? "emulated"
                                     : "measured"},
            {"machine", {{"id", view.machine_id}, {"name", view.machine}}}};
  if (!view.paper && !view.emulated) json["driver"] = view.driver;
  if (!view.paper) json["seed"] = view.seed;
  json["ladders"] = Json::array();
  for (const LabGroup& group : view.groups) {
    Json one{{"ladder", group.ladder}, {"sizes", group.sizes}, {"steps", Json::array()}};
    for (const LabStep& step : group.steps) one["steps"].push_back(json_of(step, view));
    for (const LabGemmStory& story : group.stories) one["story"] = json_of(story);
    json["ladders"].push_back(std::move(one));
  }
  json["notes"] = view.notes;
  return dump(json);
}

std::string lab_csv(const LabView& view) {
  Table table = table_of(
      {"ladder",         "id",       "sizes",   "check",      "error",       "time_s",           "time_min_s",
       "time_max_s",     "samples",  "flops",   "dram_bytes", "flops_per_s", "dram_bytes_per_s", "intensity_dram",
       "resource",       "fraction", "verdict", "speedup",    "of_vendor",   "sm_clock_hz",      "skipped",
       "time_provenance"});
  for (const LabGroup& group : view.groups) {
    for (const LabStep& step : group.steps) {
      const bool shown = step.skipped.empty();
      table.rows.push_back({group.ladder,
                            step.id,
                            step.sizes,
                            !step.check.done    ? ""
                            : step.check.passed ? "passed"
                                                : "failed",
                            step.check.done ? fmt::format("{}", step.check.error) : "",
                            cell(step.time),
                            cell(step.least),
                            cell(step.most),
                            step.samples > 0 ? std::to_string(step.samples) : "",
                            cell(step.flops),
                            cell(step.dram),
                            cell(step.speed),
                            cell(step.dram_rate),
                            cell(step.intensity),
                            step.resource,
                            cell(step.fraction),
                            shown ? std::string(name(step.verdict)) : "",
                            cell(step.speedup),
                            cell(step.of_vendor),
                            cell(step.clock),
                            step.skipped,
                            step.time ? std::string(name(step.time.provenance())) : ""});
    }
  }
  return csv_table(table);
}

std::string lab_list_json(const std::vector<LabListEntry>& entries) {
  Json json{{"schema", kLabSchema}, {"mode", "list"}, {"kernels", Json::array()}};
  for (const LabListEntry& entry : entries) {
    json["kernels"].push_back({{"id", entry.id},
                               {"ladder", entry.ladder},
                               {"sizes", entry.parameters},
                               {"flops", entry.flops},
                               {"needs", entry.needs},
                               {"lesson", entry.lesson}});
  }
  return dump(json);
}

std::string lab_list_csv(const std::vector<LabListEntry>& entries) {
  Table table = table_of({"id", "ladder", "sizes", "flops", "needs", "lesson"});
  for (const LabListEntry& entry : entries) {
    table.rows.push_back({entry.id, entry.ladder, entry.parameters, entry.flops, entry.needs, entry.lesson});
  }
  return csv_table(table);
}

}  // namespace ridge::render
