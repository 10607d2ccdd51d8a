#include "lab/run/buffers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ridge::lab {
namespace {

/// Elements are moved in pieces of this many bytes (a multiple of every element size).
constexpr std::size_t kPiece = std::size_t{16} << 20;
/// Steps of the reference that a check may take, and elements it compares at least.
constexpr double kMostSteps = 1e8;
constexpr std::size_t kFewestSamples = 2048;
constexpr std::size_t kMostSamples = 65536;

std::size_t samples_for(const Problem& problem, std::size_t elements) {
  const auto cost = evaluate(problem.kernel().declaration->reference_cost, problem.kernel().variables);
  const double affordable = kMostSteps / std::max(1.0, cost.value_or(1));
  if (affordable >= static_cast<double>(elements)) return elements;
  return std::clamp(static_cast<std::size_t>(affordable), std::min(kFewestSamples, elements), kMostSamples);
}

/// Ascending indices: all, or a choice that the seed decides, first and last included.
std::vector<std::size_t> chosen_indices(const Problem& problem, std::size_t buffer, std::size_t elements) {
  const std::size_t count = samples_for(problem, elements);
  std::vector<std::size_t> indices;
  if (count >= elements) return indices;  // all
  constexpr std::uint64_t kStream = 1000;
  indices = {0, elements - 1};
  for (std::size_t i = 0; i < count; ++i) {
    indices.push_back(static_cast<std::size_t>(mixed(problem.seed(), kStream + buffer, i) % elements));
  }
  std::sort(indices.begin(), indices.end());
  indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
  return indices;
}

/// One result buffer, visited from the first byte to the last.
class Comparison {
 public:
  Comparison(const Problem& problem, std::size_t buffer)
      : problem_(problem),
        buffer_(problem.kernel().declaration->buffers[buffer]),
        elements_(problem.kernel().counts[buffer]),
        chosen_(chosen_indices(problem, buffer, elements_)),
        expected_(problem.kernel().declaration->reference(problem, buffer)) {}

  void visit(std::size_t first, std::span<const std::byte> bytes) {
    const std::size_t count = bytes.size() / element_size(buffer_.type);
    if (buffer_.role == Role::kOutput) find_poison(first, bytes, count);
    if (chosen_.empty()) {
      for (std::size_t i = 0; i < count; ++i) compare(first + i, decode(buffer_.type, bytes, i));
      return;
    }
    for (; next_ < chosen_.size() && chosen_[next_] < first + count; ++next_) {
      compare(chosen_[next_], decode(buffer_.type, bytes, chosen_[next_] - first));
    }
  }

  /// Adds what was found to the check of the whole kernel.
  void finish(Check& check) const {
    check.compared += compared_;
    check.elements += elements_;
    const double error = std::sqrt(squared_error_) / (squared_ > 0 ? std::sqrt(squared_) : 1.0);
    check.error = std::max(check.error, std::isnan(error) ? HUGE_VAL : error);
    if (!check.fault.empty()) return;
    if (unwritten_ > 0) {
      check.fault = fmt::format("{} of {} elements of '{}' were not written, the first is {}", unwritten_, elements_,
                                buffer_.name, first_unwritten_);
    } else if (!(error <= problem_.kernel().declaration->tolerance)) {
      check.fault =
          fmt::format("'{}' differs from the fp64 reference by {:.2g} in the norm; element {} is {:.9g}, not {:.9g}",
                      buffer_.name, error, worst_, worst_found_, worst_expected_);
    }
  }

 private:
  void find_poison(std::size_t first, std::span<const std::byte> bytes, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      if (!is_poison(buffer_.type, bytes, i)) continue;
      if (unwritten_++ == 0) first_unwritten_ = first + i;
    }
  }

  void compare(std::size_t index, double found) {
    const double expected = expected_(index);
    const double difference = found - expected;
    squared_error_ += difference * difference;
    squared_ += expected * expected;
    ++compared_;
    if (!(std::abs(difference) <= worst_difference_)) {
      worst_difference_ = std::isnan(difference) ? HUGE_VAL : std::abs(difference);
      worst_ = index, worst_found_ = found, worst_expected_ = expected;
    }
  }

  const Problem& problem_;
  const Buffer& buffer_;
  std::size_t elements_;
  std::vector<std::size_t> chosen_;
  Expected expected_;
  std::size_t next_ = 0, compared_ = 0, unwritten_ = 0, first_unwritten_ = 0, worst_ = 0;
  double squared_error_ = 0, squared_ = 0, worst_difference_ = -1, worst_found_ = 0, worst_expected_ = 0;
};

