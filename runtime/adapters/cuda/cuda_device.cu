// CUDA devices for adapters: their properties, and tensors filled with one value.
#include "opgen/cuda.h"

#include <cuda_runtime.h>

#include <cstdio>

#include "opgen/device.h"

namespace {

int32_t attribute(cudaDeviceAttr what, int32_t device) noexcept {
  int value = 0;
  if (cudaDeviceGetAttribute(&value, what, device) != cudaSuccess) {
    cudaGetLastError();
    return 0;
  }
  return value;
}

template <class Word>
__global__ void store(Word* data, int64_t count, Word value) {
  const int64_t step = int64_t{gridDim.x} * blockDim.x;
  for (int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) {
    data[i] = value;
  }
}

template <class Word>
opgen::Status launch(const opgen::Context& ctx, const opgen::Buffer& tensor,
                     const opgen::Element& value) noexcept {
  Word word;
  memcpy(&word, value.bytes, sizeof word);
  const int64_t count = opgen::extent(tensor);
  const int64_t blocks = count < 256 * 4096 ? (count + 255) / 256 : 4096;
  return opgen::cuda::launch(ctx, store<Word>, dim3(static_cast<unsigned>(blocks)), dim3(256),
                             static_cast<Word*>(tensor.data), count, word);
}

}  // namespace

opgen::DeviceProperties OPGEN_CUDA_PROPERTIES(int32_t device) noexcept {
  const int32_t major = attribute(cudaDevAttrComputeCapabilityMajor, device);
  const int32_t minor = attribute(cudaDevAttrComputeCapabilityMinor, device);
  return {10 * major + minor, attribute(cudaDevAttrMultiProcessorCount, device)};
}

opgen::DeviceName OPGEN_CUDA_NAME(int32_t device) noexcept {
  opgen::DeviceName name;
  cudaDeviceProp found;
  if (cudaGetDeviceProperties(&found, device) == cudaSuccess) {
    snprintf(name.text, sizeof name.text, "%.*s", int(sizeof name.text) - 1, found.name);
  } else {
    cudaGetLastError();
  }
  return name;
}

opgen::Status OPGEN_CUDA_FILL(const opgen::Context* ctx, const opgen::Buffer* tensor,
                              const opgen::Element* value) noexcept {
  if (tensor->numel() <= 0) return opgen::Status::ok;
  const opgen::DeviceGuard guard(ctx->device);
  if (value->uniform()) {
    const auto bytes = static_cast<size_t>(size_of(tensor->dtype, opgen::extent(*tensor)));
    const auto stream = opgen::stream_of(*ctx);
    const auto error = cudaMemsetAsync(tensor->data, value->bytes[0], bytes, stream);
    if (error == cudaSuccess) return opgen::Status::ok;
    cudaGetLastError();  // clears the error, so that later CUDA calls do not report it again
    return opgen::Status::launch_failed;
  }
  switch (value->size) {
    case 2: return launch<uint16_t>(*ctx, *tensor, *value);
    case 4: return launch<uint32_t>(*ctx, *tensor, *value);
    case 8: return launch<uint64_t>(*ctx, *tensor, *value);
    default: return launch<ulonglong2>(*ctx, *tensor, *value);
  }
}
