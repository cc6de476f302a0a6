// The functions of libcuda that XLA calls, in addition to those in runtime.cpp and driver.cpp, and
// of libnvidia-ml and libcudnn. These two names are links to this library.
#include <library_types.h>

#include <cstdint>
#include <cstdio>

#include "state.h"

using namespace stand_in;

namespace {

CUresult result(cudaError_t error) { return static_cast<CUresult>(error); }
void* address(CUdeviceptr pointer) { return reinterpret_cast<void*>(pointer); }

}  // namespace

// Devices.

API CUresult cuDeviceGetPCIBusId(char* id, int size, CUdevice device) {
  return result(cudaDeviceGetPCIBusId(id, size, device));
}
API CUresult cuDeviceCanAccessPeer(int* can, CUdevice, CUdevice) { return *can = 0, CUDA_SUCCESS; }
API CUresult cuDeviceTotalMem(size_t* bytes, CUdevice) { return *bytes = capacity, CUDA_SUCCESS; }
API CUresult cuMemGetInfo(size_t* left, size_t* all) { return result(cudaMemGetInfo(left, all)); }
API CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return result(cudaDeviceGetStreamPriorityRange(least, greatest));
}
API CUresult cuCtxSynchronize() { return result(cudaDeviceSynchronize()); }

// Memory.

API CUresult cuMemAlloc(CUdeviceptr* at, size_t bytes) {
  return result(cudaMalloc(reinterpret_cast<void**>(at), bytes));
}
API CUresult cuMemFree(CUdeviceptr at) { return result(cudaFree(address(at))); }
API CUresult cuMemHostAlloc(void** at, size_t bytes, unsigned flags) {
  return result(cudaHostAlloc(at, bytes, flags));
}
API CUresult cuMemFreeHost(void* at) { return result(cudaFreeHost(at)); }
API CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, size_t bytes, CUstream stream) {
  return result(cudaMemcpyAsync(address(to), from, bytes, cudaMemcpyDefault, stream));
}
API CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return result(cudaMemcpyAsync(to, address(from), bytes, cudaMemcpyDefault, stream));
}
API CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return result(cudaMemcpyAsync(address(to), address(from), bytes, cudaMemcpyDefault, stream));
}
API CUresult cuPointerGetAttribute(void* value, CUpointer_attribute what, CUdeviceptr pointer) {
  const int device = device_of(address(pointer));
  if (device < 0) return CUDA_ERROR_INVALID_VALUE;
  switch (what) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
      return cuDevicePrimaryCtxRetain(static_cast<CUcontext*>(value), device);
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      return *static_cast<int*>(value) = device, CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      return *static_cast<CUmemorytype*>(value) = CU_MEMORYTYPE_DEVICE, CUDA_SUCCESS;
    default: return CUDA_ERROR_NOT_SUPPORTED;
  }
}

// Virtual memory: reserving addresses allocates memory for them, and the other calls do nothing.

/// One byte, so that an allocation is exactly as large as the tensor.
API CUresult cuMemGetAllocationGranularity(size_t* bytes, const CUmemAllocationProp*,
                                           CUmemAllocationGranularity_flags) {
  return *bytes = 1, CUDA_SUCCESS;
}
API CUresult cuMemAddressReserve(CUdeviceptr* at, size_t bytes, size_t, CUdeviceptr,
                                 unsigned long long) {
  return cuMemAlloc(at, bytes);
}
API CUresult cuMemCreate(CUmemGenericAllocationHandle* memory, size_t, const CUmemAllocationProp*,
                         unsigned long long) {
  return *memory = 1, CUDA_SUCCESS;
}
API CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle* memory, void*) {
  return *memory = 1, CUDA_SUCCESS;
}
API CUresult cuMemMap(CUdeviceptr, size_t, size_t, CUmemGenericAllocationHandle,
                      unsigned long long) {
  return CUDA_SUCCESS;
}
API CUresult cuMemSetAccess(CUdeviceptr, size_t, const CUmemAccessDesc*, size_t) {
  return CUDA_SUCCESS;
}
API CUresult cuMemUnmap(CUdeviceptr, size_t) { return CUDA_SUCCESS; }
API CUresult cuMemRelease(CUmemGenericAllocationHandle) { return CUDA_SUCCESS; }
API CUresult cuMemAddressFree(CUdeviceptr at, size_t) { return cuMemFree(at); }

// Streams and events.

API CUresult cuStreamCreate(CUstream* stream, unsigned flags) {
  return result(cudaStreamCreateWithFlags(stream, flags));
}
API CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned flags, int priority) {
  return result(cudaStreamCreateWithPriority(stream, flags, priority));
}
API CUresult cuStreamDestroy(CUstream stream) { return result(cudaStreamDestroy(stream)); }
API CUresult cuStreamQuery(CUstream stream) { return result(cudaStreamQuery(stream)); }
API CUresult cuStreamSynchronize(CUstream stream) { return result(cudaStreamSynchronize(stream)); }
API CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  return result(cudaStreamWaitEvent(stream, event, flags));
}
API CUresult cuEventCreate(CUevent* event, unsigned flags) {
  return result(cudaEventCreateWithFlags(event, flags));
}
API CUresult cuEventDestroy(CUevent event) { return result(cudaEventDestroy(event)); }
API CUresult cuEventRecord(CUevent event, CUstream stream) {
  return result(cudaEventRecord(event, stream));
}
API CUresult cuEventQuery(CUevent event) { return result(cudaEventQuery(event)); }
API CUresult cuEventSynchronize(CUevent event) { return result(cudaEventSynchronize(event)); }
API CUresult cuEventElapsedTime(float* ms, CUevent from, CUevent to) {
  return result(cudaEventElapsedTime(ms, from, to));
}
/// XLA waits for a function of the host where PyTorch would wait for an event. So the stream's work
/// runs now, at the latest.
API CUresult cuLaunchHostFunc(CUstream handle, CUhostFn function, void* with) {
  LOCK;
  const cudaError_t error = cudaLaunchHostFunc(handle, function, with);
  if (error == cudaSuccess) wait_for(stream_of(handle));
  return result(error);
}

// NVML and cuDNN: XLA asks for versions, and wants a handle of cuDNN for each stream.

namespace {
constexpr int unsupported = 3;  // NVML_ERROR_NOT_SUPPORTED
}

API int nvmlInit_v2() { return 0; }
API int nvmlSystemGetDriverVersion(char* text, unsigned size) {
  return std::snprintf(text, size, "580.65.06"), 0;
}
API int nvmlDeviceGetHandleByPciBusId_v2(const char*, void** handle) {
  static int one;
  return *handle = &one, 0;
}
API int nvmlDeviceGetCurrPcieLinkGeneration(void*, unsigned*) { return unsupported; }
API int nvmlDeviceGetNvLinkState(void*, unsigned, int*) { return unsupported; }
API int nvmlDeviceGetGpuFabricInfoV(void*, void*) { return unsupported; }
API const char* nvmlErrorString(int) { return "not supported"; }

API int cudnnCreate(void** handle) { return *handle = handle, 0; }
API int cudnnDestroy(void*) { return 0; }
API int cudnnSetStream(void*, cudaStream_t) { return 0; }
API size_t cudnnGetVersion() { return 91200; }
API int cudnnGetProperty(libraryPropertyType which, int* value) {
  return *value = which == MAJOR_VERSION ? 9 : which == MINOR_VERSION ? 12 : 0, 0;
}
