// Support for CUDA kernels: the stream, the device, launches, and errors as a Status.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "opgen/context.h"
#include "opgen/status.h"

namespace opgen {

inline cudaStream_t stream_of(const Context& ctx) { return static_cast<cudaStream_t>(ctx.stream); }

/// Returns the status of all launches since the last call of this function.
inline Status launched() {
  return cudaGetLastError() == cudaSuccess ? Status::ok : Status::launch_failed;
}

/// Makes `device` the current device during the lifetime of this object.
class DeviceGuard {
 public:
  explicit DeviceGuard(int device) {
    if (device < 0 || cudaGetDevice(&before_) != cudaSuccess || before_ == device) return;
    changed_ = cudaSetDevice(device) == cudaSuccess;
  }
  ~DeviceGuard() {
    if (changed_) cudaSetDevice(before_);
  }
  DeviceGuard(const DeviceGuard&) = delete;

 private:
  int before_ = -1;
  bool changed_ = false;
};

namespace cuda {

/// Returns the number of blocks along x for `work` items, with `each` items in a block. If the
/// hardware allows fewer blocks, kernels must loop over the remaining items.
inline unsigned blocks_for(int64_t work, int64_t each) noexcept {
  constexpr int64_t most = (int64_t{1} << 31) - 1;
  const int64_t blocks = work / each + (work % each != 0);
  return static_cast<unsigned>(blocks < most ? blocks : most);
}

/// Starts `kernel(arguments...)` on the context's stream, without waiting for it.
template <class... Parameters, class... Arguments>
Status launch(const Context& ctx, void (*kernel)(Parameters...), dim3 grid, dim3 block,
              const Arguments&... arguments) noexcept {
  cudaLaunchConfig_t config{};
  config.gridDim = grid;
  config.blockDim = block;
  config.stream = stream_of(ctx);
  const cudaError_t error =
      cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...);
  if (error == cudaSuccess) return Status::ok;
  cudaGetLastError();  // clears the error, so that later CUDA calls do not report it again
  return Status::launch_failed;
}

}  // namespace cuda

}  // namespace opgen
