#include "collectors/agent/launches.h"

#include "collectors/agent/clock.h"

namespace ridge::collectors::agent {
namespace {

using Wait = LaunchGate::Wait;
constexpr Wait kForAMeasurement{2000};   // an ordinary launch, while another one is measured
constexpr Wait kForLaunchesInside{200};  // a measured launch, for ordinary ones to end
constexpr Wait kForTheEnd{2000};         // giving back, for a measurement to end
constexpr Wait kForAChange{20};          // of what is called back
constexpr std::uint32_t kBusyAtMost = 3;

// What the calling thread is in the middle of: one launch call.
enum class Inside : std::uint8_t { kNothing, kDeciding, kOrdinary, kMeasured };
struct ThreadState {
  Inside inside;
  std::uint32_t nested;
  std::uint64_t epoch, ticket;
  std::uint32_t recipe;
  std::uint64_t began_steady;
  std::optional<std::uint32_t> launches_on;  ///< the device of a launch that is no graph's
};
thread_local ThreadState thread_state;

bool is_capture(std::uint32_t callback) {
  switch (callback) {
    case abi::kCuStreamBeginCapture:
    case abi::kCuStreamBeginCapturePtsz:
    case abi::kCuStreamEndCapture:
    case abi::kCuStreamEndCapturePtsz:
    case abi::kCuStreamBeginCaptureV2:
    case abi::kCuStreamBeginCaptureV2Ptsz:
    case abi::kCuStreamBeginCaptureToGraph:
    case abi::kCuStreamBeginCaptureToGraphPtsz:
      return true;
    default:
      return false;
  }
}

bool is_end_of_capture(std::uint32_t callback) {
  return callback == abi::kCuStreamEndCapture || callback == abi::kCuStreamEndCapturePtsz;
}

bool succeeded(const abi::CallbackData& data) {
  return data.functionReturnValue == nullptr || *static_cast<const int*>(data.functionReturnValue) == 0;
}

bool has_cooperative_attribute(const abi::LaunchConfig& config) {
  for (std::uint32_t i = 0; config.attrs != nullptr && i < config.numAttrs; ++i) {
    const auto& attribute = config.attrs[i];
    if (attribute.id == abi::kLaunchAttributeCooperative && attribute.value.cooperative != 0) return true;
  }
  return false;
}

// LaunchKernelParams and LaunchConfig name these members alike.
template <class Numbers>
void read_shape(const Numbers& from, LaunchKey& key) {
  key.grid = {from.gridDimX, from.gridDimY, from.gridDimZ};
  key.block = {from.blockDimX, from.blockDimY, from.blockDimZ};
  key.shared_dynamic = from.sharedMemBytes;
}

}  // namespace

struct LaunchWatch::Call {
  Selection::Launch launch;
  abi::Stream stream = nullptr;
  bool graph = false;
  bool per_thread = false;
};

LaunchWatch::LaunchWatch(const Parts& parts, bool counters, OnProblem problem)
    : parts_(parts),
      counting_(counters),
      problem_(std::move(problem)),
      counters_(parts.cupti, parts.driver),
      range_counters_(parts.cupti, parts.driver) {}

void LaunchWatch::restart() {
  ++epoch_;
  gate_.restart();
}

void LaunchWatch::context_made(std::uint32_t context, std::uint32_t device) {
  const std::lock_guard lock(contexts_mutex_);
  if (devices_.size() <= context) devices_.resize(context + std::size_t{1});
  devices_[context] = device;
}

void LaunchWatch::prepare() {
  if (!counting_) return;
  if (const auto failure = counters_.initialise()) {
    problem_(wire::Stage::kCounters, failure->code, failure->call + ": " + parts_.cupti.name(failure->code), 0);
    parts_.policy.give_up();
  }
}

std::uint32_t LaunchWatch::device_of(std::uint32_t context) {
  const std::lock_guard lock(contexts_mutex_);
  return context < devices_.size() ? devices_[context] : 0;
}

void LaunchWatch::context_ends(abi::Context context) {
  if (!counting_ || !gate_.close(kForTheEnd)) return;
  counters_.forget(context);
  range_counters_.forget(context);
  gate_.open();
}

void LaunchWatch::on_call(std::uint32_t callback, const abi::CallbackData& data) {
  if (is_capture(callback)) {
    if (data.callbackSite != abi::kExit) return;
    if (is_end_of_capture(callback)) {
      if (--captures_ < 0) captures_ = 0;
    } else if (succeeded(data)) {
      ++captures_;
    }
    return;
  }
  ThreadState& state = thread_state;
  if (data.callbackSite == abi::kEnter) {
    if (state.epoch != epoch_.load()) {
      // The end of this thread's last launch was not seen.
      if (state.inside == Inside::kMeasured) abandon_measuring();
      state = {Inside::kNothing, 0, epoch_.load(), 0, 0, 0, std::nullopt};
    }
    // What the profiler itself calls on this thread is not the program's.
    if (state.inside != Inside::kNothing) {
      ++state.nested;
    } else {
      enter(callback, data);
    }
  } else if (state.nested > 0) {
    --state.nested;
  } else {
    leave(data);
  }
}

bool LaunchWatch::captured(abi::Stream stream) const {
  if (captures_.load() == 0 || parts_.driver.stream_is_capturing == nullptr) return false;
  int status = 0;
  return parts_.driver.stream_is_capturing(stream, &status) == 0 && status != 0;
}

// False: nothing of it can be told.
bool LaunchWatch::describe(std::uint32_t callback, const abi::CallbackData& data, Call& call) {
  if (data.functionParams == nullptr) return false;
  switch (callback) {
    case abi::kCuLaunchCooperativeKernel:
    case abi::kCuLaunchCooperativeKernelPtsz:
      call.launch.cooperative = true;
      [[fallthrough]];
    case abi::kCuLaunchKernel:
    case abi::kCuLaunchKernelPtsz: {
      const auto& params = *static_cast<const abi::LaunchKernelParams*>(data.functionParams);
      read_shape(params, call.launch.key);
      call.stream = params.hStream;
      break;
    }
    case abi::kCuLaunchKernelEx:
    case abi::kCuLaunchKernelExPtsz: {
      const auto* config = static_cast<const abi::LaunchKernelExParams*>(data.functionParams)->config;
      if (config == nullptr) return false;
      read_shape(*config, call.launch.key);
      call.stream = config->hStream;
      call.launch.cooperative = has_cooperative_attribute(*config);
      break;
    }
    case abi::kCuGraphLaunch:
    case abi::kCuGraphLaunchPtsz:
      call.graph = true;
      return true;
    default:
      return false;
  }
  call.per_thread = callback == abi::kCuLaunchKernelPtsz || callback == abi::kCuLaunchKernelExPtsz;
  call.launch.kernel = &parts_.kernels.find(data.symbolName);
  call.launch.key.kernel = call.launch.kernel->id;
  call.launch.device = device_of(data.contextUid);
  return true;
}

void LaunchWatch::enter(std::uint32_t callback, const abi::CallbackData& data) {
  thread_state.inside = Inside::kDeciding;
  thread_state.launches_on.reset();
  Call call;
  const bool known = describe(callback, data, call);
  if (known && !call.graph && captured(call.stream)) return;
  if (known && call.graph) {
    ++graphs_;
    parts_.policy.at_graph_launch(data.correlationId, parts_.ranges.inside());
  } else if (known) {
    ++launches_;
    thread_state.launches_on = call.launch.device;
    const auto verdict = parts_.policy.at_launch(call.launch, data.correlationId, parts_.ranges.inside());
    if (verdict.give_back) give_back();
    if (verdict.measure) measure(data, call, *verdict.measure);
  }
  if (!counting_ || thread_state.inside == Inside::kMeasured) return;
  thread_state.ticket = gate_.pass(kForAMeasurement);
  thread_state.inside = Inside::kOrdinary;
}

void LaunchWatch::leave(const abi::CallbackData& data) {
  const Inside inside = thread_state.inside;
  thread_state.inside = Inside::kNothing;
  const bool of_range = range_counted_ && thread_state.launches_on == range_device_.load();
  if (of_range && succeeded(data)) ++range_launches_;
  if (inside == Inside::kOrdinary) gate_.passed(thread_state.ticket);
  if (inside == Inside::kMeasured) finish_measuring(data);
}

// Leaves the gate closed and the thread measuring if the profiler started.
void LaunchWatch::measure(const abi::CallbackData& data, const Call& call, std::uint32_t recipe) {
  if (captures_.load() != 0 || open_ranges_ > 0 || !gate_.close(kForLaunchesInside)) {
    parts_.policy.abandoned(call.launch.key);  // a later launch of the shape gets another chance
    return;
  }
  if (open_ranges_ > 0) {
    // It began while this launch waited.
    gate_.open();
    parts_.policy.abandoned(call.launch.key);
    return;
  }
  range_counters_.disable();
  const std::uint64_t began = steady_now();
  measured_ = {};
  measured_.recipe = recipe;
  measured_.kernel = call.launch.key.kernel;
  measured_.grid = call.launch.key.grid;
  measured_.block = call.launch.key.block;
  measured_.shared_dynamic = call.launch.key.shared_dynamic;
  measured_.device = call.launch.device;
  measured_.context = data.contextUid;
  measured_.correlation = data.correlationId;
  measured_.began = real_now();
  std::uint32_t stream = 0;
  if (parts_.cupti.get_stream_id_ex != nullptr) {
    parts_.cupti.get_stream_id_ex(data.context, call.stream, call.per_thread ? 1 : 0, &stream);
  }
  measured_.stream = stream;
  if (const auto failure = counters_.begin(data.context, call.launch.device, recipe)) {
    gate_.open();
    if (failure->busy()) {
      parts_.policy.abandoned(call.launch.key);  // it says nothing about the kernel
    } else {
      parts_.policy.measured(call.launch.key, recipe, false, steady_now() - began);
    }
    failed(*failure, call.launch.key.kernel);
    return;
  }
  busy_ = 0;
  parts_.tally.replayed(data.correlationId);
  thread_state.inside = Inside::kMeasured;
  thread_state.recipe = recipe;
  thread_state.began_steady = began;
}

void LaunchWatch::finish_measuring(const abi::CallbackData& data) {
  std::string image;
  const auto failure = counters_.end(image);
  measured_.ended = real_now();
  const LaunchKey key{measured_.kernel, measured_.grid, measured_.block, measured_.shared_dynamic};
  // A launch that the driver refused has counted nothing.
  const bool well = !failure && succeeded(data);
  if (well) {
    measured_.image = std::move(image);
    parts_.outbox.send(measured_, Weight::kNeeded);
  }
  gate_.open();
  parts_.policy.measured(key, thread_state.recipe, well, steady_now() - thread_state.began_steady);
  if (failure) failed(*failure, key.kernel);
}

void LaunchWatch::abandon_measuring() {
  counters_.cancel();
  parts_.policy.abandoned({measured_.kernel, measured_.grid, measured_.block, measured_.shared_dynamic});
  gate_.open();
}

void LaunchWatch::warm_up(abi::Context context, std::uint32_t device) {
  if (!counting_ || open_ranges_ > 0 || !gate_.close(kForLaunchesInside)) return;
  range_counters_.disable();
  const auto failure = counters_.warm_up(context, device);
  gate_.open();
  if (failure && (failure->for_good() || failure->busy())) failed(*failure, 0);
}

bool LaunchWatch::between_launches(const std::function<void()>& change) {
  if (!counting_) {
    change();
    return true;
  }
  if (!gate_.close(kForAChange)) return false;
  change();
  gate_.open();
  return true;
}

void LaunchWatch::range_begins(abi::Context context, std::uint32_t device) {
  range_counted_ = false;
  const bool possible = counting_ && !range_gave_up_ && parts_.cupti.can_count_ranges() && captures_.load() == 0 &&
                        range_counters_.has(device);
  if (!possible || !parts_.policy.begin_range()) return;
  range_device_ = device;
  range_launches_ = 0;
  graphs_before_ = graphs_.load();
  range_counted_ = count_range(context, device);
  if (!range_counted_) parts_.policy.end_range();
}

bool LaunchWatch::count_range(abi::Context context, std::uint32_t device) {
  if (!gate_.close(kForLaunchesInside)) return false;
  if (!parts_.policy.lease_held()) {
    gate_.open();
    return false;
  }
  // A session for replays and one for ranges exclude each other.
  auto failure = counters_.initialise();
  if (!failure) failure = counters_.disable_all();
  if (!failure) failure = range_counters_.begin(context, device);
  gate_.open();
  if (failure) {
    range_failed(*failure);
  } else {
    range_busy_ = 0;
    parts_.tally.counted();
  }
  return !failure;
}

LaunchWatch::Range LaunchWatch::range_ends() {
  Range range;
  if (range_counted_.exchange(false)) {
    range.counted = true;
    range.launches = range_launches_.load();
    range.graphs = graphs_.load() != graphs_before_;
    // A launch that does not come out in time keeps the counters running: they are those of no range then.
    if (gate_.close(kForTheEnd)) {
      const auto failure = range_counters_.end(range.image);
      gate_.open();
      if (failure) range_failed(*failure);
    }
    parts_.policy.end_range();
  }
  return range;
}

// Says nothing about replays, which may work all the same.
void LaunchWatch::range_failed(const Counters::Failure& failure) {
  if (failure.for_good() || (failure.busy() && ++range_busy_ >= kBusyAtMost)) range_gave_up_ = true;
  problem_(wire::Stage::kMeasuredRange, failure.code, failure.call + ": " + parts_.cupti.name(failure.code), 0);
}

void LaunchWatch::failed(const Counters::Failure& failure, wire::TextId kernel) {
  // What is forbidden or held by others is not the kernel's failure.
  const bool of_kernel = !failure.for_good() && !failure.busy();
  const bool named = of_kernel && kernel != 0;
  problem_(named ? wire::Stage::kRange : wire::Stage::kCounters, failure.code,
           failure.call + ": " + parts_.cupti.name(failure.code), named ? kernel : 0);
  const bool for_good = failure.for_good() || (failure.busy() && ++busy_ >= kBusyAtMost);
  if (for_good) parts_.policy.give_up();
  if (for_good || failure.busy()) give_back();
}

void LaunchWatch::give_back() {
  const bool closed = gate_.close(kForTheEnd);
  if (closed) {
    auto failure = counters_.disable_all();
    if (auto failed = range_counters_.disable()) failure = failed;
    if (failure) {
      problem_(wire::Stage::kCounters, failure->code, failure->call + ": " + parts_.cupti.name(failure->code), 0);
    }
  }
  // Before the gate opens: who waits at it asks whether the lease is still held.
  parts_.policy.lease_returned();
  if (closed) gate_.open();
}

}  // namespace ridge::collectors::agent
