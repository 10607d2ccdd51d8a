#include <fmt/format.h>

#include "render/html/roofline_svg.h"
#include "render/lab/lab_view.h"
#include "render/lab/labels.h"
#include "render/terminal/page.h"
#include "render/terminal/roofline_chart.h"
#include "render/text/format.h"
#include "render/view/plot.h"

namespace ridge::render {
namespace {

constexpr std::size_t kChartKernels = 52;  // as many as there are letters

class LabDocument {
 public:
  LabDocument(const LabView& view, Language language) : view_(view), language_(language) {}

  Document take() {
    document_.title = text(mode("title"), {printable(view_.machine)});
    const std::vector<std::string> facts{printable(view_.driver), std::to_string(view_.seed)};
    document_.paragraphs.push_back(text(mode(view_.timed ? "about" : "about_check"), facts));
    for (const std::string& note : view_.notes) document_.paragraphs.push_back(printable(note));
    for (const LabGroup& group : view_.groups) {
      document_.sections.push_back(section(group));
      for (const LabGemmStory& story : group.stories) document_.sections.push_back(told(story));
    }
    return std::move(document_);
  }

 private:
  [[nodiscard]] std::string text(std::string_view id, const std::vector<std::string>& values = {}) const {
    return lab_text(id, language_, values);
  }
  /// The variant of a text that says where the numbers come from.
  [[nodiscard]] std::string mode(const char* id) const {
    return fmt::format("{}{}", id, view_.paper ? "_paper" : view_.emulated ? "_emulated" : "");
  }
  [[nodiscard]] std::string resource(const std::string& name) const { return resource_name(name, language_); }

  [[nodiscard]] Section section(const LabGroup& group) const {
    Section section;
    section.title = group.sizes.empty() ? group.ladder : fmt::format("{}, {}", group.ladder, group.sizes);
    section.table = !view_.timed ? check_table(group) : view_.paper ? paper_table(group) : measured_table(group);
    for (const LabStep& step : group.steps) {
      const std::string words = explained(step);
      if (!words.empty()) section.items.push_back(fmt::format("{}: {}", step.label, words));
    }
    return section;
  }

  [[nodiscard]] static bool any_flops(const LabGroup& group) {
    for (const LabStep& step : group.steps) {
      if (step.flops && step.flops->count() > 0) return true;
    }
    return false;
  }
  [[nodiscard]] static bool any_vendor(const LabGroup& group) {
    for (const LabStep& step : group.steps) {
      if (step.of_vendor) return true;
    }
    return false;
  }

  void add(Table& table, std::string_view id, Align align = Align::kRight) const {
    table.columns.push_back({text(id), align, id == "limit" || id == "second", id == "second"});
  }

  /// Where arithmetic is plenty, the rate of DRAM says nothing and takes room.
  [[nodiscard]] static bool shows_rate(const LabGroup& group) {
    for (const LabStep& step : group.steps) {
      if (step.intensity && step.intensity->count() < 10) return true;
    }
    return false;
  }
  /// The title of the column has the unit.
  [[nodiscard]] static std::string intensity_cell(const LabStep& step) {
    const std::string cell = format_value(step.intensity, Unit::kFlopsPerByte);
    return cell.substr(0, cell.find(' '));
  }

  [[nodiscard]] Table measured_table(const LabGroup& group) const {
    const bool flops = any_flops(group), vendor = any_vendor(group);
    Table table;
    add(table, "step", Align::kLeft);
    add(table, view_.emulated ? "predicted" : "time");
    const bool rate = shows_rate(group);
    if (flops) add(table, "speed");
    if (rate) add(table, "rate");
    if (flops) add(table, "intensity");
    add(table, "limit", Align::kLeft);
    add(table, "fraction");
    add(table, "speedup");
    if (vendor) add(table, "vendor");
    for (const LabStep& step : group.steps) {
      std::vector<std::string> row{printable(step.label), format_value(step.time, Unit::kSeconds)};
      if (flops) row.push_back(format_value(step.speed, Unit::kFlopsPerSecond));
      if (rate) row.push_back(format_value(step.dram_rate, Unit::kBytesPerSecond));
      if (flops) row.push_back(intensity_cell(step));
      row.push_back(limit_cell(step));
      row.push_back(format_value(step.fraction, Unit::kRatio));
      row.push_back(format_value(step.speedup, Unit::kFactor));
      if (vendor) row.push_back(format_value(step.of_vendor, Unit::kRatio));
      table.rows.push_back(std::move(row));
    }
    return table;
  }

