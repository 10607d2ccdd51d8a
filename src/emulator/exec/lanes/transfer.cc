// Loads and stores: compiled for several instruction sets, since what they do with 32 addresses is most of a kernel's
// time here.
#include <algorithm>
#include <array>
#include <cstring>

#include "emulator/exec/block.h"
#include "emulator/exec/lanes/families.h"
#include "emulator/exec/windows.h"

namespace ridge::emulator::RIDGE_ISA {
namespace {

constexpr std::uint32_t kMostElements = 8;

/// Detail of ld and st.
struct Transfer {
  std::array<Slot, kMostElements> slots{};
  std::uint32_t elements = 1;
  bool wide_base = true;
  bool bypass_l1 = false;
  bool strong = false;  ///< may see what others write meanwhile
};

const Transfer& transfer_of(const Step& step) {
  return *static_cast<const Transfer*>(step.detail);
}

// Inactive lanes take the address of an active one, so that all 32 can be looked at without a mask.
RIDGE_LANE_CODE void fill_inactive(LaneAddresses& addresses, Mask mask) {
  if (mask == kAllLanes) return;
  const std::uint64_t any = addresses.at[__builtin_ctz(mask)];
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    if ((mask >> i & 1U) == 0) addresses.at[i] = any;
  }
}

/// What 32 addresses have in common.
struct Span {
  std::uint64_t low = 0, high = 0, bits = 0;
};
RIDGE_LANE_CODE Span span_of(const LaneAddresses& addresses) {
  Span span{UINT64_MAX, 0, 0};
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    span.low = std::min(span.low, addresses.at[i]);
    span.high = std::max(span.high, addresses.at[i]);
    span.bits |= addresses.at[i];
  }
  return span;
}

// One address, or each lane's `bytes` after those of the lane before.
RIDGE_LANE_CODE Shape shape_of(const LaneAddresses& addresses, const Span& span, Mask mask, std::uint64_t bytes) {
  if (mask != kAllLanes) return Shape::kUnknown;
  if (span.low == span.high) return Shape::kUniform;
  if (span.high - span.low != (kLanes - 1) * bytes) return Shape::kUnknown;
  std::uint64_t differs = 0;
  for (std::uint32_t i = 0; i < kLanes; ++i) differs |= addresses.at[i] ^ (span.low + bytes * i);
  return differs == 0 ? Shape::kContiguous : Shape::kUnknown;
}

RIDGE_LANE_CODE void addresses_of(const Warp& warp, const Step& step, bool wide, LaneAddresses& to) {
  const auto add = static_cast<std::uint64_t>(step.immediate);
  if (step.a == kNoSlot) {
    for (std::uint64_t& each : to.at) each = add;
  } else if (wide) {
    const std::uint64_t* from = warp.wide(step.a);
    for (std::uint32_t i = 0; i < kLanes; ++i) to.at[i] = from[i] + add;
  } else {
    const std::uint32_t* from = warp.word(step.a);
    const auto add_word = static_cast<std::uint32_t>(add);  // computed in 32 bits, as access.cc says
    for (std::uint32_t i = 0; i < kLanes; ++i) to.at[i] = from[i] + add_word;
  }
}

// ---- what moves between a lane's word and memory

template <class T>
void put(std::byte* slot, std::uint32_t lane, const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  if constexpr (sizeof(T) <= 4) {
    // A signed type fills the word with its sign.
    reinterpret_cast<std::uint32_t*>(slot)[lane] = static_cast<std::uint32_t>(static_cast<std::int64_t>(value));
  } else {
    reinterpret_cast<T*>(slot)[lane] = value;
  }
}
template <class T>
void take(std::byte* to, const std::byte* slot, std::uint32_t lane) {
  constexpr std::size_t kWord = sizeof(T) <= 4 ? 4 : sizeof(T);
  std::memcpy(to, slot + kWord * lane, sizeof(T));  // the low bytes
}

struct Wide16 {
  std::uint64_t low = 0, high = 0;
};

