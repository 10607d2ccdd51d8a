// write_ncu_corpus FOLDER: the seeds of the fuzz targets ncu_rep, ncu_csv and decompress, each a small valid or nearly
// valid input. The committed corpus is this program's output plus whatever once crashed.
#include <zlib.h>
#include <zstd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include "support/report_writer.h"

namespace {

namespace fs = std::filesystem;
using ridge::testing::ReportLaunch;
using ridge::testing::ReportWriter;
using ridge::testing::sample_launch;
using ridge::testing::sample_report;

fs::path root;

void write(const std::string& name, const std::string& content) {
  const fs::path path = root / name;
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << content;
}

ReportLaunch rich_launch() {
  ReportLaunch launch = sample_launch("void ns::f<(int)2, <unnamed>::Op>");
  launch.metrics.push_back({"launch__function_pcs", std::uint64_t{1}, {{0, 4096}}});
  launch.metrics.push_back({"smsp__pcsamp_sample_count", std::uint64_t{3}, {{4096, 1}, {4112, 2}}});
  launch.metrics.push_back({"inst_executed", std::uint64_t{6}, {{4096, 3}, {4112, 3}}});
  launch.metrics.push_back({"memory_l2_theoretical_sectors_global", std::uint64_t{9}, {{4112, 9}}});
  launch.metrics.push_back({"memory_l2_theoretical_sectors_global_ideal", std::uint64_t{3}, {{4112, 3}}});
  launch.metrics.push_back({"group:memory", std::string("a,b"), {}});
  launch.metrics.push_back({"lts__t_sector_hit_rate.pct", std::nan(""), {}});
  launch.metrics.push_back({"nvlink__names", {}, {{1, 2}}});
  launch.section_bytes = 40;
  launch.rule_bytes = 20;
  return launch;
}

void write_reports() {
  const std::string whole = sample_report(2);
  write("ncu_rep/two_launches", whole);
  write("ncu_rep/rich", ReportWriter().session("ncu -o a ./b", "2025.3 (x)").source(30).launch(rich_launch()).text());
  write("ncu_rep/one_block", ReportWriter().launches({sample_launch("a"), sample_launch("b")}).range(20).text());
  write("ncu_rep/cut", whole.substr(0, whole.size() - 50));
  write("ncu_rep/header_only", whole.substr(0, 12));
  write("ncu_rep/gigantic", ReportWriter().raw("\xf0\xff\xff\xff").text());
}

const std::string kLaunchColumns =
    "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\",\"Block Size\",\"Grid "
    "Size\",\"Device\",\"CC\"";
const std::string kLaunch =
    "\"0\",\"7\",\"app\",\"h\",\"void f<(int)2>(float *, \"\"x\"\")\",\"1\",\"7\",\"(32, 8, 1)\",\"(10, 1, "
    "1)\",\"0\",\"9.0\"";

std::string raw_page() {
  return kLaunchColumns + ",\"gpu__time_duration.sum\",\"dram__bytes.sum\",\"device__attribute_display_name\"\n" +
         "\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"us\",\"Mbyte\",\"\"\n" + kLaunch +
         ",\"12.50\",\"1,234.5\",\"NVIDIA H200\"\n" + kLaunch + ",\"n/a\",\"\",\"\"\n";
}
std::string details_page(const std::string& time, const std::string& share) {
  const std::string head =
      kLaunchColumns + ",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\",\"Rule Name\"\n";
  return head + kLaunch + ",\"GPU Speed Of Light Throughput\",\"Duration\",\"ns\",\"" + time + "\",\n" + kLaunch +
         ",\"GPU Speed Of Light Throughput\",\"Memory Throughput\",\"%\",\"" + share + "\",\n" + kLaunch +
         ",\"SpeedOfLight\",\"\",\"\",\"\",\"Rule\"\n";
}
std::string source_page() {
  return "\"Kernel Name\",\"void f<2>(float *, \"\"x\"\")\",\n\"Address\",\"Source\",\"# Samples\",\"Instructions "
         "Executed\",\"Predicated-On Thread Instructions Executed\",\"L2 Theoretical Sectors Global Excessive\"\n"
         "\"0x10\",\"  FFMA R1, R2, R3, R4\",\"5\",\"10\",\"320\",\"0\"\n\"0x20\",\"@P0 "
         "EXIT\",\"1\",\"10\",\"320\",\"4\"\n";
}

void write_pages() {
  write("ncu_csv/raw", raw_page());
  write("ncu_csv/details", details_page("348,580", "70.86"));
  write("ncu_csv/details_comma", details_page("27.348.580", "70,86"));
  write("ncu_csv/details_ambiguous", details_page("117.344", "1"));
  write("ncu_csv/source", source_page());
  write("ncu_csv/together", "==PROF== x\nhello\n" + raw_page() + details_page("1", "2") + source_page());
  write("ncu_csv/forbidden", "==ERROR== ERR_NVGPUCTRPERM - no\n==WARNING== No kernels were profiled.\n");
  write("ncu_csv/cut", raw_page().substr(0, raw_page().size() - 30));
  write("ncu_csv/unknown_unit",
        kLaunchColumns + ",\"gpu__time_duration.sum\"\n\"\",,,,,,,,,,,\"fortnight\"\n" + kLaunch + ",\"1\"\n");
  write("ncu_csv/semicolons", "ID;Process ID;Kernel Name;Device;CC;a__b.sum\n;;;;;us\n0;1;f(int);0;9.0;1,5\n");
}

std::string gzip(std::string text) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(text.data());
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}
std::string zstd(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

void write_packed() {
  const std::string text = raw_page();
  write("decompress/plain", text);
  write("decompress/gzip", gzip(text));
  write("decompress/zstd", zstd(text));
  write("decompress/gzip_in_zstd", zstd(gzip(text)));
  write("decompress/two_members", gzip("one") + gzip("two") + std::string(16, '\0'));
  write("decompress/gzip_cut", gzip(text).substr(0, 60));
  write("decompress/zstd_cut", zstd(text).substr(0, 60));
  write("decompress/zeros", gzip(std::string(1'000'000, '\0')));
  std::string wide = "\xff\xfe";
  for (const char c : text.substr(0, 200)) wide += {c, '\0'};
  write("decompress/utf16", wide);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: write_ncu_corpus FOLDER\n";
    return 2;
  }
  root = argv[1];
  write_reports();
  write_pages();
  write_packed();
  return 0;
}
