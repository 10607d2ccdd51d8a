#include "emulator/exec/memory_space.h"

#include <algorithm>
#include <cstdlib>

#include "emulator/exec/alignment.h"

namespace ridge::emulator {
namespace {

constexpr std::uint64_t kAlignment = 256;
constexpr std::uint64_t kGuard = 1 << 16;  // room between allocations
constexpr std::uint64_t kMost = std::uint64_t{1} << 38;

}  // namespace

void GlobalMemory::Free::operator()(std::byte* memory) const {
  std::free(memory);  // allow(new): of calloc, whose pages are not made before they are touched
}

Result<std::uint64_t> GlobalMemory::allocate(std::uint64_t bytes, std::string name) {
  const std::uint64_t address = next_;
  RIDGE_TRY(allocate_at(address, bytes, std::move(name), true));
  next_ = round_up(address + bytes + kGuard, kGuard);
  return address;
}

Result<void> GlobalMemory::allocate_at(std::uint64_t address, std::uint64_t bytes, std::string name, bool writable) {
  // calloc: pages that the kernel never touches are never made.
  Owned owned;
  if (bytes <= kMost) owned.memory.reset(static_cast<std::byte*>(std::calloc(bytes + kAlignment, 1)));
  if (owned.memory == nullptr) {
    return fail(not_available("no memory for " + std::to_string(bytes) + " bytes of '" + name + "'", "",
                              "emulate a smaller size"));
  }
  const std::size_t skew = reinterpret_cast<std::uintptr_t>(owned.memory.get()) % kAlignment;
  owned.region = {address, address + bytes, owned.memory.get() + (skew == 0 ? 0 : kAlignment - skew), writable,
                  std::move(name)};
  allocated_ += bytes;
  const auto place = std::upper_bound(owned_.begin(), owned_.end(), address,
                                      [](std::uint64_t at, const Owned& each) { return at < each.region.begin; });
  owned_.insert(place, std::move(owned));
  return {};
}

void GlobalMemory::release(std::uint64_t address) {
  const auto place =
      std::find_if(owned_.begin(), owned_.end(), [&](const Owned& each) { return each.region.begin == address; });
  if (place == owned_.end()) return;
  allocated_ -= place->region.end - place->region.begin;
  owned_.erase(place);
}

const Region* GlobalMemory::find(std::uint64_t address) const {
  const auto after = std::upper_bound(owned_.begin(), owned_.end(), address,
                                      [](std::uint64_t at, const Owned& each) { return at < each.region.begin; });
  if (after == owned_.begin()) return nullptr;
  const Region& region = std::prev(after)->region;
  return address < region.end ? &region : nullptr;
}

const Region* GlobalMemory::nearest(std::uint64_t address) const {
  const Region* best = nullptr;
  std::uint64_t distance = UINT64_MAX;
  for (const Owned& each : owned_) {
    const Region& region = each.region;
    const std::uint64_t away = address < region.begin  ? region.begin - address
                               : address >= region.end ? address - region.end
                                                       : 0;
    if (away >= distance) continue;
    distance = away;
    best = &region;
  }
  return best;
}

std::span<std::byte> GlobalMemory::bytes(std::uint64_t address) const {
  const Region* region = find(address);
  if (region == nullptr) return {};
  return {region->host + (address - region->begin), static_cast<std::size_t>(region->end - address)};
}

}  // namespace ridge::emulator
