#include "collectors/cupti/pm_device.h"

#include <fmt/format.h>

#include "collectors/cupti/host.h"

namespace ridge::collectors::cupti {
namespace {

/// Where samples cannot be spaced by time they are spaced by clocks of the system domain, which run at about this rate
/// (per nanosecond); what the spacing came to is seen in the samples' times.
constexpr std::uint64_t kSystemClocksPerNanosecond = 1;

const char* what_of(Refusal refusal) {
  switch (refusal) {
    case Refusal::kBusy:
      return "the device's counters are in use by another profiler or a monitoring service";
    case Refusal::kForbidden:
      return "the driver does not permit this user to read the device's counters";
    case Refusal::kUnsupported:
      return "the device cannot be sampled in its present mode";
    default:
      return "the device cannot be sampled";
  }
}

const char* remedy_of(Refusal refusal) {
  switch (refusal) {
    case Refusal::kBusy:
      return "end the other profiler, or pause DCGM's profiling (dcgmi profile --pause)";
    case Refusal::kForbidden:
      return "load the driver with NVreg_RestrictProfilingToAdminUsers=0, or run as administrator (in a container, "
             "with "
             "--cap-add SYS_ADMIN)";
    case Refusal::kUnsupported:
      return "profile with --tier timing";
    default:
      return "run ridge doctor to see what works here";
  }
}

}  // namespace

Refusal refusal_of(abi::Result result) {
  switch (result) {
    case abi::kSuccess:
      return Refusal::kNone;
    case abi::kErrorHardwareBusy:
    case abi::kErrorInvalidOperation:
      return Refusal::kBusy;
    case abi::kErrorInsufficientPrivileges:
    case abi::kErrorVirtualizedDeviceInsufficientPrivileges:
      return Refusal::kForbidden;
    case abi::kErrorNotSupported:
    case abi::kErrorApiNotImplemented:
    case abi::kErrorVirtualizedDeviceNotSupported:
    case abi::kErrorLegacyProfilerNotSupported:
    case abi::kErrorConfidentialComputingNotSupported:
    case abi::kErrorCmpDeviceNotSupported:
    case abi::kErrorMigDeviceNotSupported:
    case abi::kErrorSliDeviceNotSupported:
    case abi::kErrorWslDeviceNotSupported:
    case abi::kErrorInvalidChipName:
      return Refusal::kUnsupported;
    default:
      return Refusal::kOther;
  }
}

PmDevice::PmDevice(SharedCalls calls, std::size_t device, std::string chip, std::vector<std::string> metrics,
                   std::string config_image)
    : calls_(std::move(calls)),
      device_(device),
      chip_(std::move(chip)),
      metrics_(std::move(metrics)),
      config_image_(std::move(config_image)) {}

Error PmDevice::refused(abi::Result result, const char* call) {
  refusal_ = refusal_of(result);
  return not_available(what_of(refusal_), fmt::format("{}: {}", call, calls_->name(result)), remedy_of(refusal_));
}

bool PmDevice::has_time_trigger() const {
  return !chip_.starts_with("TU") && chip_ != "GA100";
}

Result<void> PmDevice::enable() {
  if (object_ != nullptr) return {};
  auto params = abi::params<abi::PmEnableParams>();
  params.deviceIndex = device_;
  const abi::Result result = calls_->pm_enable(&params);
  if (result != abi::kSuccess) return fail(refused(result, "cuptiPmSamplingEnable"));
  object_ = params.pPmSamplingObject;
  return {};
}

Result<void> PmDevice::configure(std::uint64_t interval, std::size_t hardware_buffer) {
  RIDGE_TRY(enable());
  auto params = abi::params<abi::PmSetConfigParams>();
  params.pPmSamplingObject = object_;
  params.configSize = config_image_.size();
  params.pConfig = reinterpret_cast<const std::uint8_t*>(config_image_.data());
  params.hardwareBufferSize = hardware_buffer;
  params.samplingInterval = has_time_trigger() ? interval : interval * kSystemClocksPerNanosecond;
  params.triggerMode = has_time_trigger() ? abi::kTriggerTimeInterval : abi::kTriggerSysclkInterval;
  params.hwBufferAppendMode = abi::kAppendKeepOldest;
  const abi::Result result = calls_->pm_configure(&params);
  if (result == abi::kSuccess) return {};
  Error error = refused(result, "cuptiPmSamplingSetConfig");
  release();
  return fail(std::move(error));
}

Result<void> PmDevice::start() {
  auto params = abi::params<abi::PmStartParams>();
  params.pPmSamplingObject = object_;
  const abi::Result result = calls_->pm_start(&params);
  if (result != abi::kSuccess) return fail(refused(result, "cuptiPmSamplingStart"));
  running_ = true;
  return {};
}

void PmDevice::stop() {
  if (!running_) return;
  auto params = abi::params<abi::PmStopParams>();
  params.pPmSamplingObject = object_;
  calls_->pm_stop(&params);
  running_ = false;
}

void PmDevice::release() {
  if (object_ == nullptr) return;
  stop();
  auto params = abi::params<abi::PmDisableParams>();
  params.pPmSamplingObject = object_;
  calls_->pm_disable(&params);
  object_ = nullptr;
}

Result<std::size_t> PmDevice::image_size(std::uint32_t samples) const {
  std::vector<const char*> names = c_names(metrics_);
  auto params = abi::params<abi::PmGetCounterDataSizeParams>();
  params.pPmSamplingObject = object_;
  params.pMetricNames = names.data();
  params.numMetrics = names.size();
  params.maxSamples = samples;
  const abi::Result result = calls_->pm_image_size(&params);
  if (result != abi::kSuccess) return fail(call_failed(*calls_, result, "cuptiPmSamplingGetCounterDataSize"));
  return params.counterDataSize;
}

abi::Result PmDevice::clear(std::span<std::uint8_t> image) const {
  auto params = abi::params<abi::PmCounterDataImageInitializeParams>();
  params.pPmSamplingObject = object_;
  params.counterDataSize = image.size();
  params.pCounterData = image.data();
  return calls_->pm_clear(&params);
}

Decoded PmDevice::decode(std::span<std::uint8_t> image) const {
  auto params = abi::params<abi::PmDecodeDataParams>();
  params.pPmSamplingObject = object_;
  params.pCounterDataImage = image.data();
  params.counterDataImageSize = image.size();
  Decoded decoded;
  decoded.result = calls_->pm_decode(&params);
  decoded.overflow = params.overflow != 0 || decoded.result == abi::kErrorOutOfMemory;
  decoded.image_full = params.decodeStopReason == abi::kDecodeStopImageFull;
  auto info = abi::params<abi::PmGetCounterDataInfoParams>();
  info.pCounterDataImage = image.data();
  info.counterDataImageSize = image.size();
  if (calls_->pm_info(&info) == abi::kSuccess) decoded.samples = info.numCompletedSamples;
  return decoded;
}

bool PmDevice::times(std::span<const std::uint8_t> image, std::size_t sample, std::uint64_t& start,
                     std::uint64_t& end) const {
  auto params = abi::params<abi::PmCounterDataGetSampleInfoParams>();
  params.pPmSamplingObject = object_;
  params.pCounterDataImage = image.data();
  params.counterDataImageSize = image.size();
  params.sampleIndex = sample;
  if (calls_->pm_sample(&params) != abi::kSuccess) return false;
  start = params.startTimestamp;
  end = params.endTimestamp;
  return true;
}

}  // namespace ridge::collectors::cupti