template <class T>
void load_lane(Warp& warp, const Transfer& transfer, std::uint32_t lane, const std::byte* from) {
  for (std::uint32_t e = 0; e < transfer.elements; ++e)
    put<T>(warp.base + transfer.slots[e], lane, from + e * sizeof(T));
}
template <class T>
void store_lane(const Warp& warp, const Transfer& transfer, std::uint32_t lane, std::byte* to) {
  for (std::uint32_t e = 0; e < transfer.elements; ++e)
    take<T>(to + e * sizeof(T), warp.base + transfer.slots[e], lane);
}

// All lanes of a slot from host memory at base + address - origin.
template <class T>
RIDGE_LANE_CODE void load_lanes(std::byte* slot, const std::byte* host, std::uint64_t origin,
                                const LaneAddresses& addresses, const Span& span, Mask mask, bool rises) {
  if (mask != kAllLanes) {
    for (Mask rest = mask; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::uint32_t>(__builtin_ctz(rest));
      put<T>(slot, lane, host + (addresses.at[lane] - origin));
    }
    return;
  }
  const std::byte* first = host + (addresses.at[0] - origin);
  if (span.low == span.high) {
    put<T>(slot, 0, first);
    if constexpr (sizeof(T) <= 4) {
      auto* words = reinterpret_cast<std::uint32_t*>(slot);
      const std::uint32_t word = words[0];
      for (std::uint32_t i = 1; i < kLanes; ++i) words[i] = word;
    } else {
      auto* words = reinterpret_cast<T*>(slot);
      const T word = words[0];
      for (std::uint32_t i = 1; i < kLanes; ++i) words[i] = word;
    }
    return;
  }
  if (rises && sizeof(T) >= 4) {
    std::memcpy(slot, first, sizeof(T) * kLanes);
    return;
  }
  for (std::uint32_t i = 0; i < kLanes; ++i) put<T>(slot, i, host + (addresses.at[i] - origin));
}

Access access_of(const Transfer& transfer, AccessKind kind, ptx::Space space, Mask mask, std::uint32_t bytes,
                 const LaneAddresses& addresses, Shape shape = Shape::kUnknown) {
  Access access;
  access.kind = kind;
  access.space = space;
  access.bypass_l1 = transfer.bypass_l1;
  access.strong = transfer.strong;
  access.mask = mask;
  access.bytes = bytes;
  access.addresses = addresses.at;
  access.shape = shape;
  return access;
}

// ---- the spaces

// Host memory for a whole warp's access in one piece, or nullptr: it spans regions, leaves one, or is misaligned. The
// slow path finds out which lane.
std::byte* whole_global(Warp& warp, const Step& step, const Span& span, std::uint32_t bytes, std::uint64_t& origin,
                        bool writes) {
  const Region*& hint = warp.worker->regions[step.site];
  if (hint == nullptr || !hint->holds(span.low, span.high + bytes)) {
    const Region* found = warp.block->launch().memory.find(span.low);
    if (found == nullptr || !found->holds(span.low, span.high + bytes)) return nullptr;
    hint = found;
  }
  if ((span.bits & (bytes - 1)) != 0 || (writes && !hint->writable)) return nullptr;
  origin = hint->begin;
  return hint->host;
}

// The same in shared memory of the warp's block.
std::byte* whole_shared(Warp& warp, const Span& span, std::uint32_t bytes, std::uint64_t& origin) {
  const auto shared = warp.block->shared();
  if (span.high > shared.size() || span.high + bytes > shared.size() || (span.bits & (bytes - 1)) != 0) return nullptr;
  origin = 0;
  return shared.data();
}

template <ptx::Space kSpace>
std::byte* whole(Warp& warp, const Step& step, const Span& span, std::uint32_t bytes, std::uint64_t& origin,
                 bool writes) {
  if constexpr (kSpace == ptx::Space::kShared) {
    return whole_shared(warp, span, bytes, origin);
  } else {
    return whole_global(warp, step, span, bytes, origin, writes);
  }
}

std::byte* one_lane(Warp& warp, const Step& step, ptx::Space space, std::uint32_t lane, std::uint64_t address,
                    std::uint32_t bytes, bool writes) {
  switch (space) {
    case ptx::Space::kShared:
      return cluster_memory(warp, step, lane, address, bytes, bytes);
    case ptx::Space::kLocal:
      return local_memory(warp, step, lane, address, bytes, bytes);
    case ptx::Space::kParameter:
      return generic_memory(warp, step, lane, address < kParameterWindow ? address + kParameterWindow : address, bytes,
                            bytes, writes);
    default:
      return global_memory(warp, step, lane, address, bytes, bytes, writes);
  }
}

