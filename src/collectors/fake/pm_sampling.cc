// Sampling of a whole device: its protocol around sampler.h.
//
// The counters are held from SetConfig until Disable, as long as another process's replay is kept out. A sample can be
// decoded once it is sampler-delay old, so that every process had time to write down what it launched; Stop waits for
// that. The hardware's buffer holds 512 bytes a sample.
#include <algorithm>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>

#include "collectors/fake/export.h"
#include "collectors/fake/lasting.h"
#include "collectors/fake/machine.h"
#include "collectors/fake/metrics.h"
#include "collectors/fake/profiler_common.h"
#include "collectors/fake/sampler.h"

namespace ridge::collectors::fake {
namespace {

constexpr std::size_t kBytesPerSample = 512;
constexpr std::uint64_t kShortest = 1'000;
constexpr double kNotCounted = std::numeric_limits<double>::quiet_NaN();

struct PmSampling {
  std::uint32_t device = 0;
  std::vector<std::string> image_bases;    ///< of the last GetCounterDataSize
  std::vector<std::string> sampled_bases;  ///< of the configuration
  Config config;
  std::uint64_t interval = 0, capacity = 0, stopped = 0, decodes = 0;
  bool keep_latest = false, configured = false, started = false, overflown = false;
  CounterLock lock;
  std::optional<Sampler> sampler;
  std::optional<WorkReader> reader;
};

struct Samplings {
  std::mutex mutex;
  std::vector<std::unique_ptr<PmSampling>> all;
};

Samplings& samplings() {
  return lasting<Samplings>();
}

/// With the mutex held. nullptr: no such object.
PmSampling* find(const abi::PmSamplingObject* object) {
  for (const auto& one : samplings().all) {
    if (static_cast<const void*>(one.get()) == object) return one.get();
  }
  return nullptr;
}

std::uint64_t interval_of(const abi::PmSetConfigParams& params, const Device& device) {
  if (params.triggerMode == abi::kTriggerTimeInterval) return params.samplingInterval;
  return static_cast<std::uint64_t>(static_cast<double>(params.samplingInterval) / device.sm_clock * 1e9);
}

/// Up to when samples can be decoded.
std::uint64_t horizon(const PmSampling& sampling) {
  const std::uint64_t settled = now() - world()->script.sampler_delay;
  return sampling.started ? settled : std::min(settled, sampling.stopped);
}

/// True: the hardware's buffer is too full, and stays so until sampling starts anew.
bool overflows(PmSampling& sampling, std::uint64_t ready) {
  const std::uint64_t after = world()->script.faults.overflow_after;
  if (after > 0 && ++sampling.decodes > after) sampling.overflown = true;
  if (ready > sampling.capacity && !sampling.keep_latest) sampling.overflown = true;
  if (ready > sampling.capacity && sampling.keep_latest) sampling.sampler->skip(ready - sampling.capacity);
  return sampling.overflown;
}

void decode(PmSampling& sampling, CounterImage& image, std::uint64_t ready, abi::PmDecodeDataParams& params) {
  for (; ready > 0 && !image.full(); --ready) {
    Sample sample = sampling.sampler->take();
    std::vector<double> amounts;
    for (const std::string& base : image.bases()) {
      const auto at = std::find(sampling.sampled_bases.begin(), sampling.sampled_bases.end(), base);
      const auto number = static_cast<std::size_t>(at - sampling.sampled_bases.begin());
      amounts.push_back(number < sample.amounts.size() ? sample.amounts[number] : kNotCounted);
    }
    image.append({sample.start, sample.end, sample.active}, amounts);
  }
  params.decodeStopReason = ready > 0 ? abi::kDecodeStopImageFull : abi::kDecodeStopEndOfRecords;
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): the vendor's names
RIDGE_FAKE_EXPORT abi::Result cuptiPmSamplingGetCounterAvailability(abi::PmGetCounterAvailabilityParams* params) {
  constexpr std::size_t kSize = 64;
  if (!valid(params)) return abi::kErrorInvalidParameter;
  if (world() == nullptr) return abi::kErrorNotInitialized;
  if (world()->script.faults.sampling != 0) return world()->script.faults.sampling;
  if (params->deviceIndex >= world()->script.devices.size()) return abi::kErrorInvalidDevice;
  if (params->pCounterAvailabilityImage == nullptr) {
    params->counterAvailabilityImageSize = kSize;
    return abi::kSuccess;
  }
  if (params->counterAvailabilityImageSize < kSize) return abi::kErrorInvalidParameter;
  std::fill_n(params->pCounterAvailabilityImage, kSize, std::uint8_t{1});
  return abi::kSuccess;
}

RIDGE_FAKE_EXPORT abi::Result cuptiPmSamplingEnable(abi::PmEnableParams* params) {
  if (!valid(params)) return abi::kErrorInvalidParameter;
  if (initialised() == nullptr || !profiler_initialised()) return abi::kErrorNotInitialized;
  const Script& script = world()->script;
  if (params->deviceIndex >= script.devices.size()) return abi::kErrorInvalidDevice;
  if (script.faults.sampling != 0) return script.faults.sampling;
  Samplings& here = samplings();
  const std::lock_guard lock(here.mutex);
  const bool twice = std::any_of(here.all.begin(), here.all.end(),
                                 [&](const auto& one) { return one->device == params->deviceIndex; });
  if (twice) return abi::kErrorInvalidOperation;
  here.all.push_back(std::make_unique<PmSampling>());
  here.all.back()->device = static_cast<std::uint32_t>(params->deviceIndex);
  params->pPmSamplingObject = reinterpret_cast<abi::PmSamplingObject*>(here.all.back().get());
  return abi::kSuccess;
}

RIDGE_FAKE_EXPORT abi::Result cuptiPmSamplingDisable(abi::PmDisableParams* params) {
  if (!valid(params)) return abi::kErrorInvalidParameter;
  Samplings& here = samplings();
  const std::lock_guard lock(here.mutex);
  const PmSampling* const sampling = find(params->pPmSamplingObject);
  if (sampling == nullptr) return abi::kErrorInvalidParameter;
  std::erase_if(here.all, [&](const auto& one) { return one.get() == sampling; });
  return abi::kSuccess;
}

RIDGE_FAKE_EXPORT abi::Result cuptiPmSamplingSetConfig(abi::PmSetConfigParams* params) {
  if (!valid(params) || params->pConfig == nullptr) return abi::kErrorInvalidParameter;
  const std::lock_guard lock(samplings().mutex);
  PmSampling* const sampling = find(params->pPmSamplingObject);
  if (sampling == nullptr) return abi::kErrorInvalidParameter;
  if (sampling->started) return abi::kErrorInvalidOperation;
  auto config = read_config({params->pConfig, params->configSize});
  const std::uint64_t interval = interval_of(*params, world()->script.devices[sampling->device]);
  if (!config || !config->sampling || interval < kShortest || params->hardwareBufferSize < kBytesPerSample) {
    return abi::kErrorInvalidParameter;
  }
  if (config->passes != 1) return abi::kErrorNotSupported;
  if (!sampling->lock.take(*world(), sampling->device)) return abi::kErrorHardwareBusy;
  sleep_until(now() + world()->script.sampler_start);
  sampling->config = *std::move(config);
  sampling->interval = interval;
  sampling->capacity = params->hardwareBufferSize / kBytesPerSample;
  sampling->keep_latest = params->hwBufferAppendMode == abi::kAppendKeepLatest;
  sampling->configured = true;
  return abi::kSuccess;
}

RIDGE_FAKE_EXPORT abi::Result cuptiPmSamplingStart(abi::PmStartParams* params) {
  if (!valid(params)) return abi::kErrorInvalidParameter;
  const std::lock_guard lock(samplings().mutex);
  PmSampling* const sampling = find(params->pPmSamplingObject);
  if (sampling == nullptr || !sampling->configured || sampling->started) return abi::kErrorInvalidOperation;
  sampling->sampled_bases = bases_of(sampling->config.metrics);
  sampling->sampler.emplace(world()->script, sampling->device, sampling->sampled_bases, now(), sampling->interval);
  sampling->reader.emplace(world()->directory);
  sampling->started = true;
  sampling->overflown = false;
  sampling->decodes = 0;
  return abi::kSuccess;
}

RIDGE_FAKE_EXPORT abi::Result cuptiPmSamplingStop(abi::PmStopParams* params) {
  if (!valid(params)) return abi::kErrorInvalidParameter;
  const std::lock_guard lock(samplings().mutex);
  PmSampling* const sampling = find(params->pPmSamplingObject);
  if (sampling == nullptr || !sampling->started) return abi::kErrorInvalidOperation;
  sampling->stopped = now();
  sampling->started = false;
  sleep_until(sampling->stopped + world()->script.sampler_delay);
  return abi::kSuccess;
}

RIDGE_FAKE_EXPORT abi::Result cuptiPmSamplingDecodeData(abi::PmDecodeDataParams* params) {
  if (!valid(params)) return abi::kErrorInvalidParameter;
  const std::lock_guard lock(samplings().mutex);
  PmSampling* const sampling = find(params->pPmSamplingObject);
  if (sampling == nullptr || !sampling->sampler) return abi::kErrorInvalidOperation;
  auto image = CounterImage::open(params->pCounterDataImage, params->counterDataImageSize);
  if (!image) return abi::kErrorInvalidParameter;
  const std::uint64_t until = horizon(*sampling);  // before the log is read, so that it holds all up to then
  sampling->sampler->add(sampling->reader->news());
  params->overflow = 0;
  params->decodeStopReason = abi::kDecodeStopOther;
  if (overflows(*sampling, sampling->sampler->ready(until))) {
    params->overflow = 1;
    return abi::kErrorOutOfMemory;
  }
  decode(*sampling, *image, sampling->sampler->ready(until), *params);
  return abi::kSuccess;
}

RIDGE_FAKE_EXPORT abi::Result cuptiPmSamplingGetCounterDataSize(abi::PmGetCounterDataSizeParams* params) {
  if (!valid(params) || params->numMetrics == 0 || params->maxSamples == 0) return abi::kErrorInvalidParameter;
  const std::lock_guard lock(samplings().mutex);
  PmSampling* const sampling = find(params->pPmSamplingObject);
  if (sampling == nullptr) return abi::kErrorInvalidOperation;
  sampling->image_bases = bases_of(names_of(params->pMetricNames, params->numMetrics));
  params->counterDataSize = CounterImage::size_for(sampling->image_bases, params->maxSamples);
  return abi::kSuccess;
}

RIDGE_FAKE_EXPORT abi::Result cuptiPmSamplingCounterDataImageInitialize(
    abi::PmCounterDataImageInitializeParams* params) {
  if (!valid(params) || params->pCounterData == nullptr) return abi::kErrorInvalidParameter;
  const std::lock_guard lock(samplings().mutex);
  const PmSampling* const sampling = find(params->pPmSamplingObject);
  if (sampling == nullptr) return abi::kErrorInvalidOperation;
  const bool done = CounterImage::initialise({params->pCounterData, params->counterDataSize}, sampling->image_bases,
                                             sampling->device);
  return done ? abi::kSuccess : abi::kErrorInvalidParameter;
}

RIDGE_FAKE_EXPORT abi::Result cuptiPmSamplingGetCounterDataInfo(abi::PmGetCounterDataInfoParams* params) {
  if (!valid(params)) return abi::kErrorInvalidParameter;
  // Only read: the image is the caller's, and const there.
  const auto image =
      CounterImage::open(const_cast<std::uint8_t*>(params->pCounterDataImage), params->counterDataImageSize);
  if (!image) return abi::kErrorInvalidParameter;
  params->numTotalSamples = image->capacity();
  params->numPopulatedSamples = params->numCompletedSamples = image->filled();
  return abi::kSuccess;
}

RIDGE_FAKE_EXPORT abi::Result cuptiPmSamplingCounterDataGetSampleInfo(abi::PmCounterDataGetSampleInfoParams* params) {
  if (!valid(params)) return abi::kErrorInvalidParameter;
  const auto image =
      CounterImage::open(const_cast<std::uint8_t*>(params->pCounterDataImage), params->counterDataImageSize);
  if (!image || params->sampleIndex >= image->filled()) return abi::kErrorInvalidParameter;
  const CounterImage::Record record = image->record(params->sampleIndex);
  params->startTimestamp = record.start;
  params->endTimestamp = record.end;
  return abi::kSuccess;
}

// NOLINTEND(readability-identifier-naming)

}  // namespace ridge::collectors::fake
