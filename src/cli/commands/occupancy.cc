// `ridge occupancy`: how many blocks of a kernel fit on one SM, what limits them and what would have to change.
#include "render/machines/occupancy.h"
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/quantity_text.h"
#include "cli/commands/commands.h"
#include "cli/load.h"

namespace ridge::cli {
namespace {

CommandSpec make_spec() {
  CommandSpec spec;
  spec.name = "occupancy";
  spec.summary = "Say how many blocks of a kernel fit on one SM, what limits them and which change would help.";
  spec.description =
      "Computes the theoretical occupancy of a launch from its block size, registers and shared memory, the way the "
      "hardware allocates them: registers by whole warps in units, shared memory in units with the system's own share. "
      "Shows the blocks that every resource admits, the limiter, the least cut that would admit one block more, the "
      "nearest block sizes that give more, and a table over block sizes. Registers and shared memory of a kernel are "
      "what `nvcc -Xptxas -v` or a profiler's launch statistics print.\n"
      "\n"
      "No GPU is needed. High occupancy is no aim in itself.";
  spec.flags = {
      {"--on", "", "MACHINE", "Machine id or TOML file (see `ridge machines list`).", "", {}, false},
      {"--block", "", "THREADS", "Threads per block: 256, or a shape such as 32x8.", "", {}, false},
      {"--registers", "", "N", "Registers per thread.", "0", {}, false},
      {"--shared", "", "SIZE", "Static shared memory of a block, e.g. 8KiB; a plain number is bytes.", "0", {}, false},
      {"--dynamic-shared", "", "SIZE", "Dynamic shared memory of a block.", "0", {}, false},
      {"--barriers", "", "N", "Barriers that a block uses; __syncthreads is one.", "0", {}, false},
      {"--carveout", "", "SIZE", "Shared memory the SM is set to; by default the largest.", "", {}, false},
  };
  spec.examples = {
      {"ridge occupancy --on h200-sxm --block 256 --registers 40 --shared 8KiB",
       "blocks per SM, limiter and what helps"},
      {"ridge occupancy --on rtx4090 --block 32x8 --registers 64 --dynamic-shared 48KiB", "a two-dimensional block"},
  };
  return spec;
}

std::string in_words(const render::Document& document, const OutputOptions& output) {
  render::TextOptions options;
  options.width = output.width;
  options.color = output.colour;
  options.unicode = output.unicode;
  options.language = render::parse_language(output.language);
  return render::document_as(output.format, document, options);
}

/// A whole number from `least` to 1024.
Result<int> parse_count(std::string_view text, std::string_view option, int least) {
  constexpr int kMost = 1024;
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && number >= least && number <= kMost) return number;
  return fail(usage_error("'" + std::string(text) + "' is not a whole number from " + std::to_string(least) + " to " +
                              std::to_string(kMost),
                          std::string(option), "correct the number"));
}

Result<Bytes> parse_size(const Arguments& arguments, std::string_view option) {
  const std::string text = arguments.value(option);
  const auto quantity = parse_quantity(text, option);
  if (!quantity) return fail(quantity.error());
  const bool size = quantity->dimension == Dimension::kBytes || quantity->dimension == Dimension::kNumber;
  const bool whole = quantity->value >= 0 && std::floor(quantity->value) == quantity->value;
  if (size && whole) return Bytes(quantity->value);
  return fail(usage_error("'" + text + "' is not a size in whole bytes", std::string(option),
                          "write bytes, or a size such as 8KiB"));
}

/// "256", "32x8" or "32,8,1".
Result<int> parse_block(const std::string& text) {
  constexpr std::string_view kOption = "--block";
  if (text.empty()) {
    return fail(usage_error("the block size is missing", std::string(kOption), "give the threads per block"));
  }
  constexpr int kMost = 1 << 16;
  int threads = 1;
  std::string_view rest = text;
  for (int extents = 0; extents < 3; ++extents) {
    const auto end = rest.find_first_of("x,");
    const auto extent = parse_count(rest.substr(0, end), kOption, 1);
    if (!extent) return fail(extent.error());
    threads = std::min(threads * *extent, kMost);
    if (end == std::string_view::npos) return threads;
    rest.remove_prefix(end + 1);
  }
  return fail(usage_error("'" + text + "' has more than three extents", std::string(kOption), "write at most XxYxZ"));
}

Result<OccupancyRequest> parse_request(const Arguments& arguments) {
  OccupancyRequest request;
  const auto block = parse_block(arguments.value("--block"));
  if (!block) return fail(block.error());
  request.threads_per_block = *block;
  const auto registers = parse_count(arguments.value("--registers"), "--registers", 0);
  if (!registers) return fail(registers.error());
  request.registers_per_thread = *registers;
  const auto barriers = parse_count(arguments.value("--barriers"), "--barriers", 0);
  if (!barriers) return fail(barriers.error());
  request.barriers_per_block = *barriers;
  const auto shared = parse_size(arguments, "--shared");
  if (!shared) return fail(shared.error());
  request.shared_static = *shared;
  const auto dynamic = parse_size(arguments, "--dynamic-shared");
  if (!dynamic) return fail(dynamic.error());
  request.shared_dynamic = *dynamic;
  if (arguments.has("--carveout")) {
    const auto carveout = parse_size(arguments, "--carveout");
    if (!carveout) return fail(carveout.error());
    request.shared_carveout = *carveout;
  }
  return request;
}

std::string size_text(double bytes) {
  const bool kib = bytes >= 1024 && static_cast<long long>(bytes) % 128 == 0;
  return kib ? fmt::format("{:.6g} KiB", bytes / 1024) : fmt::format("{:.12g} B", bytes);
}

/// Figures that no SM of the machine can be given.
Result<void> check_request(const Machine& machine, const OccupancyRequest& request) {
  const OccupancyLimits& limits = machine.occupancy;
  const auto impossible = [&](const std::string& what, const char* option, std::string remedy) {
    return fail(usage_error(machine.id + " cannot have " + what, option, std::move(remedy)));
  };
  constexpr int kBarriersOfABlock = 16;  // numbered 0 to 15: PTX ISA, barrier{.cta}
  if (machine.vendor == Vendor::kNvidia && request.barriers_per_block > kBarriersOfABlock) {
    return impossible(fmt::format("{} barriers in a block", request.barriers_per_block), "--barriers",
                      fmt::format("give at most {}", kBarriersOfABlock));
  }
  if (!request.shared_carveout || limits.shared_bytes_per_sm <= 0) return {};
  const double carveout = request.shared_carveout->count();
  if (carveout > 0 && carveout <= limits.shared_bytes_per_sm) return {};
  return impossible(fmt::format("a carveout of {}", size_text(carveout)), "--carveout",
                    fmt::format("give at most {}", size_text(limits.shared_bytes_per_sm)));
}

/// What one block needs of the resource that does not admit it, and what it can have at most.
Error cannot_launch(const Machine& machine, const Occupancy& at) {
  const OccupancyLimits& limits = machine.occupancy;
  const OccupancyRequest& request = at.request;
  const auto error = [&](const std::string& needs, const char* options, const std::string& remedy) {
    return usage_error(fmt::format("cannot launch on {}: a block needs {}", machine.id, needs), options, remedy);
  };
  const auto admits_none = [&](OccupancyLimiter limiter) {
    return std::find(at.limiters.begin(), at.limiters.end(), limiter) != at.limiters.end();
  };
  if (admits_none(OccupancyLimiter::kShared)) {
    const double most = request.shared_carveout
                            ? std::min(request.shared_carveout->count() - limits.shared_reserved_per_block,
                                       limits.shared_bytes_per_block)
                            : limits.shared_bytes_per_block;
    return error(fmt::format("{} of shared memory and can have at most {}",
                             size_text((request.shared_static + request.shared_dynamic).count()),
                             size_text(std::max(most, 0.0))),
                 "--shared, --dynamic-shared, --carveout", "use less of it");
  }
  if (admits_none(OccupancyLimiter::kRegisters)) {
    const int most = limits.max_registers_per_block > 0 ? limits.max_registers_per_block : limits.registers_per_sm;
    const std::string fewer =
        at.changes.empty() ? "" : fmt::format("at most {:.0f} registers per thread, or ", at.changes.front().limit);
    return error(fmt::format("{} registers and can have at most {}", at.registers_per_warp * at.warps_per_block, most),
                 "--registers, --block", "give " + fewer + "fewer threads");
  }
  return error(fmt::format("{} warps and an SM holds {}", at.warps_per_block, limits.max_warps_per_sm), "--block",
               "give fewer threads");
}

/// The table's rows and those of the block sizes that are suggested, ascending.
std::vector<Occupancy> rows_of(const OccupancyLimits& limits, const OccupancyRequest& request,
                               const BetterBlockSizes& better) {
  std::vector<Occupancy> rows = occupancy_by_block_size(limits, request);
  const auto threads = [](const Occupancy& row) { return row.request.threads_per_block; };
  for (const auto& suggested : {better.smaller, better.larger, better.best}) {
    if (!suggested) continue;
    const auto place = std::lower_bound(rows.begin(), rows.end(), *suggested,
                                        [&](const auto& a, const auto& b) { return threads(a) < threads(b); });
    if (place == rows.end() || threads(*place) != threads(*suggested)) rows.insert(place, *suggested);
  }
  return rows;
}

Result<Machine> chosen_machine(const Arguments& arguments, const Context& context) {
  if (!arguments.has("--on")) {
    return fail(usage_error("the machine is missing", "--on", "name it, e.g. --on h200-sxm (`ridge machines list`)"));
  }
  const auto database = machine_database(context);
  if (!database) return fail(database.error());
  return named_machine(arguments.value("--on"), "--on", *database, context);
}

std::string render_view(const render::OccupancyView& view, const OutputOptions& output) {
  if (output.format == "json") return render::occupancy_json(view);
  if (output.format == "csv") return render::occupancy_csv(view);
  return in_words(render::occupancy_page(view, render::parse_language(output.language)), output);
}

class OccupancyCommand final : public Command {
 public:
  [[nodiscard]] const CommandSpec& spec() const override {
    static const CommandSpec spec = make_spec();
    return spec;
  }

  [[nodiscard]] Result<int> run(const Arguments& arguments, Context& context) const override {
    const auto output = output_options(arguments, context);
    if (!output) return fail(output.error());
    const auto machine = chosen_machine(arguments, context);
    if (!machine) return fail(machine.error());
    const auto request = parse_request(arguments);
    if (!request) return fail(request.error());
    RIDGE_TRY(check_request(*machine, *request));
    auto result = occupancy(machine->occupancy, *request);
    if (!result) {
      if (result.error().where.empty()) result.error().where = machine->id;
      return fail(result.error());
    }
    if (result->blocks_per_sm == 0) return fail(cannot_launch(*machine, *result));
    const BetterBlockSizes better = better_block_sizes(machine->occupancy, *result);
    const render::OccupancyView view{*machine, *result, better, rows_of(machine->occupancy, *request, better)};
    RIDGE_TRY(write_result(render_view(view, *output), arguments, context));
    return 0;
  }
};

}  // namespace

std::unique_ptr<Command> make_occupancy_command() {
  return std::make_unique<OccupancyCommand>();
}

}  // namespace ridge::cli