template <class T>
void load_slowly(Warp& warp, const Step& step, Mask mask, ptx::Space space, const LaneAddresses& addresses) {
  const Transfer& transfer = transfer_of(step);
  const auto bytes = static_cast<std::uint32_t>(sizeof(T)) * transfer.elements;
  // Nothing is written before all lanes are known to be right: a vector may overwrite its own address.
  std::array<const std::byte*, kLanes> from{};
  for (Mask rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(rest));
    from[lane] = one_lane(warp, step, space, lane, addresses.at[lane], bytes, false);
    if (from[lane] == nullptr) return;
  }
  for (Mask rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(rest));
    load_lane<T>(warp, transfer, lane, from[lane]);
  }
  if (space == ptx::Space::kParameter) return;
  Access access = access_of(transfer, AccessKind::kLoad, space, mask, bytes, addresses);
  tell(warp, step, access);
}

template <class T>
void store_slowly(Warp& warp, const Step& step, Mask mask, ptx::Space space, const LaneAddresses& addresses) {
  const Transfer& transfer = transfer_of(step);
  const auto bytes = static_cast<std::uint32_t>(sizeof(T)) * transfer.elements;
  for (Mask rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(rest));
    std::byte* to = one_lane(warp, step, space, lane, addresses.at[lane], bytes, true);
    if (to == nullptr) return;
    store_lane<T>(warp, transfer, lane, to);
  }
  Access access = access_of(transfer, AccessKind::kStore, space, mask, bytes, addresses);
  tell(warp, step, access);
}

// Global and shared memory, which are what most kernels spend their time with.
template <class T, ptx::Space kSpace>
RIDGE_LANE_CODE void load_whole(Warp& warp, const Step& step, Mask mask) {
  const Transfer& transfer = transfer_of(step);
  LaneAddresses addresses;
  addresses_of(warp, step, transfer.wide_base, addresses);
  fill_inactive(addresses, mask);
  const auto bytes = static_cast<std::uint32_t>(sizeof(T)) * transfer.elements;
  std::uint64_t origin = 0;
  const Span span = span_of(addresses);
  warp.spins += transfer.strong ? 1 : 0;
  const std::byte* host = whole<kSpace>(warp, step, span, bytes, origin, false);
  if (host == nullptr) return load_slowly<T>(warp, step, mask, kSpace, addresses);
  const Shape shape = shape_of(addresses, span, mask, bytes);
  const bool rises = transfer.elements == 1 && shape == Shape::kContiguous;
  for (std::uint32_t e = 0; e < transfer.elements; ++e) {
    load_lanes<T>(warp.base + transfer.slots[e], host + e * sizeof(T), origin, addresses, span, mask, rises);
  }
  Access access = access_of(transfer, AccessKind::kLoad, kSpace, mask, bytes, addresses, shape);
  tell(warp, step, access);
}

template <class T, ptx::Space kSpace>
RIDGE_LANE_CODE void store_whole(Warp& warp, const Step& step, Mask mask) {
  const Transfer& transfer = transfer_of(step);
  LaneAddresses addresses;
  addresses_of(warp, step, transfer.wide_base, addresses);
  fill_inactive(addresses, mask);
  const auto bytes = static_cast<std::uint32_t>(sizeof(T)) * transfer.elements;
  std::uint64_t origin = 0;
  const Span span = span_of(addresses);
  std::byte* host = whole<kSpace>(warp, step, span, bytes, origin, true);
  if (host == nullptr) return store_slowly<T>(warp, step, mask, kSpace, addresses);
  const Shape shape = shape_of(addresses, span, mask, bytes);
  if (shape == Shape::kContiguous && sizeof(T) >= 4 && transfer.elements == 1) {
    std::memcpy(host + (addresses.at[0] - origin), warp.base + transfer.slots[0], sizeof(T) * kLanes);
  } else {
    for (Mask rest = mask; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::uint32_t>(__builtin_ctz(rest));
      store_lane<T>(warp, transfer, lane, host + (addresses.at[lane] - origin));
    }
  }
  Access access = access_of(transfer, AccessKind::kStore, kSpace, mask, bytes, addresses, shape);
  tell(warp, step, access);
}

