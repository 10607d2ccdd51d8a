#include "cli/load.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <ostream>
#include <system_error>

#include "base/decompress.h"
#include "base/files.h"
#include "base/utf8.h"
#include "cli/program.h"
#include "importers/importer.h"
#include "importers/join.h"
#include "model/profile/merge.h"
#include "model/profile/represent.h"
#include "render/text/format.h"
#include "render/text/messages.h"
#include "ridgepoint/machines/match.h"
#include "store/store.h"

namespace ridge::cli {

namespace {

ImportOptions import_options(const Arguments& arguments) {
  ImportOptions options;
  const std::string decimal = arguments.value("--decimal");
  if (decimal == "point") options.decimal = DecimalOption::kPoint;
  if (decimal == "comma") options.decimal = DecimalOption::kComma;
  return options;
}

constexpr std::size_t kHeaderBytes = 100;  ///< enough for store::is_ridge_file

/// The content of a .ridge file, plain or compressed; nothing for any other file. A pipe can be read only once and is
/// left to the importers.
Result<std::optional<Profile>> read_ridge(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_fifo(path, ignored)) return std::optional<Profile>();
  Result<std::unique_ptr<ByteSource>> file = open_file(path);
  if (!file) return fail(file.error());
  ByteReader plain(std::move(*file));
  if (store::is_ridge_file(plain.peek(kHeaderBytes))) {
    Result<Profile> profile = read_recording(path);
    if (!profile) return fail(profile.error());
    return std::optional<Profile>(std::move(*profile));
  }
  Result<std::unique_ptr<ByteSource>> again = open_file(path);
  if (!again) return fail(again.error());
  ByteReader unpacked(decoded(std::move(*again), path));
  if (!store::is_ridge_file(unpacked.peek(kHeaderBytes))) return std::optional<Profile>();
  Result<Profile> profile = store::profile_from_reader(unpacked, path);
  if (!profile) return fail(profile.error());
  represent(*profile);
  return std::optional<Profile>(std::move(*profile));
}

constexpr std::string_view kFileArgument = "file";

/// Says in each issue about lost data which file lost it; one read from a .ridge file may say so already.
void name_file(std::vector<Issue>& issues, const std::string& path) {
  for (Issue& issue : issues) {
    std::vector<Argument>& arguments = issue.message.arguments;
    const bool named = std::any_of(arguments.begin(), arguments.end(),
                                   [](const Argument& argument) { return argument.name == kFileArgument; });
    if (issue.severity != Severity::kDataLoss || named) continue;
    arguments.push_back({std::string(kFileArgument), path, Unit::kNone});
  }
}

std::string file_of(const Issue& issue) {
  for (const Argument& argument : issue.message.arguments) {
    const std::string* const text = std::get_if<std::string>(&argument.value);
    if (argument.name == kFileArgument && text != nullptr) return *text;
  }
  return "";
}

/// One profile a file, in the order of the command line, except that pages of one run are joined.
Result<std::vector<Profile>> read_all_files(const std::vector<std::string>& paths, const Arguments& arguments) {
  const ImportOptions options = import_options(arguments);
  std::vector<Profile> profiles;
  for (const std::string& path : paths) {
    Result<std::optional<Profile>> stored = read_ridge(path);
    if (!stored) return fail(stored.error());
    Result<Profile> profile = *stored ? Result<Profile>(std::move(**stored)) : import_file(path, options);
    if (!profile) return fail(profile.error());
    name_file(profile->issues, path);
    profiles.push_back(std::move(*profile));
  }
  join_files(profiles);
  return profiles;
}

/// Issues about a machine that could not be found; none holds once figures of the command line stand in for it.
bool is_about_unknown_machine(const Issue& issue) {
  static constexpr std::array<std::string_view, 3> kIds{"machine-unknown", "machine-unnamed", "machine-ambiguous"};
  return issue.severity == Severity::kError && std::find(kIds.begin(), kIds.end(), issue.message.id) != kIds.end();
}

Result<Machine> chosen_machine(const std::string& name, const Database& database, const Context& context) {
  if (name == "this") {
    return fail(not_available("cannot tell which GPU this machine has", "--on this",
                              "name the machine; 'ridge machines' lists them"));
  }
  return named_machine(name, "--on", database, context);
}

}  // namespace

