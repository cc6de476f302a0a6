// The switch of planted faults. Also streams and events for faults, since adapters create none.
#pragma once

#include <cstdlib>
#include <cstring>

inline bool planted(const char* fault) {
  const char* given = std::getenv("STAND_IN_FAULT");
  return given != nullptr && std::strcmp(given, fault) == 0;
}

#ifdef OPGEN_CUDA_STAND_IN
#include <cuda_runtime.h>

extern "C" {
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags);
cudaError_t cudaEventCreateWithFlags(void** event, unsigned flags);
cudaError_t cudaEventRecord(void* event, cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, void* event, unsigned flags);
}

namespace opgen {

/// Returns a new stream. If `waits`, its work starts after all work that `main` has now.
inline cudaStream_t side_of(cudaStream_t main, bool waits) {
  cudaStream_t side = nullptr;
  void* event = nullptr;
  cudaStreamCreateWithFlags(&side, 1);
  cudaEventCreateWithFlags(&event, 2);
  cudaEventRecord(event, main);
  if (waits) cudaStreamWaitEvent(side, event, 0);
  return side;
}

namespace cuda {
inline void nothing(float*) {}
}  // namespace cuda
}  // namespace opgen
#endif