// Local, constant and parameter memory, which are rarely hot.
template <class T, ptx::Space kSpace>
void load_other(Warp& warp, const Step& step, Mask mask) {
  LaneAddresses addresses;
  addresses_of(warp, step, transfer_of(step).wide_base, addresses);
  load_slowly<T>(warp, step, mask, kSpace, addresses);
}
template <class T, ptx::Space kSpace>
void store_other(Warp& warp, const Step& step, Mask mask) {
  LaneAddresses addresses;
  addresses_of(warp, step, transfer_of(step).wide_base, addresses);
  store_slowly<T>(warp, step, mask, kSpace, addresses);
}

// Lanes of a generic access, space by space.
template <class F>
void each_space(Warp& warp, LaneAddresses& addresses, Mask mask, F run) {
  while (mask != 0 && !warp.worker->stopped) {
    const ptx::Space space = space_of(addresses.at[__builtin_ctz(mask)]);
    Mask same = 0;
    for (std::uint32_t i = 0; i < kLanes; ++i) {
      if ((mask >> i & 1U) != 0 && space_of(addresses.at[i]) == space) same |= Mask{1} << i;
    }
    for (std::uint64_t& each : addresses.at) each -= window_of(space);
    run(space, same);
    for (std::uint64_t& each : addresses.at) each += window_of(space);
    mask &= ~same;
  }
}

template <class T>
void load_generic(Warp& warp, const Step& step, Mask mask) {
  LaneAddresses addresses;
  addresses_of(warp, step, transfer_of(step).wide_base, addresses);
  each_space(warp, addresses, mask,
             [&](ptx::Space space, Mask same) { load_slowly<T>(warp, step, same, space, addresses); });
}
template <class T>
void store_generic(Warp& warp, const Step& step, Mask mask) {
  LaneAddresses addresses;
  addresses_of(warp, step, transfer_of(step).wide_base, addresses);
  each_space(warp, addresses, mask,
             [&](ptx::Space space, Mask same) { store_slowly<T>(warp, step, same, space, addresses); });
}

// A kernel's own parameter at a place that is known: the same bytes for all lanes.
template <class T>
void load_parameter(Warp& warp, const Step& step, Mask mask) {
  const Transfer& transfer = transfer_of(step);
  const auto& parameters = warp.block->launch().parameters;
  const auto bytes = sizeof(T) * transfer.elements;
  const auto offset = static_cast<std::uint64_t>(step.immediate);
  if (offset > parameters.size() || bytes > parameters.size() - offset) {
    return raise(warp, step, FaultKind::kOutOfBounds, 0, ptx::Space::kParameter, offset,
                 static_cast<std::uint32_t>(bytes));
  }
  for (Mask rest = mask; rest != 0; rest &= rest - 1) {
    load_lane<T>(warp, transfer, static_cast<std::uint32_t>(__builtin_ctz(rest)), parameters.data() + offset);
  }
}

// A .param variable of a function: `a` is where it lies, `b` the distance between lanes.
template <class T>
void load_area(Warp& warp, const Step& step, Mask mask) {
  for (Mask rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(rest));
    load_lane<T>(warp, transfer_of(step), lane, warp.base + step.a + step.b * static_cast<Slot>(lane) + step.immediate);
  }
}
template <class T>
void store_area(Warp& warp, const Step& step, Mask mask) {
  for (Mask rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(rest));
    store_lane<T>(warp, transfer_of(step), lane,
                  warp.base + step.a + step.b * static_cast<Slot>(lane) + step.immediate);
  }
}

/// Handlers for one type.
struct Handlers {
  Handler global = nullptr, shared = nullptr, local = nullptr, constant = nullptr, parameter = nullptr,
          generic = nullptr, entry = nullptr, area = nullptr;
};
template <class T>
constexpr Handlers loads() {
  using S = ptx::Space;
  return {
      load_whole<T, S::kGlobal>,    load_whole<T, S::kShared>, load_other<T, S::kLocal>, load_other<T, S::kConstant>,
      load_other<T, S::kParameter>, load_generic<T>,           load_parameter<T>,        load_area<T>};
}
template <class T>
constexpr Handlers stores() {
  using S = ptx::Space;
  return {store_whole<T, S::kGlobal>,
          store_whole<T, S::kShared>,
          store_other<T, S::kLocal>,
          nullptr,
          nullptr,
          store_generic<T>,
          nullptr,
          store_area<T>};
}

