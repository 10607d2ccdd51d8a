// What the renderers of an explanation for people have in common: each step as words, formula, numbers and result.
#pragma once

#include <string>
#include <vector>

#include "analysis/explain/explanation.h"
#include "render/table.h"
#include "render/text/messages.h"

namespace ridge::render {

struct StepText {
  std::string label;    ///< "data time"
  std::string formula;  ///< "bytes / bandwidth"; empty for a figure that is simply known
  std::string numbers;  ///< "1.2 GB / 864 GB/s"; empty where it would only repeat the result
  std::string result;   ///< "1.389 ms"
};

class ExplanationView {
 public:
  ExplanationView(const Explanation& explanation, Language language);
  [[nodiscard]] std::string note(const MachinePlacement& at) const { return note_text(at.note, language_); }

  [[nodiscard]] std::string title() const;
  /// "fp32 (e = 4 B), variant = naive, n = 1,024, m = 1,024, ..."
  [[nodiscard]] std::string parameters() const;
  [[nodiscard]] StepText step(const ExplainStep& step) const;
  [[nodiscard]] std::vector<StepText> steps(const std::vector<ExplainStep>& steps) const;
  /// "NVIDIA L40S (l40s)"
  [[nodiscard]] std::string machine_title(const MachinePlacement& at) const;
  [[nodiscard]] std::string unit_line(const MachinePlacement& at) const;
  [[nodiscard]] std::string verdict_line(const MachinePlacement& at) const;
  [[nodiscard]] std::string measured_title(const MeasuredPlacement& placed) const;
  [[nodiscard]] std::string speedup_line(const SpeedUp& speedup) const;
  [[nodiscard]] std::string message(const Message& message) const;
  [[nodiscard]] std::string text(std::string_view id) const;

  /// One row a machine. Without `wide` the columns fit into 80.
  [[nodiscard]] Table machines(bool wide) const;
  [[nodiscard]] Table step_table(const std::vector<ExplainStep>& steps) const;
  [[nodiscard]] std::string machines_title() const;

 private:
  /// Integer types do operations, not FLOP.
  [[nodiscard]] std::string unit_of_work(std::string text) const;
  [[nodiscard]] std::string number(double value, Unit unit) const;
  [[nodiscard]] std::string exact(double value, Unit unit) const;

  const Explanation& explanation_;
  Language language_;
};

}  // namespace ridge::render
