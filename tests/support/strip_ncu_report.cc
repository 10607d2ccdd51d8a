// strip_ncu_report [--drop-sources] [--drop-instances] IN OUT
//
// Rewrites an Nsight Compute report without the vendor's section definitions (field 17 of a result), rule results
// (field 19) and lists of metric names ("group:", "breakdown:"), so that a recording of our own can lie in the
// repository: small, and without texts that are not ours. Launches and their counters stay as they are, the host's
// addresses go.
//   --drop-sources    also the source and cubin entries
//   --drop-instances  also the values per instance, except those that give the hot lines
// Not handled: compressed input. The session's command line stays, because reports show it: record in a neutral folder.
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "importers/ncu/wire.h"
#include "support/wire_writer.h"

namespace {

using ridge::ncu::WireField;
using ridge::ncu::WireReader;
using ridge::ncu::WireType;
using ridge::testing::WireWriter;

constexpr std::uint32_t kSectionField = 17, kRuleField = 19, kMetricField = 13, kInstanceField = 3;
constexpr std::uint32_t kSourcesField = 1, kResultsField = 2, kSessionField = 3, kPayloadField = 5, kRangesField = 7;
constexpr std::uint32_t kHostField = 4, kStringsField = 4;

struct Options {
  bool drop_sources = false;
  bool drop_instances = false;
};

struct Cut {
  std::string_view rest;
  bool ok = true;
  std::string_view take(std::uint64_t n) {
    if (n > rest.size()) {
      ok = false;
      n = rest.size();
    }
    const std::string_view piece = rest.substr(0, n);
    rest.remove_prefix(n);
    return piece;
  }
  std::string_view framed() {
    const std::string_view length = take(4);
    std::uint64_t n = 0;
    for (std::size_t i = 0; i < length.size(); ++i) {
      n |= std::uint64_t{static_cast<unsigned char>(length[i])} << (8 * i);
    }
    return take(n);
  }
};

void copy(const WireField& field, WireWriter& out) {
  switch (field.type) {
    case WireType::kVarint:
      out.varint(field.number, field.value);
      break;
    case WireType::kFixed64:
      out.fixed64(field.number, field.as_double());
      break;
    case WireType::kFixed32:
      out.fixed32(field.number, field.as_float());
      break;
    case WireType::kBytes:
      out.bytes(field.number, field.bytes);
      break;
  }
}

/// The message without the fields that `drop` names.
std::string without(std::string_view message, const std::vector<std::uint32_t>& drop) {
  WireWriter out;
  WireReader reader(message);
  WireField field;
  while (reader.next(field)) {
    bool dropped = false;
    for (const std::uint32_t number : drop) dropped = dropped || field.number == number;
    if (!dropped) copy(field, out);
  }
  return out.text();
}

/// Names by id, cumulative over the blocks read so far.
std::vector<std::string> names;

std::string_view metric_name(std::string_view metric) {
  WireReader reader(metric);
  WireField field;
  while (reader.next(field)) {
    if (field.number == 1 && field.type == WireType::kVarint && field.value < names.size()) return names[field.value];
  }
  return {};
}

/// The metrics whose values per instruction the importer turns into hot lines.
bool gives_hot_lines(std::string_view name) {
  return name == "smsp__pcsamp_sample_count" || name == "inst_executed" ||
         name == "memory_l2_theoretical_sectors_global" || name == "memory_l2_theoretical_sectors_global_ideal" ||
         name == "launch__function_pcs";
}

void strip_metric(std::string_view metric, const Options& options, WireWriter& out) {
  const std::string_view name = metric_name(metric);
  if (name.starts_with("group:") || name.starts_with("breakdown:")) return;
  const bool bare = options.drop_instances && !gives_hot_lines(name);
  out.bytes(kMetricField, bare ? without(metric, {kInstanceField}) : std::string(metric));
}

std::string strip_result(std::string_view message, const Options& options) {
  WireWriter out;
  WireReader reader(message);
  WireField field;
  while (reader.next(field)) {
    if (field.number == kSectionField || field.number == kRuleField) continue;
    if (field.number == kMetricField) {
      strip_metric(field.bytes, options, out);
    } else {
      copy(field, out);
    }
  }
  return out.text();
}

void append_framed(std::string& out, std::string_view message) {
  WireWriter length;
  length.little_endian(message.size(), 4);
  out += length.text();
  out += message;
}

struct Block {
  std::uint64_t sources = 0, results = 0, ranges = 0, payload = 0;
};

void append_names(std::string_view table) {
  WireReader reader(table);
  WireField field;
  while (reader.next(field)) names.emplace_back(field.bytes);
}

Block read_block_header(std::string_view header) {
  Block block;
  WireReader reader(header);
  WireField field;
  while (reader.next(field)) {
    if (field.number == kSourcesField) block.sources = field.value;
    if (field.number == kResultsField) block.results = field.value;
    if (field.number == kRangesField) block.ranges = field.value;
    if (field.number == kPayloadField) block.payload = field.value;
    if (field.number == kStringsField) append_names(field.bytes);
  }
  return block;
}

std::string strip_header(std::string_view header, std::uint64_t payload, bool drop_sources) {
  WireWriter out;
  WireReader reader(header);
  WireField field;
  while (reader.next(field)) {
    if (field.number == kPayloadField) {
      out.varint(kPayloadField, payload);
    } else if (field.number == kSessionField) {
      out.bytes(kSessionField, without(field.bytes, {kHostField}));
    } else if (field.number == kSourcesField && drop_sources) {
      out.varint(kSourcesField, 0);
    } else {
      copy(field, out);
    }
  }
  return out.text();
}

bool strip_block(Cut& cut, const Options& options, std::string& out) {
  const std::string_view header = cut.framed();
  const Block block = read_block_header(header);
  Cut payload{cut.take(block.payload)};
  if (!cut.ok) return false;
  std::string kept;
  for (std::uint64_t i = 0; i < block.sources && payload.ok; ++i) {
    const std::string_view source = payload.framed();
    if (!options.drop_sources) append_framed(kept, source);
  }
  for (std::uint64_t i = 0; i < block.results && payload.ok; ++i) {
    append_framed(kept, strip_result(payload.framed(), options));
  }
  if (!payload.ok) return false;
  kept += payload.rest;
  append_framed(out, strip_header(header, kept.size(), options.drop_sources));
  out += kept;
  return true;
}

bool strip(std::string_view report, const Options& options, std::string& out) {
  if (!report.starts_with(std::string_view("NVR\0", 4))) return false;
  Cut cut{report.substr(4)};
  out = report.substr(0, 4);
  append_framed(out, cut.framed());
  while (cut.ok && !cut.rest.empty()) {
    if (!strip_block(cut, options, out)) return false;
  }
  return cut.ok;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  std::vector<std::string> files;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--drop-sources") {
      options.drop_sources = true;
    } else if (argument == "--drop-instances") {
      options.drop_instances = true;
    } else {
      files.emplace_back(argument);
    }
  }
  if (files.size() != 2) {
    std::cerr << "usage: strip_ncu_report [--drop-sources] [--drop-instances] IN OUT\n";
    return 2;
  }
  std::ifstream in(files[0], std::ios::binary);
  const std::string report((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  std::string out;
  if (!strip(report, options, out)) {
    std::cerr << files[0] << " is not a whole, uncompressed .ncu-rep file\n";
    return 3;
  }
  if (!(std::ofstream(files[1], std::ios::binary) << out).flush()) {
    std::cerr << "cannot write " << files[1] << "\n";
    return 5;
  }
  std::cerr << report.size() << " -> " << out.size() << " bytes\n";
  return 0;
}
