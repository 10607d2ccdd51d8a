#include "collectors/cupti/sampler.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>

#include "base/utf8.h"
#include "collectors/cuda/driver.h"
#include "collectors/cupti/host.h"
#include "collectors/cupti/image_queue.h"

namespace ridge::collectors::cupti {
namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(Quantity::kCount)> kNames{
    "dram_read", "dram_write", "l2", "warp_instructions", "sm_active", "occupancy", "tensor_active"};
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

using Clock = std::chrono::steady_clock;

/// Adds the time of its scope.
class Stopwatch {
 public:
  explicit Stopwatch(std::atomic<std::int64_t>& total) : total_(total) {}
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  ~Stopwatch() { total_ += std::chrono::duration_cast<nanoseconds>(Clock::now() - begin_).count(); }

 private:
  std::atomic<std::int64_t>& total_;
  Clock::time_point begin_ = Clock::now();
};

/// Threads begun in its scope take no signals: those are for the thread that waits for the program.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

std::size_t worker_count(const SamplerSettings& settings) {
  if (settings.workers > 0) return settings.workers;
  return std::clamp<std::size_t>(std::thread::hardware_concurrency() / 4, 1, 4);
}

struct Totals {
  std::atomic<std::int64_t> decode{0}, evaluate{0}, clear{0}, waited{0}, greatest_lag{0};
  std::atomic<std::uint64_t> samples{0}, looks{0}, images{0}, overflows{0};
};

/// Where a metric's value goes.
struct Slot {
  std::size_t quantity = 0;
  double scale = 1;
};

Result<std::vector<Slot>> slots_of(const SamplingPlan& plan) {
  std::vector<Slot> slots;
  for (const SampledMetric& metric : plan.metrics) {
    const auto* found = std::find(kNames.begin(), kNames.end(), metric.what);
    if (found == kNames.end()) {
      return fail(bad_input(fmt::format("\"{}\" is nothing that can be sampled", metric.what), "",
                            fmt::format("write one of {} in the recipe", fmt::join(kNames, ", "))));
    }
    slots.push_back({static_cast<std::size_t>(found - kNames.begin()), metric.scale});
  }
  return slots;
}

class DeviceSampler final : public Sampler {
 public:
  DeviceSampler(SharedCalls calls, SamplingPlan plan, std::vector<Slot> slots, std::vector<Host> hosts,
                const std::string& chip, std::size_t device, const SamplerSettings& settings)
      : calls_(std::move(calls)),
        plan_(std::move(plan)),
        slots_(std::move(slots)),
        hosts_(std::move(hosts)),
        settings_(settings),
        device_(calls_, device, chip, metric_names(plan_), plan_.config_image) {}
  ~DeviceSampler() override { stop(); }
  DeviceSampler(const DeviceSampler&) = delete;
  DeviceSampler& operator=(const DeviceSampler&) = delete;

  static std::vector<std::string> metric_names(const SamplingPlan& plan) {
    std::vector<std::string> names;
    for (const SampledMetric& metric : plan.metrics) names.push_back(metric.metric);
    return names;
  }

  Result<void> start(nanoseconds interval) override;
  void stop() override;
  Batch collect() override;
  [[nodiscard]] Refusal refusal() const override { return device_.refusal(); }
  [[nodiscard]] nanoseconds needed_interval() const override;
  [[nodiscard]] SamplerStatistics statistics() const override;
  [[nodiscard]] const SamplingPlan& plan() const override { return plan_; }

 private:
  Result<void> make_images();
  Result<void> start_threads();
  void end_workers();
  void decode_loop();
  /// Decodes once. False: nothing more will come, or not before a pause.
  bool look(Image*& image);
  void drain(Image*& image);
  void watch_lag(const Image& image, bool full);
  void fail_with(abi::Result result, const char* call);
  void work(const Host& host);
  void evaluate(const Host& host, const Image& image, std::vector<Sample>& samples) const;
  [[nodiscard]] nanoseconds pause() const;
  [[nodiscard]] std::uint32_t samples_per_image() const;

