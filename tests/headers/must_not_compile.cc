// Mistakes that the types exist to prevent, one per macro. tests/headers/CMakeLists.txt compiles each alone and expects
// a diagnostic; with CONTROL the correct neighbours of all of them must compile, so that no case fails for another
// reason.
#include "ridgepoint/base/result.h"
#include "ridgepoint/base/units.h"
#include "ridgepoint/base/value.h"

namespace ridge {

constexpr Bytes kBytes(8);
constexpr Flops kFlops(2);
constexpr Seconds kSeconds(4);
constexpr FlopsPerSecond kSpeed(16);

[[nodiscard]] Result<int> answer();

void cases() {
#if defined(CONTROL)
  static_assert((kBytes + kBytes).count() == 16);
  static_assert(FlopsPerByte(kFlops / kBytes).count() == 0.25);
  static_assert(Hertz(1 / kSeconds) == Hertz(0.25));
  static_assert(kFlops / kSeconds < kSpeed);
  const double number = kBytes.count();
  const Value<Bytes> bytes(Bytes(number), Provenance::kMeasured);
  const Value<Bytes> sum = bytes + bytes;
  const double known = sum.value_or(Bytes(0)).count();
  if (auto result = answer(); result) static_cast<void>(known);
#elif defined(BYTES_PLUS_FLOPS)
  static_cast<void>(kBytes + kFlops);
#elif defined(SECONDS_MINUS_HERTZ)
  static_cast<void>(kSeconds - Hertz(1));
#elif defined(WORK_COMPARED_WITH_SPEED)
  static_cast<void>(kFlops < kSpeed);
#elif defined(QUANTITY_PLUS_NUMBER)
  static_cast<void>(kBytes + 1.0);
#elif defined(VALUE_PLUS_OTHER_UNIT)
  const Value<Bytes> bytes(kBytes, Provenance::kMeasured);
  const Value<Flops> flops(kFlops, Provenance::kMeasured);
  static_cast<void>(bytes + flops);
#elif defined(NUMBER_BECOMES_BYTES)
  const Bytes bytes = 8.0;
  static_cast<void>(bytes);
#elif defined(BYTES_BECOME_NUMBER)
  const double number = kBytes;
  static_cast<void>(number);
#elif defined(INTENSITY_FROM_FLOPS_TIMES_BYTES)
  const FlopsPerByte intensity = kFlops * kBytes;
  static_cast<void>(intensity);
#elif defined(MISSING_VALUE_BECOMES_NUMBER)
  const double number = Value<double>::missing("not collected");
  static_cast<void>(number);
#elif defined(RESULT_IGNORED)
  answer();
#else
#error "name one case"
#endif
}

}  // namespace ridge
