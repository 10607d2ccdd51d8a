#include "importers/importer.h"

#include <algorithm>
#include <array>

#include "base/decompress.h"
#include "base/files.h"
#include "importers/ncu/report.h"

namespace ridge {
namespace {

struct Importer {
  std::string_view kind;
  bool (*recognises)(std::string_view first_bytes);
  Result<Profile> (*import)(ByteReader& reader, const std::string& name, const ImportOptions& options);
};

constexpr std::array kImporters{
    Importer{"ncu-rep", ncu::is_report, ncu::import_report},
};

}  // namespace

std::optional<std::string_view> sniff(std::string_view first_bytes) {
  for (const Importer& importer : kImporters) {
    if (importer.recognises(first_bytes)) return importer.kind;
  }
  return std::nullopt;
}

Result<Profile> import_bytes(ByteReader& reader, const std::string& name, const ImportOptions& options) {
  const std::string_view first = reader.peek(kSniffBytes);
  if (first.empty()) {
    if (reader.error()) return fail(*reader.error());
    return fail(bad_input("the file is empty", name, "export or record it again"));
  }
  for (const Importer& importer : kImporters) {
    if (importer.recognises(first)) return importer.import(reader, name, options);
  }
  return fail(bad_input("the file is not a known format", name, "give a .ncu-rep or an Nsight Compute CSV page"));
}

Result<Profile> import_file(const std::string& path, const ImportOptions& options) {
  Result<std::unique_ptr<ByteSource>> source = open_file(path);
  if (!source) return fail(source.error());
  ByteReader reader(decoded(std::move(*source), path));
  return import_bytes(reader, path, options);
}

}  // namespace ridge
