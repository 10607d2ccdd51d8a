#include <iostream>
#include <string>
#include <vector>

#include "cli/program.h"
#include "cli/registry.h"
#include "cli/surroundings.h"

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  const auto environment = ridge::cli::environment();
  ridge::cli::Context context = {std::cout, std::cerr, ridge::cli::terminal_width(environment),
                                 ridge::cli::output_is_terminal(), environment};
  return ridge::cli::run_program(ridge::cli::commands(), std::vector<std::string>(argv + (argc > 0), argv + argc),
                                 context);
}
