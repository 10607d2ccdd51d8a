#include "render/terminal/roofline_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "render/terminal/canvas.h"
#include "render/text/format.h"
#include "render/view/operations.h"
#include "render/view/view.h"

namespace ridge::render {
namespace {

constexpr int kMargin = 8;  // of the y axis with its numbers
constexpr int kMostColumns = 112;
constexpr int kFewestRows = 13, kMostRows = 24;
constexpr int kNameWidth = 26;

/// 10^n as an axis says it: "0.01", "1", "100", "10 k", "1 T".
std::string power_of_ten(int exponent, Unit unit) {
  std::string text = format_number(std::pow(10.0, exponent), unit);
  const std::size_t blank = text.find(' ');
  if (unit == Unit::kFlopsPerByte) return exponent >= 5 ? fmt::format("1e{}", exponent) : text.substr(0, blank);
  std::string prefix = text.substr(blank + 1);
  prefix.erase(prefix.find("FLOP"));
  return prefix.empty() ? text.substr(0, blank) : fmt::format("{} {}", text.substr(0, blank), prefix);
}

class Chart {
 public:
  Chart(Page& page, const Report& report, const Plot& plot)
      : page_(page),
        report_(report),
        plot_(plot),
        language_(page.options().language),
        names_(kernel_names(report)),
        canvas_(std::min(page.width(), kMostColumns) - kMargin - 1, rows_for(page.width()), page.options().unicode) {}

  void draw() {
    if (plot_.points.empty()) return write_unplaced();
    draw_roofs();
    place_ridges();
    place_kernels();
    label_roofs();
    write_grid();
    write_roof_legend();
    write_kernel_legend();
  }

 private:
  static int rows_for(int width) { return std::clamp(width / 5, kFewestRows, kMostRows); }
  [[nodiscard]] double x(double log) const { return (log - plot_.x_min) / (plot_.x_max - plot_.x_min); }
  [[nodiscard]] double y(double log) const { return (log - plot_.y_min) / (plot_.y_max - plot_.y_min); }
  [[nodiscard]] int column(double log) const { return canvas_.column_of(x(log)); }
  [[nodiscard]] int row(double log) const { return canvas_.row_of(y(log)); }

  static int dot_step(const PlotRoof& roof) { return roof.resource == "l2" ? 3 : roof.resource == "l1" ? 5 : 1; }

  void draw_roofs() {
    for (const PlotRoof& roof : plot_.roofs) {
      if (roof.x1 > roof.x0) canvas_.line(x(roof.x0), y(roof.y0), x(roof.x1), y(roof.y1), dot_step(roof), Ink::kDim);
    }
  }

  /// Where the DRAM roof meets each compute roof.
  void place_ridges() {
    const PlotRoof* dram = plot_.memory_roof("dram");
    if (!dram) return;
    for (const PlotRoof& roof : plot_.roofs) {
      const double at = std::log10(roof.rate / dram->rate);
      if (!roof.memory && at > plot_.x_min && at < plot_.x_max)
        canvas_.mark(column(at), row(roof.y0), U'◆', Ink::kBold);
    }
  }

  void place_kernels() {
    for (const PlotPoint& point : plot_.points) {
      const std::string mark = mark_of(point.kernel);
      const char32_t sign = mark.empty() ? U'*' : static_cast<char32_t>(mark[0]);
      const Ink ink = ink_of(report_.kernels[point.kernel].verdict);
      if (!canvas_.mark(column(point.x), row(point.y), sign, ink)) hidden_.push_back(point.kernel);
    }
  }

  /// Roofs that share a row share one text, and it stands on their line: beside a line it could be another's.
  void label_roofs() {
    label_memory_roofs();
    std::map<int, std::vector<const PlotRoof*>> by_row;
    for (const PlotRoof& roof : plot_.roofs) {
      if (!roof.memory) by_row[row(roof.y0)].push_back(&roof);
    }
    for (const auto& [at, roofs] : by_row) {
      const std::string text = roofs_text(roofs);
      const int first = column(roofs.front()->x0) + 1;
      if (write_on_line(at, first, text)) continue;
      // Beside the line it can be no other's where no other roof is near.
      const auto is_free = [&by_row](int one, int two) { return by_row.count(one) == 0 && by_row.count(two) == 0; };
      const int end = canvas_.columns() - display_width(text);
      if (is_free(at - 1, at - 2) && canvas_.text(end, at - 1, text, Ink::kPlain)) continue;
      if (is_free(at + 1, at + 2) && canvas_.text(end, at + 1, text, Ink::kPlain)) continue;
      write_key(at, first, text);
    }
  }

