#include "support/report_writer.h"

#include <algorithm>

namespace ridge::testing {
namespace {

std::string framed(const std::string& message) {
  WireWriter length;
  length.little_endian(message.size(), 4);
  return length.text() + message;
}

std::string dim(const ReportDim& d) {
  return WireWriter().varint(1, d.x).varint(2, d.y).varint(3, d.z).text();
}

struct ValueEncoder {
  std::string operator()(std::monostate /*none*/) const { return {}; }
  std::string operator()(const std::string& text) const { return WireWriter().bytes(1, text).text(); }
  std::string operator()(float x) const { return WireWriter().fixed32(2, x).text(); }
  std::string operator()(double x) const { return WireWriter().fixed64(3, x).text(); }
  std::string operator()(std::uint32_t x) const { return WireWriter().varint(4, x).text(); }
  std::string operator()(std::uint64_t x) const { return WireWriter().varint(5, x).text(); }
};

std::string value(const ReportValue& v) {
  return std::visit(ValueEncoder{}, v);
}

}  // namespace

ReportWriter::ReportWriter() {
  file_ = std::string("NVR\0", 4) + framed(WireWriter().varint(1, 7).text());
  process(4711, "127.0.0.1", "/tmp/demo");
}

ReportWriter& ReportWriter::process(std::uint32_t id, const std::string& host, const std::string& executable) {
  process_ = WireWriter().varint(1, id).bytes(2, host).bytes(3, executable).text();
  return *this;
}

void ReportWriter::block(WireWriter header, const std::string& payload) {
  WireWriter strings;
  for (; names_written_ < names_.size(); ++names_written_) strings.bytes(1, names_[names_written_]);
  header.bytes(4, strings.text()).varint(5, payload.size()).bytes(6, process_);
  file_ += framed(header.text()) + payload;
}

ReportWriter& ReportWriter::session(const std::string& command_line, const std::string& version) {
  const std::string tool = WireWriter().bytes(1, "Nsight Compute Target").bytes(2, version).text();
  const std::string details = WireWriter().bytes(8, tool).bytes(11, command_line).text();
  block(WireWriter().varint(1, 0).varint(2, 0).bytes(3, details), "");
  return *this;
}

ReportWriter& ReportWriter::source(std::size_t bytes) {
  block(WireWriter().varint(1, 1).varint(2, 0), framed(WireWriter().bytes(4, std::string(bytes, 'c')).text()));
  return *this;
}

ReportWriter& ReportWriter::range(std::size_t bytes) {
  block(WireWriter().varint(1, 0).varint(2, 0).varint(7, 1),
        framed(WireWriter().bytes(2, std::string(bytes, 'r')).text()));
  return *this;
}

ReportWriter& ReportWriter::launch(const ReportLaunch& launch) {
  return launches({launch});
}

ReportWriter& ReportWriter::launches(const std::vector<ReportLaunch>& launches) {
  std::string payload;
  for (const ReportLaunch& launch : launches) payload += framed(result(launch));
  block(WireWriter().varint(1, 0).varint(2, launches.size()), payload);
  return *this;
}

ReportWriter& ReportWriter::raw(std::string_view bytes) {
  file_ += bytes;
  return *this;
}

std::uint32_t ReportWriter::name_id(const std::string& name) {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found != names_.end()) return static_cast<std::uint32_t>(found - names_.begin());
  names_.push_back(name);
  return static_cast<std::uint32_t>(names_.size() - 1);
}

std::string ReportWriter::result(const ReportLaunch& launch) {
  WireWriter out;
  out.bytes(5, launch.mangled).bytes(6, launch.function).bytes(7, launch.demangled);
  out.bytes(10, dim(launch.grid)).bytes(11, dim(launch.block));
  for (const ReportMetric& metric : launch.metrics) {
    WireWriter entry;
    entry.varint(1, name_id(metric.name));
    if (metric.value.index() != 0) entry.bytes(2, value(metric.value));
    for (const ReportInstance& instance : metric.instances) {
      entry.bytes(3, WireWriter().bytes(1, value(instance.key)).bytes(2, value(instance.value)).text());
    }
    out.bytes(13, entry.text());
  }
  out.varint(14, launch.created);
  if (launch.section_bytes > 0) out.bytes(17, std::string(launch.section_bytes, 's'));
  if (launch.rule_bytes > 0) out.bytes(19, std::string(launch.rule_bytes, 'u'));
  out.varint(22, launch.context).varint(23, launch.stream);
  return out.text();
}

ReportLaunch sample_launch(const std::string& function) {
  ReportLaunch launch;
  launch.function = function;
  launch.mangled = "_Z" + std::to_string(function.size()) + function + "Pf";
  launch.demangled = function + "(float *)";
  launch.grid = {3907, 1, 1};
  launch.metrics = {
      {"gpu__time_duration.sum", 10'000.0, {}},
      {"dram__bytes_read.sum", 8e6, {}},
      {"dram__bytes_write.sum", 4e6, {}},
      {"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum.per_cycle_elapsed", 1000.0, {}},
      {"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum.per_cycle_elapsed", 0.0, {}},
      {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum.per_cycle_elapsed", 0.0, {}},
      {"smsp__cycles_elapsed.avg", 1000.0, {}},
      {"smsp__cycles_elapsed.avg.per_second", 1e8, {}},
      {"launch__registers_per_thread", std::uint64_t{16}, {}},
      {"launch__shared_mem_per_block_static", std::uint64_t{0}, {}},
      {"launch__shared_mem_per_block_dynamic", std::uint64_t{2048}, {}},
      {"launch__waves_per_multiprocessor", 3.5F, {}},
      {"device__attribute_display_name", std::string("Test GPU"), {}},
      {"device__attribute_multiprocessor_count", std::uint64_t{8}, {}},
      {"device__attribute_compute_capability_major", std::uint64_t{9}, {}},
      {"device__attribute_compute_capability_minor", std::uint64_t{0}, {}},
      {"device__attribute_max_gpu_frequency_khz", std::uint64_t{1'500'000}, {}},
      {"device__attribute_chip", std::uint64_t{0x180}, {}},
  };
  return launch;
}

std::string sample_report(int launches) {
  ReportWriter writer;
  writer.session("/opt/ncu --set full -o demo ./demo", "2025.3.1.0 (build 1)").source(64);
  for (int i = 0; i < launches; ++i) writer.launch(sample_launch(i % 2 == 0 ? "axpy" : "scale"));
  return writer.text();
}

}  // namespace ridge::testing
