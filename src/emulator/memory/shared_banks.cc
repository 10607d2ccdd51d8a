#include "emulator/memory/shared_banks.h"

#include <algorithm>
#include <bit>

namespace ridge::emulator {
namespace {

/// Lanes of `bytes` see memory as units of that size (at least a word) and the banks as 128 / unit columns of them; as
/// many lanes as there are columns go together.
struct Columns {
  explicit Columns(std::uint32_t bytes)
      : shift(static_cast<unsigned>(std::bit_width(std::max(bytes, 4U)) - 1)), count(128U >> shift) {}
  unsigned shift, count;
};

/// Different units met so far, by column. Units of one column are a list through next_; 0 ends it.
class Column {
 public:
  void add(std::uint64_t unit, unsigned column) {
    if ((taken_ >> column & 1U) == 0) {
      taken_ |= 1U << column;
      head_[column] = load_[column] = 0;
    }
    for (unsigned at = head_[column]; at != 0; at = next_[at]) {
      if (unit_[at] == unit) return;
    }
    unit_[++used_] = unit;
    next_[used_] = head_[column];
    head_[column] = static_cast<std::uint8_t>(used_);
    fullest_ = std::max<unsigned>(fullest_, ++load_[column]);
  }
  [[nodiscard]] unsigned fullest() const { return fullest_; }

 private:
  // NOLINTBEGIN(modernize-avoid-c-arrays): left uninitialised, this is hot
  std::uint64_t unit_[kLanes + 1];
  std::uint8_t next_[kLanes + 1];
  std::uint8_t head_[kLanes], load_[kLanes];
  // NOLINTEND(modernize-avoid-c-arrays)
  unsigned used_ = 0, fullest_ = 0;
  std::uint32_t taken_ = 0;
};

unsigned fullest_column(const WarpAccess& access, std::uint32_t lanes, Columns columns) {
  Column load;
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const std::uint64_t unit = access.addresses[std::countr_zero(rest)] >> columns.shift;
    load.add(unit, static_cast<unsigned>(unit % columns.count));
  }
  return load.fullest();
}

/// Whether lanes 2i and 2i + 1 ask for the same, wherever both ask.
bool neighbours_agree(const WarpAccess& access, std::uint32_t lanes) {
  const std::uint32_t pairs = lanes & lanes >> 1 & 0x55555555U;
  for (std::uint32_t rest = pairs; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    if (access.addresses[lane] != access.addresses[lane + 1]) return false;
  }
  return true;
}

void add_group(SharedCost& cost, const WarpAccess& access, std::uint32_t lanes, Columns columns) {
  if ((lanes & access.active) == 0) return;
  const unsigned wavefronts = fullest_column(access, lanes & access.active, columns);
  cost.wavefronts += wavefronts;
  cost.conflicts += wavefronts - 1;
}

/// Lanes wider than a word: groups two by two.
SharedCost wide_cost(const WarpAccess& access, Columns columns) {
  SharedCost cost;
  const std::uint32_t group = (1U << columns.count) - 1;
  for (unsigned first = 0; first < kLanes; first += 2 * columns.count) {
    const std::uint32_t low = group << first, high = low << columns.count;
    if (neighbours_agree(access, (low | high) & access.active)) {
      add_group(cost, access, low | high, columns);
    } else {
      add_group(cost, access, low, columns);
      add_group(cost, access, high, columns);
    }
  }
  return cost;
}

/// One stride for all 32 lanes: 0, or neighbouring units, or words: known without looking at each.
bool affine_cost(const WarpAccess& access, Columns columns, SharedCost& cost) {
  const std::uint64_t* addresses = access.addresses;
  const std::uint64_t step = addresses[1] - addresses[0];
  const std::uint64_t unit = 1ULL << columns.shift;
  if (addresses[31] - addresses[0] != 31 * step || (addresses[0] | step) % unit != 0) return false;
  if (columns.count != 32 && step != 0 && step != unit) return false;
  std::uint64_t off = 0;
  for (unsigned i = 1; i + 1 < kLanes; ++i) off |= (addresses[i + 1] - addresses[i]) ^ step;
  if (off != 0) return false;
  const unsigned groups = 32 / columns.count;
  if (step == 0) {
    cost = {.wavefronts = std::max(1U, groups / 2), .conflicts = 0};
  } else if (step == unit) {
    cost = {.wavefronts = groups, .conflicts = 0};
  } else {
    const unsigned in_one_bank = 1U << std::min(5, std::countr_zero(step / 4));
    cost = {.wavefronts = in_one_bank, .conflicts = in_one_bank - 1};
  }
  return true;
}

}  // namespace

SharedCost shared_cost(const WarpAccess& access) {
  if (access.active == 0) return {.wavefronts = 1, .conflicts = 0};
  const Columns columns(access.bytes);
  SharedCost cost;
  if (access.active == kAllLanes && affine_cost(access, columns, cost)) return cost;
  if (columns.count != 32) return wide_cost(access, columns);
  add_group(cost, access, kAllLanes, columns);
  return cost;
}

}  // namespace ridge::emulator
