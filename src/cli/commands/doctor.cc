// `ridge doctor`: which evidence this machine gives, why the rest does not, and what to do about it.
#include "analysis/doctor/diagnose.h"
#include "cli/commands/commands.h"
#include "cli/profile/options.h"
#include "collectors/doctor/gather.h"
#include "emulator/exec/lanes/select.h"
#include "render/doctor/doctor_view.h"
#include "render/text/messages.h"

namespace ridge::cli {

namespace {

CommandSpec make_spec() {
  CommandSpec spec;
  spec.name = "doctor";
  spec.summary = "Say which kinds of measurement work on this machine, why others do not and how to get them.";
  spec.description =
      "Looks at the driver, the GPUs, the CUPTI libraries and the one that `ridge profile` would use, the permission "
      "to "
      "read counters, other tools that hold them, containers, MIG and WSL. Counters are tried on each GPU for a "
      "moment, "
      "since trying alone is the truth; --no-try leaves them alone. Then it says which tiers work: counters, sampling, "
      "timing, emulation, paper, import.\n"
      "\n"
      "Exit status 0 if programs can be profiled, at least their times; 4 if not.";
  spec.flags = {
      {"--no-try",
       "",
       "",
       "Do not try to read counters: a measurement of somebody else is then not disturbed.",
       "",
       {},
       false},
      {"--cupti", "", "PATH", "Look at this CUPTI library instead of the one that is found.", "", {}, false},
  };
  spec.examples = {
      {"ridge doctor", "what works here"},
      {"ridge doctor --format json", "the same for a program"},
  };
  return spec;
}

std::string rendered(const doctor::Facts& facts, const doctor::Diagnosis& diagnosis, const OutputOptions& output) {
  if (output.format == "json") return render::doctor_json(facts, diagnosis);
  if (output.format == "csv") return render::doctor_csv(diagnosis);
  render::TextOptions options;
  options.width = output.width;
  options.color = output.colour;
  options.unicode = output.unicode;
  options.language = render::parse_language(output.language);
  return render::document_as(output.format, render::doctor_document(facts, diagnosis, options.language), options);
}

class DoctorCommand final : public Command {
 public:
  [[nodiscard]] const CommandSpec& spec() const override {
    static const CommandSpec spec = make_spec();
    return spec;
  }

  [[nodiscard]] Result<int> run(const Arguments& arguments, Context& context) const override {
    const Result<OutputOptions> output = output_options(arguments, context);
    if (!output) return fail(output.error());
    collectors::doctor::Question question;
    question.environment = context.environment;
    question.agent = agent_path(context);
    question.cupti = arguments.value("--cupti");
    question.try_counters = !arguments.has("--no-try");
    doctor::Facts facts = collectors::doctor::gather(question);
    facts.emulator = emulator::lane_code().name;
    const doctor::Diagnosis diagnosis = doctor::diagnose(facts);
    RIDGE_TRY(write_result(rendered(facts, diagnosis, *output), arguments, context));
    return diagnosis.can_profile() ? 0 : exit_status(ErrorCode::kNotAvailable);
  }
};

}  // namespace

std::unique_ptr<Command> make_doctor_command() {
  return std::make_unique<DoctorCommand>();
}

}  // namespace ridge::cli
