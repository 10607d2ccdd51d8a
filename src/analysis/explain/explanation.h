// Explanation: the paper roofline of one workload, with every step of its arithmetic, on one machine or many, and
// stopwatch results placed under it. Filled once by explain(), read by every renderer.
//
// This is what can be known without counters: work and traffic are formulas of the problem size, so a result above the
// memory roof is not an error but proof that the traffic formula does not describe the run, and is explained as such.
// Not modelled: latency, launch time, occupancy, and the caches beyond the question whether the data fits into L2.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/roofline/paper.h"
#include "model/workload/workload.h"
#include "ridgepoint/analysis/report.h"
#include "ridgepoint/base/result.h"
#include "ridgepoint/model/machine.h"
#include "ridgepoint/model/message.h"

namespace ridge {

/// One line of arithmetic: formula over operands, value. The label is "explain.step.<id>".
struct ExplainStep {
  std::string id;
  std::string formula;  ///< "flops / peak"; empty for a figure that is simply known
  std::vector<Argument> operands;
  Value<double> value;
  Unit unit = Unit::kNone;
};

/// A stopwatch result as it was given: exactly one of the three is present.
struct Stopwatch {
  std::string text;  ///< "0.477ms"
  std::optional<Seconds> time;
  std::optional<FlopsPerSecond> speed;
  std::optional<BytesPerSecond> bandwidth;
};

struct MeasuredPlacement {
  std::string text;
  PaperMeasurement measured;
  std::vector<ExplainStep> steps;
  Verdict verdict = Verdict::kUnknown;  ///< by the rule of measured kernels, from the paper's resources alone
  std::vector<Message> findings;        ///< "explain.above.*", then its causes "explain.cause.*", likeliest first
};

/// The workload on one machine. Values are missing where the machine has no such unit or figure.
struct MachinePlacement {
  std::string id, name;
  std::string note;  ///< of the machine: what was overridden
  ComputeKey key;
  std::string ceiling;       ///< the ceiling's own name, or that of the key when the machine has none
  std::string unit_message;  ///< "explain.unit.*": why this unit
  Value<FlopsPerSecond> peak;
  Value<BytesPerSecond> bandwidth;
  Value<FlopsPerByte> ridge;
  Value<Seconds> compute_time, data_time;
  Value<double> ratio;
  Value<FlopsPerSecond> attainable;
  Value<FlopsPerSecond> mix_peak;  ///< missing when the mix of instructions is not known
  Value<Bytes> l2_capacity;
  std::optional<bool> fits_l2;
  Verdict verdict = Verdict::kUnknown;  ///< the ridge rule
  Side side = Side::kUnknown;
  std::vector<ExplainStep> steps;
  std::vector<Message> notes;
  std::vector<MeasuredPlacement> measured;
};

/// How much faster one stopwatch result is than the one given before it.
struct SpeedUp {
  std::string from, to;
  double factor = 1;
};

struct Explanation {
  PaperWork work;
  Value<FlopsPerByte> intensity;
  Value<FlopsPerByte> best_intensity;  ///< of the variant that moves least
  std::vector<ExplainStep> steps;      ///< of the work, the same on every machine
  std::vector<Message> notes;
  std::vector<MachinePlacement> machines;
  std::vector<SpeedUp> speedups;
};

struct ExplainOptions {
  std::optional<ComputeUnit> unit;    ///< asked for by the user
  std::optional<ComputeKey> ceiling;  ///< a ceiling asked for by its name; wins over `unit`
  std::vector<Stopwatch> stopwatches;
};

/// With one machine, a unit or bandwidth that it does not have is a usage error that names those it has; with several
/// it leaves that machine's values missing.
[[nodiscard]] Result<Explanation> explain(const PaperWork& work, const std::vector<Machine>& machines,
                                          const ExplainOptions& options);

}  // namespace ridge
