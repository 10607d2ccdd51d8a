// `ridge help [COMMAND]` and the hidden `ridge manual`.
#include "cli/help.h"

#include "cli/commands/commands.h"
#include "cli/registry.h"

namespace ridge::cli {

namespace {

class HelpCommand final : public Command {
 public:
  [[nodiscard]] const CommandSpec& spec() const override {
    static const CommandSpec spec = {
        .name = "help",
        .summary = "Explain a command.",
        .description = "Prints the help of COMMAND, or the list of commands.",
        .flags = {},
        .positionals = {{"COMMAND", "A command's name.", 0, 1}},
        .examples = {{"ridge help report", "the same as 'ridge report --help'"}},
        .common_output_flags = false,
    };
    return spec;
  }

  [[nodiscard]] Result<int> run(const Arguments& arguments, Context& context) const override {
    if (arguments.positionals().empty()) {
      RIDGE_TRY(print(program_help(commands(), context.terminal_width), context));
      return 0;
    }
    const std::string& name = arguments.positionals().front();
    const Command* command = find_command(commands(), name);
    if (command == nullptr) return fail(unknown_command(commands(), name));
    RIDGE_TRY(print(command_help(command->spec(), context.terminal_width), context));
    return 0;
  }
};

class ManualCommand final : public Command {
 public:
  [[nodiscard]] const CommandSpec& spec() const override {
    static const CommandSpec spec = {
        .name = "manual",
        .summary = "Print the manual of every command as Markdown.",
        .description = "Prints docs/reference/cli.md, from the same text as --help.",
        .flags = {},
        .positionals = {},
        .examples = {},
        .common_output_flags = false,
        .hidden = true,
    };
    return spec;
  }

  [[nodiscard]] Result<int> run(const Arguments&, Context& context) const override {
    RIDGE_TRY(print(manual(commands()), context));
    return 0;
  }
};

}  // namespace

std::unique_ptr<Command> make_help_command() {
  return std::make_unique<HelpCommand>();
}

std::unique_ptr<Command> make_manual_command() {
  return std::make_unique<ManualCommand>();
}

}  // namespace ridge::cli
