#include "model/profile/represent.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "model/metric/flops.h"
#include "model/metric/nvidia.h"

namespace ridge {
namespace {

constexpr double kFfma = 1000, kReadBytes = 4096, kTensorOps = 500000;

/// What the base recipe counts of a kernel on the ordinary cores, and its tensor pipe's activity in per cent.
std::map<std::string, double> base_counters(double tensor_activity) {
  std::map<std::string, double> counters = {
      {"gpu__time_duration.sum", 5e-6},
      {"dram__bytes_read.sum", kReadBytes},
      {"dram__bytes_write.sum", 1024},
      {"smsp__cycles_elapsed.avg.per_second", 1.9e9},
      {"sm__pipe_tensor_type_hmma_hgmma_qgmma_imma_igmma_bmma_bgmma_cycles_active.avg.pct_of_peak_sustained_elapsed",
       tensor_activity}};
  for (const char type : {'d', 'f', 'h'}) {
    for (const std::string op : {"add", "mul", "fma"}) {
      counters["smsp__sass_thread_inst_executed_op_" + (type + op) + "_pred_on.sum"] = 0;
    }
  }
  counters["smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"] = kFfma;
  return counters;
}

std::map<std::string, double> tensor_counters() {
  return {{"gpu__time_duration.sum", 5.5e-6},
          {"sm__ops_path_tensor_op_hgmma_src_bf16_dst_fp32_sparsity_off.sum", kTensorOps}};
}

class MapReader final : public CounterReader {
 public:
  explicit MapReader(const std::map<std::string, double>& counters) : counters_(counters) {}
  [[nodiscard]] Value<double> get(std::string_view name) const override {
    const auto found = counters_.find(std::string(name));
    return found == counters_.end() ? Value<double>() : Value<double>(found->second, Provenance::kMeasured);
  }

