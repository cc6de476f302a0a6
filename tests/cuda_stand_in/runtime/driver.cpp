// The functions of libcuda that launch precompiled kernels. A launch is checked and recorded with
// its arguments, but the kernel does not run.
#include <elf.h>

#include <cstdlib>
#include <cstring>

#include "state.h"

using namespace stand_in;

namespace {

struct Function {
  std::string name;
  std::vector<unsigned> sizes;  // of its parameters, in bytes
  unsigned shared = 48 << 10;   // the most bytes of shared memory for a launch
};

/// Reads what a cubin says of a function; false: it has no such function. Other code has any.
bool read(const char* image, Function& function) {
  if (std::memcmp(image, ELFMAG, SELFMAG) != 0) return true;
  Elf64_Ehdr head;
  std::memcpy(&head, image, sizeof head);
  std::vector<Elf64_Shdr> sections(head.e_shnum);
  std::memcpy(sections.data(), image + head.e_shoff, head.e_shnum * sizeof(Elf64_Shdr));
  const char* const names = image + sections[head.e_shstrndx].sh_offset;
  bool there = false;
  for (const Elf64_Shdr& section : sections) {
    const std::string name = names + section.sh_name;
    there |= name == ".text." + function.name;
    if (name != ".nv.info." + function.name) continue;
    const char* const end = image + section.sh_offset + section.sh_size;
    for (const char* at = image + section.sh_offset; at < end;) {
      // An attribute: its form, its kind, and its value or the number of bytes of that.
      const char form = at[0], kind = at[1];
      uint16_t bytes, ordinal;
      std::memcpy(&bytes, at + 2, sizeof bytes);
      const char* const value = at + 4;
      at = value + (form == 4 ? bytes : 0);
      if (form != 4 || kind != 0x17) continue;  // EIATTR_KPARAM_INFO
      uint32_t word;
      std::memcpy(&ordinal, value + 4, sizeof ordinal);
      std::memcpy(&word, value + 8, sizeof word);
      if (function.sizes.size() <= ordinal) function.sizes.resize(ordinal + 1u);
      function.sizes[ordinal] = word >> 18;
    }
  }
  return there;
}

constexpr unsigned most_shared = 227 << 10;

std::vector<int>& pushed() {
  static thread_local std::vector<int> devices_before;
  return devices_before;
}

CUresult result(cudaError_t error) { return static_cast<CUresult>(error); }

/// Fills `height` rows of `width` elements. `pitch` is the distance between rows in bytes.
CUresult fill(CUdeviceptr at, size_t pitch, const void* value, size_t size, size_t width,
              size_t height, CUstream handle) {
  LOCK;
  if (const cudaError_t error = demanded("cuMemsetD8Async")) return result(error);
  if (width == 0 || height == 0) return CUDA_SUCCESS;
  Stream* stream = stream_of(handle);
  if (stream == nullptr || stream->device != current) return CUDA_ERROR_INVALID_HANDLE;
  auto* to = reinterpret_cast<char*>(at);
  const Shared memory = find(to);
  if (memory == nullptr || to + (height - 1) * pitch + width * size > memory->at + memory->bytes) {
    violation("a fill is not within one allocation");
    return CUDA_ERROR_INVALID_VALUE;
  }
  Work work;
  work.what = "fill of " + std::to_string(height * width * size) + " bytes";
  work.memory.push_back({memory, Access::write});
  record("fill", stream->device, stream->id, work.what);
  const std::vector<char> word(static_cast<const char*>(value),
                               static_cast<const char*>(value) + size);
  char* const open = memory->open + (to - memory->at);
  work.run = [=] {
    for (size_t row = 0; row < height; ++row) {
      for (size_t i = 0; i < width; ++i) {
        std::memcpy(open + row * pitch + i * size, word.data(), size);
      }
    }
  };
  return give(stream, std::move(work)), CUDA_SUCCESS;
}

}  // namespace

API CUresult cuCtxPushCurrent(CUcontext context) {
  pushed().push_back(current);
  return result(cudaSetDevice(static_cast<int>(reinterpret_cast<uintptr_t>(context)) - 1));
}
API CUresult cuCtxPopCurrent(CUcontext* context) {
  if (pushed().empty()) return CUDA_ERROR_INVALID_CONTEXT;
  *context = reinterpret_cast<CUcontext>(static_cast<uintptr_t>(current) + 1);
  current = pushed().back();
  return pushed().pop_back(), CUDA_SUCCESS;
}

API CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  LOCK;
  if (const cudaError_t error = demanded("cuModuleLoadData")) return result(error);
  record("module", current, -1, "");
  return *module = static_cast<CUmodule>(const_cast<void*>(image)), CUDA_SUCCESS;
}
API CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  auto made = std::make_unique<Function>();
  made->name = name;
  if (!read(reinterpret_cast<const char*>(module), *made)) return CUDA_ERROR_NOT_FOUND;
  return *function = reinterpret_cast<CUfunction>(made.release()), CUDA_SUCCESS;
}
API CUresult cuFuncSetAttribute(CUfunction handle, CUfunction_attribute what, int value) {
  if (what != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) return CUDA_SUCCESS;
  if (value < 0 || static_cast<unsigned>(value) > most_shared) return CUDA_ERROR_INVALID_VALUE;
  return reinterpret_cast<Function*>(handle)->shared = static_cast<unsigned>(value), CUDA_SUCCESS;
}
API CUresult cuLaunchKernel(CUfunction handle, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                            unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                            CUstream stream, void** parameters, void**) {
  const Function& function = *reinterpret_cast<Function*>(handle);
  const bool fits = grid_x > 0 && grid_y > 0 && grid_z > 0 && grid_y <= 65535 && grid_z <= 65535 &&
                    block_x * block_y * block_z > 0 && block_x * block_y * block_z <= 1024;
  if (!fits || shared > function.shared) return CUDA_ERROR_INVALID_VALUE;
  std::string what = function.name + " of " + std::to_string(grid_x) + "x" +
                     std::to_string(grid_y) + "x" + std::to_string(grid_z) + " blocks, " +
                     std::to_string(shared) + " bytes";
  std::vector<uint64_t> given(function.sizes.size());
  for (size_t i = 0; i < given.size(); ++i) {
    std::memcpy(&given[i], parameters[i], function.sizes[i]);
    what += (i == 0 ? ": " : " ") + std::to_string(given[i]);
  }
  return result(launch(stream, what, given.data(), given.size() * sizeof(uint64_t), [] {}));
}

API CUresult cuMemsetD8Async(CUdeviceptr at, unsigned char value, size_t count, CUstream stream) {
  return fill(at, count, &value, 1, count, 1, stream);
}
API CUresult cuMemsetD16Async(CUdeviceptr at, unsigned short value, size_t count, CUstream stream) {
  return fill(at, 2 * count, &value, 2, count, 1, stream);
}
API CUresult cuMemsetD32Async(CUdeviceptr at, unsigned value, size_t count, CUstream stream) {
  return fill(at, 4 * count, &value, 4, count, 1, stream);
}
API CUresult cuMemsetD2D32Async(CUdeviceptr at, size_t pitch, unsigned value, size_t width,
                                size_t height, CUstream stream) {
  return fill(at, pitch, &value, 4, width, height, stream);
}
