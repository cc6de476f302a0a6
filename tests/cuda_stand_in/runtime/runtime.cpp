// The functions of libcudart that PyTorch and opgen call, except those in streams.cpp.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "state.h"

using namespace stand_in;

// Errors.

API const char* cudaGetErrorName(cudaError_t error) {
  switch (error) {
    case cudaSuccess: return "cudaSuccess";
    case cudaErrorInvalidValue: return "cudaErrorInvalidValue";
    case cudaErrorMemoryAllocation: return "cudaErrorMemoryAllocation";
    case cudaErrorInvalidConfiguration: return "cudaErrorInvalidConfiguration";
    case cudaErrorInvalidDevice: return "cudaErrorInvalidDevice";
    case cudaErrorInvalidDeviceFunction: return "cudaErrorInvalidDeviceFunction";
    case cudaErrorInvalidResourceHandle: return "cudaErrorInvalidResourceHandle";
    case cudaErrorIllegalAddress: return "cudaErrorIllegalAddress";
    case cudaErrorLaunchFailure: return "cudaErrorLaunchFailure";
    case cudaErrorLaunchOutOfResources: return "cudaErrorLaunchOutOfResources";
    case cudaErrorNoKernelImageForDevice: return "cudaErrorNoKernelImageForDevice";
    case cudaErrorNotReady: return "cudaErrorNotReady";
    case cudaErrorNotSupported: return "cudaErrorNotSupported";
    case cudaErrorPeerAccessUnsupported: return "cudaErrorPeerAccessUnsupported";
    case cudaErrorStreamCaptureUnsupported: return "cudaErrorStreamCaptureUnsupported";
    case cudaErrorStreamCaptureInvalidated: return "cudaErrorStreamCaptureInvalidated";
    case cudaErrorStreamCaptureUnjoined: return "cudaErrorStreamCaptureUnjoined";
    default: return "cudaErrorUnknown";
  }
}
API const char* cudaGetErrorString(cudaError_t error) { return cudaGetErrorName(error); }

// Devices.

namespace {
bool is_device(int device) { return device >= 0 && device < devices; }
}  // namespace

