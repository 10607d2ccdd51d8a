#include <nlohmann/json.hpp>

#include <cmath>
#include <string>

#include "render/machines/machines.h"
#include "render/machines/occupancy.h"
#include "render/text/format.h"

namespace ridge::render {
namespace {

using Json = nlohmann::ordered_json;

std::string dump(const Json& json) {
  // strings come from files of the user: what is not UTF-8 is replaced, never an exception
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

Json positive(double value) {
  return value > 0 && std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json positive(int value) {
  return value > 0 ? Json(value) : Json(nullptr);
}

Json ceilings(const Machine& machine) {
  Json all = Json::object();
  for (const Ceiling& ceiling : machine.ceilings) {
    all[name(ceiling.key)] = {
        {"value", peak(machine, ceiling).count()},
        {"provenance", name(ceiling.provenance)},
        {"clock_hz", ceiling.clock ? Json(ceiling.clock->count()) : Json(nullptr)},
        {"ops_per_clock_per_sm", ceiling.clock ? Json(ceiling.ops_per_clock_per_sm) : Json(nullptr)},
        {"stated", positive(ceiling.stated.count())},
    };
  }
  return all;
}

Json levels(const Machine& machine) {
  Json all = Json::object();
  for (const MemoryLevel& level : machine.levels) {
    Json one = Json::object();
    put(one, "bytes_per_s", level.bandwidth);
    if (level.read_bandwidth) put(one, "read_bytes_per_s", level.read_bandwidth);
    if (level.write_bandwidth) put(one, "write_bytes_per_s", level.write_bandwidth);
    if (level.bytes_per_clock) put(one, "bytes_per_clock", level.bytes_per_clock);
    put(one, "capacity_bytes", level.capacity);
    one["line_bytes"] = positive(level.line_bytes);
    one["sector_bytes"] = positive(level.sector_bytes);
    one["stated"] = positive(level.stated.count());
    one["provenance"] = level.bandwidth ? Json(name(level.bandwidth.provenance())) : Json(nullptr);
    all[std::string(name(level.level))] = std::move(one);
  }
  return all;
}

Json limits(const OccupancyLimits& of) {
  return {{"warp_size", of.warp_size},
          {"max_warps_per_sm", positive(of.max_warps_per_sm)},
          {"max_blocks_per_sm", positive(of.max_blocks_per_sm)},
          {"max_threads_per_block", positive(of.max_threads_per_block)},
          {"registers_per_sm", positive(of.registers_per_sm)},
          {"max_registers_per_block", positive(of.max_registers_per_block)},
          {"max_registers_per_thread", positive(of.max_registers_per_thread)},
          {"register_allocation_unit", positive(of.register_allocation_unit)},
          {"warp_allocation_granularity", positive(of.warp_allocation_granularity)},
          {"shared_bytes_per_sm", positive(of.shared_bytes_per_sm)},
          {"shared_bytes_per_block", positive(of.shared_bytes_per_block)},
          {"shared_reserved_per_block", of.shared_reserved_per_block},
          {"shared_allocation_unit", positive(of.shared_allocation_unit)},
          {"shared_carveouts", of.shared_carveouts},
          {"max_barriers_per_sm", positive(of.max_barriers_per_sm)}};
}

Json whole(const Machine& machine) {
  Json json = {{"id", machine.id},
               {"name", machine.name},
               {"aliases", machine.aliases},
               {"vendor", machine.vendor == Vendor::kAmd ? "amd" : "nvidia"},
               {"architecture", machine.architecture},
               {"chip", machine.chip},
               {"compute_capability", machine.compute_capability},
               {"sm_count", positive(machine.sm_count)},
               {"cores_per_sm", positive(machine.cores_per_sm)},
               {"schedulers_per_sm", machine.schedulers_per_sm},
               {"base_clock_hz", positive(machine.base_clock.count())},
               {"boost_clock_hz", positive(machine.boost_clock.count())},
               {"provenance", name(machine.provenance)},
               {"note", machine.note}};
  json["bus"] = machine.bus.width_bits > 0 ? Json{{"kind", machine.bus.kind},
                                                  {"width_bits", machine.bus.width_bits},
                                                  {"data_rate_bits_per_s", machine.bus.data_rate_bits_per_s}}
                                           : Json(nullptr);
  json["ceilings"] = ceilings(machine);
  json["levels"] = levels(machine);
  put(json, "ridge_fp32", ridge_point(machine, core(DataType::kFp32)));
  json["occupancy"] = machine.occupancy.max_warps_per_sm > 0 ? limits(machine.occupancy) : Json(nullptr);
  json["device_names"] = machine.device_names;
  json["sources"] = machine.sources;
  return json;
}

}  // namespace

std::string machines_json(const std::vector<Machine>& machines) {
  Json all = Json::array();
  for (const Machine& machine : machines) all.push_back(whole(machine));
  return dump({{"schema", kMachinesSchema}, {"machines", std::move(all)}});
}

namespace {

Json limiter_names(const Occupancy& at) {
  Json names = Json::array();
  for (const OccupancyLimiter limiter : at.limiters) names.push_back(name(limiter));
  return names;
}

Json brief(const Occupancy& at) {
  return {{"threads_per_block", at.request.threads_per_block},
          {"blocks_per_sm", at.blocks_per_sm},
          {"warps_per_sm", at.warps_per_sm},
          {"occupancy", at.fraction},
          {"limiters", limiter_names(at)}};
}

Json brief(const std::optional<Occupancy>& at) {
  return at ? brief(*at) : Json(nullptr);
}

Json limits_of(const Occupancy& at) {
  Json all = Json::object();
  for (const OccupancyLimit& limit : at.limits) {
    all[std::string(name(limit.limiter))] = limit.blocks ? Json(*limit.blocks) : Json(nullptr);
  }
  return all;
}

Json changes_of(const Occupancy& at) {
  Json all = Json::array();
  for (const OccupancyChange& change : at.changes) {
    all.push_back({{"limiter", name(change.limiter)}, {"now", change.now}, {"at_most", change.limit}});
  }
  return all;
}

}  // namespace

std::string occupancy_json(const OccupancyView& view) {
  const Occupancy& at = view.occupancy;
  Json json = {{"schema", kOccupancySchema}, {"machine", {{"id", view.machine.id}, {"name", view.machine.name}}}};
  json["request"] = {{"threads_per_block", at.request.threads_per_block},
                     {"registers_per_thread", at.request.registers_per_thread},
                     {"shared_static_bytes", at.request.shared_static.count()},
                     {"shared_dynamic_bytes", at.request.shared_dynamic.count()},
                     {"barriers_per_block", at.request.barriers_per_block},
                     {"shared_carveout_bytes",
                      at.request.shared_carveout ? Json(at.request.shared_carveout->count()) : Json(nullptr)}};
  json["blocks_per_sm"] = at.blocks_per_sm;
  json["warps_per_sm"] = at.warps_per_sm;
  json["max_warps_per_sm"] = at.max_warps_per_sm;
  json["occupancy"] = at.fraction;
  json["limiters"] = limiter_names(at);
  json["limits"] = limits_of(at);
  json["per_block"] = {{"warps", at.warps_per_block},
                       {"registers_per_warp", at.registers_per_warp},
                       {"shared_bytes", at.shared_per_block}};
  json["changes"] = changes_of(at);
  json["occupancy_after_changes"] = at.fraction_after_changes ? Json(*at.fraction_after_changes) : Json(nullptr);
  json["carveout_needed_bytes"] = at.carveout_needed ? Json(*at.carveout_needed) : Json(nullptr);
  json["better_block_sizes"] = {{"smaller", brief(view.better.smaller)},
                                {"larger", brief(view.better.larger)},
                                {"best", brief(view.better.best)}};
  json["by_block_size"] = Json::array();
  for (const Occupancy& row : view.by_block_size) json["by_block_size"].push_back(brief(row));
  return dump(json);
}

}  // namespace ridge::render
