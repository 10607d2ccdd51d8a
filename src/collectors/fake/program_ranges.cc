#include "collectors/fake/program_ranges.h"

#include <memory>
#include <vector>

#include "ridgepoint/range.h"

namespace ridge::collectors::fake {
namespace {

struct Measured {
  explicit Measured(const std::string& text) : name(text), range(text.c_str()) {}
  std::string name;
  MeasuredRange range;
};

std::vector<std::unique_ptr<Range>>& marks() {
  static thread_local std::vector<std::unique_ptr<Range>> open;
  return open;
}

std::vector<std::unique_ptr<Measured>>& measures() {
  static thread_local std::vector<std::unique_ptr<Measured>> open;
  return open;
}

template <class T>
std::string field(const char* name, const std::optional<T>& value) {
  return ", \"" + std::string(name) + "\": " + (value ? std::to_string(*value) : "null");
}

}  // namespace

void mark(const std::string& name) {
  marks().push_back(std::make_unique<Range>(name.c_str()));
}

void unmark() {
  if (!marks().empty()) marks().pop_back();
}

void measure(const std::string& name) {
  measures().push_back(std::make_unique<Measured>(name));
}

std::string measured() {
  if (measures().empty()) return "{}";
  const std::unique_ptr<Measured> one = std::move(measures().back());
  measures().pop_back();
  const RangeFigures figures = one->range.end();
  return "{\"range\": \"" + one->name + "\"" + field("seconds", std::optional(figures.seconds)) +
         field("kernel_seconds", figures.kernel_seconds) + field("launches", figures.launches) +
         field("dram_read_bytes", figures.dram_read_bytes) + field("dram_write_bytes", figures.dram_write_bytes) +
         field("warp_instructions", figures.warp_instructions) + "}";
}

}  // namespace ridge::collectors::fake
