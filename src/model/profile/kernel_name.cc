#include "model/profile/kernel_name.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace ridge {
namespace {

constexpr std::string_view kAnonymous = "(anonymous namespace)";
constexpr std::string_view kUnnamed = "<unnamed>";
constexpr std::string_view kCutUnnamed = "unnamed>::";  ///< a profiler's own cut of "<unnamed>::" after a return type
constexpr std::string_view kOperator = "operator";

/// Longest first, so that "<<=" is not read as "<".
constexpr std::array kOperators{
    std::string_view("<<="), std::string_view(">>="), std::string_view("<=>"), std::string_view("->*"),
    std::string_view("()"),  std::string_view("[]"),  std::string_view("<<"),  std::string_view(">>"),
    std::string_view("<="),  std::string_view(">="),  std::string_view("->"),  std::string_view("<"),
    std::string_view(">"),
};

bool is_identifier(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) > 127;
}

char closing(char open) {
  return open == '<' ? '>' : open == '(' ? ')' : open == '[' ? ']' : '}';
}

/// Position after the group that opens at `at`, or npos when it never closes. Inside (), [] and {} angle brackets are
/// comparisons or arguments and need not balance; inside <> the other brackets must.
std::size_t skip_group(std::string_view text, std::size_t at) {
  std::string stack(1, closing(text[at]));
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    const char c = text[i];
    if (c == stack.back()) {
      stack.pop_back();
      if (stack.empty()) return i + 1;
    } else if (c == '(' || c == '[' || c == '{' || (c == '<' && stack.back() == '>')) {
      stack.push_back(closing(c));
    } else if (c == '<' && text.substr(i, kUnnamed.size()) == kUnnamed) {
      i += kUnnamed.size() - 1;
    }
  }
  return std::string_view::npos;
}

class Shortener {
 public:
  explicit Shortener(std::string_view text) : text_(text) {}

  std::string run() {
    if (text_.starts_with(kCutUnnamed)) {
      name_ = "<";
    }
    while (at_ < text_.size() && step()) {
    }
    while (!name_.empty() && name_.back() == ' ') name_.pop_back();
    while (name_.starts_with('*') || name_.starts_with('&')) name_.erase(0, 1);  // the end of a return type
    return name_.empty() ? std::string(text_) : name_;
  }

 private:
  [[nodiscard]] std::string_view rest() const { return text_.substr(at_); }
  [[nodiscard]] bool after_scope() const { return name_.empty() || name_.ends_with("::"); }
  void take(std::size_t n) {
    name_ += text_.substr(at_, n);
    at_ += n;
  }

  /// Consumes one piece; false at the end of the name.
  bool step() {
    const char c = text_[at_];
    if (rest().starts_with(kAnonymous)) return take(kAnonymous.size()), true;
    if (rest().starts_with(kUnnamed)) return take(kUnnamed.size()), true;
    if (rest().starts_with(kOperator) && after_scope() && at_word_end(kOperator.size())) return take_operator();
    if (c == ' ') return space();
    if (c == '{' || (c == '[' && after_scope())) return component();
    if (c == '(' || c == '[') return false;
    if (c == '<') return template_arguments();
    take(1);
    return true;
  }
  [[nodiscard]] bool at_word_end(std::size_t n) const {
    return at_ + n >= text_.size() || !is_identifier(text_[at_ + n]);
  }

  bool take_operator() {
    take(kOperator.size());
    for (const std::string_view symbol : kOperators) {
      if (rest().starts_with(symbol)) {
        take(symbol.size());
        return true;
      }
    }
    // A conversion ("operator bool") or an operator of other characters: up to the parameters.
    const std::size_t end = std::min(rest().find('('), rest().size());
    take(end);
    return true;
  }
  /// What came before was a return type or a keyword, unless only a suffix follows.
  bool space() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    if (at_ == text_.size() || rest().starts_with("[clone")) return false;
    if (text_[at_] == '(' && !rest().starts_with(kAnonymous)) return false;
    if (text_[at_] == '<' && !rest().starts_with(kUnnamed)) return template_arguments();
    name_.clear();
    return true;
  }
  /// A lambda or another unnamed entity in braces or brackets.
  bool component() {
    const std::size_t end = skip_group(text_, at_);
    if (end == std::string_view::npos) return false;
    take(end - at_);
    return true;
  }
  /// Left out; the name goes on only behind "::", or starts anew behind a return type.
  bool template_arguments() {
    const std::size_t end = skip_group(text_, at_);
    if (end == std::string_view::npos) return false;
    at_ = end;
    return rest().starts_with("::") || rest().starts_with(" ") || rest().starts_with("*") || rest().starts_with("&");
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string name_;
};

}  // namespace

std::string short_kernel_name(std::string_view full_name) {
  while (full_name.ends_with(' ')) full_name.remove_suffix(1);
  while (full_name.starts_with(' ')) full_name.remove_prefix(1);
  return Shortener(full_name).run();
}

}  // namespace ridge