API cudaError_t cudaGetDeviceCount(int* count) { return *count = devices, cudaSuccess; }
API cudaError_t cudaGetDevice(int* device) { return *device = current, cudaSuccess; }
API cudaError_t cudaSetDevice(int device) {
  CALL("cudaSetDevice");
  if (!is_device(device)) return failed(cudaErrorInvalidDevice);
  return current = device, cudaSuccess;
}
API cudaError_t cudaDriverGetVersion(int* version) { return *version = 13000, cudaSuccess; }
API cudaError_t cudaRuntimeGetVersion(int* version) { return *version = 13000, cudaSuccess; }
API cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr what, int device) {
  if (!is_device(device)) return failed(cudaErrorInvalidDevice);
  switch (what) {
    case cudaDevAttrComputeCapabilityMajor: *value = 9; break;
    case cudaDevAttrMultiProcessorCount: *value = 4; break;
    case cudaDevAttrWarpSize: *value = 32; break;
    case cudaDevAttrMaxThreadsPerBlock: *value = 1024; break;
    case cudaDevAttrMaxSharedMemoryPerBlock: *value = 48 << 10; break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = 227 << 10; break;
    case cudaDevAttrMaxThreadsPerMultiProcessor: *value = 2048; break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: *value = 228 << 10; break;
    case cudaDevAttrMaxRegistersPerBlock:
    case cudaDevAttrMaxRegistersPerMultiprocessor: *value = 64 << 10; break;
    case cudaDevAttrMaxBlocksPerMultiprocessor: *value = 32; break;
    case cudaDevAttrMaxBlockDimX:
    case cudaDevAttrMaxBlockDimY: *value = 1024; break;
    case cudaDevAttrMaxBlockDimZ: *value = 64; break;
    case cudaDevAttrMaxGridDimX: *value = 2147483647; break;
    case cudaDevAttrMaxGridDimY:
    case cudaDevAttrMaxGridDimZ: *value = 65535; break;
    case cudaDevAttrClockRate: *value = 1700000; break;
    case cudaDevAttrMemoryClockRate: *value = 2600000; break;
    case cudaDevAttrGlobalMemoryBusWidth: *value = 5120; break;
    case cudaDevAttrL2CacheSize: *value = 50 << 20; break;
    case cudaDevAttrUnifiedAddressing: *value = 1; break;
    default: *value = 0;
  }
  return cudaSuccess;
}
API cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int device) {
  if (!is_device(device)) return failed(cudaErrorInvalidDevice);
  std::memset(p, 0, sizeof *p);
  std::strcpy(p->name, "Stand-in");
  p->uuid.bytes[0] = static_cast<char>(device + 1);
  p->major = 9, p->multiProcessorCount = 4, p->warpSize = 32;
  p->totalGlobalMem = capacity, p->totalConstMem = 64 << 10;
  p->sharedMemPerBlock = 48 << 10, p->sharedMemPerBlockOptin = 227 << 10;
  p->sharedMemPerMultiprocessor = 228 << 10;
  p->regsPerBlock = p->regsPerMultiprocessor = 64 << 10;
  p->maxThreadsPerBlock = 1024, p->maxThreadsPerMultiProcessor = 2048;
  p->maxBlocksPerMultiProcessor = 32;
  p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024, p->maxThreadsDim[2] = 64;
  p->maxGridSize[0] = 2147483647, p->maxGridSize[1] = p->maxGridSize[2] = 65535;
  p->l2CacheSize = 50 << 20, p->memPitch = 2147483647, p->textureAlignment = 512;
  p->unifiedAddressing = p->concurrentKernels = 1, p->asyncEngineCount = 2;
  p->memoryBusWidth = 5120, p->pciBusID = device + 1;
  return cudaSuccess;
}
API cudaError_t cudaDeviceGetPCIBusId(char* id, int size, int device) {
  return std::snprintf(id, static_cast<size_t>(size), "0000:%02x:00.0", device + 1), cudaSuccess;
}
API cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least != nullptr) *least = 0;
  if (greatest != nullptr) *greatest = -5;
  return cudaSuccess;
}
API cudaError_t cudaDeviceCanAccessPeer(int* can, int, int) { return *can = 0, cudaSuccess; }
API cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) {
  return failed(cudaErrorPeerAccessUnsupported);
}

// Memory.

