#include "emulator/exec/matrix/plan.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <string_view>
#include <utility>

namespace ridge::emulator {
namespace {

constexpr auto kElements = std::to_array<std::pair<std::string_view, Element>>({{"f16", Element::kF16},
                                                                                {"bf16", Element::kBf16},
                                                                                {"tf32", Element::kTf32},
                                                                                {"f64", Element::kF64},
                                                                                {"e4m3", Element::kE4m3},
                                                                                {"e5m2", Element::kE5m2},
                                                                                {"s8", Element::kS8},
                                                                                {"u8", Element::kU8},
                                                                                {"s4", Element::kS4},
                                                                                {"u4", Element::kU4},
                                                                                {"b1", Element::kB1}});

std::optional<Accumulate> accumulate_named(std::string_view word) {
  if (word == "f16") return Accumulate::kF16;
  if (word == "f32") return Accumulate::kF32;
  if (word == "f64") return Accumulate::kF64;
  if (word == "s32") return Accumulate::kS32;
  return std::nullopt;
}

// The modifiers that name element or accumulator types, in order.
std::vector<std::string_view> type_words(const Builder& builder) {
  std::vector<std::string_view> words;
  for (const std::string_view each : builder.instruction().modifiers) {
    if (element_named(each) || accumulate_named(each)) words.push_back(each);
  }
  return words;
}

std::uint32_t number_after(std::string_view text, char letter) {
  const std::size_t at = text.find(letter);
  std::uint32_t value = 0;
  if (at == std::string_view::npos) return 0;
  const char* end = text.data() + text.size();
  std::from_chars(text.data() + at + 1, end, value);
  return value;
}

class Planner {
 public:
  explicit Planner(Builder& builder) : builder_(builder) {}

  [[nodiscard]] const MatrixPlan* mma() {
    for (const std::string_view each : builder_.instruction().modifiers) {
      if (each.starts_with("kind::") || each == "block_scale") {
        return refused("mma with ." + std::string(each), "use a form without scaled or mixed small types");
      }
    }
    const bool sparse = builder_.has("sp") || builder_.has("sp::ordered_metadata");
    if (!types(0)) return nullptr;
    const bool half = plan_.a == Element::kF16;
    plan_.quads = half && plan_.rows == 8;
    if (plan_.quads) layouts_of_quads();
    if (sparse) {
      plan_.metadata = builder_.source(4, Type::kB32);
      plan_.selector = static_cast<std::uint32_t>(builder_.integer(5)) & 3U;
    }
    return registers();
  }

  [[nodiscard]] const MatrixPlan* wmma() {
    const bool short_form = type_words(builder_).size() == 2;  // d and c: the elements are f16
    return types(short_form ? 1 : 0) ? registers() : nullptr;
  }

  [[nodiscard]] const MatrixPlan* wgmma() {
    if (builder_.has("sp")) return refused("sparse wgmma", "use the dense form");
    if (builder_.has("b1")) return refused("wgmma of single bits", "use mma");
    if (!types(2)) return nullptr;
    plan_.rows = 16;
    plan_.registers_d = builder_.destinations(builder_.operand(0), Type::kB32);
    plan_.registers_c = builder_.sources(builder_.operand(0), Type::kB32);
    const bool a_in_registers = builder_.operand(1).kind == ptx::OperandKind::kVector;
    if (a_in_registers) {
      plan_.registers_a = builder_.sources(builder_.operand(1), Type::kB32);
    } else {
      plan_.shared_a.descriptor = builder_.source(1, Type::kB64);
    }
    plan_.shared_b.descriptor = builder_.source(2, Type::kB64);
    plan_.keeps_d = builder_.predicate(3);
    signs_and_order(a_in_registers);
    const bool fits = plan_.registers_d.size() == registers_of_c(plan_, plan_.d) &&
                      (!a_in_registers || plan_.registers_a.size() == registers_of_a(plan_)) &&
                      plan_.depth * bits_of(plan_.a) == 256;
    return fits ? kept() : rejected();
  }

