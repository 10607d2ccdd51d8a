#include "cli/output_file.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <ostream>
#include <system_error>

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

}  // namespace

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
  if (!arguments.has("--output") || arguments.value("--output") == "-") {
    return print(text, context);
  }
  const Result<std::string> path = expand_output_path(arguments.value("--output"), context);
  if (!path) return fail(path.error());
  return store::write_file(*path, text);
}

}  // namespace ridge::cli
