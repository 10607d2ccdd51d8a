#include "cli/truth_rows.h"

#include <gtest/gtest.h>

#include <charconv>
#include <fstream>
#include <optional>
#include <sstream>

#include "emulator/device/emulated_device.h"
#include "lab/declare/bind.h"
#include "lab/declare/registry.h"
#include "lab/run/images.h"
#include "lab/run/runner.h"
#include "ridgepoint/machines/database.h"

namespace ridge::testing {
namespace {

constexpr std::string_view kMachine = "h200-sxm";

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
  return cells;
}

std::vector<TruthRow> read_rows() {
  std::ifstream file(std::string(RIDGE_SOURCE_DIR) + "/tests/data/h200/lab_truth.csv");
  std::vector<TruthRow> rows;
  std::string line;
  if (!std::getline(file, line)) return rows;
  const std::vector<std::string> titles = split(line);
  while (std::getline(file, line)) {
    const std::vector<std::string> cells = split(line);
    TruthRow row{cells.at(0), cells.at(1), {}};
    for (std::size_t i = 2; i < titles.size() && i < cells.size(); ++i) {
      double value = 0;
      const char* end = cells[i].data() + cells[i].size();
      if (std::from_chars(cells[i].data(), end, value).ec == std::errc()) row.counters[titles[i]] = value;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

Result<emulator::KernelRun> emulate(const TruthRow& row) {
  const lab::KernelDeclaration* kernel = lab::find_kernel(row.kernel);
  if (kernel == nullptr) return fail(usage_error("the lab has no " + row.kernel, "", "record the truth again"));
  const Machine* machine = Database::built_in().find(kMachine);
  if (machine == nullptr) return fail(not_available("no such machine", std::string(kMachine), "add it to data"));
  const auto sizes = lab::parse_sizes(row.sizes);
  if (!sizes) return fail(sizes.error());
  const auto bound = lab::bind_kernel(*kernel, *sizes, machine->sm_count);
  if (!bound) return fail(bound.error());
  emulator::KernelOptions options;
  options.workers = 1;
  // With no time at all to spend, one wave is run and the rest left out: a sample that no clock decides.
  options.extent = is_sampled(row) ? emulator::Extent::kAuto : emulator::Extent::kWhole;
  options.budget_s = 0;
  auto device = emulator::EmulatedDevice::open(*machine, options);
  if (!device) return fail(device.error());
  lab::Runner runner(**device, nullptr, lab::embedded_images(), {});
  RIDGE_TRY(runner.run_once(*bound));
  return (*device)->runs().back();
}

}  // namespace

double TruthRow::recorded(const std::string& counter) const {
  const auto found = counters.find(counter);
  if (found == counters.end()) ADD_FAILURE() << counter << " of " << name() << " was not recorded";
  return found == counters.end() ? 0 : found->second;
}

const std::vector<TruthRow>& truth_rows() {
  static const std::vector<TruthRow> rows = read_rows();
  return rows;
}

const Result<emulator::KernelRun>& emulated(std::size_t row) {
  static std::map<std::size_t, Result<emulator::KernelRun>> runs;
  const auto known = runs.find(row);
  if (known != runs.end()) return known->second;
  return runs.emplace(row, emulate(truth_rows().at(row))).first->second;
}

bool is_sampled(const TruthRow& row) {
  return row.name() == "gemm_naive n=4096" || row.name() == "gemm_tiled n=4096" || row.kernel == "gemm_mma_bf16" ||
         row.name() == "divergence n=4194304 paths=32 steps=64";
}

}  // namespace ridge::testing
