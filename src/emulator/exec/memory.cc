// Loads and stores.
#include <algorithm>
#include <array>
#include <cstring>

#include "emulator/exec/block.h"
#include "emulator/exec/families.h"

namespace ridge::emulator {
namespace {

constexpr std::uint32_t kMostElements = 8;

/// Detail of ld and st.
struct Transfer {
  std::array<Slot, kMostElements> slots{};
  std::uint32_t elements = 1;
  bool wide_base = true;
  bool bypass_l1 = false, read_only = false;
};

const Transfer& transfer_of(const Step& step) {
  return *static_cast<const Transfer*>(step.detail);
}

// Inactive lanes take the address of an active one, so that all 32 can be looked at without a mask.
void fill_inactive(LaneAddresses& addresses, Mask mask) {
  if (mask == kAllLanes) return;
  const std::uint64_t any = addresses.at[__builtin_ctz(mask)];
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    if ((mask >> i & 1U) == 0) addresses.at[i] = any;
  }
}

struct Span {
  std::uint64_t low = 0, high = 0, bits = 0;
};
Span span_of(const LaneAddresses& addresses) {
  Span span{UINT64_MAX, 0, 0};
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    span.low = std::min(span.low, addresses.at[i]);
    span.high = std::max(span.high, addresses.at[i]);
    span.bits |= addresses.at[i];
  }
  return span;
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
void load_lanes(std::byte* slot, const std::byte* host, std::uint64_t origin, const LaneAddresses& addresses,
                Mask mask) {
  if (mask == kAllLanes) {
    for (std::uint32_t i = 0; i < kLanes; ++i) put<T>(slot, i, host + (addresses.at[i] - origin));
    return;
  }
  for (Mask rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(rest));
    put<T>(slot, lane, host + (addresses.at[lane] - origin));
  }
}

Access access_of(const Transfer& transfer, AccessKind kind, ptx::Space space, Mask mask, std::uint32_t bytes,
                 const LaneAddresses& addresses) {
  Access access;
  access.kind = kind;
  access.space = space;
  access.bypass_l1 = transfer.bypass_l1;
  access.read_only = transfer.read_only;
  access.mask = mask;
  access.bytes = bytes;
  access.addresses = addresses.at;
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

std::byte* whole_shared(Warp& warp, const Span& span, std::uint32_t bytes) {
  const auto shared = warp.block->shared();
  if (span.high + bytes > shared.size() || (span.bits & (bytes - 1)) != 0) return nullptr;
  return shared.data();
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
  if (space != ptx::Space::kParameter)
    tell(warp, step, access_of(transfer, AccessKind::kLoad, space, mask, bytes, addresses));
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
  tell(warp, step, access_of(transfer, AccessKind::kStore, space, mask, bytes, addresses));
}

template <class T>
void load_global(Warp& warp, const Step& step, Mask mask) {
  const Transfer& transfer = transfer_of(step);
  LaneAddresses addresses;
  lane_addresses(warp, step.a, transfer.wide_base, step.immediate, addresses);
  fill_inactive(addresses, mask);
  const auto bytes = static_cast<std::uint32_t>(sizeof(T)) * transfer.elements;
  std::uint64_t origin = 0;
  const std::byte* host = whole_global(warp, step, span_of(addresses), bytes, origin, false);
  if (host == nullptr) return load_slowly<T>(warp, step, mask, ptx::Space::kGlobal, addresses);
  for (std::uint32_t e = 0; e < transfer.elements; ++e) {
    load_lanes<T>(warp.base + transfer.slots[e], host + e * sizeof(T), origin, addresses, mask);
  }
  tell(warp, step, access_of(transfer, AccessKind::kLoad, ptx::Space::kGlobal, mask, bytes, addresses));
}

template <class T>
void load_shared(Warp& warp, const Step& step, Mask mask) {
  const Transfer& transfer = transfer_of(step);
  LaneAddresses addresses;
  lane_addresses(warp, step.a, transfer.wide_base, step.immediate, addresses);
  fill_inactive(addresses, mask);
  const auto bytes = static_cast<std::uint32_t>(sizeof(T)) * transfer.elements;
  const std::byte* host = whole_shared(warp, span_of(addresses), bytes);
  if (host == nullptr) return load_slowly<T>(warp, step, mask, ptx::Space::kShared, addresses);
  for (std::uint32_t e = 0; e < transfer.elements; ++e) {
    load_lanes<T>(warp.base + transfer.slots[e], host + e * sizeof(T), 0, addresses, mask);
  }
  tell(warp, step, access_of(transfer, AccessKind::kLoad, ptx::Space::kShared, mask, bytes, addresses));
}

template <class T>
void store_global(Warp& warp, const Step& step, Mask mask) {
  const Transfer& transfer = transfer_of(step);
  LaneAddresses addresses;
  lane_addresses(warp, step.a, transfer.wide_base, step.immediate, addresses);
  fill_inactive(addresses, mask);
  const auto bytes = static_cast<std::uint32_t>(sizeof(T)) * transfer.elements;
  std::uint64_t origin = 0;
  std::byte* host = whole_global(warp, step, span_of(addresses), bytes, origin, true);
  if (host == nullptr) return store_slowly<T>(warp, step, mask, ptx::Space::kGlobal, addresses);
  for (Mask rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(rest));
    store_lane<T>(warp, transfer, lane, host + (addresses.at[lane] - origin));
  }
  tell(warp, step, access_of(transfer, AccessKind::kStore, ptx::Space::kGlobal, mask, bytes, addresses));
}

