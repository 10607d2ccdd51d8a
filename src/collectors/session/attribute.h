// Periodic samples of a device's counters, given to the launches that ran meanwhile. Pure: times and amounts only.
//
// The rule. What a sample counted is divided among the launches that ran during it, in proportion to the time that each
// of them overlaps it: all of it goes to one that ran alone, whatever part of the sample it filled, since nothing else
// was there to cause it. Two that run at once cannot be told apart and share. A copy has no counters of its own: the
// bytes that it is known to have moved in that time are taken off before launches share. `uncertainty` is the share of
// a launch's amount that came from samples in which something else ran too: an upper bound of the error, reached when
// the neighbour did all the work; it is near 1 for launches shorter than a sample and falls as 1/length for longer
// ones. A launch that samples cover by less than 98 % of its time gets none.
//
// Ratios (SM active, occupancy, tensor) are shared as their integrals over time and divided again at the end.
//
// Records come late and out of order, so samples wait: settle() says up to when both are thought complete. Samples of
// settled time with work that no launch explains are kept, joined to pieces of 10 ms, for a minute: a launch that runs
// for seconds has its record only at its end and takes them then. What is left over is unexplained. Times are
// nanoseconds on one clock.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <vector>

#include "ridgepoint/model/profile.h"

namespace ridge::collectors::session {

using Nanoseconds = std::uint64_t;

/// NaN where the chip's sampled set lacks the counter.
struct DeviceSample {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  Nanoseconds start = 0, end = 0;
  double dram_read = kNone, dram_write = kNone, l2 = kNone;  ///< bytes
  double warp_instructions = kNone;
  double sm_active = kNone;      ///< 0..1 of the sample's time
  double occupancy = kNone;      ///< 0..1 of what the active SMs hold
  double tensor_active = kNone;  ///< 0..1 of the active time
};

/// For one device.
class Attribution {
 public:
  /// `complete`: every launch of the device is told. Else (filters, other processes) the part of a sample in which no
  /// launch is known may be somebody else's, and keeps its share.
  explicit Attribution(bool complete = true) : complete_(complete) {}

  void add_sample(const DeviceSample& sample);
  /// `ticket` comes back with the answer.
  void add_launch(std::uint64_t ticket, Nanoseconds start, Nanoseconds end);
  /// What a copy or memset reads from and writes to this device's memory.
  void add_copy(Nanoseconds start, Nanoseconds end, double read, double written);

  struct Answer {
    std::uint64_t ticket = 0;
    std::optional<SampledWork> work;
  };
  /// Shares the samples that end by `until`, and answers every launch that does.
  [[nodiscard]] std::vector<Answer> settle(Nanoseconds until);
  /// At the end: everything, and what is unexplained stays so.
  [[nodiscard]] std::vector<Answer> finish();

  [[nodiscard]] std::size_t waiting_launches() const { return launches_.size(); }
  [[nodiscard]] std::size_t waiting_samples() const { return samples_.size() + orphans_.size(); }
  /// Launches whose records came after their samples had been shared.
  [[nodiscard]] std::uint64_t late() const { return late_; }
  /// Time of samples with work and no launch or copy: complete after finish(). Samples of DRAM alone do not tell when
  /// the device works: both are 0 then.
  [[nodiscard]] Seconds unexplained() const { return Seconds(double(unexplained_) * 1e-9); }
  [[nodiscard]] Seconds busy() const { return Seconds(double(busy_) * 1e-9); }

 private:
  enum Quantity : unsigned char { kRead, kWrite, kL2, kInstructions, kActive, kWarps, kTensor, kQuantities };
  using Amounts = std::array<double, kQuantities>;
  struct Piece {
    Nanoseconds start = 0, end = 0;
    Amounts amounts{};
    Nanoseconds busy = 0;
  };
  struct Launch {
    std::uint64_t ticket = 0;
    Nanoseconds start = 0, end = 0;
    Amounts total{}, shared{};
    Nanoseconds covered = 0;
    bool fresh = true;
  };
  struct Copy {
    Nanoseconds start = 0, end = 0;
    double read = 0, written = 0;
  };
  class Sweep;

  static Piece piece_of(const DeviceSample& sample);
  void share(Piece piece, Sweep& sweep);
  static void take_copy(const Copy& copy, Piece& piece);
  static void give(Launch& launch, const Piece& piece, double share, bool alone, Nanoseconds overlap);
  static std::optional<SampledWork> answer(const Launch& launch);
  void take_orphans(Launch& launch);
  void keep_orphan(const Piece& piece);
  void drop_orphans(Nanoseconds before);
  void cover(const Piece& piece);
  [[nodiscard]] bool was_covered(const Launch& launch) const;

  bool complete_;
  std::deque<Piece> samples_, orphans_;
  std::deque<std::pair<Nanoseconds, Nanoseconds>> covered_;  ///< by samples that were settled
  std::vector<Launch> launches_;
  std::vector<Copy> copies_;
  Nanoseconds settled_ = 0;
  Nanoseconds last_end_ = 0;  ///< of what ran, as far as it is settled
  std::uint64_t late_ = 0;
  Nanoseconds unexplained_ = 0, busy_ = 0;
};

}  // namespace ridge::collectors::session
