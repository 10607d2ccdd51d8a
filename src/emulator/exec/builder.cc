#include "emulator/exec/builder.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "emulator/exec/errors.h"
#include "emulator/exec/warp.h"
#include "emulator/ptx/lexer.h"

namespace ridge::emulator {
namespace {

void narrow(Warp& warp, const Step& step, Mask mask) {
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    if ((mask >> i & 1U) != 0) warp.word(step.d)[i] = static_cast<std::uint32_t>(warp.wide(step.a)[i]);
  }
}

void widen_zero(Warp& warp, const Step& step, Mask mask) {
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    if ((mask >> i & 1U) != 0) warp.wide(step.d)[i] = warp.word(step.a)[i];
  }
}

void widen_sign(Warp& warp, const Step& step, Mask mask) {
  const auto shift = static_cast<unsigned>(step.immediate);  // of a narrow value in its word
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    if ((mask >> i & 1U) == 0) continue;
    const auto value = static_cast<std::int32_t>(warp.word(step.a)[i] << shift) >> shift;
    warp.wide(step.d)[i] = static_cast<std::uint64_t>(std::int64_t{value});
  }
}

void invert_predicate(Warp& warp, const Step& step, Mask mask) {
  Mask& to = warp.predicate(step.d);
  to = (to & ~mask) | (~warp.predicate(step.a) & mask);
}

struct SpecialName {
  std::string_view name;
  char element = 0;
  Special which{};
};
constexpr auto kSpecials = std::to_array<SpecialName>({
    {"%tid", 'x', Special::kTidX},
    {"%tid", 'y', Special::kTidY},
    {"%tid", 'z', Special::kTidZ},
    {"%tid", 'w', Special::kZero},
    {"%ntid", 'x', Special::kNtidX},
    {"%ntid", 'y', Special::kNtidY},
    {"%ntid", 'z', Special::kNtidZ},
    {"%ntid", 'w', Special::kZero},
    {"%ctaid", 'x', Special::kCtaidX},
    {"%ctaid", 'y', Special::kCtaidY},
    {"%ctaid", 'z', Special::kCtaidZ},
    {"%ctaid", 'w', Special::kZero},
    {"%nctaid", 'x', Special::kNctaidX},
    {"%nctaid", 'y', Special::kNctaidY},
    {"%nctaid", 'z', Special::kNctaidZ},
    {"%nctaid", 'w', Special::kZero},
    {"%clusterid", 'x', Special::kClusteridX},
    {"%clusterid", 'y', Special::kClusteridY},
    {"%clusterid", 'z', Special::kClusteridZ},
    {"%nclusterid", 'x', Special::kNclusteridX},
    {"%nclusterid", 'y', Special::kNclusteridY},
    {"%nclusterid", 'z', Special::kNclusteridZ},
    {"%cluster_ctaid", 'x', Special::kClusterCtaidX},
    {"%cluster_ctaid", 'y', Special::kClusterCtaidY},
    {"%cluster_ctaid", 'z', Special::kClusterCtaidZ},
    {"%cluster_nctaid", 'x', Special::kClusterNctaidX},
    {"%cluster_nctaid", 'y', Special::kClusterNctaidY},
    {"%cluster_nctaid", 'z', Special::kClusterNctaidZ},
    {"%cluster_ctarank", 0, Special::kClusterCtarank},
    {"%cluster_nctarank", 0, Special::kClusterNctarank},
    {"%is_explicit_cluster", 0, Special::kIsExplicitCluster},
    {"%laneid", 0, Special::kLaneid},
    {"%warpid", 0, Special::kWarpid},
    {"%nwarpid", 0, Special::kNwarpid},
    {"%smid", 0, Special::kSmid},
    {"%nsmid", 0, Special::kNsmid},
    {"%gridid", 0, Special::kGridid},
    {"%lanemask_eq", 0, Special::kLanemaskEq},
    {"%lanemask_lt", 0, Special::kLanemaskLt},
    {"%lanemask_le", 0, Special::kLanemaskLe},
    {"%lanemask_gt", 0, Special::kLanemaskGt},
    {"%lanemask_ge", 0, Special::kLanemaskGe},
    {"%dynamic_smem_size", 0, Special::kDynamicSharedSize},
    {"%total_smem_size", 0, Special::kTotalSharedSize},
    {"%aggr_smem_size", 0, Special::kTotalSharedSize},
    {"%reserved_smem_offset_begin", 0, Special::kReservedShared},
    {"%reserved_smem_offset_end", 0, Special::kReservedShared},
    {"%reserved_smem_offset_cap", 0, Special::kReservedShared},
});

