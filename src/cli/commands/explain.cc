// `ridge explain`: the paper roofline of a workload with every step, a stopwatch result under it, or a term in words.
#include <cmath>
#include <optional>

#include "analysis/explain/explanation.h"
#include "base/nearest.h"
#include "base/quantity_text.h"
#include "cli/commands/commands.h"
#include "cli/load.h"
#include "render/explain/explain.h"
#include "render/glossary/glossary.h"

namespace ridge::cli {
namespace {

CommandSpec make_spec() {
  CommandSpec spec;
  spec.name = "explain";
  spec.summary = "Show what a workload can reach at best, every step of the arithmetic, or explain a term.";
  spec.description =
      "WORKLOAD is a known problem (--list shows them) with its sizes as NAME=VALUE; a value may be a formula such as "
      "2^20. Its FLOP, bytes and intensity are put under the roof of one machine (every step is shown) or of several "
      "(one row each; all machines if none is named). --flops and --bytes give the formulas of any other problem; e "
      "stands for the bytes of one element. --measured places a time, a speed or a bandwidth from a stopwatch on that "
      "roof, and says which assumption broke when it lies above; given twice it also shows the speed-up.\n"
      "\n"
      "TERM is a word of performance work, such as `ridge point`, or a verdict, finding or provenance of a report.\n"
      "\n"
      "No GPU and no recording is needed. Exit status 2 if a word, size or figure is wrong.";
  spec.flags = {
      {"--on", "", "MACHINE", "Machine id, TOML file, or all; may be repeated.", "", {}, true},
      {"--precision",
       "",
       "TYPE",
       "Type of the elements: fp64, fp32, tf32, fp16, bf16, fp8, fp6, fp4, int8, ...",
       "fp32",
       {},
       false},
      {"--unit",
       "",
       "UNIT",
       "core, tensor, or a ceiling such as bf16_tensor_wgmma_dense. By default fp64 and fp32 run on cores, smaller "
       "types on tensor units where the work is a matrix product.",
       "",
       {},
       false},
      {"--measured",
       "",
       "RESULT",
       "A time (0.477ms), a speed (4500GFLOP/s) or a bandwidth (900GB/s); may be repeated.",
       "",
       {},
       true},
      {"--peak", "", "NAME=RATE", "Replace a compute ceiling, e.g. fp32=30TFLOP/s; may be repeated.", "", {}, true},
      {"--bandwidth", "", "NAME=RATE", "Replace a bandwidth, e.g. dram=900GB/s; may be repeated.", "", {}, true},
      {"--flops", "", "FORMULA", "Work of a problem of your own, e.g. '2*n^3'.", "", {}, false},
      {"--bytes", "", "FORMULA", "Its bytes in all, e.g. '3*n^2*e'.", "", {}, false},
      {"--read", "", "FORMULA", "Its bytes read, instead of --bytes.", "", {}, false},
      {"--write", "", "FORMULA", "Its bytes written, instead of --bytes.", "", {}, false},
      {"--list", "", "", "List the workloads with their parameters, the functions and the terms.", "", {}, false},
  };
  spec.positionals = {{"WORKLOAD|TERM|NAME=VALUE", "A workload and its sizes, or the words of a term.", 0, -1}};
  spec.examples = {
      {"ridge explain vector_add n=1e8 --on l40s", "every step, and the verdict"},
      {"ridge explain gemm n=4096 --precision bf16 --on all", "one row a machine"},
      {"ridge explain gemm n=1024 variant=naive --on rtx4090 --measured 4500GFLOP/s", "a stopwatch result on the roof"},
      {"ridge explain --flops '2*n^3' --bytes '3*n^2*4' n=4096 --on h100-sxm", "formulas of your own"},
      {"ridge explain vector_add n=1e8 --peak fp32=30TFLOP/s --bandwidth dram=900GB/s", "figures of your own"},
      {"ridge explain arithmetic intensity --lang zh", "a term in plain words"},
  };
  return spec;
}

/// Positionals are words, which name a workload or a term, and NAME=VALUE.
struct Words {
  std::string subject;
  GivenParameters parameters;
};

Words split_words(const std::vector<std::string>& positionals) {
  Words words;
  for (const std::string& word : positionals) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0) {
      words.subject += (words.subject.empty() ? "" : " ") + word;
    } else {
      words.parameters.emplace_back(word.substr(0, equals), word.substr(equals + 1));
    }
  }
  return words;
}

