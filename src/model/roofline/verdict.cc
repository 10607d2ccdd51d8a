// The one rule that decides what bounds a kernel. docs/concepts/verdict.md tells it in words.
#include <algorithm>
#include <cmath>

#include "model/metric/flops.h"
#include "ridgepoint/model/roofline.h"

namespace ridge {
namespace {

/// Shared memory makes up at least this share of the L1 data stage's wavefronts: then the sentence says so.
constexpr double kMostlyShared = 0.5;

Argument text(const char* key, std::string value) {
  return {key, std::move(value), Unit::kNone};
}
Argument number(const char* key, double value, Unit unit) {
  return {key, value, unit};
}

/// The stall reason that held warps back most; issuing and waiting for a turn are no stalls.
const StallReason* main_stall(const Execution& execution) {
  const StallReason* most = nullptr;
  for (const StallReason& stall : execution.stalls) {
    if (stall.name == "selected" || stall.name == "not_selected") continue;
    if (most == nullptr || stall.warps_per_issue > most->warps_per_issue) most = &stall;
  }
  return most != nullptr && most->warps_per_issue > 0 ? most : nullptr;
}

class Judge {
 public:
  explicit Judge(const VerdictInput& input) : in_(input) { out_.side = input.placement.side; }

  VerdictResult take() {
    if (in_.times.empty()) {
      unknown("verdict.unknown-no-counters");
    } else if (!in_.duration || *in_.duration <= Seconds(0)) {
      judge_on_paper();
    } else {
      judge_measured();
    }
    return std::move(out_);
  }

 private:
  void unknown(const char* id) {
    out_.verdict = Verdict::kUnknown;
    out_.fraction = Value<double>::missing("no resource's work and rate are both known");
    out_.confidence = "low";
    out_.reason = Message(id);
  }

  /// With no time there is only the texts' rule: which side of the DRAM ridge.
  void judge_on_paper() {
    out_.fraction = Value<double>::missing(in_.duration.reason());
    out_.confidence = "medium";
    if (in_.placement.side == Side::kUnknown) return unknown("verdict.unknown-no-time");
    const bool left = in_.placement.side == Side::kLeft;
    out_.verdict = left ? Verdict::kMemoryBound : Verdict::kComputeBound;
    const ResourceTime* compute = largest_pipe();
    name_resource(left || compute == nullptr ? "dram" : compute->resource);
    std::vector<Argument> place = place_arguments();
    if (place.empty()) {
      out_.reason = Message("verdict.paper-no-dram");
    } else {
      out_.reason = Message(left ? "verdict.paper-memory" : "verdict.paper-compute", std::move(place));
    }
  }

  /// Intensity and ridge; empty where one is not known, as without any DRAM traffic.
  [[nodiscard]] std::vector<Argument> place_arguments() const {
    const Placement& placement = in_.placement;
    if (!placement.side_intensity || !placement.ridge) return {};
    return {number("intensity", placement.side_intensity->count(), Unit::kFlopsPerByte),
            number("ridge", placement.ridge->count(), Unit::kFlopsPerByte)};
  }

  void judge_measured() {
    const ResourceTime& binding = in_.times.front();
    name_resource(binding.resource);
    out_.fraction = Value<double>(binding.fraction, in_.duration.provenance());
    out_.confidence = confidence(binding);
    if (binding.fraction >= kBoundFraction) {
      out_.verdict = out_.level.empty() ? Verdict::kComputeBound : Verdict::kMemoryBound;
      out_.reason = out_.level.empty() ? compute_reason(binding) : memory_reason(binding);
    } else if (too_small()) {
      out_.verdict = Verdict::kOverheadBound;
      out_.reason = Message("verdict.overhead-small", {number("blocks", in_.blocks, Unit::kCount),
                                                       number("sms", in_.machine->sm_count, Unit::kCount)});
    } else if (mean_duration() < kShortLaunch) {
      out_.verdict = Verdict::kOverheadBound;
      out_.reason = Message("verdict.overhead-short", {number("duration", mean_duration().count(), Unit::kSeconds)});
    } else if (const std::string unheld = used_without_roof(); !unheld.empty()) {
      unknown_beside(unheld, binding);
    } else {
      out_.verdict = Verdict::kLatencyBound;
      out_.reason = latency_reason(binding);
    }
  }

  /// A resource that the kernel used and that is not among the times, because its work or its roof is not known:
  /// "dram", "tensor", or "". It could be the one that binds.
  [[nodiscard]] std::string used_without_roof() const {
    if (in_.work == nullptr) return "";
    const Value<Bytes>& dram = in_.work->bytes.dram;
    const bool held = in_.execution.dram_throughput || find_resource(in_.times, "dram") != nullptr;
    if (dram && *dram > Bytes(0) && !held) return "dram";
    return is_tensor_uncounted() ? "tensor" : "";
  }

