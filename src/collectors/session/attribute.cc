#include "collectors/session/attribute.h"

#include <algorithm>
#include <cmath>

namespace ridge::collectors::session {
namespace {

constexpr double kLeastCovered = 0.98;
constexpr double kLeastActive = 0.003;  // one block on one of 132 SMs is 0.0076
constexpr Nanoseconds kLongestPiece = 10'000'000;
constexpr Nanoseconds kOrphansKept = 60'000'000'000;

Nanoseconds overlap(Nanoseconds a_start, Nanoseconds a_end, Nanoseconds b_start, Nanoseconds b_end) {
  const Nanoseconds start = std::max(a_start, b_start);
  const Nanoseconds end = std::min(a_end, b_end);
  return start < end ? end - start : 0;
}

double at_least_zero(double x) {
  return x < 0 ? 0 : x;  // NaN stays
}

double or_zero(double x) {
  return std::isnan(x) ? 0 : x;
}

std::optional<float> known(double x) {
  if (std::isnan(x)) return std::nullopt;
  return static_cast<float>(x);
}

std::optional<float> ratio(double part, double whole) {
  if (std::isnan(part) || std::isnan(whole) || whole <= 0) return std::nullopt;
  return static_cast<float>(std::min(1.0, part / whole));
}

}  // namespace

/// Walks through the samples in time with the launches and copies that run beside them.
class Attribution::Sweep {
 public:
  Sweep(std::vector<Launch>& launches, std::vector<Copy>& copies) : launches_(launches), copies_(copies) {
    const auto earlier = [](const auto& a, const auto& b) { return a.start < b.start; };
    if (!std::is_sorted(launches.begin(), launches.end(), earlier))
      std::sort(launches.begin(), launches.end(), earlier);
    if (!std::is_sorted(copies.begin(), copies.end(), earlier)) std::sort(copies.begin(), copies.end(), earlier);
  }

  /// Those that run during the piece; pieces come in order of time.
  void move_to(const Piece& piece, Nanoseconds& last_end) {
    advance(launches_, next_launch_, running_launches_, piece, last_end);
    advance(copies_, next_copy_, running_copies_, piece, last_end);
  }
  [[nodiscard]] bool nothing_runs() const { return running_launches_.empty() && running_copies_.empty(); }
  [[nodiscard]] const std::vector<std::size_t>& launches() const { return running_launches_; }
  [[nodiscard]] const std::vector<std::size_t>& copies() const { return running_copies_; }
  /// Something starts within `slack` after the piece.
  [[nodiscard]] bool starts_soon(const Piece& piece, Nanoseconds slack) const {
    return (next_launch_ < launches_.size() && launches_[next_launch_].start < piece.end + slack) ||
           (next_copy_ < copies_.size() && copies_[next_copy_].start < piece.end + slack);
  }

 private:
  template <class T>
  static void advance(const std::vector<T>& items, std::size_t& next, std::vector<std::size_t>& running,
                      const Piece& piece, Nanoseconds& last_end) {
    for (; next < items.size() && items[next].start < piece.end; ++next) running.push_back(next);
    std::erase_if(running, [&](std::size_t i) {
      if (items[i].end > piece.start) return false;
      last_end = std::max(last_end, items[i].end);
      return true;
    });
  }

