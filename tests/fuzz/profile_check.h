// What must hold for every profile that a reader of this program accepts: it is written and read back the same.
#pragma once

#include <cstdlib>

#include "store/store.h"
#include "support/random_profile.h"

namespace ridge::test {

inline void require(bool condition) {
  if (!condition) std::abort();
}

inline void require_same_again(const Profile& profile) {
  const Result<std::string> written = store::profile_to_bytes(profile);
  require(written.has_value());
  const Result<Profile> again = store::profile_from_bytes(*written, "fuzz");
  require(again.has_value());
  require(describe(*again) == describe(profile));
}

}  // namespace ridge::test
