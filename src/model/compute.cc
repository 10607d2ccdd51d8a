#include "ridgepoint/model/compute.h"

#include <array>
#include <vector>

namespace ridge {
namespace {

struct TypeRow {
  DataType type;
  std::string_view name;
  double bytes;
  bool floating;
};

constexpr std::array kTypes{
    TypeRow{DataType::kFp64, "fp64", 8, true},    TypeRow{DataType::kFp32, "fp32", 4, true},
    TypeRow{DataType::kTf32, "tf32", 4, true},    TypeRow{DataType::kFp16, "fp16", 2, true},
    TypeRow{DataType::kBf16, "bf16", 2, true},    TypeRow{DataType::kFp8, "fp8", 1, true},
    TypeRow{DataType::kFp6, "fp6", 0.75, true},   TypeRow{DataType::kFp4, "fp4", 0.5, true},
    TypeRow{DataType::kInt32, "int32", 4, false}, TypeRow{DataType::kInt8, "int8", 1, false},
    TypeRow{DataType::kInt4, "int4", 0.5, false}, TypeRow{DataType::kInt1, "int1", 0.125, false},
};

const TypeRow& row(DataType type) {
  return kTypes[static_cast<std::size_t>(type)];
}

struct PathRow {
  TensorPath path;
  std::string_view name;
};
constexpr std::array kPaths{PathRow{TensorPath::kMmaSync, "mma"}, PathRow{TensorPath::kWgmma, "wgmma"},
                            PathRow{TensorPath::kTcgen05, "tcgen05"}, PathRow{TensorPath::kMfma, "mfma"}};

std::string_view path_name(TensorPath path) {
  for (const PathRow& entry : kPaths) {
    if (entry.path == path) return entry.name;
  }
  return "";
}

std::vector<std::string_view> split_underscores(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  for (std::size_t end = text.find('_'); end != std::string_view::npos; end = text.find('_', begin)) {
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  parts.push_back(text.substr(begin));
  return parts;
}

/// Reads one of the parts after "<type>_tensor"; false if it is none of them.
bool apply_tensor_part(std::string_view part, ComputeKey& key) {
  for (const PathRow& entry : kPaths) {
    if (part == entry.name) {
      key.path = entry.path;
      return true;
    }
  }
  if (part == "dense")
    key.sparsity = Sparsity::kDense;
  else if (part == "sparse")
    key.sparsity = Sparsity::kSparse;
  else if (part == "acc16")
    key.accumulator = Accumulator::kFp16;
  else if (part == "acc32")
    key.accumulator = Accumulator::kFp32;
  else
    return false;
  return true;
}

}  // namespace

std::string_view name(DataType type) {
  return row(type).name;
}
double element_bytes(DataType type) {
  return row(type).bytes;
}
bool is_floating_point(DataType type) {
  return row(type).floating;
}

std::optional<DataType> parse_data_type(std::string_view text) {
  for (const TypeRow& entry : kTypes) {
    if (entry.name == text) return entry.type;
  }
  return std::nullopt;
}

std::string name(const ComputeKey& key) {
  std::string text(name(key.type));
  if (key.unit == ComputeUnit::kCore) return text + "_core";
  text += "_tensor";
  if (key.path != TensorPath::kAny) text.append("_").append(path_name(key.path));
  text += key.sparsity == Sparsity::kSparse ? "_sparse" : "_dense";
  if (key.accumulator == Accumulator::kFp16) text += "_acc16";
  if (key.accumulator == Accumulator::kFp32) text += "_acc32";
  return text;
}

std::string short_name(const ComputeKey& key) {
  const std::string type(name(key.type));
  return key.unit == ComputeUnit::kCore ? type : "tensor_" + type;
}

std::optional<ComputeKey> parse_compute_key(std::string_view text) {
  const auto parts = split_underscores(text);
  const auto type = parse_data_type(parts[0]);
  if (!type || parts.size() < 2) return std::nullopt;
  ComputeKey key = core(*type);
  if (parts[1] == "core") return parts.size() == 2 ? std::optional(key) : std::nullopt;
  if (parts[1] != "tensor") return std::nullopt;
  key.unit = ComputeUnit::kTensor;
  for (std::size_t i = 2; i < parts.size(); ++i) {
    if (!apply_tensor_part(parts[i], key)) return std::nullopt;
  }
  return key;
}

}  // namespace ridge
