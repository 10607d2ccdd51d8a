#include "emulator/listen/shared_use.h"

#include <algorithm>

namespace ridge::emulator {

void SharedTouch::block_begins(const Where& where, std::uint32_t shared_bytes) {
  if (!sm_) {
    sm_ = where.sm;
    resident_ = where.resident;
  }
  if (!watches(where)) return;
  touched_.assign((shared_bytes + 3) / 4, false);
  words_ = 0;
}

void SharedTouch::access(const Where& where, const Access& access) {
  if (touched_.empty() || !watches(where)) return;
  if (access.space == ptx::Space::kShared) mark(access.addresses, access.mask, access.bytes);
  if (access.to_shared != nullptr) mark(access.to_shared, access.mask, access.bytes);
}

void SharedTouch::shared_written(const Where& where, std::uint64_t offset, std::uint64_t bytes) {
  if (!touched_.empty() && watches(where)) mark(offset, bytes);
}

void SharedTouch::mark(const std::uint64_t* offsets, std::uint32_t lanes, std::uint32_t bytes) {
  for (; lanes != 0; lanes &= lanes - 1) mark(offsets[__builtin_ctz(lanes)], bytes);
}

void SharedTouch::mark(std::uint64_t offset, std::uint64_t bytes) {
  const std::uint64_t end = std::min<std::uint64_t>((offset + bytes + 3) / 4, touched_.size());
  for (std::uint64_t word = offset / 4; word < end; ++word) {
    if (touched_[word]) continue;
    touched_[word] = true;
    ++words_;
  }
}

void SharedTouch::block_ends(const Where& where) {
  if (watches(where)) most_ = std::max(most_, 4 * words_);
}

}  // namespace ridge::emulator