  SharedCalls calls_;
  SamplingPlan plan_;
  std::vector<Slot> slots_;
  std::vector<Host> hosts_;  // one a worker
  SamplerSettings settings_;
  PmDevice device_;
  nanoseconds interval_{0};
  std::vector<Image> images_;
  ImageQueue<Sample> queue_;
  std::thread decoder_;
  std::vector<std::thread> workers_;

  mutable std::mutex mutex_;
  std::condition_variable stopped_;
  bool stopping_ = false, behind_ = false, overflow_ = false;  // under mutex_, as is the next
  std::optional<Error> error_;
  nanoseconds last_lag_{0};  // the decoder's, as is the next
  int looks_behind_ = 0;
  Totals totals_;
  Totals before_;  // when start() was called
};

Result<void> DeviceSampler::make_images() {
  const auto size = device_.image_size(samples_per_image());
  if (!size) return fail(size.error());
  images_.resize(settings_.images);
  for (Image& image : images_) {
    image.bytes.resize(*size);
    const abi::Result result = device_.clear(image.bytes);
    if (result != abi::kSuccess) return fail(call_failed(*calls_, result, "cuptiPmSamplingCounterDataImageInitialize"));
  }
  queue_.reset(images_);
  return {};
}

Result<void> DeviceSampler::start(nanoseconds interval) {
  stop();
  interval_ = std::clamp(interval, settings_.shortest, settings_.longest);
  RIDGE_TRY(device_.configure(static_cast<std::uint64_t>(interval_.count()), settings_.hardware_buffer));
  Result<void> ready = make_images();
  if (ready) ready = device_.start();
  if (!ready) {
    device_.release();
    return ready;
  }
  before_.samples = totals_.samples.load();
  before_.decode = totals_.decode.load();
  before_.evaluate = totals_.evaluate.load();
  before_.clear = totals_.clear.load();
  last_lag_ = nanoseconds(0);
  looks_behind_ = 0;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = behind_ = overflow_ = false;
    error_.reset();
  }
  return start_threads();
}

Result<void> DeviceSampler::start_threads() {
  const SignalsBlocked blocked;
  try {
    for (const Host& host : hosts_) workers_.emplace_back([this, &host] { work(host); });
    decoder_ = std::thread([this] { decode_loop(); });
    return {};
  } catch (const std::system_error& problem) {
    end_workers();
    device_.release();
    return fail(internal_error(std::string("no thread can be started: ") + problem.what(), "sampling",
                               "allow this user more processes (ulimit -u)"));
  }
}

void DeviceSampler::end_workers() {
  queue_.close();
  for (std::thread& worker : workers_) worker.join();
  workers_.clear();
}

