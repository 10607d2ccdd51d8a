#include "render/view/plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "render/view/operations.h"

namespace ridge::render {
namespace {

// An axis wider than this shows nothing but its outliers.
constexpr double kLeftOfRidge = 4.5, kRightOfRidge = 4, kBelowTop = 5;
constexpr double kLeastDecades = 3;
constexpr double kRoomForLabels = 0.14;  // above the top roof, of the height below it
constexpr std::size_t kMostComputeRoofs = 8;
constexpr double kUsedPart = 0.1;  // of the time of a kernel's busiest pipe, from where another is drawn as well

struct Intensity {
  const char* level;
  const Value<FlopsPerByte>* value;
};

std::array<Intensity, 3> intensities(const ReportKernel& kernel) {
  return {{{"dram", &kernel.intensity_dram}, {"l2", &kernel.intensity_l2}, {"l1", &kernel.intensity_l1}}};
}

bool drawable(double value) {
  return std::isfinite(value) && value > 0;
}

/// FLOP or integer operations of one kernel, whichever it is about.
struct Place {
  bool integer = false;
  Value<FlopsPerSecond> speed;
  std::array<Intensity, 3> at;
};

void place_at(Plot& plot, const ReportKernel& kernel, std::size_t index, const Place& place) {
  const double y = std::log10(place.speed->count());
  bool placed = false;
  for (const Intensity& each : place.at) {
    if (!*each.value || !drawable((*each.value)->count())) continue;
    (placed ? plot.level_points : plot.points)
        .push_back({index, each.level, std::log10((*each.value)->count()), y, place.integer});
    placed = true;
  }
  if (!placed) plot.unplaced.push_back({index, false, kernel.intensity_dram.reason()});
}

void place_kernel(Plot& plot, const ReportKernel& kernel, std::size_t index) {
  if (const std::optional<IntegerWork> work = integer_work(kernel); work && work->speed) {
    return place_at(plot, kernel, index,
                    {true, work->speed, {{{"dram", &work->dram}, {"l2", &work->l2}, {"l1", &work->l1}}}});
  }
  if (!kernel.flops_per_s || !drawable(kernel.flops_per_s->count())) {
    const bool zero = kernel.work.flops && kernel.work.flops->count() == 0;
    plot.unplaced.push_back({index, zero, kernel.flops_per_s.reason()});
    return;
  }
  place_at(plot, kernel, index, {false, kernel.flops_per_s, intensities(kernel)});
}

void add_memory_roofs(Plot& plot, const ReportMachine& machine) {
  for (const Level level : {Level::kDram, Level::kL2, Level::kL1}) {
    for (const auto& [which, rate] : machine.memory_roofs) {
      if (which != level || !drawable(rate->count())) continue;
      PlotRoof roof;
      roof.resource = name(level);
      roof.memory = true;
      roof.rate = rate->count();
      plot.roofs.push_back(roof);
    }
  }
}

/// The time of `kernel` that its work on `roof` stands for: all of it where no other of its pipes needs longer, the
/// fraction of the longest otherwise. So a few additions beside a matrix product do not count as its pipe's time.
double time_on(const ReportKernel& kernel, const ReportMachine& machine, std::string_view roof) {
  double longest = 0, own = 0;
  for (const ComputeWork& part : kernel.work.compute) {
    const Ceiling* ceiling = find_ceiling(machine.machine, part.key);
    const std::string held_against = ceiling ? name(ceiling->key) : name(part.key);
    if (!part.amount) continue;
    for (const ComputeRoof& drawn : machine.compute_roofs) {
      const std::string which = name(drawn.key);
      if (which != held_against && which != name(part.key)) continue;
      const double least = part.amount->count() / drawn.peak->count();
      longest = std::max(longest, least);
      if (which == roof) own = std::max(own, least);
    }
  }
  if (!(own > kUsedPart * longest)) return 0;
  const double time = kernel.duration ? kernel.duration->count() : 1;
  return time * own / longest;
}

void add_compute_roof(Plot& plot, const std::string& resource, FlopsPerSecond peak) {
  if (!drawable(peak.count())) return;
  PlotRoof roof;
  roof.resource = resource;
  roof.rate = peak.count();
  plot.roofs.push_back(roof);
}

struct UsedRoof {
  std::string resource;
  FlopsPerSecond peak;
  double time = 0;
};

/// Those that the placed kernels use, at most kMostComputeRoofs: where most time is spent first.
std::vector<UsedRoof> used_roofs(const Plot& plot, const Report& report, const ReportMachine& machine) {
  std::vector<UsedRoof> used;
  for (const ComputeRoof& roof : machine.compute_roofs) {
    const std::string resource = name(roof.key);
    double time = 0;
    for (const PlotPoint& point : plot.points) time += time_on(report.kernels[point.kernel], machine, resource);
    if (time > 0) used.push_back({resource, *roof.peak, time});
  }
  std::stable_sort(used.begin(), used.end(), [](const UsedRoof& a, const UsedRoof& b) { return a.time > b.time; });
  if (used.size() > kMostComputeRoofs) used.erase(used.begin() + kMostComputeRoofs, used.end());
  std::stable_sort(used.begin(), used.end(), [](const UsedRoof& a, const UsedRoof& b) { return b.peak < a.peak; });
  return used;
}

/// When none is known to be used, the fp32 roof serves for orientation.
void add_compute_roofs(Plot& plot, const Report& report, const ReportMachine& machine) {
  const std::size_t before = plot.roofs.size();
  for (const UsedRoof& roof : used_roofs(plot, report, machine)) add_compute_roof(plot, roof.resource, roof.peak);
  if (plot.roofs.size() > before) return;
  for (const ComputeRoof& roof : machine.compute_roofs) {
    if (roof.key == core(DataType::kFp32)) add_compute_roof(plot, name(roof.key), *roof.peak);
  }
}

struct Extent {
  double low = 1e9, high = -1e9;
  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  [[nodiscard]] bool empty() const { return low > high; }
};

/// Whole decades, at least kLeastDecades of them.
void widen(double& low, double& high) {
  low = std::floor(low);
  high = std::ceil(high);
  while (high - low < kLeastDecades) {
    high += 1;
    if (high - low < kLeastDecades) low -= 1;
  }
}

void set_x_range(Plot& plot) {
  const PlotRoof* dram = plot.memory_roof("dram");
  const PlotRoof* top = plot.top_compute();
  Extent x;
  for (const PlotPoint& point : plot.points) x.add(point.x);
  for (const PlotRoof& roof : plot.roofs) {
    if (!roof.memory && dram) x.add(std::log10(roof.rate / dram->rate));
  }
  if (x.empty()) x.add(0);
  plot.x_min = x.low - 0.2;
  plot.x_max = x.high + 0.4;
  if (dram && top) {
    const double ridge = std::log10(top->rate / dram->rate);
    plot.x_min = std::max(plot.x_min, ridge - kLeftOfRidge);
    plot.x_max = std::min(plot.x_max, ridge + kRightOfRidge);
  }
  widen(plot.x_min, plot.x_max);
}

void set_y_range(Plot& plot) {
  Extent y;
  for (const PlotPoint& point : plot.points) y.add(point.y);
  for (const PlotRoof& roof : plot.roofs) {
    if (!roof.memory) y.add(std::log10(roof.rate));
  }
  if (plot.top_compute() == nullptr) {
    for (const PlotRoof& roof : plot.roofs) y.add(plot.x_max + std::log10(roof.rate));
  }
  if (y.empty()) y.add(12);
  plot.y_min = std::max(std::floor(y.low - 0.15), std::floor(y.high - kBelowTop));
  plot.y_min = std::min(plot.y_min, std::floor(y.high - kLeastDecades + 1));
  plot.y_max = y.high + kRoomForLabels * (y.high - plot.y_min);
}

/// The part of y = x + log10(rate) inside the axes and under the top compute roof.
void lay_memory_roof(const Plot& plot, PlotRoof& roof) {
  const PlotRoof* top = plot.top_compute();
  const double offset = std::log10(roof.rate);
  const double ceiling = top ? std::min(std::log10(top->rate), plot.y_max) : plot.y_max;
  roof.x0 = std::max(plot.x_min, plot.y_min - offset);
  roof.x1 = std::min(plot.x_max, ceiling - offset);
  roof.y0 = roof.x0 + offset;
  roof.y1 = roof.x1 + offset;
}

void lay_compute_roof(const Plot& plot, PlotRoof& roof) {
  double fastest = 0;
  for (const PlotRoof& each : plot.roofs) {
    if (each.memory) fastest = std::max(fastest, each.rate);
  }
  roof.y0 = roof.y1 = std::log10(roof.rate);
  roof.x0 = fastest > 0 ? std::clamp(roof.y0 - std::log10(fastest), plot.x_min, plot.x_max) : plot.x_min;
  roof.x1 = plot.x_max;
}

void clamp_points(const Plot& plot, std::vector<PlotPoint>& points) {
  for (PlotPoint& point : points) {
    const double x = std::clamp(point.x, plot.x_min, plot.x_max);
    const double y = std::clamp(point.y, plot.y_min, plot.y_max);
    const auto way = [](double inside, double beyond) { return beyond > inside ? 1.0 : beyond < inside ? -1.0 : 0.0; };
    point.beyond_x = way(x, point.x);
    point.beyond_y = way(y, point.y);
    point.clamped = x != point.x || y != point.y;
    point.x = x;
    point.y = y;
  }
}

Plot make_plot(const Report& report, std::size_t machine, std::size_t kernels) {
  Plot plot;
  plot.machine = machine;
  for (std::size_t i = 0; i < report.kernels.size() && kernels > 0; ++i) {
    if (report.kernels[i].machine != machine) continue;
    place_kernel(plot, report.kernels[i], i);
    --kernels;
  }
  add_memory_roofs(plot, report.machines[machine]);
  add_compute_roofs(plot, report, report.machines[machine]);
  set_x_range(plot);
  set_y_range(plot);
  for (PlotRoof& roof : plot.roofs) {
    if (roof.memory) {
      lay_memory_roof(plot, roof);
    } else {
      lay_compute_roof(plot, roof);
    }
  }
  clamp_points(plot, plot.points);
  clamp_points(plot, plot.level_points);
  return plot;
}

}  // namespace

const PlotRoof* Plot::memory_roof(std::string_view resource) const {
  for (const PlotRoof& roof : roofs) {
    if (roof.memory && roof.resource == resource) return &roof;
  }
  return nullptr;
}

const PlotRoof* Plot::top_compute() const {
  const PlotRoof* top = nullptr;
  for (const PlotRoof& roof : roofs) {
    if (!roof.memory && (!top || roof.rate > top->rate)) top = &roof;
  }
  return top;
}

bool Plot::has_integer_points() const {
  return std::any_of(points.begin(), points.end(), [](const PlotPoint& point) { return point.integer; });
}

std::vector<Plot> make_plots(const Report& report, std::size_t kernels) {
  std::vector<Plot> plots;
  for (std::size_t i = 0; i < report.machines.size(); ++i) plots.push_back(make_plot(report, i, kernels));
  return plots;
}

}  // namespace ridge::render
