// What programs may tell the collector, message by message, and samples of the device beside it: whatever they say,
// each piece of the profile is sound, what it says of time is a time, and a report can be made of the whole.
//
// Input: a row of steps. A byte says what happens (its low two bits which of four programs or devices it is about);
// then follow a message's frame, or little-endian numbers.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "collectors/session/assemble.h"
#include "collectors/session/test_backend.h"
#include "collectors/wire/codec.h"
#include "fuzz/profile_check.h"
#include "ridgepoint/analysis/analyse.h"
#include "ridgepoint/machines/database.h"
#include "ridgepoint/machines/match.h"
#include "store/references.h"

namespace {

namespace session = ridge::collectors::session;
namespace wire = ridge::collectors::wire;
using ridge::Profile;
using ridge::test::require;

constexpr wire::Nanoseconds kStart = 1'000'000'000'000;
constexpr std::uint8_t kWho = 3;
enum Step : std::uint8_t { kMessage, kEnd, kSettle, kSamples, kTake, kReading, kSteps };

void check_launch(const ridge::Launch& launch) {
  require(!launch.start || std::isfinite(launch.start->count()));
  require(!launch.duration || (std::isfinite(launch.duration->count()) && launch.duration->count() >= 0));
}

void check_sampled(const ridge::SampledWork& work) {
  require(work.uncertainty >= 0 && work.uncertainty <= 1);
  for (const auto& share : {work.sm_active, work.occupancy, work.tensor_active}) require(!share || *share <= 1);
}

template <class T>
void add(std::vector<T>& to, std::vector<T>& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

class Play {
 public:
  explicit Play(std::string_view bytes) : rest_(bytes) {
    whole_.sources.push_back({"ridge", "fuzz", "", ""});
    sizes_.sources = 1;
  }

  void run() {
    while (!rest_.empty()) step();
    ridge::Recording recording;
    assembler_.finish(recording);
    take();
    whole_.recordings.push_back(std::move(recording));
    ridge::test::require_same_again(whole_);
    ridge::resolve_machines(whole_, ridge::Database::built_in());
    (void)ridge::analyse(whole_);
  }

 private:
  void step() {
    const auto what = number<std::uint8_t>();
    const std::uint8_t who = what & kWho;
    switch (static_cast<Step>((what >> 2U) % kSteps)) {
      case kMessage:
        return message(who);
      case kEnd:
        return assembler_.on_end(who);
      case kSettle: {
        const wire::Nanoseconds now = moment();
        return assembler_.settle(now, moment());
      }
      case kSamples:
        return samples(who);
      case kReading:
        if (who < assembler_.devices()) assembler_.add_reading(who, moment(), {});
        return;
      case kTake:
      case kSteps:
        return take();
    }
  }

  void message(std::uint8_t who) {
    std::uint32_t length = 0;
    if (rest_.size() < sizeof length) return rest_.remove_prefix(rest_.size());
    std::memcpy(&length, rest_.data(), sizeof length);
    const std::string_view frame = rest_.substr(0, sizeof length + std::size_t{length});
    rest_.remove_prefix(frame.size());
    wire::Decoder decoder;
    decoder.feed(frame);
    if (const auto message = decoder.next()) assembler_.on_message(who, *message, kStart);
    (void)assembler_.take_requests();
  }

  void samples(std::uint8_t who) {
    std::vector<session::DeviceSample> samples(number<std::uint8_t>() % 16U);
    for (session::DeviceSample& sample : samples) {
      sample.start = moment();
      sample.end = sample.start + number<std::uint16_t>();
      sample.dram_read = number<std::uint16_t>();
      sample.warp_instructions = number<std::uint8_t>();
      const auto active = number<std::uint8_t>();
      if (active != 0) sample.sm_active = active / 255.0;
      sample.occupancy = sample.tensor_active = sample.sm_active;
    }
    assembler_.add_samples(who, samples);
  }

  void take() {
    Profile piece = assembler_.take();
    sizes_ = sizes_ + piece;
    require(ridge::store::dangling(piece, sizes_).empty());
    for (const ridge::Launch& launch : piece.launches) check_launch(launch);
    for (const ridge::SampledWork& work : piece.sampled) check_sampled(work);
    add(whole_.devices, piece.devices);
    add(whole_.kernels, piece.kernels);
    add(whole_.configurations, piece.configurations);
    add(whole_.metrics, piece.metrics);
    add(whole_.measurements, piece.measurements);
    add(whole_.launches, piece.launches);
    add(whole_.sampled, piece.sampled);
    add(whole_.spans, piece.spans);
    add(whole_.readings, piece.readings);
    add(whole_.issues, piece.issues);
  }

  wire::Nanoseconds moment() { return kStart + number<std::uint32_t>(); }

  template <class T>
  T number() {
    T value = 0;
    const std::size_t size = std::min(sizeof value, rest_.size());
    std::memcpy(&value, rest_.data(), size);
    rest_.remove_prefix(size);
    return value;
  }

  std::string_view rest_;
  session::TestBackend backend_;
  session::Assembler assembler_{backend_, {kStart, true}};
  ridge::store::TableSizes sizes_;
  Profile whole_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Play(std::string_view(reinterpret_cast<const char*>(data), size)).run();
  return 0;
}
