#include "model/roofline/pipes.h"

#include <array>

namespace ridge {
namespace {

struct Rates {
  std::string_view capability;
  double special_function, load_store, alu;
};

// On 12.x the integer lanes are those of fp32 (128 per SM); elsewhere 64 (16 per scheduler).
constexpr std::array kRates{
    Rates{"7.0", 0.5, 1, 2},   Rates{"7.2", 0.5, 1, 2},   Rates{"7.5", 0.5, 0.5, 2},  Rates{"8.0", 0.5, 1, 2},
    Rates{"8.6", 0.5, 0.5, 2}, Rates{"8.7", 0.5, 0.5, 2}, Rates{"8.9", 0.5, 0.5, 2},  Rates{"9.0", 0.5, 1, 2},
    Rates{"10.0", 0.5, 1, 2},  Rates{"10.3", 0.5, 1, 2},  Rates{"12.0", 0.5, 0.5, 4}, Rates{"12.1", 0.5, 0.5, 4},
};

Value<double> rate(std::string_view capability, double Rates::*member) {
  for (const Rates& row : kRates) {
    if (row.capability == capability) return Value<double>(row.*member, Provenance::kDatasheet);
  }
  return Value<double>::missing("the pipe's rate is not known for this architecture");
}

}  // namespace

Value<double> special_function_rate(std::string_view compute_capability) {
  return rate(compute_capability, &Rates::special_function);
}
Value<double> load_store_rate(std::string_view compute_capability) {
  return rate(compute_capability, &Rates::load_store);
}
Value<double> alu_rate(std::string_view compute_capability) {
  return rate(compute_capability, &Rates::alu);
}

std::string resource_name(const ComputeKey& key) {
  std::string text = short_name(key);
  if (key.unit == ComputeUnit::kCore) return text;
  if (key.path == TensorPath::kMmaSync) text += "_mma";
  if (key.path == TensorPath::kWgmma) text += "_wgmma";
  if (key.path == TensorPath::kTcgen05) text += "_tcgen05";
  if (key.path == TensorPath::kMfma) text += "_mfma";
  if (key.sparsity == Sparsity::kSparse) text += "_sparse";
  return text;
}

}  // namespace ridge
