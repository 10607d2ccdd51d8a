// What a kernel's name tells: the plain name in a mangled one, whether it is a collective's, whether it matches.
//
// Pure but for the demangler and the C library's expressions. The names that are sent stay as CUPTI gives them.
#pragma once

#include <regex.h>

#include <memory>
#include <string>
#include <string_view>

#include "base/demangle.h"

namespace ridge::collectors::agent {

/// "void lib::gemm<float>(float const*)" -> "lib::gemm": no return type, template arguments, parameters.
[[nodiscard]] std::string qualified_name(std::string_view demangled);

/// The last part of a qualified name: "gemm".
[[nodiscard]] std::string plain_name(std::string_view qualified);

/// Whether a kernel of that name waits for other GPUs: replaying it alone would wait for ever. Such kernels cannot be
/// told from others but by their names.
[[nodiscard]] bool is_collective(std::string_view qualified);

/// A POSIX extended expression.
class Pattern {
 public:
  Pattern() = default;  ///< matches nothing
  /// Not valid(): `expression` is none.
  explicit Pattern(const std::string& expression);
  [[nodiscard]] bool valid() const { return compiled_ && compiled_->whole; }
  [[nodiscard]] bool matches(const std::string& text) const;

 private:
  struct Compiled {
    Compiled() = default;
    ~Compiled() {
      if (whole) regfree(&expression);
    }
    Compiled(const Compiled&) = delete;
    Compiled& operator=(const Compiled&) = delete;
    regex_t expression{};
    bool whole = false;
  };
  std::shared_ptr<Compiled> compiled_;
};

}  // namespace ridge::collectors::agent
