#include "collectors/agent/kernels.h"

#include <array>
#include <cstring>

namespace ridge::collectors::agent {

wire::TextId TextBook::id(std::string_view text) {
  if (text.empty()) return 0;
  const std::lock_guard lock(mutex_);
  const auto known = ids_.find(text);
  if (known != ids_.end()) return known->second;
  const auto fresh = static_cast<wire::TextId>(ids_.size() + 1);
  // Sent under the lock: nobody may refer to the number before it is in the queue.
  if (!outbox_.send(wire::Text{fresh, std::string(text)}, Weight::kNeeded)) return 0;
  ids_.emplace(text, fresh);
  return fresh;
}

KernelBook::KernelBook(TextBook& texts, const std::string& filter)
    : texts_(texts), filter_text_(filter), filter_(filter.empty() ? Pattern() : Pattern(filter)) {}

const KernelFacts& KernelBook::find(const char* symbol) {
  const std::string_view name = symbol == nullptr ? std::string_view() : std::string_view(symbol);
  const std::lock_guard lock(mutex_);
  const auto known = by_symbol_.find(name);
  if (known != by_symbol_.end()) {
    if (known->second->id == 0) known->second->id = texts_.id(name);
    return *known->second;
  }
  KernelFacts& fresh = facts_.emplace_back();
  fresh.symbol = name;
  fresh.demangled = demangled(fresh.symbol);
  const std::string qualified = qualified_name(fresh.demangled);
  fresh.plain = plain_name(qualified);
  fresh.collective = is_collective(qualified);
  fresh.wanted = filter_text_.empty() || fresh.matches(filter_);
  fresh.id = texts_.id(name);
  by_symbol_.emplace(fresh.symbol, &fresh);
  return fresh;
}

std::uint32_t ShapeBook::id(const wire::Shape& shape) {
  const std::array<std::uint32_t, 12> numbers = {
      shape.grid[0],    shape.grid[1],    shape.grid[2],    shape.block[0],  shape.block[1],      shape.block[2],
      shape.cluster[0], shape.cluster[1], shape.cluster[2], shape.registers, shape.shared_static, shape.shared_dynamic};
  std::string key(sizeof numbers, '\0');
  std::memcpy(key.data(), numbers.data(), sizeof numbers);
  const std::lock_guard lock(mutex_);
  const auto known = ids_.find(key);
  if (known != ids_.end()) return known->second;
  wire::Shape fresh = shape;
  fresh.id = static_cast<std::uint32_t>(ids_.size() + 1);
  if (!outbox_.send(fresh, Weight::kNeeded)) return 0;
  ids_.emplace(std::move(key), fresh.id);
  return fresh.id;
}

}  // namespace ridge::collectors::agent
