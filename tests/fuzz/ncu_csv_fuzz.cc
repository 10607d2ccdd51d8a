// The CSV pages, and any text taken for one.
#include "fuzz/import_check.h"
#include "importers/ncu/csv_import.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ridge::testing::check_import(std::string_view(reinterpret_cast<const char*>(data), size), ridge::ncu::import_csv);
  return 0;
}
