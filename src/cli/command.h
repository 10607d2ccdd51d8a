// A subcommand is an object with declared flags: name, one line, flags as data, run(). Help, the manual and the parser
// all come from the same CommandSpec. The option parser library stays in parser.cc; commands see only Arguments.
#pragma once

#include <iosfwd>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ridgepoint/base/result.h"

namespace ridge::cli {

struct Flag {
  std::string name;        ///< long name with dashes: "--format"
  std::string short_name;  ///< "-o", or empty
  std::string value_name;  ///< "FILE"; empty for a switch
  std::string help;        ///< one sentence
  std::string default_value;
  std::vector<std::string> choices;  ///< if not empty, any other value is a usage error
  bool repeatable = false;
};

struct Positional {
  std::string name;  ///< "FILE"
  std::string help;
  int min = 0;
  int max = 0;  ///< -1: any number
};

struct CommandSpec {
  std::string name;
  std::string summary;      ///< one line for `ridge --help`
  std::string description;  ///< what it does, inputs, outputs, exit codes; for `ridge NAME --help` and the manual
  std::vector<Flag> flags;  ///< besides the common ones (common_flags())
  std::vector<Positional> positionals;
  std::vector<std::pair<std::string, std::string>> examples;  ///< command line, what it shows
  bool common_output_flags = true;                            ///< --format, -o, --lang, --color, --width
  /// The positionals are another program's command line: it begins at the first word that is neither a flag nor a
  /// flag's value, or behind `--`, and no word of it is ours.
  bool runs_program = false;
  bool hidden = false;  ///< left out of `ridge --help`
};

/// --format text|json|csv|html|md, -o/--output FILE, --lang en|zh, --color auto|always|never, --width N.
[[nodiscard]] const std::vector<Flag>& common_flags();
/// The command's own flags, then the common ones if it has them.
[[nodiscard]] std::vector<Flag> all_flags(const CommandSpec& spec);

/// What was given on the command line after defaults were applied. A flag's key is its long name with dashes.
class Arguments {
 public:
  [[nodiscard]] bool has(std::string_view flag) const;           ///< given by the user
  [[nodiscard]] std::string value(std::string_view flag) const;  ///< given or default; "" if neither
  [[nodiscard]] std::vector<std::string> values(std::string_view flag) const;
  [[nodiscard]] const std::vector<std::string>& positionals() const { return positionals_; }

  void set(std::string flag, std::vector<std::string> values);
  void set_default(std::string flag, std::string value);
  void set_positionals(std::vector<std::string> values) { positionals_ = std::move(values); }

 private:
  std::map<std::string, std::vector<std::string>, std::less<>> given_;
  std::map<std::string, std::string, std::less<>> defaults_;
  std::vector<std::string> positionals_;
};

/// The surroundings of a run; tests pass string streams. `out` is only for results, `err` for everything else.
struct Context {
  std::ostream& out;
  std::ostream& err;
  int terminal_width = 100;  ///< columns of stdout; 100 when it is not a terminal
  bool out_is_terminal = false;
  std::map<std::string, std::string, std::less<>> environment = {};  ///< NO_COLOR, RIDGE_LANG, RIDGE_MACHINES, ...
  int error_width = 100;  ///< columns of stderr; 100 when it is not a terminal
  bool err_is_terminal = false;
};

class Command {
 public:
  virtual ~Command() = default;
  [[nodiscard]] virtual const CommandSpec& spec() const = 0;
  /// The exit status of a run that worked (0, or 1 for "the answer is no"); errors carry theirs in their code.
  [[nodiscard]] virtual Result<int> run(const Arguments& arguments, Context& context) const = 0;
};

/// How the common output flags and the surroundings together say results should look.
struct OutputOptions {
  std::string format;    ///< "text", "json", "csv", "html", "md"
  std::string language;  ///< "en", "zh"; --lang, then RIDGE_LANG, then English
  bool colour = false;   ///< --color; auto asks for a terminal, no NO_COLOR and a TERM that is not dumb
  int width = 100;       ///< --width, then the terminal's columns
  bool unicode = true;   ///< false on a terminal whose locale is not UTF-8
};
[[nodiscard]] Result<OutputOptions> output_options(const Arguments& arguments, const Context& context);

/// Writes to context.out; an error if that fails (a full disk), none if its reader went away.
[[nodiscard]] Result<void> print(std::string_view text, Context& context);
/// Writes a finished result: to stdout, or with -o to a temporary name that is renamed over FILE when complete.
/// In FILE, %p is the process id, %h the host name, %r the rank of an MPI or torch job, %% a percent sign.
[[nodiscard]] Result<void> write_result(std::string_view text, const Arguments& arguments, Context& context);

}  // namespace ridge::cli
