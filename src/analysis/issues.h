// What the data of a report lacks, said once per kind and not once per kernel.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/aggregate.h"
#include "analysis/kernel_report.h"
#include "analysis/uneven.h"
#include "ridgepoint/analysis/report.h"

namespace ridge {

class IssueCollector {
 public:
  explicit IssueCollector(const Profile& profile) : profile_(profile) {}

  void add(const ReportKernel& kernel, const Aggregate& sum, const GroupPlace& where);
  void add_uneven(const ReportKernel& kernel, const UnevenWork& work);
  void append_to(std::vector<Issue>& issues) const;

 private:
  void add_partial(const ReportKernel& kernel, const Aggregate& sum);
  void add_missing_work(const ReportKernel& kernel, const Aggregate& sum, bool live);
  void add_clocks(const ReportKernel& kernel, const Machine& machine, bool live);
  void add_dram(const ReportKernel& kernel, const Machine& machine);
  [[nodiscard]] bool reported(std::string_view id) const;

  struct Tally {
    double kernels = 0;
    std::string example;
  };
  void count(Tally& tally, const ReportKernel& kernel) const;
  /// Kernels that differ in one way, and the one with the most time.
  struct Uneven {
    double kernels = 0, seconds = -1;
    std::string kernel;
    UnevenWork work;
  };
  [[nodiscard]] static Issue issue_of(const Uneven& uneven, Severity severity, const char* id);

  const Profile& profile_;
  std::vector<Issue> single_;
  Tally no_flops_, tensor_unknown_, above_roof_;
  Tally live_no_flops_, live_tensor_unknown_, live_untimed_;  ///< of live recordings, whose remedies differ
  Uneven uneven_work_, uneven_caches_;
  std::map<std::string, Tally> no_dram_;  ///< by machine
  std::map<std::string, Issue> clocks_;   ///< by machine
};

}  // namespace ridge
