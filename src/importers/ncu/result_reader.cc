#include "importers/ncu/result_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "base/utf8.h"
#include "importers/ncu/hottest.h"
#include "importers/ncu/units.h"
#include "importers/ncu/wire.h"
#include "model/profile/kernel_name.h"

namespace ridge::ncu {
namespace {

// Fields of ProfileResult.
constexpr std::uint32_t kMangledName = 5, kFunctionName = 6, kDemangledName = 7, kGrid = 10, kBlock = 11, kMetric = 13,
                        kCreationTime = 14, kContext = 22, kStream = 23;
// Fields of a metric entry and of a value.
constexpr std::uint32_t kNameId = 1, kValue = 2, kInstance = 3;
constexpr std::uint32_t kText = 1, kFloat = 2, kDouble = 3, kUint32 = 4, kUint64 = 5;

/// The largest field that is looked at: one metric with its instances (2 MB seen), or a name.
constexpr std::uint64_t kMaxField = std::uint64_t{64} << 20;
constexpr std::size_t kMaxTableBytes = std::size_t{64} << 20;
constexpr std::size_t kMaxTableEntries = std::size_t{1} << 20;
constexpr std::size_t kMaxLines = std::size_t{1} << 20;
constexpr std::size_t kMaxName = std::size_t{64} << 10;

// What the instances of these metrics count, by code address.
constexpr unsigned kSamples = 1, kInstructions = 2, kSectors = 3, kIdealSectors = 4, kFunctionStart = 5;
struct LineRole {
  std::string_view metric;
  unsigned role;
};
constexpr std::array kLineRoles{
    LineRole{"smsp__pcsamp_sample_count", kSamples},
    LineRole{"inst_executed", kInstructions},
    LineRole{"memory_l2_theoretical_sectors_global", kSectors},
    LineRole{"memory_l2_theoretical_sectors_global_ideal", kIdealSectors},
    LineRole{"launch__function_pcs", kFunctionStart},
};

/// The number in a Value message; false when it holds none.
bool number_in(std::string_view message, double& number) {
  WireReader reader(message);
  WireField field;
  bool found = false;
  while (reader.next(field)) {
    if (field.number == kDouble && field.type == WireType::kFixed64) {
      number = field.as_double();
    } else if (field.number == kFloat && field.type == WireType::kFixed32) {
      number = static_cast<double>(field.as_float());
    } else if ((field.number == kUint32 || field.number == kUint64) && field.type == WireType::kVarint) {
      number = static_cast<double>(field.value);
    } else {
      continue;
    }
    found = true;
  }
  return found;
}

/// The integer in a Value message, exact (a code address does not fit a double's 53 bits on every system).
bool integer_in(std::string_view message, std::uint64_t& number) {
  WireReader reader(message);
  WireField field;
  bool found = false;
  while (reader.next(field)) {
    if ((field.number != kUint32 && field.number != kUint64) || field.type != WireType::kVarint) continue;
    number = field.value;
    found = true;
  }
  return found;
}

/// The two members of an instance, each itself a value.
void split_instance(std::string_view message, std::string_view& key, std::string_view& value) {
  WireReader reader(message);
  WireField field;
  while (reader.next(field)) {
    if (field.type != WireType::kBytes) continue;
    if (field.number == 1) key = field.bytes;
    if (field.number == 2) value = field.bytes;
  }
}

Dim3 dim(std::string_view message) {
  Dim3 result;
  WireReader reader(message);
  WireField field;
  while (reader.next(field)) {
    if (field.type != WireType::kVarint || field.value > 0xffffffffU) continue;
    const auto value = static_cast<std::uint32_t>(field.value);
    if (field.number == 1) result.x = value;
    if (field.number == 2) result.y = value;
    if (field.number == 3) result.z = value;
  }
  return result;
}

struct AddressedLine : HotLine {
  std::uint64_t address = 0;
};

std::string hex(std::uint64_t value) {
  return fmt::format("{:#x}", value);
}

}  // namespace

bool MetricNames::append(std::string_view table) {
  WireReader reader(table);
  WireField field;
  while (reader.next(field)) {
    if (field.number != 1 || field.type != WireType::kBytes) continue;
    bytes_ += field.bytes.size();
    if (bytes_ > kMaxTableBytes || entries_.size() == kMaxTableEntries) return false;
    entries_.push_back({std::string(field.bytes)});
  }
  return !reader.damaged();
}

const MetricNames::Entry* MetricNames::find(std::uint64_t id) {
  if (id >= entries_.size()) return nullptr;
  Entry& entry = entries_[id];
  if (entry.use == Use::kUnresolved) resolve(entry);
  return &entry;
}

void MetricNames::resolve(Entry& entry) {
  entry.name = to_valid_utf8(entry.name);
  const std::string_view name = entry.name;
  if (name.starts_with("group:") || name.starts_with("breakdown:")) {
    entry.use = Use::kIgnored;
    return;
  }
  if (name == "device__attribute_display_name") {
    entry.use = Use::kDeviceName;
    return;
  }
  const MetricUnit unit = unit_of_metric(name);
  entry.metric = builder_.metric(name, unit.name);
  entry.factor = unit.factor;
  entry.use = Use::kNumber;
  for (const LineRole& role : kLineRoles) {
    if (role.metric != name) continue;
    entry.use = Use::kHotLines;
    entry.line_role = role.role;
  }
}

ResultReader::Outcome ResultReader::read(ByteReader& reader, std::uint64_t length, LaunchDraft& draft) {
  lines_.clear();
  function_start_ = 0;
  created_ = 0;
  nameless_here_ = 0;
  // Launches of one report have the same counters. A counter takes some 20 bytes of the report, so that a short launch
  // cannot make much be reserved.
  draft.raw.reserve(static_cast<std::size_t>(std::min<std::uint64_t>(last_count_, length / 8)));
  std::uint64_t left = length;
  while (left > 0) {
    if (field(reader, left, draft)) continue;
    const std::uint64_t skipped = reader.skip(left);
    return skipped < left || reader.error() ? Outcome::kCut : Outcome::kDamaged;
  }
  nameless_ += nameless_here_;
  last_count_ = draft.raw.size();
  make_hot_lines(draft);
  return Outcome::kLaunch;
}

/// Reads or steps over one field. False at damage or at the end of the data; `left` then is what remains unread.
bool ResultReader::field(ByteReader& reader, std::uint64_t& left, LaunchDraft& draft) {
  constexpr std::size_t kMaxHead = 20;
  const auto want = static_cast<std::size_t>(std::min<std::uint64_t>(left, kMaxHead));
  const WireHead head = read_head(reader.peek(want).substr(0, left));
  if (head.size == 0 || head.size > left) return false;
  reader.consume(head.size);
  left -= head.size;
  if (head.type == WireType::kVarint) return read_varint_field(reader, head.number, left, draft);
  if (head.length > left) return false;
  const bool wanted = head.type == WireType::kBytes &&
                      (head.number == kMetric || (head.number >= kMangledName && head.number <= kBlock));
  if (!wanted || head.length > kMaxField) {
    const std::uint64_t skipped = reader.skip(head.length);
    left -= skipped;
    return skipped == head.length;
  }
  const auto size = static_cast<std::size_t>(head.length);
  const std::string_view bytes = reader.peek(size);
  if (bytes.size() < size) return false;
  const bool sane = bytes_field(head.number, bytes.substr(0, size), draft);
  reader.consume(size);
  left -= size;
  return sane;
}

bool ResultReader::read_varint_field(ByteReader& reader, std::uint32_t number, std::uint64_t& left,
                                     LaunchDraft& draft) {
  std::uint64_t value = 0;
  const std::size_t n = read_varint(reader.peek(10).substr(0, left), value);
  if (n == 0) return false;
  reader.consume(n);
  left -= n;
  if (number == kCreationTime) created_ = value;
  if (number == kContext) draft.context = value;
  if (number == kStream) draft.stream = value;
  return true;
}

bool ResultReader::bytes_field(std::uint32_t number, std::string_view bytes, LaunchDraft& draft) {
  switch (number) {
    case kMangledName:
      draft.mangled_name = to_valid_utf8(bytes.substr(0, kMaxName));
      break;
    case kFunctionName:
      draft.function_name = to_valid_utf8(bytes.substr(0, kMaxName));
      break;
    case kDemangledName:
      draft.full_name = to_valid_utf8(bytes.substr(0, kMaxName));
      break;
    case kGrid:
      draft.grid = dim(bytes);
      break;
    case kBlock:
      draft.block = dim(bytes);
      break;
    case kMetric:
      return metric(bytes, draft);
    default:
      break;
  }
  return true;
}

bool ResultReader::metric(std::string_view entry, LaunchDraft& draft) {
  WireReader reader(entry);
  WireField field;
  const MetricNames::Entry* name = nullptr;
  std::string_view value_message;
  bool has_value = false;
  while (reader.next(field)) {
    if (field.number == kNameId && field.type == WireType::kVarint) {
      name = names_.find(field.value);
      if (name == nullptr) {
        ++nameless_here_;
        return true;
      }
    } else if (field.number == kValue && field.type == WireType::kBytes) {
      value_message = field.bytes;
      has_value = true;
    } else if (field.number == kInstance && name != nullptr && has_value) {
      break;  // instances stand last, and only a few metrics' are wanted
    }
  }
  if (reader.damaged()) return false;
  if (name == nullptr || name->use == MetricNames::Use::kIgnored) return true;
  if (name->use == MetricNames::Use::kHotLines && hot_lines_ > 0) instances(entry, name->line_role);
  return value(*name, value_message, draft);
}

bool ResultReader::value(const MetricNames::Entry& name, std::string_view message, LaunchDraft& draft) const {
  if (name.use == MetricNames::Use::kDeviceName) {
    WireReader reader(message);
    WireField field;
    while (reader.next(field)) {
      if (field.number == kText && field.type == WireType::kBytes) draft.device_name = to_valid_utf8(field.bytes);
    }
    return true;
  }
  double number = 0;
  if (!number_in(message, number)) return true;  // a text, or only instances: not a counter
  if (std::isfinite(number)) {
    builder_.put(draft, name.metric, number * name.factor);
  } else {
    builder_.put_not_a_number(draft, name.metric);
  }
  return true;
}

void ResultReader::instances(std::string_view entry, unsigned role) {
  WireReader reader(entry);
  WireField field;
  while (reader.next(field)) {
    if (field.number != kInstance || field.type != WireType::kBytes) continue;
    std::string_view key, value;
    split_instance(field.bytes, key, value);
    std::uint64_t address = 0;
    if (!integer_in(key, address)) continue;
    if (role == kFunctionStart) {
      if (address == 0) (void)integer_in(value, function_start_);
    } else if (double count = 0; number_in(value, count) && std::isfinite(count)) {
      put_line(address, role, count);
    }
  }
}

void ResultReader::put_line(std::uint64_t address, unsigned role, double count) {
  if (lines_.size() == kMaxLines && !lines_.contains(address)) return;
  LineCounters& line = lines_[address];
  if (role == kSamples) line.samples = count;
  if (role == kInstructions) line.instructions = count;
  if (role == kSectors) line.sectors = count;
  if (role == kIdealSectors) line.ideal_sectors = count;
}

/// A place is the kernel's name and the offset from its first instruction: addresses change from run to run.
void ResultReader::make_hot_lines(LaunchDraft& draft) const {
  if (lines_.empty()) return;
  const std::uint64_t first = lines_.begin()->first;
  const std::uint64_t base = function_start_ != 0 && function_start_ <= first ? function_start_ : first;
  std::vector<AddressedLine> lines;
  lines.reserve(lines_.size());
  for (const auto& [address, line] : lines_) {
    AddressedLine hot;
    hot.address = address;
    hot.samples = line.samples;
    hot.instructions = line.instructions;
    hot.excess_sectors = std::max(0.0, line.sectors - line.ideal_sectors);
    lines.push_back(std::move(hot));
  }
  keep_hottest(lines, hot_lines_);
  const std::string name = draft.function_name.empty() ? short_kernel_name(draft.full_name) : draft.function_name;
  for (AddressedLine& line : lines) {
    line.location = name + "+" + hex(line.address - base);
    draft.hot_lines.push_back(std::move(line));
  }
}

}  // namespace ridge::ncu
