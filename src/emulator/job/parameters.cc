#include "emulator/job/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

namespace ridge::emulator {
namespace {

/// Bytes of PTX's fundamental types; 0 for opaque ones.
std::uint32_t bytes_of(std::string_view type) {
  if (type == "b128") return 16;
  if (type.ends_with("64")) return 8;
  if (type.ends_with("32") || type == "f16x2" || type == "bf16x2") return 4;
  if (type.ends_with("16")) return 2;
  return type == "b8" || type == "u8" || type == "s8" ? 1 : 0;
}

Error of_parameter(const ptx::Variable& variable, std::string what, std::string remedy) {
  return bad_input(std::move(what), fmt::format("line {}", variable.at.line), std::move(remedy));
}

Result<Parameter> parameter_of(const ptx::Variable& variable) {
  Parameter parameter;
  parameter.type = variable.type;
  parameter.is_array = !variable.dimensions.empty() || variable.vector > 1;
  std::uint64_t bytes = bytes_of(variable.type);
  if (bytes == 0) {
    return fail(of_parameter(variable, fmt::format("a parameter of the type .{}", variable.type),
                             "textures, samplers and surfaces cannot be emulated; pass pointers"));
  }
  bytes *= variable.vector;
  const auto natural = static_cast<std::uint32_t>(bytes);
  for (const std::uint64_t extent : variable.dimensions) {
    bytes = extent > kMostParameterBytes ? kMostParameterBytes + 1 : bytes * extent;
    bytes = std::min<std::uint64_t>(bytes, kMostParameterBytes + 1);
  }
  parameter.alignment = variable.alignment != 0 ? variable.alignment : natural;
  parameter.bytes = static_cast<std::uint32_t>(bytes);
  return parameter;
}

/// The type of an access: the last modifier that names one.
std::optional<ElementType> element_of(const ptx::Instruction& instruction) {
  for (auto word = instruction.modifiers.rbegin(); word != instruction.modifiers.rend(); ++word) {
    if (*word == "f16x2") return ElementType::kF16;
    if (*word == "bf16x2") return ElementType::kBf16;
    // Newer compilers load floats as b32.
    if (const auto element = element_type_named(*word)) return element;
  }
  return std::nullopt;
}

/// Follows values of parameters through registers.
class Tracer {
 public:
  Tracer(const ptx::Function& kernel, std::vector<Parameter>& parameters) : parameters_(parameters) {
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i) of_name_[kernel.parameters[i].name] = i;
  }

  void follow(const ptx::Scope& scope, int depth = 0) {
    constexpr int kDeepest = 100;
    if (depth > kDeepest) return;
    for (const ptx::Statement& statement : scope.statements) {
      if (const auto* instruction = std::get_if<ptx::Instruction>(&statement)) {
        follow(*instruction);
      } else if (const auto* inner = std::get_if<ptx::Scope>(&statement)) {
        follow(*inner, depth + 1);
      }
    }
  }

 private:
  void follow(const ptx::Instruction& instruction) {
    static constexpr std::array<std::string_view, 7> kAccesses{"ld", "st", "atom", "red", "ldu", "cp", "prefetch"};
    static constexpr std::array<std::string_view, 8> kCarriers{"mov", "cvta", "add", "sub", "mad", "selp", "or", "cvt"};
    const auto is_one = [&](const auto& list) {
      return std::find(list.begin(), list.end(), instruction.opcode) != list.end();
    };
    const bool loads_parameter = instruction.opcode == "ld" && !instruction.modifiers.empty() &&
                                 instruction.modifiers.front().starts_with("param");
    if (loads_parameter) {
      load_parameter(instruction);
    } else if (is_one(kAccesses)) {
      note_access(instruction);
    } else if (is_one(kCarriers)) {
      carry(instruction);
    }
  }

  void load_parameter(const ptx::Instruction& instruction) {
    if (instruction.operands.size() < 2 || instruction.operands[1].parts.empty()) return;
    const auto found = of_name_.find(instruction.operands[1].parts.front().name);
    const ptx::Operand& into = instruction.operands[0];
    if (found == of_name_.end() || into.kind != ptx::OperandKind::kName) return;
    const Parameter& parameter = parameters_[found->second];
    if (!parameter.is_array && parameter.bytes == 8) of_register_[into.name] = found->second;
  }

  void note_access(const ptx::Instruction& instruction) {
    for (const ptx::Operand& operand : instruction.operands) {
      if (operand.kind != ptx::OperandKind::kAddress || operand.parts.empty()) continue;
      const auto found = of_register_.find(operand.parts.front().name);
      if (found == of_register_.end()) continue;
      Parameter& parameter = parameters_[found->second];
      if (!parameter.pointee) parameter.pointee = Pointee{};
      Pointee& pointee = *parameter.pointee;
      if (!pointee.type && instruction.opcode != "cp") pointee.type = element_of(instruction);
      pointee.read |= instruction.opcode != "st" && instruction.opcode != "red";
      pointee.written |= instruction.opcode == "st" || instruction.opcode == "atom" || instruction.opcode == "red";
    }
  }

  void carry(const ptx::Instruction& instruction) {
    if (instruction.operands.size() < 2 || instruction.operands[0].kind != ptx::OperandKind::kName) return;
    // What a product is added to is the base; its factors are an index and a size.
    const std::size_t first = instruction.opcode == "mad" ? instruction.operands.size() - 1 : 1;
    for (std::size_t i = first; i < instruction.operands.size(); ++i) {
      const ptx::Operand& operand = instruction.operands[i];
      const auto found = operand.kind == ptx::OperandKind::kName ? of_register_.find(operand.name) : of_register_.end();
      if (found == of_register_.end()) continue;
      const std::size_t parameter = found->second;
      of_register_[instruction.operands[0].name] = parameter;
      return;
    }
  }

  std::vector<Parameter>& parameters_;
  std::map<std::string_view, std::size_t> of_name_;      ///< parameter by its name
  std::map<std::string_view, std::size_t> of_register_;  ///< whose value a register comes from
};

}  // namespace

Result<std::vector<Parameter>> parameters_of(const ptx::Function& kernel) {
  std::vector<Parameter> parameters;
  std::uint64_t bytes = 0;
  for (const ptx::Variable& variable : kernel.parameters) {
    auto parameter = parameter_of(variable);
    if (!parameter) return fail(parameter.error());
    bytes += parameter->bytes;
    if (bytes > kMostParameterBytes) {
      return fail(of_parameter(variable, fmt::format("the parameters take more than {} bytes", kMostParameterBytes),
                               "pass what is large through memory"));
    }
    const bool says_pointer =
        std::find(variable.attributes.begin(), variable.attributes.end(), "ptr") != variable.attributes.end();
    if (says_pointer) parameter->pointee = Pointee{};
    parameters.push_back(*std::move(parameter));
  }
  if (kernel.body) Tracer(kernel, parameters).follow(*kernel.body);
  return parameters;
}

std::string described(const Parameter& parameter, std::size_t index) {
  std::string text = fmt::format("{}: ", index + 1);
  if (parameter.pointee) {
    const Pointee& pointee = *parameter.pointee;
    text += "pointer";
    if (pointee.type) text += fmt::format(" to {}", name(*pointee.type));
    if (pointee.read || pointee.written) text += ", ";
    if (pointee.read) text += pointee.written ? "read and written" : "read";
    if (pointee.written && !pointee.read) text += "written";
    return text;
  }
  if (parameter.is_array) return text + fmt::format("structure of {} bytes", parameter.bytes);
  return text + std::string(parameter.type);
}

}  // namespace ridge::emulator
