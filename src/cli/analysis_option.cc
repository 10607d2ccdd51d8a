#include "cli/analysis_option.h"

namespace ridge::cli {

const Flag& roof_flag() {
  static const Flag flag = {"--roof",
                            "",
                            "BASIS",
                            "What the roofs are: the rates at the measured clock, the ceilings measured on this "
                            "machine, or the data sheet's.",
                            "measured",
                            {"measured", "ceilings", "datasheet"},
                            false};
  return flag;
}

AnalysisOptions analysis_options(const Arguments& arguments) {
  AnalysisOptions options;
  const std::string basis = arguments.value("--roof");
  if (basis == "ceilings") options.basis = RoofBasis::kCeilings;
  if (basis == "datasheet") options.basis = RoofBasis::kDatasheet;
  return options;
}

}  // namespace ridge::cli
