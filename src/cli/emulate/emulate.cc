#include "cli/emulate/emulate.h"

#include <fmt/format.h>

#include <charconv>
#include <ostream>

#include "base/files.h"
#include "base/quantity_text.h"
#include "cli/emulate/outputs.h"
#include "cli/emulate/source.h"
#include "cli/load.h"
#include "cli/output_file.h"
#include "cli/render_report.h"
#include "emulator/job/bind.h"
#include "ridgepoint/analysis/analyse.h"
#include "ridgepoint/machines/database.h"
#include "ridgepoint/machines/match.h"
#include "store/atomic_file.h"
#include "store/store.h"

namespace ridge::cli {
namespace {

constexpr std::size_t kMostJobBytes = std::size_t{1} << 20;

std::optional<emulator::Text> text_of(const Arguments& arguments, const char* flag) {
  if (!arguments.has(flag)) return std::nullopt;
  return emulator::Text{arguments.value(flag), flag};
}

Result<emulator::JobDraft> draft_of_line(const Arguments& arguments) {
  emulator::JobDraft draft;
  draft.kernel = text_of(arguments, "--kernel");
  draft.grid = text_of(arguments, "--grid");
  draft.block = text_of(arguments, "--block");
  draft.cluster = text_of(arguments, "--cluster");
  draft.dynamic_shared = text_of(arguments, "--dynamic-shared");
  for (const std::string& setting : arguments.values("--set")) {
    auto name = emulator::parse_setting(setting, "--set");
    if (!name) return fail(name.error());
    draft.names.push_back(*std::move(name));
  }
  const auto words = arguments.values("--arg");
  for (std::size_t i = 0; i < words.size(); ++i) {
    auto argument = emulator::parse_argument(words[i], fmt::format("--arg {}", i + 1));
    if (!argument) return fail(argument.error());
    draft.arguments.push_back(*std::move(argument));
  }
  return draft;
}

/// The line over the file.
Result<emulator::JobDraft> draft_of(const Arguments& arguments) {
  auto line = draft_of_line(arguments);
  if (!line || !arguments.has("--job")) return line;
  const std::string path = arguments.value("--job");
  const auto text = read_file(path, kMostJobBytes);
  if (!text) return fail(text.error());
  auto file = emulator::parse_job(*text, path);
  if (!file) return fail(file.error());
  return emulator::overridden(*std::move(file), *std::move(line));
}

Result<Machine> machine_of(const Arguments& arguments, const Context& context) {
  if (!arguments.has("--on")) {
    return fail(usage_error("the machine is missing", "--on", "name it, e.g. --on h200-sxm (`ridge machines list`)"));
  }
  const auto database = machine_database(context);
  if (!database) return fail(database.error());
  auto machine = named_machine(arguments.value("--on"), "--on", *database, context);
  if (!machine) return fail(machine.error());
  RIDGE_TRY(apply_overrides(*machine, arguments.values("--peak"), arguments.values("--bandwidth")));
  return machine;
}

Result<std::uint32_t> workers_of(const Arguments& arguments) {
  if (!arguments.has("--workers")) return std::uint32_t{0};
  constexpr std::uint32_t kMost = 1024;
  const std::string text = arguments.value("--workers");
  std::uint32_t workers = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), workers);
  if (error == std::errc() && end == text.data() + text.size() && workers >= 1 && workers <= kMost) return workers;
  return fail(usage_error(fmt::format("'{}' is not a number of threads from 1 to {}", text, kMost), "--workers",
                          "correct the number"));
}

