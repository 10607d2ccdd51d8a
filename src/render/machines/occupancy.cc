#include "render/machines/occupancy.h"

#include <fmt/format.h>

#include "render/machines/labels.h"
#include "render/text/format.h"

namespace ridge::render {
namespace {

class Words {
 public:
  explicit Words(Language language) : language_(language) {}
  [[nodiscard]] std::string operator()(std::string_view id) const {
    return machine_label(fmt::format("occupancy.{}", id), language_);
  }
  [[nodiscard]] std::string fill(std::string_view id, const std::vector<std::string>& values) const {
    return filled(fmt::format("occupancy.{}", id), language_, values);
  }
  [[nodiscard]] std::string limiter(OccupancyLimiter limiter) const {
    return machine_label(fmt::format("limiter.{}", name(limiter)), language_);
  }
  [[nodiscard]] std::string limiters(const Occupancy& at) const {
    std::string text;
    for (const OccupancyLimiter each : at.limiters) text += (text.empty() ? "" : ", ") + limiter(each);
    return text;
  }

 private:
  Language language_;
};

std::string number(double value) {
  return fmt::format("{:.12g}", value);
}

std::string size_text(double bytes) {
  const bool kib = bytes >= 1024 && static_cast<long long>(bytes) % 128 == 0;
  return kib ? fmt::format("{:.6g} KiB", bytes / 1024) : fmt::format("{:.12g} B", bytes);
}

std::string percent(double fraction) {
  return format_number(fraction, Unit::kRatio);
}

/// What one block takes of the resource, as it is allocated.
std::string use_of(OccupancyLimiter limiter, const Occupancy& at, const Words& words) {
  switch (limiter) {
    case OccupancyLimiter::kWarps:
      return words.fill("uses_warps", {number(at.warps_per_block)});
    case OccupancyLimiter::kRegisters:
      return words.fill("uses_registers",
                        {number(double(at.registers_per_warp) * at.warps_per_block), number(at.registers_per_warp)});
    case OccupancyLimiter::kShared:
      return size_text(at.shared_per_block);
    case OccupancyLimiter::kBarriers:
      return words.fill("uses_barriers", {number(at.request.barriers_per_block)});
    case OccupancyLimiter::kBlocks:
      break;
  }
  return "";
}

Section limits_section(const Occupancy& at, const Words& words) {
  Section section;
  section.title = words("limits");
  section.table.columns = {{words("resource"), Align::kLeft, false},
                           {words("blocks"), Align::kRight, false},
                           {words("uses"), Align::kLeft, false}};
  for (const OccupancyLimit& limit : at.limits) {
    section.table.rows.push_back({words.limiter(limit.limiter),
                                  limit.blocks ? number(*limit.blocks) : words("no_limit"),
                                  limit.blocks ? use_of(limit.limiter, at, words) : ""});
  }
  if (at.carveout_needed && at.request.shared_static + at.request.shared_dynamic > Bytes(0)) {
    section.items.push_back(words.fill("carveout", {size_text(*at.carveout_needed)}));
  }
  return section;
}

std::string change_text(const OccupancyChange& change, const Words& words) {
  const bool bytes = change.limiter == OccupancyLimiter::kShared;
  const auto text = [bytes](double value) { return bytes ? size_text(value) : number(value); };
  return words.fill(fmt::format("change_{}", name(change.limiter)), {text(change.now), text(change.limit)});
}

Section changes_section(const OccupancyView& view, const Words& words) {
  const Occupancy& at = view.occupancy;
  Section section;
  section.title = words("changes");
  if (at.warps_per_sm == at.max_warps_per_sm) {
    section.paragraphs = {words("full")};
    return section;
  }
  if (at.fraction_after_changes) {
    for (const OccupancyChange& change : at.changes) section.items.push_back(change_text(change, words));
    section.items.push_back(
        words.fill(at.changes.size() > 1 ? "after_all" : "after", {percent(*at.fraction_after_changes)}));
  }
  const auto add = [&](std::string_view id, const std::optional<Occupancy>& other) {
    if (!other) return;
    section.items.push_back(words.fill(id, {number(other->request.threads_per_block), percent(other->fraction)}));
  };
  const auto is_best = [&](const std::optional<Occupancy>& other) {
    return other && view.better.best && other->warps_per_sm == view.better.best->warps_per_sm;
  };
  add(is_best(view.better.smaller) ? "best" : "smaller", view.better.smaller);
  add(is_best(view.better.larger) ? "best" : "larger", view.better.larger);
  if (!is_best(view.better.smaller) && !is_best(view.better.larger)) add("best", view.better.best);
  if (section.items.empty()) section.paragraphs = {words("no_change")};
  return section;
}

Section sizes_section(const OccupancyView& view, const Words& words) {
  Section section;
  section.title = words("table");
  section.paragraphs = {words("table_note")};
  section.table.columns = {{words("threads"), Align::kRight, false},
                           {words("blocks"), Align::kRight, false},
                           {words("warps"), Align::kRight, false},
                           {words("occupancy"), Align::kRight, false},
                           {words("limiter"), Align::kLeft, true}};
  for (const Occupancy& row : view.by_block_size) {
    const bool own = row.request == view.occupancy.request;
    section.table.rows.push_back({(own ? "> " : "") + number(row.request.threads_per_block), number(row.blocks_per_sm),
                                  number(row.warps_per_sm), percent(row.fraction), words.limiters(row)});
  }
  section.items = {words("caution")};
  return section;
}

}  // namespace

Document occupancy_page(const OccupancyView& view, Language language) {
  const Words words(language);
  const Occupancy& at = view.occupancy;
  const OccupancyRequest& request = at.request;
  Document document;
  document.title = words.fill("title", {fmt::format("{} ({})", view.machine.name, view.machine.id)});
  document.paragraphs.push_back(words.fill(
      "request",
      {number(request.threads_per_block), number(request.registers_per_thread),
       size_text((request.shared_static + request.shared_dynamic).count()), number(request.barriers_per_block)}));
  if (at.blocks_per_sm == 0) {
    document.paragraphs.push_back(words.fill("none", {words.limiters(at)}));
  } else {
    document.paragraphs.push_back(
        words.fill("result", {number(at.blocks_per_sm), number(at.warps_per_sm), number(at.max_warps_per_sm),
                              percent(at.fraction), words.limiters(at)}));
  }
  document.sections = {limits_section(at, words), changes_section(view, words), sizes_section(view, words)};
  return document;
}

std::string occupancy_csv(const OccupancyView& view) {
  Table table;
  for (const char* title : {"machine", "threads_per_block", "registers_per_thread", "shared_bytes_per_block",
                            "blocks_per_sm", "warps_per_sm", "occupancy", "limiters"}) {
    table.columns.push_back({title, Align::kLeft, false});
  }
  for (const Occupancy& row : view.by_block_size) {
    std::string limiters;
    for (const OccupancyLimiter limiter : row.limiters)
      limiters += (limiters.empty() ? "" : " ") + std::string(name(limiter));
    table.rows.push_back(
        {view.machine.id, number(row.request.threads_per_block), number(row.request.registers_per_thread),
         number((row.request.shared_static + row.request.shared_dynamic).count()), number(row.blocks_per_sm),
         number(row.warps_per_sm), fmt::format("{}", row.fraction), limiters});
  }
  return csv_table(table);
}

}  // namespace ridge::render