  [[nodiscard]] std::string limit_cell(const LabStep& step) const {
    if (!step.skipped.empty()) return text("skipped");
    if (step.check.done && !step.check.passed) return text("wrong");
    const bool far = step.verdict == Verdict::kLatencyBound || step.verdict == Verdict::kOverheadBound;
    return far ? text("near", {resource(step.resource)}) : resource(step.resource);
  }

  [[nodiscard]] Table paper_table(const LabGroup& group) const {
    const bool flops = any_flops(group);
    Table table;
    add(table, "step", Align::kLeft);
    add(table, "least_time");
    const bool rate = shows_rate(group);
    if (flops) add(table, "speed");
    if (rate) add(table, "rate");
    if (flops) add(table, "intensity");
    add(table, "limit", Align::kLeft);
    add(table, "second", Align::kLeft);
    add(table, "speedup");
    for (const LabStep& step : group.steps) {
      std::vector<std::string> row{printable(step.label), format_value(step.time, Unit::kSeconds)};
      if (flops) row.push_back(format_value(step.speed, Unit::kFlopsPerSecond));
      if (rate) row.push_back(format_value(step.dram_rate, Unit::kBytesPerSecond));
      if (flops) row.push_back(intensity_cell(step));
      row.push_back(limit_cell(step));
      const bool second = step.times.size() > 1;
      row.push_back(second ? fmt::format("{} {}", resource(step.times[1].resource),
                                         format_number(step.times[1].least_time.count(), Unit::kSeconds))
                           : std::string());
      row.push_back(format_value(step.speedup, Unit::kFactor));
      table.rows.push_back(std::move(row));
    }
    return table;
  }

  [[nodiscard]] Table check_table(const LabGroup& group) const {
    Table table;
    add(table, "step", Align::kLeft);
    add(table, "result", Align::kLeft);
    for (const char* id : {"error", "tolerance", "compared"}) add(table, id);
    for (const LabStep& step : group.steps) {
      const LabCheck& check = step.check;
      if (!check.done) {
        table.rows.push_back(
            {printable(step.label), text(check.not_done.empty() ? "skipped" : "unchecked"), "", "", ""});
        continue;
      }
      table.rows.push_back({printable(step.label), text(check.passed ? "right" : "wrong"),
                            fmt::format("{:.1e}", check.error), fmt::format("{:.0e}", check.tolerance),
                            fmt::format("{} / {}", check.compared, check.elements)});
    }
    return table;
  }

  /// What limits it, the lesson, and what the next step changes.
  [[nodiscard]] std::string explained(const LabStep& step) const {
    if (!step.skipped.empty()) return text("not_run", {printable(step.skipped)});
    if (step.check.done && !step.check.passed) return text("fault", {printable(step.check.fault)});
    if (!view_.timed) return step.check.not_done.empty() ? "" : not_checked(step);
    std::string words = limit_sentence(step);
    const auto append = [&](const std::string& sentence) {
      if (!sentence.empty()) words += (words.empty() || language_ == Language::kChinese ? "" : " ") + sentence;
    };
    if (!step.check.not_done.empty()) append(not_checked(step));
    append(step.lesson);
    if (step.l2_resident) append(text("resident", {std::to_string(step.copies)}));
    if (step.clock) append(text("clock", {format_value(step.clock, Unit::kHertz)}));
    if (!step.next.empty()) append(text("next", {step.next}));
    return words;
  }

  [[nodiscard]] std::string not_checked(const LabStep& step) const {
    return text("not_checked", {printable(step.check.not_done)});
  }

  [[nodiscard]] std::string limit_sentence(const LabStep& step) const {
    if (step.resource.empty()) return "";
    if (view_.paper) return text("limit_paper", {resource(step.resource), format_value(step.time, Unit::kSeconds)});
    if (!step.fraction) return "";
    const std::vector<std::string> facts{resource(step.resource), format_value(step.fraction, Unit::kRatio)};
    if (*step.fraction > 1.02 && !view_.emulated) return text("limit_above", facts);
    const bool bound = step.verdict == Verdict::kMemoryBound || step.verdict == Verdict::kComputeBound;
    return text(bound ? "limit_bound" : "limit_latency", facts);
  }

