#include "cli/kernel_filter.h"

#include <regex.h>  // std::regex recurses for each character of the name and overflows the stack on long ones

#include <algorithm>
#include <array>
#include <set>

#include "ridgepoint/analysis/analyse.h"

namespace ridge::cli {

namespace {

class Regex {
 public:
  explicit Regex(const std::string& expression)
      : error_(regcomp(&compiled_, expression.c_str(), REG_EXTENDED | REG_NOSUB)) {}
  Regex(const Regex&) = delete;
  Regex& operator=(const Regex&) = delete;
  ~Regex() {
    if (error_ == 0) regfree(&compiled_);
  }
  [[nodiscard]] bool matches(const std::string& text) const {
    return regexec(&compiled_, text.c_str(), 0, nullptr, 0) == 0;
  }
  /// Empty for a valid expression.
  [[nodiscard]] std::string error() const {
    if (error_ == 0) return "";
    std::array<char, 200> text = {};
    regerror(error_, &compiled_, text.data(), text.size());
    return text.data();
  }

 private:
  regex_t compiled_ = {};
  int error_;
};

void drop_references_to_others(Report& report) {
  std::set<std::string> shown;
  for (const ReportKernel& kernel : report.kernels) shown.insert(kernel.id);
  const auto gone = [&](const std::string& id) { return shown.count(id) == 0; };
  std::erase_if(report.comparisons,
                [&](const Comparison& comparison) { return gone(comparison.slower) || gone(comparison.faster); });
  summarise_shown(report);
}

}  // namespace

Result<void> check_expression(const std::string& expression) {
  const Regex regex(expression);
  if (regex.error().empty()) return {};
  return fail(usage_error("'" + expression + "' is not a regular expression: " + regex.error(), "--kernel",
                          "write a backslash before ( ) [ ] { } * + ? . | to match them as they are"));
}

Result<void> keep_matching(Report& report, const std::string& expression) {
  RIDGE_TRY(check_expression(expression));
  const Regex regex(expression);
  const std::string example = report.kernels.empty() ? "" : report.kernels.front().name;
  std::erase_if(report.kernels, [&](const ReportKernel& kernel) { return !regex.matches(kernel.full_name); });
  if (report.kernels.empty()) {
    return fail(bad_input("no kernel matches '" + expression + "'", "--kernel",
                          "try a part of a name, such as '" + example + "'"));
  }
  drop_references_to_others(report);
  return {};
}

void keep_first(Report& report, std::size_t count) {
  if (count >= report.kernels.size()) return;
  report.kernels.erase(report.kernels.begin() + static_cast<std::ptrdiff_t>(count), report.kernels.end());
  drop_references_to_others(report);
}

}  // namespace ridge::cli
