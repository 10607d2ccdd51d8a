// `ridge machines`: the machine database as a list, one machine in full, or several side by side.
#include <algorithm>

#include "base/utf8.h"
#include "cli/commands/commands.h"
#include "cli/load.h"
#include "render/machines/machines.h"

namespace ridge::cli {
namespace {

constexpr int kMostCompared = 12;

CommandSpec make_spec() {
  CommandSpec spec;
  spec.name = "machines";
  spec.summary = "List the GPUs that are known, show all of one, or compare several.";
  spec.description =
      "list [WORD...] shows one row a machine, those whose id, name or architecture holds every WORD. show MACHINE... "
      "gives every ceiling with the operations per clock and the clock it holds at, the memory levels, the limits of "
      "occupancy and where the figures come from. compare MACHINE MACHINE... puts machines side by side. MACHINE is an "
      "id, another name of it, or the path of a TOML file; custom is a machine that has only the figures of --peak and "
      "--bandwidth.\n"
      "\n"
      "RIDGE_MACHINES names files and folders, separated by ':', whose machines are added to the program's own or "
      "replace them. show --toml prints such a file.";
  spec.flags = {
      {"--peak", "", "NAME=RATE", "Replace a compute ceiling, e.g. fp32=30TFLOP/s; may be repeated.", "", {}, true},
      {"--bandwidth", "", "NAME=RATE", "Replace a bandwidth, e.g. dram=900GB/s; may be repeated.", "", {}, true},
      {"--toml", "", "", "With show: the machine's TOML file, to start one of your own.", "", {}, false},
  };
  spec.positionals = {{"list|show|compare", "What to do, then words or machines; list if nothing is given.", 0, -1}};
  spec.examples = {
      {"ridge machines list hopper", "one row a machine"},
      {"ridge machines show h200-sxm", "every ceiling, level and limit, and its sources"},
      {"ridge machines compare h100-sxm h200-sxm l40s", "side by side"},
      {"ridge machines show l40s --toml > mine.toml", "a file to change"},
  };
  return spec;
}

std::string in_words(const render::Document& document, const OutputOptions& output) {
  render::TextOptions options;
  options.width = output.width;
  options.color = output.colour;
  options.unicode = output.unicode;
  options.language = render::parse_language(output.language);
  return render::document_as(output.format, document, options);
}

bool holds_all(const Machine& machine, const std::vector<std::string>& words) {
  const std::string text =
      to_lower_ascii(machine.id + " " + machine.name + " " + machine.architecture + " " + machine.chip);
  return std::all_of(words.begin(), words.end(),
                     [&](const std::string& word) { return text.find(to_lower_ascii(word)) != std::string::npos; });
}

Result<std::string> list(const Database& database, const std::vector<std::string>& words, const OutputOptions& output) {
  std::vector<Machine> shown;
  for (const Machine& machine : database.machines()) {
    if (holds_all(machine, words)) shown.push_back(machine);
  }
  if (shown.empty()) {
    return fail(usage_error("no machine holds these words", "machines list", "see `ridge machines list` for all"));
  }
  if (output.format == "json") return render::machines_json(shown);
  if (output.format == "csv") return render::machines_list_csv(shown);
  return in_words(render::machines_list(shown, render::parse_language(output.language)), output);
}

Result<std::vector<Machine>> named_machines(const Database& database, const std::vector<std::string>& names,
                                            const Arguments& arguments, const Context& context) {
  std::vector<Machine> machines;
  for (const std::string& name : names) {
    auto machine = named_machine(name, "machines", database, context);
    if (!machine) return fail(machine.error());
    RIDGE_TRY(apply_overrides(*machine, arguments.values("--peak"), arguments.values("--bandwidth")));
    machines.push_back(*std::move(machine));
  }
  return machines;
}

std::string show(const std::vector<Machine>& machines, const OutputOptions& output) {
  if (output.format == "json") return render::machines_json(machines);
  if (output.format == "csv") return render::machines_csv(machines);
  const render::Language language = render::parse_language(output.language);
  render::Document document = render::machine_page(machines[0], language);
  for (std::size_t i = 1; i < machines.size(); ++i) {
    render::Document next = render::machine_page(machines[i], language);
    document.sections.push_back({std::move(next.title), std::move(next.paragraphs), {}, {}});
    std::move(next.sections.begin(), next.sections.end(), std::back_inserter(document.sections));
  }
  return in_words(document, output);
}

std::string compare(const std::vector<Machine>& machines, const OutputOptions& output) {
  if (output.format == "json") return render::machines_json(machines);
  if (output.format == "csv") return render::machines_csv(machines);
  return in_words(render::machines_comparison(machines, render::parse_language(output.language)), output);
}

Result<std::string> show_or_compare(const Database& database, const std::string& action,
                                    const std::vector<std::string>& names, const Arguments& arguments,
                                    const OutputOptions& output, const Context& context) {
  const std::size_t least = action == "compare" ? 2 : 1;
  if (names.size() < least || names.size() > kMostCompared) {
    return fail(
        usage_error(action + " needs " + std::to_string(least) + " to " + std::to_string(kMostCompared) + " machines",
                    "machines " + action, "name them, e.g. `ridge machines " + action + " h100-sxm h200-sxm`"));
  }
  const auto machines = named_machines(database, names, arguments, context);
  if (!machines) return fail(machines.error());
  if (arguments.has("--toml")) {
    if (action == "show" && machines->size() == 1) return serialise_machine(machines->front());
    return fail(usage_error("--toml prints one machine", "--toml", "write `ridge machines show MACHINE --toml`"));
  }
  return action == "show" ? show(*machines, output) : compare(*machines, output);
}

class MachinesCommand final : public Command {
 public:
  [[nodiscard]] const CommandSpec& spec() const override {
    static const CommandSpec spec = make_spec();
    return spec;
  }

  [[nodiscard]] Result<int> run(const Arguments& arguments, Context& context) const override {
    const auto output = output_options(arguments, context);
    if (!output) return fail(output.error());
    const auto database = machine_database(context);
    if (!database) return fail(database.error());
    const auto text = answer(*database, arguments, *output, context);
    if (!text) return fail(text.error());
    RIDGE_TRY(write_result(*text, arguments, context));
    return 0;
  }

 private:
  static Result<std::string> answer(const Database& database, const Arguments& arguments, const OutputOptions& output,
                                    const Context& context) {
    std::vector<std::string> words = arguments.positionals();
    const std::string action = words.empty() ? "list" : words.front();
    if (!words.empty()) words.erase(words.begin());
    if (action == "show" || action == "compare") {
      return show_or_compare(database, action, words, arguments, output, context);
    }
    if (action != "list") {
      return fail(
          usage_error("unknown action '" + action + "'", "machines", "write list, show " + action + " or compare"));
    }
    for (const char* flag : {"--peak", "--bandwidth", "--toml"}) {
      if (arguments.has(flag)) {
        return fail(usage_error(std::string(flag) + " does not go with list", flag, "use it with show"));
      }
    }
    return list(database, words, output);
  }
};

}  // namespace

std::unique_ptr<Command> make_machines_command() {
  return std::make_unique<MachinesCommand>();
}

}  // namespace ridge::cli
