#include "cli/registry.h"

#include "base/nearest.h"
#include "cli/commands/commands.h"

namespace ridge::cli {

namespace {

Commands make_commands() {
  Commands list;
  list.push_back(make_profile_command());
  list.push_back(make_report_command());
  list.push_back(make_export_command());
  list.push_back(make_machines_command());
  list.push_back(make_explain_command());
  list.push_back(make_emulate_command());
  list.push_back(make_occupancy_command());
  list.push_back(make_lab_command());
  list.push_back(make_doctor_command());
  list.push_back(make_help_command());
  list.push_back(make_manual_command());
  return list;
}

}  // namespace

const Commands& commands() {
  static const Commands list = make_commands();
  return list;
}

const Command* find_command(const Commands& commands, std::string_view name) {
  for (const auto& command : commands) {
    if (command->spec().name == name) return command.get();
  }
  return nullptr;
}

Error unknown_command(const Commands& commands, const std::string& name) {
  std::vector<std::string> names;
  for (const auto& command : commands) names.push_back(command->spec().name);
  const std::string near = nearest(name, names);
  return usage_error("unknown command '" + name + "'", "ridge",
                     near.empty() ? "'ridge --help' lists the commands" : "did you mean " + near + "?");
}

}  // namespace ridge::cli