const std::vector<Flag>& input_flags() {
  static const std::vector<Flag> flags = {
      {"--decimal",
       "",
       "STYLE",
       "How CSV pages write numbers: point is 1,234.5, comma is 1.234,5, auto decides for each file and says so when "
       "it "
       "cannot.",
       "auto",
       {"auto", "point", "comma"},
       false},
      {"--on",
       "",
       "MACHINE",
       "Take the roofs of MACHINE (an id of 'ridge machines', a TOML file, or custom) for every device instead of the "
       "recorded one.",
       "",
       {},
       false},
      {"--peak", "", "NAME=VALUE", "Replace a compute ceiling, for example fp32=30TFLOP/s.", "", {}, true},
      {"--bandwidth", "", "LEVEL=VALUE", "Replace a bandwidth, for example dram=900GB/s.", "", {}, true},
  };
  return flags;
}

Result<Database> machine_database(const Context& context) {
  const auto paths = context.environment.find("RIDGE_MACHINES");
  if (paths == context.environment.end() || paths->second.empty()) return Database::built_in();
  return Database::with_paths(paths->second);
}

namespace {

/// Machines whose ids go on where `name` ends: "h100-pcie" beside the one that "h100" is.
std::string other_variants(const std::string& name, const Machine& machine, const Database& database) {
  std::string ids;
  for (const Machine& other : database.machines()) {
    if (other.id == machine.id || !other.id.starts_with(to_lower_ascii(name) + "-")) continue;
    ids += (ids.empty() ? "" : ", ") + other.id;
  }
  return ids;
}

}  // namespace

Result<Machine> named_machine(const std::string& name, std::string_view where, const Database& database,
                              const Context& context) {
  Result<Machine> machine = find_machine(name, database);
  if (!machine) {
    if (machine.error().where.empty()) machine.error().where = where;
    return machine;
  }
  const std::string others = to_lower_ascii(name) == machine->id ? "" : other_variants(name, *machine, database);
  if (!others.empty()) {
    context.err << "ridge: " << render::printable(name) << " is taken for " << machine->id << "; there is also "
                << others << '\n';
  }
  return machine;
}

Result<Profile> read_recording(const std::string& path) {
  Result<Profile> profile = store::read_profile(path);
  if (profile) represent(*profile);
  return profile;
}

Result<Profile> read_profiles(const std::vector<std::string>& paths, const Arguments& arguments) {
  Result<std::vector<Profile>> profiles = read_all_files(paths, arguments);
  if (!profiles) return fail(profiles.error());
  Profile merged;
  for (Profile& profile : *profiles) merge(merged, std::move(profile));
  if (merged.launches.empty()) {
    return fail(bad_input("no GPU kernels in the recording", paths.front(), "record a program that launches kernels"));
  }
  return merged;
}

Result<void> place_on_machines(Profile& profile, const Arguments& arguments, const Context& context) {
  const Result<Database> database = machine_database(context);
  if (!database) return fail(database.error());
  if (arguments.has("--on")) {
    const Result<Machine> machine = chosen_machine(arguments.value("--on"), *database, context);
    if (!machine) return fail(machine.error());
    choose_machine(profile, *machine, *database);
  }
  resolve_machines(profile, *database);
  const std::vector<std::string> peaks = arguments.values("--peak");
  const std::vector<std::string> bandwidths = arguments.values("--bandwidth");
  if (peaks.empty() && bandwidths.empty()) return {};
  for (Device& device : profile.devices) {
    if (!device.machine) {
      Result<Machine> custom = find_machine(kCustomMachine, *database);
      if (!custom) return fail(custom.error());
      device.machine = std::move(*custom);
    }
    RIDGE_TRY(apply_overrides(*device.machine, peaks, bandwidths));
  }
  std::erase_if(profile.issues, is_about_unknown_machine);
  return {};
}

namespace {

/// A sentence of the catalogue as a part of an error line: no capital at its start, no full stop at its end.
std::string as_error_part(std::string sentence) {
  if (!sentence.empty() && sentence.back() == '.') sentence.pop_back();
  if (sentence.size() > 1 && sentence[0] >= 'A' && sentence[0] <= 'Z' && !(sentence[1] >= 'A' && sentence[1] <= 'Z')) {
    sentence[0] = static_cast<char>(sentence[0] - 'A' + 'a');
  }
  return sentence;
}

}  // namespace

int report_data_loss(const std::vector<Issue>& issues, Context& context) {
  int status = 0;
  for (const Issue& issue : issues) {
    if (issue.severity != Severity::kDataLoss) continue;
    const std::string text = as_error_part(render::issue_text(issue, render::Language::kEnglish));
    const std::string remedy = as_error_part(render::issue_remedy(issue, render::Language::kEnglish));
    context.err << error_line(bad_input(text, file_of(issue), remedy)) << '\n';
    status = exit_status(ErrorCode::kBadInput);
  }
  return status;
}

}  // namespace ridge::cli
