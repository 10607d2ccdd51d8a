#include "emulator/ptx/printer.h"

#include <array>
#include <bit>

namespace ridge::ptx {
namespace {

class Printer {
 public:
  std::string take() { return std::move(out_); }

  void module(const Module& module) {
    put(".version ").number(module.version_major).put(".").number(module.version_minor).put("\n.target ");
    list(module.target, [this](std::string_view each) { put(each); });
    put("\n");
    if (module.address_size != 0) put(".address_size ").number(module.address_size).put("\n");
    for (const auto& item : module.items) {
      std::visit([this](const auto& each) { top(each); }, item);
    }
    for (const SourceFile& each : module.files) {
      put(".file ").number(each.number).put(" \"").put(each.path).put("\"\n");
    }
  }

  void instruction(const Instruction& each) {
    if (each.guard) put(each.guard->negated ? "@!" : "@").put(each.guard->predicate).put(" ");
    put(each.opcode);
    for (const auto modifier : each.modifiers) put(".").put(modifier);
    if (!each.operands.empty()) put(" ");
    list(each.operands, [this](const Operand& operand) { this->operand(operand); });
    put(";");
  }

 private:
  Printer& put(std::string_view text) {
    out_ += text;
    return *this;
  }
  Printer& number(std::uint64_t value) { return put(std::to_string(value)); }

  Printer& hexadecimal(std::uint64_t bits, std::size_t digits) {
    for (std::size_t i = digits; i-- > 0;) out_ += "0123456789ABCDEF"[bits >> (4 * i) & 15U];
    return *this;
  }

  template <class T, class F>
  void list(const std::vector<T>& items, F print) {
    bool first = true;
    for (const T& each : items) {
      if (!first) put(", ");
      first = false;
      print(each);
    }
  }

  // Two's complement, with a sign where it is shorter to read.
  void integer(std::uint64_t bits) {
    const auto value = std::bit_cast<std::int64_t>(bits);
    if (value < 0 && value > -(std::int64_t{1} << 32)) {
      put("-").number(0 - bits);
    } else {
      number(bits);
    }
  }

  void offset(std::int64_t value) {
    if (value != 0) put("+"), integer(std::bit_cast<std::uint64_t>(value));
  }

  void scalar(OperandKind kind, std::uint64_t bits) {
    if (kind == OperandKind::kFloat32) {
      put("0f").hexadecimal(bits, 8);
    } else if (kind == OperandKind::kFloat64) {
      put("0d").hexadecimal(bits, 16);
    } else {
      integer(bits);
    }
  }

  void parts(const Operand& each, std::string_view open, std::string_view close) {
    put(open);
    list(each.parts, [this](const Operand& part) { operand(part); });
    put(close);
  }

  void operand(const Operand& each) {
    switch (each.kind) {
      case OperandKind::kName:
        put(each.negated ? "!" : each.minus ? "-" : "");
        put(each.name);
        if (each.element != 0) put(".").put(std::string_view(&each.element, 1));
        if (!each.selector.empty()) put(".").put(each.selector);
        offset(each.offset);
        break;
      case OperandKind::kAddress:
        address(each);
        break;
      case OperandKind::kVector:
        parts(each, "{", "}");
        break;
      case OperandKind::kList:
        parts(each, "(", ")");
        break;
      case OperandKind::kPair:
        operand(each.parts[0]);
        put("|");
        operand(each.parts[1]);
        break;
      case OperandKind::kSink:
        put("_");
        break;
      default:
        scalar(each.kind, each.bits);
    }
  }

  void address(const Operand& each) {
    put("[");
    bool first = true;
    for (const Operand& part : each.parts) {
      if (!first) put(", ");
      operand(part);
      if (first) offset(each.offset);
      first = false;
    }
    put("]");
  }

  static std::string_view name(Space space) {
    constexpr std::array<std::string_view, 7> kNames = {"reg", "const", "global", "local", "param", "shared", "tex"};
    return kNames[static_cast<std::size_t>(space)];
  }

  void initial(const InitialValue& value) {
    if (value.symbol.empty()) {
      scalar(value.kind, value.bits);
      return;
    }
    if (value.mask != 0) put("0x").hexadecimal(value.mask, 16).put("(");
    if (value.generic) put("generic(");
    put(value.symbol);
    if (value.generic) put(")");
    offset(std::bit_cast<std::int64_t>(value.bits));
    if (value.mask != 0) put(")");
  }

