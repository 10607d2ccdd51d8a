#include "lab/declare/registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/nearest.h"
#include "lab/declare/bind.h"
#include "lab/declare/ladders.h"

namespace ridge::lab {
namespace {

std::vector<KernelDeclaration> collect() {
  std::vector<KernelDeclaration> all;
  for (const auto ladder : {stream_kernels, elementwise_kernels, access_kernels, reduction_kernels, transpose_kernels,
                            shared_bank_kernels, divergence_kernels, histogram_kernels, stencil_kernels,
                            softmax_kernels, layernorm_kernels, gemm_kernels, gemm_tensor_kernels}) {
    for (KernelDeclaration& kernel : ladder()) all.push_back(std::move(kernel));
  }
  return all;
}

constexpr int kSomeSmCount = 132;

void check_texts(const KernelDeclaration& kernel, std::vector<std::string>& found) {
  if (kernel.id.empty() || kernel.ladder.empty() || kernel.module.empty() || kernel.entry.empty()) {
    found.emplace_back("id, ladder, module and entry must be named");
  }
  if (kernel.lesson.english.empty() || kernel.lesson.chinese.empty()) found.emplace_back("no lesson in both languages");
  if (kernel.change.english.empty() != kernel.change.chinese.empty()) found.emplace_back("change in one language only");
  if (kernel.reference == nullptr) found.emplace_back("no reference to check results against");
  if (kernel.truth.empty()) found.emplace_back("no size to record truth at");
  if (kernel.emulated.empty()) found.emplace_back("no size to emulate at");
}

void check_arguments(const KernelDeclaration& kernel, std::vector<std::string>& found) {
  const auto known = [&](std::string_view name) {
    return std::any_of(kernel.buffers.begin(), kernel.buffers.end(),
                       [&](const Buffer& buffer) { return buffer.name == name; });
  };
  for (const EntryArgument& argument : kernel.arguments) {
    const bool pointer = argument.kind == ArgumentKind::kPointer || argument.kind == ArgumentKind::kTensorMap;
    if (pointer && !known(argument.name)) found.push_back(fmt::format("argument {}: no such buffer", argument.name));
    if (!pointer && argument.value.empty()) found.push_back(fmt::format("argument {}: no value", argument.name));
  }
  const bool result = std::any_of(kernel.buffers.begin(), kernel.buffers.end(),
                                  [](const Buffer& buffer) { return is_result(buffer.role); });
  if (!result) found.emplace_back("no buffer holds a result");
}

/// Totals that other formulas give too.
void check_sums(const KernelDeclaration& kernel, const BoundKernel& bound, std::vector<std::string>& found) {
  const auto flops = evaluate(kernel.work.flops, bound.variables);
  if (!flops || std::abs(*flops - bound.work.flops->count()) > 1e-9 * *flops) {
    found.emplace_back("flops is not add + mul + 2 fma + tensor");
  }
  // DRAM moves 64 bytes at a time: a sector of 32 whose neighbour nobody wants costs twice its size.
  if (bound.work.bytes.dram_read->count() > 2 * bound.work.bytes.l2_read->count()) {
    found.emplace_back("more bytes are read from DRAM than L2 delivers");
  }
  const auto less = [&](const Value<double>& requests, const Value<double>& sectors, const char* what) {
    if (*requests > *sectors) found.emplace_back(fmt::format("fewer {} sectors than requests", what));
  };
  less(bound.work.access.global_load_requests, bound.work.access.global_load_sectors, "load");
  less(bound.work.access.global_store_requests, bound.work.access.global_store_sectors, "store");
  less(bound.work.access.shared_load_instructions, bound.work.access.shared_load_wavefronts, "shared load");
  less(bound.work.access.shared_store_instructions, bound.work.access.shared_store_wavefronts, "shared store");
}

void check_formulas(const KernelDeclaration& kernel, std::vector<std::string>& found) {
  for (const auto& [name, formula] : formulas(kernel.work)) {
    if (formula.empty()) found.push_back(fmt::format("work.{} is not declared", name));
  }
  if (!found.empty()) return;
  if ((kernel.work.tensor != "0") != kernel.tensor_key.has_value()) found.emplace_back("tensor work without its unit");
  std::vector<std::string_view> sizes_used = kernel.truth;
  sizes_used.insert(sizes_used.end(), kernel.runs.begin(), kernel.runs.end());
  sizes_used.insert(sizes_used.end(), kernel.emulated.begin(), kernel.emulated.end());
  for (const std::string_view sizes : sizes_used) {
    const auto given = parse_sizes(sizes);
    const auto bound = given ? bind_kernel(kernel, *given, kSomeSmCount) : Result<BoundKernel>(fail(given.error()));
    if (!bound) {
      found.push_back(fmt::format("size '{}': {}", sizes, to_string(bound.error())));
    } else {
      check_sums(kernel, *bound, found);
    }
  }
}

}  // namespace

const std::vector<KernelDeclaration>& kernels() {
  static const std::vector<KernelDeclaration> all = collect();
  return all;
}

const KernelDeclaration* find_kernel(std::string_view id) {
  const auto& all = kernels();
  const auto at =
      std::find_if(all.begin(), all.end(), [&](const KernelDeclaration& kernel) { return kernel.id == id; });
  return at == all.end() ? nullptr : &*at;
}

std::vector<std::string_view> ladders() {
  std::vector<std::string_view> names;
  for (const KernelDeclaration& kernel : kernels()) {
    if (names.empty() || names.back() != kernel.ladder) names.push_back(kernel.ladder);
  }
  return names;
}

Result<std::vector<const KernelDeclaration*>> select_kernels(std::string_view name) {
  std::vector<const KernelDeclaration*> chosen;
  for (const KernelDeclaration& kernel : kernels()) {
    if (name == "all" || kernel.ladder == name) chosen.push_back(&kernel);
  }
  if (chosen.empty()) {
    if (const KernelDeclaration* kernel = find_kernel(name)) chosen.push_back(kernel);
  }
  if (!chosen.empty()) return chosen;
  std::vector<std::string> names{"all", "list"};
  for (const std::string_view ladder : ladders()) names.emplace_back(ladder);
  for (const KernelDeclaration& kernel : kernels()) names.emplace_back(kernel.id);
  const std::string near = nearest(name, names);
  return fail(usage_error("the lab has no '" + std::string(name.substr(0, 60)) + "'", "ridge lab",
                          near.empty() ? "'ridge lab list' shows what it has" : "did you mean " + near + "?"));
}

std::vector<std::string> faults(const KernelDeclaration& kernel) {
  std::vector<std::string> found;
  check_texts(kernel, found);
  check_arguments(kernel, found);
  check_formulas(kernel, found);
  return found;
}

}  // namespace ridge::lab
