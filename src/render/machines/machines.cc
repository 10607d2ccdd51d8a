#include "render/machines/machines.h"

#include <fmt/format.h>

#include <array>
#include <functional>

#include "render/machines/labels.h"
#include "render/text/format.h"

namespace ridge::render {
namespace {

constexpr std::string_view kDash = "\u2013";

/// 0 is not known.
std::string count_or_dash(int count) {
  return count > 0 ? fmt::format("{}", count) : std::string(kDash);
}

std::string rate_text(FlopsPerSecond rate, const ComputeKey& key) {
  std::string text = format_number(rate.count(), Unit::kFlopsPerSecond);
  const auto flop = text.find("FLOP");
  if (!is_floating_point(key.type) && flop != std::string::npos) text.replace(flop, 4, "OP");
  return text;
}

std::string peak_text(const Machine& machine, const ComputeKey& key) {
  const Ceiling* ceiling = find_ceiling(machine, key);
  return ceiling == nullptr ? std::string(kDash) : rate_text(peak(machine, *ceiling), key);
}

/// bf16 where the tensor units know it, else fp16 with the accumulator that deep learning uses.
ComputeKey sixteen_bit_tensor(const Machine& machine) {
  const ComputeKey bf16 = tensor(DataType::kBf16, TensorPath::kAny);
  if (find_ceiling(machine, bf16) != nullptr) return bf16;
  return tensor(DataType::kFp16, TensorPath::kAny, Sparsity::kDense, Accumulator::kFp32);
}

Value<BytesPerSecond> bandwidth_of(const Machine& machine, Level level) {
  const MemoryLevel* found = find_level(machine, level);
  return found == nullptr ? Value<BytesPerSecond>() : found->bandwidth;
}

/// A column whose title is not a word: a data type.
Column number_column(std::string title) {
  return {std::move(title), Align::kRight, false};
}

class Labels {
 public:
  explicit Labels(Language language) : language_(language) {}
  [[nodiscard]] std::string operator()(std::string_view id) const {
    return machine_label(fmt::format("machines.{}", id), language_);
  }
  [[nodiscard]] std::string fill(std::string_view id, const std::vector<std::string>& values) const {
    return filled(fmt::format("machines.{}", id), language_, values);
  }
  [[nodiscard]] std::string provenance(Provenance provenance) const {
    return term("provenance", name(provenance), language_);
  }
  [[nodiscard]] std::string level(Level level) const { return resource_name(name(level), language_); }
  [[nodiscard]] std::string reason(Reason reason) const { return reason_text(reason, language_); }

