#include "cli/profile/run.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <ostream>
#include <set>
#include <sstream>
#include <system_error>

#include "cli/analysis_option.h"
#include "cli/load.h"
#include "cli/output_file.h"
#include "cli/profile/options.h"
#include "cli/profile/recording_file.h"
#include "cli/program.h"
#include "cli/render_report.h"
#include "render/text/format.h"
#include "render/text/messages.h"
#include "ridgepoint/analysis/analyse.h"
#include "store/atomic_file.h"

namespace ridge::cli {

namespace {

namespace session = collectors::session;

/// For a shell: as it is where nothing in it means something there.
std::string quoted(const std::string& path) {
  const bool is_plain = std::all_of(path.begin(), path.end(), [](unsigned char c) {
    return c >= 0x80 || std::isalnum(c) != 0 || std::string_view("%+,-./:=@_").find(char(c)) != std::string_view::npos;
  });
  if (path.starts_with('-')) return quoted("./" + path);
  if (is_plain && !path.empty()) return path;
  std::string text = "'";
  for (const char c : path) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

/// One line in one write: the program's own lines on the same stream stay whole.
void say(Context& context, const std::string& text) {
  context.err << "ridge: " + render::printable(text) + "\n" << std::flush;
}

class Narrator final : public session::Observer {
 public:
  Narrator(Context& context, render::Language language) : context_(context), language_(language) {}

  void plan(std::size_t passes, Seconds each, Seconds at_most) override {
    say(context_, render::render_message(Message("profile.plan", {{"passes", double(passes), Unit::kCount},
                                                                  {"each", each.count(), Unit::kSeconds},
                                                                  {"at_most", at_most.count(), Unit::kSeconds}}),
                                         language_));
  }
  /// Only what a person may want to stop the program for; the report lists the rest.
  void notice(const Issue& issue) override {
    static constexpr std::array<std::string_view, 5> kStepsDown{
        "profile-callbacks-unavailable", "profile-no-permission", "profile-counters-busy",
        "profile-counters-unavailable", "profile-sampling-unavailable"};
    const bool steps_down = std::find(kStepsDown.begin(), kStepsDown.end(), issue.message.id) != kStepsDown.end();
    if (steps_down || issue.severity == Severity::kError) tell(issue);
  }
  /// Each kind once.
  void tell(const Issue& issue) {
    if (!told_.insert(issue.message.id).second) return;
    const std::string remedy = render::issue_remedy(issue, language_);
    say(context_, render::issue_text(issue, language_) + (remedy.empty() ? "" : " " + remedy));
  }

 private:
  std::set<std::string> told_;
  Context& context_;
  render::Language language_;
};

/// Where the report goes, as arguments and surroundings in which -o is the report's file.
struct Place {
  Arguments arguments;
  Context context;
};

Place place_of_report(const Arguments& arguments, const Context& context) {
  Place place{Arguments(), context};
  for (const char* flag : {"--format", "--lang", "--color"}) {
    place.arguments.set_default(flag, arguments.value(flag));
    if (arguments.has(flag)) place.arguments.set(flag, arguments.values(flag));
  }
  if (arguments.has("--width")) place.arguments.set("--width", arguments.values("--width"));
  const std::string file = arguments.value("--report");
  if (arguments.has("--report") && file != "-") place.arguments.set("--output", {file});
  return place;
}

/// The surroundings in which the result goes to standard error.
Context to_standard_error(const Context& context) {
  return {context.err,         context.err,         context.error_width,    context.err_is_terminal,
          context.environment, context.error_width, context.err_is_terminal};
}

/// Machines and overrides that cannot be used are told before the program starts.
Result<void> check_machines(const Arguments& arguments, const Context& context) {
  std::ostringstream unheard;
  const Context quiet = {unheard, unheard, context.terminal_width, false, context.environment};
  Profile profile;
  profile.devices.emplace_back();
  return place_on_machines(profile, arguments, quiet);
}

bool same_file(const std::string& one, const std::string& other) {
  std::error_code error;
  if (std::filesystem::equivalent(one, other, error)) return true;
  // Of files that are not there yet the names tell.
  const auto name = [](const std::string& path) {
    std::error_code unknown;
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path, unknown), unknown);
  };
  const std::filesystem::path first = name(one);
  return !first.empty() && first == name(other);
}

/// That a report has no place is told before hours of work, not after them.
Result<void> check_report_file(const Place& place, const Arguments& arguments, const RecordingFile& file) {
  if (!place.arguments.has("--output")) return {};
  const Result<std::string> path = expand_output_path(place.arguments.value("--output"), place.context);
  if (!path) return fail(path.error());
  if (same_file(*path, file.path())) {
    return fail(usage_error("the report would be written over the recording", *path, "name another file"));
  }
  for (const std::string& word : arguments.positionals()) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(word, error) || !same_file(*path, word)) continue;
    return fail(usage_error("the report would be written over '" + word + "' of the program's command", *path,
                            "name another file"));
  }
  return store::check_file(*path);
}

