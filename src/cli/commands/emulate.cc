// `ridge emulate FILE`: a kernel's PTX run on the CPU, its work counted, and what would bound it on a GPU.
#include "cli/emulate/emulate.h"
#include "cli/commands/commands.h"

namespace ridge::cli {
namespace {

CommandSpec make_spec() {
  CommandSpec spec;
  spec.name = "emulate";
  spec.summary = "Run a kernel without a GPU, count its work, and say what bounds it on a machine.";
  spec.description =
      "Executes PTX on the CPU, 32 lanes at a time. Instructions and memory accesses are counted as they happen; "
      "traffic "
      "between caches and time are modelled; the report says which is which. FILE is PTX, or CUDA C++, which NVRTC or "
      "nvcc compiles for the machine; neither needs a GPU.\n"
      "\n"
      "Arguments are given in the kernel's order. A number takes the type of its parameter; f32=2.5 says it; "
      "{f32=2.5, u32=n} is a structure. A buffer is TYPE:ELEMENTS:CONTENTS, the contents random, random(LOW,HIGH), "
      "ramp, a number, poison or FILE.npy; :save=FILE.npy keeps what it holds in the end, :expect=FILE.npy compares "
      "it, within :tolerance=X relative to the expected value (absolute below 1). @1 is the buffer of argument 1 once "
      "more.\n"
      "\n"
      "Accesses out of bounds, misaligned ones, reads of shared memory that nobody wrote, races in it and divergent "
      "barriers are told with the line of PTX and of the source. Exit status 1 if there are any, or if a result is not "
      "what was expected.";
  spec.flags = emulate_flags();
  spec.positionals = {{"FILE", "PTX or CUDA C++.", 1, 1}};
  spec.examples = {
      {"ridge emulate saxpy.ptx --on h200-sxm --kernel saxpy --grid 'ceil(n/256)' --block 256 --set n=1M --arg "
       "f32:n:random --arg f32:n:ramp --arg 2.5 --arg n",
       "a kernel with its arguments"},
      {"ridge emulate saxpy.ptx --template -o job.toml", "a job to start from"},
      {"ridge emulate saxpy.ptx --on l40s --job job.toml", "that job"},
      {"ridge emulate gemm.cu --on h200-sxm --kernel 'gemm<32>' --job gemm.toml", "a template of a .cu"},
      {"ridge emulate scale.cu --on h200-sxm --grid 1 --block 32 --arg x.npy:expect=y.npy --arg 2", "a result checked"},
  };
  return spec;
}

class EmulateCommand final : public Command {
 public:
  [[nodiscard]] const CommandSpec& spec() const override {
    static const CommandSpec spec = make_spec();
    return spec;
  }

  [[nodiscard]] Result<int> run(const Arguments& arguments, Context& context) const override {
    return emulate_kernel(arguments, context, emulator::run);
  }
};

}  // namespace

std::unique_ptr<Command> make_emulate_command() {
  return std::make_unique<EmulateCommand>();
}

}  // namespace ridge::cli