void DeviceSampler::stop() {
  if (!decoder_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  stopped_.notify_all();
  decoder_.join();
  end_workers();
  device_.release();
}

Sampler::Batch DeviceSampler::collect() {
  Batch batch;
  batch.samples = queue_.take_items();
  const std::lock_guard lock(mutex_);
  batch.behind = behind_;
  batch.overflow = overflow_;
  batch.error = error_;
  return batch;
}

std::uint32_t DeviceSampler::samples_per_image() const {
  if (settings_.samples_per_image > 0) return settings_.samples_per_image;
  return static_cast<std::uint32_t>(
      std::clamp<std::int64_t>(settings_.image_span / interval_, settings_.fewest_per_image, settings_.most_per_image));
}

nanoseconds DeviceSampler::pause() const {
  const auto filling =
      nanoseconds(static_cast<std::int64_t>(double(interval_.count()) * samples_per_image() * settings_.fill));
  return std::clamp(filling, settings_.least_pause, settings_.most_pause);
}

void DeviceSampler::decode_loop() {
  Image* image = nullptr;
  std::unique_lock lock(mutex_);
  while (!stopping_ && !overflow_ && !error_) {
    lock.unlock();
    const bool more = look(image);
    lock.lock();
    if (!more) stopped_.wait_for(lock, pause(), [&] { return stopping_; });
  }
  const bool lost = overflow_ || error_.has_value();
  stopped_.wait(lock, [&] { return stopping_; });
  lock.unlock();
  device_.stop();
  if (!lost) drain(image);
}

bool DeviceSampler::look(Image*& image) {
  if (image == nullptr) {
    const Stopwatch waiting(totals_.waited);
    image = queue_.take_free();
  }
  Decoded decoded;
  {
    const Stopwatch decoding(totals_.decode);
    decoded = device_.decode(image->bytes);
  }
  ++totals_.looks;
  if (decoded.samples > 0) {
    image->samples = decoded.samples;
    totals_.samples += decoded.samples;
    watch_lag(*image, decoded.image_full);
    queue_.give_full(std::exchange(image, nullptr));
  }
  if (decoded.overflow) {
    ++totals_.overflows;
    const std::lock_guard lock(mutex_);
    overflow_ = behind_ = true;
    return false;
  }
  if (decoded.result != abi::kSuccess) fail_with(decoded.result, "cuptiPmSamplingDecodeData");
  return decoded.result == abi::kSuccess && decoded.image_full && decoded.samples > 0;
}

void DeviceSampler::drain(Image*& image) {
  const Clock::time_point end = Clock::now() + settings_.drain;
  while (look(image)) {
    if (Clock::now() < end) continue;
    const std::lock_guard lock(mutex_);
    behind_ = true;
    return;
  }
}

void DeviceSampler::watch_lag(const Image& image, bool full) {
  std::uint64_t start = 0, end = 0, now = 0;
  if (!device_.times(image.bytes, image.samples - 1, start, end) || calls_->timestamp(&now) != abi::kSuccess) return;
  const nanoseconds lag(now > end ? static_cast<std::int64_t>(now - end) : 0);
  totals_.greatest_lag = std::max(totals_.greatest_lag.load(), lag.count());
  const bool late = lag > settings_.most_lag && lag > last_lag_;
  looks_behind_ = late || full ? looks_behind_ + 1 : 0;
  last_lag_ = lag;
  if (looks_behind_ < settings_.looks_behind) return;
  const std::lock_guard lock(mutex_);
  behind_ = true;
}

void DeviceSampler::fail_with(abi::Result result, const char* call) {
  const std::lock_guard lock(mutex_);
  error_ = call_failed(*calls_, result, call);
}

void DeviceSampler::work(const Host& host) {
  while (Image* image = queue_.take_full()) {
    std::vector<Sample> samples(image->samples);
    {
      const Stopwatch evaluating(totals_.evaluate);
      evaluate(host, *image, samples);
    }
    queue_.give_items(image->sequence, std::move(samples));
    abi::Result cleared = abi::kSuccess;
    {
      const Stopwatch clearing(totals_.clear);
      cleared = device_.clear(image->bytes);
    }
    ++totals_.images;
    if (cleared != abi::kSuccess) fail_with(cleared, "cuptiPmSamplingCounterDataImageInitialize");
    queue_.give_free(image);
  }
}

void DeviceSampler::evaluate(const Host& host, const Image& image, std::vector<Sample>& samples) const {
  const std::vector<std::string> metrics = metric_names(plan_);
  std::vector<const char*> names = c_names(metrics);
  std::vector<double> values(names.size());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    Sample& sample = samples[i];
    sample.values.fill(kNone);
    const bool timed = device_.times(image.bytes, i, sample.start, sample.end);
    if (!timed || host.evaluate(image.bytes, i, names, values.data()) != abi::kSuccess) continue;
    for (std::size_t m = 0; m < slots_.size(); ++m) sample.values[slots_[m].quantity] = values[m] * slots_[m].scale;
    // Shares of the active time are 0/0 where nothing was active.
    if (sample[Quantity::kSmActive] != 0) continue;
    for (const Slot& slot : slots_) {
      double& value = sample.values[slot.quantity];
      if (std::isnan(value)) value = 0;
    }
  }
  samples.erase(std::remove_if(samples.begin(), samples.end(), [](const Sample& s) { return s.end <= s.start; }),
                samples.end());
}

nanoseconds DeviceSampler::needed_interval() const {
  const double samples = double(totals_.samples - before_.samples);
  if (samples <= 0) return nanoseconds(0);
  const double decode = double(totals_.decode - before_.decode) / samples;
  const double rest = double(totals_.evaluate - before_.evaluate + totals_.clear - before_.clear) / samples;
  const double needed = std::max(decode, rest / double(hosts_.size())) * settings_.headroom;
  return nanoseconds(static_cast<std::int64_t>(needed));
}

