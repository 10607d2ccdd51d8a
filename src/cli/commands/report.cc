// `ridge report FILE...`: from recordings to a verdict for every kernel.
#include <charconv>

#include "cli/analysis_option.h"
#include "cli/commands/commands.h"
#include "cli/kernel_filter.h"
#include "cli/load.h"
#include "cli/output_file.h"
#include "cli/render_report.h"
#include "ridgepoint/analysis/analyse.h"

namespace ridge::cli {

namespace {

CommandSpec make_spec() {
  CommandSpec spec;
  spec.name = "report";
  spec.summary = "Say what bounds each kernel of a recording, how much headroom is left and what to change first.";
  spec.description =
      "Reads what a profiler wrote and places every kernel under the roofs of its GPU. FILE is recognised by its "
      "content: a .ridge file, an Nsight Compute report (.ncu-rep) or one of its CSV pages (raw, details, source), "
      "plain, "
      "gzip or zstd. Several files are shown side by side.\n"
      "\n"
      "Roofs hold at the clock that was measured during each launch unless --roof says otherwise. A number that was "
      "not "
      "recorded is missing with its reason, never zero. What went wrong with the data is listed at the end of the "
      "report; if data was lost, the report shows what is left and the exit status is 3.";
  spec.flags = {
      roof_flag(),
      {"--detail", "", "", "Everything known of every kernel and launch.", "", {}, false},
      {"--kernel",
       "",
       "REGEX",
       "Show only kernels whose full name matches (POSIX extended expression).",
       "",
       {},
       false},
      {"--top", "", "N", "Show only the N kernels with the largest share of the time.", "", {}, false},
  };
  spec.flags.insert(spec.flags.end(), input_flags().begin(), input_flags().end());
  spec.positionals = {{"FILE", "A recording; gzip and zstd are unpacked.", 1, -1}};
  spec.examples = {
      {"ridge report gemm.ncu-rep", "the verdict for every kernel"},
      {"ridge report gemm.ncu-rep --format html -o gemm.html", "the same as one page to send around"},
      {"ridge report before.ncu-rep after.ncu-rep", "two recordings side by side"},
      {"ridge report raw.csv --on l40s --roof datasheet", "against the data sheet of a given GPU"},
      {"ridge report gemm.ncu-rep --kernel 'gemm_(naive|tiled)'", "only these kernels"},
  };
  return spec;
}

Result<std::size_t> parse_top(const std::string& text) {
  std::size_t top = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), top);
  if (error != std::errc() || end != text.data() + text.size() || top == 0) {
    return fail(usage_error("'" + text + "' is not a number of kernels", "--top", "give a whole number, 1 or more"));
  }
  return top;
}

/// Applies --kernel and --top. Shares and the summary stay those of the whole recording.
Result<void> select_kernels(Report& report, const Arguments& arguments) {
  if (arguments.has("--kernel")) {
    RIDGE_TRY(keep_matching(report, arguments.value("--kernel")));
  }
  if (arguments.has("--top")) {
    const Result<std::size_t> top = parse_top(arguments.value("--top"));
    if (!top) return fail(top.error());
    keep_first(report, *top);
  }
  return {};
}

class ReportCommand final : public Command {
 public:
  [[nodiscard]] const CommandSpec& spec() const override {
    static const CommandSpec spec = make_spec();
    return spec;
  }

  [[nodiscard]] Result<int> run(const Arguments& arguments, Context& context) const override {
    const Result<OutputOptions> output = output_options(arguments, context);
    if (!output) return fail(output.error());
    Result<Profile> profile = read_profiles(arguments.positionals(), arguments);
    if (!profile) return fail(profile.error());
    RIDGE_TRY(place_on_machines(*profile, arguments, context));
    AnalysisOptions options = analysis_options(arguments);
    options.each_launch = lists_launches(*output, arguments.has("--detail"));
    Report report = analyse(*profile, options);
    RIDGE_TRY(select_kernels(report, arguments));
    RIDGE_TRY(write_result(render_report(report, *output, arguments.has("--detail")), arguments, context));
    return report_data_loss(report.issues, context);
  }
};

}  // namespace

std::unique_ptr<Command> make_report_command() {
  return std::make_unique<ReportCommand>();
}

}  // namespace ridge::cli
