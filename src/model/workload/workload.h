// Workload: what a textbook problem needs at best, as formulas of its size: FLOP, bytes read and written, the bytes it
// touches. With a machine these give the paper roofline: no run, no counter, no GPU.
//
// Formulas are data (Expression texts over the parameters and `e`, the bytes of one element), so that every step can be
// shown as formula, numbers, result. A workload may have several variants of its traffic: the least possible (each
// array moved once), and others that move arrays more often (a naive matrix product that finds nothing in a cache).
// Not modelled: cache lines and sectors (arrays are counted to the byte, except where a variant says so), latency,
// launch time, integer and address arithmetic, comparisons unless a workload says that it counts them.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ridgepoint/base/result.h"
#include "ridgepoint/model/compute.h"
#include "ridgepoint/model/message.h"

namespace ridge {

/// A number or a word. `initial` is a formula of earlier parameters (numbers) or one of `choices` (words); empty means
/// that the user must give it. In formulas the choices "no" and "yes" are 0 and 1.
struct WorkloadParameter {
  std::string_view name;
  std::string_view initial;
  std::vector<std::string_view> choices;
  double min = 1;
  double max = 1e15;
  bool whole = true;
};

/// A name that later formulas use: conv2d's output height.
struct WorkloadDefinition {
  std::string_view name;
  std::string_view formula;
  double min = 1;  ///< below it the parameters contradict each other
};

/// What sizes must fulfil together: `not_negative`, a formula, must be 0 or more.
struct WorkloadRequirement {
  std::string_view not_negative;
  std::string_view what;
  std::string_view remedy;
};

/// One way to move the data. An empty read or write is that of the first variant, which is the least possible.
struct WorkloadVariant {
  std::string_view name;
  std::string_view read;
  std::string_view write;
  std::vector<std::pair<std::string_view, std::string_view>> defaults;  ///< parameters that start otherwise here
  std::string_view note;                                                ///< message id, or empty
  std::string_view working_set = {};  ///< where this variant touches more than the workload's own; or empty
};

struct WorkloadInfo {
  std::string_view id = {};
  std::vector<std::string_view> aliases = {};
  bool matrix = false;  ///< its arithmetic can run on tensor units
  std::vector<WorkloadParameter> parameters = {};
  std::vector<WorkloadDefinition> definitions = {};
  std::vector<WorkloadRequirement> requirements = {};
  std::string_view flops = {};
  /// Add, multiply and fused multiply-add instructions behind these FLOP, which decides the mix-aware roof; empty when
  /// the mix is not known.
  std::string_view instructions = {};
  std::string_view working_set = {};           ///< distinct bytes touched
  std::vector<WorkloadVariant> variants = {};  ///< never empty
  std::vector<std::string_view> notes = {};    ///< message ids: conventions, what is left out
};

/// Every workload, in the order of the manual.
[[nodiscard]] const std::vector<WorkloadInfo>& workloads();
/// By id or alias; '-' and '_' are the same. nullptr if there is none.
[[nodiscard]] const WorkloadInfo* find_workload(std::string_view id);

/// A formula with what stood for each of its names, and what came out.
struct Computation {
  std::string name;  ///< "flops", "read", "write", "p"
  std::string formula;
  std::vector<Argument> operands;
  double value = 0;
  Unit unit = Unit::kCount;
};

struct BoundParameter {
  std::string name;
  std::string word;  ///< of a choice; empty for a number
  double number = 0;
  bool given = false;
};

/// A workload of one size. `best_*` are those of the first variant, equal to read and write when that is the one
/// chosen.
struct PaperWork {
  std::string workload;  ///< "gemm", or "formula"
  std::string variant;   ///< empty when there is only one
  std::string best_variant;
  DataType type = DataType::kFp32;
  bool matrix = false;
  std::string function;  ///< of elementwise f=..., or empty
  bool split = true;     ///< false: `read` holds all the bytes, direction not known
  std::vector<BoundParameter> parameters;
  std::vector<Computation> definitions;
  Computation flops, read, write;
  Computation best_read, best_write;
  std::vector<Computation> working_set;   ///< one, or none when not known
  std::vector<Computation> instructions;  ///< one, or none when the mix is not known
  std::vector<Message> notes;

  [[nodiscard]] double bytes() const { return read.value + write.value; }
  [[nodiscard]] double best_bytes() const { return best_read.value + best_write.value; }
};

using GivenParameters = std::vector<std::pair<std::string, std::string>>;

/// Unknown, missing, repeated, non-numeric, fractional, zero, negative or ineffective parameters are usage errors that
/// name the parameter and what it may be.
[[nodiscard]] Result<PaperWork> bind_workload(const WorkloadInfo& info, const GivenParameters& given, DataType type);

/// Work from formulas on the command line. `bytes` is the total, or empty when `read` and `write` are given apart.
struct FreeFormulas {
  std::string flops;
  std::string bytes;
  std::string read;
  std::string write;
};
[[nodiscard]] Result<PaperWork> bind_formulas(const FreeFormulas& formulas, const GivenParameters& given,
                                              DataType type);

}  // namespace ridge
