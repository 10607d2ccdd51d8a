// `ridge profile -- CMD...`: a running program on the roofline.
#include "cli/commands/commands.h"
#include "cli/profile/options.h"
#include "cli/profile/run.h"

namespace ridge::cli {

namespace {

CommandSpec make_spec() {
  CommandSpec spec;
  spec.name = "profile";
  spec.summary = "Run a program, collect the best evidence this machine allows, and say what bounds each kernel.";
  spec.description =
      "Runs CMD with its own streams, arguments, environment, signals and exit status, records its kernels, copies and "
      "clocks, and reports as `ridge report` does. Counters come from replays of a few launches of each kernel and "
      "shape, of the whole run from samples at intervals. What is not allowed or not there here is left out, said, and "
      "the report made with the rest: `ridge doctor` says what this machine allows and how to allow more. Before the "
      "first replay a line says what counters will cost.\n"
      "\n"
      "Everything from the first word that is no flag, or behind --, is the program's. Its output is left alone: the "
      "report goes to standard error, or to a file with --report. Children that it starts are recorded as well. The "
      "recording is kept only with -o; a program that crashes leaves what came before.\n"
      "\n"
      "The exit status is the program's unless --exit-status ridge is given; if it could not be started, the status "
      "says why as below.";
  spec.flags = profile_flags();
  spec.positionals = {{"CMD", "The program and its arguments.", 1, -1}};
  spec.examples = {
      {"ridge profile -- ./simulate input.dat", "the report of one run"},
      {"ridge profile -o run.ridge -- python train.py --epochs 1", "and the recording for later"},
      {"ridge profile --tier timing -- ./simulate", "times only, at the least cost"},
      {"ridge profile --kernel 'gemm|softmax' --delay 20s --duration 5s -- python serve.py",
       "these kernels, these 5 s"},
      {"ridge profile --detail memory --report run.html --format html -- ./simulate", "with memory detail, as a page"},
      {"mpirun -n 4 ridge profile -o run-%r.ridge -- ./simulate", "a recording a rank"},
  };
  spec.common_output_flags = false;
  spec.runs_program = true;
  return spec;
}

class ProfileCommand final : public Command {
 public:
  [[nodiscard]] const CommandSpec& spec() const override {
    static const CommandSpec spec = make_spec();
    return spec;
  }

  [[nodiscard]] Result<int> run(const Arguments& arguments, Context& context) const override {
    return profile_program(arguments, context, collectors::session::run);
  }
};

}  // namespace

std::unique_ptr<Command> make_profile_command() {
  return std::make_unique<ProfileCommand>();
}

}  // namespace ridge::cli