Result<DataType> parse_precision(const Arguments& arguments, const std::optional<ComputeKey>& ceiling) {
  if (ceiling && !arguments.has("--precision")) return ceiling->type;  // its elements are meant
  const std::string text = arguments.value("--precision");
  if (const auto type = parse_data_type(text)) return *type;
  const std::vector<std::string> names{"fp64", "fp32", "tf32",  "fp16", "bf16", "fp8",
                                       "fp6",  "fp4",  "int32", "int8", "int4", "int1"};
  const std::string near = nearest(text, names);
  const std::string all = "write fp64, fp32, tf32, fp16, bf16, fp8, fp6, fp4, int32, int8, int4 or int1";
  return fail(usage_error("unknown precision '" + text + "'", "--precision",
                          near.empty() ? all : "did you mean " + near + "?"));
}

Result<Stopwatch> parse_stopwatch(const std::string& text) {
  const auto quantity = parse_quantity(text, "--measured");
  if (!quantity) return fail(quantity.error());
  if (!(quantity->value > 0) || !std::isfinite(quantity->value)) {
    return fail(usage_error("'" + text + "' is not above 0", "--measured", "give what the stopwatch said"));
  }
  Stopwatch stopwatch;
  stopwatch.text = text;
  if (quantity->dimension == Dimension::kSeconds) {
    stopwatch.time = Seconds(quantity->value);
  } else if (quantity->dimension == Dimension::kFlopsPerSecond) {
    stopwatch.speed = FlopsPerSecond(quantity->value);
  } else if (quantity->dimension == Dimension::kBytesPerSecond) {
    stopwatch.bandwidth = BytesPerSecond(quantity->value);
  } else {
    return fail(usage_error("'" + text + "' is neither a time nor a rate", "--measured",
                            "give a time such as 0.477ms, a speed such as 4500GFLOP/s or a bandwidth such as 900GB/s"));
  }
  return stopwatch;
}

Result<ExplainOptions> explain_options(const Arguments& arguments) {
  ExplainOptions options;
  const std::string unit = arguments.value("--unit");
  if (unit == "core") {
    options.unit = ComputeUnit::kCore;
  } else if (unit == "tensor") {
    options.unit = ComputeUnit::kTensor;
  } else if (!unit.empty()) {
    options.ceiling = parse_compute_key(unit);
    if (!options.ceiling) {
      return fail(usage_error("unknown unit '" + unit + "'", "--unit",
                              "use core, tensor or a ceiling such as bf16_tensor_wgmma_dense"));
    }
  }
  for (const std::string& text : arguments.values("--measured")) {
    auto stopwatch = parse_stopwatch(text);
    if (!stopwatch) return fail(stopwatch.error());
    options.stopwatches.push_back(*std::move(stopwatch));
  }
  return options;
}

/// Named machines with the figures of the command line; all of them if none is named and no figure is given.
Result<std::vector<Machine>> choose_machines(const Arguments& arguments, const Context& context) {
  const auto database = machine_database(context);
  if (!database) return fail(database.error());
  const auto peaks = arguments.values("--peak");
  const auto bandwidths = arguments.values("--bandwidth");
  const bool overridden = !peaks.empty() || !bandwidths.empty();
  std::vector<std::string> names = arguments.values("--on");
  if (names.empty()) names.emplace_back(overridden ? kCustomMachine : "all");
  std::vector<Machine> machines;
  for (const std::string& name : names) {
    if (name == "all") {
      machines.insert(machines.end(), database->machines().begin(), database->machines().end());
      continue;
    }
    auto machine = named_machine(name, "--on", *database, context);
    if (!machine) return fail(machine.error());
    machines.push_back(*std::move(machine));
  }
  if (!overridden) return machines;
  if (machines.size() > 1) {
    return fail(usage_error("figures of one machine are given for several", "--peak, --bandwidth",
                            "name one machine with --on"));
  }
  RIDGE_TRY(apply_overrides(machines[0], peaks, bandwidths));
  return machines;
}

Result<PaperWork> bind_work(const WorkloadInfo* info, const Words& words, const Arguments& arguments, DataType type) {
  if (info != nullptr) return bind_workload(*info, words.parameters, type);
  const FreeFormulas formulas{arguments.value("--flops"), arguments.value("--bytes"), arguments.value("--read"),
                              arguments.value("--write")};
  return bind_formulas(formulas, words.parameters, type);
}

render::TextOptions text_options(const OutputOptions& output) {
  render::TextOptions options;
  options.width = output.width;
  options.color = output.colour;
  options.unicode = output.unicode;
  options.language = render::parse_language(output.language);
  return options;
}

