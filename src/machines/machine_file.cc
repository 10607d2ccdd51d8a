#include <array>
#include <cmath>
#include <utility>

#include "base/toml_reader.h"
#include "ridgepoint/machines/database.h"

namespace ridge {
namespace {

/// Figures that are printed rounded may differ from count x rate by this much.
constexpr double kStatedTolerance = 0.01;
constexpr double kMost = 1e12;
constexpr std::size_t kLargestFile = std::size_t{1} << 20;

bool agrees(double computed, double stated) {
  return std::abs(computed - stated) <= kStatedTolerance * stated;
}

constexpr std::array kProvenances{Provenance::kMeasured, Provenance::kSampled,  Provenance::kCounted,
                                  Provenance::kReported, Provenance::kModelled, Provenance::kDeclared,
                                  Provenance::kDatasheet};

Provenance read_provenance(TomlTableReader& reader, const toml::table& table, TomlContext& context,
                           Provenance otherwise) {
  const std::string text = reader.text("provenance");
  if (text.empty()) return otherwise;
  for (const Provenance provenance : kProvenances) {
    if (name(provenance) == text) return provenance;
  }
  context.report(fmt::format("{} \"{}\" is not known", reader.full("provenance"), text), *table.get("provenance"),
                 "write datasheet, measured, reported or declared");
  return otherwise;
}

Ceiling read_ceiling(const ComputeKey& key, const toml::table& table, const Machine& machine, TomlContext& context) {
  TomlTableReader reader(table, "ceilings." + name(key), context);
  Ceiling ceiling;
  ceiling.key = key;
  ceiling.stated = FlopsPerSecond(reader.quantity("stated", Dimension::kFlopsPerSecond));
  const bool only_stated = reader.has("stated") && !reader.has("ops_per_clock_per_sm") && !reader.has("clock");
  if (!only_stated) {
    if (!reader.has("ops_per_clock_per_sm")) reader.missing("ops_per_clock_per_sm", "a number");
    ceiling.ops_per_clock_per_sm = reader.number("ops_per_clock_per_sm", 1e-6, 1e18);
    ceiling.clock = Hertz(reader.required_quantity("clock", Dimension::kHertz));
  }
  ceiling.provenance = read_provenance(reader, table, context, machine.provenance);
  reader.reject_unknown_keys();
  const double computed = peak(machine, ceiling).count();
  if (ceiling.stated.count() > 0 && !agrees(computed, ceiling.stated.count())) {
    context.report(fmt::format("{} is {:.4g} but {} SMs x {} x {:.4g} GHz give {:.4g}", reader.full("stated"),
                               ceiling.stated.count(), machine.sm_count, ceiling.ops_per_clock_per_sm,
                               ceiling.clock.value_or(Hertz(0)).count() / 1e9, computed),
                   table, "correct the count, the operations per clock or the clock (they may differ by 1 %)");
  }
  return ceiling;
}

void read_ceilings(const toml::table& table, Machine& machine, TomlContext& context) {
  for (const auto& [name_, node] : table) {
    const auto key = parse_compute_key(name_.str());
    if (!key || name(*key) != name_.str()) {
      context.report(fmt::format("ceilings.{} is not a ceiling name", name_.str()), node,
                     "write <type>_core or <type>_tensor_<path>_<dense|sparse>[_acc16|_acc32]");
    } else if (!node.is_table()) {
      context.report(fmt::format("ceilings.{} is not a table", name_.str()), node,
                     "write { ops_per_clock_per_sm = ..., clock = \"... GHz\" }");
    } else {
      machine.ceilings.push_back(read_ceiling(*key, *node.as_table(), machine, context));
    }
  }
  std::sort(machine.ceilings.begin(), machine.ceilings.end(),
            [](const Ceiling& a, const Ceiling& b) { return a.key < b.key; });
}

constexpr std::array kLevels{Level::kRegisters, Level::kShared,   Level::kL1,      Level::kL2,
                             Level::kDram,      Level::kHostLink, Level::kPeerLink};

/// The bandwidth that a level's own figures imply when its file states none: bytes per clock x clock, or the bus.
double implied_bandwidth(Level level, double bytes_per_clock, double clock, const Machine& machine) {
  if (level == Level::kDram) return machine.bus.width_bits * machine.bus.data_rate_bits_per_s / 8;
  if (level == Level::kShared || level == Level::kL1) {
    return bytes_per_clock * machine.sm_count * (clock > 0 ? clock : machine.boost_clock.count());
  }
  return bytes_per_clock * clock;
}

template <class T>
Value<T> value_or_missing(double number, Provenance provenance, const std::string& reason) {
  if (number > 0) return Value<T>(T(number), provenance);
  return reason.empty() ? Value<T>() : Value<T>::missing(reason);
}

constexpr std::string_view kNotPublished = "not published by the vendor";

MemoryLevel read_level(Level which, const toml::table& table, const Machine& machine, TomlContext& context) {
  TomlTableReader reader(table, fmt::format("levels.{}", name(which)), context);
  MemoryLevel level;
  level.level = which;
  const Provenance provenance = read_provenance(reader, table, context, machine.provenance);
  const double per_clock = reader.number("bytes_per_clock", 1e-6, kMost);
  const double clock = reader.quantity("clock", Dimension::kHertz);
  const double implied = implied_bandwidth(which, per_clock, clock, machine);
  const double given = reader.quantity("bandwidth", Dimension::kBytesPerSecond);
  std::string reason = reader.text("bandwidth_missing");
  if (reason.empty()) reason = kNotPublished;
  level.bandwidth = value_or_missing<BytesPerSecond>(given > 0 ? given : implied, provenance, reason);
  level.read_bandwidth =
      value_or_missing<BytesPerSecond>(reader.quantity("read_bandwidth", Dimension::kBytesPerSecond), provenance, "");
  level.write_bandwidth =
      value_or_missing<BytesPerSecond>(reader.quantity("write_bandwidth", Dimension::kBytesPerSecond), provenance, "");
  level.bytes_per_clock = value_or_missing<double>(per_clock, provenance, "");
  level.capacity = value_or_missing<Bytes>(reader.quantity("capacity", Dimension::kBytes), provenance, "");
  level.line_bytes = reader.number("line_bytes", 1, 1 << 20);
  level.sector_bytes = reader.number("sector_bytes", 1, 1 << 20);
  level.stated = BytesPerSecond(reader.quantity("stated", Dimension::kBytesPerSecond));
  reader.reject_unknown_keys();
  if (given > 0 && implied > 0 && !agrees(implied, given)) {
    context.report(
        fmt::format("{} is {:.4g} but its own figures give {:.4g}", reader.full("bandwidth"), given, implied), table,
        "correct the bus, the bytes per clock or the bandwidth (they may differ by 1 %)");
  }
  if (level.stated.count() > 0 && !agrees(level.bandwidth.value_or(BytesPerSecond(0)).count(), level.stated.count())) {
    context.report(fmt::format("{} is {:.4g} but the file gives {:.4g}", reader.full("stated"), level.stated.count(),
                               level.bandwidth.value_or(BytesPerSecond(0)).count()),
                   table, "correct the bus, the bytes per clock or the bandwidth (they may differ by 1 %)");
  }
  return level;
}

void read_levels(const toml::table& table, Machine& machine, TomlContext& context) {
  TomlTableReader reader(table, "levels", context);
  for (const Level which : kLevels) {
    if (const toml::table* level = reader.table(name(which))) {
      machine.levels.push_back(read_level(which, *level, machine, context));
    }
  }
  reader.reject_unknown_keys();
}

DramBus read_bus(const toml::table& table, TomlContext& context) {
  TomlTableReader reader(table, "bus", context);
  DramBus bus;
  bus.kind = reader.text("kind");
  if (!reader.has("width_bits")) reader.missing("width_bits", "a number");
  bus.width_bits = reader.number("width_bits", 1, 1 << 20);
  bus.data_rate_bits_per_s = reader.required_quantity("data_rate", Dimension::kBitsPerSecond);
  reader.reject_unknown_keys();
  return bus;
}

OccupancyLimits read_occupancy(const toml::table& table, TomlContext& context) {
  TomlTableReader reader(table, "occupancy", context);
  constexpr int kLimit = 1 << 24;
  OccupancyLimits limits;
  limits.warp_size = reader.integer("warp_size", 1, 1024, limits.warp_size);
  limits.max_warps_per_sm = reader.integer("max_warps_per_sm", 1, kLimit);
  limits.max_blocks_per_sm = reader.integer("max_blocks_per_sm", 1, kLimit);
  limits.max_threads_per_block = reader.integer("max_threads_per_block", 1, kLimit, limits.max_threads_per_block);
  limits.registers_per_sm = reader.integer("registers_per_sm", 1, kLimit);
  limits.max_registers_per_block = reader.integer("max_registers_per_block", 1, kLimit);
  limits.max_registers_per_thread =
      reader.integer("max_registers_per_thread", 1, kLimit, limits.max_registers_per_thread);
  limits.register_allocation_unit =
      reader.integer("register_allocation_unit", 1, kLimit, limits.register_allocation_unit);
  limits.warp_allocation_granularity =
      reader.integer("warp_allocation_granularity", 1, 1024, limits.warp_allocation_granularity);
  limits.shared_bytes_per_sm = reader.quantity("shared_per_sm", Dimension::kBytes);
  limits.shared_bytes_per_block = reader.quantity("shared_per_block", Dimension::kBytes);
  limits.shared_reserved_per_block = reader.quantity("shared_reserved_per_block", Dimension::kBytes);
  limits.shared_allocation_unit = reader.quantity("shared_allocation_unit", Dimension::kBytes);
  limits.shared_carveouts = reader.quantities("shared_carveouts", Dimension::kBytes);
  limits.max_barriers_per_sm = reader.integer("max_barriers_per_sm", 1, kLimit);
  reader.reject_unknown_keys();
  return limits;
}

void read_identity(TomlTableReader& reader, const toml::table& table, Machine& machine, TomlContext& context) {
  machine.id = reader.required_text("id");
  machine.name = reader.required_text("name");
  machine.aliases = reader.texts("aliases");
  const std::string vendor = reader.text("vendor");
  if (vendor == "amd") {
    machine.vendor = Vendor::kAmd;
  } else if (!vendor.empty() && vendor != "nvidia") {
    context.report(fmt::format("vendor \"{}\" is not known", vendor), *table.get("vendor"), "write nvidia or amd");
  }
  machine.architecture = reader.text("architecture");
  machine.chip = reader.text("chip");
  machine.compute_capability = reader.text("compute_capability");
  machine.sources = reader.texts("sources");
  machine.device_names = reader.texts("device_names");
  machine.note = reader.text("note");
  machine.provenance = read_provenance(reader, table, context, Provenance::kDatasheet);
}

/// False if nothing in the file is a figure of one SM: then their number may be unknown.
bool counts_per_sm(const toml::table& table) {
  if (const toml::table* ceilings = table["ceilings"].as_table()) {
    for (const auto& [key, node] : *ceilings) {
      if (node.is_table() && node.as_table()->contains("ops_per_clock_per_sm")) return true;
    }
  }
  return table["levels"]["l1"]["bytes_per_clock"] || table["levels"]["shared"]["bytes_per_clock"];
}

void read_machine(const toml::table& table, Machine& machine, TomlContext& context) {
  TomlTableReader reader(table, "", context);
  read_identity(reader, table, machine, context);
  if (!reader.has("sm_count") && counts_per_sm(table)) reader.missing("sm_count", "a whole number");
  machine.sm_count = reader.integer("sm_count", 1, 1 << 20, 0);
  machine.cores_per_sm = reader.integer("cores_per_sm", 1, 1 << 20);
  machine.schedulers_per_sm = reader.integer("schedulers_per_sm", 1, 64, machine.schedulers_per_sm);
  machine.base_clock = Hertz(reader.quantity("base_clock", Dimension::kHertz));
  machine.boost_clock = Hertz(reader.quantity("boost_clock", Dimension::kHertz));
  if (const toml::table* bus = reader.table("bus")) machine.bus = read_bus(*bus, context);
  if (const toml::table* ceilings = reader.table("ceilings")) read_ceilings(*ceilings, machine, context);
  if (const toml::table* levels = reader.table("levels")) read_levels(*levels, machine, context);
  if (const toml::table* occupancy = reader.table("occupancy")) {
    machine.occupancy = read_occupancy(*occupancy, context);
  }
  reader.reject_unknown_keys();
  if (machine.ceilings.empty() && machine.levels.empty()) {
    context.report("the file has neither [ceilings] nor [levels]", table, "add at least one ceiling or level");
  }
}

Result<toml::table> parse_toml(std::string_view toml, std::string_view where) {
  try {
    return toml::parse(toml, where);
  } catch (const toml::parse_error& error) {
    return fail(bad_input(std::string(error.description()), fmt::format("{}:{}", where, error.source().begin.line),
                          "correct the TOML syntax"));
  }
}

}  // namespace

Result<Machine> parse_machine(std::string_view toml, std::string_view where) {
  if (toml.size() > kLargestFile) {
    return fail(bad_input("the file is too large for a machine", std::string(where), "give a machine's TOML file"));
  }
  const auto parsed = parse_toml(toml, where);
  if (!parsed) return fail(parsed.error());
  TomlContext context{std::string(where), std::nullopt};
  Machine machine;
  read_machine(*parsed, machine, context);
  if (context.error) return fail(std::move(*context.error));
  return machine;
}

}  // namespace ridge
