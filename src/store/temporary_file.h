// The file that a result is written into before it takes its final name. Where the file system has them it is a file
// without a name, which vanishes with the program whatever ends it; elsewhere it has a name, and a signal that ends the
// program removes it first. (SIGKILL or a power cut can then leave ".ridge-PID-N.tmp" behind, never half a result.)
#pragma once

#include <string>
#include <string_view>

struct stat;

namespace ridge::store {

/// Each returns 0 or the errno of the step that failed, and then has left nothing behind. `old` is the state of the
/// file to be replaced, whose permissions are kept; null if there is none.
[[nodiscard]] int replace_through_nameless(const std::string& path, std::string_view bytes, const struct stat* old);
[[nodiscard]] int replace_through_named(const std::string& path, std::string_view bytes, const struct stat* old);

/// True if this errno of replace_through_nameless says that it cannot be done so here.
[[nodiscard]] bool has_no_nameless_files(int cause);

/// 0, or the errno of the write that failed.
[[nodiscard]] int write_all(int file, std::string_view bytes);

}  // namespace ridge::store