/// Calls visit(first byte, bytes) over `total` bytes in pieces.
template <class Visit>
Result<void> in_pieces(std::size_t total, Visit visit) {
  std::vector<std::byte> piece(std::min(total, kPiece));
  for (std::size_t first = 0; first < total; first += kPiece) {
    RIDGE_TRY(visit(first, std::span(piece).first(std::min(kPiece, total - first))));
  }
  return {};
}

double scalar_of(const EntryArgument& argument, const BoundKernel& kernel) {
  return evaluate(argument.value, kernel.variables).value_or(0);
}

}  // namespace

Result<BufferSet> BufferSet::allocate(device::Device& device, const BoundKernel& kernel) {
  BufferSet set;
  for (std::size_t i = 0; i < kernel.counts.size(); ++i) {
    auto memory =
        device::Memory::allocate(device, kernel.counts[i] * element_size(kernel.declaration->buffers[i].type));
    if (!memory) return fail(memory.error());
    set.memory_.push_back(*std::move(memory));
  }
  return set;
}

Result<void> BufferSet::fill(device::Device& device, const Problem& problem) const {
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    const Buffer& buffer = problem.kernel().declaration->buffers[i];
    if (buffer.role == Role::kOutput || buffer.role == Role::kAccumulated) {
      const std::uint8_t value = buffer.role == Role::kOutput ? 0xFF : 0;
      RIDGE_TRY(device.fill(memory_[i].address(), value, memory_[i].bytes()));
      continue;
    }
    const std::size_t size = element_size(buffer.type);
    RIDGE_TRY(in_pieces(memory_[i].bytes(), [&](std::size_t first, std::span<std::byte> bytes) {
      problem.fill(i, first / size, bytes);
      return device.copy_in(memory_[i].address() + first, bytes);
    }));
  }
  return {};
}

Result<void> BufferSet::copy_from(device::Device& device, const BufferSet& other) const {
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    RIDGE_TRY(device.copy(memory_[i].address(), other.memory_[i].address(), memory_[i].bytes()));
  }
  return {};
}

device::Address BufferSet::address(const KernelDeclaration& kernel, std::string_view name) const {
  const auto at = std::find_if(kernel.buffers.begin(), kernel.buffers.end(),
                               [&](const Buffer& buffer) { return buffer.name == name; });
  return memory_[static_cast<std::size_t>(at - kernel.buffers.begin())].address();
}

Result<std::vector<device::Parameter>> BufferSet::arguments(device::Device& device, const BoundKernel& kernel) const {
  std::vector<device::Parameter> parameters;
  for (const EntryArgument& argument : kernel.declaration->arguments) {
    if (argument.kind == ArgumentKind::kPointer) {
      parameters.push_back(device::Parameter::of(address(*kernel.declaration, argument.name)));
    } else if (argument.kind == ArgumentKind::kInteger) {
      parameters.push_back(device::Parameter::of(static_cast<std::int32_t>(scalar_of(argument, kernel))));
    } else if (argument.kind == ArgumentKind::kFloat) {
      parameters.push_back(device::Parameter::of(static_cast<float>(scalar_of(argument, kernel))));
    } else {
      const auto extent = [&](std::string_view formula) {
        return static_cast<std::uint64_t>(evaluate(formula, kernel.variables).value_or(0));
      };
      auto map = device.tensor_map({address(*kernel.declaration, argument.name), extent(argument.rows),
                                    extent(argument.columns), argument.box_rows, argument.box_columns});
      if (!map) return fail(map.error());
      parameters.push_back(*map);
    }
  }
  return parameters;
}

Result<Check> check_results(device::Device& device, const BufferSet& set, const Problem& problem) {
  Check check;
  const KernelDeclaration& declaration = *problem.kernel().declaration;
  check.tolerance = declaration.tolerance;
  for (std::size_t i = 0; i < declaration.buffers.size(); ++i) {
    if (!is_result(declaration.buffers[i].role)) continue;
    const std::size_t size = element_size(declaration.buffers[i].type);
    Comparison comparison(problem, i);
    const auto visit = [&](std::size_t first, std::span<std::byte> bytes) {
      return device.copy_out(bytes, set.address(i) + first).map([&] { comparison.visit(first / size, bytes); });
    };
    RIDGE_TRY(in_pieces(problem.kernel().counts[i] * size, visit));
    comparison.finish(check);
  }
  check.passed = check.fault.empty();
  return check;
}

}  // namespace ridge::lab
