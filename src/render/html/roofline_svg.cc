#include "render/html/roofline_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "render/text/format.h"
#include "render/view/view.h"

namespace ridge::render {
namespace {

constexpr double kWidth = 960, kHeight = 520;
constexpr double kLeft = 64, kRight = 30, kTop = 22, kBottom = 50;
constexpr double kLetter = 13;  // half the side of the square kept free around a letter

struct Spot {
  double x, y;
};

struct Box {
  double left, top, right, bottom;
};

class Drawing {
 public:
  Drawing(const Report& report, const Plot& plot, std::size_t number, Language language)
      : report_(report), names_(kernel_names(report)), plot_(plot), number_(number), language_(language) {}

  std::string draw() {
    open();
    grid();
    for (const PlotRoof& roof : plot_.roofs) line(roof);
    ridges();
    roof_labels();
    level_points();
    for (const PlotPoint& each : plot_.points) point(each);
    for (const PlotPoint& each : plot_.points) letter(each);
    return out_ + "</svg>\n";
  }

 private:
  [[nodiscard]] double x(double log) const {
    return kLeft + (log - plot_.x_min) / (plot_.x_max - plot_.x_min) * (kWidth - kLeft - kRight);
  }
  [[nodiscard]] double y(double log) const {
    return kHeight - kBottom - (log - plot_.y_min) / (plot_.y_max - plot_.y_min) * (kHeight - kTop - kBottom);
  }
  [[nodiscard]] std::string label(std::string_view id) const { return text_of(fmt::format("label.{}", id), language_); }
  template <class... A>
  void add(fmt::format_string<A...> format, A&&... arguments) {
    out_ += fmt::format(format, std::forward<A>(arguments)...);
  }
  void text(double at_x, double at_y, std::string_view css, std::string_view anchor, std::string_view words) {
    add("<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"{}\" text-anchor=\"{}\">{}</text>\n", at_x, at_y, css, anchor,
        escape_html(words));
  }

  void open() {
    const Machine& machine = report_.machines[plot_.machine].machine;
    add("<svg viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-labelledby=\"t{} d{}\">\n", kWidth, kHeight, number_,
        number_);
    add("<title id=\"t{}\">{}: {}</title>\n<desc id=\"d{}\">{}</desc>\n", number_, escape_html(label("chart")),
        escape_html(machine.name), number_, escape_html(description()));
  }

  /// The chart in words, for those who do not see it.
  [[nodiscard]] std::string description() const {
    std::vector<std::string> parts;
    for (const PlotRoof& roof : plot_.roofs) parts.push_back(roof_text(roof));
    for (const PlotPoint& each : plot_.points) parts.push_back(point_text(each));
    std::string words;
    for (const std::string& part : parts) words += (words.empty() ? "" : "; ") + part;
    return words;
  }
  [[nodiscard]] std::string roof_text(const PlotRoof& roof) const {
    return fmt::format("{} {}", roof_label(roof.resource, language_),
                       format_number(roof.rate, roof.memory ? Unit::kBytesPerSecond : Unit::kFlopsPerSecond));
  }
  [[nodiscard]] std::string point_text(const PlotPoint& each) const {
    const ReportKernel& kernel = report_.kernels[each.kernel];
    const Value<FlopsPerByte>& at = each.level == "dram" ? kernel.intensity_dram
                                    : each.level == "l2" ? kernel.intensity_l2
                                                         : kernel.intensity_l1;
    std::string words = fmt::format("{} {}: {} {}, {}", mark_of(each.kernel), printable(names_[each.kernel]),
                                    resource_name(each.level, language_), format_value(at, Unit::kFlopsPerByte),
                                    format_value(kernel.flops_per_s, Unit::kFlopsPerSecond));
    if (each.clamped) words += fmt::format(" ({})", label("beyond_scale"));
    return words;
  }

