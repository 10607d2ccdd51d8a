// Operands of wgmma in shared memory, by their matrix descriptors (PTX ISA, "Matrix Descriptor Format"):
// bits 0-13 the address, 16-29 the leading and 32-45 the stride byte offset, all in units of 16 bytes; 62-63 the
// swizzle (0 none, 1 of 128, 2 of 64, 3 of 32 bytes).
//
// Memory is made of core matrices, 8 rows of 16 bytes, where a row of the swizzle's width holds several side by side.
// In a swizzled layout the bits 4 to 6 of an address are changed by bits 7 to 9, as many as the width has.
#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include "emulator/exec/access.h"
#include "emulator/exec/block.h"
#include "emulator/exec/matrix/plan.h"

namespace ridge::emulator {
namespace {

constexpr std::uint32_t kUnit = 16;  // bytes of a row of a core matrix

struct Layout {
  std::uint32_t address = 0, leading = 0, stride = 0;
  std::uint32_t width = kUnit;  ///< bytes from row to row in a core matrix
  std::uint32_t swizzled = 0;   ///< the bits of an address, above bit 7, that change the lower ones
  bool transposed = false;

  // Where core matrix `block` along m or n, `half` along k begins, before swizzling: of a transposed operand rows are
  // along k.
  [[nodiscard]] std::uint32_t core(std::uint32_t block, std::uint32_t half) const {
    const bool plain = swizzled == 0;
    if (!transposed) return address + block * stride + half * (plain ? leading : kUnit);
    if (plain) return address + block * stride + half * leading;
    const std::uint32_t side_by_side = width / kUnit;
    return address + block % side_by_side * kUnit + block / side_by_side * leading + half * stride;
  }
  [[nodiscard]] std::uint32_t row(std::uint32_t core_address, std::uint32_t row) const {
    const std::uint32_t at = core_address + row * width;
    return at ^ (at >> 7 & swizzled) << 4;
  }
};

Layout layout_of(std::uint64_t descriptor, bool transposed) {
  constexpr std::array<std::uint32_t, 4> kWidths = {16, 128, 64, 32};
  const auto field = [&](unsigned from) { return static_cast<std::uint32_t>(descriptor >> from & 0x3fffU) * kUnit; };
  Layout layout;
  layout.address = field(0);
  layout.leading = field(16);
  layout.stride = field(32);
  layout.width = kWidths[descriptor >> 62];
  layout.swizzled = layout.width / kUnit - 1;
  layout.transposed = transposed;
  return layout;
}

std::uint64_t descriptor_at(const Warp& warp, Slot slot) {
  return warp.wide(slot)[__builtin_ctz(warp.active)];
}

// The base offset, for tiles that begin in the middle of a swizzle's pattern, is not emulated.
bool usable(Warp& warp, const Step& step, std::uint64_t descriptor) {
  if ((descriptor >> 49 & 7U) == 0) return true;
  raise(warp, step, FaultKind::kUnsupported, 0, ptx::Space::kShared, (descriptor & 0x3fffU) * kUnit, kUnit,
        "a matrix descriptor with a base offset is not emulated");
  return false;
}

void tell_units(Warp& warp, const Step& step, std::span<const std::uint64_t> addresses) {
  while (!addresses.empty()) {
    const std::size_t count = std::min<std::size_t>(addresses.size(), kLanes);
    LaneAddresses lanes{};
    std::copy_n(addresses.begin(), count, lanes.at);
    Access access;
    access.kind = AccessKind::kLoad;
    access.operand = true;
    access.space = ptx::Space::kShared;
    access.mask = count == kLanes ? kAllLanes : (Mask{1} << count) - 1;
    access.bytes = kUnit;
    access.addresses = lanes.at;
    tell(warp, step, access);
    addresses = addresses.subspan(count);
  }
}

class Fetch {
 public:
  Fetch(Warp& warp, const Step& step, const Layout& layout) : warp_(warp), step_(step), layout_(layout) {}

  /// Copies a core matrix to a tile, and notes the addresses.
  bool tile(std::uint32_t block, std::uint32_t half, std::byte* to) {
    const std::span<std::byte> shared = warp_.block->shared();
    const std::uint32_t core = layout_.core(block, half);
    for (std::uint32_t row = 0; row < 8; ++row) {
      const std::uint32_t at = layout_.row(core, row);
      if (at + kUnit > shared.size()) return shared_memory(warp_, step_, 0, at, kUnit, kUnit) != nullptr;
      std::memcpy(to + row * kUnit, shared.data() + at, kUnit);
      addresses_[count_++] = at;
    }
    return true;
  }
  void tell_part(std::uint32_t part, std::uint32_t parts) {
    if (warp_.worker->listeners.empty()) return;
    const std::uint32_t each = count_ / parts;
    tell_units(warp_, step_, std::span(addresses_).subspan(part * each, each));
  }

 private:
  Warp& warp_;
  const Step& step_;
  Layout layout_;
  std::array<std::uint64_t, kMostTiles * 8> addresses_;
  std::uint32_t count_ = 0;
};

}  // namespace

bool fetch_a(Warp& warp, const Step& step, const MatrixPlan& plan, std::byte* tiles) {
  const std::uint64_t descriptor = descriptor_at(warp, plan.shared_a.descriptor);
  if (!usable(warp, step, descriptor)) return false;
  Fetch fetch(warp, step, layout_of(descriptor, plan.shared_a.transposed));
  const std::uint32_t first = warp.index % 4 * 2;  // core matrices of the rows before this warp's
  for (std::uint32_t half = 0; half < 2; ++half) {
    for (std::uint32_t block = 0; block < 2; ++block, tiles += kTileBytes) {
      if (!fetch.tile(first + block, half, tiles)) return false;
    }
  }
  fetch.tell_part(0, 1);
  return true;
}

// The four warps share B, which is read once: each tells a quarter of it.
bool fetch_b(Warp& warp, const Step& step, const MatrixPlan& plan, std::byte* tiles) {
  const std::uint64_t descriptor = descriptor_at(warp, plan.shared_b.descriptor);
  if (!usable(warp, step, descriptor)) return false;
  Fetch fetch(warp, step, layout_of(descriptor, plan.shared_b.transposed));
  for (std::uint32_t block = 0; block < plan.columns / 8; ++block) {
    for (std::uint32_t half = 0; half < 2; ++half, tiles += kTileBytes) {
      if (!fetch.tile(block, half, tiles)) return false;
    }
  }
  fetch.tell_part(warp.index % 4, 4);
  return true;
}

}  // namespace ridge::emulator
