#include <utility>

#include "device/device.h"

namespace ridge::device {

Result<Memory> Memory::allocate(Device& device, std::size_t bytes) {
  const auto address = device.allocate(bytes);
  if (!address) return fail(address.error());
  Memory memory;
  memory.device_ = &device;
  memory.address_ = *address;
  memory.bytes_ = bytes;
  return memory;
}

Memory::Memory(Memory&& other) noexcept
    : device_(std::exchange(other.device_, nullptr)), address_(other.address_), bytes_(other.bytes_) {}

Memory& Memory::operator=(Memory&& other) noexcept {
  std::swap(device_, other.device_);
  std::swap(address_, other.address_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

Memory::~Memory() {
  if (device_ != nullptr) device_->release(address_);
}

}  // namespace ridge::device
