// A shared library that may not be there, opened at run time.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>

#include "ridgepoint/base/result.h"

namespace ridge::collectors {

class Library {
 public:
  /// The first of `names` that can be opened; the error holds the loader's reason for the last one.
  [[nodiscard]] static Result<Library> open(std::initializer_list<const char*> names, const std::string& remedy);

  [[nodiscard]] const std::string& name() const { return name_; }
  /// nullptr if it is not there.
  [[nodiscard]] void* symbol(const char* name) const;
  /// Sets `function` to the symbol; false if it is not there.
  template <class F>
  bool find(const char* name, F*& function) const {
    function = reinterpret_cast<F*>(symbol(name));
    return function != nullptr;
  }

 private:
  std::shared_ptr<void> handle_;
  std::string name_;
};

}  // namespace ridge::collectors