std::optional<Special> special_named(std::string_view name, char element) {
  const auto* found = std::find_if(kSpecials.begin(), kSpecials.end(), [&](const SpecialName& each) {
    return each.name == name && each.element == element;
  });
  if (found == kSpecials.end()) return std::nullopt;
  return found->which;
}

template <class To, class From>
To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

// A constant of the text as the bits of a type: floating-point constants are doubles or floats and become what is
// asked.
std::uint64_t constant_bits(const ptx::Operand& operand, Type type) {
  const bool is_float = operand.kind == ptx::OperandKind::kFloat32 || operand.kind == ptx::OperandKind::kFloat64;
  if (is_float && size_of(type) == 4 && operand.kind == ptx::OperandKind::kFloat64) {
    return bits_as<std::uint32_t>(static_cast<float>(bits_as<double>(operand.bits)));
  }
  if (is_float && size_of(type) == 8 && operand.kind == ptx::OperandKind::kFloat32) {
    return bits_as<std::uint64_t>(double{bits_as<float>(static_cast<std::uint32_t>(operand.bits))});
  }
  if (!is_float && type == Type::kF32) {
    return bits_as<std::uint32_t>(static_cast<float>(static_cast<std::int64_t>(operand.bits)));
  }
  if (!is_float && type == Type::kF64) {
    return bits_as<std::uint64_t>(static_cast<double>(static_cast<std::int64_t>(operand.bits)));
  }
  const std::uint32_t bytes = size_of(type);
  return bytes >= 8 ? operand.bits : operand.bits & ((std::uint64_t{1} << (8 * bytes)) - 1);
}

bool is_constant(ptx::OperandKind kind) {
  return kind == ptx::OperandKind::kInteger || kind == ptx::OperandKind::kFloat32 || kind == ptx::OperandKind::kFloat64;
}

constexpr std::uint32_t kPoolAlignment = 64;

}  // namespace

Slot Pool::allocate_shared(Lane lane) {
  prefix_bytes += std::max(slot_bytes(lane), kPoolAlignment);
  return -static_cast<Slot>(prefix_bytes);
}

Slot Pool::constant(Lane lane, std::uint64_t value) {
  const auto [place, is_new] = constants.try_emplace({lane, value}, 0);
  if (!is_new) return place->second;
  place->second = allocate_shared(lane);
  std::vector<std::byte> bytes(slot_bytes(lane), std::byte{0});
  const std::uint32_t each = lane == Lane::kMask ? 4 : slot_bytes(lane) / kLanes;
  for (std::size_t at = 0; at < bytes.size(); at += each) {
    std::memcpy(bytes.data() + at, &value, std::min<std::size_t>(each, sizeof value));
  }
  images.emplace_back(place->second, std::move(bytes));
  return place->second;
}

Slot Pool::special(Special which, bool wide) {
  const auto [place, is_new] = special_slots.try_emplace({which, wide}, 0);
  if (!is_new) return place->second;
  place->second = allocate_shared(wide ? Lane::kDouble : Lane::kWord);
  program.specials.push_back({which, place->second, wide});
  return place->second;
}

void Pool::finish() {
  program.shared_image.assign(prefix_bytes, std::byte{0});
  for (const auto& [slot, bytes] : images) {
    std::memcpy(program.shared_image.data() + prefix_bytes + slot, bytes.data(), bytes.size());
  }
}

Builder::Builder(Pool& pool, Body& body, const Item& item, const ptx::Form& form, std::uint32_t site)
    : pool_(pool), body_(body), item_(item), form_(form), site_(site) {
  for (const std::string_view each : instruction().modifiers) {
    if (const auto type = type_named(each)) types_.push_back(*type);
  }
  guard_ = pool_.constant(Lane::kMask, kAllLanes);
  if (!instruction().guard) return;
  const ptx::Guard& guard = *instruction().guard;
  const auto found = symbol(guard.predicate);
  if (!found || found->kind != SymbolKind::kRegister || found->type != Type::kPredicate) {
    reject("the guard '" + std::string(guard.predicate) + "' is not a predicate register",
           "declare it with .reg .pred");
    return;
  }
  guard_ = found->slot;
  invert_ = guard.negated ? kAllLanes : 0;
}

bool Builder::has(std::string_view modifier) const {
  return ptx::has_modifier(instruction(), modifier);
}

std::uint32_t Builder::vector_length() const {
  return has("v2") ? 2 : has("v4") ? 4 : has("v8") ? 8 : 1;
}

