#include "support/report_fixture.h"

#include <algorithm>
#include <cmath>

namespace ridge::test {
namespace {

template <class T>
Value<T> measured(double value) {
  return Value<T>(T(value), Provenance::kMeasured);
}
Value<double> measured(double value) {
  return {value, Provenance::kMeasured};
}

Ceiling ceiling(ComputeKey key, double ops) {
  return {key, ops, Hertz(1.98e9), Provenance::kDatasheet};
}

MemoryLevel level(Level which, double bandwidth, double capacity) {
  MemoryLevel result;
  result.level = which;
  result.bandwidth = Value<BytesPerSecond>(BytesPerSecond(bandwidth), Provenance::kDatasheet);
  result.capacity = Value<Bytes>(Bytes(capacity), Provenance::kDatasheet);
  return result;
}

ReportMachine h200() {
  ReportMachine result;
  Machine& machine = result.machine;
  machine.id = "h200-sxm";
  machine.name = "NVIDIA H200";
  machine.architecture = "Hopper";
  machine.chip = "GH100";
  machine.compute_capability = "9.0";
  machine.sm_count = 132;
  machine.cores_per_sm = 128;
  machine.ceilings = {ceiling(core(DataType::kFp64), 128), ceiling(core(DataType::kFp32), 256),
                      ceiling(tensor(DataType::kBf16, TensorPath::kWgmma), 4096),
                      ceiling(tensor(DataType::kBf16, TensorPath::kMmaSync), 2730)};
  machine.levels = {level(Level::kDram, 4.8e12, 141e9), level(Level::kL2, 10.4e12, 50e6),
                    level(Level::kL1, 33.2e12, 256e3), level(Level::kShared, 33.2e12, 228e3)};
  result.sm_clock = Value<Hertz>(Hertz(1.97e9), Provenance::kMeasured);
  for (const Ceiling& each : machine.ceilings) {
    const Value<FlopsPerSecond> peak(peak_at(machine, each, *result.sm_clock), each.provenance);
    result.compute_roofs.push_back({each.key, peak, result.sm_clock});
  }
  result.memory_roofs = {{Level::kDram, measured<BytesPerSecond>(4.8e12)},
                         {Level::kL2, measured<BytesPerSecond>(10.3e12)},
                         {Level::kL1, measured<BytesPerSecond>(33.1e12)},
                         {Level::kShared, measured<BytesPerSecond>(33.1e12)}};
  return result;
}

struct Sample {
  const char* id;
  const char* name;
  const char* full_name;
  std::uint32_t grid, block;
  int launches;
  double seconds;  // of all launches together
  double flops, dram, l2, l1, shared;
  double occupancy;
  Verdict verdict;
  const char* resource;
  double fraction;
};

constexpr double kGemm4096 = 137438953472.0;

ReportLaunch launch_of(const Sample& sample, int index) {
  ReportLaunch launch;
  launch.launch = static_cast<std::uint32_t>(index);
  launch.source_id = static_cast<std::uint64_t>(index);
  launch.process_id = 4242;
  launch.stream = 7;
  launch.start = measured<Seconds>(1e-3 * index);
  launch.duration = measured<Seconds>(sample.seconds / sample.launches);
  launch.flops = measured<Flops>(sample.flops / sample.launches);
  launch.dram = measured<Bytes>(sample.dram / sample.launches);
  return launch;
}

Work work_of(const Sample& sample) {
  Work work;
  work.flops = measured<Flops>(sample.flops);
  if (sample.flops > 0) work.compute.push_back({core(DataType::kFp32), measured<Flops>(sample.flops)});
  work.bytes.dram = measured<Bytes>(sample.dram);
  work.bytes.dram_read = measured<Bytes>(sample.dram * 0.75);
  work.bytes.dram_write = measured<Bytes>(sample.dram * 0.25);
  work.bytes.l2 = measured<Bytes>(sample.l2);
  work.bytes.l1 = measured<Bytes>(sample.l1);
  work.bytes.shared = measured<Bytes>(sample.shared);
  work.instructions.warp_instructions = measured(sample.flops / 32 + 1000);
  return work;
}

ResourceTime resource(const char* name, double amount, Unit unit, double rate, Unit rate_unit, double duration) {
  return {name, amount, unit, rate, rate_unit, Seconds(amount / rate), amount / rate / duration, false};
}

void place(ReportKernel& kernel, const Sample& sample) {
  RoofPlacement& roof = kernel.roof;
  roof.resource = sample.resource;
  roof.fraction = measured(sample.fraction);
  roof.peak = Value<FlopsPerSecond>(FlopsPerSecond(66.57e12), Provenance::kDatasheet);
  roof.ridge = Value<FlopsPerByte>(FlopsPerByte(13.87), Provenance::kDatasheet);
  const double bandwidth_roof = kernel.intensity_dram ? kernel.intensity_dram->count() * 4.8e12 : 0;
  roof.attainable = Value<FlopsPerSecond>(FlopsPerSecond(std::min(66.57e12, bandwidth_roof)), Provenance::kDatasheet);
  roof.times = {resource("dram", sample.dram, Unit::kBytes, 4.8e12, Unit::kBytesPerSecond, sample.seconds),
                resource("l1", sample.l1, Unit::kBytes, 33.1e12, Unit::kBytesPerSecond, sample.seconds),
                resource("fp32", sample.flops, Unit::kFlops, 66.57e12, Unit::kFlopsPerSecond, sample.seconds)};
  // The binding resource, whatever it is, fills the fraction of the time that the sample says.
  roof.times.erase(std::remove_if(roof.times.begin(), roof.times.end(),
                                  [&](const ResourceTime& time) {
                                    return time.resource == sample.resource || time.fraction > sample.fraction;
                                  }),
                   roof.times.end());
  roof.times.push_back({sample.resource, 1e9, Unit::kCount, 1e9 / (sample.fraction * sample.seconds), Unit::kNone,
                        Seconds(sample.fraction * sample.seconds), sample.fraction, false});
  std::sort(roof.times.begin(), roof.times.end(),
            [](const ResourceTime& a, const ResourceTime& b) { return b.least_time < a.least_time; });
}

ReportKernel kernel_of(const Sample& sample) {
  ReportKernel kernel;
  kernel.id = sample.id;
  kernel.name = sample.name;
  kernel.full_name = sample.full_name;
  kernel.configuration.grid = Dim3{sample.grid, sample.grid == 390625 ? 1 : sample.grid, 1};
  kernel.configuration.block = Dim3{sample.block, sample.block == 32 ? 32u : 1u, 1};
  kernel.configuration.registers_per_thread = measured(32);
  kernel.configuration.shared_static = measured<Bytes>(0);
  for (int i = 0; i < sample.launches; ++i) kernel.launches.push_back(launch_of(sample, i));
  kernel.duration = measured<Seconds>(sample.seconds);
  kernel.duration_min = kernel.duration_median = kernel.duration_max = kernel.duration * (1.0 / sample.launches);
  kernel.measured_launches = static_cast<std::uint32_t>(sample.launches);
  kernel.measured_duration = kernel.duration;
  kernel.device_name = "NVIDIA H200";
  kernel.work = work_of(sample);
  kernel.execution.achieved_occupancy = measured(sample.occupancy);
  kernel.execution.theoretical_occupancy = measured(1);
  kernel.conditions.sm_clock = measured<Hertz>(1.97e9);
  kernel.intensity_dram = kernel.work.flops / kernel.work.bytes.dram;
  kernel.intensity_l2 = kernel.work.flops / kernel.work.bytes.l2;
  kernel.intensity_l1 = kernel.work.flops / kernel.work.bytes.l1;
  kernel.intensity_shared = kernel.work.flops / kernel.work.bytes.shared;
  kernel.flops_per_s = kernel.work.flops / kernel.duration;
  kernel.dram_per_s = kernel.work.bytes.dram / kernel.duration;
  kernel.l2_per_s = kernel.work.bytes.l2 / kernel.duration;
  kernel.l1_per_s = kernel.work.bytes.l1 / kernel.duration;
  kernel.shared_per_s = kernel.work.bytes.shared / kernel.duration;
  place(kernel, sample);
  kernel.verdict = sample.verdict;
  const std::string resource = sample.resource;
  const bool memory = resource == "dram" || resource == "l1" || resource == "l2" || resource == "shared";
  (memory ? kernel.level : kernel.pipe) = resource;
  const bool left = kernel.intensity_dram && kernel.intensity_dram->count() < 13.87;
  kernel.side = left ? Side::kLeft : Side::kRight;
  kernel.confidence = "high";
  kernel.occupancy = {measured(sample.occupancy), measured(1), "registers"};
  return kernel;
}

Finding finding(const char* rule, FindingSeverity severity, double saving, double speedup,
                std::vector<Argument> evidence) {
  Finding result;
  result.rule = rule;
  result.severity = severity;
  result.advice = Message(std::string("rule.") + rule, std::move(evidence));
  result.saving = Value<Seconds>(Seconds(saving), Provenance::kModelled);
  result.speedup = Value<double>(speedup, Provenance::kModelled);
  return result;
}

Issue issue(Severity severity, const char* id, std::vector<Argument> arguments = {}) {
  return {severity, Message(id, std::move(arguments))};
}

std::vector<ReportKernel> lab_kernels() {
  const std::vector<Sample> samples = {
      {"k0", "gemm_naive", "gemm_naive(const float *, const float *, float *, int)", 128, 32, 1, 22.97e-3, kGemm4096,
       8.292e9, 72e9, 345e9, 0.134e9, 0.996, Verdict::kMemoryBound, "l1", 0.453 + 0.4},
      {"k1", "gemm_tiled", "void gemm_tiled<32>(const float *, const float *, float *, int)", 128, 32, 1, 15.57e-3,
       kGemm4096, 8.466e9, 36e9, 17.2e9, 432e9, 0.996, Verdict::kMemoryBound, "shared", 0.838},
      {"k2", "transpose_naive", "transpose_naive(const float *, float *, int)", 256, 32, 1, 1.109e-3, 0, 0.63e9, 2.4e9,
       2.42e9, 1, 0.817, Verdict::kLatencyBound, "l2", 0.31},
      {"k3", "vector_add", "vector_add(const float *, const float *, float *, unsigned long)", 390625, 256, 3, 1.046e-3,
       3e8, 3.565e9, 3.6e9, 3.6e9, 1, 0.742, Verdict::kMemoryBound, "dram", 0.71},
      {"k4", "saxpy", "saxpy(float, const float *, float *, unsigned long)", 390625, 256, 1, 0.347e-3, 2e8, 1.182e9,
       1.2e9, 1.2e9, 1, 0.741, Verdict::kMemoryBound, "dram", 0.708},
      {"k5", "attention_wgmma", "void attention_wgmma<__nv_bfloat16, 128>(Parameters)", 64, 128, 2, 0.3e-3, 180e9,
       0.09e9, 0.5e9, 1e9, 3e9, 0.25, Verdict::kComputeBound, "tensor_bf16_wgmma", 0.81},
      {"k6", "fill_tail", "fill_tail(float *)", 1, 64, 40, 0.08e-3, 2560, 4096, 8192, 8192, 1, 0.02,
       Verdict::kOverheadBound, "dram", 0.001},
  };
  std::vector<ReportKernel> kernels;
  double total = 0;
  for (const Sample& sample : samples) {
    kernels.push_back(kernel_of(sample));
    total += sample.seconds;
  }
  for (ReportKernel& kernel : kernels)
    kernel.share = transform(kernel.duration, [&](Seconds s) { return s.count() / total; });
  return kernels;
}

void teach(Report& report) {
  ReportKernel& naive = report.kernels[0];
  naive.verdict_reason = Message("verdict.memory-right", {{"resource", std::string("l1"), Unit::kNone},
                                                          {"fraction", 0.853, Unit::kRatio},
                                                          {"intensity", 16.57, Unit::kFlopsPerByte},
                                                          {"ridge", 13.87, Unit::kFlopsPerByte}});
  naive.findings = {finding("uncoalesced-access", FindingSeverity::kWarning, 7.4e-3, 1.475,
                            {{"excess", 5.37e6, Unit::kCount},
                             {"share", 0.41, Unit::kRatio},
                             {"loads", 8.0, Unit::kNone},
                             {"stores", 4.0, Unit::kNone}}),
                    finding("low-occupancy", FindingSeverity::kInfo, 0.2e-3, 1.009,
                            {{"limiter", std::string("registers"), Unit::kNone},
                             {"achieved", 0.996, Unit::kRatio},
                             {"theoretical", 1.0, Unit::kRatio}})};
  naive.gap = {{"binding-resource", Seconds(0.0195), "l1"}, {"unattributed", Seconds(0.00347), ""}};
  naive.hot_lines = {{"lab.cu:71", "sum += a[row * n + k] * b[k * n + column];", 1200, 4e9, 5.37e6}};
  ReportKernel& tensor_kernel = report.kernels[5];
  tensor_kernel.work.compute = {{tensor(DataType::kBf16, TensorPath::kWgmma), measured<Flops>(178e9)},
                                {core(DataType::kFp32), measured<Flops>(2e9)}};
  tensor_kernel.work.bytes.shared = Value<Bytes>::missing("the report has no shared-memory wavefronts");
  tensor_kernel.intensity_shared = Value<FlopsPerByte>::missing("the report has no shared-memory wavefronts");
  tensor_kernel.shared_per_s = Value<BytesPerSecond>::missing("the report has no shared-memory wavefronts");
  report.kernels[3].work.flops = Value<Flops>(Flops(3e8), Provenance::kCounted);
  report.comparisons = {{"k0", "k1",
                         Message("comparison.l1-traffic", {{"slower", std::string("k0"), Unit::kNone},
                                                           {"faster", std::string("k1"), Unit::kNone},
                                                           {"factor", 1.475, Unit::kFactor},
                                                           {"dram_slower", 8.292e9, Unit::kBytes},
                                                           {"dram_faster", 8.466e9, Unit::kBytes},
                                                           {"l1_slower", 345e9, Unit::kBytes},
                                                           {"l1_faster", 17.2e9, Unit::kBytes},
                                                           {"l1_factor", 20.06, Unit::kFactor}})}};
  report.summary.kernels = report.kernels.size();
  report.summary.top = {"k0", "k1"};
  report.summary.findings = {{"k0", 0}, {"k0", 1}};
  report.summary.start =
      Message("summary.start", {{"kernel", std::string("k0"), Unit::kNone}, {"saving", 7.4e-3, Unit::kSeconds}});
  report.summary.verdict = Message("summary.verdict", {{"time", 0.041422, Unit::kSeconds},
                                                       {"kernels", 7.0, Unit::kCount},
                                                       {"share", 0.964, Unit::kRatio},
                                                       {"verdict", std::string("memory-bound"), Unit::kNone}});
}

}  // namespace

Report lab_report() {
  Report report;
  report.sources = {{"ncu-rep", "lab_full.ncu-rep.gz", "2026-08-21T10:02:03Z", "2025.3.1"}};
  report.machines = {h200()};
  report.kernels = lab_kernels();
  report.summary.kernel_time = measured<Seconds>(0.041422);
  report.summary.wall = Value<Seconds>::missing("the report has no timeline");
  report.summary.gpu_busy = Value<double>::missing("the report has no timeline");
  teach(report);
  Span span;
  span.kind = SpanKind::kRange;
  span.name = "warm-up";
  span.start = Seconds(0.001);
  span.duration = Seconds(0.25);
  report.spans = {span};
  report.issues = {issue(Severity::kInfo, "dram-counters-absent", {{"kernels", 2.0, Unit::kCount}}),
                   issue(Severity::kNotice, "no-flops",
                         {{"kernels", 2.0, Unit::kCount}, {"kernel", std::string("fill_tail"), Unit::kNone}}),
                   issue(Severity::kError, "machine-unknown", {{"device", std::string("NVIDIA X"), Unit::kNone}}),
                   issue(Severity::kDataLoss, "report-cut", {{"lost", 4096.0, Unit::kBytes}})};
  return report;
}

Report live_report() {
  Report report = lab_report();
  ReportRecording each;
  Recording& recording = each.recording;
  recording.command = "./lab --all", recording.host = "node7";
  recording.tier = Tier::kCounters;
  recording.exit_status = measured(1);
  recording.wall = measured<Seconds>(0.1), recording.counter_time = measured<Seconds>(0.02);
  recording.seen = measured(50), recording.recorded = measured(49);
  recording.measured = measured(7), recording.represented = measured(42), recording.sampled = measured(40);
  recording.records_dropped = measured(1);
  recording.gpu_unexplained = measured<Seconds>(0.001);
  recording.sampling_interval_s = measured(10e-6);
  recording.facts = {{"driver", "580.65"}};
  each.uncertainty = measured(0.1), each.uncertain = 2;
  DeviceActivity device;
  device.name = "NVIDIA H200";
  device.launches = 49, device.unplaced = 7, device.readings = 3;
  device.kernels = measured<Seconds>(0.04), device.copies = measured<Seconds>(0.01);
  device.busy = measured<Seconds>(0.045), device.active = measured<Seconds>(0.06);
  device.idle = measured<Seconds>(0.015), device.longest_gap = measured<Seconds>(0.01);
  device.busy_share = measured(0.5625);
  device.copied = {{"host to device", 3, measured<Bytes>(1e8), measured<Seconds>(0.01)}};
  device.sm_clock = {measured(1.2e9), measured(1.755e9), measured(1.98e9)};
  device.memory_clock = {measured(3.2e9), measured(3.2e9), measured(3.2e9)};
  device.watts = {measured(100), measured(412), measured(600)};
  device.celsius = {measured(40), measured(61), measured(70)};
  device.throttled = {{"power-cap", 0.25}};
  each.devices = {device};
  report.recordings = {each};
  report.sampled.resize(1);
  SampledWork& samples = report.sampled[0];
  samples.dram_read = samples.dram_write = samples.l2 = samples.warp_instructions = 1e6F;
  samples.sm_active = samples.occupancy = samples.tensor_active = 0.5F;
  ReportKernel& kernel = report.kernels[3];
  kernel.launches[1].counters = CounterOrigin::kRepresentative;
  kernel.launches[1].sampled = 0;
  kernel.evidence = {1, 2, 1, measured(0.1)};
  return report;
}

Report empty_report() {
  return {};
}

Report unknown_report() {
  Report report;
  report.sources = {{"ncu-csv-raw", "unknown.csv", "", ""}};
  ReportMachine machine;
  machine.machine.name = "Unknown GPU";
  report.machines = {machine};
  ReportKernel kernel;
  kernel.id = "k0";
  kernel.name = kernel.full_name = "mystery";
  report.kernels = {kernel};
  return report;
}

Report two_file_report() {
  Report report = lab_report();
  report.sources.push_back({"ncu-rep", "after.ncu-rep", "2026-08-22T10:02:03Z", "2025.3.1"});
  const std::size_t count = report.kernels.size();
  for (std::size_t i = 0; i < count; ++i) {
    ReportKernel kernel = report.kernels[i];
    kernel.id = "k" + std::to_string(count + i);
    kernel.source = 1;
    for (Value<Seconds>* each : {&kernel.duration, &kernel.duration_min, &kernel.duration_median, &kernel.duration_max})
      *each = *each * 0.8;
    report.kernels.push_back(kernel);
  }
  return report;
}

Report report_with_text(const std::string& text) {
  Report report = live_report();
  ReportRecording& recording = report.recordings[0];
  recording.recording.command = recording.recording.host = text;
  recording.recording.facts = {{text, text}};
  recording.devices[0].name = recording.devices[0].copied[0].name = recording.devices[0].throttled[0].first = text;
  for (Source& source : report.sources) source = {text, text, text, text};
  for (ReportMachine& each : report.machines) {
    each.machine.name = each.machine.chip = each.machine.architecture = each.machine.note = text;
    each.machine.sources = {text};
  }
  for (ReportKernel& kernel : report.kernels) {
    kernel.name = kernel.full_name = text;
    kernel.verdict_reason = Message(text, {{text, text, Unit::kNone}});
    kernel.occupancy.limiter = kernel.level = kernel.pipe = kernel.roof.resource = text;
    kernel.confidence = text;
    for (ResourceTime& time : kernel.roof.times) time.resource = text;
    for (GapPart& part : kernel.gap) part.cause = part.evidence = text;
    for (HotLine& line : kernel.hot_lines) line.location = line.text = text;
    for (Finding& each : kernel.findings) {
      each.rule = text;
      each.advice = Message(text, {{"kernel", text, Unit::kNone}});
    }
    kernel.work.bytes.l2 = Value<Bytes>::missing(text);
  }
  report.spans[0].name = text;
  report.summary.verdict = Message("summary." + text, {{"kernel", text, Unit::kNone}});
  report.issues.push_back(issue(Severity::kError, text.c_str(), {{"name", text, Unit::kNone}}));
  return report;
}

Report large_report(std::size_t kernels) {
  Report report = lab_report();
  const std::vector<ReportKernel> few = report.kernels;
  report.kernels.clear();
  for (std::size_t i = 0; i < kernels; ++i) {
    report.kernels.push_back(few[i % few.size()]);
    report.kernels.back().id = "k" + std::to_string(i);
    report.kernels.back().name += "_" + std::to_string(i);
  }
  return report;
}

const std::vector<std::string>& hostile_texts() {
  static const std::vector<std::string> texts = {
      "<img src=x onerror=alert(1)>",
      "</script><script>alert(1)</script>",
      "</title></style><svg onload=alert(1)>",
      "a\"b'c&d",
      "a|b`c`*d*_e_[f](javascript:g)",
      "first\nsecond\r\nthird\ttab",
      "\x1B[31mred\x1B]0;title\x07",
      "\u202Egnp.exe\u2066\u200B",
      "=cmd|' /C calc'!A0",
      "+1+1",
      "-2+3",
      "@SUM(A1)",
      "\t=1+1",
      "\xFF\xFE bad \xC3( \xED\xA0\x80",
      "\u77E9\u9635\u4E58\u6CD5\u6838",
      "{kernel} {} {0} %s %n",
      std::string("nul\0inside", 10),
  };
  return texts;
}

}  // namespace ridge::test
