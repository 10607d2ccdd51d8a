// `ridge lab`: teaching kernels on the GPU, emulated, or their paper model.
#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <ctime>
#include <ostream>
#include <random>

#include "cli/commands/commands.h"
#include "cli/lab/bench.h"
#include "cli/lab/view.h"
#include "cli/load.h"
#include "render/lab/lab_view.h"
#include "store/store.h"

namespace ridge::cli {
namespace {

std::vector<Flag> lab_flags() {
  return {
      {"--emulate",
       "",
       "",
       "Execute the kernels on this machine's CPU: work is counted, times are predicted.",
       "",
       {},
       false},
      {"--on",
       "",
       "MACHINE",
       "Show the paper model of a machine instead of running; with --emulate, the machine that is emulated (h200-sxm "
       "if it is not given).",
       "",
       {},
       false},
      {"--peak", "", "NAME=RATE", "With --on: replace a compute ceiling, e.g. fp32=30TFLOP/s.", "", {}, true},
      {"--bandwidth", "", "NAME=RATE", "With --on: replace a bandwidth, e.g. dram=900GB/s.", "", {}, true},
      {"--check-only", "", "", "Check results, take no times.", "", {}, false},
      {"--repetitions", "", "N", "Timed samples of each kernel.", "20", {}, false},
      {"--seed",
       "",
       "N",
       "Seed of the random inputs; by default another one each time, which is printed.",
       "",
       {},
       false},
      {"--device", "", "N", "Which GPU, as CUDA counts them.", "0", {}, false},
      {"--no-blas", "", "", "Leave cuBLAS out.", "", {}, false},
      {"--save", "", "FILE", "Also keep the runs as a .ridge file, for `ridge report`.", "", {}, false},
      {"--once",
       "",
       "",
       "Launch each kernel once at its recorded sizes, unchecked and untimed, and list them: for a profiler that "
       "watches.",
       "",
       {},
       false},
  };
}

CommandSpec make_spec() {
  CommandSpec spec;
  spec.name = "lab";
  spec.summary =
      "Run kernels that teach, step by step up a ladder, and say what limits each step: on a GPU, emulated, or on "
      "paper.";
  spec.description =
      "NAME is a kernel, a ladder such as gemm, transpose or reduction, or all; `list` shows them with their sizes. "
      "Each "
      "kernel runs on fresh random inputs, its results are checked against an fp64 reference, and its time is put "
      "beside "
      "the work that is declared for it: FLOP exactly, bytes of each level in the best case. Matrix products are "
      "compared "
      "with cuBLAS where it is installed. NAME=VALUE changes a size; NAME=VALUE,VALUE runs several.\n"
      "\n"
      "Where there is no GPU, and with --emulate, the CPU executes the kernels as an H200 would, or as the GPU that "
      "--on "
      "names beside --emulate: results are checked all the same, instructions and accesses are counted, the traffic of "
      "caches and the times are modelled. Sizes are smaller then unless they are given; a kernel that would take more "
      "than "
      "ten seconds is run in part, its results unchecked.\n"
      "\n"
      "With --on MACHINE alone nothing is run: each step is shown with the least time that the machine allows it.\n"
      "\n"
      "Exit status 1 if a result is wrong, 4 if neither a GPU nor the emulator can run any of the kernels.";
  spec.flags = lab_flags();
  spec.positionals = {{"NAME|NAME=VALUE", "Kernels, ladders, all or list, and sizes.", 0, -1}};
  spec.examples = {
      {"ridge lab list", "every kernel with its sizes and its lesson"},
      {"ridge lab gemm", "the fp32 matrix products at 1024 and 4096, and why tiling is not 32 times faster"},
      {"ridge lab gemm --emulate --on h100-sxm", "emulated, without a GPU"},
      {"ridge lab gemm --on h200-sxm", "on paper"},
      {"ridge lab transpose n=4096,16384", "two sizes of the transpose ladder"},
      {"ridge lab all --check-only --seed 7", "every kernel's results"},
  };
  return spec;
}

template <class T>
Result<T> parse_number(const Arguments& arguments, const char* flag, T least, T most) {
  const std::string text = arguments.value(flag);
  T number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && number >= least && number <= most) return number;
  return fail(usage_error(fmt::format("'{}' is not a whole number from {} to {}", text, least, most), flag,
                          "correct the number"));
}

Result<lab::RunOptions> run_options(const Arguments& arguments) {
  lab::RunOptions options;
  options.check_only = arguments.has("--check-only");
  const auto repetitions = parse_number<int>(arguments, "--repetitions", 1, 10000);
  if (!repetitions) return fail(repetitions.error());
  options.repetitions = *repetitions;
  options.seed = std::random_device()();
  if (arguments.has("--seed")) {
    const auto seed = parse_number<std::uint64_t>(arguments, "--seed", 0, ~std::uint64_t{0});
    if (!seed) return fail(seed.error());
    options.seed = *seed;
  }
  return options;
}

std::string now_utc() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                     parts.tm_hour, parts.tm_min, parts.tm_sec);
}

