// Calls functions that CuTe DSL exported: objects whose code was compiled ahead of time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>

#include "opgen/context.h"
#include "opgen/driver.h"
#include "opgen/int.h"
#include "opgen/status.h"

namespace opgen::cute {

/// The code of an object, as the header that is exported with it handles it: `init` makes a library
/// of it, and `load` brings that to a device.
class Module {
 public:
  using Step = void(void** arguments);

  constexpr Module(Step* init, Step* load) noexcept : init_(init), load_(load) {}

  /// True if the code is on a device, whose context is current.
  bool ready(int32_t device) noexcept {
    const std::lock_guard<std::mutex> lock(loading_);
    if (loaded_[device]) return true;
    void** library = &library_;
    int32_t result = 0;
    if (library_ == nullptr) {
      void* given[] = {&library, &result};
      init_(given);
      if (result != 0) library_ = nullptr;
      if (result != 0) return false;
    }
    void* given[] = {&library, &device, &result};
    load_(given);
    return loaded_[device] = result == 0;
  }

 private:
  Step* init_;
  Step* load_;
  void* library_ = nullptr;
  bool loaded_[driver::devices] = {};
  std::mutex loading_;
};

/// A size or stride; -1: it does not fit into 64 bits.
template <class Value>
int64_t extent(const Value& value) noexcept {
  try {
    return Int(value()).value();
  } catch (...) {
    return -1;
  }
}

/// Calls a function with the addresses of its arguments, on the device of the context.
template <size_t count>
Status call(const Context& ctx, Module& module, void (*function)(void**, int32_t),
            void* const (&arguments)[count]) noexcept {
  const driver::Current current(ctx.device);
  if (!current.valid || current.device >= driver::devices) return Status::launch_failed;
  if (!module.ready(current.device)) return Status::no_kernel;
  int32_t result = 0;
  void* given[count + 1];
  for (size_t n = 0; n < count; ++n) given[n] = arguments[n];
  given[count] = &result;
  function(given, static_cast<int32_t>(count + 1));
  return result == 0 ? Status::ok : Status::launch_failed;
}

}  // namespace opgen::cute
