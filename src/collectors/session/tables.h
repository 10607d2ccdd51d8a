// The shared tables of a profile while it is handed out in pieces: kernels, configurations, devices and counter names
// are interned, and each piece holds the entries that no piece held before.
//
// Memory grows with what is distinct, not with launches. Devices are one over all processes, by uuid or PCI address.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

#include "collectors/wire/messages.h"
#include "ridgepoint/model/profile.h"

namespace ridge::collectors::session {

class Tables {
 public:
  /// `symbol` as the driver has it, mangled or not.
  std::uint32_t kernel(const std::string& symbol);
  std::uint32_t configuration(const Configuration& configuration);
  std::uint32_t device(const wire::DeviceFound& found);
  std::uint32_t metric(const std::string& name, std::string_view unit);

  [[nodiscard]] const std::string& kernel_name(std::uint32_t kernel) const { return kernel_names_[kernel]; }
  [[nodiscard]] std::size_t kernels() const { return kernel_names_.size(); }
  [[nodiscard]] std::size_t devices() const { return devices_.size(); }
  /// As the first process that used it found it.
  [[nodiscard]] const wire::DeviceFound& found(std::uint32_t device) const { return found_[device]; }

  /// Moves the new entries into the piece.
  void take(Profile& piece);

 private:
  Profile fresh_;
  std::unordered_map<std::string, std::uint32_t> kernels_, metrics_;
  std::vector<std::string> kernel_names_;  ///< short
  std::map<std::string, std::uint32_t> configurations_;
  std::map<std::string, std::uint32_t> devices_;
  std::vector<wire::DeviceFound> found_;
};

/// As the driver tells it of a launch.
[[nodiscard]] Configuration configuration_of(const wire::Shape& shape);
[[nodiscard]] DeviceAttributes attributes_of(const wire::DeviceFound& found);

}  // namespace ridge::collectors::session