Error without_gpu(Error error) {
  if (error.code == ErrorCode::kNotAvailable) error.remedy += "; or name a machine with --on for the paper model";
  return error;
}

std::string rendered(const LabPage& page, const OutputOptions& output) {
  if (output.format == "json") return render::lab_json(page.view);
  if (output.format == "csv") return render::lab_csv(page.view);
  render::TextOptions options;
  options.width = output.width;
  options.color = output.colour;
  options.unicode = output.unicode;
  options.language = render::parse_language(output.language);
  return render::lab_page(output.format, page.view, page.report, options);
}

std::string rendered_list(const OutputOptions& output) {
  const render::Language language = render::parse_language(output.language);
  const auto entries = lab_entries(language);
  if (output.format == "json") return render::lab_list_json(entries);
  if (output.format == "csv") return render::lab_list_csv(entries);
  render::TextOptions options;
  options.width = output.width;
  options.color = output.colour;
  options.unicode = output.unicode;
  options.language = language;
  return render::document_as(output.format, render::lab_list(entries, language), options);
}

Result<LabGpu> open(const Arguments& arguments) {
  const auto number = parse_number<int>(arguments, "--device", 0, 1024);
  if (!number) return fail(number.error());
  return open_lab_gpu(*number, !arguments.has("--no-blas") && !arguments.has("--once"));
}

std::function<void(const std::string&)> progress_on(Context& context) {
  if (!context.out_is_terminal) return {};
  return [&context](const std::string& step) { context.err << step << '\n'; };
}

class LabCommand final : public Command {
 public:
  [[nodiscard]] const CommandSpec& spec() const override {
    static const CommandSpec spec = make_spec();
    return spec;
  }

  [[nodiscard]] Result<int> run(const Arguments& arguments, Context& context) const override {
    const auto output = output_options(arguments, context);
    if (!output) return fail(output.error());
    const auto& words = arguments.positionals();
    if (words.empty() || (words.size() == 1 && words[0] == "list")) {
      RIDGE_TRY(write_result(rendered_list(*output), arguments, context));
      return 0;
    }
    // Whatever is wrong with the words is said before anything is looked for.
    if (const auto plan = plan_lab(words); !plan) return fail(plan.error());
    const auto options = run_options(arguments);
    if (!options) return fail(options.error());
    if (arguments.has("--emulate")) return emulated(*options, arguments, *output, context);
    if (arguments.has("--once")) return once(*options, arguments, context);
    if (arguments.has("--on")) return paper(arguments, *output, context);
    const auto gpu = open(arguments);
    if (gpu) return measured(*gpu, *options, arguments, *output, context);
    // A GPU that was asked for by its number is not made up.
    if (gpu.error().code != ErrorCode::kNotAvailable || arguments.has("--device"))
      return fail(without_gpu(gpu.error()));
    return instead_of(gpu.error(), *options, arguments, *output, context);
  }

 private:
  static Result<int> paper(const Arguments& arguments, const OutputOptions& output, Context& context) {
    const auto plan = plan_lab(arguments.positionals());
    if (!plan) return fail(plan.error());
    const auto database = machine_database(context);
    if (!database) return fail(database.error());
    auto machine = find_machine(arguments.value("--on"), *database);
    if (!machine) return fail(machine.error());
    RIDGE_TRY(apply_overrides(*machine, arguments.values("--peak"), arguments.values("--bandwidth")));
    const auto page = paper_page(*plan, *machine, render::parse_language(output.language));
    if (!page) return fail(page.error());
    RIDGE_TRY(write_result(rendered(*page, output), arguments, context));
    return 0;
  }

