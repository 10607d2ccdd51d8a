#include "lab/declare/bind.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/quantity_text.h"

namespace ridge::lab {
namespace {

constexpr double kSectorBytes = 32;
constexpr double kWavefrontBytes = 128;

Error wrong_size(const KernelDeclaration& declaration, const Parameter& parameter, double value) {
  std::string remedy = fmt::format("give a whole number from {:.0f} to {:.0f}", parameter.min, parameter.max);
  if (parameter.multiple > 1) remedy += fmt::format(" that {:.0f} divides", parameter.multiple);
  return usage_error(fmt::format("{} = {:g} is not a size of {}", parameter.name, value, declaration.id),
                     std::string(parameter.name), remedy);
}

bool acceptable(const Parameter& parameter, double value) {
  return value >= parameter.min && value <= parameter.max && value == std::floor(value) &&
         std::fmod(value, parameter.multiple) == 0;
}

Result<void> bind_parameters(const KernelDeclaration& declaration, const Sizes& given, BoundKernel& bound) {
  for (const auto& [name, value] : given) {
    const bool known = std::any_of(declaration.parameters.begin(), declaration.parameters.end(),
                                   [&name = name](const Parameter& parameter) { return parameter.name == name; });
    if (!known) {
      std::string names;
      for (const Parameter& parameter : declaration.parameters) {
        names += (names.empty() ? "" : ", ") + std::string(parameter.name);
      }
      return fail(
          usage_error(fmt::format("{} has no size '{}'", declaration.id, name), name, "its sizes are " + names));
    }
  }
  for (const Parameter& parameter : declaration.parameters) {
    const auto at = given.find(parameter.name);
    const auto value = at != given.end() ? Result<double>(at->second) : evaluate(parameter.initial, bound.variables);
    if (!value) return fail(value.error());
    if (!acceptable(parameter, *value)) return fail(wrong_size(declaration, parameter, *value));
    bound.variables[std::string(parameter.name)] = *value;
    bound.sizes += fmt::format("{}{}={:.0f}", bound.sizes.empty() ? "" : " ", parameter.name, *value);
  }
  for (const Derived& derived : declaration.derived) {
    bound.variables[std::string(derived.name)] = derived.value(bound.variables.find(derived.of)->second);
  }
  return {};
}

/// Collects values of formulas and keeps the first error.
class Evaluator {
 public:
  explicit Evaluator(const Variables& variables) : variables_(variables) {}

  double operator()(std::string_view formula) {
    const auto value = evaluate(formula, variables_);
    if (value) return *value;
    if (error_.ok) error_ = {false, value.error()};
    return 0;
  }
  [[nodiscard]] Result<void> outcome() const {
    if (error_.ok) return {};
    return fail(error_.error);
  }

