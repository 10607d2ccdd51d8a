#include "collectors/agent/records.h"

namespace ridge::collectors::agent {
namespace {

constexpr std::size_t kBatch = 4096;
// Ends whose beginnings were before the recording would otherwise be kept for ever.
constexpr std::size_t kOpenRanges = 1U << 16U;

// CUPTI gives a record's bytes; its kind says what they are.
template <class Record>
const Record& as(const abi::Activity& record) {
  return *static_cast<const Record*>(static_cast<const void*>(&record));
}

wire::MemoryKind memory_kind(std::uint32_t code) {
  switch (code) {
    case abi::kMemoryPageable:
      return wire::MemoryKind::kPageable;
    case abi::kMemoryPinned:
      return wire::MemoryKind::kPinned;
    case abi::kMemoryDevice:
    case abi::kMemoryDeviceStatic:
      return wire::MemoryKind::kDevice;
    case abi::kMemoryArray:
      return wire::MemoryKind::kArray;
    case abi::kMemoryManaged:
    case abi::kMemoryManagedStatic:
      return wire::MemoryKind::kManaged;
    default:
      return wire::MemoryKind::kUnknown;
  }
}

std::uint32_t unsigned_of(std::int32_t number) {
  return number < 0 ? 0 : static_cast<std::uint32_t>(number);
}

// Records of CUPTI before 11.8 end earlier; the agent asks for 12 and later, where all of these are there.
wire::Shape shape_of(const abi::ActivityKernel& record) {
  wire::Shape shape;
  shape.grid = {unsigned_of(record.gridX), unsigned_of(record.gridY), unsigned_of(record.gridZ)};
  shape.block = {unsigned_of(record.blockX), unsigned_of(record.blockY), unsigned_of(record.blockZ)};
  shape.cluster = {record.clusterX, record.clusterY, record.clusterZ};
  shape.registers = record.registersPerThread;
  shape.shared_static = unsigned_of(record.staticSharedMemory);
  shape.shared_dynamic = unsigned_of(record.dynamicSharedMemory);
  return shape;
}

// 1 and 2: cooperative, on one device or several.
bool is_cooperative(std::uint8_t launch_type) {
  return launch_type == 1 || launch_type == 2;
}

const char* synchronisation_name(std::uint32_t type) {
  switch (type) {
    case abi::kSynchronizeEvent:
      return "event synchronise";
    case abi::kStreamWaitEvent:
      return "stream waits for event";
    case abi::kSynchronizeStream:
      return "stream synchronise";
    case abi::kSynchronizeContext:
      return "context synchronise";
    default:
      return "synchronise";
  }
}

const char* unified_name(std::uint32_t counter) {
  switch (counter) {
    case abi::kUnifiedBytesHtod:
      return "host to device";
    case abi::kUnifiedBytesDtoh:
      return "device to host";
    case abi::kUnifiedBytesDtod:
      return "device to device";
    case abi::kUnifiedCpuPageFaults:
      return "CPU";
    case abi::kUnifiedGpuPageFault:
      return "GPU";
    default:
      return "";
  }
}

}  // namespace

void RecordReader::read(const abi::Activity& record) {
  switch (record.kind) {
    case abi::kActivityKernel:
    case abi::kActivityConcurrentKernel:
      kernel(as<abi::ActivityKernel>(record));
      break;
    case abi::kActivityMemcpy:
      copy(as<abi::ActivityMemcpy>(record));
      break;
    case abi::kActivityMemcpy2:
      peer_copy(as<abi::ActivityMemcpyPtoP>(record));
      break;
    case abi::kActivityMemset:
      set(as<abi::ActivityMemset>(record));
      break;
    case abi::kActivityRuntime:
      call(as<abi::ActivityApi>(record), true);
      break;
    case abi::kActivityDriver:
      call(as<abi::ActivityApi>(record), false);
      break;
    case abi::kActivityMarker:
      marker(as<abi::ActivityMarker>(record));
      break;
    case abi::kActivitySynchronization:
      synchronisation(as<abi::ActivitySynchronization>(record));
      break;
    case abi::kActivityMemory2:
      allocation(as<abi::ActivityMemory>(record));
      break;
    case abi::kActivityUnifiedMemoryCounter:
      unified(as<abi::ActivityUnifiedMemory>(record));
      break;
    default:
      ++unknown_;
  }
}

void RecordReader::flush() {
  if (!launches_.items.empty()) outbox_.send(launches_, Weight::kBulk);
  if (!copies_.items.empty()) outbox_.send(copies_, Weight::kBulk);
  if (!events_.items.empty()) outbox_.send(events_, Weight::kBulk);
  launches_.items.clear();
  copies_.items.clear();
  events_.items.clear();
  if (unknown_ > 0 && outbox_.send(wire::Dropped{wire::Loss::kUnknownRecords, unknown_}, Weight::kNeeded)) unknown_ = 0;
}

// Where there are no callbacks, records are the first to tell of a context.
void RecordReader::context(std::uint32_t context, std::uint32_t device) {
  if (context == last_context_) return;
  last_context_ = context;
  books_.devices.device(device);
  books_.devices.context(context, device);
}

void RecordReader::kernel(const abi::ActivityKernel& record) {
  const auto count = [](auto x, auto y, auto z) {
    return static_cast<std::uint64_t>(x) * static_cast<std::uint64_t>(y) * static_cast<std::uint64_t>(z);
  };
  if (tally_.is_of_profiler(record.name, count(record.gridX, record.gridY, record.gridZ),
                            count(record.blockX, record.blockY, record.blockZ))) {
    return;
  }
  context(record.contextId, record.deviceId);
  tally_.kernel(record.deviceId, record.correlationId, record.start, record.end);
  Selection::Launch seen;
  seen.kernel = &books_.kernels.find(record.name);
  const wire::Shape shape = shape_of(record);
  seen.key = {seen.kernel->id, shape.grid, shape.block, shape.shared_dynamic};
  seen.device = record.deviceId;
  seen.cooperative = is_cooperative(record.launchType);
  seen.in_graph = record.graphNodeId != 0;
  if (!policy_.at_record(seen, record.correlationId, record.start, record.end)) return;
  wire::Launch launch;
  launch.kernel = seen.key.kernel;
  launch.shape = books_.shapes.id(shape);
  launch.device = record.deviceId;
  launch.context = record.contextId;
  launch.stream = record.streamId;
  launch.correlation = record.correlationId;
  launch.graph_node = record.graphNodeId;
  launch.start = record.start;
  launch.end = record.end;
  launches_.items.push_back(launch);
  if (launches_.items.size() >= kBatch) flush();
}

// `copy` says what kind of record it is; the rest is the same in all three.
template <class Record>
void RecordReader::add(wire::Copy& copy, const Record& record) {
  copy.stream = record.streamId;
  copy.bytes = record.bytes;
  copy.correlation = record.correlationId;
  copy.start = record.start;
  copy.end = record.end;
  context(copy.context, copy.device);
  if (!policy_.device_wanted(copy.device)) return;
  copies_.items.push_back(copy);
  if (copies_.items.size() >= kBatch) flush();
}

void RecordReader::copy(const abi::ActivityMemcpy& record) {
  wire::Copy copy;
  copy.from = memory_kind(record.srcKind);
  copy.to = memory_kind(record.dstKind);
  copy.device = copy.other_device = record.deviceId;
  copy.context = record.contextId;
  add(copy, record);
}

void RecordReader::peer_copy(const abi::ActivityMemcpyPtoP& record) {
  wire::Copy copy;
  copy.from = memory_kind(record.srcKind);
  copy.to = memory_kind(record.dstKind);
  copy.device = record.srcDeviceId;
  copy.other_device = record.dstDeviceId;
  copy.context = record.srcContextId;
  add(copy, record);
}

void RecordReader::set(const abi::ActivityMemset& record) {
  wire::Copy copy;
  copy.set = true;
  copy.to = memory_kind(record.memoryKind);
  copy.device = copy.other_device = record.deviceId;
  copy.context = record.contextId;
  add(copy, record);
}

void RecordReader::add(const wire::Event& event) {
  events_.items.push_back(event);
  if (events_.items.size() >= kBatch) flush();
}

wire::TextId RecordReader::call_name(bool runtime, std::uint32_t callback) {
  const std::uint32_t domain = runtime ? abi::kDomainRuntime : abi::kDomainDriver;
  const auto [place, fresh] = calls_.try_emplace((std::uint64_t{domain} << 32U) | callback, 0);
  if (!fresh && place->second != 0) return place->second;
  const char* name = nullptr;
  if (cupti_.get_callback_name != nullptr) cupti_.get_callback_name(domain, callback, &name);
  place->second = books_.texts.id(name != nullptr ? std::string(name) : "call " + std::to_string(callback));
  return place->second;
}

void RecordReader::call(const abi::ActivityApi& record, bool runtime) {
  wire::Event event;
  event.kind = runtime ? wire::EventKind::kRuntimeCall : wire::EventKind::kDriverCall;
  event.name = call_name(runtime, record.cbid);
  event.thread = record.threadId;
  event.correlation = record.correlationId;
  event.start = record.start;
  event.end = record.end;
  add(event);
}

// The beginning and the end of a range are two records, in buffers that may come in either order.
void RecordReader::marker(const abi::ActivityMarker& record) {
  const bool starts = (record.flags & abi::kMarkerStart) != 0;
  const bool ends = (record.flags & abi::kMarkerEnd) != 0;
  if (ends && ranges_.size() >= kOpenRanges && !ranges_.contains(record.id)) return;
  OpenRange& range = ranges_[record.id];
  if (record.name != nullptr) range.name = books_.texts.id(record.name);
  if (starts || !ends) {
    range.thread = record.threadId;
    range.start = record.timestamp;
  }
  if (ends || !starts) range.end = record.timestamp;
  if (range.start == 0 || range.end == 0) return;
  wire::Event event;
  event.kind = wire::EventKind::kRange;
  event.name = range.name;
  event.thread = range.thread;
  event.start = range.start;
  event.end = range.end;
  ranges_.erase(record.id);
  add(event);
}

void RecordReader::synchronisation(const abi::ActivitySynchronization& record) {
  wire::Event event;
  event.kind = wire::EventKind::kSynchronisation;
  event.name = books_.texts.id(synchronisation_name(record.type));
  event.context = record.contextId;
  event.stream = record.streamId;
  event.correlation = record.correlationId;
  event.start = record.start;
  event.end = record.end;
  add(event);
}

void RecordReader::allocation(const abi::ActivityMemory& record) {
  wire::Event event;
  event.kind = wire::EventKind::kAllocation;
  event.name = books_.texts.id(record.memoryOperationType == abi::kMemoryRelease ? "release" : "allocate");
  event.device = record.deviceId;
  event.context = record.contextId;
  event.stream = record.streamId;
  event.bytes = record.bytes;
  event.correlation = record.correlationId;
  event.start = event.end = record.timestamp;
  add(event);
}

void RecordReader::unified(const abi::ActivityUnifiedMemory& record) {
  const bool fault =
      record.counterKind == abi::kUnifiedCpuPageFaults || record.counterKind == abi::kUnifiedGpuPageFault;
  const char* name = unified_name(record.counterKind);
  if (*name == '\0') {
    ++unknown_;
    return;
  }
  wire::Event event;
  event.kind = fault ? wire::EventKind::kPageFault : wire::EventKind::kPageMigration;
  event.name = books_.texts.id(name);
  event.device = record.counterKind == abi::kUnifiedBytesHtod ? record.dstId : record.srcId;
  event.stream = record.streamId;
  event.bytes = record.value;
  event.start = record.start;
  event.end = record.end == 0 ? record.start : record.end;
  add(event);
}

}  // namespace ridge::collectors::agent