template <class T>
void store_shared(Warp& warp, const Step& step, Mask mask) {
  const Transfer& transfer = transfer_of(step);
  LaneAddresses addresses;
  lane_addresses(warp, step.a, transfer.wide_base, step.immediate, addresses);
  fill_inactive(addresses, mask);
  const auto bytes = static_cast<std::uint32_t>(sizeof(T)) * transfer.elements;
  std::byte* host = whole_shared(warp, span_of(addresses), bytes);
  if (host == nullptr) return store_slowly<T>(warp, step, mask, ptx::Space::kShared, addresses);
  for (Mask rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(rest));
    store_lane<T>(warp, transfer, lane, host + addresses.at[lane]);
  }
  tell(warp, step, access_of(transfer, AccessKind::kStore, ptx::Space::kShared, mask, bytes, addresses));
}

// Local, constant and parameter memory, which are rarely hot.
template <class T, ptx::Space kSpace>
void load_other(Warp& warp, const Step& step, Mask mask) {
  LaneAddresses addresses;
  lane_addresses(warp, step.a, transfer_of(step).wide_base, step.immediate, addresses);
  load_slowly<T>(warp, step, mask, kSpace, addresses);
}
template <class T, ptx::Space kSpace>
void store_other(Warp& warp, const Step& step, Mask mask) {
  LaneAddresses addresses;
  lane_addresses(warp, step.a, transfer_of(step).wide_base, step.immediate, addresses);
  store_slowly<T>(warp, step, mask, kSpace, addresses);
}

ptx::Space space_of(std::uint64_t generic) {
  if (generic - kSharedWindow < kWindowBytes) return ptx::Space::kShared;
  if (generic - kLocalWindow < kWindowBytes) return ptx::Space::kLocal;
  return generic - kParameterWindow < kWindowBytes ? ptx::Space::kParameter : ptx::Space::kGlobal;
}
std::uint64_t window_of(ptx::Space space) {
  if (space == ptx::Space::kShared) return kSharedWindow;
  if (space == ptx::Space::kLocal) return kLocalWindow;
  return space == ptx::Space::kParameter ? kParameterWindow : 0;
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
  lane_addresses(warp, step.a, transfer_of(step).wide_base, step.immediate, addresses);
  each_space(warp, addresses, mask,
             [&](ptx::Space space, Mask same) { load_slowly<T>(warp, step, same, space, addresses); });
}
template <class T>
void store_generic(Warp& warp, const Step& step, Mask mask) {
  LaneAddresses addresses;
  lane_addresses(warp, step.a, transfer_of(step).wide_base, step.immediate, addresses);
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
  return {load_global<T>,
          load_shared<T>,
          load_other<T, S::kLocal>,
          load_other<T, S::kConstant>,
          load_other<T, S::kParameter>,
          load_generic<T>,
          load_parameter<T>,
          load_area<T>};
}
template <class T>
constexpr Handlers stores() {
  using S = ptx::Space;
  return {store_global<T>, store_shared<T>, store_other<T, S::kLocal>, nullptr, nullptr, store_generic<T>,
          nullptr,         store_area<T>};
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
  transfer.read_only = builder.has("nc");
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

// ---- addresses

void add_window(Warp& warp, const Step& step, Mask mask) {
  for (Mask rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(rest));
    warp.wide(step.d)[lane] = warp.wide(step.a)[lane] + static_cast<std::uint64_t>(step.immediate);
  }
}

