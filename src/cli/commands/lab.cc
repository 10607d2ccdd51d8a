// `ridge lab`: teaching kernels on the GPU, or their paper model.
#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <ctime>
#include <ostream>
#include <random>

#include "cli/commands/commands.h"
#include "cli/lab/view.h"
#include "cli/load.h"
#include "collectors/cuda/cuda_device.h"
#include "collectors/nvml/nvml.h"
#include "render/lab/lab_view.h"
#include "store/store.h"

namespace ridge::cli {
namespace {

CommandSpec make_spec() {
  CommandSpec spec;
  spec.name = "lab";
  spec.summary =
      "Run kernels that teach, step by step up a ladder, and say what limits each step; or show them on paper.";
  spec.description =
      "NAME is a kernel, a ladder such as gemm, transpose or reduction, or all; `list` shows them with their sizes. "
      "Each "
      "kernel runs on fresh random inputs, its results are checked against an fp64 reference, and its time is put "
      "beside "
      "the work that is declared for it: FLOP exactly, bytes of each level in the best case. Matrix products are "
      "compared "
      "with cuBLAS where it is installed. NAME=VALUE changes a size; NAME=VALUE,VALUE runs several.\n"
      "\n"
      "With --on MACHINE nothing is run and no GPU is needed: each step is shown with the least time that the machine "
      "allows it.\n"
      "\n"
      "Exit status 1 if a result is wrong, 4 if there is no GPU that can run any of the kernels.";
  spec.flags = {
      {"--on", "", "MACHINE", "Show the paper model of a machine instead of running.", "", {}, false},
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
  spec.positionals = {{"NAME|NAME=VALUE", "Kernels, ladders, all or list, and sizes.", 0, -1}};
  spec.examples = {
      {"ridge lab list", "every kernel with its sizes and its lesson"},
      {"ridge lab gemm", "the fp32 matrix products at 1024 and 4096, and why tiling is not 32 times faster"},
      {"ridge lab gemm --on h200-sxm", "the same on paper, without a GPU"},
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

/// The GPU with what can be had beside it.
struct Opened {
  std::unique_ptr<device::Device> device;
  std::unique_ptr<device::Telemetry> telemetry;
  std::unique_ptr<device::Blas> blas;
  std::vector<std::string> notes;
};

Result<Opened> open(const Arguments& arguments) {
  const auto number = parse_number<int>(arguments, "--device", 0, 1024);
  if (!number) return fail(number.error());
  Opened opened;
  auto device = collectors::cuda::open_device(*number);
  if (!device) return fail(without_gpu(device.error()));
  opened.device = *std::move(device);
  if (auto telemetry = collectors::nvml::open_telemetry(opened.device->identity().address)) {
    opened.telemetry = *std::move(telemetry);
  } else {
    opened.notes.push_back("clocks are not recorded: " + to_string(telemetry.error()));
  }
  if (arguments.has("--no-blas") || arguments.has("--once")) return opened;
  if (auto blas = collectors::cuda::open_blas()) {
    opened.blas = *std::move(blas);
  } else {
    opened.notes.push_back("no comparison with cuBLAS: " + to_string(blas.error()));
  }
  return opened;
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
    if (arguments.has("--once")) return once(arguments, context);
    const auto plan = plan_lab(words);
    if (!plan) return fail(plan.error());
    return arguments.has("--on") ? paper(*plan, arguments, *output, context)
                                 : measured(*plan, arguments, *output, context);
  }

 private:
  static Result<int> paper(const std::vector<LabPlanGroup>& plan, const Arguments& arguments,
                           const OutputOptions& output, Context& context) {
    const auto database = machine_database(context);
    if (!database) return fail(database.error());
    auto machine = find_machine(arguments.value("--on"), *database);
    if (!machine) return fail(machine.error());
    RIDGE_TRY(apply_overrides(*machine, arguments.values("--peak"), arguments.values("--bandwidth")));
    const auto page = paper_page(plan, *machine, render::parse_language(output.language));
    if (!page) return fail(page.error());
    RIDGE_TRY(write_result(rendered(*page, output), arguments, context));
    return 0;
  }

  static LabBench bench_of(const Opened& opened, const lab::RunOptions& options, Context& context) {
    LabBench bench{*opened.device, opened.telemetry.get(), opened.blas.get(), lab::embedded_images(), options, {}};
    if (context.out_is_terminal) bench.progress = [&context](const std::string& step) { context.err << step << '\n'; };
    return bench;
  }

  static Result<int> measured(const std::vector<LabPlanGroup>& plan, const Arguments& arguments,
                              const OutputOptions& output, Context& context) {
    const auto options = run_options(arguments);
    if (!options) return fail(options.error());
    const auto database = machine_database(context);
    if (!database) return fail(database.error());
    const auto opened = open(arguments);
    if (!opened) return fail(opened.error());
    auto measurement = measure(plan, bench_of(*opened, *options, context));
    if (!measurement) return fail(without_gpu(measurement.error()));
    measurement->notes.insert(measurement->notes.begin(), opened->notes.begin(), opened->notes.end());
    const LabPage page = measured_page(*measurement, opened->device->identity(), *options, *database, now_utc(),
                                       render::parse_language(output.language));
    if (arguments.has("--save")) RIDGE_TRY(store::write_profile(arguments.value("--save"), page.profile));
    RIDGE_TRY(write_result(rendered(page, output), arguments, context));
    return measurement->all_right() ? 0 : 1;
  }

  static Result<int> once(const Arguments& arguments, Context& context) {
    const auto options = run_options(arguments);
    if (!options) return fail(options.error());
    const auto plan = plan_truth(arguments.positionals());
    if (!plan) return fail(plan.error());
    const auto opened = open(arguments);
    if (!opened) return fail(opened.error());
    const auto list = launch_once(*plan, bench_of(*opened, *options, context));
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