class Run {
 public:
  Run(const Arguments& arguments, Context& context, Place& place, RecordingFile& file, render::Language language)
      : arguments_(arguments),
        context_(context),
        place_(place),
        file_(file),
        language_(language),
        narrator_(context, language) {}

  Result<session::Outcome> program(const session::Options& options, const RunProgram& run) {
    return run(
        options, [this](const Profile& piece) { return file_.append(piece); }, narrator_);
  }

  /// What `ridge --exit-status ridge` tells: 0, or that of the first thing that failed.
  int report(const OutputOptions& output, bool sink_failed) {
    int status = sink_failed ? exit_status(ErrorCode::kInternal) : 0;
    const auto worse = [&](int other) {
      if (status == 0) status = other;
    };
    const Result<void> closed = file_.close(!sink_failed);
    if (!closed && sink_failed) return status;  // nothing was written, which has been told
    if (!closed) worse(tell(closed.error()));
    Result<Profile> profile = file_.read();
    if (!profile) return worse(tell(profile.error())), status;
    const Result<int> shown = show(*profile, output);
    worse(shown ? *shown : tell(shown.error()));
    const Message kept("profile.kept", {{"path", file_.path()}});
    say(context_,
        file_.kept() ? render::render_message(kept, language_) : render::text_of("profile.not-kept", language_));
    return status;
  }

 private:
  int tell(const Error& error) {
    context_.err << error_line(error) + "\n" << std::flush;
    return exit_status(error.code);
  }

  Result<int> show(Profile& profile, const OutputOptions& output) {
    if (profile.launches.empty()) return no_kernels(profile);
    RIDGE_TRY(place_on_machines(profile, arguments_, context_));
    AnalysisOptions options = analysis_options(arguments_);
    options.each_launch = lists_launches(output, arguments_.has("--detail"));
    const Report report = analyse(profile, options);
    const std::string text = render_report(report, output, arguments_.has("--detail"), all_with());
    const Result<void> written = write_result(text, place_.arguments, place_.context);
    // Without a recording it could not be made again.
    if (!written && !file_.kept() && output.format != "html") context_.err << text << std::flush;
    RIDGE_TRY(written);
    return report_data_loss(report.issues, context_);
  }

  /// `--detail` chooses counters here; the recording shows more without another run.
  [[nodiscard]] std::string all_with() const {
    if (!file_.kept()) return render::text_of("profile.shown-if-kept", language_);
    return "ridge report " + quoted(file_.path()) + " --detail";
  }

  Result<int> no_kernels(const Profile& profile) {
    for (const Issue& issue : profile.issues) {
      if (issue.severity >= Severity::kNotice) narrator_.tell(issue);
    }
    return fail(bad_input("no GPU kernels were recorded", arguments_.positionals().front(),
                          "profile a program that launches kernels, and see 'ridge doctor'"));
  }

  const Arguments& arguments_;
  Context& context_;
  Place& place_;
  RecordingFile& file_;
  render::Language language_;
  Narrator narrator_;
};

}  // namespace

Result<int> profile_program(const Arguments& arguments, Context& context, const RunProgram& run) {
  const Result<session::Options> options = session_options(arguments, context);
  if (!options) return fail(options.error());
  Place place = place_of_report(arguments, arguments.value("--report") == "-" ? context : to_standard_error(context));
  const Result<OutputOptions> output = output_options(place.arguments, place.context);
  if (!output) return fail(output.error());
  RIDGE_TRY(check_machines(arguments, context));
  Result<RecordingFile> file = RecordingFile::place(arguments, context);
  if (!file) return fail(file.error());
  RIDGE_TRY(check_report_file(place, arguments, *file));
  Run recorded(arguments, context, place, *file, render::parse_language(output->language));
  const Result<session::Outcome> outcome = recorded.program(*options, run);
  if (!outcome) return fail(outcome.error());
  const int status = recorded.report(*output, outcome->sink_failed);
  return arguments.value("--exit-status") == "ridge" ? status : outcome->exit_status;
}

}  // namespace ridge::cli
