#include "render/json/json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

#include "render/text/format.h"
#include "render/text/messages.h"
#include "render/text/unicode.h"
#include "render/view/fields.h"
#include "render/view/view.h"

namespace ridge::render {
namespace {

using Json = nlohmann::ordered_json;

/// A string any JSON reader accepts: bytes that are not UTF-8 are shown as \xNN, the rest is kept as it is.
Json text(std::string_view raw) {
  std::string out;
  out.reserve(raw.size());
  while (!raw.empty()) {
    const CodePoint point = decode(raw);
    if (point.valid) {
      out += raw.substr(0, point.bytes);
    } else {
      static constexpr std::string_view kHex = "0123456789ABCDEF";
      out += "\\x";
      out += kHex[point.value >> 4];
      out += kHex[point.value & 15];
    }
    raw.remove_prefix(point.bytes);
  }
  return out;
}

Json text_or_null(std::string_view raw) {
  return raw.empty() ? Json(nullptr) : text(raw);
}

Json sentence(const Message& message, const KernelNames& kernels = {}) {
  return message.id.empty() ? Json(nullptr) : text(render_message(message, Language::kEnglish, kernels));
}

Json finite(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json& at_path(Json& object, std::string_view path) {
  const std::size_t dot = path.find('.');
  if (dot == std::string_view::npos) return object[std::string(path)];
  return object[std::string(path.substr(0, dot))][std::string(path.substr(dot + 1))];
}

/// Puts values where their paths say, and keeps account of provenance and of what is missing.
class ObjectWriter {
 public:
  explicit ObjectWriter(Json& object) : object_(object) {}

  void put(std::string_view path, const Value<double>& value) {
    Json& place = at_path(object_, path);
    if (value) {
      place = *value;
      provenance_[std::string(path)] = name(value.provenance());
    } else {
      place = nullptr;
      missing_[std::string(path)] = text(value.reason().text());
    }
  }
  /// Says why what stands at a path is null; nothing if `value` is there.
  template <class T>
  void explain(std::string_view path, const Value<T>& value) {
    if (!value) missing_[std::string(path)] = text(value.reason().text());
  }
  template <class T>
  void put(std::string_view path, const Value<T>& value) {
    put(path, finite_or_missing(transform(value, [](const T& v) { return v.count(); })));
  }
  void finish(bool with_provenance) {
    if (with_provenance) object_["provenance"] = provenance_;
    object_["missing"] = missing_;
  }
  [[nodiscard]] Json& provenance() { return provenance_; }

 private:
  Json& object_;
  Json provenance_ = Json::object();
  Json missing_ = Json::object();
};

Json dim(const std::optional<Dim3>& d) {
  return d ? Json::array({d->x, d->y, d->z}) : Json(nullptr);
}

Json source_json(const Source& source) {
  return {{"kind", text(source.kind)},
          {"path", text(source.path)},
          {"taken", text_or_null(source.taken)},
          {"tool_version", text_or_null(source.tool_version)}};
}

Json ceilings_json(const ReportMachine& machine) {
  Json out = Json::object();
  for (const ComputeRoof& roof : machine.compute_roofs) {
    Json entry = {{"value", finite(roof.peak->count())}, {"provenance", name(roof.peak.provenance())}};
    entry["clock_hz"] = roof.clock ? finite(roof.clock->count()) : Json(nullptr);
    out[name(roof.key)] = std::move(entry);
  }
  return out;
}

Json level_json(const Value<BytesPerSecond>& rate, const Value<Bytes>& capacity) {
  Json out = Json::object();
  ObjectWriter writer(out);
  writer.put("bytes_per_s", rate);
  writer.put("capacity_bytes", capacity);
  out["provenance"] = rate ? Json(name(rate.provenance())) : Json(nullptr);
  writer.finish(false);
  return out;
}

Json levels_json(const ReportMachine& machine) {
  Json out = Json::object();
  for (const MemoryLevel& level : machine.machine.levels) {
    const auto drawn = std::find_if(machine.memory_roofs.begin(), machine.memory_roofs.end(),
                                    [&](const MemoryRoof& roof) { return roof.level == level.level; });
    const bool used = drawn != machine.memory_roofs.end();
    out[std::string(name(level.level))] = level_json(used ? drawn->rate : level.bandwidth, level.capacity);
  }
  for (const MemoryRoof& roof : machine.memory_roofs) {
    if (find_level(machine.machine, roof.level)) continue;
    out[std::string(name(roof.level))] = level_json(roof.rate, Value<Bytes>());
  }
  return out;
}

Json machine_json(const ReportMachine& machine) {
  Json out = {{"id", text_or_null(machine.machine.id)}, {"name", text(machine.machine.name)}};
  out["provenance"] = name(machine.machine.provenance);
  out["architecture"] = text_or_null(machine.machine.architecture);
  out["chip"] = text_or_null(machine.machine.chip);
  out["compute_capability"] = text_or_null(machine.machine.compute_capability);
  out["sm_count"] = machine.machine.sm_count > 0 ? Json(machine.machine.sm_count) : Json(nullptr);
  out["note"] = text_or_null(machine.machine.note);
  out["basis"] = name(machine.basis);
  out["ceilings"] = ceilings_json(machine);
  out["levels"] = levels_json(machine);
  ObjectWriter writer(out);
  writer.put("sm_clock_hz", machine.sm_clock);
  writer.finish(false);
  return out;
}

Json ranked_json(const RankedFinding& ranked) {
  return {{"kernel", text(ranked.kernel)}, {"finding", ranked.finding}};
}

template <class T, class Convert>
Json array_of(const std::vector<T>& items, Convert convert) {
  Json out = Json::array();
  for (const T& item : items) out.push_back(convert(item));
  return out;
}

Json summary_json(const ReportSummary& summary, const KernelNames& kernels) {
  Json out = Json::object();
  ObjectWriter writer(out);
  writer.put("kernel_time_s", summary.kernel_time);
  writer.put("wall_s", summary.wall);
  writer.put("gpu_busy", summary.gpu_busy);
  out["kernels"] = summary.kernels;
  out["verdict"] = sentence(summary.verdict, kernels);
  out["start"] = sentence(summary.start, kernels);
  out["top"] = array_of(summary.top, text);
  out["findings"] = array_of(summary.findings, ranked_json);
  writer.finish(false);
  return out;
}

/// The unit of `amount`; its rate is in that per second.
std::string_view unit_name(const ResourceTime& time) {
  switch (time.amount_unit) {
    case Unit::kBytes:
      return "B";
    case Unit::kFlops:
      return time.resource.starts_with("tensor_int") ? "OP" : "FLOP";
    case Unit::kSeconds:
      return "s";
    default:
      return "count";
  }
}

Json resource_json(const ResourceTime& time) {
  return {{"resource", text(time.resource)},
          {"amount", finite(time.amount)},
          {"amount_unit", unit_name(time)},
          {"rate_per_s", finite(time.rate)},
          {"least_time_s", finite(time.least_time.count())},
          {"fraction", finite(time.fraction)},
          {"estimated", time.estimated}};
}

Json evidence_json(const Message& message) {
  Json out = Json::object();
  for (const Argument& argument : message.arguments) {
    const double* number = std::get_if<double>(&argument.value);
    const std::string key = text(argument.name).get<std::string>();
    out[key] = number ? finite(*number) : text(std::get<std::string>(argument.value));
  }
  return out;
}

Json finding_json(const Finding& finding) {
  Json out = {{"rule", text(finding.rule)}, {"severity", name(finding.severity)}};
  out["evidence"] = evidence_json(finding.advice);
  out["advice"] = sentence(finding.advice);
  ObjectWriter writer(out);
  writer.put("speedup", finding.speedup);
  writer.put("saving_s", finding.saving);
  writer.finish(false);
  return out;
}

Json gap_json(const GapPart& part) {
  return {{"cause", text(part.cause)}, {"seconds", finite(part.seconds.count())}, {"evidence", text(part.evidence)}};
}

Json hot_line_json(const HotLine& line) {
  return {{"location", text(line.location)},
          {"text", text(line.text)},
          {"samples", finite(line.samples)},
          {"instructions", finite(line.instructions)},
          {"excess_sectors", finite(line.excess_sectors)}};
}

void put_identity(Json& out, const ReportKernel& kernel) {
  out["id"] = text(kernel.id);
  out["name"] = text(kernel.name);
  out["full_name"] = text(kernel.full_name);
  out["device"] = {{"index", kernel.device}, {"name", text_or_null(kernel.device_name)}, {"machine", kernel.machine}};
  out["source"] = kernel.source;
  const Configuration& configuration = kernel.configuration;
  out["configuration"] = {{"grid", dim(configuration.grid)}, {"block", dim(configuration.block)}};
  out["configuration"]["cluster"] = dim(configuration.cluster);
  out["launches"] = kernel.runs();
  out["measured_launches"] = kernel.measured_launches;
}

void put_verdict(Json& out, const ReportKernel& kernel) {
  Json& roof = out["roof"];
  roof["resource"] = text_or_null(kernel.roof.resource);
  roof["basis"] = name(kernel.roof.basis);
  roof["times"] = array_of(kernel.roof.times, resource_json);
  out["verdict"] = name(kernel.verdict);
  out["verdict_reason"] = sentence(kernel.verdict_reason);
  out["level"] = text_or_null(kernel.level);
  out["pipe"] = text_or_null(kernel.pipe);
  out["side"] = kernel.side == Side::kUnknown ? Json(nullptr) : Json(name(kernel.side));
  out["confidence"] = text_or_null(kernel.confidence);
  out["occupancy"]["limiter"] = text_or_null(kernel.occupancy.limiter);
}

void put_stalls(Json& out, const Execution& execution) {
  Json& stalls = out["execution"]["stalls"] = Json::object();
  for (const StallReason& stall : execution.stalls) {
    stalls[text(stall.name).get<std::string>()] = finite(stall.warps_per_issue);
  }
}

void put_evidence(Json& out, ObjectWriter& writer, const KernelEvidence& evidence) {
  out["evidence"] = {{"measured", evidence.measured},
                     {"represented", evidence.represented},
                     {"sampled", evidence.sampled},
                     {"uneven", evidence.uneven}};
  writer.put("evidence.uncertainty", evidence.uncertainty);
}

Json kernel_json(const ReportKernel& kernel) {
  Json out = Json::object();
  put_identity(out, kernel);
  ObjectWriter writer(out);
  writer.explain("configuration.grid", kernel.configuration.blocks());
  writer.explain("configuration.block", kernel.configuration.threads_per_block());
  put_evidence(out, writer, kernel.evidence);
  for (const Field& field : kernel_fields(kernel)) writer.put(field.path, field.value);
  put_verdict(out, kernel);
  put_stalls(out, kernel.execution);
  out["gap"] = array_of(kernel.gap, gap_json);
  out["findings"] = array_of(kernel.findings, finding_json);
  out["hot_lines"] = array_of(kernel.hot_lines, hot_line_json);
  if (kernel.work.flops) writer.provenance()["flops"] = name(kernel.work.flops.provenance());
  writer.finish(true);
  return out;
}

Json launch_json(const Report& report, const ReportKernel& kernel, const ReportLaunch& launch) {
  Json out = {
      {"kernel", text(kernel.id)}, {"id", launch.source_id}, {"process", launch.process_id}, {"stream", launch.stream}};
  ObjectWriter writer(out);
  for (const Field& field : launch_fields(launch)) writer.put(field.path, field.value);
  out["counters"] = launch.counters == CounterOrigin::kNone ? Json(nullptr) : Json(name(launch.counters));
  if (launch.sampled && *launch.sampled < report.sampled.size()) {
    for (const Field& field : sampled_fields(report.sampled[*launch.sampled])) writer.put(field.path, field.value);
  } else {
    out["sampled"] = nullptr;
  }
  writer.finish(false);
  return out;
}

std::string_view kind_name(SpanKind kind) {
  static constexpr std::string_view kNames[] = {
      "copy", "set", "api", "range", "synchronisation", "graph", "allocation", "page-migration", "page-fault"};
  return kNames[static_cast<std::size_t>(kind)];
}

Json span_json(const Span& span) {
  Json out = {{"kind", kind_name(span.kind)},
              {"name", text(span.name)},
              {"start_s", finite(span.start.count())},
              {"duration_s", finite(span.duration.count())},
              {"process", span.process_id},
              {"thread", span.thread_id},
              {"stream", span.stream},
              {"device", span.device}};
  ObjectWriter writer(out);
  writer.put("bytes", span.bytes);
  writer.finish(false);
  return out;
}

Json issue_json(const Issue& issue) {
  const std::string remedy = issue_remedy(issue, Language::kEnglish);
  return {{"id", text(issue.message.id)},
          {"severity", name(issue.severity)},
          {"text", text(issue_text(issue, Language::kEnglish))},
          {"remedy", text_or_null(remedy)},
          {"evidence", evidence_json(issue.message)}};
}

Json copy_json(const CopyTotal& copy) {
  Json out = {{"name", text(copy.name)}, {"count", copy.count}};
  ObjectWriter writer(out);
  writer.put("bytes", copy.bytes);
  writer.put("duration_s", copy.time);
  writer.finish(false);
  return out;
}

void put_spread(ObjectWriter& writer, const std::string& path, const Spread& spread) {
  writer.put(path + ".min", spread.least);
  writer.put(path + ".median", spread.median);
  writer.put(path + ".max", spread.most);
}

Json activity_json(const DeviceActivity& device) {
  Json out = {{"index", device.device}, {"name", text_or_null(device.name)}};
  out["launches"] = device.launches;
  out["launches_without_start"] = device.unplaced;
  ObjectWriter writer(out);
  writer.put("kernels_s", device.kernels);
  writer.put("copies_s", device.copies);
  writer.put("busy_s", device.busy);
  writer.put("active_s", device.active);
  writer.put("idle_s", device.idle);
  writer.put("longest_gap_s", device.longest_gap);
  writer.put("busy_share", device.busy_share);
  out["copies"] = array_of(device.copied, copy_json);
  out["readings"] = device.readings;
  put_spread(writer, "sm_clock_hz", device.sm_clock);
  put_spread(writer, "memory_clock_hz", device.memory_clock);
  put_spread(writer, "power_w", device.watts);
  put_spread(writer, "temperature_c", device.celsius);
  out["throttled"] = array_of(device.throttled, [](const auto& each) {
    return Json{{"reason", text(each.first)}, {"share", finite(each.second)}};
  });
  writer.finish(false);
  return out;
}

Json recording_json(const ReportRecording& report) {
  const Recording& recording = report.recording;
  Json out = {{"source", recording.source}, {"tier", name(recording.tier)}};
  out["command"] = text_or_null(recording.command);
  out["host"] = text_or_null(recording.host);
  out["finished"] = recording.finished;
  ObjectWriter writer(out);
  writer.put("exit_status", recording.exit_status);
  writer.put("wall_s", recording.wall);
  writer.put("counter_time_s", recording.counter_time);
  writer.put("sampling.interval_s", recording.sampling_interval_s);
  writer.put("sampling.uncertainty", report.uncertainty);
  out["sampling"]["launches_too_uncertain"] = report.uncertain;
  writer.put("coverage.seen", recording.seen);
  writer.put("coverage.recorded", recording.recorded);
  writer.put("coverage.measured", recording.measured);
  writer.put("coverage.represented", recording.represented);
  writer.put("coverage.sampled", recording.sampled);
  writer.put("coverage.records_dropped", recording.records_dropped);
  writer.put("coverage.gpu_unexplained_s", recording.gpu_unexplained);
  out["devices"] = array_of(report.devices, activity_json);
  out["facts"] = array_of(recording.facts, [](const auto& fact) {
    return Json{{"name", text(fact.first)}, {"text", text(fact.second)}};
  });
  writer.finish(false);
  return out;
}

Json comparison_json(const Comparison& comparison, const KernelNames& kernels) {
  return {{"slower", text(comparison.slower)},
          {"faster", text(comparison.faster)},
          {"explanation", sentence(comparison.explanation, kernels)},
          {"evidence", evidence_json(comparison.explanation)}};
}

using Sink = std::function<void(std::string_view)>;

/// An array with one element a line, in pieces.
class ArrayWriter {
 public:
  ArrayWriter(const Sink& sink, std::string_view key) : sink_(sink) {
    sink_(",\n\"");
    sink_(key);
    sink_("\": [");
  }
  void add(const Json& element) {
    sink_(first_ ? "\n " : ",\n ");
    sink_(escape_json(element.dump()));
    first_ = false;
  }
  void close() { sink_(first_ ? "]" : "\n]"); }

 private:
  const Sink& sink_;
  bool first_ = true;
};

template <class T, class Convert>
void write_array(const Sink& sink, std::string_view key, const std::vector<T>& items, Convert convert) {
  ArrayWriter array(sink, key);
  for (const T& item : items) array.add(convert(item));
  array.close();
}

void write_detail(const Report& report, const Sink& sink) {
  ArrayWriter launches(sink, "launches");
  for (const ReportKernel& kernel : report.kernels) {
    for (const ReportLaunch& launch : kernel.launches) launches.add(launch_json(report, kernel, launch));
  }
  launches.close();
  for (const bool ranges : {true, false}) {
    ArrayWriter spans(sink, ranges ? "ranges" : "spans");
    for (const Span& span : report.spans) {
      if ((span.kind == SpanKind::kRange) == ranges) spans.add(span_json(span));
    }
    spans.close();
  }
}

}  // namespace

void write_json(const Report& report, const JsonOptions& options, const Sink& sink) {
  sink("{\n\"schema\": ");
  sink(Json(kReportSchema).dump());
  sink(",\n\"tool\": ");
  sink(Json({{"name", "ridge"}, {"version", RIDGE_VERSION}}).dump());
  write_array(sink, "source", report.sources, source_json);
  write_array(sink, "recordings", report.recordings, recording_json);
  write_array(sink, "machines", report.machines, machine_json);
  sink(",\n\"summary\": ");
  const KernelNames names = names_by_id(report);
  sink(escape_json(summary_json(report.summary, names).dump()));
  write_array(sink, "kernels", report.kernels, kernel_json);
  write_array(sink, "comparisons", report.comparisons,
              [&](const Comparison& comparison) { return comparison_json(comparison, names); });
  if (options.detail) write_detail(report, sink);
  write_array(sink, "issues", report.issues, issue_json);
  sink("\n}\n");
}

std::string render_json(const Report& report, const JsonOptions& options) {
  std::string out;
  write_json(report, options, [&](std::string_view piece) { out += piece; });
  return out;
}

}  // namespace ridge::render
