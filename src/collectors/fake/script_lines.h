// The lines of a script, each read into the part of the Script that it describes. Used by script.cc only.
#pragma once

#include "collectors/fake/script.h"

namespace ridge::collectors::fake {

/// One line's words, with its place for errors. There is always a first word.
class Line {
 public:
  Line(std::vector<std::string> words, Place place) : words_(std::move(words)), place_(std::move(place)) {}
  [[nodiscard]] const std::string& first() const { return words_.front(); }
  [[nodiscard]] const std::string& word(std::size_t at) const { return words_[at]; }
  [[nodiscard]] std::size_t size() const { return words_.size(); }
  [[nodiscard]] const Place& place() const { return place_; }
  [[nodiscard]] tl::unexpected<Error> error(const std::string& what) const { return fail(script_error(place_, what)); }
  /// At least so many words behind the first.
  [[nodiscard]] Result<void> needs(std::size_t words) const;
  /// Nothing behind the first `words` words.
  [[nodiscard]] Result<void> done_after(std::size_t words) const;

 private:
  std::vector<std::string> words_;
  Place place_;
};

[[nodiscard]] Result<void> setting_line(const Line& line, Script& script);
[[nodiscard]] Result<void> device_line(const Line& line, Device& device);
[[nodiscard]] Result<void> kernel_line(const Line& line, Kernel& kernel);
[[nodiscard]] Result<void> fault_line(const Line& line, Faults& faults);
/// Kernels must have been described before; programs and graphs may come later.
[[nodiscard]] Result<Step> step_line(const Line& line, const Script& script);

}  // namespace ridge::collectors::fake
