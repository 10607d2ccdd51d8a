// The short name of a kernel: what a person calls it, out of what a compiler or profiler wrote.
//
// "void ns::gemm<(int)64, Op<float>>(const float *, int)" is "ns::gemm": no return type, no template arguments, no
// parameters. Unnamed namespaces, lambdas and operators are parts of a name and do not end it. Names are data from
// other tools and may be anything; the result is never empty unless the input is, and a name that cannot be taken apart
// is returned whole. Not modelled: mangled names (they stay as they are).
#pragma once

#include <string>
#include <string_view>

namespace ridge {

[[nodiscard]] std::string short_kernel_name(std::string_view full_name);

}  // namespace ridge
