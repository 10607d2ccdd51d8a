// What the reports for people (terminal, Markdown, HTML) have in common: which facts stand where, in which words. They
// differ only in how they draw it.
#pragma once

#include <string>
#include <vector>

#include "render/table.h"
#include "render/text/messages.h"
#include "ridgepoint/analysis/report.h"

namespace ridge::render {

/// "A".."Z", "a".."z", then "27th kernel and later" have none: the letter of a kernel on the chart and in the table.
[[nodiscard]] std::string mark_of(std::size_t kernel);

/// A short name of each kernel that tells it from the others: "gemm_tiled", where two share it with their template
/// arguments ("transpose<0>"), where that is not enough with the grid ("gemm_tiled [32x32]"), the same kernel on
/// several GPUs with the GPU ("dot GPU 1"), and that of
/// several files with the file's number ("dot #2").
[[nodiscard]] std::vector<std::string> kernel_names(const Report& report);
/// The same without the file's number.
[[nodiscard]] std::vector<std::string> kernel_names_of_any_file(const Report& report);
/// "f<(int)32>" -> "f<32>": profilers write template arguments with or without casts.
[[nodiscard]] std::string without_casts(std::string_view name);
/// The demangled name. A profiler that cuts a return type at its first blank leaves "unnamed>::f(int)" of "void
/// <unnamed>::f(int)"; the bracket is put back.
[[nodiscard]] std::string full_name_of(const ReportKernel& kernel);
/// "#2 lab.ncu-rep": the file's number and as much of its path as tells it from the others.
[[nodiscard]] std::vector<std::string> file_labels(const Report& report);

/// "memory L1", "compute bf16 tensor cores (wgmma)".
[[nodiscard]] std::string bound_cell(const ReportKernel& kernel, Language language);
/// "memory-bound by L1, 85.3 % of its roof, left of the ridge, high confidence".
[[nodiscard]] std::string verdict_line(const ReportKernel& kernel, Language language);
/// "128x128", "256", "2x2x4".
[[nodiscard]] std::string dim_text(const std::optional<Dim3>& dim);
/// "grid 128x128, block 32x32, 32 registers per thread, ..."
[[nodiscard]] std::string configuration_line(const ReportKernel& kernel, Language language);

/// A roof as a person calls it: "DRAM", "fp32", "bf16 tensor (wgmma)", "fp8 tensor (tcgen05, sparse)".
[[nodiscard]] std::string roof_label(std::string_view roof, Language language);
/// ": " and " (text)", or the Chinese signs.
[[nodiscard]] std::string_view colon(Language language);
[[nodiscard]] std::string in_brackets(std::string_view text, Language language);
/// ", " or the Chinese comma between the parts that are not empty.
[[nodiscard]] std::string joined(const std::vector<std::string>& parts, Language language);

enum class KernelColumn : unsigned char {
  kMark,
  kName,
  kLaunches,
  kTime,
  kShare,
  kBound,
  kFraction,
  kIntensity,
  kSpeed,
  kDramRate,
  kOccupancy,
};
/// The first `rows` kernels. `narrow` leaves out blanks between numbers and per-cent signs.
[[nodiscard]] Table kernel_table(const Report& report, const std::vector<KernelColumn>& columns, std::size_t rows,
                                 Language language, bool narrow);
[[nodiscard]] const std::vector<KernelColumn>& all_kernel_columns();

/// A name and its value on one line of a kernel's details or of a machine.
struct Fact {
  std::string name, text;
};
/// Work, speed, intensity, occupancy, times of the launches.
[[nodiscard]] std::vector<Fact> kernel_facts(const ReportKernel& kernel, Language language);
/// "Hopper, 132 SMs, 1.97 GHz" and the roofs with their ridge.
[[nodiscard]] std::vector<Fact> machine_facts(const ReportMachine& machine, Language language);
/// "lab.ncu-rep (ncu-rep, taken ..., 2025.3)"; with several sources each has its number, "#2 lab.ncu-rep".
[[nodiscard]] std::vector<std::string> source_lines(const Report& report, Language language);
/// Which numbers are measured, counted, modelled: "time, bytes, occupancy measured; FLOP counted".
[[nodiscard]] std::string evidence_line(const Report& report, Language language);
/// What kernels are called in sentences: kernel_names by id.
[[nodiscard]] KernelNames names_by_id(const Report& report);
/// Totals and verdict, and what to start with.
[[nodiscard]] std::string summary_line(const Report& report, Language language);

/// The resource's share of the measured time; "≥ " where the work is only known from below.
[[nodiscard]] std::string fraction_text(const ResourceTime& time);
/// Least time of each resource with its share of the measured time; empty when the analysis found none.
[[nodiscard]] Table resource_table(const ReportKernel& kernel, Language language);

struct FindingText {
  std::string title, advice;
  std::string saving;  ///< "7.4 ms (1.48x)", or empty when not known
  FindingSeverity severity = FindingSeverity::kInfo;
};
[[nodiscard]] std::vector<FindingText> finding_texts(const ReportKernel& kernel, Language language);

struct TopFinding {
  std::size_t kernel = 0;
  std::size_t finding = 0;
};
/// The first of the summary's findings.
[[nodiscard]] std::vector<TopFinding> top_findings(const Report& report, std::size_t most);

/// Principal values that are missing, those with the same reason together: {"FLOP, FLOP/s", "the counters ..."}.
struct MissingGroup {
  std::string fields, reason;
  std::size_t kernels = 1;  ///< how many kernels lack exactly these for this reason
};
[[nodiscard]] std::vector<MissingGroup> missing_of(const ReportKernel& kernel, Language language);
[[nodiscard]] std::vector<MissingGroup> missing_of(const Report& report, Language language);

struct IssueText {
  Severity severity = Severity::kInfo;
  std::string text, remedy;
  std::string command;  ///< what `remedy` ends with, to be copied; empty if it names none
  std::size_t times = 1;
};
/// Worst first; equal ones once, with how often.
[[nodiscard]] std::vector<IssueText> issue_texts(const Report& report, Language language);

/// Kernels that several sources have with the same configuration: a row for each source, with the ratio of its time to
/// that of the first. No rows when there is nothing to compare.
[[nodiscard]] Table side_by_side(const Report& report, Language language);
/// What the numbers of side_by_side() are, and the kernels that only one of several sources has.
[[nodiscard]] std::vector<std::string> side_by_side_notes(const Report& report, Language language);

/// Two kernels, marked and named as the table has them (by its id if there is no such kernel), and why they differ.
struct ComparisonText {
  std::string slower, faster;
  std::string text;
};
[[nodiscard]] std::vector<ComparisonText> comparison_texts(const Report& report, Language language);

}  // namespace ridge::render
