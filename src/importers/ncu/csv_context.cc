#include "importers/ncu/csv_context.h"

#include <algorithm>
#include <charconv>

#include "base/utf8.h"

namespace ridge::ncu {
namespace {

std::uint64_t unsigned_in(std::string_view text) {
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// "(10, 2, 1)"; absent without a number, and when one of them cannot be an extent.
std::optional<Dim3> dim(std::string_view text) {
  std::uint32_t axes[3] = {1, 1, 1};
  std::size_t axis = 0;
  const char* p = text.data();
  const char* const end = p + text.size();
  while (p != end && axis < 3) {
    const auto [rest, error] = std::from_chars(p, end, axes[axis]);
    if (error == std::errc::result_out_of_range || *p == '-') return std::nullopt;
    if (error == std::errc()) {
      if (axes[axis] == 0) return std::nullopt;
      ++axis;
      p = rest;
    } else {
      ++p;
    }
  }
  if (axis == 0) return std::nullopt;
  return Dim3{axes[0], axes[1], axes[2]};
}

std::uint64_t mix(std::uint64_t process, std::uint64_t id) {
  return (process * 0x9e3779b97f4a7c15ULL) ^ (id + 0x632be59bd9b4e019ULL + (process << 6));
}

bool has_metric(const LaunchDraft& draft, std::uint32_t metric) {
  return std::any_of(draft.raw.begin(), draft.raw.end(), [&](const RawMetric& m) { return m.metric == metric; });
}

}  // namespace

std::string_view cell(const std::vector<CsvField>& row, int index) {
  return index >= 0 && static_cast<std::size_t>(index) < row.size() ? row[static_cast<std::size_t>(index)].text
                                                                    : std::string_view();
}

bool is_unsigned(std::string_view text) {
  return !text.empty() && text.size() < 20 && text.find_first_not_of("0123456789") == std::string_view::npos;
}

LaunchDraft* LaunchTable::find_or_add(LaunchDraft&& row, Page page, std::uint32_t table,
                                      std::optional<std::uint32_t> metric) {
  Entry& entry =
      entries_.try_emplace(mix(row.process_id, row.source_id), Entry{builder_.drafts().size()}).first->second;
  const bool is_known = entry.draft < builder_.drafts().size();
  if (is_known) {
    LaunchDraft& draft = builder_.drafts()[entry.draft];
    bool same =
        draft.full_name == row.full_name && draft.process_id == row.process_id && draft.source_id == row.source_id;
    if (page == Page::kRaw) same = same && !entry.has_raw;
    if (page == Page::kDetails && entry.details_table != table && entry.details_table != 0) {
      same = same && metric && !has_metric(draft, *metric);
    }
    if (same) {
      if (page == Page::kRaw) entry.has_raw = true;
      if (page == Page::kDetails) entry.details_table = table;
      return &draft;
    }
  }
  if (builder_.full()) {
    ++refused_;
    return nullptr;
  }
  entry = {builder_.drafts().size(), page == Page::kRaw, page == Page::kDetails ? table : 0};
  return &builder_.add(std::move(row));
}

std::optional<double> CsvContext::number(std::string_view text, bool has_unit, bool& is_absent) {
  if (double digits = 0; parse_digits(text, digits)) return digits;
  const ParsedNumber parsed = parse_number(text, mark.value_or(DecimalMark::kPoint));
  is_absent = parsed.kind == NumberKind::kAbsent;
  if (parsed.kind == NumberKind::kNumber) return parsed.value;
  const bool spoilt = parsed.kind == NumberKind::kText && has_unit && begins_like_a_number(text);
  if (parsed.kind == NumberKind::kInvalid || spoilt) {
    if (tally.unreadable_numbers++ == 0) tally.first_unreadable = to_valid_utf8(text.substr(0, 40));
    is_absent = true;
  }
  return std::nullopt;
}

std::optional<MetricUnit> CsvContext::unit(std::string_view metric, std::string_view text) {
  const MetricUnit own = unit_of_metric(metric);
  std::optional<MetricUnit> stated = parse_unit(text);
  // The profiler prints derived metrics without the "per second" of their names, and some without a unit.
  if (!stated || !is_dimension(own.name) || metric.starts_with("derived__")) return stated;
  if (stated->name.empty()) {
    if (tally.units_missing++ == 0) tally.first_without_unit = to_valid_utf8(metric);
    return own;
  }
  return is_dimension(stated->name) && stated->name != own.name ? std::nullopt : stated;
}

bool LaunchColumns::take(std::string_view title, int index) {
  struct Known {
    std::string_view title;
    int LaunchColumns::*column;
  };
  static constexpr Known kKnown[] = {
      {"ID", &LaunchColumns::id},
      {"Process ID", &LaunchColumns::process},
      {"Process Name", &LaunchColumns::process_name},
      {"Kernel Name", &LaunchColumns::kernel},
      {"Context", &LaunchColumns::context},
      {"Stream", &LaunchColumns::stream},
      {"Block Size", &LaunchColumns::block},
      {"Grid Size", &LaunchColumns::grid},
      {"Device", &LaunchColumns::device},
      {"CC", &LaunchColumns::capability},
  };
  for (const Known& known : kKnown) {
    if (known.title != title || this->*known.column >= 0) continue;
    this->*known.column = index;
    last = std::max(last, index);
    return true;
  }
  return title == "Host Name" || title == "Kernel Time";
}

void LaunchColumns::fill(const std::vector<CsvField>& row, LaunchDraft& draft) const {
  draft.source_id = unsigned_in(cell(row, id));
  draft.process_id = unsigned_in(cell(row, process));
  draft.context = unsigned_in(cell(row, context));
  draft.stream = unsigned_in(cell(row, stream));
  draft.block = dim(cell(row, block));
  draft.grid = dim(cell(row, grid));
  draft.device = static_cast<std::int64_t>(unsigned_in(cell(row, device)));
  draft.capability = cell(row, capability);
  if (kernel >= 0 && static_cast<std::size_t>(kernel) < row.size()) {
    draft.full_name = to_valid_utf8(unescape(row[static_cast<std::size_t>(kernel)]));
  }
}

}  // namespace ridge::ncu
