// One result of a .ncu-rep container (message ProfileResult): a launch with its metrics.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "importers/ncu/profile_builder.h"

namespace ridge::ncu {

/// The container's string table, cumulative over its blocks, and what each name means for the profile.
class MetricNames {
 public:
  explicit MetricNames(ProfileBuilder& builder) : builder_(builder) {}

  enum class Use : unsigned char {
    kUnresolved,
    kNumber,      ///< goes into the profile
    kDeviceName,  ///< text
    kIgnored,     ///< lists of metric names ("group:", "breakdown:")
    kHotLines,    ///< a number whose instances are wanted as well
  };
  struct Entry {
    std::string name;
    Use use = Use::kUnresolved;
    std::uint32_t metric = 0;
    double factor = 1;
    unsigned line_role = 0;  ///< of a kHotLines entry, see kLineRoles
  };

  /// False when the table would grow beyond what any report needs.
  [[nodiscard]] bool append(std::string_view table);
  /// nullptr when the id is beyond the table.
  [[nodiscard]] const Entry* find(std::uint64_t id);

 private:
  void resolve(Entry& entry);
  ProfileBuilder& builder_;
  std::vector<Entry> entries_;
  std::size_t bytes_ = 0;
};

/// Values per code address, by what they count.
struct LineCounters {
  double samples = 0, instructions = 0, sectors = 0, ideal_sectors = 0;
};

class ResultReader {
 public:
  ResultReader(const ProfileBuilder& builder, MetricNames& names, std::size_t hot_lines)
      : builder_(builder), names_(names), hot_lines_(hot_lines) {}

  enum class Outcome : unsigned char { kLaunch, kDamaged, kCut };
  /// Reads `length` bytes of a result. Whatever the outcome, the reader then stands behind them or at the end.
  [[nodiscard]] Outcome read(ByteReader& reader, std::uint64_t length, LaunchDraft& draft);
  /// CreationTime of the last result, in seconds since 1970, or 0.
  [[nodiscard]] std::uint64_t created() const { return created_; }
  /// Metric entries of sane launches that named a string that does not exist.
  [[nodiscard]] std::size_t nameless() const { return nameless_; }

 private:
  bool field(ByteReader& reader, std::uint64_t& left, LaunchDraft& draft);
  bool read_varint_field(ByteReader& reader, std::uint32_t number, std::uint64_t& left, LaunchDraft& draft);
  bool bytes_field(std::uint32_t number, std::string_view bytes, LaunchDraft& draft);
  bool metric(std::string_view entry, LaunchDraft& draft);
  bool value(const MetricNames::Entry& name, std::string_view message, LaunchDraft& draft) const;
  void instances(std::string_view entry, unsigned role);
  void put_line(std::uint64_t address, unsigned role, double count);
  void make_hot_lines(LaunchDraft& draft) const;

  const ProfileBuilder& builder_;
  MetricNames& names_;
  std::size_t hot_lines_;
  std::map<std::uint64_t, LineCounters> lines_;
  std::uint64_t function_start_ = 0;
  std::uint64_t created_ = 0;
  std::size_t nameless_ = 0;
  std::size_t nameless_here_ = 0;
  std::size_t last_count_ = 0;  ///< counters of the launch before
};

}  // namespace ridge::ncu
