#include "importers/foreign.h"

#include <algorithm>
#include <array>

namespace ridge {
namespace {

constexpr std::string_view kGiveNcu = "give an Nsight Compute report or CSV page of the same program";
constexpr std::string_view kUnpack = "unpack it first";

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}
bool contains_all(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::all_of(parts.begin(), parts.end(), [&](std::string_view part) { return contains(text, part); });
}
std::string_view first_line(std::string_view text) {
  return text.substr(0, std::min(text.find_first_of("\r\n"), text.size()));
}
std::string_view trim_start(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  while (!text.empty() &&
         (text.front() == ' ' || text.front() == '\n' || text.front() == '\r' || text.front() == '\t')) {
    text.remove_prefix(1);
  }
  return text;
}

bool is_sqlite(std::string_view text) {
  return text.starts_with(std::string_view("SQLite format 3\0", 16));
}
/// The tables' names stand in the first pages.
bool is_nsys(std::string_view text) {
  return is_sqlite(text) &&
         (contains(text, "StringIds") || contains(text, "CUPTI_ACTIVITY_KIND_") || contains(text, "TARGET_INFO_") ||
          contains(text, "META_DATA_EXPORT") || contains(text, "EXPORT_META_DATA"));
}
bool is_rocpd(std::string_view text) {
  return is_sqlite(text) && contains(text, "rocpd_");
}
/// Latin text in two bytes a character; with a byte-order mark it was decoded before it came here.
bool is_utf16(std::string_view text) {
  constexpr std::size_t kCharacters = 16;
  if (text.size() < 2 * kCharacters) return false;
  const std::size_t zero = text[0] == '\0' ? 0 : 1;
  for (std::size_t i = 0; i < 2 * kCharacters; i += 2) {
    if (text[i + zero] != '\0' || text[i + 1 - zero] == '\0') return false;
  }
  return true;
}
bool is_ridge_store(std::string_view text) {
  constexpr std::size_t kApplicationId = 68;  // in the SQLite header, big-endian; src/store/schema.h
  return is_sqlite(text) && text.size() >= kApplicationId + 4 && text.substr(kApplicationId, 4) == "RIDG";
}
bool is_chrome_trace(std::string_view text) {
  text = trim_start(text);
  if (!text.starts_with('{') && !text.starts_with('[')) return false;
  return contains(text, "\"traceEvents\"") || (contains(text, "\"ph\"") && contains(text, "\"ts\"")) ||
         contains_all(text, {"\"schemaVersion\"", "\"deviceProperties\""});
}
bool is_json(std::string_view text) {
  text = trim_start(text);
  return text.starts_with('{') || text.starts_with("[{") || text.starts_with("[\n");
}
bool is_rocprof(std::string_view text) {
  const std::string_view line = first_line(trim_start(text));
  return contains_all(line, {"Kernel_Name", "Dispatch_I"}) || contains_all(line, {"KernelName", "gpu-id"}) ||
         contains_all(line, {"Domain", "Function", "Start_Timestamp"}) ||
         contains_all(line, {"Direction", "Start_Timestamp"}) || contains_all(line, {"TotalDurationNs", "Calls"}) ||
         contains_all(line, {"HBMBw", "FP32Flops"});
}
bool is_nvprof(std::string_view text) {
  return contains(text, "==NVPROF==") || contains_all(text, {" Profiling result:", "Time(%)"}) ||
         contains_all(text, {"\"Time(%)\"", "\"Calls\"", "\"Avg\""});
}
bool is_nsys_stats(std::string_view text) {
  return contains_all(text, {"Time (%)", "Total Time (ns)", "Instances"});
}
bool is_ncu_text(std::string_view text) {
  return contains(text, "Section: GPU Speed Of Light") || contains(text, "Section: Command line profiler metrics") ||
         contains_all(text, {"Section: ", "Metric Name", "Metric Value"});
}
template <char... kMagic>
bool starts_with_magic(std::string_view text) {
  constexpr std::array<char, sizeof...(kMagic)> kBytes{kMagic...};
  return text.starts_with(std::string_view(kBytes.data(), kBytes.size()));
}

struct Known {
  ForeignFormat format;
  bool (*recognises)(std::string_view first_bytes);
};

/// In the order of asking: the particular before the general.
constexpr Known kKnown[] = {
    {{"ridge", "a .ridge file inside another format", "unpack it and give the .ridge file itself"}, is_ridge_store},
    {{"nsys-sqlite", "an nsys SQLite export", kGiveNcu}, is_nsys},
    {{"rocpd", "a rocprof SQLite database", kGiveNcu}, is_rocpd},
    {{"sqlite", "an SQLite database of another program", "give a .ridge file, or an Nsight Compute report or CSV page"},
     is_sqlite},
    {{"chrome-trace", "a Chrome or PyTorch trace", kGiveNcu}, is_chrome_trace},
    {{"json", "JSON of another tool", kGiveNcu}, is_json},
    {{"rocprof-csv", "a rocprof CSV file", kGiveNcu}, is_rocprof},
    {{"nvprof", "nvprof output", kGiveNcu}, is_nvprof},
    {{"nsys-stats", "an nsys stats table", kGiveNcu}, is_nsys_stats},
    {{"ncu-text", "the text page of Nsight Compute", "export it with --csv, or give the .ncu-rep itself"}, is_ncu_text},
    {{"utf-16", "UTF-16 text without a byte-order mark", "save it as UTF-8"}, is_utf16},
    {{"zip", "a zip archive", kUnpack}, starts_with_magic<'P', 'K', 3, 4>},
    {{"xz", "xz-compressed data", kUnpack}, starts_with_magic<'\xfd', '7', 'z', 'X', 'Z'>},
    {{"bzip2", "bzip2-compressed data", kUnpack}, starts_with_magic<'B', 'Z', 'h'>},
    {{"gzip", "data compressed three times", kUnpack}, starts_with_magic<'\x1f', '\x8b'>},
    {{"zstd", "data compressed three times", kUnpack}, starts_with_magic<'\x28', '\xb5', '\x2f', '\xfd'>},
    {{"elf", "a program or a cubin", "profile it, and give the report"}, starts_with_magic<'\x7f', 'E', 'L', 'F'>},
};

}  // namespace

const ForeignFormat* foreign_format(std::string_view first_bytes) {
  const auto* const found =
      std::find_if(std::begin(kKnown), std::end(kKnown), [&](const Known& k) { return k.recognises(first_bytes); });
  return found == std::end(kKnown) ? nullptr : &found->format;
}

}  // namespace ridge
