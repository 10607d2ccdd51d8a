#include "support/live_profiles.h"

#include "model/profile/represent.h"

namespace ridge::test {
namespace {

template <class T>
Value<T> measured(double value) {
  return Value<T>(T(value), Provenance::kMeasured);
}

class Builder {
 public:
  Builder(Tier tier, double wall) {
    profile_.sources.push_back({"live", "run.ridge", "2026-08-21T10:02:03Z", "1.0"});
    Recording recording;
    recording.command = "./train --steps 300";
    recording.host = "node7";
    recording.tier = tier;
    recording.finished = true;
    recording.exit_status = measured<double>(0);
    recording.wall = measured<Seconds>(wall);
    recording.records_dropped = measured<double>(0);
    recording.gpu_unexplained = measured<Seconds>(0);
    recording.facts = {{"driver", "580.65"}, {"cupti", "/usr/local/cuda/extras/CUPTI/lib64/libcupti.so.13"}};
    profile_.recordings.push_back(recording);
  }

  void device(std::int64_t index = 0) {
    Device device;
    device.index = index;
    device.name = "NVIDIA H200";
    device.chip = "GH100";
    device.attributes.compute_capability_major = measured<double>(9);
    device.attributes.compute_capability_minor = measured<double>(0);
    device.attributes.sm_count = measured<double>(132);
    profile_.devices.push_back(device);
  }

  /// The configuration made with it has the same index.
  std::uint32_t kernel(const std::string& name, std::uint32_t blocks) {
    profile_.kernels.push_back({name, name + "(float*, int)", ""});
    Configuration configuration;
    configuration.grid = Dim3{blocks, 1, 1}, configuration.block = Dim3{256, 1, 1};
    configuration.registers_per_thread = measured<double>(32);
    configuration.shared_static = measured<Bytes>(0);
    configuration.shared_dynamic = measured<Bytes>(0);
    profile_.configurations.push_back(configuration);
    return static_cast<std::uint32_t>(profile_.kernels.size() - 1);
  }

  Launch& launch(std::uint32_t kernel, double start, double duration, std::uint32_t device = 0) {
    Launch launch;
    launch.kernel = launch.configuration = kernel;
    launch.device = device;
    launch.source_id = profile_.launches.size() + 1;
    launch.process_id = 4242;
    launch.context = 1, launch.stream = 7;
    launch.start = measured<Seconds>(start);
    launch.duration = measured<Seconds>(duration);
    profile_.launches.push_back(launch);
    return profile_.launches.back();
  }

  /// Makes the last launch a replayed one: no start, counters of 2 FLOP for every 12 bytes that it moves.
  void replayed(double bytes) {
    Launch& launch = profile_.launches.back();
    launch.start = Value<Seconds>::missing("the launch was replayed for its counters");
    launch.measurement = static_cast<std::uint32_t>(profile_.measurements.size());
    Measurement m;
    m.work.flops = measured<Flops>(bytes / 6);
    m.work.compute.push_back({core(DataType::kFp32), m.work.flops});
    m.work.bytes.dram_read = measured<Bytes>(bytes * 2 / 3);
    m.work.bytes.dram_write = measured<Bytes>(bytes / 3);
    m.work.bytes.dram = measured<Bytes>(bytes);
    m.work.bytes.l2 = measured<Bytes>(bytes * 1.1);
    m.work.bytes.l1 = measured<Bytes>(bytes);
    m.work.instructions.warp_instructions = measured<double>(bytes / 64);
    m.work.access.l1_wavefronts = measured<double>(bytes / 128);
    m.execution.achieved_occupancy = measured<double>(0.75);
    m.conditions.sm_clock = measured<Hertz>(1.98e9);
    profile_.measurements.push_back(m);
  }

  void sampled(double bytes, double uncertainty) {
    profile_.launches.back().sampled = static_cast<std::uint32_t>(profile_.sampled.size());
    SampledWork work;
    work.dram_read = static_cast<float>(bytes * 2 / 3), work.dram_write = static_cast<float>(bytes / 3);
    work.l2 = static_cast<float>(bytes * 1.1);
    work.sm_active = 0.9F, work.occupancy = 0.7F, work.tensor_active = 0;
    work.uncertainty = static_cast<float>(uncertainty);
    profile_.sampled.push_back(work);
  }

  void copy(const std::string& name, double start, double duration, double bytes, std::uint32_t device = 0) {
    Span span;
    span.kind = SpanKind::kCopy;
    span.name = name;
    span.start = Seconds(start), span.duration = Seconds(duration);
    span.process_id = 4242, span.stream = 7;
    span.device = device;
    span.bytes = measured<Bytes>(bytes);
    profile_.spans.push_back(span);
  }

  void reading(double time, double clock, double watts, double throttle, std::uint32_t device = 0) {
    Reading reading;
    reading.device = device;
    reading.time = Seconds(time);
    reading.sm_clock = measured<Hertz>(clock), reading.memory_clock = measured<Hertz>(3.201e9);
    reading.watts = measured<double>(watts), reading.celsius = measured<double>(watts / 10);
    reading.throttle_reasons = measured<double>(throttle);
    profile_.readings.push_back(reading);
  }

