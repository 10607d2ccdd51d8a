#include "render/view/recording_view.h"

#include <fmt/format.h>

#include "render/text/format.h"

namespace ridge::render {
namespace {

/// Devices shown without detail; a run on more has them in JSON and with --detail.
constexpr std::size_t kDevices = 4;

Argument shown(const char* name, std::string text) {
  return {name, std::move(text), Unit::kNone};
}
Argument count(const char* name, double value) {
  return {name, value, Unit::kCount};
}

std::string text(const char* id, std::vector<Argument> arguments, Language language) {
  return render_message(Message(id, std::move(arguments)), language);
}

/// Facts of one recording; with several of them the names carry the source's number.
class RecordingText {
 public:
  RecordingText(const ReportRecording& report, Language language, bool detail, std::string all_with, bool numbered)
      : report_(report),
        recording_(report.recording),
        language_(language),
        detail_(detail),
        all_with_(std::move(all_with)) {
    if (numbered) prefix_ = fmt::format("#{} ", recording_.source + 1);
  }

  std::vector<Fact> take() {
    add("recording", run());
    add("coverage", coverage());
    const std::size_t devices = detail_ ? report_.devices.size() : std::min(kDevices, report_.devices.size());
    for (std::size_t i = 0; i < devices; ++i) device(report_.devices[i]);
    if (devices < report_.devices.size()) {
      facts_.push_back(
          {"", text("text.more_devices",
                    {count("count", static_cast<double>(report_.devices.size() - devices)), shown("how", all_with_)},
                    language_)});
    }
    if (detail_) surroundings();
    return std::move(facts_);
  }

 private:
  void add(const char* label, const std::string& value) {
    if (!value.empty()) facts_.push_back({prefix_ + text_of(fmt::format("label.{}", label), language_), value});
  }
  [[nodiscard]] std::string say(const char* id, std::vector<Argument> arguments) const {
    return text(id, std::move(arguments), language_);
  }

  /// "python train.py, 12.3 s, exit status 1, cut short"
  [[nodiscard]] std::string run() const {
    std::vector<std::string> parts{printable(recording_.command)};
    if (recording_.wall) parts.push_back(format_value(recording_.wall, Unit::kSeconds));
    if (recording_.exit_status && *recording_.exit_status != 0) {
      parts.push_back(say("text.exit_status", {{"status", *recording_.exit_status, Unit::kNone}}));
    }
    if (!recording_.finished) parts.push_back(text_of("text.cut_short", language_));
    return joined(parts, language_);
  }

  [[nodiscard]] std::string coverage() const {
    std::vector<std::string> parts{launches()};
    const auto add_count = [&](const char* id, const Value<double>& value) {
      if (value && *value > 0) parts.push_back(say(id, {count("count", *value)}));
    };
    add_count("text.covered_measured", recording_.measured);
    add_count("text.covered_represented", recording_.represented);
    if (recording_.sampled && *recording_.sampled > 0) parts.push_back(samples());
    if (recording_.tier == Tier::kSampling) parts.push_back(text_of("text.no_counters", language_));
    if (recording_.tier == Tier::kTiming) parts.push_back(text_of("text.times_only", language_));
    add_count("text.covered_dropped", recording_.records_dropped);
    if (recording_.gpu_unexplained && *recording_.gpu_unexplained > Seconds(0)) {
      parts.push_back(
          say("text.covered_unexplained", {shown("time", format_value(recording_.gpu_unexplained, Unit::kSeconds))}));
    }
    return joined(parts, language_);
  }

  [[nodiscard]] std::string launches() const {
    if (!recording_.recorded) return {};
    if (!recording_.seen) return say("text.covered_recorded", {count("recorded", *recording_.recorded)});
    return say("text.covered_launches", {count("recorded", *recording_.recorded), count("seen", *recording_.seen)});
  }

  /// "280 sampled every 10 us (4.2 % shared with neighbours, 12 not used)"
  [[nodiscard]] std::string samples() const {
    const Value<double>& interval = recording_.sampling_interval_s;
    std::string part =
        interval ? say("text.covered_sampled_every", {count("count", *recording_.sampled),
                                                      shown("interval", format_number(*interval, Unit::kSeconds))})
                 : say("text.covered_sampled", {count("count", *recording_.sampled)});
    std::vector<std::string> notes;
    if (report_.uncertainty) {
      notes.push_back(say("text.shared_samples", {{"uncertainty", *report_.uncertainty, Unit::kRatio}}));
    }
    if (report_.uncertain > 0) {
      notes.push_back(say("text.samples_not_used", {count("count", static_cast<double>(report_.uncertain))}));
    }
    return notes.empty() ? part : part + in_brackets(joined(notes, language_), language_);
  }

  void device(const DeviceActivity& device) {
    const std::string label = prefix_ + fmt::format("GPU {}", device.device);
    const std::string what = joined({busy(device), conditions(device)}, language_);
    if (!what.empty()) facts_.push_back({label, what});
    if (!detail_) return;
    std::vector<std::string> copies;
    for (const CopyTotal& copy : device.copied) copies.push_back(copied(copy));
    if (!copies.empty()) facts_.push_back({"", joined(copies, language_)});
    if (device.memory_clock.median) {
      facts_.push_back({"", say("text.memory_clock", {shown("clock", range(device.memory_clock, Unit::kHertz))})});
    }
  }