  void grid() {
    for (int e = static_cast<int>(std::ceil(plot_.x_min)); e <= plot_.x_max; ++e) {
      add("<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\"/>\n", x(e), kTop,
          kHeight - kBottom);
      const std::string number = format_number(std::pow(10.0, e), Unit::kFlopsPerByte);
      // From 1e5 on the number would carry a prefix of its unit, which the axis names once.
      const std::string tick = e >= 5 ? fmt::format("1e{}", e) : number.substr(0, number.rfind(' '));
      text(x(e), kHeight - kBottom + 18, "tick", "middle", tick);
    }
    for (int e = static_cast<int>(std::ceil(plot_.y_min)); e <= plot_.y_max; ++e) {
      add("<line class=\"grid\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>\n", kLeft, kWidth - kRight,
          y(e), y(e));
      std::string tick = format_number(std::pow(10.0, e), Unit::kFlopsPerSecond);
      tick.erase(tick.find("FLOP"));
      text(kLeft - 8, y(e) + 4, "tick", "end", tick);
    }
    add("<path class=\"axis\" fill=\"none\" d=\"M{0:.1f} {1:.1f}V{2:.1f}H{3:.1f}\"/>\n", kLeft, kTop, kHeight - kBottom,
        kWidth - kRight);
    text((kLeft + kWidth - kRight) / 2, kHeight - 10, "soft", "middle", label("intensity_axis"));
    text(kLeft - 8, kTop - 8, "soft", "start", label("performance_axis"));
  }

  void line(const PlotRoof& roof) {
    if (roof.x1 <= roof.x0) return;
    add("<path class=\"roof {}\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>\n", roof.memory ? roof.resource : "compute",
        x(roof.x0), y(roof.y0), x(roof.x1), y(roof.y1));
  }

  void ridges() {
    const PlotRoof* dram = plot_.memory_roof("dram");
    const PlotRoof* top = plot_.top_compute();
    if (!dram || !top) return;
    for (const PlotRoof& roof : plot_.roofs) {
      const double at = std::log10(roof.rate / dram->rate);
      if (roof.memory || at <= plot_.x_min || at >= plot_.x_max) continue;
      add("<path class=\"ridge\" d=\"M{:.1f} {:.1f}l5 5l-5 5l-5 -5z\"><title>{}</title></path>\n", x(at),
          y(roof.y0) - 5,
          escape_html(fmt::format("{} {}: {}", label("ridge"), roof_label(roof.resource, language_),
                                  format_number(roof.rate / dram->rate, Unit::kFlopsPerByte))));
    }
    const double at = std::log10(top->rate / dram->rate);
    if (at <= plot_.x_min || at >= plot_.x_max) return;
    add("<line class=\"guide\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\"/>\n", x(at), y(top->y0) + 6,
        kHeight - kBottom);
  }

  void roof_labels() {
    double last = -100;
    std::vector<const PlotRoof*> compute;
    for (const PlotRoof& roof : plot_.roofs) {
      if (roof.memory) {
        memory_label(roof);
      } else {
        compute.push_back(&roof);
      }
    }
    std::sort(compute.begin(), compute.end(), [](const PlotRoof* a, const PlotRoof* b) { return a->rate > b->rate; });
    for (const PlotRoof* roof : compute) {
      const double above = y(roof->y0) - 7, below = y(roof->y0) + 16;
      const double at = above - last > 15 ? above : below;
      const std::string words = compute_text(*roof);
      text(kWidth - kRight - 4, at, "halo", "end", words);
      labels_.push_back({kWidth - kRight - 4 - 7.0 * display_width(words), at - 12, kWidth - kRight, at + 3});
      last = at;
    }
  }

  /// "fp32 66.57 TFLOP/s, ridge 13.87 FLOP/B"
  [[nodiscard]] std::string compute_text(const PlotRoof& roof) const {
    const PlotRoof* dram = plot_.memory_roof("dram");
    if (!dram) return roof_text(roof);
    return fmt::format("{}, {} {}", roof_text(roof), label("ridge"),
                       format_number(roof.rate / dram->rate, Unit::kFlopsPerByte));
  }

  /// Along the line, where no point is in the way: DRAM's below its line, the others' above theirs.
  void memory_label(const PlotRoof& roof) {
    if (roof.x1 <= roof.x0) return;
    static constexpr std::array<double, 6> kPlaces = {0.12, 0.3, 0.5, 0.68, 0.84, 0.02};
    const bool below = roof.resource == "dram";
    const double slope = std::atan2(y(roof.y1) - y(roof.y0), x(roof.x1) - x(roof.x0)) * 180 / 3.14159265358979;
    const auto spot_at = [&](double along) {
      return Spot{x(roof.x0) + along * (x(roof.x1) - x(roof.x0)), y(roof.y0) + along * (y(roof.y1) - y(roof.y0))};
    };
    const auto* place = std::find_if(kPlaces.begin(), kPlaces.end(), [&](double along) {
      const Spot spot = spot_at(along);
      return !near_label(plot_.points, spot, below) && !near_label(plot_.level_points, spot, below);
    });
    const Spot at = spot_at(place == kPlaces.end() ? kPlaces[0] : *place);
    add("<text class=\"halo\" transform=\"translate({:.1f} {:.1f}) rotate({:.2f})\" y=\"{}\">{}</text>\n", at.x, at.y,
        slope, below ? 16 : -6, escape_html(roof_text(roof)));
  }

