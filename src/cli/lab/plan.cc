#include "cli/lab/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "lab/declare/registry.h"

namespace ridge::cli {
namespace {

/// The values asked for of each name, in the order given.
using Choices = std::vector<std::pair<std::string, std::vector<double>>>;

struct Words {
  std::vector<std::string> names;
  Choices choices;
};

Result<std::vector<double>> parse_values(const std::string& name, std::string_view list) {
  std::vector<double> values;
  while (true) {
    const std::size_t comma = list.find(',');
    const auto sizes = lab::parse_sizes(fmt::format("{}={}", name, list.substr(0, comma)));
    if (!sizes) return fail(sizes.error());
    values.push_back(sizes->begin()->second);
    if (comma == std::string_view::npos) return values;
    list.remove_prefix(comma + 1);
  }
}

Result<Words> split_words(const std::vector<std::string>& words) {
  Words split;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) {
      split.names.push_back(word);
      continue;
    }
    const std::string name = word.substr(0, equals);
    const auto given = std::any_of(split.choices.begin(), split.choices.end(),
                                   [&](const auto& choice) { return choice.first == name; });
    if (given || name.empty()) {
      return fail(usage_error(name.empty() ? "a size without a name" : "the size '" + name + "' is given twice", word,
                              "write NAME=VALUE once; several values are NAME=VALUE,VALUE"));
    }
    auto values = parse_values(name, std::string_view(word).substr(equals + 1));
    if (!values) return fail(values.error());
    split.choices.emplace_back(name, *std::move(values));
  }
  return split;
}

bool has_parameter(const lab::KernelDeclaration& kernel, std::string_view name) {
  return std::any_of(kernel.parameters.begin(), kernel.parameters.end(),
                     [&](const lab::Parameter& parameter) { return parameter.name == name; });
}

Result<std::vector<const lab::KernelDeclaration*>> chosen_kernels(const Words& words) {
  if (words.names.empty()) {
    return fail(usage_error("no kernel is named", "ridge lab", "name one or a ladder; 'ridge lab list' shows them"));
  }
  std::set<const lab::KernelDeclaration*> wanted;
  for (const std::string& name : words.names) {
    const auto some = lab::select_kernels(name);
    if (!some) return fail(some.error());
    wanted.insert(some->begin(), some->end());
  }
  std::vector<const lab::KernelDeclaration*> kernels;
  for (const lab::KernelDeclaration& kernel : lab::kernels()) {
    if (wanted.contains(&kernel)) kernels.push_back(&kernel);
  }
  for (const auto& [name, values] : words.choices) {
    const std::string& size = name;
    if (std::none_of(kernels.begin(), kernels.end(),
                     [&](const auto* kernel) { return has_parameter(*kernel, size); })) {
      return fail(
          usage_error("none of these kernels has a size '" + name + "'", name, "'ridge lab list' shows the sizes"));
    }
  }
  return kernels;
}

/// Each of `bases` with each value of each choice that the kernel has.
std::vector<lab::Sizes> combined(const lab::KernelDeclaration& kernel, std::vector<lab::Sizes> bases,
                                 const Choices& choices) {
  for (const auto& [name, values] : choices) {
    if (!has_parameter(kernel, name)) continue;
    std::vector<lab::Sizes> next;
    for (const lab::Sizes& base : bases) {
      for (const double value : values) {
        lab::Sizes sizes = base;
        sizes[name] = value;
        if (std::find(next.begin(), next.end(), sizes) == next.end()) next.push_back(std::move(sizes));
      }
    }
    bases = std::move(next);
  }
  return bases;
}

std::string text_of(const lab::Sizes& sizes) {
  std::string text;
  for (const auto& [name, value] : sizes) text += fmt::format("{}{}={:g}", text.empty() ? "" : " ", name, value);
  return text;
}

/// Bound once, so that a size a kernel cannot have is an error before anything runs.
Result<std::vector<lab::Sizes>> sizes_of(const lab::KernelDeclaration& kernel,
                                         const std::vector<std::string_view>& runs, const Choices& choices) {
  std::vector<lab::Sizes> bases;
  for (const std::string_view run : runs) {
    auto sizes = lab::parse_sizes(run);
    if (!sizes) return fail(sizes.error());
    bases.push_back(*std::move(sizes));
  }
  std::vector<lab::Sizes> all = combined(kernel, std::move(bases), choices);
  for (const lab::Sizes& sizes : all) {
    const auto bound = lab::bind_kernel(kernel, sizes, 1);
    if (!bound) return fail(bound.error());
  }
  return all;
}

/// Groups of a ladder are one per size; a kernel whose size is the lesson stands in one table.
LabPlanGroup& group_for(std::vector<LabPlanGroup>& groups, const lab::KernelDeclaration& kernel,
                        const std::string& sizes) {
  const std::string key = kernel.sweep ? "" : sizes;
  const auto at = std::find_if(groups.begin(), groups.end(), [&](const LabPlanGroup& group) {
    return group.ladder == kernel.ladder && group.sizes == key;
  });
  if (at != groups.end()) return *at;
  groups.push_back({std::string(kernel.ladder), key, {}});
  return groups.back();
}

}  // namespace

Result<std::vector<LabPlanGroup>> plan_lab(const std::vector<std::string>& given, LabHost host) {
  const auto words = split_words(given);
  if (!words) return fail(words.error());
  const auto kernels = chosen_kernels(*words);
  if (!kernels) return fail(kernels.error());
  std::vector<LabPlanGroup> groups;
  for (const lab::KernelDeclaration* kernel : *kernels) {
    const auto& runs = host == LabHost::kGpu ? kernel->runs : kernel->emulated;
    const auto all = sizes_of(*kernel, runs, words->choices);
    if (!all) return fail(all.error());
    for (const lab::Sizes& sizes : *all) {
      const std::string text = text_of(sizes);
      const bool shown = kernel->sweep && !text.empty();
      group_for(groups, *kernel, text)
          .steps.push_back({kernel, sizes, shown ? fmt::format("{} {}", kernel->id, text) : std::string(kernel->id)});
    }
  }
  return groups;
}

Result<std::vector<LabPlanStep>> plan_truth(const std::vector<std::string>& given) {
  const auto words = split_words(given);
  if (!words) return fail(words.error());
  const auto kernels = chosen_kernels(*words);
  if (!kernels) return fail(kernels.error());
  std::vector<LabPlanStep> steps;
  for (const lab::KernelDeclaration* kernel : *kernels) {
    const auto all = sizes_of(*kernel, kernel->truth, words->choices);
    if (!all) return fail(all.error());
    for (const lab::Sizes& sizes : *all) steps.push_back({kernel, sizes, std::string(kernel->id)});
  }
  return steps;
}

}  // namespace ridge::cli