std::string rendered(const Explanation& explanation, const OutputOptions& output) {
  const render::Language language = render::parse_language(output.language);
  if (output.format == "json") return render::explain_json(explanation);
  if (output.format == "csv") return render::explain_csv(explanation);
  if (output.format == "html") return render::explain_html(explanation, language);
  if (output.format == "md") return render::explain_markdown(explanation, language);
  return render::explain_text(explanation, text_options(output));
}

std::string rendered(const render::GlossaryEntry& entry, const OutputOptions& output) {
  const render::Language language = render::parse_language(output.language);
  if (output.format == "json") return render::term_json(entry);
  if (output.format == "csv") return render::term_csv(entry);
  if (output.format == "html") return render::term_html(entry, language);
  if (output.format == "md") return render::term_markdown(entry, language);
  return render::term_text(entry, text_options(output));
}

Error unknown_subject(const std::string& subject) {
  std::vector<std::string> names = render::term_names();
  std::string list;
  for (const WorkloadInfo& info : workloads()) {
    names.emplace_back(info.id);
    list += (list.empty() ? "" : ", ") + std::string(info.id);
  }
  const std::string near = nearest(subject, names);
  return usage_error(
      "'" + subject.substr(0, 60) + "' is neither a workload nor a term", "ridge explain",
      (near.empty() ? "" : "did you mean " + near + "? ") + "workloads are " + list + "; --list shows the terms too");
}

/// Flags and sizes belong to workloads; with a term they would be ignored in silence.
Result<void> check_term_alone(const Words& words, const Arguments& arguments) {
  for (const char* flag : {"--on", "--precision", "--unit", "--measured", "--peak", "--bandwidth"}) {
    if (arguments.has(flag)) {
      return fail(usage_error("'" + words.subject + "' is a term, not a workload", flag, "leave the option out"));
    }
  }
  if (!words.parameters.empty()) {
    const auto& [key, value] = words.parameters.front();
    return fail(
        usage_error("'" + words.subject + "' is a term and has no parameters", key + "=" + value, "leave it out"));
  }
  return {};
}

class ExplainCommand final : public Command {
 public:
  [[nodiscard]] const CommandSpec& spec() const override {
    static const CommandSpec spec = make_spec();
    return spec;
  }

  [[nodiscard]] Result<int> run(const Arguments& arguments, Context& context) const override {
    const Result<OutputOptions> output = output_options(arguments, context);
    if (!output) return fail(output.error());
    auto text = answer(arguments, context, *output);
    if (!text) return fail(text.error());
    RIDGE_TRY(write_result(*text, arguments, context));
    return 0;
  }

 private:
  static Result<std::string> answer(const Arguments& arguments, const Context& context, const OutputOptions& output) {
    const std::vector<std::string>& given = arguments.positionals();
    if (arguments.has("--list") && given.empty()) return render::explain_catalogue(output.format, text_options(output));
    if (arguments.has("--list")) return fail(usage_error("--list takes no words", given.front(), "leave it out"));
    const Words words = split_words(given);
    const bool formulas =
        arguments.has("--flops") || arguments.has("--bytes") || arguments.has("--read") || arguments.has("--write");
    if (formulas && !words.subject.empty()) {
      return fail(usage_error("'" + words.subject + "' and formulas cannot both be explained", "--flops, --bytes",
                              "leave one of them out"));
    }
    if (!formulas && words.subject.empty()) {
      return fail(usage_error("nothing to explain", "ridge explain",
                              "name a workload or a term, or give --flops and --bytes; --list shows what is known"));
    }
    const WorkloadInfo* info = formulas ? nullptr : find_workload(words.subject);
    if (formulas || info != nullptr) return explain_work(info, words, arguments, context, output);
    const render::GlossaryEntry* entry = render::find_term(words.subject);
    if (entry == nullptr) return fail(unknown_subject(words.subject));
    RIDGE_TRY(check_term_alone(words, arguments));
    return rendered(*entry, output);
  }

  static Result<std::string> explain_work(const WorkloadInfo* info, const Words& words, const Arguments& arguments,
                                          const Context& context, const OutputOptions& output) {
    const auto options = explain_options(arguments);
    if (!options) return fail(options.error());
    const auto type = parse_precision(arguments, options->ceiling);
    if (!type) return fail(type.error());
    const auto work = bind_work(info, words, arguments, *type);
    if (!work) return fail(work.error());
    const auto machines = choose_machines(arguments, context);
    if (!machines) return fail(machines.error());
    const auto explanation = explain(*work, *machines, *options);
    if (!explanation) return fail(explanation.error());
    return rendered(*explanation, output);
  }
};

}  // namespace

std::unique_ptr<Command> make_explain_command() {
  return std::make_unique<ExplainCommand>();
}

}  // namespace ridge::cli
