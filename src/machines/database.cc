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

const Machine* Database::find(std::string_view id) const {
  for (const Machine& machine : machines_) {
    if (machine.id == id) return &machine;
  }
  for (const Machine& machine : machines_) {
    if (std::find(machine.aliases.begin(), machine.aliases.end(), id) != machine.aliases.end()) return &machine;
  }
  return nullptr;
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

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return out;
}

Error unknown_machine(std::string_view wanted, const Database& database) {
  std::vector<std::string> names;
  for (const Machine& machine : database.machines()) {
    names.push_back(machine.id);
    names.insert(names.end(), machine.aliases.begin(), machine.aliases.end());
  }
  const std::string near = nearest(lower(wanted), names);
  return usage_error(fmt::format("unknown machine \"{}\"", wanted), "",
                     (near.empty() ? "" : fmt::format("did you mean \"{}\"? ", near)) +
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
