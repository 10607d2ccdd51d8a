// Addresses between the spaces: cvta, isspacep, and those of a cluster's blocks.
#include "emulator/exec/block.h"
#include "emulator/exec/families.h"
#include "emulator/exec/windows.h"

namespace ridge::emulator {
namespace {

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

bool select_address(Builder& builder) {
  const std::string_view opcode = builder.opcode();
  if (opcode == "cvta") {
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
