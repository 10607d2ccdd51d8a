// What must hold for every profile an importer returns, whatever it was fed; and that the size of the pieces in which
// the bytes arrive makes no difference.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "base/utf8.h"
#include "importers/importer.h"

namespace ridge::testing {

using Import = Result<Profile> (*)(ByteReader& reader, const std::string& name, const ImportOptions& options);

inline void require(bool condition) {
  if (!condition) std::abort();
}

inline void check_profile(const Profile& profile) {
  require(!profile.launches.empty());
  for (const Launch& launch : profile.launches) {
    require(launch.kernel < profile.kernels.size());
    require(launch.configuration < profile.configurations.size());
    require(launch.device < profile.devices.size());
    require(!launch.measurement || *launch.measurement < profile.measurements.size());
    require(!launch.duration || (std::isfinite(launch.duration->count()) && launch.duration->count() > 0));
  }
  for (const Measurement& measurement : profile.measurements) {
    for (std::size_t i = 0; i < measurement.raw.size(); ++i) {
      require(measurement.raw[i].metric < profile.metrics.size());
      require(i == 0 || measurement.raw[i - 1].metric < measurement.raw[i].metric);
      require(std::isfinite(measurement.raw[i].value));
    }
    for (const HotLine& line : measurement.hot_lines) require(is_valid_utf8(line.location) && is_valid_utf8(line.text));
  }
  for (const Kernel& kernel : profile.kernels)
    require(is_valid_utf8(kernel.full_name) && is_valid_utf8(kernel.short_name));
  for (const MetricName& metric : profile.metrics) require(is_valid_utf8(metric.name));
}

/// Delivers a few bytes a call.
class SmallPieces final : public ByteSource {
 public:
  explicit SmallPieces(std::string_view bytes) : bytes_(bytes) {}
  Result<std::size_t> read(std::span<char> out) override {
    const std::size_t n = std::min({out.size(), bytes_.size(), std::size_t{61}});
    bytes_.copy(out.data(), n);
    bytes_.remove_prefix(n);
    return n;
  }

 private:
  std::string_view bytes_;
};

inline void check_import(std::string_view bytes, Import import) {
  ByteReader whole(memory_source(bytes));
  const Result<Profile> profile = import(whole, "fuzz", {});
  ByteReader pieces(std::make_unique<SmallPieces>(bytes));
  const Result<Profile> again = import(pieces, "fuzz", {});
  require(profile.has_value() == again.has_value());
  if (!profile) {
    require(!profile.error().what.empty() && to_string(profile.error()) == to_string(again.error()));
    return;
  }
  check_profile(*profile);
  require(profile->launches.size() == again->launches.size() && profile->metrics.size() == again->metrics.size() &&
          profile->issues.size() == again->issues.size());
}

}  // namespace ridge::testing
