// A job to start from.
#include <fmt/format.h>

#include "base/words.h"
#include "emulator/job/bind.h"
#include "emulator/job/numbers.h"
#include "emulator/job/parameters.h"

namespace ridge::emulator {
namespace {

std::string argument_for(const Parameter& parameter) {
  if (parameter.pointee) {
    const Pointee& pointee = *parameter.pointee;
    const ElementType guess = pointee.type.value_or(ElementType::kF32);
    // Newer compilers load and store floats as bits.
    const ElementType element = guess == ElementType::kB32   ? ElementType::kF32
                                : guess == ElementType::kB64 ? ElementType::kF64
                                                             : guess;
    const bool only_written = pointee.written && !pointee.read;
    return fmt::format("\"{}:n:{}\"", name(element), only_written ? "poison" : "random");
  }
  if (parameter.is_array) return fmt::format("\"hex:{}\"", std::string(2 * std::size_t{parameter.bytes}, '0'));
  const auto element = element_type_named(parameter.type);
  if (!element) return fmt::format("\"hex:{}\"", std::string(2 * std::size_t{parameter.bytes}, '0'));
  return is_floating(*element) ? "1.0" : "\"n\"";
}

std::string block_of(const ptx::Function& kernel) {
  for (const ptx::FunctionDirective& directive : kernel.directives) {
    if ((directive.name != "maxntid" && directive.name != "reqntid") || directive.values.empty()) continue;
    std::string list;
    for (const std::uint64_t extent : directive.values) list += fmt::format("{}{}", list.empty() ? "" : ", ", extent);
    return "[" + list + "]";
  }
  return "256";
}

}  // namespace

Result<std::string> job_template(const ptx::Function& kernel, const std::string& file) {
  const auto parameters = parameters_of(kernel);
  if (!parameters) return fail(parameters.error());
  std::string text = fmt::format(
      "# A job for `ridge emulate {} --on MACHINE --job FILE`: correct sizes and contents.\n"
      "kernel = \"{}\"\n"
      "grid = \"ceil(n/256)\"   # blocks: 4096, [64, 64], a formula of the names in [set]\n"
      "block = {}\n"
      "dynamic_shared = 0      # bytes\n"
      "arguments = [\n",
      shown(file), kernel.name, block_of(kernel));
  for (std::size_t i = 0; i < parameters->size(); ++i) {
    const Parameter& parameter = (*parameters)[i];
    text += fmt::format("  {},   # {}\n", argument_for(parameter), described(parameter, i));
  }
  return text +
         "]\n"
         "# A buffer is TYPE:ELEMENTS:CONTENTS: random, random(LOW,HIGH), ramp, a number, poison or FILE.npy; then\n"
         "# :save=FILE.npy keeps it, :expect=FILE.npy:tolerance=1e-5 compares it.\n"
         "\n"
         "[set]\n"
         "n = 1048576\n";
}

}  // namespace ridge::emulator
