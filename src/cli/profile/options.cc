#include "cli/profile/options.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <limits>
#include <system_error>

#include "base/quantity_text.h"
#include "cli/analysis_option.h"
#include "cli/kernel_filter.h"
#include "cli/load.h"
#include "cli/surroundings.h"
#include "collectors/cupti/recipes.h"

namespace ridge::cli {

namespace {

namespace session = collectors::session;

std::vector<Flag> selection_flags() {
  return {
      {"--tier",
       "",
       "TIER",
       "What to collect: auto takes the best that this machine allows; counters replays a few launches of each kernel "
       "and shape; sampling reads the device's counters at intervals; timing takes times only.",
       "auto",
       {"auto", "counters", "sampling", "timing"},
       false},
      {"--kernel", "", "REGEX", "Only kernels whose name matches (POSIX extended expression).", "", {}, false},
      {"--skip", "", "N", "Leave out the first N launches that match.", "0", {}, false},
      {"--count", "", "N", "Record at most N launches that match; the rest runs untouched.", "", {}, false},
      {"--range", "", "NAME", "Only launches inside NVTX ranges of this name.", "", {}, false},
      {"--device", "", "N", "Only this GPU, as the program's CUDA counts them.", "", {}, true},
      {"--delay",
       "",
       "TIME",
       "Begin that long after the program started to use CUDA, e.g. 5s or 200ms.",
       "",
       {},
       false},
      {"--duration", "", "TIME", "Record for that long; the program runs on.", "", {}, false},
      {"--profile-from-start",
       "",
       "WHEN",
       "off records only between cudaProfilerStart and cudaProfilerStop.",
       "on",
       {"on", "off"},
       false},
      {"--trace",
       "",
       "WHAT",
       "api records runtime and driver calls, synchronisation, allocation, page migration and NVTX ranges as well; it "
       "costs time on each call.",
       "",
       {"api"},
       true},
  };
}

std::vector<Flag> counter_flags() {
  return {
      {"--detail",
       "",
       "RECIPE",
       "Further counters of each kernel: memory (hit rates, requests, conflicts), stalls (what warps wait for), or a "
       "recipe of the file after --recipes. More passes.",
       "",
       {},
       true},
      {"--recipes",
       "",
       "FILE",
       "Recipes of your own (TOML, see docs/reference/recipes.md): for --detail, or in place of a built-in one of the "
       "same name.",
       "",
       {},
       false},
      {"--metrics", "", "NAME,...", "Further counters by the vendor's names, separated by commas.", "", {}, true},
      {"--launches-per-shape", "", "N", "Launches of each kernel and shape that get counters.", "1", {}, false},
      {"--budget",
       "",
       "TIME",
       "How long replays for counters may take together; by default the larger of 10 s and a fifth of the run so far.",
       "",
       {},
       false},
      {"--interval",
       "",
       "TIME",
       "Between two samples, e.g. 20us; chosen by default, and widened when needed.",
       "",
       {},
       false},
      {"--cupti", "", "PATH", "The CUPTI library to use instead of the one that is found.", "", {}, false},
  };
}

std::vector<Flag> output_flags() {
  std::vector<Flag> flags = {
      {"--output",
       "-o",
       "FILE",
       "Keep the recording in FILE (.ridge), written as the program runs; `ridge report FILE` shows it again. %p, %h "
       "and %r in its name are the process id, the host name and the rank in a job of many processes. Replaces a "
       "recording, nothing else.",
       "",
       {},
       false},
      {"--report",
       "",
       "FILE",
       "Where the report goes: standard error by default, - is standard output after the program has ended.",
       "",
       {},
       false},
      {"--exit-status",
       "",
       "WHOSE",
       "program: the program's own, 128 + n if signal n ended it; ridge: whether the profile was made.",
       "program",
       {"program", "ridge"},
       false},
  };
  for (const Flag& flag : common_flags()) {
    if (flag.name != "--output") flags.push_back(flag);
  }
  return flags;
}

template <class T>
Result<T> parse_number(const std::string& text, const char* flag, T least, T most) {
  T number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && number >= least && number <= most) return number;
  return fail(usage_error(fmt::format("'{}' is not a whole number from {} to {}", text, least, most), flag,
                          "correct the number"));
}

/// Sets `number` if the flag was given.
template <class T>
Result<void> take_number(const Arguments& arguments, const char* flag, T least, T most, T& number) {
  if (!arguments.has(flag)) return {};
  const Result<T> given = parse_number<T>(arguments.value(flag), flag, least, most);
  if (!given) return fail(given.error());
  number = *given;
  return {};
}

/// Sets `time` if the flag was given; it must be `least` or more and no longer than a year.
template <class T>
Result<void> take_time(const Arguments& arguments, const char* flag, Seconds least, T& time) {
  constexpr Seconds kMost{365.0 * 24 * 3600};
  if (!arguments.has(flag)) return {};
  const Result<Seconds> given = parse_seconds(arguments.value(flag), flag);
  if (!given) return fail(given.error());
  if (*given < least || *given > kMost) {
    return fail(usage_error(fmt::format("'{}' is not a time that can be used", arguments.value(flag)), flag,
                            least > Seconds(0) ? "give a time above 0, e.g. 20ms" : "give a time such as 5s or 200ms"));
  }
  time = *given;
  return {};
}

constexpr Seconds kSomeTime{1e-9};

Result<void> take_selection(const Arguments& arguments, session::Options& options) {
  constexpr auto kMany = std::numeric_limits<std::uint64_t>::max();
  options.kernel_filter = arguments.value("--kernel");
  RIDGE_TRY(check_expression(options.kernel_filter.empty() ? "x" : options.kernel_filter));
  RIDGE_TRY(take_number<std::uint64_t>(arguments, "--skip", 0, kMany, options.skip));
  RIDGE_TRY(take_number<std::uint64_t>(arguments, "--count", 1, kMany, options.count));
  options.range = arguments.value("--range");
  for (const std::string& text : arguments.values("--device")) {
    const auto number = parse_number<std::uint32_t>(text, "--device", 0, 1024);
    if (!number) return fail(number.error());
    options.devices.push_back(*number);
  }
  RIDGE_TRY(take_time(arguments, "--delay", Seconds(0), options.delay));
  RIDGE_TRY(take_time(arguments, "--duration", kSomeTime, options.duration));
  options.from_start = arguments.value("--profile-from-start") == "on";
  options.trace_api = arguments.has("--trace");
  return {};
}

/// "a,b" given several times as one list, each name once.
Result<std::vector<std::string>> metric_names(const std::vector<std::string>& lists) {
  std::vector<std::string> names;
  for (const std::string& list : lists) {
    for (std::size_t at = 0; at <= list.size();) {
      const std::size_t comma = std::min(list.find(',', at), list.size());
      const std::string name = list.substr(at, comma - at);
      if (name.empty() || name.find_first_of(" \t\n") != std::string::npos) {
        return fail(usage_error("'" + list + "' is not a list of counters", "--metrics",
                                "separate their names by commas alone"));
      }
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
      at = comma + 1;
    }
  }
  return names;
}

/// The program may change its folder before the path is used.
std::string absolute(const std::string& path) {
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::absolute(path, error);
  return error ? path : whole.lexically_normal().string();
}

/// Recipes that every run uses by itself, where their evidence is collected.
bool is_used_unasked(const std::string& recipe) {
  static constexpr std::array<std::string_view, 5> kUnasked{"roofline", "tensor", "sampling", "sampling-light",
                                                            "range"};
  return std::find(kUnasked.begin(), kUnasked.end(), recipe) != kUnasked.end();
}

Result<void> take_recipes(const Arguments& arguments, session::Options& options) {
  options.recipe_file = arguments.has("--recipes") ? absolute(arguments.value("--recipes")) : "";
  const auto known = collectors::cupti::Recipes::with(options.recipe_file);
  if (!known) return fail(known.error());
  for (const std::string& recipe : arguments.values("--detail")) {
    if (is_used_unasked(recipe)) {
      return fail(usage_error(fmt::format("'{}' is used without being asked for", recipe), "--detail",
                              "give memory, stalls, or a recipe of your own"));
    }
    const auto found = known->find(recipe);
    if (!found) return fail(usage_error(found.error().what, "--detail", found.error().remedy));
    if (std::find(options.recipes.begin(), options.recipes.end(), recipe) == options.recipes.end()) {
      options.recipes.push_back(recipe);
    }
  }
  const auto& all = known->all();
  const bool any_used = std::any_of(all.begin(), all.end(), [&](const auto& recipe) {
    return recipe.own && (is_used_unasked(recipe.name) || std::find(options.recipes.begin(), options.recipes.end(),
                                                                    recipe.name) != options.recipes.end());
  });
  if (options.recipe_file.empty() || any_used) return {};
  const auto first = std::find_if(all.begin(), all.end(), [](const auto& recipe) { return recipe.own; });
  return fail(usage_error("no recipe of the file is asked for", arguments.value("--recipes"),
                          fmt::format("ask for one, e.g. with --detail {}", first->name)));
}

Result<void> take_counters(const Arguments& arguments, session::Options& options) {
  RIDGE_TRY(take_recipes(arguments, options));
  auto metrics = metric_names(arguments.values("--metrics"));
  if (!metrics) return fail(metrics.error());
  options.metrics = *std::move(metrics);
  RIDGE_TRY(take_number<std::uint32_t>(arguments, "--launches-per-shape", 1, 1'000'000, options.samples_per_shape));
  RIDGE_TRY(take_time(arguments, "--budget", kSomeTime, options.budget));
  RIDGE_TRY(take_time(arguments, "--interval", kSomeTime, options.sampling_interval));
  return {};
}

/// An error if a flag asks for evidence that the tier leaves out.
Result<void> check_goes_with_tier(const Arguments& arguments, const std::vector<const char*>& flags,
                                  const char* evidence) {
  for (const char* flag : flags) {
    if (!arguments.has(flag)) continue;
    return fail(usage_error(
        fmt::format("{} asks for {}, which --tier {} does not collect", flag, evidence, arguments.value("--tier")),
        flag, "leave one of the two out"));
  }
  return {};
}

Result<session::TierWish> tier_wish(const Arguments& arguments) {
  const std::string tier = arguments.value("--tier");
  if (tier == "sampling" || tier == "timing") {
    RIDGE_TRY(
        check_goes_with_tier(arguments, {"--detail", "--metrics", "--budget", "--launches-per-shape"}, "counters"));
  }
  if (tier == "timing") RIDGE_TRY(check_goes_with_tier(arguments, {"--recipes"}, "counters"));
  if (tier == "counters" || tier == "timing") {
    RIDGE_TRY(check_goes_with_tier(arguments, {"--interval"}, "samples"));
  }
  if (tier == "counters") return session::TierWish::kCounters;
  if (tier == "sampling") return session::TierWish::kSampling;
  if (tier == "timing") return session::TierWish::kTiming;
  return session::TierWish::kAuto;
}

Result<void> take_libraries(const Arguments& arguments, const Context& context, session::Options& options) {
  options.agent = agent_path(context);
  const std::string cupti = arguments.value("--cupti");
  if (!arguments.has("--cupti")) return {};
  struct stat status = {};
  if (stat(cupti.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return fail(bad_input("there is no such library", cupti, "give the path of a libcupti.so after --cupti"));
  }
  options.cupti = absolute(cupti);
  return {};
}

}  // namespace

std::vector<Flag> profile_flags() {
  std::vector<Flag> flags = selection_flags();
  for (const Flag& flag : counter_flags()) flags.push_back(flag);
  flags.push_back(roof_flag());
  for (const Flag& flag : input_flags()) {
    if (flag.name != "--decimal") flags.push_back(flag);
  }
  for (const Flag& flag : output_flags()) flags.push_back(flag);
  return flags;
}

Result<session::Options> session_options(const Arguments& arguments, const Context& context) {
  session::Options options;
  options.command = arguments.positionals();
  options.environment = context.environment;
  options.tool_version = RIDGE_VERSION;
  const auto tier = tier_wish(arguments);
  if (!tier) return fail(tier.error());
  options.tier = *tier;
  RIDGE_TRY(take_selection(arguments, options));
  RIDGE_TRY(take_counters(arguments, options));
  RIDGE_TRY(take_libraries(arguments, context, options));
  return options;
}

std::string agent_path(const Context& context) {
  const auto named = context.environment.find("RIDGE_AGENT");
  if (named != context.environment.end() && !named->second.empty()) return absolute(named->second);
  return absolute(program_folder() + "/../lib/libridge_agent.so");
}

}  // namespace ridge::cli
