// What CUDA kernels need besides: the stream, the device, and errors as a Status.
#pragma once

#include <cuda_runtime_api.h>

#include "opgen/context.h"
#include "opgen/status.h"

namespace opgen {

inline cudaStream_t stream_of(const Context& ctx) { return static_cast<cudaStream_t>(ctx.stream); }

/// What became of the launches since the last call.
inline Status launched() {
  return cudaGetLastError() == cudaSuccess ? Status::ok : Status::launch_failed;
}

/// Makes `device` the current one for as long as it lives.
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

}  // namespace opgen