std::optional<Symbol> Builder::symbol(std::string_view name) const {
  auto found = body_.symbols.find(item_.scope, name);
  if (found && found->kind == SymbolKind::kRegister) found->slot = body_.place(found->slot);
  return found;
}

Slot Builder::temporary(Type type) {
  return body_.allocate(lane_of(type));
}

Slot Builder::source(const ptx::Operand& operand, Type type) {
  if (is_constant(operand.kind)) return constant(type, constant_bits(operand, type));
  if (operand.kind == ptx::OperandKind::kName) return named_source(operand, type);
  reject("a register or a constant is wanted here", "see the reference of '" + std::string(opcode()) + "'");
  return constant(type, 0);
}

Slot Builder::named_source(const ptx::Operand& operand, Type type) {
  if (const auto found = symbol(operand.name)) {
    if (found->kind == SymbolKind::kRegister) return register_source(*found, operand, type);
    return symbol_address(*found, operand.offset, type);
  }
  if (const auto slot = special_source(operand, type)) return *slot;
  // What the driver keeps there (cooperative grids), and counters of the hardware.
  if (operand.name.starts_with("%envreg") || operand.name.starts_with("%pm")) {
    refuse("the register '" + std::string(operand.name) + "' is not emulated", "leave it out for the emulator");
    return constant(type, 0);
  }
  reject("'" + std::string(operand.name) + "' is not declared", "declare it, or check its spelling");
  return constant(type, 0);
}

Slot Builder::register_source(const Symbol& symbol, const ptx::Operand& operand, Type type) {
  Slot slot = symbol.slot;
  if (operand.element != 0) {
    const auto element = std::string_view("xyzw").find(operand.element);
    if (element >= symbol.vector) reject("'" + std::string(operand.name) + "' has no such element", "check the type");
    slot += static_cast<Slot>(slot_bytes(lane_of(symbol.type)) * element);
  }
  const Lane have = lane_of(symbol.type), want = lane_of(type);
  if (have == want) return slot;
  if (have == Lane::kDouble && want == Lane::kWord) {
    const Slot narrowed = temporary(Type::kB32);
    emit_uncounted({.run = narrow, .d = narrowed, .a = slot});
    return narrowed;
  }
  reject("the register '" + std::string(operand.name) + "' does not have the size of the type",
         "use a register of the instruction's type");
  return constant(type, 0);
}

Slot Builder::symbol_address(const Symbol& symbol, std::int64_t offset, Type type) {
  const auto value = symbol.value + static_cast<std::uint64_t>(offset);
  switch (symbol.kind) {
    case SymbolKind::kAddress:
      return constant(type, value);
    case SymbolKind::kEntryParameter:
      return constant(type, kParameterWindow + value);
    case SymbolKind::kFunction:
      return constant(type, kCodeWindow + value);
    case SymbolKind::kLocal: {
      const Slot slot = body_.allocate(Lane::kDouble);
      body_.code.local_addresses.emplace_back(slot, static_cast<std::uint32_t>(value));
      if (lane_of(type) == Lane::kDouble) return slot;
      const Slot narrowed = temporary(type);
      emit_uncounted({.run = narrow, .d = narrowed, .a = slot});
      return narrowed;
    }
    default:
      reject("this name has no address", "name a variable or a function");
      return constant(type, 0);
  }
}

std::optional<Slot> Builder::special_source(const ptx::Operand& operand, Type type) {
  const bool wide = lane_of(type) == Lane::kDouble;
  if (const auto which = special_named(operand.name, operand.element)) return pool_.special(*which, wide);
  if (operand.name == "WARP_SZ") return constant(type, kLanes);
  return std::nullopt;
}

Slot Builder::predicate(const ptx::Operand& operand) {
  if (operand.kind == ptx::OperandKind::kInteger) {
    return pool_.constant(Lane::kMask, operand.bits != 0 ? kAllLanes : 0);
  }
  const auto found = operand.kind == ptx::OperandKind::kName ? symbol(operand.name) : std::nullopt;
  if (!found || found->kind != SymbolKind::kRegister || found->type != Type::kPredicate) {
    reject("a predicate register is wanted here", "declare it with .reg .pred");
    return pool_.constant(Lane::kMask, 0);
  }
  if (!operand.negated) return found->slot;
  const Slot inverted = temporary(Type::kPredicate);
  emit_uncounted({.run = invert_predicate, .d = inverted, .a = found->slot});
  return inverted;
}

