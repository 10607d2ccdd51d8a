// A declaration with its sizes filled in: what will be launched, and the work it will do.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "lab/declare/declaration.h"
#include "model/expression/expression.h"
#include "ridgepoint/base/result.h"
#include "ridgepoint/model/profile.h"
#include "ridgepoint/model/work.h"

namespace ridge::lab {

using Sizes = std::map<std::string, double, std::less<>>;

struct BoundKernel {
  const KernelDeclaration* declaration = nullptr;
  Variables variables;  ///< parameters, derived names, sms
  std::string sizes;    ///< "n=1024", all parameters in order
  Dim3 grid, block;
  std::vector<std::size_t> counts;  ///< elements of each buffer
  Work work;                        ///< all of it kDeclared
};

/// "n=1024 stride=4" or "n=1024": what `truth` and the command line write.
[[nodiscard]] Result<Sizes> parse_sizes(std::string_view text);

/// Sizes that are not given take their initial formula. Usage errors name the parameter and what it may be.
[[nodiscard]] Result<BoundKernel> bind_kernel(const KernelDeclaration& declaration, const Sizes& given, int sms);

/// A formula over the bound names. Precondition: the registry's test has accepted the declaration.
[[nodiscard]] Result<double> evaluate(std::string_view formula, const Variables& variables);

/// Bytes of all buffers together.
[[nodiscard]] double buffer_bytes(const BoundKernel& kernel);

}  // namespace ridge::lab