 private:
  // `form`: 0: d, a, b, c are named; 1: d and c; 2: d, a, b.
  bool types(int form) {
    const auto words = type_words(builder_);
    const auto shape = shape_of(builder_);
    const std::size_t expected = form == 0 ? 4 : form == 1 ? 2 : 3;
    if (!shape || words.size() != expected) return rejected() != nullptr;
    const auto d = accumulate_named(words.front()), c = accumulate_named(form == 2 ? words.front() : words.back());
    const auto a = element_named(form == 1 ? "f16" : words[1]), b = element_named(form == 1 ? "f16" : words[2]);
    if (!a || !b || !c || !d || bits_of(*a) != bits_of(*b)) return rejected() != nullptr;
    plan_.rows = shape->m;
    plan_.columns = shape->n;
    plan_.depth = shape->k;
    plan_.a = *a;
    plan_.b = *b;
    plan_.c = *c;
    plan_.d = *d;
    plan_.saturate = builder_.has("satfinite") && *d == Accumulate::kS32;
    plan_.exclusive_or = builder_.has("xor");
    plan_.rounding = builder_.has("rz")   ? number::Rounding::kZero
                     : builder_.has("rm") ? number::Rounding::kDown
                     : builder_.has("rp") ? number::Rounding::kUp
                                          : number::Rounding::kNearestEven;
    return true;
  }

  void layouts_of_quads() {
    bool first = true;
    for (const std::string_view each : builder_.instruction().modifiers) {
      if (each != "row" && each != "col") continue;
      if (first) plan_.column_a = each == "col";
      if (!first) plan_.row_b = each == "row";
      first = false;
    }
  }

  // Scale of a and b (1 or -1), then whether they are transposed in shared memory.
  void signs_and_order(bool a_in_registers) {
    std::size_t next = 4;
    if (builder_.operand_count() <= next) return;
    plan_.negate = (builder_.integer(next) < 0) != (builder_.integer(next + 1) < 0);
    next += 2;
    if (builder_.operand_count() <= next) return;
    if (!a_in_registers) plan_.shared_a.transposed = builder_.integer(next++) != 0;
    if (builder_.operand_count() > next) plan_.shared_b.transposed = builder_.integer(next) != 0;
  }

  const MatrixPlan* registers() {
    const Type element = plan_.a == Element::kF64 ? Type::kF64 : Type::kB32;
    const Type sum = plan_.d == Accumulate::kF64 ? Type::kF64 : Type::kB32;
    plan_.registers_d = builder_.destinations(builder_.operand(0), sum);
    plan_.registers_a = builder_.sources(builder_.operand(1), element);
    plan_.registers_b = builder_.sources(builder_.operand(2), element);
    plan_.registers_c = builder_.sources(builder_.operand(3), sum);
    if (plan_.quads) return quad_registers();
    // wmma's f16 operands have eight registers in every shape; what is not needed holds a copy.
    const bool spare = builder_.opcode() == "wmma" && plan_.a == Element::kF16;
    const std::uint32_t a = registers_of_a(plan_), b = registers_of_b(plan_);
    if (spare && plan_.registers_a.size() == 8 && plan_.registers_b.size() == 8) {
      plan_.registers_a.resize(a);
      plan_.registers_b.resize(b);
    }
    const bool fits = plan_.registers_a.size() == a && plan_.registers_b.size() == b &&
                      plan_.registers_c.size() == registers_of_c(plan_, plan_.c) &&
                      plan_.registers_d.size() == registers_of_c(plan_, plan_.d);
    return fits ? kept() : rejected();
  }

  const MatrixPlan* quad_registers() {
    const auto count = [](Accumulate type) { return type == Accumulate::kF16 ? 4U : 8U; };
    const bool fits = plan_.registers_a.size() == 2 && plan_.registers_b.size() == 2 &&
                      plan_.registers_c.size() == count(plan_.c) && plan_.registers_d.size() == count(plan_.d);
    return fits ? kept() : rejected();
  }

  const MatrixPlan* kept() { return builder_.keep(plan_); }

  const MatrixPlan* rejected() {
    builder_.reject("the registers do not fit the shape and types of '" + std::string(builder_.opcode()) + "'",
                    "compare the sizes of its vectors with the PTX ISA");
    return nullptr;
  }

  const MatrixPlan* refused(const std::string& what, std::string remedy) {
    builder_.refuse(what + " is not emulated", std::move(remedy));
    return nullptr;
  }

