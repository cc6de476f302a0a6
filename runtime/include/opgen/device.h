// The interface of adapters to devices. It goes through the kernel library, because adapters do not
// link with CUDA or HIP.
#pragma once

#include <cstdint>

#include "opgen/buffer.h"
#include "opgen/context.h"
#include "opgen/device_name.h"
#include "opgen/fill.h"
#include "opgen/kernel.h"
#include "opgen/platform.h"
#include "opgen/status.h"

// These functions are defined once for each project, in cuda_device.cu and hip_device.cpp. The
// project's namespace is part of their names.
#define OPGEN_JOIN_(a, b) a##_##b
#define OPGEN_JOIN(a, b) OPGEN_JOIN_(a, b)

#ifdef USE_CUDA
#define OPGEN_CUDA_PROPERTIES OPGEN_JOIN(OPGEN_NAMESPACE, cuda_properties)
#define OPGEN_CUDA_NAME OPGEN_JOIN(OPGEN_NAMESPACE, cuda_name)
#define OPGEN_CUDA_FILL OPGEN_JOIN(OPGEN_NAMESPACE, cuda_fill)

/// The properties of a device. A property that is not available is zero.
extern "C" OPGEN_EXPORT opgen::DeviceProperties OPGEN_CUDA_PROPERTIES(int32_t device) noexcept;

/// The name of a device.
extern "C" OPGEN_EXPORT opgen::DeviceName OPGEN_CUDA_NAME(int32_t device) noexcept;

/// Sets every element of a tensor on the context's device to one value, on the context's stream.
extern "C" OPGEN_EXPORT opgen::Status OPGEN_CUDA_FILL(const opgen::Context* ctx,
                                                      const opgen::Buffer* tensor,
                                                      const opgen::Element* value) noexcept;

namespace opgen {

inline DeviceName cuda_name(int32_t device) noexcept { return OPGEN_CUDA_NAME(device); }

/// The functions with which adapters create contexts for CUDA.
struct CudaDevice {
  static constexpr Platform platform = Platform::cuda;
  static constexpr auto properties = OPGEN_CUDA_PROPERTIES;
  static constexpr auto fill = OPGEN_CUDA_FILL;
};

}  // namespace opgen
#endif

#ifdef USE_ROCM
#define OPGEN_HIP_PROPERTIES OPGEN_JOIN(OPGEN_NAMESPACE, hip_properties)
#define OPGEN_HIP_NAME OPGEN_JOIN(OPGEN_NAMESPACE, hip_name)
#define OPGEN_HIP_FILL OPGEN_JOIN(OPGEN_NAMESPACE, hip_fill)

extern "C" OPGEN_EXPORT opgen::DeviceProperties OPGEN_HIP_PROPERTIES(int32_t device) noexcept;
extern "C" OPGEN_EXPORT opgen::DeviceName OPGEN_HIP_NAME(int32_t device) noexcept;
extern "C" OPGEN_EXPORT opgen::Status OPGEN_HIP_FILL(const opgen::Context* ctx,
                                                     const opgen::Buffer* tensor,
                                                     const opgen::Element* value) noexcept;

namespace opgen {

inline DeviceName hip_name(int32_t device) noexcept { return OPGEN_HIP_NAME(device); }

/// The functions with which adapters create contexts for HIP.
struct HipDevice {
  static constexpr Platform platform = Platform::hip;
  static constexpr auto properties = OPGEN_HIP_PROPERTIES;
  static constexpr auto fill = OPGEN_HIP_FILL;
};

}  // namespace opgen
#endif