  const std::vector<Launch>& launches_;
  const std::vector<Copy>& copies_;
  std::size_t next_launch_ = 0, next_copy_ = 0;
  std::vector<std::size_t> running_launches_, running_copies_;
};

void Attribution::add_sample(const DeviceSample& sample) {
  if (sample.end <= sample.start) return;
  Piece piece = piece_of(sample);
  const auto later = [](Nanoseconds start, const Piece& other) { return start < other.start; };
  samples_.insert(std::upper_bound(samples_.begin(), samples_.end(), piece.start, later), piece);
}

void Attribution::add_launch(std::uint64_t ticket, Nanoseconds start, Nanoseconds end) {
  launches_.push_back({ticket, start, std::max(start, end), {}, {}, 0, true});
}

void Attribution::add_copy(Nanoseconds start, Nanoseconds end, double read, double written) {
  if (start < end) copies_.push_back({start, end, read, written});
}

Attribution::Piece Attribution::piece_of(const DeviceSample& sample) {
  Piece piece;
  piece.start = sample.start;
  piece.end = sample.end;
  const auto length = static_cast<double>(sample.end - sample.start);
  const double active = sample.sm_active * length;
  piece.amounts = {sample.dram_read,
                   sample.dram_write,
                   sample.l2,
                   sample.warp_instructions,
                   active,
                   sample.occupancy * active,
                   sample.tensor_active * active};
  // DRAM alone does not tell: an idle GPU moves some bytes too. NaN compares false.
  const bool busy = std::isnan(sample.sm_active) ? sample.warp_instructions > 0 : sample.sm_active >= kLeastActive;
  piece.busy = busy ? sample.end - sample.start : 0;
  return piece;
}

void Attribution::give(Launch& launch, const Piece& piece, double share, bool alone, Nanoseconds overlap) {
  for (std::size_t i = 0; i < kQuantities; ++i) {
    const double amount = piece.amounts[i] * share;
    launch.total[i] += amount;
    if (!alone) launch.shared[i] += amount;
  }
  launch.covered += overlap;
}

std::vector<Attribution::Answer> Attribution::settle(Nanoseconds until) {
  for (Launch& launch : launches_) {
    if (launch.fresh && launch.start < settled_) take_orphans(launch);
    launch.fresh = false;
  }
  Sweep sweep(launches_, copies_);
  for (; !samples_.empty() && samples_.front().end <= until; samples_.pop_front()) share(samples_.front(), sweep);
  // One that ends within a sample that still waits has its share of it to come.
  const Nanoseconds shared = samples_.empty() ? until : std::min(until, samples_.front().start);
  std::vector<Answer> answers;
  std::erase_if(launches_, [&](const Launch& launch) {
    if (launch.end > shared) return false;
    if (launch.covered == 0 && launch.end <= settled_ && was_covered(launch)) ++late_;
    last_end_ = std::max(last_end_, launch.end);
    answers.push_back({launch.ticket, answer(launch)});
    return true;
  });
  std::erase_if(copies_, [&](const Copy& copy) { return copy.end <= shared; });
  settled_ = std::max(settled_, until);
  if (settled_ > kOrphansKept) drop_orphans(settled_ - kOrphansKept);
  return answers;
}

void Attribution::share(Piece piece, Sweep& sweep) {
  cover(piece);
  busy_ += piece.busy;
  sweep.move_to(piece, last_end_);
  const Nanoseconds length = piece.end - piece.start;
  if (sweep.nothing_runs()) {
    // Clocks agree to about a sample, and what a kernel left in the caches is written after its end.
    if (piece.start < last_end_ + length || sweep.starts_soon(piece, length)) piece.busy = 0;
    keep_orphan(piece);
    return;
  }
  for (const std::size_t i : sweep.copies()) take_copy(copies_[i], piece);
  Nanoseconds sum = 0;
  for (const std::size_t i : sweep.launches()) {
    sum += overlap(launches_[i].start, launches_[i].end, piece.start, piece.end);
  }
  const bool strangers = !complete_ && sum < length;
  const bool alone = sweep.launches().size() == 1 && sweep.copies().empty() && !strangers;
  const auto whole = static_cast<double>(strangers ? length : std::max<Nanoseconds>(sum, 1));
  for (const std::size_t i : sweep.launches()) {
    const Nanoseconds own = overlap(launches_[i].start, launches_[i].end, piece.start, piece.end);
    give(launches_[i], piece, static_cast<double>(own) / whole, alone, own);
  }
}

void Attribution::take_copy(const Copy& copy, Piece& piece) {
  const double part = static_cast<double>(overlap(copy.start, copy.end, piece.start, piece.end)) /
                      static_cast<double>(copy.end - copy.start);
  piece.amounts[kRead] = at_least_zero(piece.amounts[kRead] - part * copy.read);
  piece.amounts[kWrite] = at_least_zero(piece.amounts[kWrite] - part * copy.written);
  piece.amounts[kL2] = at_least_zero(piece.amounts[kL2] - part * (copy.read + copy.written));
}

std::vector<Attribution::Answer> Attribution::finish() {
  constexpr Nanoseconds kForever = std::numeric_limits<Nanoseconds>::max();
  std::vector<Answer> answers = settle(kForever);
  drop_orphans(kForever);
  return answers;
}

std::optional<SampledWork> Attribution::answer(const Launch& launch) {
  const auto duration = static_cast<double>(launch.end - launch.start);
  if (launch.covered == 0 || static_cast<double>(launch.covered) < kLeastCovered * duration) return std::nullopt;
  SampledWork work;
  work.dram_read = known(launch.total[kRead]);
  work.dram_write = known(launch.total[kWrite]);
  work.l2 = known(launch.total[kL2]);
  work.warp_instructions = known(launch.total[kInstructions]);
  work.sm_active = ratio(launch.total[kActive], duration);
  work.occupancy = ratio(launch.total[kWarps], launch.total[kActive]);
  work.tensor_active = ratio(launch.total[kTensor], launch.total[kActive]);
  // Of bytes to and from memory, which is what samples are for; else of the first amount that is there.
  const std::array<std::pair<double, double>, 4> candidates = {{
      {or_zero(launch.total[kRead]) + or_zero(launch.total[kWrite]),
       or_zero(launch.shared[kRead]) + or_zero(launch.shared[kWrite])},
      {launch.total[kL2], launch.shared[kL2]},
      {launch.total[kInstructions], launch.shared[kInstructions]},
      {launch.total[kActive], launch.shared[kActive]},
  }};
  for (const auto& candidate : candidates) {
    if (!(candidate.first > 0)) continue;
    work.uncertainty = static_cast<float>(std::clamp(candidate.second / candidate.first, 0.0, 1.0));
    break;
  }
  return work;
}

void Attribution::take_orphans(Launch& launch) {
  const auto first = std::partition_point(orphans_.begin(), orphans_.end(),
                                          [&](const Piece& piece) { return piece.end <= launch.start; });
  for (auto piece = first; piece != orphans_.end() && piece->start < launch.end; ++piece) {
    const Nanoseconds own = overlap(launch.start, launch.end, piece->start, piece->end);
    const Nanoseconds length = piece->end - piece->start;
    const double share = static_cast<double>(own) / static_cast<double>(length);
    give(launch, *piece, share, own == length, own);
    for (double& amount : piece->amounts) amount *= 1 - share;
    piece->busy -= std::min(piece->busy, own);
  }
}

void Attribution::keep_orphan(const Piece& piece) {
  // Idle and busy ones apart: a launch that comes late takes what it overlaps in proportion to time.
  const bool joins = !orphans_.empty() && orphans_.back().end == piece.start &&
                     (orphans_.back().busy > 0) == (piece.busy > 0) &&
                     piece.end - orphans_.back().start <= kLongestPiece;
  if (!joins) {
    orphans_.push_back(piece);
    return;
  }
  Piece& last = orphans_.back();
  last.end = piece.end;
  last.busy += piece.busy;
  for (std::size_t i = 0; i < kQuantities; ++i) last.amounts[i] += piece.amounts[i];
}

void Attribution::drop_orphans(Nanoseconds before) {
  for (; !orphans_.empty() && orphans_.front().end <= before; orphans_.pop_front()) {
    unexplained_ += orphans_.front().busy;
  }
  while (!covered_.empty() && covered_.front().second <= before) covered_.pop_front();
}

void Attribution::cover(const Piece& piece) {
  if (!covered_.empty() && covered_.back().second == piece.start) {
    covered_.back().second = piece.end;
  } else {
    covered_.emplace_back(piece.start, piece.end);
  }
}

bool Attribution::was_covered(const Launch& launch) const {
  const auto first = std::partition_point(covered_.begin(), covered_.end(),
                                          [&](const auto& time) { return time.second <= launch.start; });
  return first != covered_.end() && first->first < launch.end;
}

}  // namespace ridge::collectors::session