  void issue(Severity severity, const char* id, std::vector<Argument> arguments) {
    profile_.issues.push_back({severity, Message(id, std::move(arguments))});
  }

  Recording& recording() { return profile_.recordings[0]; }

  Profile take() {
    Recording& recording = profile_.recordings[0];
    if (!recording.seen) recording.seen = measured<double>(static_cast<double>(profile_.launches.size()));
    if (!recording.recorded) recording.recorded = recording.seen;
    recording.sampled = measured<double>(static_cast<double>(profile_.sampled.size()));
    represent(profile_);
    return std::move(profile_);
  }

 private:
  Profile profile_;
};

}  // namespace

Profile live_timing_only() {
  Builder builder(Tier::kTiming, 2);
  builder.device();
  const std::uint32_t update = builder.kernel("update", 4096), reduce = builder.kernel("reduce", 1024);
  for (int step = 0; step < 4; ++step) {
    builder.launch(update, 0.5 + 0.1 * step, 60e-3);
    builder.launch(reduce, 0.57 + 0.1 * step, 20e-3);
  }
  builder.copy("host to device", 0.3, 0.15, 1.5e9);
  builder.recording().exit_status = measured<double>(3);
  builder.issue(Severity::kNotice, "profile-no-permission",
                {{"reason", "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES", Unit::kNone}});
  return builder.take();
}

Profile live_counters_only() {
  Builder builder(Tier::kCounters, 5);
  builder.device();
  const std::uint32_t update = builder.kernel("update", 4096), reduce = builder.kernel("reduce", 1024);
  builder.launch(update, 0, 1e-3);
  builder.replayed(3.6e9);
  builder.launch(reduce, 0, 0.5e-3);
  builder.replayed(0.6e9);
  builder.recording().counter_time = measured<Seconds>(0.4);
  return builder.take();
}

Profile live_three_sources() {
  Builder builder(Tier::kCounters, 3);
  builder.device();
  const std::uint32_t update = builder.kernel("update", 4096), gather = builder.kernel("all_gather", 32),
                      tiny = builder.kernel("scale", 16);
  builder.launch(update, 0, 1e-3);
  builder.replayed(3.6e9);
  double now = 0.5;
  for (int step = 0; step < 299; ++step) {
    builder.launch(update, now, 1e-3);
    builder.sampled(3.3e9, 0.02);
    builder.launch(tiny, now + 1.1e-3, 3e-6);
    builder.sampled(8e6, 0.9);
    now += 2e-3;
  }
  for (int step = 0; step < 4; ++step) {
    builder.launch(gather, now, 10e-3);
    builder.sampled(9e9, 0.001);
    now += 15e-3;
  }
  for (int i = 0; i < 12; ++i)
    builder.reading(0.5005 + 0.05 * i, i < 3 ? 1.98e9 : 1.755e9, 400 + 20 * i, i < 9 ? 0 : 4);
  Recording& recording = builder.recording();
  recording.counter_time = measured<Seconds>(0.4);
  recording.sampling_interval_s = measured<double>(10e-6);
  recording.seen = measured<double>(604);
  recording.gpu_unexplained = measured<Seconds>(0.02);
  builder.issue(Severity::kNotice, "profile-short-launches",
                {{"kernels", 1.0, Unit::kCount},
                 {"launches", 299.0, Unit::kCount},
                 {"kernel", "scale", Unit::kNone},
                 {"uncertainty", 0.9, Unit::kRatio},
                 {"interval", 10e-6, Unit::kSeconds}});
  builder.issue(Severity::kInfo, "profile-collectives-skipped", {{"kernels", 1.0, Unit::kCount}});
  return builder.take();
}

Profile live_two_devices() {
  Builder builder(Tier::kSampling, 1);
  builder.device(0);
  builder.device(1);
  const std::uint32_t update = builder.kernel("update", 4096);
  for (int step = 0; step < 3; ++step) {
    builder.launch(update, 0.1 + 0.2 * step, 0.15);
    builder.sampled(4e11, 0.0001);
    builder.launch(update, 0.2 + 0.2 * step, 0.15);  // on another stream: overlaps both neighbours
    builder.sampled(2e11, 0.3);
    builder.launch(update, 0.1 + 0.2 * step, 0.1, 1);
    builder.sampled(3e11, 0.0001);
  }
  builder.copy("device to device", 0.05, 0.02, 6e9, 1);
  builder.copy("device to device", 0.85, 0.02, 6e9, 1);
  for (int i = 0; i < 4; ++i) {
    builder.reading(0.15 + 0.2 * i, 1.98e9, 500, 0, 0);
    builder.reading(0.15 + 0.2 * i, 1.5e9, 700, 0x40, 1);
  }
  builder.recording().sampling_interval_s = measured<double>(20e-6);
  return builder.take();
}

Profile live_nothing_known() {
  Profile profile;
  profile.sources.push_back({"live", "run.ridge", "", ""});
  profile.devices.resize(1);
  profile.kernels.push_back({"mystery", "mystery", ""});
  profile.configurations.resize(1);
  profile.launches.resize(1);
  profile.recordings.resize(1);
  represent(profile);
  return profile;
}

}  // namespace ridge::test
