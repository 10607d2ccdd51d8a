// The geometry of a roofline in log10 space, for whatever draws it: axis ranges, roofs as segments, kernels as points.
//
// One plot a machine. Roofs: DRAM, L2 and L1 where their rate is known, and the compute roofs that bind most of the
// kernels' time. A kernel stands at its DRAM intensity; at the first known of L2 and L1 where DRAM is not known; one
// with integer work for tensor units at its operations instead of FLOP. A point far off the others is drawn at the edge
// and marked so. Not drawn: each kernel's own mix-aware roof (it is in the tables), shared memory, links.
#pragma once

#include <string>
#include <vector>

#include "ridgepoint/analysis/report.h"

namespace ridge::render {

struct PlotRoof {
  std::string resource;  ///< "dram", "l2", "l1", or a ceiling name
  bool memory = false;
  double rate = 0;                        ///< bytes/s or FLOP/s
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0;  ///< log10
};

struct PlotPoint {
  std::size_t kernel = 0;             ///< index into Report::kernels
  std::string level;                  ///< whose intensity x is
  double x = 0, y = 0;                ///< log10, inside the axes
  bool integer = false;               ///< x and y are of integer operations
  bool clamped = false;               ///< drawn at the edge; its true place is beyond
  double beyond_x = 0, beyond_y = 0;  ///< which way it lies beyond: -1, 0 or 1
};

struct UnplacedKernel {
  std::size_t kernel = 0;
  bool no_flops = false;  ///< it does no floating-point work; else `reason` says what is missing
  Reason reason;
};

struct Plot {
  std::size_t machine = 0;
  double x_min = 0, x_max = 0, y_min = 0, y_max = 0;  ///< log10
  std::vector<PlotRoof> roofs;                        ///< memory roofs first, DRAM first of all
  std::vector<PlotPoint> points;                      ///< one a placed kernel
  std::vector<PlotPoint> level_points;                ///< the same kernels at their L2 and L1 intensities
  std::vector<UnplacedKernel> unplaced;
  [[nodiscard]] const PlotRoof* memory_roof(std::string_view resource) const;
  [[nodiscard]] const PlotRoof* top_compute() const;
  [[nodiscard]] bool has_integer_points() const;
};

/// At most `kernels` kernels of each machine take part.
[[nodiscard]] std::vector<Plot> make_plots(const Report& report, std::size_t kernels);

}  // namespace ridge::render
