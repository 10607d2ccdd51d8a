// What `ridge lab` shows: ladders of kernels step by step, measured or on paper, and the list of what there is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "render/machines/document.h"
#include "ridgepoint/analysis/report.h"

namespace ridge::render {

inline constexpr std::string_view kLabSchema = "ridge.lab/1";

struct LabCheck {
  bool done = false, passed = false;
  std::string not_done;  ///< why not, where there is a reason: only a sample was run
  double error = 0, tolerance = 0;
  std::size_t compared = 0, elements = 0;
  std::string fault;
};

struct LabStep {
  std::string id;     ///< "gemm_tiled"; of the vendor's routine its name and version
  std::string label;  ///< in tables: the id, and the size where that is what is being taught
  std::string sizes;
  bool vendor = false;
  std::string lesson;   ///< in the reader's language, like `next`
  std::string next;     ///< what the following step changes; empty for the last
  std::string skipped;  ///< why there are no numbers; empty if there are
  LabCheck check;
  Value<Seconds> time, least,
      most;  ///< median and extremes of the samples; on paper the least time, emulated the predicted one
  int samples = 0, launches_per_sample = 0, copies = 0;
  bool l2_resident = false, from_ptx = false;
  double emulated_fraction = 1;  ///< of the blocks, that were run; the rest is scaled up
  Value<double> registers;
  Value<Flops> flops;
  Value<Bytes> dram;
  Value<FlopsPerSecond> speed;
  Value<BytesPerSecond> dram_rate;
  Value<FlopsPerByte> intensity;
  std::vector<ResourceTime> times;  ///< largest first
  std::string resource;             ///< the one that binds or is nearest
  Value<double> fraction;           ///< of the measured time that it explains
  Verdict verdict = Verdict::kUnknown;
  Side side = Side::kUnknown;
  Value<double> speedup;    ///< against the step before
  Value<double> of_vendor;  ///< the vendor's time / this time
  Value<Hertz> clock;
  Value<double> watts, celsius;
};

/// Why a tiled matrix product is hardly faster than a naive one, in numbers of both.
struct LabGemmStory {
  std::string slower, faster;
  double slower_load_requests = 0, faster_load_requests = 0;
  double slower_wavefronts = 0, faster_wavefronts = 0, faster_shared_wavefronts = 0;
  Bytes l2, dram;  ///< of each of the two
  Bytes operands;
  Value<Bytes> l2_capacity;
  Value<Bytes> dram_outgrown;  ///< modelled; missing while the operands fit into L2
  Value<Seconds> dram_time;    ///< of dram or dram_outgrown
  Value<Seconds> l1_time;      ///< least time of the slower one on the data path of L1
  Value<Seconds> slower_time, faster_time;
  Value<double> slower_busy, faster_busy;  ///< share of the time that the data path is busy
};

struct LabGroup {
  std::string ladder, sizes;
  std::vector<LabStep> steps;
  std::vector<LabGemmStory> stories;  ///< none or one
};

struct LabView {
  bool paper = false;
  bool emulated = false;  ///< times are predicted, work is counted
  bool timed = true;      ///< false: only checked
  std::string machine, machine_id;
  std::string driver;
  std::uint64_t seed = 0;
  std::vector<LabGroup> groups;
  std::vector<std::string> notes;
};

struct LabListEntry {
  std::string id, ladder, lesson, parameters, flops, needs;
};

[[nodiscard]] Document lab_document(const LabView& view, Language language);
/// Schema "ridge.lab/1" (docs/reference/lab-json.md), SI base units.
[[nodiscard]] std::string lab_json(const LabView& view);
/// One row a step, SI base units.
[[nodiscard]] std::string lab_csv(const LabView& view);

[[nodiscard]] Document lab_list(const std::vector<LabListEntry>& entries, Language language);
[[nodiscard]] std::string lab_list_json(const std::vector<LabListEntry>& entries);
[[nodiscard]] std::string lab_list_csv(const std::vector<LabListEntry>& entries);

/// The roofline of the report under the document: drawn in characters, as a picture, or (Markdown) left out.
[[nodiscard]] std::string lab_page(std::string_view format, const LabView& view, const Report& report,
                                   const TextOptions& options);

}  // namespace ridge::render