  void write_key(int at, int first, const std::string& text) {
    keyed_.push_back(text);
    if (!write_on_line(at, first, fmt::format("[{}]", keyed_.size()))) keyed_.pop_back();
  }

  /// As far to the right as no other text is in the way.
  bool write_on_line(int at, int first, const std::string& text) {
    for (int start = canvas_.columns() - display_width(text); start >= first; --start) {
      if (canvas_.text(start, at, text, Ink::kPlain)) return true;
    }
    return false;
  }

  /// "fp32 66.73 TFLOP/s"; of one rate "fp16, bf16 tensor (wgmma) 1.023 PFLOP/s".
  [[nodiscard]] std::string roofs_text(const std::vector<const PlotRoof*>& roofs) const {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < roofs.size(); ++i) {
      std::string name = roof_label(roofs[i]->resource, language_);
      const std::string rate = compute_rate_text(roofs[i]->resource, roofs[i]->rate);
      const bool shared = i + 1 < roofs.size() && rate == compute_rate_text(roofs[i + 1]->resource, roofs[i + 1]->rate);
      if (!shared) {
        parts.push_back(fmt::format("{} {}", name, rate));
        continue;
      }
      const std::string next = roof_label(roofs[i + 1]->resource, language_);
      const std::size_t blank = name.find(' '), other = next.find(' ');
      const bool same_unit =
          blank != std::string::npos && other != std::string::npos && name.substr(blank) == next.substr(other);
      parts.push_back(same_unit ? name.substr(0, blank) : std::move(name));
    }
    return joined(parts, language_);
  }

  /// At the upper end of its line each memory roof has its name.
  void label_memory_roofs() {
    for (const PlotRoof& roof : plot_.roofs) {
      if (!roof.memory || roof.x1 <= roof.x0) continue;
      const std::string text = resource_name(roof.resource, language_);
      const bool is_dram = roof.resource == "dram";
      const int end = column(roof.x1);
      const int start = is_dram ? end : end - display_width(text) + 1;
      for (const int at : {row(roof.y1) - 1, row(roof.y1) - 2}) {
        if (canvas_.text(start, at, text, Ink::kPlain)) break;
      }
    }
  }

  [[nodiscard]] std::map<int, std::string> y_ticks() const {
    std::map<int, std::string> ticks;
    for (int e = static_cast<int>(std::ceil(plot_.y_min)); e <= static_cast<int>(std::floor(plot_.y_max)); ++e) {
      ticks.emplace(row(e), power_of_ten(e, Unit::kFlopsPerSecond));
    }
    return ticks;
  }

  void write_grid() {
    page_.line(page_.label(plot_.has_integer_points() ? "performance_axis_integer" : "performance_axis"), Ink::kDim);
    const auto ticks = y_ticks();
    for (int r = 0; r < canvas_.rows(); ++r) {
      const auto tick = ticks.find(r);
      const bool has_tick = tick != ticks.end();
      const std::string axis =
          fmt::format("{:>{}} {}", has_tick ? tick->second : "", kMargin - 1, has_tick ? "┤" : "│");
      page_.finished_line(page_.ink(axis, Ink::kDim) + canvas_.row_text(r, page_));
    }
    write_x_axis();
  }

  void write_x_axis() {
    std::string axis = std::string(kMargin, ' ') + "└";
    std::string numbers(kMargin + 1, ' ');
    int at = 0;
    for (int e = static_cast<int>(std::ceil(plot_.x_min)); e <= static_cast<int>(std::floor(plot_.x_max)); ++e) {
      const int tick = column(e);
      for (; at < tick; ++at) axis += "─";
      axis += "┴";
      ++at;
      const std::string text = power_of_ten(e, Unit::kFlopsPerByte);
      const int start = kMargin + 1 + tick - static_cast<int>(text.size()) / 2;
      if (start < static_cast<int>(numbers.size()) || start + static_cast<int>(text.size()) > page_.width()) continue;
      numbers.resize(static_cast<std::size_t>(start), ' ');
      numbers += text;
    }
    for (; at < canvas_.columns(); ++at) axis += "─";
    page_.line(axis, Ink::kDim);
    page_.line(numbers, Ink::kDim);
    page_.paragraph(page_.label("intensity_axis"), kMargin + 1, Ink::kDim);
  }

