#include "cli/parser.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/nearest.h"

namespace ridge::cli {

namespace {

std::string help_hint(const CommandSpec& spec) {
  return "see 'ridge " + spec.name + " --help'";
}

/// Declares every flag to the option library, which splits words into flags and values. What is allowed is decided here
/// and not there, so that every error has our wording.
void declare(CLI::App& app, const std::vector<Flag>& flags) {
  app.set_help_flag("");
  app.allow_extras();
  for (const Flag& flag : flags) {
    const std::string names = flag.short_name.empty() ? flag.name : flag.short_name + "," + flag.name;
    CLI::Option* option = nullptr;
    if (flag.value_name.empty()) {
      option = app.add_flag(names);
    } else {
      option = app.add_option(names)->type_size(1)->expected(1)->allow_extra_args(false);
    }
    option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }
}

Error unknown_flag(const CommandSpec& spec, const std::vector<Flag>& flags, const std::string& word) {
  const std::string given = word.substr(0, word.find('='));
  std::vector<std::string> known = {"--help"};
  for (const Flag& flag : flags) known.push_back(flag.name);
  const std::string near = nearest(given, known);
  return usage_error("unknown flag '" + given + "'", "ridge " + spec.name,
                     near.empty() ? help_hint(spec) : "did you mean " + near + "?");
}

Result<void> check_choice(const CommandSpec& spec, const Flag& flag, const std::string& value) {
  if (flag.choices.empty() || std::find(flag.choices.begin(), flag.choices.end(), value) != flag.choices.end()) {
    return {};
  }
  std::string all;
  for (const std::string& choice : flag.choices) all += (all.empty() ? "" : ", ") + choice;
  const std::string near = nearest(value, flag.choices);
  return fail(usage_error("'" + value + "' is not a value of " + flag.name, "ridge " + spec.name,
                          near.empty() ? "choose one of " + all : "did you mean " + near + "? (one of " + all + ")"));
}

Result<void> take_flag(const CommandSpec& spec, const CLI::App& app, const Flag& flag, Arguments& arguments) {
  if (!flag.default_value.empty()) arguments.set_default(flag.name, flag.default_value);
  const CLI::Option* option = app.get_option(flag.name);
  if (option->count() == 0) return {};
  if (flag.value_name.empty()) {
    // `--detail=x` reaches the option library as a value of the switch; a plain switch has none or "true".
    for (const std::string& value : option->results()) {
      if (value == "true" || value.empty()) continue;
      return fail(usage_error(flag.name + " takes no value", "ridge " + spec.name, "give " + flag.name + " alone"));
    }
    arguments.set(flag.name, {});
    return {};
  }
  if (option->count() > 1 && !flag.repeatable) {
    return fail(usage_error(flag.name + " is given more than once", "ridge " + spec.name, "give it once"));
  }
  for (const std::string& value : option->results()) RIDGE_TRY(check_choice(spec, flag, value));
  arguments.set(flag.name, option->results());
  return {};
}

/// Splits what no flag took into positionals; a word that begins with a dash before `--` is an unknown flag.
Result<std::vector<std::string>> take_positionals(const CommandSpec& spec, const std::vector<Flag>& flags,
                                                  const std::vector<std::string>& rest) {
  std::vector<std::string> positionals;
  bool only_positionals = false;
  for (const std::string& word : rest) {
    if (!only_positionals && word == "--") {
      only_positionals = true;
    } else if (!only_positionals && word.size() > 1 && word.front() == '-') {
      return fail(unknown_flag(spec, flags, word));
    } else {
      positionals.push_back(word);
    }
  }
  return positionals;
}

Result<void> check_count(const CommandSpec& spec, const std::vector<std::string>& positionals) {
  std::size_t least = 0;
  std::size_t most = 0;
  bool unlimited = false;
  for (const Positional& positional : spec.positionals) {
    if (positionals.size() < least + static_cast<std::size_t>(positional.min)) {
      return fail(usage_error("no " + positional.name + " given", "ridge " + spec.name, help_hint(spec)));
    }
    least += static_cast<std::size_t>(positional.min);
    unlimited = unlimited || positional.max < 0;
    most += static_cast<std::size_t>(std::max(positional.max, 0));
  }
  if (unlimited || positionals.size() <= most) return {};
  return fail(usage_error("unexpected argument '" + positionals[most] + "'", "ridge " + spec.name, help_hint(spec)));
}

/// `--name=` gives an empty value; the option library would take the next word instead, so it gets two words.
std::vector<std::string> with_empty_values(const std::vector<Flag>& flags, const std::vector<std::string>& words) {
  std::vector<std::string> result;
  bool only_positionals = false;
  for (const std::string& word : words) {
    only_positionals = only_positionals || word == "--";
    const bool empty_value = !only_positionals && std::any_of(flags.begin(), flags.end(), [&](const Flag& flag) {
      return !flag.value_name.empty() && word == flag.name + "=";
    });
    result.push_back(empty_value ? word.substr(0, word.size() - 1) : word);
    if (empty_value) result.emplace_back();
  }
  return result;
}

/// The option library throws for a value that is not there; nothing else is left to it.
Result<void> split_words(const CommandSpec& spec, CLI::App& app, std::vector<std::string> words) {
  const std::string last = words.empty() ? "" : words.back();
  std::reverse(words.begin(), words.end());  // as the library wants them
  try {
    app.parse(std::move(words));
    return {};
  } catch (const CLI::ParseError&) {
    return fail(usage_error("the value of '" + last + "' is missing", "ridge " + spec.name, help_hint(spec)));
  }
}

/// How many words the flag at the start of `word` takes, its value included. What is no flag is left to the errors.
std::size_t words_of_flag(const std::vector<Flag>& flags, const std::string& word) {
  for (const Flag& flag : flags) {
    if (!flag.value_name.empty() && (word == flag.name || word == flag.short_name)) return 2;
  }
  return 1;
}

/// Where the command's own words end and those of the program that it runs begin; the end if it runs none.
std::size_t begin_of_program(const CommandSpec& spec, const std::vector<std::string>& words) {
  if (!spec.runs_program) return words.size();
  const std::vector<Flag> flags = all_flags(spec);
  std::size_t at = 0;
  while (at < words.size() && words[at] != "--" && words[at].size() > 1 && words[at].front() == '-') {
    at += words_of_flag(flags, words[at]);
  }
  return std::min(at, words.size());
}

}  // namespace

Result<Arguments> parse(const CommandSpec& spec, const std::vector<std::string>& words) {
  const std::vector<Flag> flags = all_flags(spec);
  CLI::App app;
  declare(app, flags);
  const auto program = words.begin() + static_cast<std::ptrdiff_t>(begin_of_program(spec, words));
  RIDGE_TRY(split_words(spec, app, with_empty_values(flags, {words.begin(), program})));
  Result<std::vector<std::string>> positionals = take_positionals(spec, flags, app.remaining());
  if (!positionals) return fail(positionals.error());
  if (program != words.end()) positionals->insert(positionals->end(), program + (*program == "--"), words.end());
  Arguments arguments;
  for (const Flag& flag : flags) RIDGE_TRY(take_flag(spec, app, flag, arguments));
  RIDGE_TRY(check_count(spec, *positionals));
  arguments.set_positionals(std::move(*positionals));
  return arguments;
}

bool asks_for_help(const CommandSpec& spec, const std::vector<std::string>& words) {
  const std::size_t end = begin_of_program(spec, words);
  for (std::size_t i = 0; i < end && words[i] != "--"; ++i) {
    if (words[i] == "--help" || words[i] == "-h") return true;
  }
  return false;
}

}  // namespace ridge::cli
