// Launches kernels and fills memory with only the CUDA driver, as adapters do if nvcc is missing.
#include "opgen/device.h"
#include "opgen/driver.h"
#include "opgen/fill.h"

/// Returns 0, an error code of the driver, -1 if the device does not exist, or -2 if the driver
/// does not load the code.
extern "C" OPGEN_EXPORT int start(int32_t device, void* stream, int32_t shared) {
  using opgen::driver::Cuda;
  const Cuda::Current current(device);
  if (!current.valid) return -1;
  void* const function = Cuda::load("code", "scale", shared);
  if (function == nullptr) return -2;
  const unsigned grid[3] = {4, 2, 1};
  return Cuda::launch(function, grid, 128, static_cast<unsigned>(shared), stream, nullptr);
}

/// Sets `count` elements of `data` to `value`.
extern "C" OPGEN_EXPORT int fill(int32_t device, void* stream, void* data, int64_t count,
                                 double value) {
  opgen::Context ctx;
  ctx.device = device, ctx.stream = stream;
  const int64_t stride = 1;
  const opgen::Buffer buffer{data, &count, &stride, 1, opgen::ElementType::F64};
  const opgen::Element element = opgen::detail::bytes_of(value);
  return static_cast<int>(OPGEN_CUDA_FILL(&ctx, &buffer, &element));
}