namespace {

std::map<const char*, size_t>& pinned() {
  static auto& all = *new std::map<const char*, size_t>;
  return all;
}

bool is_pinned(const void* pointer) {
  const auto* at = static_cast<const char*>(pointer);
  const auto next = pinned().upper_bound(at);
  return next != pinned().begin() && at < std::prev(next)->first + std::prev(next)->second;
}

/// Finds the accessible address of the bytes of a copy. Returns false if they are not all in one
/// allocation.
bool place(const void* pointer, size_t bytes, Access access, char*& open, Work& work) {
  open = static_cast<char*>(const_cast<void*>(pointer));
  if (device_of(pointer) < 0) return true;
  const Shared memory = find(pointer);
  if (memory == nullptr || open + bytes > memory->at + memory->bytes) {
    violation("a copy or fill of " + std::to_string(bytes) + " bytes is not within one allocation");
    return false;
  }
  open = memory->open + (open - memory->at);
  work.memory.push_back({memory, access});
  return true;
}

cudaError_t copy(void* to, const void* from, size_t bytes, cudaStream_t handle, bool waits) {
  CALL("cudaMemcpy");
  if (bytes == 0) return cudaSuccess;
  Stream* stream = stream_of(handle);
  if (stream == nullptr) return failed(cudaErrorInvalidResourceHandle);
  const int target = device_of(to), source = device_of(from);
  const auto side = [](int device) { return device < 0 ? "the host" : std::to_string(device); };
  Work work;
  work.what =
      "copy of " + std::to_string(bytes) + " bytes from " + side(source) + " to " + side(target);
  record("copy", stream->device, stream->id, work.what);
  char *out, *in;
  if (!place(to, bytes, Access::write, out, work) || !place(from, bytes, Access::read, in, work)) {
    return failed(cudaErrorInvalidValue);
  }
  const bool pageable = (source < 0 && !is_pinned(from)) || (target < 0 && !is_pinned(to));
  if ((waits || pageable) && spoils_capture(stream)) {
    return failed(cudaErrorStreamCaptureUnsupported);
  }
  if (source < 0 && pageable) {
    // Copy pageable memory now, since the host may change it as soon as the call returns.
    auto kept = std::make_shared<std::vector<char>>(in, in + bytes);
    work.run = [kept, out] { std::memcpy(out, kept->data(), kept->size()); };
  } else {
    work.run = [=] { std::memmove(out, in, bytes); };
  }
  give(stream, std::move(work));
  if (waits || (target < 0 && pageable)) wait_for(stream);
  return cudaSuccess;
}

cudaError_t fill(void* at, int value, size_t bytes, cudaStream_t handle, bool waits) {
  CALL("cudaMemset");
  if (bytes == 0) return cudaSuccess;
  Stream* stream = stream_of(handle);
  if (stream == nullptr) return failed(cudaErrorInvalidResourceHandle);
  Work work;
  work.what = "fill of " + std::to_string(bytes) + " bytes";
  record("fill", stream->device, stream->id, work.what);
  char* out;
  if (!place(at, bytes, Access::write, out, work)) return failed(cudaErrorInvalidValue);
  work.run = [=] { std::memset(out, value, bytes); };
  give(stream, std::move(work));
  if (waits) wait_for(stream);
  return cudaSuccess;
}

cudaError_t free_now(void* at) {
  if (at == nullptr) return cudaSuccess;
  for (int d = 0; d < devices; ++d) wait_for_device(d);
  return release(at) ? cudaSuccess : failed(cudaErrorInvalidValue);
}

}  // namespace

API cudaError_t cudaMalloc(void** at, size_t bytes) {
  CALL("cudaMalloc");
  *at = nullptr;
  if (bytes == 0) return cudaSuccess;
  const Shared made = allocate(current, bytes, nullptr);
  if (made == nullptr) return failed(cudaErrorMemoryAllocation);
  return *at = made->at, cudaSuccess;
}
API cudaError_t cudaFree(void* at) {
  CALL("cudaFree");
  return free_now(at);
}

// An allocator for PyTorch (torch.cuda.memory.CUDAPluggableAllocator). Each tensor has its own
// allocation, which is freed in the order of the stream on which it was created.

API void* standInAllocate(size_t bytes, int device, cudaStream_t handle) {
  if (bytes == 0) return nullptr;
  LOCK;
  const int before = current;
  current = device;
  const Shared made = allocate(device, bytes, stream_of(handle));
  current = before;
  return made == nullptr ? nullptr : made->at;
}
API void standInFree(void* at, size_t, int, cudaStream_t) {
  LOCK;
  const Shared memory = find(at);
  if (memory == nullptr) return;
  Clock ordered = host;
  merge(ordered, memory->owner->clock);
  merge(ordered, memory->recorded);
  for (const auto& [stream, last] : memory->given) {
    if (stream == memory->owner->id || last <= ordered[stream]) continue;
    violation("memory of " + std::to_string(memory->bytes) + " bytes is freed on stream " +
              std::to_string(memory->owner->id) + " while stream " + std::to_string(stream) +
              " may still use it");
  }
  release(at);
}
/// Implements `Tensor.record_stream`.
API void standInKeep(void* at, cudaStream_t handle) {
  LOCK;
  const Shared memory = find(at);
  if (memory == nullptr) return;
  const int before = current;
  current = memory->device;
  merge(memory->recorded, {{stream_of(handle)->id, UINT64_MAX}});
  current = before;
}

