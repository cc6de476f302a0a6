// Starts the kernels of a dispatch table. A kernel is a host function or a `__global__` function.
#pragma once

#include <cuda_runtime.h>

#include <climits>

#include "opgen/cuda.h"

namespace opgen::cuda {

/// Calls a host function, which may launch any kernels.
template <class View, class DeviceView>
Status start(Status (*kernel)(const View&), const View& view, const DeviceView&) {
  return kernel(view);
}

/// Launches a `__global__` function with the grid and the block of the spec, on the context's
/// stream.
template <class View, class DeviceView>
Status start(void (*kernel)(DeviceView), const View& view, const DeviceView& on_device) {
  const Context& ctx = view.ctx;
  for (int axis = 0; axis < 3; ++axis) {
    if (ctx.grid[axis] == 0 || ctx.block[axis] == 0) return Status::ok;
    if (ctx.grid[axis] > INT_MAX || ctx.block[axis] > INT_MAX) return Status::launch_failed;
  }
  const auto extent = [](const int64_t (&sizes)[3]) {
    return dim3(static_cast<unsigned>(sizes[0]), static_cast<unsigned>(sizes[1]),
                static_cast<unsigned>(sizes[2]));
  };
  kernel<<<extent(ctx.grid), extent(ctx.block), 0, stream_of(ctx)>>>(on_device);
  return launched();
}

}  // namespace opgen::cuda