  static Result<int> measured(const LabGpu& gpu, const lab::RunOptions& options, const Arguments& arguments,
                              const OutputOptions& output, Context& context) {
    const auto plan = plan_lab(arguments.positionals());
    if (!plan) return fail(plan.error());
    const auto database = machine_database(context);
    if (!database) return fail(database.error());
    auto measurement = measure(*plan, {*gpu.device, gpu.telemetry.get(), gpu.blas.get(), lab::embedded_images(),
                                       options, progress_on(context)});
    if (!measurement) return fail(without_gpu(measurement.error()));
    measurement->notes.insert(measurement->notes.begin(), gpu.notes.begin(), gpu.notes.end());
    const LabPage page = measured_page(*measurement, gpu.device->identity(), options, *database, now_utc(),
                                       render::parse_language(output.language));
    return show(page, *measurement, arguments, output, context);
  }

  static Result<int> instead_of(const Error& no_gpu, const lab::RunOptions& options, const Arguments& arguments,
                                const OutputOptions& output, Context& context) {
    const auto machine = machine_to_emulate(arguments, context);
    if (!machine) return fail(machine.error());
    context.err << fmt::format("ridge: {}: emulating {} instead; --on MACHINE shows the paper model\n", no_gpu.what,
                               machine->name);
    return emulated(options, arguments, output, context);
  }

  static Result<int> emulated(const lab::RunOptions& given, const Arguments& arguments, const OutputOptions& output,
                              Context& context) {
    for (const char* flag : {"--once", "--device"}) {
      if (arguments.has("--emulate") && arguments.has(flag)) {
        return fail(
            usage_error(std::string(flag) + " is about a GPU, and none is used", "--emulate", "leave one of them out"));
      }
    }
    const auto plan = plan_lab(arguments.positionals(), LabHost::kEmulator);
    if (!plan) return fail(plan.error());
    auto machine = machine_to_emulate(arguments, context);
    if (!machine) return fail(machine.error());
    emulator::KernelOptions how;
    if (given.check_only) how.extent = emulator::Extent::kWhole;
    const auto device = emulator::EmulatedDevice::open(*std::move(machine), how);
    if (!device) return fail(device.error());
    const lab::RunOptions options = cli::emulated(given, **device);
    auto measurement =
        measure(*plan, {**device, nullptr, nullptr, lab::embedded_images(), options, progress_on(context)});
    if (!measurement) return fail(measurement.error());
    for (std::string& text : findings_of(**device)) measurement->notes.push_back(std::move(text));
    const LabPage page =
        emulated_page(*measurement, (*device)->machine(), options, now_utc(), render::parse_language(output.language));
    return show(page, *measurement, arguments, output, context);
  }

  static Result<int> show(const LabPage& page, const LabMeasurement& measurement, const Arguments& arguments,
                          const OutputOptions& output, Context& context) {
    if (arguments.has("--save")) RIDGE_TRY(store::write_profile(arguments.value("--save"), page.profile));
    RIDGE_TRY(write_result(rendered(page, output), arguments, context));
    return measurement.all_right() ? 0 : 1;
  }

  static Result<int> once(const lab::RunOptions& options, const Arguments& arguments, Context& context) {
    const auto plan = plan_truth(arguments.positionals());
    if (!plan) return fail(plan.error());
    const auto opened = open(arguments);
    if (!opened) return fail(without_gpu(opened.error()));
    const auto list = launch_once(*plan, {*opened->device, opened->telemetry.get(), nullptr, lab::embedded_images(),
                                          options, progress_on(context)});
    if (!list) return fail(list.error());
    RIDGE_TRY(write_result(*list, arguments, context));
    return 0;
  }
};

}  // namespace

std::unique_ptr<Command> make_lab_command() {
  return std::make_unique<LabCommand>();
}

}  // namespace ridge::cli
