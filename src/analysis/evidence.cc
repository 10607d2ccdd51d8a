#include "analysis/evidence.h"

#include <algorithm>

namespace ridge {
namespace {

constexpr std::string_view kOnlySampled = "periodic samples do not count it";

template <class T>
Value<T> sampled_value(const std::optional<float>& value) {
  if (!value) return Value<T>::missing(kOnlySampled);
  return Value<T>(T(static_cast<double>(*value)), Provenance::kSampled);
}

bool is_own(Provenance provenance) {
  return provenance != Provenance::kSampled;
}

/// Read and write belong together: a total of one of them counted and the other sampled would be neither.
void choose_dram(const SampledWork& samples, SampledNumbers& numbers) {
  if (numbers.dram && is_own(numbers.dram.provenance())) return;
  if (!samples.dram_read || !samples.dram_write) return;
  numbers.dram_read = sampled_value<Bytes>(samples.dram_read);
  numbers.dram_write = sampled_value<Bytes>(samples.dram_write);
  numbers.dram = numbers.dram_read + numbers.dram_write;
  numbers.any = true;
}

void choose_l2(const SampledWork& samples, SampledNumbers& numbers) {
  if (!samples.l2 || (numbers.l2 && is_own(numbers.l2.provenance()))) return;
  numbers.l2 = sampled_value<Bytes>(samples.l2);
  numbers.any = true;
}

void choose_instructions(const SampledWork& samples, SampledNumbers& numbers) {
  if (!samples.warp_instructions || numbers.warp_instructions) return;
  numbers.warp_instructions = sampled_value<double>(samples.warp_instructions);
  numbers.any = true;
}

const std::optional<float>* sampled_field(const SampledWork& samples, Value<double> Execution::*field) {
  if (field == &Execution::achieved_occupancy) return &samples.occupancy;
  if (field == &Execution::sm_active) return &samples.sm_active;
  if (field == &Execution::tensor_active) return &samples.tensor_active;
  return nullptr;
}

}  // namespace

std::string_view name(CounterOrigin origin) {
  switch (origin) {
    case CounterOrigin::kOwn:
      return "own";
    case CounterOrigin::kRepresentative:
      return "representative";
    case CounterOrigin::kNone:
      return "none";
  }
  return "none";
}

// Not is_representative() of the model, which asks of live recordings only: there a number is measured or another
// launch's. Numbers that were counted or declared for a launch are its own.
CounterOrigin origin_of(const Measurement* measurement) {
  if (measurement == nullptr) return CounterOrigin::kNone;
  bool any_measured = false, any_sampled = false;
  visit_fields(
      [&](std::string_view, const auto& value) {
        if (!value) return;
        any_measured = any_measured || value.provenance() == Provenance::kMeasured;
        any_sampled = any_sampled || value.provenance() == Provenance::kSampled;
      },
      measurement->work);
  return any_sampled && !any_measured ? CounterOrigin::kRepresentative : CounterOrigin::kOwn;
}

const SampledWork* usable_samples(const Profile& profile, const Launch& launch) {
  if (!launch.sampled || *launch.sampled >= profile.sampled.size()) return nullptr;
  const SampledWork& samples = profile.sampled[*launch.sampled];
  return samples.uncertainty <= kMostUncertain ? &samples : nullptr;
}

LaunchEvidence evidence_of(const Profile& profile, const Launch& launch) {
  LaunchEvidence evidence;
  evidence.counters = measurement_of(profile, launch);
  evidence.origin = origin_of(evidence.counters);
  evidence.samples = usable_samples(profile, launch);
  return evidence;
}

SampledNumbers sampled_numbers(const LaunchEvidence& evidence) {
  SampledNumbers numbers;
  if (evidence.counters != nullptr) {
    const Work& work = evidence.counters->work;
    numbers.dram = work.bytes.dram;
    numbers.dram_read = work.bytes.dram_read, numbers.dram_write = work.bytes.dram_write;
    numbers.l2 = work.bytes.l2;
    numbers.warp_instructions = work.instructions.warp_instructions;
  }
  if (evidence.samples != nullptr) {
    choose_dram(*evidence.samples, numbers);
    choose_l2(*evidence.samples, numbers);
    choose_instructions(*evidence.samples, numbers);
  }
  return numbers;
}

Value<double> execution_field(const LaunchEvidence& evidence, Value<double> Execution::*field) {
  const Value<double> counted = evidence.counters == nullptr ? Value<double>() : evidence.counters->execution.*field;
  if (counted || evidence.samples == nullptr) return counted;
  const std::optional<float>* sampled = sampled_field(*evidence.samples, field);
  return sampled != nullptr && *sampled ? sampled_value<double>(*sampled) : counted;
}

const Recording* recording_of(const Profile& profile, const Launch& launch) {
  const std::uint32_t source = profile.devices[launch.device].source;
  const auto found = std::find_if(profile.recordings.begin(), profile.recordings.end(),
                                  [&](const Recording& recording) { return recording.source == source; });
  return found == profile.recordings.end() ? nullptr : &*found;
}

Reason reason_for_no_evidence(const Profile& profile, const Launch& launch) {
  const Recording* recording = recording_of(profile, launch);
  if (recording == nullptr) return {};
  if (usable_samples(profile, launch) != nullptr) return Reason(kOnlySampled);
  if (launch.sampled) return Reason("its samples are shared with neighbouring launches");
  if (recording->tier == Tier::kTiming) return Reason("the recording holds times only");
  return Reason("no launch of this kernel was measured");
}

}  // namespace ridge
