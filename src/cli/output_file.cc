#include "cli/output_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <ostream>
#include <system_error>
#include <vector>

#include "store/atomic_file.h"

namespace ridge::cli {

namespace {

std::string host_name() {
  std::array<char, 256> buffer = {};
  return gethostname(buffer.data(), buffer.size() - 1) == 0 ? std::string(buffer.data()) : std::string("localhost");
}

/// The rank as the launchers in use state it: Open MPI, MPICH and Intel MPI, MVAPICH2, PMIx, Slurm, torchrun.
std::string rank(const Context& context) {
  for (const char* name :
       {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK", "PMIX_RANK", "SLURM_PROCID", "RANK"}) {
    const auto found = context.environment.find(name);
    if (found != context.environment.end() && !found->second.empty()) return found->second;
  }
  return "0";
}

Result<std::string> placeholder(char letter, const std::string& path, const Context& context) {
  switch (letter) {
    case 'p':
      return std::to_string(getpid());
    case 'h':
      return host_name();
    case 'r':
      return rank(context);
    case '%':
      return std::string("%");
    default:
      return fail(usage_error(std::string("unknown placeholder '%") + letter + "' in the output name", path,
                              "use %p, %h, %r, or %% for a percent sign"));
  }
}

bool writes_to_stdout(const Arguments& arguments) {
  return !arguments.has("--output") || arguments.value("--output") == "-";
}

/// False for a file that is not there, and for what writing does not destroy: a device, a pipe.
bool are_same_file(const struct stat& a, const struct stat& b) {
  return S_ISREG(a.st_mode) && S_ISREG(b.st_mode) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/// The file at the end of -o or of standard output, as far as there is one.
Result<struct stat> output_status(const Arguments& arguments, const Context& context) {
  struct stat status = {};
  if (writes_to_stdout(arguments)) {
    fstat(STDOUT_FILENO, &status);
    return status;
  }
  const Result<std::string> path = expand_output_path(arguments.value("--output"), context);
  if (!path) return fail(path.error());
  if (stat(path->c_str(), &status) != 0) status = {};
  return status;
}

}  // namespace

Result<void> keep_inputs(const Arguments& arguments, const Context& context) {
  const Result<struct stat> output = output_status(arguments, context);
  if (!output) return fail(output.error());
  std::vector<std::string> inputs = arguments.positionals();
  for (const std::string& machine : arguments.values("--on")) {
    if (machine.ends_with(".toml") || machine.find('/') != std::string::npos) inputs.push_back(machine);
  }
  for (const std::string& input : inputs) {
    struct stat status = {};
    if (stat(input.c_str(), &status) != 0 || !are_same_file(status, *output)) continue;
    return fail(usage_error("the output is the input '" + input + "' and would destroy it",
                            writes_to_stdout(arguments) ? "standard output" : arguments.value("--output"),
                            "name another file with -o"));
  }
  return {};
}

Result<std::string> expand_output_path(const std::string& path, const Context& context) {
  std::string result;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (path[i] != '%') {
      result += path[i];
      continue;
    }
    // A lone percent sign at the end falls through to the error with an empty letter.
    const Result<std::string> text = placeholder(i + 1 < path.size() ? path[i + 1] : ' ', path, context);
    if (!text) return fail(text.error());
    result += *text;
    ++i;
  }
  return result;
}

Result<void> print(std::string_view text, Context& context) {
  errno = 0;
  context.out << text << std::flush;
  if (context.out || errno == EPIPE) return {};  // a reader that has had enough (`| head`) is no failure
  const std::string cause = errno == 0 ? "output failed" : std::generic_category().message(errno);
  return fail(
      internal_error("cannot write the result: " + cause, "standard output", "free space there or use -o FILE"));
}

Result<void> write_result(std::string_view text, const Arguments& arguments, Context& context) {
  RIDGE_TRY(keep_inputs(arguments, context));
  if (writes_to_stdout(arguments)) {
    return print(text, context);
  }
  const Result<std::string> path = expand_output_path(arguments.value("--output"), context);
  if (!path) return fail(path.error());
  context.out << std::flush;  // FILE may be a name of the same stream
  return store::write_file(*path, text);
}

}  // namespace ridge::cli
