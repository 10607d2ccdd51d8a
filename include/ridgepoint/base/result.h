// Result<T>: a value or an Error. The only way failures cross a module edge; libraries neither print, exit nor throw.
#pragma once

#include <tl/expected.hpp>

#include "ridgepoint/base/error.h"

namespace ridge {

template <class T>
using Result = tl::expected<T, Error>;

/// Wraps an Error for returning from a function that yields Result<T>.
[[nodiscard]] inline tl::unexpected<Error> fail(Error error) {
  return tl::unexpected<Error>(std::move(error));
}

}  // namespace ridge

/// Returns from the enclosing function with the error of `expr`, if it has one. `expr` yields any Result.
#define RIDGE_TRY(expr)                                    \
  do {                                                     \
    if (auto ridge_try_ = (expr); !ridge_try_) {           \
      return ::ridge::fail(std::move(ridge_try_).error()); \
    }                                                      \
  } while (false)
