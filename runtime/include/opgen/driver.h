// The CUDA driver, opened at its first use. This needs neither CUDA's headers nor the CUDA runtime.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "opgen/opened_library.h"

namespace opgen::driver {

/// The driver's types CUresult (0 means success) and CUdevice, and its handles.
using Result = int;
using Device = int;
using Handle = void*;

constexpr int devices = 32;               // the largest number of devices
constexpr int multiprocessor_count = 16;  // CU_DEVICE_ATTRIBUTE_...
constexpr int compute_capability_major = 75;
constexpr int compute_capability_minor = 76;
constexpr int max_dynamic_shared_size_bytes = 8;  // CU_FUNC_ATTRIBUTE_...

/// The functions of libcuda.so.1 that opgen calls.
struct Api {
  Result (*init)(unsigned flags);
  Result (*device_get)(Device* device, int ordinal);
  Result (*device_name)(char* name, int size, Device device);
  Result (*device_attribute)(int* value, int attribute, Device device);
  Result (*primary_context)(Handle* context, Device device);
  Result (*current_context)(Handle* context);
  Result (*context_device)(Device* device);
  Result (*push_context)(Handle context);
  Result (*pop_context)(Handle* context);
  Result (*module_load)(Handle* module, const void* image);
  Result (*module_function)(Handle* function, Handle module, const char* name);
  Result (*function_attribute)(Handle function, int attribute, int value);
  Result (*launch)(Handle function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                   Handle stream, void** parameters, void** extra);
  Result (*fill_8)(uint64_t at, unsigned char value, size_t count, Handle stream);
  Result (*fill_16)(uint64_t at, unsigned short value, size_t count, Handle stream);
  Result (*fill_32)(uint64_t at, size_t pitch, unsigned value, size_t width, size_t height,
                    Handle stream);
  bool there = false;

  Api() {
    OpenedLibrary library({"libcuda.so.1"});
    library.find(init, "cuInit");
    library.find(device_get, "cuDeviceGet");
    library.find(device_name, "cuDeviceGetName");
    library.find(device_attribute, "cuDeviceGetAttribute");
    library.find(primary_context, "cuDevicePrimaryCtxRetain");
    library.find(current_context, "cuCtxGetCurrent");
    library.find(context_device, "cuCtxGetDevice");
    library.find(push_context, "cuCtxPushCurrent_v2");
    library.find(pop_context, "cuCtxPopCurrent_v2");
    library.find(module_load, "cuModuleLoadData");
    library.find(module_function, "cuModuleGetFunction");
    library.find(function_attribute, "cuFuncSetAttribute");
    library.find(launch, "cuLaunchKernel");
    library.find(fill_8, "cuMemsetD8Async");
    library.find(fill_16, "cuMemsetD16Async");
    library.find(fill_32, "cuMemsetD2D32Async");
    there = library.has_all() && init(0) == 0;
  }
};

inline const Api& api() {
  static const Api found;
  return found;
}

/// Returns an attribute of a device; 0 if it is not available.
inline int32_t attribute(int what, Device device) noexcept {
  int value = 0;
  return api().there && api().device_attribute(&value, what, device) == 0 ? value : 0;
}

/// The compute capability of a device: 80 for 8.0.
inline int32_t architecture(Device device) noexcept {
  return 10 * attribute(compute_capability_major, device) +
         attribute(compute_capability_minor, device);
}

/// Returns the context that frameworks use on a device, or null if there is none. The context is
/// retained at the first call and never released.
inline Handle primary_context(Device ordinal) noexcept {
  static std::atomic<Handle> kept[devices] = {};
  if (ordinal >= devices) return nullptr;
  Handle context = kept[ordinal].load(std::memory_order_acquire);
  Device device = 0;
  if (context != nullptr || api().device_get(&device, ordinal) != 0) return context;
  if (api().primary_context(&context, device) != 0) return nullptr;
  kept[ordinal].store(context, std::memory_order_release);
  return context;
}

/// Makes the context that frameworks use on `device` current during the lifetime of this object. If
/// `device` is negative, the current context stays.
class Current {
 public:
  explicit Current(Device device) noexcept : device(device) {
    const Api& driver = api();
    if (!driver.there) return;
    if (device < 0) {
      valid = driver.context_device(&this->device) == 0;
      return;
    }
    Handle before = nullptr;
    const Handle context = primary_context(device);
    if (context == nullptr || driver.current_context(&before) != 0) return;
    pushed_ = before != context && driver.push_context(context) == 0;
    valid = before == context || pushed_;
  }
  ~Current() {
    Handle popped = nullptr;
    if (pushed_) api().pop_context(&popped);
  }
  Current(const Current&) = delete;

  Device device;
  bool valid = false;

 private:
  bool pushed_ = false;
};

/// Launches kernels that were compiled ahead of time, on NVIDIA GPUs.
struct Cuda {
  using Current = driver::Current;
  static int32_t architecture(Device device) noexcept { return driver::architecture(device); }

  /// Loads code on the current device. Returns null if the driver rejects it.
  static Handle load(const void* image, const char* name, int32_t shared) noexcept {
    Handle module = nullptr, function = nullptr;
    if (api().module_load(&module, image) != 0) return nullptr;
    if (api().module_function(&function, module, name) != 0) return nullptr;
    constexpr int32_t without_asking = 48 * 1024;
    const bool given =
        shared <= without_asking ||
        api().function_attribute(function, max_dynamic_shared_size_bytes, shared) == 0;
    return given ? function : nullptr;
  }

  static Result launch(Handle function, const unsigned (&grid)[3], unsigned threads,
                       unsigned shared, Handle stream, void** parameters) noexcept {
    return api().launch(function, grid[0], grid[1], grid[2], threads, 1, 1, shared, stream,
                        parameters, nullptr);
  }
};

}  // namespace opgen::driver
