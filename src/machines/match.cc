#include "ridgepoint/machines/match.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "machines/device_name.h"

namespace ridge {
namespace {

using machines::DeviceName;
using machines::parse_device_name;
using machines::plain_device_name;

/// A stated size or clock and a reported one are the same card's within this much (ECC and the driver take some
/// memory).
constexpr double kMemoryTolerance = 0.08;
constexpr double kClockTolerance = 0.01;
constexpr double kGiB = 1024.0 * 1024 * 1024;

bool near(double a, double b, double tolerance) {
  return std::abs(a - b) <= tolerance * b;
}

/// What the machine's own names say, all together.
DeviceName names_of(const Machine& machine) {
  DeviceName all;
  for (const std::string& name : machine.device_names) {
    for (const std::string& form : parse_device_name(name).form) all.form.insert(form);
  }
  for (const std::string& form : parse_device_name(machine.id).form) all.form.insert(form);
  return all;
}

bool has_exact_name(const Machine& machine, const std::string& plain) {
  return std::any_of(machine.device_names.begin(), machine.device_names.end(),
                     [&](const std::string& known) { return plain_device_name(known) == plain; });
}

bool has_model(const Machine& machine, const std::set<std::string>& model) {
  const auto same = [&](const std::string& known) { return parse_device_name(known).model == model; };
  return same(machine.id) || std::any_of(machine.device_names.begin(), machine.device_names.end(), same) ||
         std::any_of(machine.aliases.begin(), machine.aliases.end(), same);
}

bool is_sxm(const std::string& form) {
  return form.starts_with("sxm");
}

/// False if the name states a form that this machine does not come in.
bool form_fits(const std::string& form, const std::set<std::string>& known) {
  if (known.empty() || known.contains(form)) return true;
  if (form == "sxm") return std::any_of(known.begin(), known.end(), is_sxm);
  // a numbered socket fits a machine that does not say which
  return is_sxm(form) && known.contains("sxm") && std::count_if(known.begin(), known.end(), is_sxm) == 1;
}

double capacity_of(const Machine& machine) {
  const MemoryLevel* dram = find_level(machine, Level::kDram);
  return dram != nullptr && dram->capacity ? dram->capacity->count() : 0;
}

bool name_fits(const Machine& machine, const DeviceName& wanted) {
  if (wanted.model.empty() || !has_model(machine, wanted.model)) return false;
  const std::set<std::string> forms = names_of(machine).form;
  const bool all_fit = std::all_of(wanted.form.begin(), wanted.form.end(),
                                   [&](const std::string& form) { return form_fits(form, forms); });
  return all_fit && (!wanted.memory_gib || near(*wanted.memory_gib * kGiB, capacity_of(machine), kMemoryTolerance));
}

/// GPUs that can be split into instances. Source: NVIDIA MIG User Guide (A30, A100, Hopper, data-centre Blackwell).
bool can_be_sliced(const Machine& machine) {
  return machine.compute_capability == "8.0" || machine.compute_capability == "9.0" ||
         machine.compute_capability == "10.0";
}

std::string capability_of(const DeviceAttributes& attributes) {
  if (!attributes.compute_capability_major) return "";
  return fmt::format("{:.0f}.{:.0f}", *attributes.compute_capability_major,
                     attributes.compute_capability_minor.value_or(0));
}

/// True if the attributes cannot be those of this machine or of a slice of it.
bool contradicts(const Machine& machine, const DeviceAttributes& attributes) {
  if (machine.vendor == Vendor::kNvidia && attributes.compute_capability_major && !machine.compute_capability.empty()) {
    if (capability_of(attributes) != machine.compute_capability) return true;
  }
  if (!attributes.sm_count || machine.sm_count == 0) return false;
  if (*attributes.sm_count > machine.sm_count || *attributes.sm_count < 1) return true;
  return *attributes.sm_count < machine.sm_count && !can_be_sliced(machine);
}

struct Candidate {
  const Machine* machine = nullptr;
  std::vector<std::string> evidence;  ///< "sm_count=132", terms and numbers only: the same in every language
};

/// Facts that agree, to tell variants of one model apart.
void weigh(Candidate& candidate, const DeviceAttributes& attributes) {
  const Machine& machine = *candidate.machine;
  if (attributes.sm_count && *attributes.sm_count == machine.sm_count) {
    candidate.evidence.push_back(fmt::format("sm_count={}", machine.sm_count));
  }
  if (attributes.dram_capacity && near(attributes.dram_capacity->count(), capacity_of(machine), kMemoryTolerance)) {
    candidate.evidence.push_back(fmt::format("memory={:.0f}GiB", capacity_of(machine) / kGiB));
  }
  if (attributes.max_sm_clock && near(attributes.max_sm_clock->count(), machine.boost_clock.count(), kClockTolerance)) {
    candidate.evidence.push_back(fmt::format("clock={:.4g}GHz", machine.boost_clock.count() / 1e9));
  }
  if (attributes.dram_bus_width_bits && *attributes.dram_bus_width_bits == machine.bus.width_bits) {
    candidate.evidence.push_back(fmt::format("bus={}bit", machine.bus.width_bits));
  }
  const double data_rate = machine.bus.data_rate_bits_per_s;
  if (attributes.max_dram_clock && near(2 * attributes.max_dram_clock->count(), data_rate, kClockTolerance)) {
    candidate.evidence.push_back(fmt::format("data_rate={:.4g}Gbit/s", data_rate / 1e9));
  }
}

std::vector<Candidate> candidates_for(std::string_view name, const DeviceAttributes& attributes,
                                      const Database& database) {
  const std::string plain = plain_device_name(name);
  const DeviceName wanted = parse_device_name(name);
  std::vector<Candidate> exact, similar;
  for (const Machine& machine : database.machines()) {
    if (contradicts(machine, attributes)) continue;
    if (has_exact_name(machine, plain)) exact.push_back({&machine, {"name"}});
    if (name_fits(machine, wanted)) similar.push_back({&machine, {"name"}});
  }
  std::vector<Candidate>& found = exact.empty() ? similar : exact;
  for (Candidate& candidate : found) weigh(candidate, attributes);
  std::stable_sort(found.begin(), found.end(),
                   [](const Candidate& a, const Candidate& b) { return a.evidence.size() > b.evidence.size(); });
  return std::move(found);
}

Issue make_issue(Severity severity, std::string id, std::vector<Argument> arguments) {
  return {severity, Message(std::move(id), std::move(arguments))};
}

Argument text(std::string name, std::string value) {
  return {std::move(name), std::move(value), Unit::kNone};
}

/// Shrinks what a slice has less of: SMs and all that counts with them, and its share of the memory.
void shrink_to_slice(Machine& machine, const DeviceAttributes& attributes) {
  const double sms = *attributes.sm_count;
  const double share_of_sms = sms / machine.sm_count;
  const double whole = capacity_of(machine);
  // a memory slice is an eighth of the card (MIG User Guide)
  const double share_of_memory =
      attributes.dram_capacity && whole > 0
          ? std::clamp(std::round(8 * attributes.dram_capacity->count() / whole) / 8, 0.125, 1.0)
          : 0;
  const Reason unknown("the slice's share of the memory is not known");
  for (MemoryLevel& level : machine.levels) {
    level.stated = BytesPerSecond(0);
    if (level.level == Level::kShared || level.level == Level::kL1) level.bandwidth = level.bandwidth * share_of_sms;
    if (level.level != Level::kDram && level.level != Level::kL2) continue;
    level.read_bandwidth = level.write_bandwidth = Value<BytesPerSecond>();
    level.bytes_per_clock = Value<double>();
    if (share_of_memory == 0) {
      level.bandwidth = Value<BytesPerSecond>::missing(unknown);
      level.capacity = Value<Bytes>::missing(unknown);
    } else if (share_of_memory < 1) {
      level.bandwidth = combine(level.bandwidth, Value<double>(share_of_memory, Provenance::kModelled),
                                [](BytesPerSecond a, double b) { return a * b; });
      level.capacity = combine(level.capacity, Value<double>(share_of_memory, Provenance::kModelled),
                               [](Bytes a, double b) { return a * b; });
    }
  }
  if (share_of_memory != 1) machine.bus = DramBus{};
  for (Ceiling& ceiling : machine.ceilings) {
    ceiling.stated = ceiling.clock ? FlopsPerSecond(0) : ceiling.stated * share_of_sms;
  }
  machine.note = fmt::format("a slice of {:.0f} of the {} SMs of {}", sms, machine.sm_count, machine.name);
  machine.name += fmt::format(" (slice of {:.0f} of {} SMs)", sms, machine.sm_count);
  machine.sm_count = static_cast<int>(sms);
}

/// Some cards are sold with two memory sizes under one entry.
void take_reported_capacity(Machine& machine, const DeviceAttributes& attributes) {
  if (!attributes.dram_capacity || near(attributes.dram_capacity->count(), capacity_of(machine), kMemoryTolerance)) {
    return;
  }
  for (MemoryLevel& level : machine.levels) {
    if (level.level == Level::kDram) level.capacity = attributes.dram_capacity;
  }
}

Match use(const Candidate& candidate, std::string_view name, const DeviceAttributes& attributes) {
  Match match;
  match.machine = *candidate.machine;
  match.issues.push_back(make_issue(Severity::kInfo, "machine-chosen",
                                    {text("device", std::string(name)), text("machine", candidate.machine->id),
                                     text("evidence", fmt::format("{}", fmt::join(candidate.evidence, ", ")))}));
  if (!attributes.sm_count || *attributes.sm_count >= match.machine->sm_count) {
    take_reported_capacity(*match.machine, attributes);
    return match;
  }
  match.issues.push_back(make_issue(Severity::kNotice, "machine-slice",
                                    {text("device", std::string(name)),
                                     {"sms", *attributes.sm_count, Unit::kCount},
                                     {"all", double(match.machine->sm_count), Unit::kCount}}));
  shrink_to_slice(*match.machine, attributes);
  return match;
}

/// What an issue calls the device: its name, or what a report without one says of it, the same in every language.
std::string label_of(std::string_view name, const DeviceAttributes& attributes) {
  if (!name.empty()) return std::string(name);
  std::vector<std::string> facts;
  if (attributes.compute_capability_major) facts.push_back("CC " + capability_of(attributes));
  if (attributes.sm_count) facts.push_back(fmt::format("{:.0f} SM", *attributes.sm_count));
  return facts.empty() ? "GPU" : fmt::format("GPU ({})", fmt::join(facts, ", "));
}

/// Ids of the machines of this compute capability, those of the same SM count first.
std::vector<std::string> machines_like(const DeviceAttributes& attributes, const Database& database) {
  std::vector<std::string> same_count, others;
  const std::string capability = capability_of(attributes);
  for (const Machine& machine : database.machines()) {
    if (capability.empty() || machine.compute_capability != capability) continue;
    const bool same = attributes.sm_count && *attributes.sm_count == machine.sm_count;
    (same ? same_count : others).push_back(machine.id);
  }
  same_count.insert(same_count.end(), others.begin(), others.end());
  return same_count;
}

/// A report may lack the device's name; then it is known by its facts, and machines that have them are suggested.
Issue unknown_device(std::string_view name, const DeviceAttributes& attributes, const Database& database) {
  const std::vector<std::string> like = machines_like(attributes, database);
  if (!name.empty() || like.empty() || !attributes.sm_count) {
    return make_issue(Severity::kError, "machine-unknown", {text("device", label_of(name, attributes))});
  }
  return make_issue(Severity::kError, "machine-unnamed",
                    {text("capability", capability_of(attributes)),
                     {"sms", *attributes.sm_count, Unit::kCount},
                     text("machines", fmt::format("{}", fmt::join(like, ", ")))});
}

/// No entry, or several that nothing tells apart: what the device says about itself must do.
Match derive(std::string_view name, const DeviceAttributes& attributes, const Database& database,
             const std::vector<Candidate>& tied) {
  Match match;
  match.machine = derive_machine(name, attributes, database);
  if (!tied.empty()) {
    std::vector<std::string> ids;
    ids.reserve(tied.size());
    for (const Candidate& candidate : tied) ids.push_back(candidate.machine->id);
    match.issues.push_back(
        make_issue(match.machine ? Severity::kNotice : Severity::kError, "machine-ambiguous",
                   {text("device", std::string(name)), text("machines", fmt::format("{}", fmt::join(ids, ", ")))}));
  }
  if (match.machine) {
    match.issues.push_back(
        make_issue(Severity::kNotice, "machine-derived",
                   {text("device", label_of(name, attributes)), text("evidence", match.machine->note)}));
  } else if (tied.empty()) {
    match.issues.push_back(unknown_device(name, attributes, database));
  }
  return match;
}

}  // namespace

Match match_device(std::string_view name, const DeviceAttributes& attributes, const Database& database) {
  std::vector<Candidate> found = candidates_for(name, attributes, database);
  if (found.empty()) return derive(name, attributes, database, {});
  if (found.size() == 1 || found[0].evidence.size() > found[1].evidence.size()) {
    return use(found[0], name, attributes);
  }
  const std::size_t best = found[0].evidence.size();
  std::erase_if(found, [best](const Candidate& candidate) { return candidate.evidence.size() < best; });
  return derive(name, attributes, database, found);
}

namespace {

bool same(const Issue& a, const Issue& b) {
  const auto equal = [](const Argument& x, const Argument& y) { return x.name == y.name && x.value == y.value; };
  return a.message.id == b.message.id && std::equal(a.message.arguments.begin(), a.message.arguments.end(),
                                                    b.message.arguments.begin(), b.message.arguments.end(), equal);
}

void add_once(Profile& profile, Issue issue) {
  const bool known =
      std::any_of(profile.issues.begin(), profile.issues.end(), [&](const Issue& other) { return same(issue, other); });
  if (!known) profile.issues.push_back(std::move(issue));
}

bool is_recorded_gpu(const Machine& machine, const Device& device, const Database& database) {
  Database only;
  only.add(machine);
  if (!candidates_for(device.name, device.attributes, only).empty()) return true;
  if (!candidates_for(device.name, device.attributes, database).empty()) return false;
  // What a person says of a GPU that nobody else knows.
  return machine.id == kCustomMachine || !contradicts(machine, device.attributes);
}

}  // namespace

void choose_machine(Profile& profile, const Machine& machine, const Database& database) {
  for (Device& device : profile.devices) {
    device.other_machine = !is_recorded_gpu(machine, device, database);
    device.machine = machine;
    if (!device.other_machine) continue;
    const std::string& recorded = device.name.empty() ? device.chip : device.name;
    add_once(profile,
             make_issue(Severity::kNotice, "machine-other", {text("device", recorded), text("machine", machine.name)}));
  }
}

void resolve_machines(Profile& profile, const Database& database) {
  for (Device& device : profile.devices) {
    if (device.machine) continue;
    Match match = match_device(device.name, device.attributes, database);
    device.machine = std::move(match.machine);
    if (device.machine && device.machine->chip.empty()) device.machine->chip = device.chip;
    for (Issue& issue : match.issues) add_once(profile, std::move(issue));
  }
}

}  // namespace ridge
