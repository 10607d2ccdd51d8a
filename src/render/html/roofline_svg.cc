#include "render/html/roofline_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "render/text/format.h"
#include "render/view/operations.h"
#include "render/view/view.h"

namespace ridge::render {
namespace {

constexpr double kWidth = 1100, kHeight = 520;
constexpr double kLeft = 64, kRight = 280, kTop = 22, kBottom = 50;  // the roofs' names stand right of the plot
constexpr double kNameGap = 31;                                      // between the names of two roofs, two lines each
constexpr double kLetterWidth = 7, kSmallLetterWidth = 6.3;
constexpr double kLetter = 13;  // half the side of the square kept free around a letter

struct Spot {
  double x = 0, y = 0;
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
    return fmt::format(
        "{} {}", roof_label(roof.resource, language_),
        roof.memory ? format_number(roof.rate, Unit::kBytesPerSecond) : compute_rate_text(roof.resource, roof.rate));
  }
  /// "16.5 FLOP/B, 5.986 TFLOP/s", in operations for integer work.
  static std::string numbers_text(const ReportKernel& kernel, const PlotPoint& each) {
    const auto pick = [&](const Value<FlopsPerByte>& dram, const Value<FlopsPerByte>& l2,
                          const Value<FlopsPerByte>& l1) {
      return format_value(each.level == "dram" ? dram : each.level == "l2" ? l2 : l1, Unit::kFlopsPerByte);
    };
    if (const auto work = integer_work(kernel)) {
      return fmt::format("{}, {}", as_operations(pick(work->dram, work->l2, work->l1)),
                         as_operations(format_value(work->speed, Unit::kFlopsPerSecond)));
    }
    return fmt::format("{}, {}", pick(kernel.intensity_dram, kernel.intensity_l2, kernel.intensity_l1),
                       format_value(kernel.flops_per_s, Unit::kFlopsPerSecond));
  }
  [[nodiscard]] std::string point_text(const PlotPoint& each) const {
    const ReportKernel& kernel = report_.kernels[each.kernel];
    std::string words = fmt::format("{} {}: {} {}", mark_of(each.kernel), printable(names_[each.kernel]),
                                    resource_name(each.level, language_), numbers_text(kernel, each));
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
    text(kLeft - 8, kTop - 8, "soft", "start",
         label(plot_.has_integer_points() ? "performance_axis_integer" : "performance_axis"));
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
                                  intensity_of(roof.resource, roof.rate / dram->rate))));
    }
    const double at = std::log10(top->rate / dram->rate);
    if (at <= plot_.x_min || at >= plot_.x_max) return;
    add("<line class=\"guide\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\"/>\n", x(at), y(top->y0) + 6,
        kHeight - kBottom);
    guide_label(x(at), fmt::format("{} {}: {}", label("ridge"), roof_label(top->resource, language_),
                                   intensity_of(top->resource, top->rate / dram->rate)));
  }

  /// At the foot of the dotted line, on the side that has room, as low as no point is in the way.
  void guide_label(double line_x, const std::string& words) {
    const double width = kSmallLetterWidth * display_width(words) + 6;
    const bool right = line_x + width < kWidth - kRight;
    const Box at{right ? line_x + 4 : line_x - width, 0, right ? line_x + width : line_x - 4, 0};
    double base = kHeight - kBottom - 8;
    const auto covers_point = [&](const PlotPoint& each) {
      return x(each.x) > at.left - 10 && x(each.x) < at.right + 10 && std::abs(y(each.y) - base + 4) < 16;
    };
    while (base > kHeight / 2 && (std::any_of(plot_.points.begin(), plot_.points.end(), covers_point) ||
                                  std::any_of(plot_.level_points.begin(), plot_.level_points.end(), covers_point))) {
      base -= 8;
    }
    text(right ? at.left : at.right, base, "tick halo", right ? "start" : "end", words);
    labels_.push_back({at.left, base - 10, at.right, base + 3});
  }

  /// Right of the plot, each joined to the end of its own line, so that no name stands on another's.
  void roof_labels() {
    std::vector<const PlotRoof*> compute;
    for (const PlotRoof& roof : plot_.roofs) {
      if (roof.memory) {
        memory_label(roof);
      } else {
        compute.push_back(&roof);
      }
    }
    std::sort(compute.begin(), compute.end(), [](const PlotRoof* a, const PlotRoof* b) { return a->rate > b->rate; });
    const std::vector<double> places = name_places(compute);
    for (std::size_t i = 0; i < compute.size(); ++i) compute_label(*compute[i], places[i]);
  }

  /// Heights for the names: at their lines, moved apart where lines are closer than names, all inside the picture.
  [[nodiscard]] std::vector<double> name_places(const std::vector<const PlotRoof*>& roofs) const {
    std::vector<double> places;
    for (const PlotRoof* roof : roofs) {
      const double wanted = std::max(y(roof->y0), kTop + 8);
      places.push_back(places.empty() ? wanted : std::max(wanted, places.back() + kNameGap));
    }
    double lowest = kHeight - kBottom - 8;
    for (auto place = places.rbegin(); place != places.rend(); ++place) {
      *place = std::min(*place, lowest);
      lowest = *place - kNameGap;
    }
    return places;
  }

  void compute_label(const PlotRoof& roof, double at) {
    const double line_end = kWidth - kRight, start = line_end + 26;
    add("<path class=\"leader\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}H{:.1f}\"/>\n", line_end, y(roof.y0), line_end + 16, at,
        start - 4);
    text(start, at + 4, "roofname", "start", roof_text(roof));
    const PlotRoof* dram = plot_.memory_roof("dram");
    if (!dram) return;
    text(start, at + 18, "tick", "start",
         fmt::format("{} {}", label("ridge"), intensity_of(roof.resource, roof.rate / dram->rate)));
  }

  /// Where a label could stand: its middle line from left to right, which rises with the roof it names.
  struct Run {
    Spot start;        ///< of the text's baseline, before its shift across the line
    double shift = 0;  ///< down, in the rotated system
    double room = 0;   ///< to the nearest thing in the way
    std::vector<Spot> middle;
  };

  /// Along its line, below or above it, where most room is.
  void memory_label(const PlotRoof& roof) {
    if (roof.x1 <= roof.x0) return;
    const std::string words = roof_text(roof);
    const double slope = std::atan2(y(roof.y1) - y(roof.y0), x(roof.x1) - x(roof.x0));
    Run best;
    best.room = -1e9;
    for (double along = 0.01; along < 0.96; along += 0.03) {
      for (const double shift : {16.0, -6.0}) {
        Run run = run_at(roof, along, shift, slope, kLetterWidth * display_width(words));
        run.room = room_around(run, roof);
        if (run.room > best.room) best = std::move(run);
      }
    }
    for (const Spot& spot : best.middle) label_spots_.push_back(spot);
    add("<text class=\"halo\" transform=\"translate({:.1f} {:.1f}) rotate({:.2f})\" y=\"{}\">{}</text>\n", best.start.x,
        best.start.y, slope * 180 / 3.14159265358979, best.shift, escape_html(words));
  }

  [[nodiscard]] Run run_at(const PlotRoof& roof, double along, double shift, double slope, double width) const {
    Run run;
    run.start = {x(roof.x0) + along * (x(roof.x1) - x(roof.x0)), y(roof.y0) + along * (y(roof.y1) - y(roof.y0))};
    run.shift = shift;
    const double across = shift - 4;  // from the baseline to the middle of the letters
    for (double at = 0; at <= width; at += 8) {
      run.middle.push_back({run.start.x + at * std::cos(slope) - across * std::sin(slope),
                            run.start.y + at * std::sin(slope) + across * std::cos(slope)});
    }
    return run;
  }

  /// Pixels between a label and the nearest point, line of another roof, label or edge, at most kEnough.
  [[nodiscard]] double room_around(const Run& run, const PlotRoof& own) const {
    constexpr double kEnough = 26;
    double room = kEnough;
    for (const Spot& spot : run.middle) {
      for (const auto* points : {&plot_.points, &plot_.level_points}) {
        for (const PlotPoint& each : *points) room = std::min(room, distance(spot, x(each.x), y(each.y)) - 6);
      }
      for (const Spot& other : label_spots_) room = std::min(room, distance(spot, other.x, other.y) - 6);
      for (const PlotRoof& roof : plot_.roofs) {
        if (&roof != &own) room = std::min(room, distance_to_line(spot, roof));
      }
      room = std::min({room, spot.x - kLeft, kWidth - kRight - spot.x, spot.y - kTop, kHeight - kBottom - spot.y});
    }
    return room;
  }
  static double distance(const Spot& spot, double px, double py) { return std::hypot(spot.x - px, spot.y - py); }
  [[nodiscard]] double distance_to_line(const Spot& spot, const PlotRoof& roof) const {
    const double ax = x(roof.x0), ay = y(roof.y0), bx = x(roof.x1), by = y(roof.y1);
    const double length = (bx - ax) * (bx - ax) + (by - ay) * (by - ay);
    if (length <= 0) return 1e9;
    const double t = std::clamp(((spot.x - ax) * (bx - ax) + (spot.y - ay) * (by - ay)) / length, 0.0, 1.0);
    return distance(spot, ax + t * (bx - ax), ay + t * (by - ay));
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

  /// A point beyond the axes: an arrow head at the edge that points to it.
  void arrow(const PlotPoint& each) {
    const double angle = std::atan2(-each.beyond_y, each.beyond_x) * 180 / 3.14159265358979;
    add("<g class=\"{}\"><path class=\"point\" transform=\"translate({:.1f} {:.1f}) rotate({:.0f})\" "
        "d=\"M9 0L-6 7V-7z\"><title>{}</title></path></g>\n",
        verdict_class(each.kernel), x(each.x), y(each.y), angle, escape_html(point_text(each)));
  }

  void point(const PlotPoint& each) {
    if (each.clamped) return arrow(each);
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
    const bool on_name =
        std::any_of(label_spots_.begin(), label_spots_.end(), [&](const Spot& s) { return near(s.x, s.y); });
    return !on_letter && !on_point && !on_label && !on_name;
  }

  const Report& report_;
  std::vector<std::string> names_;
  const Plot& plot_;
  std::size_t number_;
  Language language_;
  std::string out_;
  std::vector<Spot> letters_;
  std::vector<Box> labels_;
  std::vector<Spot> label_spots_;  ///< along the names of the memory roofs
};