API cudaError_t cudaMemGetInfo(size_t* left, size_t* all) {
  LOCK;
  return *all = capacity, *left = capacity - used(current), cudaSuccess;
}
API cudaError_t cudaHostAlloc(void** at, size_t bytes, unsigned) {
  CALL("cudaHostAlloc");
  *at = std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
  if (*at == nullptr) return failed(cudaErrorMemoryAllocation);
  return pinned()[static_cast<char*>(*at)] = bytes, cudaSuccess;
}
API cudaError_t cudaHostRegister(void* at, size_t bytes, unsigned) {
  CALL("cudaHostRegister");
  return pinned()[static_cast<char*>(at)] = bytes, cudaSuccess;
}
API cudaError_t cudaHostUnregister(void* at) {
  LOCK;
  return pinned().erase(static_cast<char*>(at)), cudaSuccess;
}
API cudaError_t cudaFreeHost(void* at) {
  cudaHostUnregister(at);
  return std::free(at), cudaSuccess;
}
API cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* found, const void* at) {
  LOCK;
  std::memset(found, 0, sizeof *found);
  void* pointer = const_cast<void*>(at);
  if (const int d = device_of(at); d >= 0) {
    found->type = cudaMemoryTypeDevice, found->device = d, found->devicePointer = pointer;
  } else if (is_pinned(at)) {
    found->type = cudaMemoryTypeHost, found->device = current;
    found->hostPointer = found->devicePointer = pointer;
  } else {
    found->type = cudaMemoryTypeUnregistered, found->device = -2;
  }
  return cudaSuccess;
}
API cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind) {
  return copy(to, from, bytes, nullptr, true);
}
API cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind,
                                cudaStream_t stream) {
  return copy(to, from, bytes, stream, false);
}
API cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, size_t bytes,
                                    cudaStream_t stream) {
  return copy(to, from, bytes, stream, false);
}
API cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                                  size_t width, size_t height, cudaMemcpyKind,
                                  cudaStream_t stream) {
  for (size_t row = 0; row < height; ++row) {
    void* out = static_cast<char*>(to) + row * to_pitch;
    const void* in = static_cast<const char*>(from) + row * from_pitch;
    const cudaError_t error = copy(out, in, width, stream, false);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}
API cudaError_t cudaMemset(void* at, int value, size_t bytes) {
  return fill(at, value, bytes, nullptr, true);
}
API cudaError_t cudaMemsetAsync(void* at, int value, size_t bytes, cudaStream_t stream) {
  return fill(at, value, bytes, stream, false);
}

/// Does the work of PyTorch's kernel that copies between tensors of the same shape.
API cudaError_t standInCopy(char* to, const char* from, int rank, const int64_t* sizes,
                            const int64_t* to_strides, const int64_t* from_strides, size_t size,
                            cudaStream_t handle) {
  CALL("cudaLaunchKernel");
  Stream* stream = stream_of(handle);
  if (stream == nullptr) return failed(cudaErrorInvalidResourceHandle);
  const std::vector<int64_t> n(sizes, sizes + rank);
  const std::vector<int64_t> at(to_strides, to_strides + rank),
      of(from_strides, from_strides + rank);
  const auto extent = [&](const std::vector<int64_t>& strides) {
    int64_t last = 0;
    for (int d = 0; d < rank; ++d) last += (n[d] - 1) * strides[d];
    return static_cast<size_t>(last + 1) * size;
  };
  Work work;
  work.what = "a copy of PyTorch's";
  record("copy", stream->device, stream->id, work.what);
  char *out, *in;
  if (!place(to, extent(at), Access::write, out, work) ||
      !place(from, extent(of), Access::read, in, work)) {
    return failed(cudaErrorInvalidValue);
  }
  work.run = [=] {
    int64_t count = 1;
    for (const int64_t each : n) count *= each;
    for (int64_t i = 0; i < count; ++i) {
      int64_t left = i, there = 0, here = 0;
      for (int d = rank; d-- > 0; left /= n[d]) {
        there += left % n[d] * at[d], here += left % n[d] * of[d];
      }
      std::memcpy(out + there * int64_t(size), in + here * int64_t(size), size);
    }
  };
  return give(stream, std::move(work)), cudaSuccess;
}

/// Lets a stream run `compute` with `count` tensors. `compute` reads the first `inputs` of them and
/// writes the others.
API cudaError_t standInCompute(void (*compute)(char**), void* const* pointers, const size_t* bytes,
                               int count, int inputs, cudaStream_t handle) {
  CALL("cudaLaunchKernel");
  Stream* stream = stream_of(handle);
  if (stream == nullptr) return failed(cudaErrorInvalidResourceHandle);
  Work work;
  work.what = "an op of PyTorch's";
  record("launch", stream->device, stream->id, work.what);
  std::vector<char*> open(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) {
    const Access access = i < inputs ? Access::read : Access::write;
    if (bytes[i] == 0) continue;
    if (!place(pointers[i], bytes[i], access, open[i], work)) return failed(cudaErrorInvalidValue);
  }
  work.run = [=]() mutable { compute(open.data()); };
  return give(stream, std::move(work)), cudaSuccess;
}

// Launches. Emulated kernels call `standInLaunch`. Kernels that nvcc compiled cannot run here.

API cudaError_t standInLaunch(cudaStream_t stream, const void* kernel, const void* arguments,
                              size_t bytes, const void* const* pointers, size_t count,
                              std::function<void()>* body) {
  const std::unique_ptr<std::function<void()>> owned(body);
  for (size_t i = 0; i < count; ++i) {
    LOCK;
    if (pointers[i] == nullptr || device_of(pointers[i]) >= 0 || is_pinned(pointers[i])) continue;
    violation(name_of(kernel) + " is given memory of the host");
    return failed(cudaErrorIllegalAddress);
  }
  return launch(stream, name_of(kernel), arguments, bytes, std::move(*owned));
}

namespace {
cudaError_t without_code(const void* kernel) {
  violation(name_of(kernel) + " was launched, and there is no code of the host for it");
  return failed(cudaErrorNoKernelImageForDevice);
}
thread_local struct {
  dim3 grid, block;
  size_t shared;
  cudaStream_t stream;
} configuration;
}  // namespace

API void** __cudaRegisterFatBinary(void*) {
  static void* one;
  return &one;
}
API void __cudaRegisterFatBinaryEnd(void**) {}
API void __cudaUnregisterFatBinary(void**) {}
API char __cudaInitModule(void**) { return 1; }
API void __cudaRegisterFunction(void**, const char*, char*, const char*, int, uint3*, uint3*, dim3*,
                                dim3*, int*) {}
API void __cudaRegisterVar(void**, char*, char*, const char*, int, size_t, int, int) {}
API unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared,
                                         CUstream_st* stream) {
  configuration = {grid, block, shared, stream};
  return 0;
}
API cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void* stream) {
  *grid = configuration.grid, *block = configuration.block, *shared = configuration.shared;
  return *static_cast<cudaStream_t*>(stream) = configuration.stream, cudaSuccess;
}
API cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host) {
  return *kernel = reinterpret_cast<cudaKernel_t>(const_cast<void*>(host)), cudaSuccess;
}
API cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3, dim3, void**, size_t, cudaStream_t) {
  return without_code(kernel);
}
API cudaError_t cudaLaunchKernel(const void* kernel, dim3, dim3, void**, size_t, cudaStream_t) {
  return without_code(kernel);
}
API cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3, dim3, void**, size_t,
                                            cudaStream_t) {
  return without_code(kernel);
}
API cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t*, const void* kernel, void**) {
  return without_code(kernel);
}
API cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* found, const void*) {
  std::memset(found, 0, sizeof *found);
  found->maxThreadsPerBlock = 1024, found->numRegs = 32;
  found->ptxVersion = found->binaryVersion = 90;
  return cudaSuccess;
}
API cudaError_t cudaFuncSetAttribute(const void*, cudaFuncAttribute, int) { return cudaSuccess; }
API cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t, cudaFuncAttribute, int, int) {
  return cudaSuccess;
}
API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void*, int size,
                                                              size_t) {
  return *blocks = size > 0 ? 2048 / size : 1, cudaSuccess;
}
API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void*,
                                                                       int size, size_t, unsigned) {
  return *blocks = size > 0 ? 2048 / size : 1, cudaSuccess;
}

