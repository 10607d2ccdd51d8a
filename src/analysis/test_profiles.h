// Hand-made machines and profiles for the tests of this folder.
#pragma once

#include <string>

#include "ridgepoint/model/profile.h"

namespace ridge::test {

template <class T>
Value<T> measured(double value) {
  return Value<T>(T(value), Provenance::kMeasured);
}

/// Round figures: 100 SMs, 128 fp32 lanes, 2 GHz (fp32 51.2 TFLOP/s, fp64 half), DRAM 2 TB/s, L2 10 TB/s of 50 MB,
/// 128 B per clock and SM of L1 (25.6 TB/s, 200 G wavefronts/s).
inline Machine round_machine() {
  Machine machine;
  machine.id = "round";
  machine.name = "Round 100";
  machine.compute_capability = "9.0";
  machine.sm_count = 100;
  machine.cores_per_sm = 128;
  machine.base_clock = Hertz(1.5e9);
  machine.boost_clock = Hertz(2e9);
  machine.occupancy.max_warps_per_sm = 64;
  const auto ceiling = [&](const ComputeKey& key, double ops) {
    machine.ceilings.push_back({key, ops, Hertz(2e9), Provenance::kDatasheet});
  };
  ceiling(core(DataType::kFp32), 256);
  ceiling(core(DataType::kFp64), 128);
  ceiling(core(DataType::kFp16), 512);
  ceiling(tensor(DataType::kTf32, TensorPath::kWgmma), 2048);
  ceiling(tensor(DataType::kBf16, TensorPath::kWgmma), 4096);
  ceiling(tensor(DataType::kBf16, TensorPath::kMmaSync), 2730);
  const auto level = [&](Level which, double bandwidth, double capacity) {
    MemoryLevel entry;
    entry.level = which;
    if (bandwidth > 0) entry.bandwidth = Value<BytesPerSecond>(BytesPerSecond(bandwidth), Provenance::kDatasheet);
    entry.capacity = Value<Bytes>(Bytes(capacity), Provenance::kDatasheet);
    machine.levels.push_back(entry);
  };
  level(Level::kDram, 2e12, 80e9);
  level(Level::kL2, 10e12, 50e6);
  level(Level::kL1, 0, 256e3);
  machine.levels.back().bytes_per_clock = Value<double>(128, Provenance::kDatasheet);
  return machine;
}

/// A measurement with every kind of evidence and no work: each test adds what it is about.
inline Measurement idle_measurement() {
  Measurement m;
  m.conditions.sm_clock = measured<Hertz>(2e9);
  m.work.flops = measured<Flops>(0);
  m.work.bytes.dram = measured<Bytes>(0);
  m.work.access.l1_wavefronts = measured<double>(0);
  m.work.instructions.warp_instructions = measured<double>(0);
  return m;
}

/// Adds fp32 work: `fma` thread instructions of fused multiply-adds and `add` of additions.
inline void add_fp32(Measurement& m, double fma, double add = 0) {
  m.work.instructions.fp32_fma = measured<double>(fma);
  m.work.instructions.fp32_add = measured<double>(add);
  m.work.instructions.fp32_mul = measured<double>(0);
  m.work.compute.push_back({core(DataType::kFp32), measured<Flops>(2 * fma + add)});
  m.work.flops = m.work.flops + measured<Flops>(2 * fma + add);
}

/// `measurement` as represent() hands it to the launches that it stands for.
inline Measurement as_representative(Measurement measurement) {
  const auto weaken = [](auto& value) {
    if (value) value = {*value, Provenance::kSampled};
  };
  visit_fields([&](std::string_view, auto& value) { weaken(value); }, measurement.work);
  for (ComputeWork& part : measurement.work.compute) weaken(part.amount);
  weaken(measurement.conditions.sm_clock);
  return measurement;
}

class ProfileBuilder {
 public:
  ProfileBuilder() {
    profile_.sources.push_back({"ncu-rep", "made by hand", "", ""});
    Device device;
    device.name = "Round 100";
    device.machine = round_machine();
    profile_.devices.push_back(device);
  }

  std::uint32_t kernel(const std::string& name, std::uint32_t blocks = 10000, std::uint32_t threads = 256) {
    Kernel entry;
    entry.short_name = name, entry.full_name = name + "(float *)";
    profile_.kernels.push_back(entry);
    Configuration configuration;
    configuration.grid = Dim3{blocks, 1, 1}, configuration.block = Dim3{threads, 1, 1};
    profile_.configurations.push_back(configuration);
    return static_cast<std::uint32_t>(profile_.kernels.size() - 1);
  }

  /// kernel() and the configuration made with it share an index.
  Launch& launch(std::uint32_t kernel, double seconds, const Measurement& measurement) {
    Launch& entry = launch(kernel, seconds);
    entry.measurement = static_cast<std::uint32_t>(profile_.measurements.size());
    profile_.measurements.push_back(measurement);
    return entry;
  }
  Launch& launch(std::uint32_t kernel, double seconds) {
    Launch entry;
    entry.kernel = entry.configuration = kernel;
    entry.source_id = profile_.launches.size();
    entry.duration = measured<Seconds>(seconds);
    profile_.launches.push_back(entry);
    return profile_.launches.back();
  }

  /// Makes the source a live recording.
  Recording& live(Tier tier, double wall = 1) {
    profile_.sources[0].kind = "live";
    Recording recording;
    recording.tier = tier;
    recording.finished = true;
    recording.wall = measured<Seconds>(wall);
    profile_.recordings.assign(1, recording);
    return profile_.recordings[0];
  }
  /// The last launch's samples.
  SampledWork& samples(double read, double write, double uncertainty = 0) {
    profile_.launches.back().sampled = static_cast<std::uint32_t>(profile_.sampled.size());
    SampledWork work;
    work.dram_read = static_cast<float>(read), work.dram_write = static_cast<float>(write);
    work.uncertainty = static_cast<float>(uncertainty);
    profile_.sampled.push_back(work);
    return profile_.sampled.back();
  }
  void reading(double time, double sm_clock, double throttle = 0) {
    Reading reading;
    reading.time = Seconds(time);
    reading.sm_clock = measured<Hertz>(sm_clock);
    reading.throttle_reasons = measured<double>(throttle);
    profile_.readings.push_back(reading);
  }
  void copy(const std::string& name, double start, double seconds, double bytes) {
    Span span;
    span.kind = SpanKind::kCopy;
    span.name = name;
    span.start = Seconds(start), span.duration = Seconds(seconds);
    span.bytes = measured<Bytes>(bytes);
    profile_.spans.push_back(span);
  }

  Profile& profile() { return profile_; }

 private:
  Profile profile_;
};

}  // namespace ridge::test