  [[nodiscard]] Section told(const LabGemmStory& story) const {
    const auto count = [](double value) { return format_number(value, Unit::kCount); };
    const auto factor = [](double value) { return format_number(value, Unit::kFactor); };
    const auto amount = [](Bytes value) { return format_number(value.count(), Unit::kBytes); };
    Section section;
    section.title = text("story", {printable(story.faster), printable(story.slower)});
    auto& said = section.paragraphs;
    said.push_back(text("story_loads", {count(story.slower_load_requests), count(story.faster_load_requests),
                                        factor(story.slower_load_requests / story.faster_load_requests)}));
    said.push_back(text("story_below", {amount(story.l2), amount(story.dram)}));
    said.push_back(text("story_path", {count(story.slower_wavefronts), count(story.faster_wavefronts),
                                       count(story.faster_shared_wavefronts),
                                       factor(story.slower_wavefronts / story.faster_wavefronts)}));
    if (story.slower_time && story.faster_time && story.slower_busy && story.faster_busy) {
      said.push_back(
          text(view_.emulated ? "story_predicted" : "story_measured",
               {format_value(story.slower_time, Unit::kSeconds), format_value(story.faster_time, Unit::kSeconds),
                factor(*story.slower_time / *story.faster_time), format_value(story.slower_busy, Unit::kRatio),
                format_value(story.faster_busy, Unit::kRatio)}));
    }
    if (!story.l2_capacity || !story.dram_time) return section;
    const std::string capacity = format_capacity(story.l2_capacity->count()),
                      moved = format_value(story.dram_time, Unit::kSeconds);
    if (story.dram_outgrown) {
      said.push_back(text("story_outgrown", {amount(story.operands), capacity, amount(*story.dram_outgrown),
                                             amount(story.dram), moved, format_value(story.l1_time, Unit::kSeconds)}));
    } else {
      said.push_back(text("story_fits", {amount(story.operands), capacity, moved}));
    }
    return section;
  }

  const LabView& view_;
  Language language_;
  Document document_;
};

const char* chart_title(const LabView& view) {
  return view.paper ? "chart_paper" : view.emulated ? "chart_emulated" : "chart";
}

/// Before the end of the page's main part.
std::string with_drawings(std::string page, const LabView& view, const Report& report, Language language) {
  std::string drawn;
  std::size_t number = 1;
  for (const Plot& plot : make_plots(report, kChartKernels)) {
    if (plot.points.empty()) continue;
    drawn += fmt::format("<section>\n<h2>{}</h2>\n<div class=\"scroll\">{}</div>\n{}</section>\n",
                         escape_html(lab_text(chart_title(view), language)),
                         roofline_svg(report, plot, number++, language), roofline_notes(report, plot, language));
  }
  const std::size_t end = page.rfind("</main>");
  return end == std::string::npos ? page : page.insert(end, drawn);
}

std::string chart_text(const LabView& view, const Report& report, const TextOptions& options) {
  Page page(options);
  for (const Plot& plot : make_plots(report, kChartKernels)) {
    if (plot.points.empty()) continue;
    page.heading(lab_text(chart_title(view), options.language));
    draw_roofline(page, report, plot);
  }
  return page.take();
}

}  // namespace

Document lab_document(const LabView& view, Language language) {
  return LabDocument(view, language).take();
}

std::string lab_page(std::string_view format, const LabView& view, const Report& report, const TextOptions& options) {
  const std::string page = document_as(format, lab_document(view, options.language), options);
  if (format == "html") return with_drawings(page, view, report, options.language);
  return format == "md" ? page : page + chart_text(view, report, options);
}

Document lab_list(const std::vector<LabListEntry>& entries, Language language) {
  const auto text = [&](std::string_view id) { return lab_text(id, language); };
  Document document;
  document.title = text("list");
  document.paragraphs.push_back(text("list_note"));
  for (const LabListEntry& entry : entries) {
    if (document.sections.empty() || document.sections.back().title != entry.ladder) {
      Section section;
      section.title = entry.ladder;
      section.table.columns = {{text("id"), Align::kLeft, false},
                               {text("parameters"), Align::kLeft, true},
                               {text("flops"), Align::kLeft, true},
                               {text("needs"), Align::kRight, false}};
      document.sections.push_back(std::move(section));
    }
    Section& section = document.sections.back();
    section.table.rows.push_back({entry.id, entry.parameters, entry.flops, entry.needs});
    section.items.push_back(fmt::format("{}: {}", entry.id, entry.lesson));
  }
  return document;
}

}  // namespace ridge::render