  /// Would a label that starts at `spot` and rises to the right touch a point?
  [[nodiscard]] bool near_label(const std::vector<PlotPoint>& points, const Spot& spot, bool below) const {
    const double lowest = below ? -40 : -20, highest = below ? 55 : 75;
    return std::any_of(points.begin(), points.end(), [&](const PlotPoint& each) {
      const double right = x(each.x) - spot.x, up = spot.y - y(each.y);
      return right > -14 && right < 110 && up > lowest && up < highest;
    });
  }

  [[nodiscard]] std::string_view verdict_class(std::size_t kernel) const {
    return name(report_.kernels[kernel].verdict);
  }
  [[nodiscard]] const PlotPoint* main_point(std::size_t kernel) const {
    for (const PlotPoint& each : plot_.points) {
      if (each.kernel == kernel) return &each;
    }
    return nullptr;
  }

  void level_points() {
    for (const PlotPoint& each : plot_.level_points) {
      const PlotPoint* main = main_point(each.kernel);
      if (!main) continue;
      add("<g class=\"{}\"><line class=\"link\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>",
          verdict_class(each.kernel), x(main->x), x(each.x), y(main->y), y(each.y));
      add("<circle class=\"level\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\"><title>{}</title></circle></g>\n", x(each.x),
          y(each.y), escape_html(point_text(each)));
    }
  }

  void point(const PlotPoint& each) {
    add("<g class=\"{}\"><circle class=\"point\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"6\"><title>{}</title></circle></g>\n",
        verdict_class(each.kernel), x(each.x), y(each.y), escape_html(point_text(each)));
  }

  /// Beside its point, where no other letter and no other point is, as far as that can be had.
  void letter(const PlotPoint& each) {
    const std::string mark = mark_of(each.kernel);
    if (mark.empty()) return;
    static constexpr std::array<std::array<double, 2>, 8> kOffsets = {
        {{0, -15}, {0, 16}, {15, 0}, {-15, 0}, {12, -12}, {-12, -12}, {12, 12}, {-12, 12}}};
    Spot best{x(each.x), y(each.y) - 15};
    for (const auto& [dx, dy] : kOffsets) {
      const Spot spot{x(each.x) + dx, y(each.y) + dy};
      if (is_free(spot, each)) {
        best = spot;
        break;
      }
    }
    letters_.push_back(best);
    add("<g class=\"{}\"><text class=\"letter\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text></g>\n",
        verdict_class(each.kernel), best.x, best.y + 4.5, mark);
  }

  [[nodiscard]] bool is_free(const Spot& spot, const PlotPoint& own) const {
    if (spot.y < kTop || spot.y > kHeight - kBottom) return false;
    const auto near = [&](double px, double py) {
      return std::abs(px - spot.x) < kLetter && std::abs(py - spot.y) < kLetter;
    };
    const bool on_label = std::any_of(labels_.begin(), labels_.end(), [&](const Box& box) {
      return spot.x > box.left - 6 && spot.x < box.right + 6 && spot.y > box.top - 6 && spot.y < box.bottom + 6;
    });
    const bool on_letter = std::any_of(letters_.begin(), letters_.end(), [&](const Spot& s) { return near(s.x, s.y); });
    const bool on_point = std::any_of(plot_.points.begin(), plot_.points.end(), [&](const PlotPoint& p) {
      return p.kernel != own.kernel && near(x(p.x), y(p.y));
    });
    return !on_letter && !on_point && !on_label;
  }

  const Report& report_;
  std::vector<std::string> names_;
  const Plot& plot_;
  std::size_t number_;
  Language language_;
  std::string out_;
  std::vector<Spot> letters_;
  std::vector<Box> labels_;
};

}  // namespace

std::string roofline_svg(const Report& report, const Plot& plot, std::size_t number, Language language) {
  return Drawing(report, plot, number, language).draw();
}

}  // namespace ridge::render