 private:
  const std::map<std::string, double>& counters_;
};

/// A live recording of one Hopper GPU, one kernel and one shape.
Profile recording() {
  Profile profile;
  profile.sources.push_back({"live", "", "", ""});
  profile.devices.resize(1);
  profile.devices[0].attributes.compute_capability_major = {9, Provenance::kReported};
  profile.devices[0].attributes.compute_capability_minor = {0, Provenance::kReported};
  profile.kernels.push_back({"gemm", "gemm()", ""});
  profile.configurations.resize(1);
  profile.configurations[0].grid = Dim3{128, 1, 1};
  profile.configurations[0].block = Dim3{256, 1, 1};
  profile.configurations[0].registers_per_thread = {64, Provenance::kMeasured};
  profile.recordings.resize(1);
  return profile;
}

Launch& add_launch(Profile& profile, double start, double duration) {
  Launch& launch = profile.launches.emplace_back();
  launch.source_id = profile.launches.size();
  launch.start = {Seconds(start), Provenance::kMeasured};
  launch.duration = {Seconds(duration), Provenance::kMeasured};
  return launch;
}

std::uint32_t metric(Profile& profile, const std::string& name) {
  for (std::uint32_t i = 0; i < profile.metrics.size(); ++i) {
    if (profile.metrics[i].name == name) return i;
  }
  profile.metrics.push_back({name, ""});
  return static_cast<std::uint32_t>(profile.metrics.size() - 1);
}

/// A replayed launch, as a live recording has it: counters, and no times.
std::size_t add_measured(Profile& profile, const std::map<std::string, double>& counters) {
  LaunchFacts facts;
  facts.capability_major = 9;
  facts.configuration = profile.configurations[0];
  Measurement measurement = measurement_from_nvidia(MapReader(counters), facts);
  for (const auto& [name, value] : counters) measurement.raw.push_back({metric(profile, name), value});
  std::sort(measurement.raw.begin(), measurement.raw.end(),
            [](const RawMetric& a, const RawMetric& b) { return a.metric < b.metric; });
  Launch& launch = add_launch(profile, 0, 0);
  launch.duration = Value<Seconds>::missing("replayed");
  launch.measurement = static_cast<std::uint32_t>(profile.measurements.size());
  profile.measurements.push_back(std::move(measurement));
  return profile.launches.size() - 1;
}

const Measurement& of(const Profile& profile, std::size_t launch) {
  return *measurement_of(profile, profile.launches.at(launch));
}

TEST(RepresentTest, GivesALaunchTheCountersOfAnotherOfItsShape) {
  Profile profile = recording();
  const std::size_t own = add_measured(profile, base_counters(0));
  add_launch(profile, 1, 7e-6);
  add_launch(profile, 2, 8e-6);
  represent(profile);
  const Measurement& other = of(profile, 1);
  EXPECT_EQ(&other, &of(profile, 2)) << "launches share a representative";
  EXPECT_EQ(other.work.bytes.dram_read, Value<Bytes>(Bytes(kReadBytes), Provenance::kSampled));
  EXPECT_EQ(other.work.flops, Value<Flops>(Flops(2 * kFfma), Provenance::kSampled));
  EXPECT_EQ(other.work.compute.at(0).amount.provenance(), Provenance::kSampled);
  EXPECT_TRUE(is_representative(other));
  EXPECT_EQ(of(profile, own).work.bytes.dram_read, Value<Bytes>(Bytes(kReadBytes), Provenance::kMeasured));
  EXPECT_FALSE(is_representative(of(profile, own)));
  EXPECT_EQ(profile.launches[1].duration, Value<Seconds>(Seconds(7e-6), Provenance::kMeasured)) << "its own";
  EXPECT_EQ(profile.recordings[0].measured.value_or(-1), 1);
  EXPECT_EQ(profile.recordings[0].represented.value_or(-1), 2);
}

TEST(RepresentTest, GivesAReplayedLaunchTheDurationThatItsCountersSay) {
  Profile profile = recording();
  const std::size_t own = add_measured(profile, base_counters(0));
  represent(profile);
  EXPECT_EQ(profile.launches[own].duration, Value<Seconds>(Seconds(5e-6), Provenance::kMeasured));
}

TEST(RepresentTest, CompletesBaseCountersWithTensorCountersOfAnotherLaunch) {
  Profile profile = recording();
  const std::size_t base = add_measured(profile, base_counters(60));
  const std::size_t tensor = add_measured(profile, tensor_counters());
  add_launch(profile, 1, 7e-6);
  ASSERT_EQ(of(profile, base).work.flops.reason().text(), kTensorUncounted);
  ASSERT_EQ(of(profile, tensor).work.flops, Value<Flops>(Flops(kTensorOps), Provenance::kMeasured));
  represent(profile);
  const Value<Flops> all(Flops(2 * kFfma + kTensorOps), Provenance::kSampled);
  EXPECT_EQ(of(profile, base).work.flops, all);
  EXPECT_EQ(of(profile, tensor).work.flops, all) << "tensor operations alone are not its FLOP";
  EXPECT_EQ(of(profile, 2).work.flops, all);
  EXPECT_EQ(of(profile, 2).work.compute.size(), 2U);
  // Its own counters stay measured, what it lacked is sampled.
  EXPECT_EQ(of(profile, base).work.bytes.dram_read.provenance(), Provenance::kMeasured);
  EXPECT_EQ(of(profile, tensor).work.bytes.dram_read, Value<Bytes>(Bytes(kReadBytes), Provenance::kSampled));
  EXPECT_FALSE(is_representative(of(profile, tensor)));
  const std::size_t raw_of_both = base_counters(60).size() + tensor_counters().size() - 1;
  EXPECT_EQ(of(profile, 2).raw.size(), raw_of_both);
  EXPECT_EQ(of(profile, base).raw.size(), base_counters(60).size()) << "raw counters are the launch's own";
}

TEST(RepresentTest, KeepsTheFirstOfSeveralLaunchesThatWereMeasuredAlike) {
  Profile profile = recording();
  std::map<std::string, double> counters = base_counters(0);
  add_measured(profile, counters);
  counters["dram__bytes_read.sum"] = 5000;
  const std::size_t second = add_measured(profile, counters);
  add_launch(profile, 1, 7e-6);
  represent(profile);
  EXPECT_EQ(of(profile, 2).work.bytes.dram_read.value_or(Bytes(0)), Bytes(kReadBytes));
  EXPECT_EQ(of(profile, second).work.bytes.dram_read, Value<Bytes>(Bytes(5000), Provenance::kMeasured));
}

TEST(RepresentTest, TellsShapesKernelsAndDevicesApart) {
  Profile profile = recording();
  add_measured(profile, base_counters(0));
  profile.devices.push_back(profile.devices[0]);
  profile.kernels.push_back({"dot", "dot()", ""});
  for (int i = 0; i < 3; ++i) profile.configurations.push_back(profile.configurations[0]);
  profile.configurations[1].grid = Dim3{129, 1, 1};
  profile.configurations[2].shared_dynamic = {Bytes(1024), Provenance::kMeasured};
  profile.configurations[3].registers_per_thread = Value<double>::missing("not told");
  for (int i = 0; i < 5; ++i) add_launch(profile, 1, 7e-6);
  profile.launches[1].device = 1;
  profile.launches[2].kernel = 1;
  profile.launches[3].configuration = 1;
  profile.launches[4].configuration = 2;
  profile.launches[5].configuration = 3;
  represent(profile);
  for (const std::size_t i : {1U, 2U, 3U, 4U}) EXPECT_FALSE(profile.launches[i].measurement) << i;
  EXPECT_TRUE(profile.launches[5].measurement) << "registers follow from the kernel";
}

TEST(RepresentTest, TakesTheClockOfReadingsBesideTheLaunchesItStandsFor) {
  Profile profile = recording();
  add_measured(profile, base_counters(0));
  add_launch(profile, 10, 3e-3);
  add_launch(profile, 20, 1e-3);
  add_launch(profile, 30, 5e-3);  // no reading near
  for (const auto& [time, clock] : {std::pair(20.01, 1.2e9), std::pair(10.3, 9e8), std::pair(9.9, 1.6e9)}) {
    Reading& reading = profile.readings.emplace_back();
    reading.time = Seconds(time);
    reading.sm_clock = {Hertz(clock), Provenance::kReported};
  }
  represent(profile);
  const Value<Hertz>& clock = of(profile, 1).conditions.sm_clock;
  EXPECT_DOUBLE_EQ(clock.value_or(Hertz(0)).count(), (3 * 1.6e9 + 1.2e9) / 4);
  EXPECT_EQ(clock.provenance(), Provenance::kSampled);
  EXPECT_EQ(of(profile, 0).conditions.sm_clock, Value<Hertz>(Hertz(1.9e9), Provenance::kMeasured));
}

TEST(RepresentTest, KeepsTheRepresentativesClockWithoutReadings) {
  Profile profile = recording();
  add_measured(profile, base_counters(0));
  add_launch(profile, 10, 3e-3);
  represent(profile);
  EXPECT_EQ(of(profile, 1).conditions.sm_clock, Value<Hertz>(Hertz(1.9e9), Provenance::kSampled));
}

TEST(RepresentTest, LeavesRecordingsOfOtherToolsAlone) {
  Profile profile = recording();
  profile.recordings.clear();
  const std::size_t own = add_measured(profile, base_counters(0));
  add_launch(profile, 1, 7e-6);
  represent(profile);
  EXPECT_FALSE(profile.launches[1].measurement);
  EXPECT_FALSE(profile.launches[own].duration);
}

TEST(RepresentTest, ChangesNothingASecondTime) {
  Profile profile = recording();
  add_measured(profile, base_counters(60));
  add_measured(profile, tensor_counters());
  add_launch(profile, 1, 7e-6);
  represent(profile);
  const Profile once = profile;
  represent(profile);
  EXPECT_EQ(profile.measurements.size(), once.measurements.size());
  EXPECT_EQ(profile.recordings[0].represented, once.recordings[0].represented);
  EXPECT_EQ(profile.recordings[0].measured, once.recordings[0].measured);
  for (std::size_t i = 0; i < once.measurements.size(); ++i) {
    visit_fields([](std::string_view name, const auto& a, const auto& b) { EXPECT_EQ(a, b) << name; },
                 profile.measurements[i].work, once.measurements[i].work);
  }
}

TEST(RepresentTest, StandsForNothingWhereNothingWasMeasured) {
  Profile profile = recording();
  add_launch(profile, 1, 7e-6);
  represent(profile);
  EXPECT_FALSE(profile.launches[0].measurement);
  EXPECT_EQ(profile.recordings[0].represented.value_or(-1), 0);
  Profile empty;
  represent(empty);
  EXPECT_TRUE(empty.measurements.empty());
}

}  // namespace
}  // namespace ridge
