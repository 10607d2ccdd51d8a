// The .ncu-rep container.
#include "fuzz/import_check.h"
#include "importers/ncu/report.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (!ridge::ncu::is_report(bytes)) return 0;
  ridge::testing::check_import(bytes, ridge::ncu::import_report);
  return 0;
}
