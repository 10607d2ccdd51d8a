#include "collectors/session/assemble.h"

#include <fmt/format.h>

#include <algorithm>

#include "collectors/session/issues.h"

namespace ridge::collectors::session {
namespace {

constexpr Nanoseconds kWaitForCounters = 3'000'000'000;
constexpr double kTensorWorks = 1e-3;  // share of active cycles
constexpr std::uint32_t kTensorRecipe = 1;

std::string_view place(wire::MemoryKind kind) {
  switch (kind) {
    case wire::MemoryKind::kPageable:
      return "pageable";
    case wire::MemoryKind::kPinned:
      return "pinned";
    case wire::MemoryKind::kDevice:
      return "device";
    case wire::MemoryKind::kArray:
      return "array";
    case wire::MemoryKind::kManaged:
      return "managed";
    case wire::MemoryKind::kUnknown:
      break;
  }
  return "unknown";
}

bool in_device_memory(wire::MemoryKind kind) {
  return kind == wire::MemoryKind::kDevice || kind == wire::MemoryKind::kArray;
}

SpanKind span_kind(wire::EventKind kind) {
  switch (kind) {
    case wire::EventKind::kRuntimeCall:
    case wire::EventKind::kDriverCall:
      return SpanKind::kApi;
    case wire::EventKind::kSynchronisation:
      return SpanKind::kSynchronisation;
    case wire::EventKind::kRange:
      return SpanKind::kRange;
    case wire::EventKind::kAllocation:
      return SpanKind::kAllocation;
    case wire::EventKind::kPageMigration:
      return SpanKind::kPageMigration;
    case wire::EventKind::kPageFault:
      return SpanKind::kPageFault;
  }
  return SpanKind::kApi;
}

}  // namespace

void Assembler::on_message(ProcessKey from, const wire::Message& message, Nanoseconds now) {
  now_ = std::max(now_, now);
  Process& process = processes_[from];
  process.key = from;
  std::visit(
      [&](const auto& content) {
        using T = std::decay_t<decltype(content)>;
        if constexpr (std::is_same_v<T, wire::Hello>) {
          process.id = content.process;
          process_ids_.insert(content.process);
        } else if constexpr (std::is_same_v<T, wire::CounterProgress>) {
          process.progress = content;
        } else if constexpr (std::is_same_v<T, wire::Goodbye>) {
          seen_ += content.launches_seen;
          seen_known_ |= content.launches_seen > 0;
        } else if constexpr (requires { handle(process, content); }) {
          handle(process, content);
        }
      },
      message);
}

void Assembler::on_end(ProcessKey from) {
  const auto found = processes_.find(from);
  if (found == processes_.end()) return;
  complete_waiting(found->second, 0, true);
  const wire::CounterProgress& last = found->second.progress;
  progress_.seen += last.seen;
  progress_.measured += last.measured;
  progress_.failed += last.failed;
  progress_.collectives += last.collectives;
  progress_.cooperative += last.cooperative;
  progress_.over_budget += last.over_budget;
  progress_.in_graphs += last.in_graphs;
  progress_.filtered += last.filtered;
  progress_.spent += last.spent;
  processes_.erase(found);
}

void Assembler::handle(Process& process, const wire::DeviceFound& message) {
  const std::uint32_t device = tables_.device(message);
  process.devices[message.device] = device;
  if (devices_.size() <= device) devices_.resize(device + 1);
}

void Assembler::handle(Process& process, const wire::Text& message) {
  process.texts[message.id] = message.text;
}

void Assembler::handle(Process& process, const wire::Shape& message) {
  process.shapes[message.id] = message;
}

void Assembler::handle(Process& process, const wire::Launches& message) {
  for (const wire::Launch& launch : message.items) {
    const bool replayed = launch.start == 0 && launch.end == 0 && launch.graph_node == 0;
    if (!replayed) {
      add_launch(process, launch);
      continue;
    }
    Waiting& waiting = process.waiting[launch.correlation];
    waiting.launch = launch;
    waiting.last = now_;
    if (!waiting.image) continue;
    complete(process, waiting);
    process.waiting.erase(launch.correlation);
  }
}

void Assembler::handle(Process& process, const wire::CounterImage& message) {
  Waiting& waiting = process.waiting[message.correlation];
  waiting.last = now_;
  const auto device = process.devices.find(message.device);
  if (device == process.devices.end()) {
    ++losses_.references;
    process.waiting.erase(message.correlation);
    return;
  }
  Result<std::vector<Counter>> counters = backend_.evaluate(tables_.found(device->second), message);
  if (counters) {
    add_counters(waiting.counters, *std::move(counters));
  } else {
    const auto known = kernel(process, message.kernel);
    count_evaluation(known ? tables_.kernel_name(*known) : "", counters.error());
  }
  waiting.image = message;
  waiting.image->image.clear();
  if (!waiting.launch) return;
  complete(process, waiting);
  process.waiting.erase(message.correlation);
}

void Assembler::count_evaluation(const std::string& of, const Error& error) {
  if (losses_.evaluations++ > 0) return;
  losses_.evaluation_of = of;
  losses_.evaluation_reason = error.what;
}

void Assembler::handle(Process& process, const wire::Copies& message) {
  for (const wire::Copy& copy : message.items) add_copy(process, copy);
}

void Assembler::handle(Process& process, const wire::Events& message) {
  for (const wire::Event& event : message.items) add_event(process, event);
}

void Assembler::handle(Process& process, const wire::ThreadTime& message) {
  on_cpu_[{process.id, message.thread}] += message.on_cpu;
}

void Assembler::handle(Process&, const wire::Dropped& message) {
  switch (message.what) {
    case wire::Loss::kActivityRecords:
      losses_.records += message.count;
      return;
    case wire::Loss::kMessages:
      losses_.messages += message.count;
      return;
    case wire::Loss::kUnknownRecords:
      losses_.unknown += message.count;
      return;
  }
}

// A program waits for the answer to an image, whatever becomes of it here.
void Assembler::handle(Process& process, const wire::RangeMeasured& message) {
  const Value<wire::RangeValues> values = evaluate(process, message);
  wire::RangeValues none;
  none.id = message.id;
  if (!message.image.empty()) answers_.push_back({process.key, values.value_or(none)});
  add_range(process, message, values);
}

Value<wire::RangeValues> Assembler::evaluate(Process& process, const wire::RangeMeasured& range) {
  if (range.image.empty()) return Value<wire::RangeValues>::missing("the range has no counters");
  const auto device = process.devices.find(range.device);
  if (device == process.devices.end()) {
    ++losses_.references;
    return Value<wire::RangeValues>::missing("the range's device is not known");
  }
  wire::CounterImage image;
  image.recipe = wire::kRangeRecipe;
  image.image = range.image;
  const Result<std::vector<Counter>> counters = backend_.evaluate(tables_.found(device->second), image);
  if (counters) return Value(range_values(range.id, *counters), Provenance::kMeasured);
  count_evaluation(text_of(process, range.name), counters.error());
  return Value<wire::RangeValues>::missing("the range's counters could not be evaluated");
}

void Assembler::add_range(Process& process, const wire::RangeMeasured& range, const Value<wire::RangeValues>& values) {
  if (range.end < range.start) {
    ++losses_.times;
    return;
  }
  Span span;
  span.kind = SpanKind::kRange;
  span.name = text_of(process, range.name);
  span.start = since_start(range.start);
  span.duration = Seconds(static_cast<double>(range.end - range.start) * 1e-9);
  span.process_id = process.id;
  span.thread_id = range.thread;
  span.device = device_of(process, range.device).value_or(0);
  span.bytes = values ? dram_bytes(*values) : Value<Bytes>::missing(values.reason());
  ranges_.add(span.name, range, values.value_or({}));
  piece_.spans.push_back(std::move(span));
}

void Assembler::add_copy(Process& process, const wire::Copy& copy) {
  const auto device = device_of(process, copy.device);
  if (!device || copy.end < copy.start) {
    ++(device ? losses_.times : losses_.references);
    return;
  }
  Span span;
  span.kind = copy.set ? SpanKind::kSet : SpanKind::kCopy;
  span.name =
      copy.set ? fmt::format("set {}", place(copy.to)) : fmt::format("copy {} to {}", place(copy.from), place(copy.to));
  span.start = since_start(copy.start);
  span.duration = Seconds(static_cast<double>(copy.end - copy.start) * 1e-9);
  span.process_id = process.id;
  span.stream = copy.stream;
  span.device = *device;
  span.bytes = Value<Bytes>(Bytes(static_cast<double>(copy.bytes)), Provenance::kReported);
  piece_.spans.push_back(std::move(span));

  const auto bytes = static_cast<double>(copy.bytes);
  const double read = !copy.set && in_device_memory(copy.from) ? bytes : 0;
  const double written = in_device_memory(copy.to) ? bytes : 0;
  const auto other = device_of(process, copy.other_device);
  const bool peers = other && *other != *device;
  if (devices_[*device].attribution) {
    devices_[*device].attribution->add_copy(copy.start, copy.end, read, peers ? 0 : written);
  }
  if (peers && devices_[*other].attribution) devices_[*other].attribution->add_copy(copy.start, copy.end, 0, written);
}

void Assembler::add_event(Process& process, const wire::Event& event) {
  if (event.end < event.start) {
    ++losses_.times;
    return;
  }
  Span span;
  span.kind = span_kind(event.kind);
  span.name = text_of(process, event.name);
  span.start = since_start(event.start);
  span.duration = Seconds(static_cast<double>(event.end - event.start) * 1e-9);
  span.process_id = process.id;
  span.thread_id = event.thread;
  span.stream = event.stream;
  span.device = device_of(process, event.device).value_or(0);
  if (event.kind == wire::EventKind::kRange) ranges_.add(span.name, event.end - event.start);
  if (event.bytes > 0) span.bytes = Value<Bytes>(Bytes(static_cast<double>(event.bytes)), Provenance::kReported);
  piece_.spans.push_back(std::move(span));
}

std::optional<std::uint32_t> Assembler::kernel(Process& process, wire::TextId id) {
  const auto known = process.kernels.find(id);
  if (known != process.kernels.end()) return known->second;
  const auto text = process.texts.find(id);
  if (text == process.texts.end()) return std::nullopt;
  const std::uint32_t index = tables_.kernel(text->second);
  if (kernels_.size() <= index) kernels_.resize(index + 1);
  process.kernels.emplace(id, index);
  return index;
}

std::uint32_t Assembler::configuration(Process& process, const wire::Shape& shape, std::uint32_t device) {
  const std::uint64_t key = (std::uint64_t{device} << 32) | shape.id;
  const auto known = process.configurations.find(key);
  if (shape.id != 0 && known != process.configurations.end()) return known->second;
  Configuration configuration = configuration_of(shape);
  configuration.shared_driver = attributes_of(tables_.found(device)).shared_reserved_per_block;
  const std::uint32_t index = tables_.configuration(configuration);
  if (shape.id != 0) process.configurations.emplace(key, index);
  return index;
}

std::optional<Launch> Assembler::resolve(Process& process, const wire::Launch& launch) {
  const auto shape = process.shapes.find(launch.shape);
  if (shape == process.shapes.end()) {
    ++losses_.references;
    return std::nullopt;
  }
  std::optional<Launch> result = resolve(process, launch.device, launch.kernel, shape->second);
  if (!result) return std::nullopt;
  result->source_id = launch.correlation;
  result->context = launch.context;
  result->stream = launch.stream;
  return result;
}

std::optional<Launch> Assembler::resolve(Process& process, const wire::CounterImage& image) {
  wire::Shape shape;
  shape.grid = image.grid;
  shape.block = image.block;
  shape.shared_dynamic = image.shared_dynamic;
  std::optional<Launch> result = resolve(process, image.device, image.kernel, shape);
  if (!result) return std::nullopt;
  result->source_id = image.correlation;
  result->context = image.context;
  result->stream = image.stream;
  return result;
}

std::optional<Launch> Assembler::resolve(Process& process, std::uint32_t device, wire::TextId kernel_name,
                                         const wire::Shape& shape) {
  const auto index = device_of(process, device);
  const auto name = kernel(process, kernel_name);
  if (!index || !name) {
    ++losses_.references;
    return std::nullopt;
  }
  Launch result;
  result.kernel = *name;
  result.configuration = configuration(process, shape, *index);
  result.device = *index;
  result.process_id = process.id;
  result.start = Value<Seconds>::missing("the recording does not say when it started");
  result.duration = Value<Seconds>::missing("the recording does not say how long it took");
  return result;
}

void Assembler::add_launch(Process& process, const wire::Launch& launch) {
  std::optional<Launch> resolved = resolve(process, launch);
  if (!resolved) return;
  const bool timed = launch.start != 0 && launch.end >= launch.start;
  if (launch.start != 0) {
    resolved->start = Value<Seconds>(since_start(launch.start), Provenance::kMeasured);
    if (first_launch_ == 0 || launch.start < first_launch_) first_launch_ = launch.start;
  }
  if (timed) {
    resolved->duration =
        Value<Seconds>(Seconds(static_cast<double>(launch.end - launch.start) * 1e-9), Provenance::kMeasured);
    if (launch_times_) launch_times_(resolved->device, launch.start, launch.end);
  } else if (launch.start != 0) {
    ++losses_.times;
  }
  count_in(*resolved);
  std::optional<Attribution>& attribution = devices_[resolved->device].attribution;
  if (!timed || !attribution) {
    put_out(*resolved);
    return;
  }
  attribution->add_launch(++last_ticket_, launch.start, launch.end);
  held_.emplace(last_ticket_, *resolved);
}

/// A replayed launch: its record, its counters, or both.
void Assembler::complete(Process& process, Waiting& waiting) {
  if (!waiting.launch) ++losses_.unmatched;
  std::optional<Launch> launch = waiting.launch ? resolve(process, *waiting.launch) : resolve(process, *waiting.image);
  if (!launch) return;
  count_in(*launch);
  if (waiting.counters.empty()) {
    launch->duration = Value<Seconds>::missing("it was replayed for counters, which failed");
  } else {
    measure(process, waiting, *launch);
  }
  put_out(*launch);
}

void Assembler::measure(Process& process, Waiting& waiting, Launch& launch) {
  const wire::CounterImage& image = *waiting.image;
  Configuration configuration;
  if (waiting.launch) configuration = configuration_of(process.shapes[waiting.launch->shape]);
  Measured measured = measurement_of(waiting.counters, configuration, tables_.found(launch.device),
                                     tables_.kernel_name(launch.kernel), tables_);
  if (image.recipe < kTensorRecipe && measured.measurement.execution.tensor_active.value_or(0) >= kTensorWorks) {
    requests_.push_back({process.key, {image.kernel, image.grid, image.block, image.shared_dynamic, kTensorRecipe}});
  }
  launch.start = Value<Seconds>(since_start(image.began), Provenance::kReported);
  launch.duration = measured.duration;
  launch.measurement = measurements_++;
  piece_.measurements.push_back(std::move(measured.measurement));
  ++measured_;
  ++shapes_[{launch.device, launch.kernel, launch.configuration}].measured;
  if (first_launch_ == 0 || image.began < first_launch_) first_launch_ = image.began;
}

void Assembler::complete_waiting(Process& process, Nanoseconds now, bool all) {
  for (auto item = process.waiting.begin(); item != process.waiting.end();) {
    // Counters may wait for their record as long as the process lives: it comes when a buffer is full.
    const bool over = item->second.launch && now > item->second.last + kWaitForCounters;
    if (!all && !over) {
      ++item;
      continue;
    }
    complete(process, item->second);
    item = process.waiting.erase(item);
  }
}

void Assembler::count_in(const Launch& launch) {
  ++recorded_;
  ++shapes_[{launch.device, launch.kernel, launch.configuration}].launches;
}

void Assembler::put_out(const Launch& launch) {
  piece_.launches.push_back(launch);
}

void Assembler::put_out(const std::vector<Attribution::Answer>& answers) {
  for (const Attribution::Answer& answer : answers) {
    const auto held = held_.find(answer.ticket);
    if (held == held_.end()) continue;
    Launch launch = held->second;
    held_.erase(held);
    if (answer.work) {
      launch.sampled = samples_++;
      piece_.sampled.push_back(*answer.work);
      ++sampled_;
      PerKernel& kernel = kernels_[launch.kernel];
      const double weight = launch.duration.value_or(Seconds(0)).count();
      ++kernel.sampled;
      kernel.weight += weight;
      kernel.uncertainty += weight * static_cast<double>(answer.work->uncertainty);
    }
    put_out(launch);
  }
}

void Assembler::expect_samples(std::uint32_t device) {
  if (device < devices_.size() && !devices_[device].attribution) devices_[device].attribution.emplace(setup_.complete);
}

void Assembler::add_samples(std::uint32_t device, const std::vector<DeviceSample>& samples) {
  expect_samples(device);
  if (device >= devices_.size()) return;
  for (const DeviceSample& sample : samples) devices_[device].attribution->add_sample(sample);
}

void Assembler::add_reading(std::uint32_t device, Nanoseconds at, const ridge::Reading& reading) {
  piece_.readings.push_back(reading);
  piece_.readings.back().device = device;
  piece_.readings.back().time = since_start(at);
}

void Assembler::add_issue(Issue issue) {
  piece_.issues.push_back(std::move(issue));
}

void Assembler::settle(Nanoseconds now, Nanoseconds sampled_until) {
  now_ = std::max(now_, now);
  for (auto& [key, process] : processes_) complete_waiting(process, now, false);
  for (PerDevice& device : devices_) {
    if (device.attribution) put_out(device.attribution->settle(sampled_until));
  }
}

bool Assembler::empty() const {
  return piece_.launches.empty() && piece_.spans.empty() && piece_.readings.empty() && piece_.issues.empty() &&
         piece_.measurements.empty();
}

Profile Assembler::take() {
  Profile piece = std::exchange(piece_, {});
  tables_.take(piece);
  return piece;
}

std::optional<std::uint32_t> Assembler::device_of(ProcessKey process, std::uint32_t number) const {
  const auto found = processes_.find(process);
  return found == processes_.end() ? std::nullopt : device_of(found->second, number);
}

std::optional<std::uint32_t> Assembler::device_of(const Process& process, std::uint32_t number) {
  const auto device = process.devices.find(number);
  if (device == process.devices.end()) return std::nullopt;
  return device->second;
}

std::string Assembler::short_name(ProcessKey process, wire::TextId id) {
  const auto found = processes_.find(process);
  if (found == processes_.end()) return "";
  const auto index = kernel(found->second, id);
  return index ? tables_.kernel_name(*index) : "";
}

Seconds Assembler::since_start(Nanoseconds moment) const {
  return Seconds(static_cast<double>(static_cast<std::int64_t>(moment - setup_.start)) * 1e-9);
}

const std::string& Assembler::text_of(const Process& process, wire::TextId id) {
  static const std::string none;
  const auto found = process.texts.find(id);
  return found == process.texts.end() ? none : found->second;
}

}  // namespace ridge::collectors::session