  /// "busy 63.1 % of the program's own time: kernels 3.9 s, copies 0.2 s; longest gap 0.4 s"
  [[nodiscard]] std::string busy(const DeviceActivity& device) const {
    std::vector<std::string> parts;
    if (device.busy_share) {
      parts.push_back(say("text.busy_share", {{"share", *device.busy_share, Unit::kRatio}}));
    }
    if (device.kernels) {
      parts.push_back(say("text.busy_kernels", {shown("time", format_value(device.kernels, Unit::kSeconds))}));
    }
    if (device.copies && *device.copies > Seconds(0)) {
      parts.push_back(say("text.busy_copies", {shown("time", format_value(device.copies, Unit::kSeconds))}));
    }
    if (device.idle && *device.idle > Seconds(0)) {
      parts.push_back(say("text.idle", {shown("idle", format_value(device.idle, Unit::kSeconds)),
                                        shown("gap", format_value(device.longest_gap, Unit::kSeconds))}));
    }
    return joined(parts, language_);
  }

  [[nodiscard]] std::string conditions(const DeviceActivity& device) const {
    std::vector<std::string> parts;
    if (device.sm_clock.median) {
      parts.push_back(say("text.sm_clock", {shown("clock", range(device.sm_clock, Unit::kHertz))}));
    }
    if (device.watts.median) parts.push_back(fmt::format("{:.0f} W", *device.watts.median));
    if (device.celsius.median) parts.push_back(fmt::format("{:.0f} °C", *device.celsius.median));
    for (const auto& [reason, share] : device.throttled) {
      parts.push_back(say("text.throttled",
                          {shown("reason", term("throttle", reason, language_)), {"share", share, Unit::kRatio}}));
    }
    return joined(parts, language_);
  }

  /// "1.755 GHz", "1.755 GHz (1.2 GHz to 1.98 GHz)".
  [[nodiscard]] std::string range(const Spread& spread, Unit unit) const {
    std::string median = format_value(spread.median, unit);
    const std::string least = format_value(spread.least, unit), most = format_value(spread.most, unit);
    if (least == most) return median;
    return median + in_brackets(say("text.range", {shown("least", least), shown("most", most)}), language_);
  }

  [[nodiscard]] std::string copied(const CopyTotal& copy) const {
    return say("text.copied", {shown("name", printable(copy.name)), count("count", static_cast<double>(copy.count)),
                               shown("bytes", format_value(copy.bytes, Unit::kBytes)),
                               shown("time", format_value(copy.time, Unit::kSeconds))});
  }

  void surroundings() {
    if (recording_.counter_time && *recording_.counter_time > Seconds(0)) {
      add("counter_cost", format_value(recording_.counter_time, Unit::kSeconds));
    }
    if (!recording_.host.empty()) add("host", printable(recording_.host));
    for (const auto& [name, value] : recording_.facts) facts_.push_back({prefix_ + printable(name), printable(value)});
  }

  const ReportRecording& report_;
  const Recording& recording_;
  Language language_;
  bool detail_;
  std::string all_with_;
  std::string prefix_;
  std::vector<Fact> facts_;
};

}  // namespace

std::vector<Fact> recording_facts(const Report& report, Language language, bool detail, const std::string& all_with) {
  std::vector<Fact> facts;
  for (const ReportRecording& each : report.recordings) {
    for (Fact& fact : RecordingText(each, language, detail, all_with, report.sources.size() > 1).take()) {
      facts.push_back(std::move(fact));
    }
  }
  return facts;
}

std::string evidence_of(const ReportKernel& kernel, Language language) {
  const KernelEvidence& evidence = kernel.evidence;
  std::vector<std::string> parts;
  if (evidence.represented > 0) {
    const double launches = evidence.measured + evidence.represented;
    std::string counters = evidence.measured > 0
                               ? text("text.evidence_replayed",
                                      {count("replays", evidence.measured), count("launches", launches)}, language)
                               : text("text.evidence_represented", {count("launches", launches)}, language);
    if (evidence.uneven) counters += in_brackets(text_of("text.evidence_uneven", language), language);
    parts.push_back(std::move(counters));
  }
  if (evidence.sampled > 0) {
    std::string sampled = text("text.evidence_sampled", {count("launches", evidence.sampled)}, language);
    if (evidence.uncertainty) {
      sampled += in_brackets(
          text("text.shared_samples", {{"uncertainty", *evidence.uncertainty, Unit::kRatio}}, language), language);
    }
    parts.push_back(std::move(sampled));
  }
  if (!parts.empty() && kernel.measured_launches < kernel.runs()) {
    parts.push_back(text("text.evidence_without",
                         {count("launches", static_cast<double>(kernel.runs() - kernel.measured_launches))}, language));
  }
  return joined(parts, language);
}

}  // namespace ridge::render
