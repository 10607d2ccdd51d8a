#include "ridgepoint/machines/database.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <system_error>

#include "base/embedded.h"
#include "base/nearest.h"
#include "machines/device_name.h"

namespace ridge {

/// Generated from data/machines by ridge_embed.
std::span<const EmbeddedFile> embedded_machines();

namespace {

namespace fs = std::filesystem;
constexpr std::uintmax_t kLargestFile = std::uintmax_t{1} << 20;

Result<Machine> read_machine_file(const fs::path& path) {
  std::error_code error;
  const auto size = fs::file_size(path, error);
  if (error) {
    return fail(usage_error(fmt::format("cannot read the machine file: {}", error.message()), path.string(),
                            "check the path and its permissions"));
  }
  if (size > kLargestFile) {
    return fail(bad_input("the file is too large for a machine", path.string(), "give a machine's TOML file"));
  }
  std::ifstream stream(path, std::ios::binary);
  const std::string content{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (!stream) {
    return fail(usage_error("cannot read the machine file", path.string(), "check the path and its permissions"));
  }
  return parse_machine(content, path.string());
}

bool looks_like_a_path(std::string_view text) {
  return text.find('/') != std::string_view::npos || text.ends_with(".toml");
}

Result<void> add_path(Database& database, const fs::path& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    auto machine = read_machine_file(path);
    if (!machine) return fail(machine.error());
    database.add(std::move(*machine));
    return {};
  }
  std::vector<fs::path> files;
  for (fs::directory_iterator it(path, error), end; !error && it != end; it.increment(error)) {
    if (it->path().extension() == ".toml") files.push_back(it->path());
  }
  if (error) {
    return fail(usage_error(fmt::format("cannot list the machine folder: {}", error.message()), path.string(),
                            "check RIDGE_MACHINES"));
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) RIDGE_TRY(add_path(database, file));
  return {};
}

constexpr std::string_view kArchitectures[] = {"Volta",     "Turing", "Ampere", "Ada",   "Hopper",
                                               "Blackwell", "CDNA",   "CDNA 2", "CDNA 3"};

std::size_t age(const Machine& machine) {
  const auto* found = std::find(std::begin(kArchitectures), std::end(kArchitectures), machine.architecture);
  return static_cast<std::size_t>(found - std::begin(kArchitectures));
}

bool listed_before(const Machine& a, const Machine& b) {
  if (a.vendor != b.vendor) return a.vendor < b.vendor;
  return age(a) != age(b) ? age(a) < age(b) : a.id < b.id;
}

Database load_built_in() {
  Database database;
  for (const EmbeddedFile& file : embedded_machines()) {
    auto machine = parse_machine(file.content, file.name);
    assert(machine && "a machine file of the program does not parse: the suite reads every one");
    if (machine) database.add(std::move(*machine));
  }
  return database;
}

}  // namespace

const Database& Database::built_in() {
  static const Database database = load_built_in();
  return database;
}

Result<Database> Database::with_paths(std::string_view paths) {
  Database database = built_in();
  while (!paths.empty()) {
    const auto end = paths.find(':');
    const std::string_view path = paths.substr(0, end);
    if (!path.empty()) RIDGE_TRY(add_path(database, fs::path(path)));
    paths = end == std::string_view::npos ? std::string_view() : paths.substr(end + 1);
  }
  return database;
}

namespace {

bool has(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool has_plain(const std::vector<std::string>& names, std::string_view plain) {
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return machines::plain_device_name(name) == plain; });
}

/// The only machine that `fits`; nullptr if there is none, or several that the name does not tell apart.
template <class Fits>
const Machine* only_one(const std::vector<Machine>& machines, Fits fits) {
  const auto found = std::find_if(machines.begin(), machines.end(), fits);
  if (found == machines.end() || std::find_if(found + 1, machines.end(), fits) != machines.end()) return nullptr;
  return &*found;
}

}  // namespace

const Machine* Database::find(std::string_view id) const {
  const std::string plain = machines::plain_device_name(id);
  if (plain.empty()) return nullptr;
  const auto same = [&](std::string_view name) { return machines::plain_device_name(name) == plain; };
  if (const Machine* exact = only_one(machines_, [&](const Machine& m) { return m.id == id; })) return exact;
  if (const Machine* exact = only_one(machines_, [&](const Machine& m) { return has(m.aliases, id); })) return exact;
  if (const Machine* found = only_one(machines_, [&](const Machine& m) { return same(m.id); })) return found;
  if (const Machine* found = only_one(machines_, [&](const Machine& m) { return has_plain(m.aliases, plain); })) {
    return found;
  }
  return only_one(machines_, [&](const Machine& m) { return same(m.name) || has_plain(m.device_names, plain); });
}

void Database::add(Machine machine) {
  std::erase_if(machines_, [&](const Machine& known) { return known.id == machine.id; });
  const auto place = std::upper_bound(machines_.begin(), machines_.end(), machine, listed_before);
  machines_.insert(place, std::move(machine));
}

namespace {

Machine custom_machine() {
  Machine machine;
  machine.id = kCustomMachine;
  machine.name = "Custom machine";
  machine.provenance = Provenance::kDeclared;
  return machine;
}

constexpr std::size_t kShortestPrefix = 3;
constexpr std::size_t kMostSuggested = 4;

/// Names that go on where `wanted` ends; else the nearest of those that begin as it does, so that "b200-sxm" is "b200"
/// and not "h200-sxm"; else the nearest by spelling.
std::vector<std::string> suggestions(const std::string& wanted, const std::vector<std::string>& names) {
  std::vector<std::string> longer;
  std::string shorter;
  for (const std::string& name : names) {
    if (wanted.size() >= kShortestPrefix && name.starts_with(wanted)) longer.push_back(name);
    if (name.size() >= kShortestPrefix && wanted.starts_with(name) && name.size() > shorter.size()) shorter = name;
  }
  if (!longer.empty()) {
    longer.resize(std::min(longer.size(), kMostSuggested));
    return longer;
  }
  std::vector<std::string> family;
  std::copy_if(names.begin(), names.end(), std::back_inserter(family),
               [&](const std::string& name) { return name.starts_with(shorter); });
  std::string best = nearest(wanted, family);
  if (best.empty()) best = shorter;
  return best.empty() ? longer : std::vector<std::string>{best};
}

Error unknown_machine(std::string_view wanted, const Database& database) {
  std::vector<std::string> names;
  for (const Machine& machine : database.machines()) {
    names.push_back(machine.id);
    names.insert(names.end(), machine.aliases.begin(), machine.aliases.end());
  }
  const std::vector<std::string> near = suggestions(machines::plain_device_name(wanted), names);
  return usage_error(fmt::format("unknown machine \"{}\"", wanted), "",
                     (near.empty() ? "" : fmt::format("did you mean \"{}\"? ", fmt::join(near, "\" or \""))) +
                         "see `ridge machines list`, give a TOML file, or \"custom\" with --peak and --bandwidth");
}

}  // namespace

Result<Machine> find_machine(std::string_view id_or_path, const Database& database) {
  if (const Machine* known = database.find(id_or_path)) return *known;
  if (id_or_path == kCustomMachine) return custom_machine();
  if (looks_like_a_path(id_or_path)) return read_machine_file(fs::path(id_or_path));
  return fail(unknown_machine(id_or_path, database));
}

Result<Machine> find_machine(std::string_view id_or_path) {
  return find_machine(id_or_path, Database::built_in());
}

}  // namespace ridge