Slot Builder::destination(const ptx::Operand& operand, Type type) {
  if (operand.kind == ptx::OperandKind::kSink) return temporary(type);
  const auto found = operand.kind == ptx::OperandKind::kName ? symbol(operand.name) : std::nullopt;
  if (!found || found->kind != SymbolKind::kRegister) {
    reject("'" + std::string(operand.name) + "' is not a register that can be written", "declare it with .reg");
    return temporary(type);
  }
  Slot slot = found->slot;
  if (operand.element != 0) {
    slot += static_cast<Slot>(slot_bytes(lane_of(found->type)) * std::string_view("xyzw").find(operand.element));
  }
  const Lane have = lane_of(found->type), want = lane_of(type);
  if (have == want) return slot;
  if (have == Lane::kDouble && want == Lane::kWord) {
    const Slot narrowed = temporary(type);
    const Handler widen = is_signed_integer(type) ? widen_sign : widen_zero;
    after_.push_back({.run = widen, .d = slot, .a = narrowed, .immediate = 32 - 8 * std::int64_t{size_of(type)}});
    return narrowed;
  }
  reject("the register '" + std::string(operand.name) + "' does not have the size of the type",
         "use a register of the instruction's type");
  return temporary(type);
}

std::pair<Slot, Slot> Builder::destination_pair(std::size_t n, Type first, Type second) {
  const ptx::Operand& all = operand(n);
  if (all.kind != ptx::OperandKind::kPair) return {destination(all, first), kNoSlot};
  return {destination(all.parts[0], first), destination(all.parts[1], second)};
}

std::vector<Slot> Builder::sources(const ptx::Operand& vector, Type type) {
  if (vector.kind != ptx::OperandKind::kVector) return {source(vector, type)};
  std::vector<Slot> slots;
  for (const ptx::Operand& each : vector.parts) slots.push_back(source(each, type));
  return slots;
}

std::vector<Slot> Builder::destinations(const ptx::Operand& vector, Type type) {
  if (vector.kind != ptx::OperandKind::kVector) return {destination(vector, type)};
  std::vector<Slot> slots;
  for (const ptx::Operand& each : vector.parts) slots.push_back(destination(each, type));
  return slots;
}

AddressOperand Builder::address(const ptx::Operand& operand) {
  AddressOperand result;
  result.offset = operand.offset;
  if (operand.parts.empty()) {
    reject("an address is wanted here", "write it in brackets");
    return result;
  }
  const ptx::Operand& base = operand.parts[0];
  if (is_constant(base.kind)) {
    result.offset += static_cast<std::int64_t>(base.bits);
    return result;
  }
  const auto found = base.kind == ptx::OperandKind::kName ? symbol(base.name) : std::nullopt;
  if (!found) {
    reject("'" + std::string(base.name) + "' is not declared", "declare it, or check its spelling");
    return result;
  }
  if (found->kind == SymbolKind::kRegister) {
    result.base = found->slot;
    result.wide = lane_of(found->type) == Lane::kDouble;
    if (size_of(found->type) < 4 || (!result.wide && lane_of(found->type) != Lane::kWord))
      reject("this register cannot hold an address", "use 32 or 64 bits");
    return result;
  }
  result.symbol = found;
  if (found->kind == SymbolKind::kLocal) {
    result.base = symbol_address(*found, 0, Type::kU64);
  } else {
    result.offset += static_cast<std::int64_t>(found->value);
  }
  return result;
}

std::int64_t Builder::integer(std::size_t n) {
  if (operand(n).kind == ptx::OperandKind::kInteger) return static_cast<std::int64_t>(operand(n).bits);
  reject("operand " + std::to_string(n + 1) + " must be an integer constant", "write a number");
  return 0;
}

void Builder::place_guard(Step& step) {
  step.guard = guard_;
  step.invert = invert_;
}

void Builder::emit(Step step) {
  place_guard(step);
  step.site = counted_ ? kNoSite : site_;
  counted_ = true;
  pool_.program.steps.push_back(step);
}

void Builder::emit_uncounted(Step step) {
  step.guard = pool_.constant(Lane::kMask, kAllLanes);
  pool_.program.steps.push_back(step);
}

Step& Builder::last() {
  return pool_.program.steps.back();
}

void Builder::refuse(std::string what, std::string remedy) {
  if (!error_) error_ = unsupported_at(instruction().at, std::move(what), std::move(remedy));
}

void Builder::reject(std::string what, std::string remedy) {
  if (!error_) error_ = ptx::error_at(instruction().at, std::move(what), std::move(remedy));
}

Result<void> Builder::finish() {
  if (error_) return fail(*error_);
  for (Step& each : after_) {
    place_guard(each);
    pool_.program.steps.push_back(each);
  }
  return {};
}

}  // namespace ridge::emulator