Result<emulator::RunOptions> options_of(const Arguments& arguments, const emulator::Job& job) {
  emulator::RunOptions options;
  if (arguments.has("--whole") && arguments.has("--sample")) {
    return fail(usage_error("the whole grid and a sample of it", "--whole, --sample", "give one of them"));
  }
  // Half of a result is none.
  if (arguments.has("--whole") || keeps_results(job)) options.extent = emulator::Extent::kWhole;
  if (arguments.has("--sample")) {
    if (keeps_results(job)) {
      return fail(usage_error("a sample has no results to save or to compare", "--sample",
                              "leave it out, or save and expect nothing"));
    }
    options.extent = emulator::Extent::kSample;
  }
  const auto budget = parse_seconds(arguments.value("--budget"), "--budget");
  if (!budget) return fail(budget.error());
  if (!(budget->count() > 0)) {
    return fail(usage_error(fmt::format("'{}' is not a time that can be used", arguments.value("--budget")), "--budget",
                            "give a time above 0, e.g. 10s"));
  }
  options.budget = *budget;
  const auto workers = workers_of(arguments);
  if (!workers) return fail(workers.error());
  options.workers = *workers;
  options.skip_unsupported = arguments.has("--skip-unsupported");
  options.checks = !arguments.has("--no-checks");
  return options;
}

/// What the run may take minutes to reach must not fail for a reason that was there at the start.
Result<void> check_files(const Arguments& arguments, const Context& context, const emulator::Job& job) {
  RIDGE_TRY(keep_inputs(arguments, context));
  RIDGE_TRY(check_outputs(job));
  if (arguments.has("--save")) RIDGE_TRY(store::check_file(arguments.value("--save")));
  return {};
}

std::function<void(double)> progress_on(Context& context) {
  if (!context.err_is_terminal) return {};
  return [&context](double share) { context.err << fmt::format("\remulated: {:3.0f} %", 100 * share) << std::flush; };
}

/// The report names what the kernel did wrong among its issues: who reads it on standard output is not told twice.
bool report_is_read(const Arguments& arguments, const OutputOptions& output) {
  const bool shown = !arguments.has("--output") || arguments.value("--output") == "-";
  return shown && (output.format == "text" || output.format == "md");
}

/// What the kernel printed and did wrong; true if it did nothing wrong.
bool tell(const emulator::RunResult& result, bool report_says_it, Context& context) {
  if (!result.printed.empty()) context.err << result.printed << (result.printed.ends_with('\n') ? "" : "\n");
  if (report_says_it) return result.findings.empty();
  for (const emulator::RunFinding& finding : result.findings) {
    context.err << "ridge: " << finding.text << (finding.stops ? "; the kernel stopped there" : "") << '\n';
  }
  return result.findings.empty();
}

Result<int> write_template(const emulator::JobDraft& draft, const KernelSource& source, const Arguments& arguments,
                           Context& context) {
  const auto kernel = emulator::find_kernel(source.module, draft.kernel ? draft.kernel->text : "");
  if (!kernel) return fail(kernel.error());
  const auto text = emulator::job_template(**kernel, arguments.positionals().front());
  if (!text) return fail(text.error());
  RIDGE_TRY(write_result(*text, arguments, context));
  return 0;
}

Result<KernelSource> source_of(const Arguments& arguments, const emulator::JobDraft& draft, const Machine* machine,
                               Context& context) {
  return read_kernel_source(arguments.positionals().front(), machine == nullptr ? "" : machine->compute_capability,
                            draft.kernel ? draft.kernel->text : "", arguments.values("--compile-option"), context);
}

/// What stands in the kernel's code is in this file; what is legal but not emulated may be gone over.
Error located(Error error, const KernelSource& source, const std::string& path) {
  if (!error.where.starts_with("line ")) return error;
  const std::string file = source.compiler.empty() ? path : fmt::format("{}, as {} compiled it", path, source.compiler);
  error.where = fmt::format("{}, {}", file, error.where);
  if (error.code == ErrorCode::kNotAvailable) error.remedy += "; --skip-unsupported goes on over single instructions";
  return error;
}

