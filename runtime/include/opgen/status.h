// The return value of a kernel.
#pragma once

#include <cstdint>

namespace opgen {

/// `ok` or a failure. Codes from 16 on are free for kernels.
enum class Status : int32_t {
  ok = 0,
  no_kernel = 1,      // the dispatch table has no row for these dtypes
  launch_failed = 2,  // the device refused to start the kernel
  out_of_memory = 3,
  unsupported = 4,
  out_of_range = 5,  // an index is not below its bound: see Context::bad_index
  interrupted = 6,   // the framework's threads did not finish the work
  raised = 7,        // an external function failed: its message is in Failure::argument
};

/// A short description, for error messages.
constexpr const char* describe(Status status) noexcept {
  switch (status) {
    case Status::ok: return "ok";
    case Status::no_kernel: return "no kernel for these dtypes";
    case Status::launch_failed: return "the kernel could not be launched";
    case Status::out_of_memory: return "out of memory";
    case Status::unsupported: return "the kernel does not support this call";
    case Status::out_of_range: return "an index is out of range";
    case Status::interrupted: return "the framework failed to run the kernel on its threads";
    case Status::raised: return "the kernel's function raised an error";
  }
  return "the kernel failed";
}

}  // namespace opgen
