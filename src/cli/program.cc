#include "cli/program.h"

#include <new>
#include <ostream>

#include "cli/parser.h"
#include "cli/registry.h"
#include "render/text/format.h"

namespace ridge::cli {

namespace {

Result<int> print_text(std::string_view text, Context& context) {
  RIDGE_TRY(print(text, context));
  return 0;
}

Result<int> run_command(const Command& command, const std::vector<std::string>& words, Context& context) {
  if (asks_for_help(command.spec(), words)) {
    return print_text(command_help(command.spec(), context.terminal_width), context);
  }
  const Result<Arguments> arguments = parse(command.spec(), words);
  if (!arguments) return fail(arguments.error());
  return command.run(*arguments, context);
}

Result<int> dispatch(const Commands& commands, const std::vector<std::string>& words, Context& context) {
  if (words.empty()) {
    return fail(usage_error("no command given", "ridge", "'ridge --help' lists the commands"));
  }
  const std::string& first = words.front();
  if (first == "--help" || first == "-h") {
    return print_text(program_help(commands, context.terminal_width), context);
  }
  if (first == "--version") {
    return print_text("ridge " RIDGE_VERSION "\n", context);
  }
  if (first.size() > 1 && first.front() == '-') {
    return fail(
        usage_error("unknown flag '" + first + "'", "ridge", "name a command first; 'ridge --help' lists them"));
  }
  const Command* command = find_command(commands, first);
  if (command == nullptr) return fail(unknown_command(commands, first));
  return run_command(*command, {words.begin() + 1, words.end()}, context);
}

/// Nothing below throws on purpose; what the standard library throws (no memory, above all) ends here.
Result<int> dispatch_and_catch(const Commands& commands, const std::vector<std::string>& words, Context& context) {
  try {
    return dispatch(commands, words, context);
  } catch (const std::bad_alloc&) {
    return fail(internal_error("out of memory", "", "give the program more memory or a smaller input"));
  } catch (const std::exception& exception) {
    return fail(internal_error(std::string("unexpected failure: ") + exception.what(), "",
                               "please report it with the command line and the input"));
  }
}

}  // namespace

std::string error_line(const Error& error) {
  return "ridge: " + render::printable(to_string(error));
}

int run_program(const Commands& commands, const std::vector<std::string>& words, Context& context) {
  const Result<int> status = dispatch_and_catch(commands, words, context);
  if (status) return *status;
  context.err << error_line(status.error()) << '\n';
  return exit_status(status.error().code);
}

}  // namespace ridge::cli