Result<int> run_job(const Arguments& arguments, const OutputOptions& output, emulator::JobDraft draft, Context& context,
                    const RunJob& run) {
  const auto machine = machine_of(arguments, context);
  if (!machine) return fail(machine.error());
  const auto source = source_of(arguments, draft, &*machine, context);
  if (!source) return fail(source.error());
  if (!source->kernel.empty() && draft.kernel) draft.kernel->text = source->kernel;
  const auto job = emulator::bind_job(source->module, draft);
  if (!job) return fail(job.error());
  RIDGE_TRY(emulator::check_on(*job, *machine));
  const auto options = options_of(arguments, *job);
  if (!options) return fail(options.error());
  RIDGE_TRY(check_files(arguments, context, *job));
  const std::string path = arguments.positionals().front();
  const auto result = run({source->module, *job, *machine, *options, progress_on(context), path});
  if (context.err_is_terminal) context.err << "\r\033[K" << std::flush;
  if (!result) return fail(located(result.error(), *source, path));
  const bool clean = tell(*result, report_is_read(arguments, output), context);
  if (arguments.has("--save")) RIDGE_TRY(store::write_profile(arguments.value("--save"), result->profile));
  const Report report = analyse(result->profile);
  RIDGE_TRY(write_result(render_report(report, output, arguments.has("--detail")), arguments, context));
  const auto right = keep_results(*job, *result, context);
  if (!right) return fail(right.error());
  return clean && *right ? 0 : 1;
}

}  // namespace

std::vector<Flag> emulate_flags() {
  return {
      {"--on",
       "",
       "MACHINE",
       "The GPU that is emulated: an id of `ridge machines list`, or a TOML file.",
       "",
       {},
       false},
      {"--kernel",
       "",
       "NAME",
       "The kernel, if there are several; a template with its arguments: gemm<32>.",
       "",
       {},
       false},
      {"--grid", "", "BLOCKS", "4096, 64x64, or formulas of names given with --set: ceil(n/256).", "", {}, false},
      {"--block", "", "THREADS", "256, or a shape such as 32x8.", "", {}, false},
      {"--cluster", "", "BLOCKS", "Blocks of a cluster.", "", {}, false},
      {"--dynamic-shared", "", "BYTES", "Dynamic shared memory of a block, e.g. 48KiB.", "", {}, false},
      {"--arg",
       "",
       "ARGUMENT",
       "The kernel's next argument: a number, or a buffer such as f32:n:random.",
       "",
       {},
       true},
      {"--set", "", "NAME=VALUE", "A name for sizes and arguments: n=1024.", "", {}, true},
      {"--job", "", "FILE", "All of this in a TOML file; what the line says goes over it.", "", {}, false},
      {"--template", "", "", "Write such a file for the kernel instead of running it.", "", {}, false},
      {"--compile-option",
       "",
       "OPTION",
       "For the compiler of a .cu, as --compile-option=--use_fast_math.",
       "",
       {},
       true},
      {"--whole", "", "", "Run the whole grid, however long that takes.", "", {}, false},
      {"--sample", "", "", "Run a sample of the grid, scaled up.", "", {}, false},
      {"--budget", "", "TIME", "What the whole grid may take before a sample is run instead.", "10s", {}, false},
      {"--workers", "", "N", "Threads to run on; by default one a core.", "", {}, false},
      {"--no-checks", "", "", "Do not look for races and uninitialised reads in shared memory.", "", {}, false},
      {"--skip-unsupported",
       "",
       "",
       "Go on over instructions that are not emulated; results are partial.",
       "",
       {},
       false},
      {"--peak", "", "NAME=RATE", "Replace a compute ceiling, e.g. fp32=30TFLOP/s.", "", {}, true},
      {"--bandwidth", "", "NAME=RATE", "Replace a bandwidth, e.g. dram=900GB/s.", "", {}, true},
      {"--save", "", "FILE", "Also keep the run as a .ridge file, for `ridge report`.", "", {}, false},
      {"--detail", "", "", "Everything known of the launch.", "", {}, false},
  };
}

Result<int> emulate_kernel(const Arguments& arguments, Context& context, const RunJob& run) {
  const auto output = output_options(arguments, context);
  if (!output) return fail(output.error());
  const auto draft = draft_of(arguments);
  if (!draft) return fail(draft.error());
  if (!arguments.has("--template")) return run_job(arguments, *output, *draft, context, run);
  const auto source = source_of(arguments, *draft, nullptr, context);
  if (!source) return fail(source.error());
  return write_template(*draft, *source, arguments, context);
}

}  // namespace ridge::cli
