// Which enumerator values exist. A switch without default: an enumerator added to the model stops the build here, so
// that the store, which refuses unknown numbers, learns of it.
#pragma once

#include "ridgepoint/model/profile.h"

namespace ridge::store {

[[nodiscard]] constexpr bool is_valid(Provenance value) {
  switch (value) {
    case Provenance::kMeasured:
    case Provenance::kSampled:
    case Provenance::kCounted:
    case Provenance::kReported:
    case Provenance::kModelled:
    case Provenance::kDeclared:
    case Provenance::kDatasheet:
      return true;
  }
  return false;
}

[[nodiscard]] constexpr bool is_valid(DataType value) {
  switch (value) {
    case DataType::kFp64:
    case DataType::kFp32:
    case DataType::kTf32:
    case DataType::kFp16:
    case DataType::kBf16:
    case DataType::kFp8:
    case DataType::kFp6:
    case DataType::kFp4:
    case DataType::kInt32:
    case DataType::kInt8:
    case DataType::kInt4:
    case DataType::kInt1:
      return true;
  }
  return false;
}

[[nodiscard]] constexpr bool is_valid(ComputeUnit value) {
  switch (value) {
    case ComputeUnit::kCore:
    case ComputeUnit::kTensor:
      return true;
  }
  return false;
}

[[nodiscard]] constexpr bool is_valid(TensorPath value) {
  switch (value) {
    case TensorPath::kAny:
    case TensorPath::kMmaSync:
    case TensorPath::kWgmma:
    case TensorPath::kTcgen05:
    case TensorPath::kMfma:
      return true;
  }
  return false;
}

[[nodiscard]] constexpr bool is_valid(Sparsity value) {
  switch (value) {
    case Sparsity::kDense:
    case Sparsity::kSparse:
      return true;
  }
  return false;
}

[[nodiscard]] constexpr bool is_valid(Accumulator value) {
  switch (value) {
    case Accumulator::kAny:
    case Accumulator::kFp16:
    case Accumulator::kFp32:
      return true;
  }
  return false;
}

[[nodiscard]] constexpr bool is_valid(Level value) {
  switch (value) {
    case Level::kRegisters:
    case Level::kShared:
    case Level::kL1:
    case Level::kL2:
    case Level::kDram:
    case Level::kHostLink:
    case Level::kPeerLink:
      return true;
  }
  return false;
}

[[nodiscard]] constexpr bool is_valid(Vendor value) {
  switch (value) {
    case Vendor::kNvidia:
    case Vendor::kAmd:
      return true;
  }
  return false;
}

[[nodiscard]] constexpr bool is_valid(Severity value) {
  switch (value) {
    case Severity::kInfo:
    case Severity::kNotice:
    case Severity::kError:
    case Severity::kDataLoss:
      return true;
  }
  return false;
}

[[nodiscard]] constexpr bool is_valid(SpanKind value) {
  switch (value) {
    case SpanKind::kCopy:
    case SpanKind::kSet:
    case SpanKind::kApi:
    case SpanKind::kRange:
    case SpanKind::kSynchronisation:
    case SpanKind::kGraph:
    case SpanKind::kAllocation:
    case SpanKind::kPageMigration:
    case SpanKind::kPageFault:
      return true;
  }
  return false;
}

[[nodiscard]] constexpr bool is_valid(Tier value) {
  switch (value) {
    case Tier::kTiming:
    case Tier::kSampling:
    case Tier::kCounters:
      return true;
  }
  return false;
}

[[nodiscard]] constexpr bool is_valid(Unit value) {
  switch (value) {
    case Unit::kNone:
    case Unit::kCount:
    case Unit::kBytes:
    case Unit::kFlops:
    case Unit::kSeconds:
    case Unit::kHertz:
    case Unit::kBytesPerSecond:
    case Unit::kFlopsPerSecond:
    case Unit::kFlopsPerByte:
    case Unit::kRatio:
    case Unit::kFactor:
    case Unit::kPerCycle:
      return true;
  }
  return false;
}

}  // namespace ridge::store
