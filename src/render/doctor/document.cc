#include <fmt/format.h>

#include "render/doctor/doctor_view.h"
#include "render/text/format.h"
#include "render/text/messages.h"

namespace ridge::render {
namespace {

using doctor::Diagnosis;
using doctor::Facts;
using doctor::Finding;
using doctor::Fix;
using doctor::GpuFacts;
using doctor::TierState;

class Page {
 public:
  explicit Page(Language language) : language_(language) {}

  [[nodiscard]] Section tiers(const Diagnosis& diagnosis) const {
    Section section;
    section.title = label("tiers");
    for (const TierState& tier : diagnosis.tiers) {
      section.items.push_back(filled("tier-line", {{"tier", label("tier-" + tier.tier)},
                                                   {"state", label("state-" + std::string(name(tier.state)))},
                                                   {"reason", render_message(tier.reason, language_)}}));
    }
    return section;
  }

  [[nodiscard]] Section findings(const Diagnosis& diagnosis) const {
    Section section;
    section.title = label("found");
    for (const Finding& finding : diagnosis.findings) {
      std::string text = label("level-" + std::string(name(finding.level))) +
                         (language_ == Language::kChinese ? "：" : ": ") + render_message(finding.message, language_);
      for (const Fix& fix : finding.fixes) text += (language_ == Language::kChinese ? "" : " ") + sentence(fix);
      section.items.push_back(std::move(text));
    }
    return section;
  }

  [[nodiscard]] Section gpus(const Facts& facts) const {
    Section section;
    section.title = label("gpus");
    section.table = table({"gpu", "chip", "sm", "memory", "watts", "celsius", "mig"});
    for (const GpuFacts& gpu : facts.gpus) {
      section.table.rows.push_back({fmt::format("{} {}", gpu.index, printable(gpu.name)),
                                    printable(gpu.chip.empty() ? "?" : gpu.chip), of(gpu.sm_clock, gpu.max_sm_clock),
                                    of(gpu.memory_clock, gpu.max_memory_clock),
                                    gpu.watts ? fmt::format("{:.0f} W", *gpu.watts) : "?",
                                    gpu.celsius ? fmt::format("{:.0f} °C", *gpu.celsius) : "?",
                                    gpu.mig ? label(*gpu.mig ? "yes" : "no") : label("no")});
    }
    return section;
  }

  [[nodiscard]] Section libraries(const Facts& facts) const {
    Section section;
    section.title = label("libraries");
    for (const doctor::CuptiFacts& library : facts.cuptis) {
      std::string text = filled("library-line", {{"path", library.path},
                                                 {"version", library.version.empty() ? "?" : library.version},
                                                 {"origin", library.origin}});
      if (library.chosen) text += filled("library-chosen", {});
      if (!library.note.empty()) text += filled("library-note", {{"note", library.note}});
      section.items.push_back(std::move(text));
    }
    return section;
  }

  [[nodiscard]] std::string label(const std::string& id) const { return text_of("doctor." + id, language_); }

 private:
  [[nodiscard]] Table table(const std::vector<std::string>& columns) const {
    Table result;
    for (const std::string& id : columns) result.columns.push_back({label("column-" + id), Align::kLeft, false});
    return result;
  }
  [[nodiscard]] std::string sentence(const Fix& fix) const {
    std::string text = render_message(fix.message, language_);
    if (fix.where == doctor::Where::kHere) return text;
    const std::string where = label("where-" + std::string(name(fix.where)));
    return where + (language_ == Language::kChinese ? "：" : ": ") + text;
  }
  [[nodiscard]] std::string filled(const std::string& id, std::vector<Argument> arguments) const {
    return render_message(Message("doctor." + id, std::move(arguments)), language_);
  }
  [[nodiscard]] std::string of(const Value<Hertz>& now, const Value<Hertz>& most) const {
    if (!now) return "?";
    std::string text = format_value(now, Unit::kHertz);
    if (!most) return text;
    return filled("of", {{"now", text}, {"most", format_value(most, Unit::kHertz)}});
  }

  Language language_;
};

}  // namespace

Document doctor_document(const Facts& facts, const Diagnosis& diagnosis, Language language) {
  const Page page(language);
  Document document;
  document.title = page.label("title");
  document.sections = {page.tiers(diagnosis), page.findings(diagnosis)};
  if (!facts.gpus.empty()) document.sections.push_back(page.gpus(facts));
  if (!facts.cuptis.empty()) document.sections.push_back(page.libraries(facts));
  return document;
}

std::string doctor_csv(const Diagnosis& diagnosis) {
  Table table;
  for (const char* title : {"tier", "state", "reason"}) table.columns.push_back({title, Align::kLeft, false});
  for (const TierState& tier : diagnosis.tiers) {
    table.rows.push_back({tier.tier, std::string(name(tier.state)), render_message(tier.reason, Language::kEnglish)});
  }
  return csv_table(table);
}

}  // namespace ridge::render
