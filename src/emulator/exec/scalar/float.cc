// Floating-point arithmetic as vectors do not have it: other roundings, .sat and .relu of the 16-bit formats, mixed
// types, and the approximate functions.
#include "emulator/exec/scalar/scalar.h"
#include "emulator/number/approximate.h"
#include "emulator/number/arithmetic.h"
#include "emulator/number/minmax.h"

namespace ridge::emulator {
namespace {

using Operands = ScalarOperands;
using Options = ScalarOptions;

std::uint64_t add(const Operands& x, const Options& how) {
  return number::add(*how.to, x[0], x[1], how.mode);
}
std::uint64_t sub(const Operands& x, const Options& how) {
  return number::sub(*how.to, x[0], x[1], how.mode);
}
std::uint64_t mul(const Operands& x, const Options& how) {
  return number::mul(*how.to, x[0], x[1], how.mode);
}
std::uint64_t fma(const Operands& x, const Options& how) {
  return number::fma(*how.to, x[0], x[1], x[2], how.mode);
}
std::uint64_t div(const Operands& x, const Options& how) {
  return number::div(*how.to, x[0], x[1], how.mode);
}
std::uint64_t rcp(const Operands& x, const Options& how) {
  return number::rcp(*how.to, x[0], how.mode);
}
std::uint64_t sqrt(const Operands& x, const Options& how) {
  return number::sqrt(*how.to, x[0], how.mode);
}
std::uint64_t neg(const Operands& x, const Options& how) {
  return number::neg(*how.to, x[0], how.mode.ftz);
}
std::uint64_t abs(const Operands& x, const Options& how) {
  return number::abs(*how.to, x[0], how.mode.ftz);
}

number::ExtremumMode extremum_mode(const Options& how) {
  return {how.mode.ftz, how.nan, how.xorsign_abs, how.abs};
}
template <number::Extremum kWhich>
std::uint64_t extremum_of_two(const Operands& x, const Options& how) {
  return number::extremum(*how.to, kWhich, x[0], x[1], extremum_mode(how));
}
template <number::Extremum kWhich>
std::uint64_t extremum_of_three(const Operands& x, const Options& how) {
  return number::extremum(*how.to, kWhich, x[0], x[1], x[2], extremum_mode(how));
}

template <number::Property kProperty>
std::uint64_t testp(const Operands& x, const Options& how) {
  return number::test_property(*how.from, kProperty, x[0]) ? 1 : 0;
}

// ---- approximate

template <std::uint32_t (*kFunction)(std::uint32_t, bool)>
std::uint64_t with_ftz(const Operands& x, const Options& how) {
  return kFunction(static_cast<std::uint32_t>(x[0]), how.mode.ftz);
}
template <auto kFunction>
std::uint64_t plain(const Operands& x, const Options&) {
  return kFunction(x[0]);
}
template <auto kFunction>
std::uint64_t plain_16(const Operands& x, const Options&) {
  return kFunction(static_cast<std::uint16_t>(x[0]));
}
template <auto kFunction>
std::uint64_t plain_32(const Operands& x, const Options&) {
  return kFunction(static_cast<std::uint32_t>(x[0]));
}

/// `word`: a modifier that must be there, if not empty. Type: of the instruction; a pair's is that of one half.
struct Row {
  std::string_view opcode, word;
  std::size_t operands;
  ScalarFunction function;
  const number::Format* only = nullptr;
};

using number::Extremum;
constexpr Row kRows[] = {
    {"rcp", "approx", 1, plain<number::rcp_approx_ftz_f64>, &number::kF64},
    {"rsqrt", "ftz", 1, plain<number::rsqrt_approx_ftz_f64>, &number::kF64},
    {"rsqrt", "approx", 1, plain<number::rsqrt_approx_f64>, &number::kF64},
    {"sin", "approx", 1, with_ftz<number::sin_approx_f32>, &number::kF32},
    {"cos", "approx", 1, with_ftz<number::cos_approx_f32>, &number::kF32},
    {"lg2", "approx", 1, with_ftz<number::lg2_approx_f32>, &number::kF32},
    {"ex2", "approx", 1, plain_16<number::ex2_approx_f16>, &number::kF16},
    {"ex2", "approx", 1, plain_16<number::ex2_approx_ftz_bf16>, &number::kBf16},
    {"tanh", "approx", 1, plain_32<number::tanh_approx_f32>, &number::kF32},
    {"tanh", "approx", 1, plain_16<number::tanh_approx_f16>, &number::kF16},
    {"tanh", "approx", 1, plain_16<number::tanh_approx_bf16>, &number::kBf16},
    {"add", "", 2, add},
    {"sub", "", 2, sub},
    {"mul", "", 2, mul},
    {"fma", "", 3, fma},
    {"mad", "", 3, fma},
    {"div", "", 2, div},
    {"rcp", "", 1, rcp},
    {"sqrt", "", 1, sqrt},
    {"neg", "", 1, neg},
    {"abs", "", 1, abs},
    {"min", "", 2, extremum_of_two<Extremum::kMin>},
    {"max", "", 2, extremum_of_two<Extremum::kMax>},
    {"min", "", 3, extremum_of_three<Extremum::kMin>},
    {"max", "", 3, extremum_of_three<Extremum::kMax>},
};

const Row* find_row(const Builder& builder, const number::Format* format) {
  for (const Row& row : kRows) {
    const bool fits = row.opcode == builder.opcode() && row.operands + 1 == builder.operand_count() &&
                      (row.word.empty() || builder.has(row.word)) && (row.only == nullptr || row.only == format);
    if (fits) return &row;
  }
  return nullptr;
}

// ---- add.f32.f16 and its like: all operands but the last are narrow

std::uint64_t widened(std::uint64_t bits, const Options& how) {
  return number::float_to_float(*how.from, bits, number::kF32);
}
std::uint64_t mixed_add(const Operands& x, const Options& how) {
  return number::add(number::kF32, widened(x[0], how), x[1], how.mode);
}
std::uint64_t mixed_sub(const Operands& x, const Options& how) {
  return number::sub(number::kF32, widened(x[0], how), x[1], how.mode);
}
std::uint64_t mixed_fma(const Operands& x, const Options& how) {
  return number::fma(number::kF32, widened(x[0], how), widened(x[1], how), x[2], how.mode);
}

bool select_mixed(Builder& builder) {
  const Type narrow = builder.types()[1];
  Scalar scalar{nullptr, read_options(builder), 1};
  scalar.options.from = format_of(narrow);
  if (builder.types()[0] != Type::kF32 || scalar.options.from == nullptr) return false;
  if (builder.opcode() == "fma") {
    scalar.function = mixed_fma;
    emit_scalar(builder, scalar, Type::kF32, {narrow, narrow, Type::kF32});
    return true;
  }
  if (builder.opcode() != "add" && builder.opcode() != "sub") return false;
  scalar.function = builder.opcode() == "add" ? mixed_add : mixed_sub;
  emit_scalar(builder, scalar, Type::kF32, {narrow, Type::kF32});
  return true;
}

bool select_testp(Builder& builder) {
  struct Test {
    std::string_view word;
    ScalarFunction function;
  };
  using number::Property;
  constexpr Test kTests[] = {{"finite", testp<Property::kFinite>}, {"infinite", testp<Property::kInfinite>},
                             {"number", testp<Property::kNumber>}, {"notanumber", testp<Property::kNotANumber>},
                             {"normal", testp<Property::kNormal>}, {"subnormal", testp<Property::kSubnormal>}};
  for (const Test& each : kTests) {
    if (!builder.has(each.word)) continue;
    Scalar scalar{each.function, {}, 1};
    scalar.options.from = format_of(builder.type());
    emit_scalar(builder, scalar, Type::kPredicate, {builder.type()});
    return true;
  }
  return false;
}

}  // namespace

bool select_scalar_float(Builder& builder) {
  if (builder.types().empty() || builder.opcode() == "cvt") return false;
  if (builder.opcode() == "testp") return select_testp(builder);
  if (builder.types().size() == 2) return select_mixed(builder);
  const Type type = builder.type();
  const number::Format* format = format_of(type);
  const Row* row = format == nullptr ? nullptr : find_row(builder, format);
  if (row == nullptr) return false;
  if (builder.has("oob")) {
    builder.refuse("'.oob' is not emulated: which NaN stands for what is out of bounds is not documented",
                   "leave .oob out");
    return true;
  }
  Scalar scalar{row->function, read_options(builder), is_pair(type) ? 2U : 1U};
  scalar.options.to = format;
  switch (row->operands) {
    case 1:
      emit_scalar(builder, scalar, type, {type});
      break;
    case 2:
      emit_scalar(builder, scalar, type, {type, type});
      break;
    default:
      emit_scalar(builder, scalar, type, {type, type, type});
  }
  return true;
}

}  // namespace ridge::emulator