  void write_roof_legend() {
    std::vector<std::string> parts;
    for (const PlotRoof& roof : plot_.roofs) {
      if (!roof.memory) continue;
      const char* sample = dot_step(roof) == 1 ? "━━" : dot_step(roof) == 3 ? "╍╍" : "┄┄";
      parts.push_back(fmt::format("{} {} {}", sample, resource_name(roof.resource, language_),
                                  format_number(roof.rate, Unit::kBytesPerSecond)));
    }
    if (!parts.empty()) page_.paragraph(fmt::format("{}", fmt::join(parts, "   ")), kMargin + 1, Ink::kDim);
    write_ridges();
    for (std::size_t i = 0; i < keyed_.size(); ++i) {
      page_.paragraph(fmt::format("[{}] {}", i + 1, keyed_[i]), kMargin + 1, Ink::kDim);
    }
  }

  /// "◆ ridge at fp32 13.87 FLOP/B, bf16 tensor (wgmma) 221.9 FLOP/B"
  void write_ridges() {
    const PlotRoof* dram = plot_.memory_roof("dram");
    std::vector<std::string> ridges;
    for (const PlotRoof& roof : plot_.roofs) {
      if (!dram || roof.memory) continue;
      ridges.push_back(fmt::format("{} {}", roof_label(roof.resource, language_),
                                   intensity_of(roof.resource, roof.rate / dram->rate)));
    }
    if (ridges.empty()) return;
    page_.paragraph(fmt::format("◆  {}{}{}", page_.label("ridge"), colon(language_), joined(ridges, language_)),
                    kMargin + 1, Ink::kDim);
  }

  [[nodiscard]] std::string legend_entry(const PlotPoint& point) const {
    const std::string mark = mark_of(point.kernel);
    std::string text =
        fmt::format("{} {}", mark.empty() ? "*" : mark, shorten(printable(names_[point.kernel]), kNameWidth));
    if (point.integer) text += in_brackets(page_.label("integer_work"), language_);
    if (point.level != "dram") text += in_brackets(resource_name(point.level, language_), language_);
    if (point.clamped) text += in_brackets(page_.label("beyond_scale"), language_);
    if (std::find(hidden_.begin(), hidden_.end(), point.kernel) != hidden_.end()) {
      text += in_brackets(page_.label("covered"), language_);
    }
    return text;
  }

  void write_kernel_legend() {
    std::string line;
    for (const PlotPoint& point : plot_.points) {
      const std::string entry = legend_entry(point);
      if (!line.empty() && kMargin + 1 + display_width(line) + 3 + display_width(entry) > page_.width()) {
        page_.line(std::string(kMargin + 1, ' ') + line);
        line.clear();
      }
      line += (line.empty() ? "" : "   ") + entry;
    }
    if (!line.empty()) page_.line(std::string(kMargin + 1, ' ') + line);
    write_unplaced();
  }

  void write_unplaced() {
    std::map<std::string, std::vector<std::string>> by_reason;
    for (const UnplacedKernel& each : plot_.unplaced) {
      const std::string reason = each.no_flops ? page_.label("no_flops") : reason_text(each.reason, language_);
      by_reason[reason].push_back(
          fmt::format("{} {}", mark_of(each.kernel), shorten(printable(names_[each.kernel]), kNameWidth)));
    }
    for (const auto& [reason, names] : by_reason) {
      page_.item(page_.label("not_placed") + std::string(colon(language_)),
                 joined(names, language_) + in_brackets(reason, language_), plot_.points.empty() ? 0 : kMargin + 1);
    }
  }

  Page& page_;
  const Report& report_;
  const Plot& plot_;
  Language language_;
  std::vector<std::string> names_;
  Canvas canvas_;
  std::vector<std::size_t> hidden_;
  std::vector<std::string> keyed_;
};

}  // namespace

void draw_roofline(Page& page, const Report& report, const Plot& plot) {
  if (plot.roofs.empty() && plot.points.empty()) page.paragraph(page.label("no_roofs"));
  Chart(page, report, plot).draw();
}

}  // namespace ridge::render
