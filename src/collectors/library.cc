#include "collectors/library.h"

#include <dlfcn.h>

namespace ridge::collectors {

Result<Library> Library::open(std::initializer_list<const char*> names, const std::string& remedy) {
  std::string reason = "no name to open";
  for (const char* name : names) {
    void* handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (handle != nullptr) {
      Library library;
      // Never closed: the vendor's libraries leave threads and exit handlers behind.
      library.handle_ = std::shared_ptr<void>(handle, [](void*) {});
      library.name_ = name;
      return library;
    }
    const char* why = dlerror();
    if (why != nullptr) reason = why;
  }
  return fail(not_available("a library cannot be opened: " + reason, *names.begin(), remedy));
}

void* Library::symbol(const char* name) const {
  return handle_ ? dlsym(handle_.get(), name) : nullptr;
}

}  // namespace ridge::collectors
