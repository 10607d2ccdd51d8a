// From runs, or from nothing but declarations and a machine, to what the renderers show.
#pragma once

#include "cli/lab/measure.h"
#include "render/lab/lab_view.h"
#include "ridgepoint/analysis/report.h"
#include "ridgepoint/machines/database.h"

namespace ridge::cli {

struct LabPage {
  render::LabView view;
  Profile profile;
  Report report;  ///< for the chart
};

/// Runs analysed like any recording: the machine comes from the database by the device's own attributes.
[[nodiscard]] LabPage measured_page(const LabMeasurement& measurement, const device::Identity& gpu,
                                    const lab::RunOptions& options, const Database& database, const std::string& taken,
                                    render::Language language);

/// Runs that were emulated, on the machine that was emulated.
[[nodiscard]] LabPage emulated_page(const LabMeasurement& measurement, const Machine& machine,
                                    const lab::RunOptions& options, const std::string& taken,
                                    render::Language language);

/// Least times of declared work on `machine`.
[[nodiscard]] Result<LabPage> paper_page(const std::vector<LabPlanGroup>& plan, const Machine& machine,
                                         render::Language language);

[[nodiscard]] std::vector<render::LabListEntry> lab_entries(render::Language language);

}  // namespace ridge::cli
