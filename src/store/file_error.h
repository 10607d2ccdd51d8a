// What a failing file operation says: one line with the system's word for the cause and a remedy that fits it.
#pragma once

#include <string>

#include "ridgepoint/base/error.h"

namespace ridge::store {

/// `doing` is "cannot write the file"; `cause` an errno. A path the user chose wrongly is a usage error; a machine that
/// fails is not the user's.
[[nodiscard]] Error file_error(const std::string& doing, const std::string& path, int cause);

}  // namespace ridge::store