void add_cvta(Builder& builder) {
  const bool to_space = builder.has("to");
  if (builder.type() != Type::kU64)
    return builder.refuse("32-bit generic addresses are not emulated", "compile for 64 bits");
  std::uint64_t window = 0;
  if (builder.has("shared") || builder.has("shared::cta") || builder.has("shared::cluster")) window = kSharedWindow;
  if (builder.has("local")) window = kLocalWindow;
  const bool parameter = builder.has("param") || builder.has("param::entry");
  Slot source = builder.source(1, Type::kU64);
  const auto symbol =
      builder.operand(1).kind == ptx::OperandKind::kName ? builder.symbol(builder.operand(1).name) : std::nullopt;
  const bool is_symbol = symbol && symbol->kind == SymbolKind::kEntryParameter;
  if (parameter && !is_symbol) window = 0;  // such addresses are generic already
  if (to_space) window = 0 - window;
  builder.emit({.run = add_window,
                .d = builder.destination(0, Type::kU64),
                .a = source,
                .immediate = static_cast<std::int64_t>(window)});
}

void in_space(Warp& warp, const Step& step, Mask mask) {
  Mask result = 0;
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    const auto space = static_cast<std::int64_t>(space_of(warp.wide(step.a)[i]));
    result |= static_cast<Mask>(space == step.immediate) << i;
  }
  Mask& d = warp.predicate(step.d);
  d = (d & ~mask) | (result & mask);
}

void add_isspacep(Builder& builder) {
  auto space = ptx::Space::kGlobal;
  if (builder.has("shared") || builder.has("shared::cta") || builder.has("shared::cluster"))
    space = ptx::Space::kShared;
  if (builder.has("local")) space = ptx::Space::kLocal;
  if (builder.has("param") || builder.has("param::entry")) space = ptx::Space::kParameter;
  if (builder.has("const")) return builder.refuse("isspacep.const is not emulated");
  builder.emit({.run = in_space,
                .d = builder.destination(0, Type::kPredicate),
                .a = builder.source(1, Type::kU64),
                .immediate = static_cast<std::int64_t>(space)});
}

// The address of the same variable in block `b` of the cluster.
template <class W>
void map_to_block(Warp& warp, const Step& step, Mask mask) {
  const auto* a = reinterpret_cast<const W*>(warp.base + step.a);
  auto* d = reinterpret_cast<W*>(warp.base + step.d);
  for (Mask rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(rest));
    const std::uint64_t window = a[lane] & ~(kWindowBytes - 1);
    d[lane] = static_cast<W>(window + kClusterStride * (warp.word(step.b)[lane] + 1) + a[lane] % kClusterStride);
  }
}
template <class W>
void block_of_address(Warp& warp, const Step& step, Mask mask) {
  const auto* a = reinterpret_cast<const W*>(warp.base + step.a);
  for (Mask rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(rest));
    const std::uint64_t block = a[lane] % kWindowBytes / kClusterStride;
    warp.word(step.d)[lane] = block == 0 ? warp.block->rank() : static_cast<std::uint32_t>(block - 1);
  }
}

void add_mapa(Builder& builder) {
  const Type type = builder.type();
  const bool wide = type == Type::kU64;
  builder.emit({.run = wide ? map_to_block<std::uint64_t> : map_to_block<std::uint32_t>,
                .d = builder.destination(0, type),
                .a = builder.source(1, type),
                .b = builder.source(2, Type::kU32)});
}
void add_getctarank(Builder& builder) {
  const Type type = builder.type();
  builder.emit({.run = type == Type::kU64 ? block_of_address<std::uint64_t> : block_of_address<std::uint32_t>,
                .d = builder.destination(0, Type::kU32),
                .a = builder.source(1, type)});
}

}  // namespace

bool select_memory(Builder& builder) {
  const std::string_view opcode = builder.opcode();
  if (opcode == "ld" || opcode == "ldu") {
    add_transfer(builder, true);
  } else if (opcode == "st" && !builder.has("async") && !builder.has("bulk")) {
    add_transfer(builder, false);
  } else if (opcode == "cvta") {
    add_cvta(builder);
  } else if (opcode == "isspacep") {
    add_isspacep(builder);
  } else if (opcode == "mapa") {
    add_mapa(builder);
  } else if (opcode == "getctarank") {
    add_getctarank(builder);
  } else {
    return false;
  }
  return true;
}

}  // namespace ridge::emulator
