#include "emulator/exec/liveness.h"

#include <algorithm>
#include <bit>

namespace ridge::emulator {
namespace {

using Set = std::vector<std::uint64_t>;
constexpr std::uint32_t kBits = 64;

void insert(Set& set, std::uint32_t value) {
  set[value / kBits] |= std::uint64_t{1} << value % kBits;
}
void erase(Set& set, std::uint32_t value) {
  set[value / kBits] &= ~(std::uint64_t{1} << value % kBits);
}
bool contains(const Set& set, std::uint32_t value) {
  return (set[value / kBits] >> value % kBits & 1) != 0;
}
// Whether `into` grew.
bool merge(Set& into, const Set& from) {
  bool grew = false;
  for (std::size_t i = 0; i < into.size(); ++i) {
    const std::uint64_t both = into[i] | from[i];
    grew = grew || both != into[i];
    into[i] = both;
  }
  return grew;
}

/// A run of items that is entered at its first only and left at its last only: sets are kept for each, because a
/// kernel can have as many values as items.
struct Stretch {
  std::uint32_t first = 0, end = 0;
  std::vector<std::uint32_t> next;
  Set live_in, live_out, defined_in;
};

class Liveness {
 public:
  Liveness(const std::vector<LiveItem>& items, const std::vector<std::uint32_t>& words)
      : items_(items), words_(words), empty_((words.size() + kBits - 1) / kBits, 0) {}

  std::vector<std::uint32_t> run(const std::vector<std::uint32_t>& given) {
    if (items_.empty()) return {};
    find_stretches();
    for (const std::uint32_t each : given) insert(stretches_[0].defined_in, each);
    find_defined();
    find_live();
    std::vector<std::uint32_t> counts(items_.size(), 0);
    for (const Stretch& stretch : stretches_) count(stretch, counts);
    return counts;
  }

 private:
  void find_stretches() {
    const auto size = static_cast<std::uint32_t>(items_.size());
    std::vector<bool> begins(size, false);
    begins[0] = true;
    for (std::uint32_t i = 0; i < size; ++i) {
      const auto& next = items_[i].next;
      if (next.size() == 1 && next[0] == i + 1) continue;
      for (const std::uint32_t each : next) begins[each] = true;
      if (i + 1 < size) begins[i + 1] = true;
    }
    std::vector<std::uint32_t> stretch_of(size, 0);
    for (std::uint32_t i = 0; i < size; ++i) {
      if (begins[i]) stretches_.push_back({i, i, {}, empty_, empty_, empty_});
      stretches_.back().end = i + 1;
      stretch_of[i] = static_cast<std::uint32_t>(stretches_.size() - 1);
    }
    for (Stretch& stretch : stretches_) {
      for (const std::uint32_t each : items_[stretch.end - 1].next) stretch.next.push_back(stretch_of[each]);
    }
  }

  // What may have been written, forwards.
  void find_defined() {
    for (bool more = true; more;) {
      more = false;
      for (const Stretch& stretch : stretches_) {
        Set defined = stretch.defined_in;
        for (std::uint32_t i = stretch.first; i < stretch.end; ++i) {
          for (const std::uint32_t each : items_[i].writes) insert(defined, each);
        }
        for (const std::uint32_t each : stretch.next) more = merge(stretches_[each].defined_in, defined) || more;
      }
    }
  }

  void step_back(Set& live, std::uint32_t i) const {
    if (!items_[i].keeps) {
      for (const std::uint32_t each : items_[i].writes) erase(live, each);
    }
    for (const std::uint32_t each : items_[i].reads) insert(live, each);
  }

  void find_live() {
    for (bool more = true; more;) {
      more = false;
      for (std::size_t b = stretches_.size(); b-- > 0;) {
        Stretch& stretch = stretches_[b];
        for (const std::uint32_t each : stretch.next) merge(stretch.live_out, stretches_[each].live_in);
        Set live = stretch.live_out;
        for (std::uint32_t i = stretch.end; i-- > stretch.first;) step_back(live, i);
        more = merge(stretch.live_in, live) || more;
      }
    }
  }

  void count(const Stretch& stretch, std::vector<std::uint32_t>& counts) const {
    // Where each value is first written in this stretch, if nothing before it can have.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> births;
    Set defined = stretch.defined_in;
    for (std::uint32_t i = stretch.first; i < stretch.end; ++i) {
      for (const std::uint32_t each : items_[i].writes) {
        if (!contains(defined, each)) births.emplace_back(i, each);
        insert(defined, each);
      }
    }
    Set live = stretch.live_out;
    for (std::uint32_t i = stretch.end; i-- > stretch.first;) {
      step_back(live, i);
      while (!births.empty() && births.back().first >= i) {
        erase(defined, births.back().second);
        births.pop_back();
      }
      counts[i] = sum(live, defined) + items_[i].scratch;
    }
  }

  [[nodiscard]] std::uint32_t sum(const Set& live, const Set& defined) const {
    std::uint32_t total = 0;
    for (std::size_t i = 0; i < live.size(); ++i) {
      for (std::uint64_t rest = live[i] & defined[i]; rest != 0; rest &= rest - 1) {
        total += words_[i * kBits + static_cast<std::uint32_t>(std::countr_zero(rest))];
      }
    }
    return total;
  }

  const std::vector<LiveItem>& items_;
  const std::vector<std::uint32_t>& words_;
  Set empty_;
  std::vector<Stretch> stretches_;
};

}  // namespace

std::vector<std::uint32_t> live_words(const std::vector<LiveItem>& items, const std::vector<std::uint32_t>& words,
                                      const std::vector<std::uint32_t>& given) {
  return Liveness(items, words).run(given);
}

}  // namespace ridge::emulator
