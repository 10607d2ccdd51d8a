#include "render/view/operations.h"

#include "render/text/format.h"

namespace ridge::render {

std::optional<IntegerWork> integer_work(const ReportKernel& kernel) {
  Value<Flops> amount;
  double sum = 0;
  for (const ComputeWork& part : kernel.work.compute) {
    if (part.key.unit != ComputeUnit::kTensor || is_floating_point(part.key.type) || !part.amount) continue;
    amount = sum > 0 ? amount + part.amount : part.amount;
    sum += part.amount->count();
  }
  const double flops = kernel.work.flops ? kernel.work.flops->count() : 0;
  if (!(sum > flops)) return std::nullopt;
  IntegerWork work;
  work.amount = amount;
  work.speed = amount / (kernel.measured_duration ? kernel.measured_duration : kernel.duration);
  work.dram = amount / kernel.work.bytes.dram;
  work.l2 = amount / kernel.work.bytes.l2;
  work.l1 = amount / kernel.work.bytes.l1;
  return work;
}

std::string as_operations(std::string text) {
  const std::size_t at = text.find("FLOP");
  return at == std::string::npos ? text : text.erase(at, 2);
}

namespace {

std::string in_unit_of(std::string_view resource, double value, Unit unit) {
  std::string text = format_number(value, unit);
  const std::optional<ComputeKey> key = parse_compute_key(resource);
  return key && !is_floating_point(key->type) ? as_operations(std::move(text)) : text;
}

}  // namespace

std::string compute_rate_text(std::string_view resource, double per_second) {
  return in_unit_of(resource, per_second, Unit::kFlopsPerSecond);
}

std::string intensity_of(std::string_view resource, double per_byte) {
  return in_unit_of(resource, per_byte, Unit::kFlopsPerByte);
}

}  // namespace ridge::render
