// Everything in a captured output that is not part of a table: the profiler's own messages, and what the program
// printed.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "importers/ncu/profile_builder.h"

namespace ridge::ncu {

class LogLines {
 public:
  void add(std::string_view line, std::uint64_t number);
  /// Why there are no launches, when the profiler said so: no permission, nothing profiled.
  [[nodiscard]] std::optional<Error> reason_for_nothing(const std::string& path) const;
  /// The profiler's warnings and errors, and that other text was there.
  void report(ProfileBuilder& builder) const;
  [[nodiscard]] std::size_t other_lines() const { return other_; }

 private:
  struct Kept {
    bool is_error = false;
    std::string text;
    std::size_t count = 1;
  };
  std::vector<Kept> kept_;
  std::size_t dropped_ = 0;
  std::size_t other_ = 0;
  bool is_forbidden_ = false, is_nothing_profiled_ = false, is_unsupported_ = false;
  std::uint64_t forbidden_line_ = 0;
};

}  // namespace ridge::ncu
