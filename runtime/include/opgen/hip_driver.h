// AMD's HIP, opened at its first use. This does not need HIP's headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "opgen/driver.h"

namespace opgen::hip {

using driver::Device;
using driver::Handle;
using driver::Result;

constexpr int multiprocessor_count = 63;  // hipDeviceAttributeMultiprocessorCount

/// The first fields of `hipDeviceProp_t` in HIP 6 and 7, up to the last one that opgen reads.
struct Properties {
  char name[256];
  char others[904];
  char architecture[256];  // "gfx942:sramecc+:xnack-"
  char more[4096];         // space for the other fields
};

/// The functions of libamdhip64.so that opgen calls.
struct Api {
  Result (*get_device)(Device* device);
  Result (*set_device)(Device device);
  Result (*properties)(Properties* properties, Device device);
  Result (*device_attribute)(int* value, int attribute, Device device);
  Result (*module_load)(Handle* module, const void* image);
  Result (*module_function)(Handle* function, Handle module, const char* name);
  Result (*launch)(Handle function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                   Handle stream, void** parameters, void** extra);
  Result (*fill_8)(void* at, int value, size_t count, Handle stream);
  Result (*fill_16)(void* at, unsigned short value, size_t count, Handle stream);
  Result (*fill_32)(void* at, int value, size_t count, Handle stream);
  Result (*fill_rows)(void* at, size_t pitch, int value, size_t width, size_t height,
                      Handle stream);
  bool there = false;

  Api() {
    OpenedLibrary library({"libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6"});
    library.find(get_device, "hipGetDevice");
    library.find(set_device, "hipSetDevice");
    library.find(properties, "hipGetDevicePropertiesR0600");
    library.find(device_attribute, "hipDeviceGetAttribute");
    library.find(module_load, "hipModuleLoadData");
    library.find(module_function, "hipModuleGetFunction");
    library.find(launch, "hipModuleLaunchKernel");
    library.find(fill_8, "hipMemsetAsync");
    library.find(fill_16, "hipMemsetD16Async");
    library.find(fill_32, "hipMemsetD32Async");
    library.find(fill_rows, "hipMemset2DAsync");
    there = library.has_all();
  }
};

inline const Api& api() {
  static const Api found;
  return found;
}

/// Returns the number of an architecture for requirements of kernels. For example,
/// "gfx90a:sramecc+:xnack-" is version 9.0.10 and gives 910. Other names give 0.
inline int32_t arch_of(const char* name) noexcept {
  if (std::strncmp(name, "gfx", 3) != 0) return 0;
  char* end = nullptr;
  const size_t length = std::strcspn(name + 3, ":");
  if (length < 3 || length > 5) return 0;
  char digits[6] = {};
  std::memcpy(digits, name + 3, length);
  // The last two digits are hexadecimal, and the digits before them are decimal.
  const int32_t last = static_cast<int32_t>(std::strtol(digits + length - 2, &end, 16));
  if (*end != 0) return 0;
  digits[length - 2] = 0;
  const int32_t major = static_cast<int32_t>(std::strtol(digits, &end, 10));
  return *end != 0 ? 0 : 100 * major + 10 * (last / 16) + last % 16;
}

/// HIP's properties of a device; empty if there is none.
inline Properties properties(Device device) noexcept {
  Properties found{};
  if (!api().there || api().properties(&found, device) != 0) return {};
  return found;
}

/// Returns an attribute of a device; 0 if it is not available.
inline int32_t attribute(int what, Device device) noexcept {
  int value = 0;
  return api().there && api().device_attribute(&value, what, device) == 0 ? value : 0;
}

/// Makes `device` current during the lifetime of this object. If `device` is negative, the current
/// device stays.
class Current {
 public:
  explicit Current(Device device) noexcept : device(device) {
    const Api& hip = api();
    if (!hip.there || hip.get_device(&before_) != 0) return;
    if (device < 0) this->device = before_;
    changed_ = this->device != before_ && hip.set_device(device) == 0;
    valid = changed_ || this->device == before_;
  }
  ~Current() {
    if (changed_) api().set_device(before_);
  }
  Current(const Current&) = delete;

  Device device;
  bool valid = false;

 private:
  Device before_ = 0;
  bool changed_ = false;
};

/// Launches kernels that were compiled ahead of time, on AMD GPUs.
struct Hip {
  using Current = hip::Current;
  static int32_t architecture(Device device) noexcept {
    return arch_of(hip::properties(device).architecture);
  }

  /// Loads code on the current device. Returns null if HIP rejects it.
  static Handle load(const void* image, const char* name, int32_t) noexcept {
    Handle module = nullptr, function = nullptr;
    if (api().module_load(&module, image) != 0) return nullptr;
    return api().module_function(&function, module, name) == 0 ? function : nullptr;
  }

  static Result launch(Handle function, const unsigned (&grid)[3], unsigned threads,
                       unsigned shared, Handle stream, void** parameters) noexcept {
    return api().launch(function, grid[0], grid[1], grid[2], threads, 1, 1, shared, stream,
                        parameters, nullptr);
  }
};

}  // namespace opgen::hip
