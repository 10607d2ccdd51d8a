// Writes tiny .ncu-rep files, valid or damaged on purpose, for tests, fuzz corpora and benchmarks.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "support/wire_writer.h"

namespace ridge::testing {

using ReportValue = std::variant<std::monostate, std::string, float, double, std::uint32_t, std::uint64_t>;

struct ReportInstance {
  std::uint64_t key = 0;  ///< a code address
  std::uint64_t value = 0;
};

struct ReportMetric {
  std::string name;
  ReportValue value;
  std::vector<ReportInstance> instances;
};

struct ReportDim {
  std::uint32_t x = 1, y = 1, z = 1;
};

struct ReportLaunch {
  std::string mangled = "_Z4axpyfPf", function = "axpy", demangled = "axpy(float, float *)";
  ReportDim grid{128, 1, 1}, block{256, 1, 1};
  std::uint64_t context = 1, stream = 7, created = 1'700'000'000;
  std::vector<ReportMetric> metrics;
  std::size_t section_bytes = 0;  ///< filler in field 17
  std::size_t rule_bytes = 0;     ///< filler in field 19
};

class ReportWriter {
 public:
  ReportWriter();
  ReportWriter& process(std::uint32_t id, const std::string& host, const std::string& executable);
  /// A block with nothing but a session entry: the command line and the tool's version.
  ReportWriter& session(const std::string& command_line, const std::string& version);
  /// A block with one source entry of `bytes` bytes of filler.
  ReportWriter& source(std::size_t bytes);
  ReportWriter& launch(const ReportLaunch& launch);
  /// A block of several launches.
  ReportWriter& launches(const std::vector<ReportLaunch>& launches);
  /// A block with one range result of `bytes` bytes of filler.
  ReportWriter& range(std::size_t bytes);
  ReportWriter& raw(std::string_view bytes);
  [[nodiscard]] const std::string& text() const { return file_; }

 private:
  std::uint32_t name_id(const std::string& name);
  std::string result(const ReportLaunch& launch);
  void block(WireWriter header, const std::string& payload);

  std::string file_;
  std::string process_;
  std::vector<std::string> names_;
  std::size_t names_written_ = 0;
};

/// A launch with counters of a vector addition that a person can check: 1e6 elements, 10 us, 12 MB.
[[nodiscard]] ReportLaunch sample_launch(const std::string& function = "axpy");
/// A session, a source and `launches` of sample_launch.
[[nodiscard]] std::string sample_report(int launches = 1);

}  // namespace ridge::testing
