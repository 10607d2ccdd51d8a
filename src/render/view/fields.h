// Every number of a kernel under its name in the JSON contract, with its unit: one list that JSON, CSV and the lists of
// missing values are written from, so that the formats cannot disagree.
#pragma once

#include <string>
#include <vector>

#include "ridgepoint/analysis/report.h"

namespace ridge::render {

struct Field {
  std::string path;    ///< "bytes.dram": dotted path inside the kernel object of the JSON contract
  std::string column;  ///< "dram_bytes": CSV column, which ends in its SI unit
  Unit unit = Unit::kNone;
  Value<double> value;  ///< not finite becomes missing
};

/// In a fixed order; the parts of the FLOP total ("flops.fp32", "flops.tensor_bf16") stand after "flops.total", so that
/// two kernels may differ there and nowhere else.
[[nodiscard]] std::vector<Field> kernel_fields(const ReportKernel& kernel);
/// Only those that is_principal() names.
[[nodiscard]] std::vector<Field> principal_fields(const ReportKernel& kernel);
[[nodiscard]] std::vector<Field> launch_fields(const ReportLaunch& launch);
/// What periodic samples say of one launch; paths begin with "sampled.".
[[nodiscard]] std::vector<Field> sampled_fields(const SampledWork& samples);

/// Paths whose absence a reader of the text, Markdown and HTML reports is told about; the rest is only in JSON and CSV.
[[nodiscard]] bool is_principal(std::string_view path);

/// NaN and infinities are no measurements.
[[nodiscard]] Value<double> finite_or_missing(const Value<double>& value);

}  // namespace ridge::render