  [[nodiscard]] bool is_tensor_uncounted() const {
    return !in_.work->flops && in_.work->flops.reason().text() == kTensorUncounted;
  }

  void unknown_beside(const std::string& unheld, const ResourceTime& nearest) {
    unknown(unheld == "tensor" ? "verdict.unknown-no-tensor-work" : "verdict.unknown-no-roof");
    out_.resource = out_.level = out_.pipe = "";
    out_.fraction = Value<double>::missing("a resource that was used has no roof to be held against");
    out_.reason.arguments = {text("resource", unheld), text("nearest", nearest.resource),
                             number("fraction", nearest.fraction, Unit::kRatio)};
  }

  void name_resource(const std::string& resource) {
    out_.resource = resource;
    out_.level = std::string(level_of_resource(resource));
    out_.pipe = out_.level.empty() ? resource : "";
  }

  [[nodiscard]] const ResourceTime* largest_pipe() const {
    for (const ResourceTime& entry : in_.times) {
      if (entry.amount_unit == Unit::kFlops) return &entry;
    }
    return nullptr;
  }

  [[nodiscard]] Seconds mean_duration() const { return *in_.duration / std::max(in_.launches, 1.0); }

  /// Fewer blocks than SMs leave SMs without any work.
  [[nodiscard]] bool too_small() const {
    return in_.blocks > 0 && in_.machine != nullptr && in_.blocks < in_.machine->sm_count;
  }

  [[nodiscard]] Message memory_reason(const ResourceTime& binding) const {
    std::vector<Argument> arguments{text("resource", binding.resource),
                                    number("fraction", binding.fraction, Unit::kRatio)};
    const ResourceTime* shared = find_resource(in_.times, "shared");
    const bool right = out_.side == Side::kRight && out_.level != "dram";
    if (binding.resource == "l1" && shared != nullptr && shared->least_time >= kMostlyShared * binding.least_time) {
      arguments.push_back(number("share", shared->least_time / binding.least_time, Unit::kRatio));
      return Message(right ? "verdict.shared-right" : "verdict.shared", std::move(arguments));
    }
    if (out_.level == "l2" && binding.amount_unit == Unit::kCount) {
      return Message("verdict.l2-requests", std::move(arguments));
    }
    const std::vector<Argument> place = place_arguments();
    if (!right || place.empty()) return Message("verdict.memory", std::move(arguments));
    arguments.insert(arguments.end(), place.begin(), place.end());
    return Message("verdict.memory-right", std::move(arguments));
  }

  [[nodiscard]] Message compute_reason(const ResourceTime& binding) const {
    std::vector<Argument> arguments{text("resource", out_.pipe), number("fraction", binding.fraction, Unit::kRatio)};
    if (binding.resource == "issue") return Message("verdict.issue", std::move(arguments));
    return Message(out_.side == Side::kLeft ? "verdict.compute-left" : "verdict.compute", std::move(arguments));
  }

  [[nodiscard]] Message latency_reason(const ResourceTime& nearest) const {
    std::vector<Argument> arguments{text("resource", nearest.resource),
                                    number("fraction", nearest.fraction, Unit::kRatio)};
    const StallReason* stall = main_stall(in_.execution);
    if (stall == nullptr) return Message("verdict.latency", std::move(arguments));
    arguments.push_back(text("stall", stall->name));
    return Message("verdict.latency-stall", std::move(arguments));
  }

  /// How many of the four kinds of evidence are there: DRAM traffic, L1 wavefronts, instructions, floating-point work.
  [[nodiscard]] int kinds_of_evidence() const {
    if (in_.work == nullptr) return 0;
    const Work& work = *in_.work;
    return int(work.bytes.dram.has_value()) + int(work.access.l1_wavefronts.has_value()) +
           int(work.instructions.warp_instructions.has_value()) + int(work.flops.has_value());
  }

  /// A resource that was not counted could be the one that binds, the likelier the less of the time is explained.
  [[nodiscard]] std::string confidence(const ResourceTime& binding) const {
    const int kinds = kinds_of_evidence();
    const bool explained = binding.fraction >= kBoundFraction;
    if (binding.estimated || kinds <= 1 || (!explained && kinds <= 2)) return explained && kinds > 1 ? "medium" : "low";
    const bool doubtful = std::abs(binding.fraction - kBoundFraction) < kDoubtfulMargin;
    return kinds == 4 && !doubtful && mean_duration() >= kShortLaunch ? "high" : "medium";
  }

  const VerdictInput& in_;
  VerdictResult out_;
};

}  // namespace

std::string_view name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kMemoryBound:
      return "memory-bound";
    case Verdict::kComputeBound:
      return "compute-bound";
    case Verdict::kLatencyBound:
      return "latency-bound";
    case Verdict::kOverheadBound:
      return "overhead-bound";
    case Verdict::kUnknown:
      return "unknown";
  }
  return "unknown";
}

VerdictResult judge(const VerdictInput& input) {
  return Judge(input).take();
}

}  // namespace ridge
