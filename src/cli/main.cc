#include <csignal>
#include <iostream>
#include <string>
#include <vector>

#include "cli/program.h"
#include "cli/registry.h"
#include "cli/surroundings.h"

namespace {

/// Catches a signal that means nothing here. Unlike an ignored one it is as ever in the programs that are started.
extern "C" void do_nothing(int) {}

}  // namespace

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  // A reader that has had enough (`| head`) is seen where the result is written, and is no failure.
  if (std::signal(SIGPIPE, do_nothing) == SIG_IGN) std::signal(SIGPIPE, SIG_IGN);
  const auto environment = ridge::cli::environment();
  ridge::cli::Context context = {std::cout,
                                 std::cerr,
                                 ridge::cli::terminal_width(environment),
                                 ridge::cli::output_is_terminal(),
                                 environment,
                                 ridge::cli::error_width(environment),
                                 ridge::cli::error_is_terminal()};
  return ridge::cli::run_program(ridge::cli::commands(), std::vector<std::string>(argv + (argc > 0), argv + argc),
                                 context);
}