 private:
  struct First {
    bool ok = true;
    Error error;
  };
  const Variables& variables_;
  First error_;
};

Value<double> declared(double value) {
  return Value<double>(value, Provenance::kDeclared);
}
Value<Bytes> bytes(double value) {
  return Value<Bytes>(Bytes(value), Provenance::kDeclared);
}

void fill_arithmetic(const KernelDeclaration& declaration, Evaluator& value, Work& work) {
  const WorkFormulas& formulas = declaration.work;
  InstructionWork& instructions = work.instructions;
  instructions.fp32_add = declared(value(formulas.fp32_add));
  instructions.fp32_mul = declared(value(formulas.fp32_mul));
  instructions.fp32_fma = declared(value(formulas.fp32_fma));
  const double cores = *instructions.fp32_add + *instructions.fp32_mul + 2 * *instructions.fp32_fma;
  if (cores > 0) work.compute.push_back({core(DataType::kFp32), Value<Flops>(Flops(cores), Provenance::kDeclared)});
  const double tensor = value(formulas.tensor);
  if (tensor > 0 && declaration.tensor_key) {
    work.compute.push_back({*declaration.tensor_key, Value<Flops>(Flops(tensor), Provenance::kDeclared)});
  }
  work.flops = Value<Flops>(Flops(cores + tensor), Provenance::kDeclared);
}

void fill_access(const WorkFormulas& formulas, Evaluator& value, AccessWork& access) {
  access.global_load_requests = declared(value(formulas.load_requests));
  access.global_load_sectors = declared(value(formulas.load_sectors));
  access.global_store_requests = declared(value(formulas.store_requests));
  access.global_store_sectors = declared(value(formulas.store_sectors));
  access.local_load_sectors = access.local_store_sectors = declared(0);
  access.excess_sectors = declared(value(formulas.excess_sectors));
  access.shared_load_instructions = declared(value(formulas.shared_loads));
  access.shared_load_wavefronts = declared(value(formulas.shared_load_wavefronts));
  access.shared_store_instructions = declared(value(formulas.shared_stores));
  access.shared_store_wavefronts = declared(value(formulas.shared_store_wavefronts));
  access.shared_wavefronts = access.shared_load_wavefronts + access.shared_store_wavefronts +
                             declared(value(formulas.shared_atomic_wavefronts)) +
                             declared(value(formulas.shared_tensor_wavefronts));
  access.shared_wavefronts_excess = access.shared_bank_conflicts = declared(value(formulas.excess_wavefronts));
  access.l1_wavefronts = access.shared_wavefronts + declared(value(formulas.shared_idle_wavefronts)) +
                         declared(value(formulas.load_wavefronts)) + declared(value(formulas.store_wavefronts)) +
                         declared(value(formulas.shuffles));
}

void fill_bytes(const WorkFormulas& formulas, Evaluator& value, Work& work) {
  TrafficWork& traffic = work.bytes;
  traffic.dram_read = bytes(value(formulas.dram_read));
  traffic.dram_write = bytes(value(formulas.dram_write));
  traffic.dram = traffic.dram_read + traffic.dram_write;
  traffic.l2_read = bytes(value(formulas.l2_read));
  traffic.l2_write = bytes(value(formulas.l2_write));
  traffic.l2 = traffic.l2_read + traffic.l2_write - bytes(value(formulas.multicast));
  traffic.l1 = bytes(kSectorBytes * (*work.access.global_load_sectors + *work.access.global_store_sectors));
  traffic.shared = bytes(kWavefrontBytes * *work.access.shared_wavefronts);
  traffic.bulk_read = bytes(value(formulas.bulk_read));
  traffic.bulk_write = bytes(0);
  traffic.host_link = traffic.host_link_read = traffic.host_link_write = bytes(0);
  traffic.peer_link = traffic.peer_link_read = traffic.peer_link_write = bytes(0);
}

}  // namespace

Result<double> evaluate(std::string_view formula, const Variables& variables) {
  const auto expression = Expression::parse(formula);
  if (!expression) return fail(expression.error());
  return expression->evaluate(variables);
}

Result<Sizes> parse_sizes(std::string_view text) {
  Sizes sizes;
  while (!text.empty()) {
    const std::size_t blank = text.find(' ');
    const std::string_view word = text.substr(0, blank);
    text.remove_prefix(blank == std::string_view::npos ? text.size() : blank + 1);
    if (word.empty()) continue;
    const std::size_t equals = word.find('=');
    const std::string name(word.substr(0, equals));
    if (equals == std::string_view::npos || name.empty()) {
      return fail(usage_error("'" + std::string(word) + "' is not a size", name, "write NAME=VALUE"));
    }
    const auto value = evaluate(word.substr(equals + 1), {});
    if (!value) return fail(value.error());
    sizes[name] = *value;
  }
  return sizes;
}

Result<BoundKernel> bind_kernel(const KernelDeclaration& declaration, const Sizes& given, int sms) {
  BoundKernel bound;
  bound.declaration = &declaration;
  bound.variables["sms"] = sms;
  RIDGE_TRY(bind_parameters(declaration, given, bound));
  Evaluator value(bound.variables);
  const LaunchShape& launch = declaration.launch;
  bound.grid = {static_cast<std::uint32_t>(value(launch.grid_x)), static_cast<std::uint32_t>(value(launch.grid_y)),
                static_cast<std::uint32_t>(value(launch.grid_z))};
  bound.block = {launch.block_x, launch.block_y, 1};
  for (const Buffer& buffer : declaration.buffers)
    bound.counts.push_back(static_cast<std::size_t>(value(buffer.count)));
  fill_arithmetic(declaration, value, bound.work);
  fill_access(declaration.work, value, bound.work.access);
  fill_bytes(declaration.work, value, bound.work);
  RIDGE_TRY(value.outcome());
  return bound;
}

double buffer_bytes(const BoundKernel& kernel) {
  double sum = 0;
  for (std::size_t i = 0; i < kernel.counts.size(); ++i) {
    sum += static_cast<double>(kernel.counts[i] * element_size(kernel.declaration->buffers[i].type));
  }
  return sum;
}

}  // namespace ridge::lab