std::string note(std::string_view what, const std::vector<std::string>& names, std::string_view why,
                 Language language) {
  const std::string reason = why.empty() ? std::string() : in_brackets(why, language);
  return fmt::format("<p class=\"soft note\">{}{}{}{}</p>\n", escape_html(what), colon(language),
                     escape_html(joined(names, language)), escape_html(reason));
}

}  // namespace

std::string roofline_notes(const Report& report, const Plot& plot, Language language) {
  const std::vector<std::string> names = kernel_names(report);
  const auto called = [&](std::size_t kernel) { return fmt::format("{} {}", mark_of(kernel), names[kernel]); };
  std::vector<std::string> beyond;
  for (const PlotPoint& each : plot.points) {
    if (each.clamped) beyond.push_back(called(each.kernel));
  }
  std::map<std::string, std::vector<std::string>> by_reason;
  for (const UnplacedKernel& each : plot.unplaced) {
    by_reason[each.no_flops ? text_of("label.no_flops", language) : reason_text(each.reason, language)].push_back(
        called(each.kernel));
  }
  std::string out;
  if (!beyond.empty()) out += note(text_of("label.arrows", language), beyond, "", language);
  for (const auto& [reason, kernels] : by_reason) {
    out += note(text_of("label.not_placed", language), kernels, reason, language);
  }
  return out;
}

std::string roofline_svg(const Report& report, const Plot& plot, std::size_t number, Language language) {
  return Drawing(report, plot, number, language).draw();
}

}  // namespace ridge::render
