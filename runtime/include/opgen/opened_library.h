// A shared library that is opened at its first use, and its functions.
#pragma once

#include <dlfcn.h>

#include <initializer_list>

namespace opgen {

class OpenedLibrary {
 public:
  /// Opens the first of these libraries that the process has already loaded, for example from a
  /// framework's wheel. Otherwise opens the first that the system has. The library stays open.
  explicit OpenedLibrary(std::initializer_list<const char*> names) noexcept {
    for (const int loaded : {RTLD_NOLOAD, 0}) {
      for (const char* name : names) {
        handle_ = dlopen(name, RTLD_NOW | RTLD_LOCAL | loaded);
        if (handle_ != nullptr) return;
      }
    }
  }

  template <class Function>
  void find(Function*& function, const char* name) noexcept {
    void* const found = handle_ == nullptr ? nullptr : dlsym(handle_, name);
    function = reinterpret_cast<Function*>(found);
    has_all_ = has_all_ && found != nullptr;
  }

  /// True if all required functions exist.
  bool has_all() const noexcept { return has_all_; }

 private:
  void* handle_ = nullptr;
  bool has_all_ = true;
};

}  // namespace opgen