// Functions of the driver that PyTorch and opgen call. libcuda is a link to this library.

API CUresult cuInit(unsigned) { return CUDA_SUCCESS; }
API CUresult cuDriverGetVersion(int* version) { return *version = 13000, CUDA_SUCCESS; }
API CUresult cuDeviceGetCount(int* count) { return *count = devices, CUDA_SUCCESS; }
API CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  return is_device(ordinal) ? (*device = ordinal, CUDA_SUCCESS) : CUDA_ERROR_INVALID_DEVICE;
}
API CUresult cuDeviceGetName(char* name, int size, CUdevice) {
  return std::snprintf(name, static_cast<size_t>(size), "Stand-in"), CUDA_SUCCESS;
}
API CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute what, CUdevice device) {
  if (what == CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED) {
    return *value = 1, CUDA_SUCCESS;  // XLA requires it
  }
  const auto same = static_cast<cudaDeviceAttr>(what);
  return static_cast<CUresult>(cudaDeviceGetAttribute(value, same, device));
}
API CUresult cuDevicePrimaryCtxGetState(CUdevice, unsigned* flags, int* active) {
  return *flags = 0, *active = 1, CUDA_SUCCESS;
}
API CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  return *context = reinterpret_cast<CUcontext>(uintptr_t(device) + 1), CUDA_SUCCESS;
}
API CUresult cuCtxGetCurrent(CUcontext* context) {
  return cuDevicePrimaryCtxRetain(context, current);
}
API CUresult cuCtxSetCurrent(CUcontext context) {
  return static_cast<CUresult>(cudaSetDevice(int(reinterpret_cast<uintptr_t>(context)) - 1));
}
API CUresult cuCtxGetDevice(CUdevice* device) { return *device = current, CUDA_SUCCESS; }
API CUresult cuCtxGetLimit(size_t* value, CUlimit) { return *value = 0, CUDA_SUCCESS; }
API CUresult cuCtxSetLimit(CUlimit, size_t) { return CUDA_SUCCESS; }
API CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus* status) {
  auto* same = reinterpret_cast<cudaStreamCaptureStatus*>(status);
  return static_cast<CUresult>(cudaStreamIsCapturing(stream, same));
}
API CUresult cuGetErrorString(CUresult error, const char** text) {
  return *text = cudaGetErrorName(static_cast<cudaError_t>(error)), CUDA_SUCCESS;
}
API CUresult cuGetErrorName(CUresult error, const char** text) {
  return cuGetErrorString(error, text);
}
namespace {
CUresult lacking() { return CUDA_ERROR_NOT_SUPPORTED; }
}  // namespace
API cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned,
                                                 unsigned long long,
                                                 cudaDriverEntryPointQueryResult* found) {
  *function = dlsym(RTLD_DEFAULT, symbol);
  if (*function == nullptr) *function = reinterpret_cast<void*>(&lacking);
  if (found != nullptr) *found = cudaDriverEntryPointSuccess;
  return cudaSuccess;
}