SamplerStatistics DeviceSampler::statistics() const {
  SamplerStatistics result;
  result.samples = totals_.samples;
  result.looks = totals_.looks;
  result.images = totals_.images;
  result.overflows = totals_.overflows;
  result.decode = nanoseconds(totals_.decode);
  result.evaluate = nanoseconds(totals_.evaluate);
  result.clear = nanoseconds(totals_.clear);
  result.waited = nanoseconds(totals_.waited);
  result.greatest_lag = nanoseconds(totals_.greatest_lag);
  result.image_bytes = images_.empty() ? 0 : images_.front().bytes.size();
  result.workers = hosts_.size();
  return result;
}

}  // namespace

std::string_view name(Quantity quantity) {
  return kNames[static_cast<std::size_t>(quantity)];
}

std::string SamplerStatistics::text() const {
  const double each = samples == 0 ? 1 : double(samples);
  return fmt::format(
      "{} samples in {} looks and {} images of {} bytes; per sample {:.2f} us decoding, {:.2f} us evaluating, {:.2f} "
      "us "
      "clearing ({} workers); waited {:.1f} ms for images; greatest lag {:.1f} ms; {} overflows",
      samples, looks, images, image_bytes, double(decode.count()) / each / 1e3, double(evaluate.count()) / each / 1e3,
      double(clear.count()) / each / 1e3, workers, double(waited.count()) / 1e6, double(greatest_lag.count()) / 1e6,
      overflows);
}

Result<std::size_t> device_at(const std::string& address) {
  const auto driver = cuda::load_driver();
  if (!driver) return fail(driver.error());
  cuda::Status status = driver->init(0);
  int count = 0;
  if (status == cuda::kSuccess) status = driver->device_count(&count);
  if (status != cuda::kSuccess) {
    return fail(not_available("the driver cannot be used: " + driver->reason(status), driver->library.name(),
                              "run ridge doctor to see what works here"));
  }
  const auto tail = [](const std::string& address_text) {
    const std::string text = to_lower_ascii(address_text);
    return text.substr(std::min(text.find_first_not_of("0:"), text.size()));
  };
  for (int index = 0; index < count; ++index) {
    cuda::DeviceNumber device = 0;
    std::array<char, 32> own{};
    if (driver->device_get(&device, index) != cuda::kSuccess ||
        driver->device_address(own.data(), static_cast<int>(own.size()), device) != cuda::kSuccess) {
      continue;
    }
    if (tail(own.data()) == tail(address)) return static_cast<std::size_t>(index);
  }
  return fail(not_available("the device is not visible to this process", address,
                            "set CUDA_VISIBLE_DEVICES for ridge as for the program"));
}

Result<std::unique_ptr<Sampler>> Sampler::open(const SharedCalls& calls, const Recipe& recipe, const std::string& chip,
                                               const std::string& address, const SamplerSettings& settings) {
  if (!calls->has_sampling()) {
    return fail(not_available(fmt::format("CUPTI {} cannot sample", calls->version), calls->path,
                              "install CUPTI 12.6 or later, or name another with --cupti"));
  }
  auto plan = make_sampling_plan(calls, recipe, chip);
  if (!plan) return fail(plan.error());
  auto slots = slots_of(*plan);
  if (!slots) return fail(slots.error());
  const SignalsBlocked blocked;  // the driver begins threads
  const auto device = device_at(address);
  if (!device) return fail(device.error());
  auto initialise = abi::params<abi::ProfilerInitializeParams>();
  const abi::Result result = calls->initialise(&initialise);
  if (result != abi::kSuccess) return fail(call_failed(*calls, result, "cuptiProfilerInitialize"));
  std::vector<Host> hosts;
  for (std::size_t i = 0; i < worker_count(settings); ++i) {
    auto host = Host::make(calls, chip, Use::kSampling);
    if (!host) return fail(host.error());
    RIDGE_TRY(host->schedule(DeviceSampler::metric_names(*plan)));
    hosts.push_back(std::move(*host));
  }
  return std::make_unique<DeviceSampler>(calls, std::move(*plan), std::move(*slots), std::move(hosts), chip, *device,
                                         settings);
}

}  // namespace ridge::collectors::cupti