 private:
  Language language_;
};

}  // namespace

Document machines_list(const std::vector<Machine>& machines, Language language) {
  const Labels label(language);
  Section section;
  section.table.columns = {{label("id"), Align::kLeft, false},
                           {label("name"), Align::kLeft, true, true},
                           number_column(label("sms")),
                           number_column("fp64"),
                           number_column("fp32"),
                           number_column(label("tensor")),
                           number_column(label("dram")),
                           number_column(label("ridge_fp32"))};
  for (const Machine& machine : machines) {
    section.table.rows.push_back({machine.id, machine.name, count_or_dash(machine.sm_count),
                                  peak_text(machine, core(DataType::kFp64)), peak_text(machine, core(DataType::kFp32)),
                                  peak_text(machine, sixteen_bit_tensor(machine)),
                                  format_value(bandwidth_of(machine, Level::kDram), Unit::kBytesPerSecond),
                                  format_value(ridge_point(machine, core(DataType::kFp32)), Unit::kFlopsPerByte)});
  }
  Document document;
  document.title = label("list");
  document.sections = {std::move(section)};
  document.sections[0].items = {label("list_note")};
  return document;
}

namespace {

Section ceilings_section(const Machine& machine, const Labels& label) {
  Section section;
  section.title = label("ceilings");
  section.paragraphs = {label("ceilings_note")};
  section.table.columns = {{label("ceiling"), Align::kLeft, true}, number_column(label("ops")),
                           number_column(label("clock")),          number_column(label("peak")),
                           number_column(label("stated")),         {label("provenance"), Align::kLeft, false}};
  for (const Ceiling& ceiling : machine.ceilings) {
    section.table.rows.push_back(
        {name(ceiling.key), ceiling.clock ? fmt::format("{:.6g}", ceiling.ops_per_clock_per_sm) : std::string(kDash),
         ceiling.clock ? format_number(ceiling.clock->count(), Unit::kHertz) : std::string(kDash),
         rate_text(peak(machine, ceiling), ceiling.key),
         ceiling.stated.count() > 0 ? rate_text(ceiling.stated, ceiling.key) : std::string(kDash),
         label.provenance(ceiling.provenance)});
  }
  return section;
}

std::string bytes_or_dash(double bytes) {
  return bytes > 0 ? fmt::format("{} B", bytes) : std::string(kDash);
}

Section levels_section(const Machine& machine, const Labels& label) {
  Section section;
  section.title = label("levels");
  if (machine.bus.width_bits > 0) {
    section.paragraphs.push_back(label.fill("bus", {machine.bus.kind, fmt::format("{}", machine.bus.width_bits),
                                                    fmt::format("{:.6g}", machine.bus.data_rate_bits_per_s / 1e9)}));
  }
  section.table.columns = {
      {label("level"), Align::kLeft, false},     number_column(label("bandwidth")), number_column(label("per_clock")),
      number_column(label("capacity")),          number_column(label("line")),      number_column(label("sector")),
      {label("provenance"), Align::kLeft, false}};
  for (const MemoryLevel& level : machine.levels) {
    section.table.rows.push_back(
        {label.level(level.level), format_value(level.bandwidth, Unit::kBytesPerSecond),
         level.bytes_per_clock ? fmt::format("{:.6g}", *level.bytes_per_clock) : std::string(kDash),
         level.capacity ? format_capacity(level.capacity->count()) : std::string(kDash),
         bytes_or_dash(level.line_bytes), bytes_or_dash(level.sector_bytes),
         level.bandwidth ? label.provenance(level.bandwidth.provenance()) : std::string(kDash)});
    if (!level.bandwidth) {
      section.items.push_back(
          label.fill("missing", {label.level(level.level), label.reason(level.bandwidth.reason())}));
    }
  }
  section.items.push_back(label("level_note"));
  return section;
}

void add_row(Section& section, const std::string& what, std::string value) {
  section.table.rows.push_back({what, std::move(value)});
}

Section occupancy_section(const OccupancyLimits& limits, const Labels& label) {
  Section section;
  section.title = label("occupancy");
  section.table.columns = {{label("limit"), Align::kLeft, true}, number_column(label("value"))};
  const auto count = [&](std::string_view id, int value) {
    if (value > 0) add_row(section, label(id), fmt::format("{}", value));
  };
  const auto size = [&](std::string_view id, double value) {
    if (value > 0) add_row(section, label(id), format_capacity(value));
  };
  count("max_warps", limits.max_warps_per_sm);
  count("warp_size", limits.warp_size);
  count("max_blocks", limits.max_blocks_per_sm);
  count("max_threads", limits.max_threads_per_block);
  count("registers", limits.registers_per_sm);
  count("registers_block", limits.max_registers_per_block);
  count("registers_thread", limits.max_registers_per_thread);
  count("register_unit", limits.register_allocation_unit);
  count("warp_unit", limits.warp_allocation_granularity);
  size("shared_sm", limits.shared_bytes_per_sm);
  size("shared_block", limits.shared_bytes_per_block);
  size("shared_reserved", limits.shared_reserved_per_block);
  size("shared_unit", limits.shared_allocation_unit);
  count("barriers", limits.max_barriers_per_sm);
  if (!limits.shared_carveouts.empty()) {
    std::string sizes;
    for (const double carveout : limits.shared_carveouts) {
      sizes += (sizes.empty() ? "" : ", ") + format_capacity(carveout);
    }
    section.items.push_back(label.fill("carveouts", {sizes}));
  }
  return section;
}

Section sources_section(const Machine& machine, const Labels& label) {
  Section section;
  section.title = label("sources");
  section.items = machine.sources;
  return section;
}

}  // namespace

Document machine_page(const Machine& machine, Language language) {
  const Labels label(language);
  Document document;
  document.title = fmt::format("{} ({})", note_text(machine.name, language), machine.id);
  if (!machine.architecture.empty()) {
    document.paragraphs.push_back(
        label.fill("facts", {machine.architecture, machine.chip, machine.compute_capability,
                             count_or_dash(machine.sm_count), count_or_dash(machine.cores_per_sm)}));
  }
  if (machine.boost_clock.count() > 0) {
    const std::string boost = format_number(machine.boost_clock.count(), Unit::kHertz);
    const std::string base = format_number(machine.base_clock.count(), Unit::kHertz);
    document.paragraphs.push_back(machine.base_clock.count() > 0 ? label.fill("clocks", {boost, base})
                                                                 : label.fill("boost", {boost}));
  }
  if (!machine.device_names.empty()) {
    document.paragraphs.push_back(
        label.fill("device_names", {fmt::format("{}", fmt::join(machine.device_names, ", "))}));
  }
  if (!machine.aliases.empty()) {
    document.paragraphs.push_back(label.fill("aliases", {fmt::format("{}", fmt::join(machine.aliases, ", "))}));
  }
  if (!machine.note.empty()) document.paragraphs.push_back(note_text(machine.note, language));
  document.sections = {ceilings_section(machine, label), levels_section(machine, label)};
  if (machine.occupancy.max_warps_per_sm > 0) document.sections.push_back(occupancy_section(machine.occupancy, label));
  if (!machine.sources.empty()) document.sections.push_back(sources_section(machine, label));
  return document;
}

namespace {

/// One row of the comparison: what it is, its number on a machine (0: none), and how it is written.
struct ComparedRow {
  std::string title;
  std::function<double(const Machine&)> number;
  std::function<std::string(double)> text;
};

std::function<std::string(double)> written_as(Unit unit) {
  return [unit](double value) { return format_number(value, unit); };
}

std::string plain_number(double value) {
  return fmt::format("{:.6g}", value);
}

void add_compute_rows(std::vector<ComparedRow>& rows) {
  std::vector<ComputeKey> keys;
  for (const DataType type : {DataType::kFp64, DataType::kFp32, DataType::kFp16, DataType::kBf16, DataType::kInt32}) {
    keys.push_back(core(type));
  }
  for (const DataType type : {DataType::kFp64, DataType::kFp32, DataType::kTf32, DataType::kFp16, DataType::kBf16,
                              DataType::kFp8, DataType::kFp6, DataType::kFp4, DataType::kInt8, DataType::kInt4}) {
    keys.push_back(tensor(type, TensorPath::kAny));
  }
  for (const ComputeKey& key : keys) {
    rows.push_back({name(key),
                    [key](const Machine& machine) {
                      const Ceiling* ceiling = find_ceiling(machine, key);
                      return ceiling == nullptr ? 0 : peak(machine, *ceiling).count();
                    },
                    [key](double value) { return rate_text(FlopsPerSecond(value), key); }});
  }
}

void add_memory_rows(std::vector<ComparedRow>& rows, const Labels& label) {
  for (const Level level : {Level::kDram, Level::kL2, Level::kL1, Level::kShared, Level::kHostLink, Level::kPeerLink}) {
    rows.push_back(
        {label.level(level),
         [level](const Machine& machine) { return bandwidth_of(machine, level).value_or(BytesPerSecond(0)).count(); },
         written_as(Unit::kBytesPerSecond)});
  }
  const auto capacity = [](Level level) {
    return [level](const Machine& machine) {
      const MemoryLevel* found = find_level(machine, level);
      return found == nullptr ? 0 : found->capacity.value_or(Bytes(0)).count();
    };
  };
  rows.push_back({label("dram_capacity"), capacity(Level::kDram), format_capacity});
  rows.push_back({label("l2_capacity"), capacity(Level::kL2), format_capacity});
}

std::vector<ComparedRow> compared_rows(const Labels& label) {
  std::vector<ComparedRow> rows;
  rows.push_back({label("sms"), [](const Machine& machine) { return double(machine.sm_count); }, plain_number});
  rows.push_back(
      {label("clock"), [](const Machine& machine) { return machine.boost_clock.count(); }, written_as(Unit::kHertz)});
  add_compute_rows(rows);
  add_memory_rows(rows, label);
  rows.push_back({label("ridge_fp32"),
                  [](const Machine& machine) {
                    return ridge_point(machine, core(DataType::kFp32)).value_or(FlopsPerByte(0)).count();
                  },
                  written_as(Unit::kFlopsPerByte)});
  return rows;
}

}  // namespace

Document machines_comparison(const std::vector<Machine>& machines, Language language) {
  const Labels label(language);
  Section section;
  section.table.columns = {{label("quantity"), Align::kLeft, false}};
  for (const Machine& machine : machines) section.table.columns.push_back(number_column(machine.id));
  for (const ComparedRow& row : compared_rows(label)) {
    std::vector<std::string> cells{row.title};
    double first = 0;
    bool any = false;
    for (const Machine& machine : machines) {
      const double number = row.number(machine);
      any = any || number > 0;
      std::string cell = number > 0 ? row.text(number) : std::string(kDash);
      if (cells.size() == 1) first = number;
      if (cells.size() > 1 && first > 0 && number > 0) {
        cell += fmt::format(" ({})", format_number(number / first, Unit::kFactor));
      }
      cells.push_back(std::move(cell));
    }
    if (any) section.table.rows.push_back(std::move(cells));
  }
  section.items = {label("compare_note")};
  Document document;
  document.title = label("compare");
  document.sections = {std::move(section)};
  return document;
}

namespace {

std::string exact(double value) {
  return value > 0 ? fmt::format("{}", value) : std::string();
}

template <class T>
std::string exact(const Value<T>& value) {
  if (!value) return "";
  if constexpr (requires { value->count(); }) {
    return exact(value->count());
  } else {
    return exact(*value);
  }
}

Table plain_table(std::initializer_list<std::string_view> titles) {
  Table table;
  for (const std::string_view title : titles) table.columns.push_back({std::string(title), Align::kLeft, false});
  return table;
}

std::string exact_peak(const Machine& machine, const ComputeKey& key) {
  const Ceiling* ceiling = find_ceiling(machine, key);
  return ceiling == nullptr ? "" : exact(peak(machine, *ceiling).count());
}

}  // namespace

std::string machines_list_csv(const std::vector<Machine>& machines) {
  Table table = plain_table({"id", "name", "architecture", "compute_capability", "sm_count", "fp64_flops_per_s",
                             "fp32_flops_per_s", "tensor16_ceiling", "tensor16_flops_per_s", "dram_bytes_per_s",
                             "dram_capacity_bytes", "ridge_fp32_flops_per_byte"});
  for (const Machine& machine : machines) {
    const ComputeKey half = sixteen_bit_tensor(machine);
    const Ceiling* half_ceiling = find_ceiling(machine, half);
    const MemoryLevel* dram = find_level(machine, Level::kDram);
    table.rows.push_back({machine.id, machine.name, machine.architecture, machine.compute_capability,
                          exact(machine.sm_count), exact_peak(machine, core(DataType::kFp64)),
                          exact_peak(machine, core(DataType::kFp32)),
                          half_ceiling == nullptr ? "" : name(half_ceiling->key), exact_peak(machine, half),
                          exact(bandwidth_of(machine, Level::kDram)), dram == nullptr ? "" : exact(dram->capacity),
                          exact(ridge_point(machine, core(DataType::kFp32)))});
  }
  return csv_table(table);
}

std::string machines_csv(const std::vector<Machine>& machines) {
  Table table = plain_table(
      {"machine", "kind", "name", "value", "unit", "per_clock", "clock_hz", "stated", "capacity_bytes", "provenance"});
  for (const Machine& machine : machines) {
    for (const Ceiling& ceiling : machine.ceilings) {
      table.rows.push_back({machine.id, "ceiling", name(ceiling.key), exact(peak(machine, ceiling).count()),
                            is_floating_point(ceiling.key.type) ? "FLOP/s" : "OP/s",
                            ceiling.clock ? exact(ceiling.ops_per_clock_per_sm) : "",
                            ceiling.clock ? exact(ceiling.clock->count()) : "", exact(ceiling.stated.count()), "",
                            std::string(name(ceiling.provenance))});
    }
    for (const MemoryLevel& level : machine.levels) {
      table.rows.push_back({machine.id, "level", std::string(name(level.level)), exact(level.bandwidth), "B/s",
                            exact(level.bytes_per_clock), "", exact(level.stated.count()), exact(level.capacity),
                            level.bandwidth ? std::string(name(level.bandwidth.provenance())) : ""});
    }
  }
  return csv_table(table);
}

}  // namespace ridge::render
