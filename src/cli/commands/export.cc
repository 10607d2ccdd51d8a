// `ridge export FILE... --to FORMAT`: the recording itself in another form.
#include "cli/commands/commands.h"
#include "cli/load.h"
#include "cli/output_file.h"
#include "cli/render_report.h"
#include "ridgepoint/analysis/analyse.h"
#include "store/store.h"

namespace ridge::cli {

namespace {

CommandSpec make_spec() {
  CommandSpec spec;
  spec.name = "export";
  spec.summary = "Convert a recording: to a .ridge file, JSON or CSV.";
  spec.description =
      "Reads recordings as 'ridge report' does and writes them in another form. ridge is a .ridge file: one SQLite "
      "database that keeps everything the recording says, every counter with its provenance or the reason why it is "
      "missing; reading it back loses nothing. json is the report with every launch (schema ridge.report/1). csv is "
      "one "
      "row a launch.\n"
      "\n"
      "A .ridge file holds the GPU as it was recorded; only --on, --peak and --bandwidth write a machine into it.";
  spec.flags = {
      {"--to", "", "FORMAT", "Form of the output.", "ridge", {"ridge", "json", "csv"}, false},
      common_flags().at(1),
  };
  spec.flags.insert(spec.flags.end(), input_flags().begin(), input_flags().end());
  spec.positionals = {{"FILE", "A recording; gzip and zstd are unpacked.", 1, -1}};
  spec.examples = {
      {"ridge export gemm.ncu-rep -o gemm.ridge", "a small file that 'ridge report' reads as quickly as the original"},
      {"ridge export gemm.ncu-rep --to csv -o launches.csv", "one row a launch, for a spreadsheet"},
  };
  spec.common_output_flags = false;
  return spec;
}

bool overrides_machine(const Arguments& arguments) {
  return arguments.has("--on") || arguments.has("--peak") || arguments.has("--bandwidth");
}

Result<std::string> convert(Profile& profile, const std::string& format, const Arguments& arguments,
                            const Context& context) {
  if (format != "ridge" || overrides_machine(arguments)) RIDGE_TRY(place_on_machines(profile, arguments, context));
  if (format == "ridge") return store::profile_to_bytes(profile);
  OutputOptions options;
  options.format = format;
  return render_report(analyse(profile), options, true);
}

class ExportCommand final : public Command {
 public:
  [[nodiscard]] const CommandSpec& spec() const override {
    static const CommandSpec spec = make_spec();
    return spec;
  }

  [[nodiscard]] Result<int> run(const Arguments& arguments, Context& context) const override {
    const std::string format = arguments.value("--to");
    const bool to_stdout = !arguments.has("--output") || arguments.value("--output") == "-";
    if (format == "ridge" && to_stdout && context.out_is_terminal) {
      return fail(usage_error("a .ridge file is not text", "ridge export", "name a file with -o FILE"));
    }
    Result<Profile> profile = read_profiles(arguments.positionals(), arguments);
    if (!profile) return fail(profile.error());
    const Result<std::string> content = convert(*profile, format, arguments, context);
    if (!content) return fail(content.error());
    RIDGE_TRY(write_result(*content, arguments, context));
    return report_data_loss(profile->issues, context);
  }
};

}  // namespace

std::unique_ptr<Command> make_export_command() {
  return std::make_unique<ExportCommand>();
}

}  // namespace ridge::cli