Handlers handlers_for(bool load, Type type) {
  switch (size_of(type)) {
    case 1:
      if (!load) return stores<std::uint8_t>();
      return is_signed_integer(type) ? loads<std::int8_t>() : loads<std::uint8_t>();
    case 2:
      if (!load) return stores<std::uint16_t>();
      return is_signed_integer(type) ? loads<std::int16_t>() : loads<std::uint16_t>();
    case 4:
      return load ? loads<std::uint32_t>() : stores<std::uint32_t>();
    case 8:
      return load ? loads<std::uint64_t>() : stores<std::uint64_t>();
    default:
      return load ? loads<Wide16>() : stores<Wide16>();
  }
}

bool bypasses_l1(const Builder& builder) {
  return builder.has("cg") || builder.has("cv") || builder.has("volatile") || builder.has("relaxed") ||
         builder.has("acquire") || builder.has("release") || builder.has("wt") || builder.has("L1::no_allocate") ||
         builder.has("mmio");
}

Handler handler_for_space(const Builder& builder, const Handlers& handlers, const AddressOperand& address) {
  const auto says = [&](std::string_view space) { return builder.has(space); };
  if (says("global")) return handlers.global;
  if (says("shared") || says("shared::cta") || says("shared::cluster")) return handlers.shared;
  if (says("local")) return handlers.local;
  if (says("const")) return handlers.constant;
  if (says("param") || says("param::entry") || says("param::func")) {
    if (!address.symbol) return handlers.parameter;
    return address.symbol->kind == SymbolKind::kArea ? handlers.area : handlers.entry;
  }
  return handlers.generic;
}

// [name] without a space in the instruction: a generic address, so that the window is added.
void make_generic(AddressOperand& address) {
  if (!address.symbol || address.base != kNoSlot) return;
  address.offset += static_cast<std::int64_t>(window_of(address.symbol->space));
}

void add_transfer(Builder& builder, bool load) {
  const Type type = builder.type();
  AddressOperand address = builder.address(load ? 1 : 0);
  const ptx::Operand& values = builder.operand(load ? 0 : 1);
  Transfer transfer;
  const std::vector<Slot> slots = load ? builder.destinations(values, type) : builder.sources(values, type);
  transfer.elements = static_cast<std::uint32_t>(slots.size());
  if (transfer.elements != builder.vector_length()) {
    return builder.reject("the vector does not have as many elements as the instruction says", "make them agree");
  }
  std::copy(slots.begin(), slots.end(), transfer.slots.begin());
  transfer.wide_base = address.wide;
  transfer.bypass_l1 = bypasses_l1(builder);
  transfer.strong =
      builder.has("volatile") || builder.has("acquire") || builder.has("relaxed") || builder.has("release");
  const Handlers handlers = handlers_for(load, type);
  const Handler handler = handler_for_space(builder, handlers, address);
  if (handler == nullptr) {
    return builder.reject("this memory cannot be written", "store to global, shared or local memory");
  }
  if (handler == handlers.generic) make_generic(address);
  Step step;
  step.run = handler;
  step.a = address.base;
  step.immediate = address.offset;
  if (address.symbol && address.symbol->kind == SymbolKind::kArea) {
    const Area& area = address.symbol->area;
    const std::uint64_t bytes = std::uint64_t{size_of(type)} * transfer.elements;
    if (address.offset < 0 || static_cast<std::uint64_t>(address.offset) + bytes > area.stride) {
      return builder.reject("the access leaves the parameter", "check the offset");
    }
    step.a = area.slot;
    step.b = static_cast<Slot>(area.stride);
  }
  step.detail = builder.keep(transfer);
  builder.emit(step);
}

}  // namespace

bool select_transfer(Builder& builder) {
  const std::string_view opcode = builder.opcode();
  const bool load = opcode == "ld" || opcode == "ldu";
  if (!load && (opcode != "st" || builder.has("async") || builder.has("bulk"))) return false;
  add_transfer(builder, load);
  return true;
}

}  // namespace ridge::emulator::RIDGE_ISA
