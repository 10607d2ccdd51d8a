// Atomics and reductions, in global and shared memory.
//
// Lanes follow one another in order of their number. Workers share global memory, so that every update is atomic on the
// host too; which block comes first is as open as on hardware.
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>

#include "emulator/exec/block.h"
#include "emulator/exec/families.h"
#include "emulator/number/softfloat.h"

namespace ridge::emulator {
namespace {

constexpr std::uint32_t kMostElements = 8;

/// Detail of atom and red. `d` where they return, `b` the operands, `c` the new value of cas.
struct AtomicDetail {
  bool wide_base = true;
  bool returns = true;
  ptx::Space space = ptx::Space::kGlobal;
  bool generic = false;
  std::uint32_t elements = 1;
  std::array<Slot, kMostElements> d{}, b{};
  Slot c = kNoSlot;
};

const AtomicDetail& detail_of(const Step& step) {
  return *static_cast<const AtomicDetail*>(step.detail);
}

// ---- operations on bits

template <class T>
struct AddOf {
  static T of(T old, T b, T) { return static_cast<T>(old + b); }
};
struct AddFloat {
  static std::uint32_t of(std::uint32_t old, std::uint32_t b, std::uint32_t) {
    const float sum = std::bit_cast<float>(old) + std::bit_cast<float>(b);
    return sum == sum ? std::bit_cast<std::uint32_t>(sum) : 0x7FFFFFFFU;
  }
};
struct AddDouble {
  static std::uint64_t of(std::uint64_t old, std::uint64_t b, std::uint64_t) {
    return std::bit_cast<std::uint64_t>(std::bit_cast<double>(old) + std::bit_cast<double>(b));
  }
};
struct Inc {
  static std::uint32_t of(std::uint32_t old, std::uint32_t b, std::uint32_t) { return old >= b ? 0 : old + 1; }
};
struct Dec {
  static std::uint32_t of(std::uint32_t old, std::uint32_t b, std::uint32_t) {
    return old == 0 || old > b ? b : old - 1;
  }
};
template <class T>
struct MinOf {
  static auto of(std::make_unsigned_t<T> old, std::make_unsigned_t<T> b, std::make_unsigned_t<T>) {
    return static_cast<T>(b) < static_cast<T>(old) ? b : old;
  }
};
template <class T>
struct MaxOf {
  static auto of(std::make_unsigned_t<T> old, std::make_unsigned_t<T> b, std::make_unsigned_t<T>) {
    return static_cast<T>(b) > static_cast<T>(old) ? b : old;
  }
};
template <class T>
struct AndOf {
  static T of(T old, T b, T) { return old & b; }
};
template <class T>
struct OrOf {
  static T of(T old, T b, T) { return old | b; }
};
template <class T>
struct XorOf {
  static T of(T old, T b, T) { return old ^ b; }
};
template <class T>
struct Exchange {
  static T of(T, T b, T) { return b; }
};
template <class T>
struct CompareAndSwap {
  static T of(T old, T b, T c) { return old == b ? c : old; }
};

template <class T, class Op>
T update(std::byte* at, T b, T c) {
  std::atomic_ref<T> word(*reinterpret_cast<T*>(at));
  T old = word.load(std::memory_order_relaxed);
  while (!word.compare_exchange_weak(old, Op::of(old, b, c), std::memory_order_acq_rel)) {
  }
  return old;
}

// ---- halves: 16 bits, or two of them in a word

template <bool kBrain>
struct AddHalf {
  static std::uint16_t of(std::uint16_t old, std::uint16_t b, std::uint16_t) {
    return static_cast<std::uint16_t>(number::add(kBrain ? number::kBf16 : number::kF16, old, b));
  }
};
template <bool kBrain>
struct AddHalf2 {
  static std::uint32_t of(std::uint32_t old, std::uint32_t b, std::uint32_t) {
    const auto one = [](std::uint32_t x, std::uint32_t y) {
      return std::uint32_t{AddHalf<kBrain>::of(static_cast<std::uint16_t>(x), static_cast<std::uint16_t>(y), 0)};
    };
    return one(old, b) | one(old >> 16, b >> 16) << 16;
  }
};

template <class T>
T lane_value(const Warp& warp, Slot slot, std::uint32_t lane) {
  constexpr std::size_t kWord = sizeof(T) <= 4 ? 4 : sizeof(T);
  T value;
  std::memcpy(&value, warp.base + slot + kWord * lane, sizeof value);
  return value;
}
template <class T>
void set_lane(Warp& warp, Slot slot, std::uint32_t lane, T value) {
  if constexpr (sizeof(T) <= 4) {
    warp.word(slot)[lane] = value;
  } else {
    warp.wide(slot)[lane] = value;
  }
}

std::byte* reach(Warp& warp, const Step& step, ptx::Space space, std::uint32_t lane, std::uint64_t address,
                 std::uint32_t bytes) {
  if (space == ptx::Space::kShared) return cluster_memory(warp, step, lane, address, bytes, bytes);
  return global_memory(warp, step, lane, address, bytes, bytes, true);
}

template <class T, class Op>
void atomic_lane(Warp& warp, const AtomicDetail& detail, std::uint32_t lane, std::byte* at) {
  for (std::uint32_t e = 0; e < detail.elements; ++e) {
    const T b = lane_value<T>(warp, detail.b[e], lane);
    const T c = detail.c == kNoSlot ? T{0} : lane_value<T>(warp, detail.c, lane);
    const T old = update<T, Op>(at + e * sizeof(T), b, c);
    if (detail.returns) set_lane<T>(warp, detail.d[e], lane, old);
  }
}

template <class T, class Op>
void atomic(Warp& warp, const Step& step, Mask mask) {
  const AtomicDetail& detail = detail_of(step);
  LaneAddresses addresses;
  lane_addresses(warp, step.a, detail.wide_base, step.immediate, addresses);
  const auto bytes = static_cast<std::uint32_t>(sizeof(T)) * detail.elements;
  Access access;
  access.kind = detail.returns ? AccessKind::kAtomic : AccessKind::kReduction;
  access.bytes = bytes;
  access.addresses = addresses.at;
  std::array<Mask, 2> by_space{};  // global, shared
  for (Mask rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(rest));
    ptx::Space space = detail.space;
    if (detail.generic && addresses.at[lane] - kSharedWindow < kWindowBytes) {
      space = ptx::Space::kShared;
      addresses.at[lane] -= kSharedWindow;
    }
    std::byte* at = reach(warp, step, space, lane, addresses.at[lane], bytes);
    if (at == nullptr) return;
    by_space[space == ptx::Space::kShared ? 1 : 0] |= Mask{1} << lane;
    atomic_lane<T, Op>(warp, detail, lane, at);
  }
  warp.spins += detail.returns ? 1 : 0;
  for (std::size_t i = 0; i < by_space.size(); ++i) {
    if (by_space[i] == 0) continue;
    access.space = i == 0 ? ptx::Space::kGlobal : ptx::Space::kShared;
    access.mask = by_space[i];
    tell(warp, step, access);
  }
}

// ---- which of them

template <class T>
Handler bitwise(std::string_view operation) {
  if (operation == "and") return atomic<T, AndOf<T>>;
  if (operation == "or") return atomic<T, OrOf<T>>;
  if (operation == "xor") return atomic<T, XorOf<T>>;
  if (operation == "exch") return atomic<T, Exchange<T>>;
  return operation == "cas" ? atomic<T, CompareAndSwap<T>> : nullptr;
}

Handler handler_for(std::string_view operation, Type type) {
  const bool wide = size_of(type) == 8;
  if (operation == "add") {
    switch (type) {
      case Type::kF32:
        return atomic<std::uint32_t, AddFloat>;
      case Type::kF64:
        return atomic<std::uint64_t, AddDouble>;
      case Type::kF16:
        return atomic<std::uint16_t, AddHalf<false>>;
      case Type::kBf16:
        return atomic<std::uint16_t, AddHalf<true>>;
      case Type::kF16x2:
        return atomic<std::uint32_t, AddHalf2<false>>;
      case Type::kBf16x2:
        return atomic<std::uint32_t, AddHalf2<true>>;
      default:
        return wide ? atomic<std::uint64_t, AddOf<std::uint64_t>> : atomic<std::uint32_t, AddOf<std::uint32_t>>;
    }
  }
  if (operation == "inc") return atomic<std::uint32_t, Inc>;
  if (operation == "dec") return atomic<std::uint32_t, Dec>;
  if (operation == "min" || operation == "max") {
    const bool least = operation == "min";
    switch (type) {
      case Type::kU32:
        return least ? atomic<std::uint32_t, MinOf<std::uint32_t>> : atomic<std::uint32_t, MaxOf<std::uint32_t>>;
      case Type::kS32:
        return least ? atomic<std::uint32_t, MinOf<std::int32_t>> : atomic<std::uint32_t, MaxOf<std::int32_t>>;
      case Type::kU64:
        return least ? atomic<std::uint64_t, MinOf<std::uint64_t>> : atomic<std::uint64_t, MaxOf<std::uint64_t>>;
      case Type::kS64:
        return least ? atomic<std::uint64_t, MinOf<std::int64_t>> : atomic<std::uint64_t, MaxOf<std::int64_t>>;
      default:
        return nullptr;  // of halves
    }
  }
  if (size_of(type) == 2) return bitwise<std::uint16_t>(operation);
  if (size_of(type) == 16) return nullptr;
  return wide ? bitwise<std::uint64_t>(operation) : bitwise<std::uint32_t>(operation);
}

std::string_view operation_of(const Builder& builder) {
  for (const std::string_view each : {"add", "min", "max", "inc", "dec", "and", "or", "xor", "exch", "cas"}) {
    if (builder.has(each)) return each;
  }
  return {};
}

void add_atomic(Builder& builder, bool returns) {
  const Type type = builder.type();
  const std::string_view operation = operation_of(builder);
  const Handler handler = handler_for(operation, type);
  if (handler == nullptr) {
    return builder.refuse("." + std::string(operation) + " on this type is not emulated", "use another type");
  }
  AtomicDetail detail;
  detail.returns = returns;
  std::size_t next = 0;
  if (returns) {
    const auto slots = builder.destinations(builder.operand(next++), type);
    std::copy(slots.begin(), slots.end(), detail.d.begin());
    detail.returns = !builder.site().unread;
  }
  AddressOperand address = builder.address(next++);
  const auto values = builder.sources(builder.operand(next++), type);
  detail.elements = static_cast<std::uint32_t>(values.size());
  std::copy(values.begin(), values.end(), detail.b.begin());
  if (operation == "cas") detail.c = builder.source(next++, type);
  const bool shared = builder.has("shared") || builder.has("shared::cta") || builder.has("shared::cluster");
  detail.generic = !shared && !builder.has("global");
  detail.space = shared ? ptx::Space::kShared : ptx::Space::kGlobal;
  if (detail.generic && address.symbol && address.symbol->space == ptx::Space::kShared && address.base == kNoSlot) {
    address.offset += static_cast<std::int64_t>(kSharedWindow);
  }
  detail.wide_base = address.wide;
  builder.emit({.run = handler, .a = address.base, .immediate = address.offset, .detail = builder.keep(detail)});
}

}  // namespace

bool select_atomic(Builder& builder) {
  if (builder.opcode() == "multimem") {
    builder.refuse("multimem is not emulated: it needs several GPUs", "reduce within one GPU");
    return true;
  }
  if (builder.opcode() != "atom" && builder.opcode() != "red") return false;
  if (builder.has("async")) return false;
  add_atomic(builder, builder.opcode() == "atom");
  return true;
}

}  // namespace ridge::emulator
