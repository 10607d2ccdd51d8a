#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/quantity_text.h"
#include "ridgepoint/machines/database.h"

namespace ridge {
namespace {

struct Assignment {
  std::string name;
  std::string value;
};

Result<Assignment> split_assignment(const std::string& text, std::string_view option, std::string_view example) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    return fail(usage_error(fmt::format("\"{}\" is not NAME=VALUE", text), std::string(option),
                            fmt::format("write for example {}", example)));
  }
  return Assignment{text.substr(0, equals), text.substr(equals + 1)};
}

constexpr std::array kTensorOnly{DataType::kTf32, DataType::kFp8,  DataType::kFp6, DataType::kFp4,
                                 DataType::kInt8, DataType::kInt4, DataType::kInt1};

/// A ceiling name or one of its short forms.
std::optional<ComputeKey> parse_short_key(std::string_view text) {
  if (const auto key = parse_compute_key(text)) return key;
  constexpr std::string_view kTensorPrefix = "tensor_";
  if (text.starts_with(kTensorPrefix)) {
    const auto type = parse_data_type(text.substr(kTensorPrefix.size()));
    return type ? std::optional(tensor(*type, TensorPath::kAny)) : std::nullopt;
  }
  const auto type = parse_data_type(text);
  if (!type) return std::nullopt;
  const bool on_tensor = std::find(kTensorOnly.begin(), kTensorOnly.end(), *type) != kTensorOnly.end();
  return on_tensor ? tensor(*type, TensorPath::kAny) : core(*type);
}

/// True if the override of `wanted` also replaces `entry`: parts that `wanted` leaves open stand for all.
bool covers(const ComputeKey& wanted, const ComputeKey& entry) {
  return wanted.type == entry.type && wanted.unit == entry.unit && wanted.sparsity == entry.sparsity &&
         (wanted.path == TensorPath::kAny || wanted.path == entry.path) &&
         (wanted.accumulator == Accumulator::kAny || wanted.accumulator == entry.accumulator);
}

void set_peak(Machine& machine, const ComputeKey& key, FlopsPerSecond value) {
  std::erase_if(machine.ceilings, [&](const Ceiling& entry) { return covers(key, entry.key); });
  Ceiling ceiling;
  ceiling.key = key;
  ceiling.stated = value;
  ceiling.provenance = Provenance::kDeclared;
  machine.ceilings.push_back(ceiling);
}

void set_bandwidth(Machine& machine, Level which, BytesPerSecond value) {
  auto found = std::find_if(machine.levels.begin(), machine.levels.end(),
                            [which](const MemoryLevel& level) { return level.level == which; });
  if (found == machine.levels.end()) {
    machine.levels.emplace_back().level = which;
    found = machine.levels.end() - 1;
  }
  found->bandwidth = Value<BytesPerSecond>(value, Provenance::kDeclared);
  found->read_bandwidth = found->write_bandwidth = Value<BytesPerSecond>();
  found->bytes_per_clock = Value<double>();
  found->stated = BytesPerSecond(0);
  if (which == Level::kDram) machine.bus = DramBus{};
}

constexpr std::array kBandwidthLevels{Level::kShared, Level::kL1,       Level::kL2,
                                      Level::kDram,   Level::kHostLink, Level::kPeerLink};

std::optional<Level> parse_level(std::string_view text) {
  for (const Level level : kBandwidthLevels) {
    if (name(level) == text) return level;
  }
  return std::nullopt;
}

Error not_positive(const std::string& text, std::string_view option) {
  return usage_error(fmt::format("\"{}\" must be above 0", text), std::string(option),
                     "give the ceiling's real figure");
}

Result<void> override_peak(Machine& machine, const std::string& text) {
  constexpr std::string_view kOption = "--peak";
  const auto assignment = split_assignment(text, kOption, "--peak fp32=30TFLOP/s");
  if (!assignment) return fail(assignment.error());
  const auto key = parse_short_key(assignment->name);
  if (!key) {
    return fail(usage_error(fmt::format("unknown ceiling \"{}\"", assignment->name), std::string(kOption),
                            "write a type (fp64, fp32, fp16, bf16, tf32, fp8, fp4, int8), <type>_tensor, or a name "
                            "that `ridge machines show` lists"));
  }
  const auto value = parse_flops_per_second(assignment->value, kOption);
  if (!value) return fail(value.error());
  if (value->count() <= 0) return fail(not_positive(text, kOption));
  set_peak(machine, *key, *value);
  return {};
}

Result<void> override_bandwidth(Machine& machine, const std::string& text) {
  constexpr std::string_view kOption = "--bandwidth";
  const auto assignment = split_assignment(text, kOption, "--bandwidth dram=900GB/s");
  if (!assignment) return fail(assignment.error());
  const auto level = parse_level(assignment->name);
  if (!level) {
    return fail(usage_error(fmt::format("unknown memory level \"{}\"", assignment->name), std::string(kOption),
                            "write dram, l2, l1, shared, host_link or peer_link"));
  }
  const auto value = parse_bytes_per_second(assignment->value, kOption);
  if (!value) return fail(value.error());
  if (value->count() <= 0) return fail(not_positive(text, kOption));
  set_bandwidth(machine, *level, *value);
  return {};
}

}  // namespace

Result<void> apply_overrides(Machine& machine, const std::vector<std::string>& peaks,
                             const std::vector<std::string>& bandwidths) {
  Machine changed = machine;
  std::vector<std::string> given;
  for (const std::string& text : peaks) {
    RIDGE_TRY(override_peak(changed, text));
    given.push_back(text);
  }
  for (const std::string& text : bandwidths) {
    RIDGE_TRY(override_bandwidth(changed, text));
    given.push_back(text);
  }
  if (given.empty()) return {};
  const std::string sentence = fmt::format("Given on the command line: {}.", fmt::join(given, ", "));
  changed.note = changed.note.empty() ? sentence : changed.note + " " + sentence;
  machine = std::move(changed);
  return {};
}

}  // namespace ridge
