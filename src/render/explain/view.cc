#include "render/explain/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/expression/expression.h"
#include "render/text/format.h"

namespace ridge::render {
namespace {

constexpr double kLargestExact = 1e15;
constexpr double kWorthScaling = 1e4;

/// 0.0833 is easier to recognise as 1/12, the form the texts use.
std::string unit_fraction(double value) {
  constexpr double kLargestDenominator = 64;
  if (value <= 0 || value >= 1) return "";
  const double inverse = 1 / value;
  const double whole = std::round(inverse);
  if (whole > kLargestDenominator || std::abs(inverse - whole) > 1e-6 * whole) return "";
  return fmt::format(" (1/{:.0f})", whole);
}

/// Parameters left at a start value that no formula shows would only raise questions.
bool is_shown(const PaperWork& work, const BoundParameter& parameter) {
  if (parameter.name == "variant") return true;
  const auto uses = [&](const Computation& made) {
    return std::any_of(made.operands.begin(), made.operands.end(),
                       [&](const Argument& operand) { return operand.name == parameter.name; });
  };
  return std::any_of(work.definitions.begin(), work.definitions.end(), uses) || uses(work.flops) || uses(work.read) ||
         uses(work.write);
}

/// A pin's data rate is bits per second, which no unit of messages has.
std::string bit_rate(double value) {
  std::string text = format_number(value, Unit::kHertz);
  return text.replace(text.find("Hz"), 2, "bit/s");
}

template <class T>
std::string cell(const Value<T>& value, Unit unit) {
  return format_value(value, unit);
}

}  // namespace

ExplanationView::ExplanationView(const Explanation& explanation, Language language)
    : explanation_(explanation), language_(language) {}

std::string ExplanationView::text(std::string_view id) const {
  return text_of(id, language_);
}
std::string ExplanationView::message(const Message& message) const {
  return unit_of_work(render_message(message, language_));
}

std::string ExplanationView::title() const {
  return text("explain.workload." + explanation_.work.workload);
}

std::string ExplanationView::parameters() const {
  const PaperWork& work = explanation_.work;
  std::string line = fmt::format("{} (e = {})", name(work.type), format_number(element_bytes(work.type), Unit::kBytes));
  for (const BoundParameter& parameter : work.parameters) {
    if (!parameter.given && !is_shown(work, parameter)) continue;
    const std::string value = parameter.word.empty() ? format_number(parameter.number, Unit::kNone) : parameter.word;
    line += fmt::format(", {} = {}", printable(parameter.name), printable(value));
  }
  return line;
}

std::string ExplanationView::unit_of_work(std::string text) const {
  if (is_floating_point(explanation_.work.type)) return text;
  constexpr std::string_view kFlop = "FLOP";
  for (std::size_t at = text.find(kFlop); at != std::string::npos; at = text.find(kFlop, at)) {
    text.replace(at, kFlop.size(), "OP");
  }
  return text;
}

std::string ExplanationView::number(double value, Unit unit) const {
  return unit_of_work(format_number(value, unit == Unit::kCount ? Unit::kNone : unit));
}

/// Amounts of work and data are whole numbers that people compare digit by digit; the scaled form stands beside.
std::string ExplanationView::exact(double value, Unit unit) const {
  const bool amount = unit == Unit::kBytes || unit == Unit::kFlops;
  if (unit == Unit::kFlopsPerByte) return number(value, unit) + unit_fraction(value);
  if (!amount || value < kWorthScaling || value >= kLargestExact || value != std::round(value)) {
    return number(value, unit);
  }
  return unit_of_work(fmt::format("{} {} ({})", format_number(value, Unit::kNone), unit == Unit::kBytes ? "B" : "FLOP",
                                  format_number(value, unit)));
}

StepText ExplanationView::step(const ExplainStep& step) const {
  StepText made;
  const bool operations = step.id == "flops" && !is_floating_point(explanation_.work.type);
  made.label = text(operations ? "explain.step.ops" : "explain.step." + step.id);
  made.result =
      step.value ? exact(*step.value, step.unit) : "\u2013 (" + reason_text(step.value.reason(), language_) + ")";
  if (step.formula.empty()) {
    const bool given = step.value.provenance() == Provenance::kDeclared;
    made.result += fmt::format(
        " ({})", given ? text("explain.label.given") : term("provenance", name(step.value.provenance()), language_));
    return made;
  }
  const auto expression = Expression::parse(step.formula);
  if (!expression) return made;
  made.formula = expression->spelled([](std::string_view name) { return std::string(name); });
  made.numbers = expression->spelled([&](std::string_view name) {
    for (const Argument& operand : step.operands) {
      if (operand.name != name) continue;
      if (name == "bits_per_pin") return bit_rate(std::get<double>(operand.value));
      return number(std::get<double>(operand.value), operand.unit);
    }
    return std::string(name);
  });
  if (made.numbers == made.formula || made.result.starts_with(made.numbers)) made.numbers.clear();
  return made;
}

std::vector<StepText> ExplanationView::steps(const std::vector<ExplainStep>& steps) const {
  std::vector<StepText> made;
  made.reserve(steps.size());
  for (const ExplainStep& entry : steps) made.push_back(step(entry));
  return made;
}

std::string ExplanationView::machine_title(const MachinePlacement& at) const {
  const std::string name = note_text(at.name, language_);
  return at.name == at.id ? name : fmt::format("{} ({})", name, printable(at.id));
}

std::string ExplanationView::unit_line(const MachinePlacement& at) const {
  return message(Message(at.unit_message, {{"ceiling", at.ceiling, Unit::kNone}}));
}

std::string ExplanationView::verdict_line(const MachinePlacement& at) const {
  if (!at.ridge) return reason_text(at.ridge.reason(), language_);
  if (!at.ratio) return text("explain.verdict.no_arithmetic");
  const char* id = at.verdict == Verdict::kMemoryBound ? "explain.verdict.memory" : "explain.verdict.compute";
  return message(Message(id, {{"intensity", explanation_.intensity->count(), Unit::kFlopsPerByte},
                              {"ridge", at.ridge->count(), Unit::kFlopsPerByte},
                              {"ratio", *at.ratio, Unit::kFactor}}));
}

std::string ExplanationView::measured_title(const MeasuredPlacement& placed) const {
  return message(Message("explain.label.measured", {{"given", placed.text, Unit::kNone}}));
}

std::string ExplanationView::speedup_line(const SpeedUp& speedup) const {
  return message(Message("explain.speedup", {{"from", speedup.from, Unit::kNone},
                                             {"to", speedup.to, Unit::kNone},
                                             {"factor", speedup.factor, Unit::kFactor}}));
}

std::string ExplanationView::machines_title() const {
  return message(
      Message("explain.label.machines", {{"count", static_cast<double>(explanation_.machines.size()), Unit::kNone}}));
}

Table ExplanationView::step_table(const std::vector<ExplainStep>& steps) const {
  Table table;
  table.columns = {{text("explain.label.step")},
                   {text("explain.label.formula")},
                   {text("explain.label.numbers")},
                   {text("explain.label.result"), Align::kRight}};
  for (const ExplainStep& entry : steps) {
    StepText made = step(entry);
    table.rows.push_back(
        {std::move(made.label), std::move(made.formula), std::move(made.numbers), std::move(made.result)});
  }
  return table;
}

Table ExplanationView::machines(bool wide) const {
  Table table;
  const auto column = [&](std::string_view id, Align align = Align::kRight) {
    table.columns.push_back({text("explain.column." + std::string(id)), align, id == "machine"});
  };
  column("machine", Align::kLeft);
  if (wide) {
    column("unit", Align::kLeft);
    column("peak");
    column("bandwidth");
  }
  for (const std::string_view id : {"ridge", "compute_time", "data_time", "attainable"}) column(id);
  if (wide) column("ratio");
  column("verdict", Align::kLeft);
  const std::size_t stopwatches = explanation_.machines.empty() ? 0 : explanation_.machines[0].measured.size();
  for (const MachinePlacement& at : explanation_.machines) {
    std::vector<std::string> row{printable(at.id)};
    if (wide) {
      row.push_back(at.ceiling);
      row.push_back(unit_of_work(cell(at.peak, Unit::kFlopsPerSecond)));
      row.push_back(cell(at.bandwidth, Unit::kBytesPerSecond));
    }
    row.push_back(unit_of_work(cell(at.ridge, Unit::kFlopsPerByte)));
    row.push_back(cell(at.compute_time, Unit::kSeconds));
    row.push_back(cell(at.data_time, Unit::kSeconds));
    row.push_back(unit_of_work(cell(at.attainable, Unit::kFlopsPerSecond)));
    if (wide) row.push_back(cell(at.ratio, Unit::kFactor));
    row.push_back(at.peak ? term("bound", name(at.verdict), language_) : text("explain.bound.none"));
    for (const MeasuredPlacement& placed : at.measured)
      row.push_back(format_number(placed.measured.of_roof, Unit::kRatio));
    table.rows.push_back(std::move(row));
  }
  for (std::size_t i = 0; i < stopwatches; ++i) {
    table.columns.push_back({message(Message("explain.column.measured",
                                             {{"given", explanation_.machines[0].measured[i].text, Unit::kNone}})),
                             Align::kRight, false});
  }
  for (auto& row : table.rows) row.resize(table.columns.size());
  return table;
}

}  // namespace ridge::render
