// A file descriptor with an owner.
#pragma once

#include <unistd.h>

namespace ridge::store {

/// Closes on destruction; close_now reports what a late write error left for close().
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  [[nodiscard]] int get() const { return number_; }
  [[nodiscard]] bool close_now() {
    const int number = number_;
    number_ = -1;
    return close(number) == 0;
  }

 private:
  int number_;
};

}  // namespace ridge::store