  void variable(const Variable& each) {
    for (const auto word : each.linkage) put(".").put(word).put(" ");
    put(".").put(name(each.space));
    if (each.alignment != 0) put(" .align ").number(each.alignment);
    const bool managed = each.space != Space::kParameter && !each.attributes.empty();
    if (managed) attributes(each);
    if (each.vector != 1) put(" .v").number(each.vector);
    put(" .").put(each.type);
    if (!managed) {
      for (const auto word : each.attributes) put(" .").put(word);
    }
    if (each.pointee_alignment != 0) put(" .align ").number(each.pointee_alignment);
    put(" ").put(each.name);
    if (each.count != 0) put("<").number(each.count).put(">");
    if (each.open_dimension) put("[]");
    for (const auto size : each.dimensions) put("[").number(size).put("]");
    if (!each.initial.empty()) initial_values(each);
  }

  void attributes(const Variable& each) {
    put(" .attribute(");
    list(each.attributes, [this](std::string_view word) { put(".").put(word); });
    put(")");
  }

  void initial_values(const Variable& each) {
    const bool array = !each.dimensions.empty() || each.open_dimension || each.vector != 1;
    const bool braces = array || each.initial.size() > 1;
    put(braces ? " = {" : " = ");
    list(each.initial, [this](const InitialValue& value) { initial(value); });
    if (braces) put("}");
  }

  void parameters(const std::vector<Variable>& all) {
    put("(");
    list(all, [this](const Variable& each) { variable(each); });
    put(")");
  }

  void texts(const std::vector<std::string_view>& all) {
    list(all, [this](std::string_view each) { put("\"").put(each).put("\""); });
  }

  void top(const Variable& each) {
    variable(each);
    put(";\n");
  }
  void top(const Alias& each) { put(".alias ").put(each.name).put(", ").put(each.target).put(";\n"); }
  void top(const Pragma& each) {
    put(".pragma ");
    texts(each.texts);
    put(";\n");
  }
  void top(const Function& each) {
    for (const auto word : each.linkage) put(".").put(word).put(" ");
    put(each.entry ? ".entry " : ".func ");
    if (!each.results.empty()) parameters(each.results), put(" ");
    put(each.name);
    parameters(each.parameters);
    for (const FunctionDirective& directive : each.directives) {
      put("\n.").put(directive.name).put(" ");
      list(directive.values, [this](std::uint64_t value) { number(value); });
      texts(directive.texts);
      // Its own: what follows may else be taken for more of this function, or for the end of its head.
      if (directive.name == "pragma") put(";");
    }
    if (!each.body) {
      put(";\n");
      return;
    }
    put("\n");
    statement(*each.body);
  }

  void indent() { out_.append(2 * depth_, ' '); }

  void statement(const Scope& each) {
    indent();
    put("{\n");
    ++depth_;
    for (const Statement& inner : each.statements) {
      std::visit([this](const auto& item) { statement(item); }, inner);
    }
    --depth_;
    indent();
    put("}\n");
  }
  void statement(const Instruction& each) {
    indent();
    instruction(each);
    put("\n");
  }
  void statement(const Label& each) { put(each.name).put(":\n"); }
  void statement(const Variable& each) {
    indent();
    top(each);
  }
  void statement(const Pragma& each) {
    indent();
    top(each);
  }
  void statement(const Table& each) {
    put(each.label).put(": .").put(each.kind).put(" ");
    if (each.kind == "callprototype") {
      if (!each.results.empty()) parameters(each.results);
      put(" _ ");
      parameters(each.parameters);
      if (each.noreturn) put(" .noreturn");
    } else {
      list(each.targets, [this](std::string_view target) { put(target); });
    }
    put(";\n");
  }

  std::string out_;
  std::size_t depth_ = 0;
};

}  // namespace

std::string print(const Module& module) {
  Printer printer;
  printer.module(module);
  return printer.take();
}

std::string print(const Instruction& instruction) {
  Printer printer;
  printer.instruction(instruction);
  return printer.take();
}

}  // namespace ridge::ptx
