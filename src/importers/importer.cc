#include "importers/importer.h"

#include <algorithm>
#include <array>

#include "base/decompress.h"
#include "base/files.h"
#include "base/utf8.h"
#include "importers/foreign.h"
#include "importers/join.h"
#include "importers/ncu/csv_import.h"
#include "importers/ncu/report.h"

namespace ridge {
namespace {

struct Importer {
  std::string_view kind;
  bool (*recognises)(std::string_view first_bytes);
  Result<Profile> (*import)(ByteReader& reader, const std::string& name, const ImportOptions& options);
};

bool is_mostly_printable(std::string_view bytes) {
  const auto control = std::count_if(bytes.begin(), bytes.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 32 && c != '\n' && c != '\r' && c != '\t' && c != '\x1b' && c != '\f' && c != '\b';
  });
  return static_cast<std::size_t>(control) * 50 <= bytes.size();
}

/// "7f 45 4c 46 ..." for an error about bytes that nobody knows.
std::string first_bytes_of(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const char c : bytes.substr(0, 8)) {
    const auto byte = static_cast<unsigned char>(c);
    if (!text.empty()) text += ' ';
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

/// No byte that no text has, among the first ones; without a line end they must be a character set's.
bool is_text(std::string_view bytes) {
  const std::string_view start = bytes.substr(0, 1024);
  if (bytes.find('\0') != std::string_view::npos || !is_mostly_printable(start)) return false;
  if (start.find_first_of("\r\n") != std::string_view::npos) return true;
  constexpr std::size_t kMostCut = 3;  // of a character, by looking at no more
  const std::size_t cut = std::min(start.size(), kMostCut);
  for (std::size_t n = 0; n <= cut; ++n) {
    if (is_valid_utf8(start.substr(0, start.size() - n))) return true;
  }
  return false;
}

constexpr std::array kImporters{
    Importer{"ncu-rep", ncu::is_report, ncu::import_report},
    Importer{"ncu-csv", ncu::is_csv_page, ncu::import_csv},
};

}  // namespace

std::optional<std::string_view> sniff(std::string_view first_bytes) {
  for (const Importer& importer : kImporters) {
    if (importer.recognises(first_bytes)) return importer.kind;
  }
  if (const ForeignFormat* foreign = foreign_format(first_bytes)) return foreign->kind;
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
  if (const ForeignFormat* foreign = foreign_format(first)) {
    return fail(bad_input("recognised as " + std::string(foreign->what) + "; not supported yet", name,
                          std::string(foreign->remedy)));
  }
  // A long log may hold a table further on than one looks.
  if (is_text(first)) return ncu::import_csv(reader, name, options);
  return fail(bad_input("not a known format: it starts with " + first_bytes_of(first), name,
                        "give a .ncu-rep, an Nsight Compute CSV page or a .ridge file"));
}

Result<Profile> import_file(const std::string& path, const ImportOptions& options) {
  Result<std::unique_ptr<ByteSource>> source = open_file(path);
  if (!source) return fail(source.error());
  ByteReader reader(decoded(std::move(*source), path));
  return import_bytes(reader, path, options);
}

Result<std::vector<Profile>> import_files(std::span<const std::string> paths, const ImportOptions& options) {
  std::vector<Profile> profiles;
  for (const std::string& path : paths) {
    Result<Profile> profile = import_file(path, options);
    if (!profile) return fail(profile.error());
    profiles.push_back(std::move(*profile));
  }
  join_files(profiles);
  return profiles;
}

}  // namespace ridge
