#include "collectors/agent/lease.h"

#include <algorithm>

namespace ridge::collectors::agent {
namespace {

constexpr std::uint64_t kMillisecond = 1'000'000;
constexpr std::uint64_t kNothingNew = 300 * kMillisecond;  // of launching
// A pause between two launches counts as launching up to so much: a program that computes elsewhere for a minute has
// not shown that it launches nothing new.
constexpr std::uint64_t kLongestGap = 50 * kMillisecond;
constexpr std::uint64_t kIdle = 1000 * kMillisecond;
// Moving the lease twice costs the sampler a fifth of a second and more.
constexpr std::uint64_t kLeastBetween = 1000 * kMillisecond;
constexpr std::uint64_t kPendingPerCent = 2;
// A program that measures its steps begins the next range soon.
constexpr std::uint64_t kBetweenRanges = 1000 * kMillisecond;

}  // namespace

bool LeasePlan::ask(std::uint64_t now) {
  if (finished_ || asked_) return false;
  asked_ = true;
  last_launch_ = now;
  return true;
}

bool LeasePlan::begin(std::uint64_t now) {
  return !held_ && ask(now);
}

bool LeasePlan::answered(bool granted, std::uint64_t now) {
  if (!granted) {
    returned(now);
    return true;
  }
  if (!asked_ || finished_) return false;
  held_ = true;
  last_launch_ = now;
  launching_since_fresh_ = 0;
  return true;
}

bool LeasePlan::at_launch(bool fresh, bool budget_spent, std::uint64_t now) {
  if (!held_) return false;
  const std::uint64_t gap = now > last_launch_ ? now - last_launch_ : 0;
  last_launch_ = now;
  if (finished_) return true;
  if (!shared_ || in_range(now)) return false;
  if (budget_spent) return true;
  launching_since_fresh_ = fresh ? 0 : launching_since_fresh_ + std::min(gap, kLongestGap);
  return launching_since_fresh_ >= kNothingNew;
}

bool LeasePlan::at_record(bool pending, std::uint64_t duration, bool budget_spent, std::uint64_t now) {
  if (held_ || asked_ || finished_) return false;
  kernel_time_ += duration;
  if (pending) pending_time_ += duration;
  if (budget_spent || now < returned_at_ + kLeastBetween) return false;
  return pending_time_ > 0 && pending_time_ * 100 >= kernel_time_ * kPendingPerCent && ask(now);
}

bool LeasePlan::idle(std::uint64_t now) const {
  if (!held_ || finished_) return held_;
  return shared_ && !in_range(now) && now > last_launch_ + kIdle;
}

bool LeasePlan::in_range(std::uint64_t now) const {
  return range_open_ || (range_ended_ != 0 && now < range_ended_ + kBetweenRanges);
}

void LeasePlan::range(bool open, std::uint64_t now) {
  range_open_ = open;
  range_ended_ = now;
  last_launch_ = now;
  launching_since_fresh_ = 0;
}

void LeasePlan::returned(std::uint64_t now) {
  held_ = asked_ = false;
  returned_at_ = now;
  kernel_time_ = pending_time_ = 0;
}

}  // namespace ridge::collectors::agent