  Builder& builder_;
  MatrixPlan plan_;
};

// What the metadata of one row says: `bits` of them, of the elements from column `first` on.
struct RowMetadata {
  std::uint32_t lane = 0, shift = 0;
};

// 16- and 32-bit elements: 16 bits for each row and chunk, rows g and g + 8 in one word, chunks in neighbouring lanes.
// Smaller ones: a word for each row and chunk, rows g and g + 8 in neighbouring lanes. The selector picks among the
// lanes of a quad where not all are needed.
RowMetadata metadata_of(const MatrixPlan& plan, std::uint32_t row, std::uint32_t chunk, std::uint32_t chunks) {
  const std::uint32_t quad = row % 8 * 4, upper = row / 8;
  if (bits_of(plan.a) >= 16) {
    return {quad + (chunks == 1 ? plan.selector : 2 * plan.selector % 4 + chunk), 16 * upper};
  }
  return {quad + (chunks == 1 ? 2 * plan.selector % 4 : 2 * chunk) + upper, 0};
}

}  // namespace

std::optional<Element> element_named(std::string_view word) {
  for (const auto& [name, element] : kElements) {
    if (name == word) return element;
  }
  return std::nullopt;
}

std::uint32_t bits_of(Element element) {
  switch (element) {
    case Element::kF16:
    case Element::kBf16:
      return 16;
    case Element::kTf32:
      return 32;
    case Element::kF64:
      return 64;
    case Element::kE4m3:
    case Element::kE5m2:
    case Element::kS8:
    case Element::kU8:
      return 8;
    case Element::kS4:
    case Element::kU4:
      return 4;
    case Element::kB1:
      return 1;
  }
  return 0;
}

std::uint32_t per_register(Element element) {
  return element == Element::kF64 ? 1 : 32 / bits_of(element);
}

std::uint32_t registers_of_a(const MatrixPlan& plan) {
  return plan.rows * plan.stored_depth() / (kLanes * per_register(plan.a));
}

std::uint32_t registers_of_b(const MatrixPlan& plan) {
  return plan.columns * plan.depth / (kLanes * per_register(plan.b));
}

std::uint32_t registers_of_c(const MatrixPlan& plan, Accumulate type) {
  return plan.rows * plan.columns / (kLanes * (type == Accumulate::kF16 ? 2 : 1));
}

std::optional<MatrixShape> shape_of(const Builder& builder) {
  for (const std::string_view each : builder.instruction().modifiers) {
    const MatrixShape shape{number_after(each, 'm'), number_after(each, 'n'), number_after(each, 'k')};
    if (shape.m != 0 && shape.n != 0 && shape.k != 0) return shape;
  }
  return std::nullopt;
}

Planned plan_multiply(Builder& builder) {
  Planner planner(builder);
  if (builder.opcode() == "mma") return {true, planner.mma()};
  if (builder.opcode() == "wmma" && builder.has("mma")) return {true, planner.wmma()};
  if (builder.opcode() == "wgmma" && builder.has("mma_async")) return {true, planner.wgmma()};
  return {};
}

void spread(const MatrixPlan& plan, const std::uint32_t* metadata, const double* stored, double* full) {
  const std::uint32_t width = bits_of(plan.a);
  const std::uint32_t together = width == 4 ? 2 : 1;  // elements that one index places
  const std::uint32_t choices = width == 32 ? 2 : 4;
  const std::uint32_t kept = choices / 2;  // of so many places
  const std::uint32_t in_chunk = width == 32 ? 4 : width == 16 ? 8 : 16;
  const std::uint32_t depth = plan.stored_depth(), chunks = depth / (in_chunk * together);
  const std::uint32_t tile = plan.tile_width();
  std::fill_n(full, plan.rows * plan.depth, 0.0);
  for (std::uint32_t row = 0; row < plan.rows; ++row) {
    for (std::uint32_t i = 0; i < depth / together; ++i) {
      const auto [lane, shift] = metadata_of(plan, row, i / in_chunk, chunks);
      const std::uint32_t word = metadata[lane] >> shift;
      // tf32 has four bits for each: where its two halves stand, counted in halves.
      const std::uint32_t index = width == 32 ? word >> (i % in_chunk * 4 + 1) & 1U : word >> (i % in_chunk * 2) & 3U;
      const std::uint32_t place = (i / kept * choices + index) * together;
      for (std::uint32_t j = 0; j < together; ++j) {
        const std::uint32_t k = i * together + j;
        full[row * plan.depth + place + j] = stored[(k / tile * plan.rows + row) * tile + k % tile];
      }
    }
  }
}

}  // namespace ridge::emulator
