#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/quantity_text.h"
#include "ridgepoint/machines/database.h"

namespace ridge {
namespace {

struct Scale {
  double factor;
  std::string_view unit;
};

/// The largest unit in which the number is read back exactly.
std::string scaled(double value, const std::vector<Scale>& scales) {
  for (const Scale& scale : scales) {
    std::string text = fmt::format("{} {}", value / scale.factor, scale.unit);
    const auto back = parse_quantity(text, "");
    if (value >= scale.factor && back && back->value == value) return text;
  }
  return fmt::format("{} {}", value, scales.back().unit);
}

std::string hertz(double value) {
  return scaled(value, {{1e9, "GHz"}, {1e6, "MHz"}, {1, "Hz"}});
}
std::string bandwidth(double value) {
  return scaled(value, {{1e9, "GB/s"}, {1, "B/s"}});
}
std::string speed(double value) {
  return scaled(value, {{1e12, "TFLOP/s"}, {1, "FLOP/s"}});
}
std::string bytes(double value) {
  const bool binary = std::fmod(value, 1024) == 0 && std::fmod(value, 1e9) != 0;
  if (binary) return scaled(value, {{0x1p30, "GiB"}, {0x1p20, "MiB"}, {0x1p10, "KiB"}, {1, "B"}});
  return scaled(value, {{1e9, "GB"}, {1, "B"}});
}

/// A TOML basic string.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out += fmt::format("\\u{:04X}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

/// Lines "key = value" of one table.
class Lines {
 public:
  void raw(std::string_view key, const std::string& value) { text_ += fmt::format("{} = {}\n", key, value); }
  void text(std::string_view key, std::string_view value) {
    if (!value.empty()) raw(key, quoted(value));
  }
  void number(std::string_view key, double value) {
    if (value != 0) raw(key, fmt::format("{}", value));
  }
  void quantity(std::string_view key, double value, std::string (*format)(double)) {
    if (value > 0) raw(key, quoted(format(value)));
  }
  void list(std::string_view key, const std::vector<std::string>& values) {
    if (values.empty()) return;
    std::string joined;
    for (const std::string& value : values) joined += fmt::format("  {},\n", quoted(value));
    raw(key, "[\n" + joined + "]");
  }
  void table(std::string_view header) { text_ += fmt::format("\n[{}]\n", header); }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

void write_ceilings(const Machine& machine, Lines& lines) {
  if (machine.ceilings.empty()) return;
  lines.table("ceilings");
  for (const Ceiling& ceiling : machine.ceilings) {
    std::vector<std::string> parts;
    if (ceiling.clock) {
      parts.push_back(fmt::format("ops_per_clock_per_sm = {}", ceiling.ops_per_clock_per_sm));
      parts.push_back("clock = " + quoted(hertz(ceiling.clock->count())));
    }
    if (ceiling.stated.count() > 0) parts.push_back("stated = " + quoted(speed(ceiling.stated.count())));
    if (ceiling.provenance != machine.provenance) parts.push_back("provenance = " + quoted(name(ceiling.provenance)));
    lines.raw(name(ceiling.key), fmt::format("{{ {} }}", fmt::join(parts, ", ")));
  }
}

template <class T>
double number_of(const Value<T>& value) {
  if constexpr (requires { value->count(); }) {
    return value ? value->count() : 0;
  } else {
    return value.value_or(0);
  }
}

/// One provenance a level: a level's figures come from one place.
Provenance level_provenance(const MemoryLevel& level, Provenance otherwise) {
  if (level.bandwidth) return level.bandwidth.provenance();
  if (level.capacity) return level.capacity.provenance();
  return level.bytes_per_clock ? level.bytes_per_clock.provenance() : otherwise;
}

void write_level(const Machine& machine, const MemoryLevel& level, Lines& lines) {
  lines.table(fmt::format("levels.{}", name(level.level)));
  lines.quantity("bandwidth", number_of(level.bandwidth), bandwidth);
  if (!level.bandwidth) lines.text("bandwidth_missing", level.bandwidth.reason().text());
  lines.quantity("read_bandwidth", number_of(level.read_bandwidth), bandwidth);
  lines.quantity("write_bandwidth", number_of(level.write_bandwidth), bandwidth);
  lines.number("bytes_per_clock", number_of(level.bytes_per_clock));
  lines.quantity("capacity", number_of(level.capacity), bytes);
  lines.number("line_bytes", level.line_bytes);
  lines.number("sector_bytes", level.sector_bytes);
  lines.quantity("stated", level.stated.count(), bandwidth);
  const Provenance provenance = level_provenance(level, machine.provenance);
  if (provenance != machine.provenance) lines.text("provenance", name(provenance));
}

void write_occupancy(const OccupancyLimits& limits, Lines& lines) {
  lines.table("occupancy");
  lines.number("warp_size", limits.warp_size);
  lines.number("max_warps_per_sm", limits.max_warps_per_sm);
  lines.number("max_blocks_per_sm", limits.max_blocks_per_sm);
  lines.number("max_threads_per_block", limits.max_threads_per_block);
  lines.number("registers_per_sm", limits.registers_per_sm);
  lines.number("max_registers_per_block", limits.max_registers_per_block);
  lines.number("max_registers_per_thread", limits.max_registers_per_thread);
  lines.number("register_allocation_unit", limits.register_allocation_unit);
  lines.number("warp_allocation_granularity", limits.warp_allocation_granularity);
  lines.quantity("shared_per_sm", limits.shared_bytes_per_sm, bytes);
  lines.quantity("shared_per_block", limits.shared_bytes_per_block, bytes);
  lines.quantity("shared_reserved_per_block", limits.shared_reserved_per_block, bytes);
  lines.quantity("shared_allocation_unit", limits.shared_allocation_unit, bytes);
  std::vector<std::string> carveouts;
  for (const double size : limits.shared_carveouts) carveouts.push_back(size > 0 ? bytes(size) : "0 B");
  lines.list("shared_carveouts", carveouts);
  lines.number("max_barriers_per_sm", limits.max_barriers_per_sm);
}

void write_identity(const Machine& machine, Lines& lines) {
  lines.text("id", machine.id);
  lines.text("name", machine.name);
  lines.list("aliases", machine.aliases);
  lines.text("vendor", machine.vendor == Vendor::kAmd ? "amd" : "nvidia");
  lines.text("architecture", machine.architecture);
  lines.text("chip", machine.chip);
  lines.text("compute_capability", machine.compute_capability);
  lines.list("device_names", machine.device_names);
  if (machine.provenance != Provenance::kDatasheet) lines.text("provenance", name(machine.provenance));
  lines.list("sources", machine.sources);
  lines.text("note", machine.note);
  lines.number("sm_count", machine.sm_count);
  lines.number("cores_per_sm", machine.cores_per_sm);
  lines.number("schedulers_per_sm", machine.schedulers_per_sm);
  lines.quantity("base_clock", machine.base_clock.count(), hertz);
  lines.quantity("boost_clock", machine.boost_clock.count(), hertz);
}

}  // namespace

std::string serialise_machine(const Machine& machine) {
  Lines lines;
  write_identity(machine, lines);
  if (machine.bus.width_bits > 0) {
    lines.table("bus");
    lines.text("kind", machine.bus.kind);
    lines.number("width_bits", machine.bus.width_bits);
    lines.raw("data_rate", quoted(scaled(machine.bus.data_rate_bits_per_s, {{1e9, "Gbit/s"}, {1, "bit/s"}})));
  }
  write_ceilings(machine, lines);
  for (const MemoryLevel& level : machine.levels) write_level(machine, level, lines);
  write_occupancy(machine.occupancy, lines);
  return lines.take();
}

}  // namespace ridge
