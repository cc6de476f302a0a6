// Checks the JAX adapter in unusual cases: too little memory to start work on XLA's threads,
// operands without memory, and a device allocator that refuses alignments above 16 bytes.
#include "failures.h"

#include <atomic>
#include <cstdlib>
#include <new>
#include <thread>
#include <vector>

#include "opgen/jax.h"

static std::atomic<int> allowed{1 << 30};  // the number of allocations that still succeed

__attribute__((noinline)) void* operator new(size_t size) {
  void* memory = allowed.fetch_sub(1) > 0 ? std::malloc(size) : nullptr;
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
__attribute__((noinline)) void operator delete(void* memory) noexcept { std::free(memory); }
__attribute__((noinline)) void operator delete(void* memory, size_t) noexcept { std::free(memory); }

static std::vector<std::thread> pool;

alignas(4096) static char arena[1 << 14];
static size_t asked = 0;

// Returns memory that is aligned to 16 bytes only.
static XLA_FFI_Error* allocate(XLA_FFI_DeviceMemory_Allocate_Args* args) {
  asked = args->size;
  args->data = arena + 16;
  return args->alignment > 16 ? reinterpret_cast<XLA_FFI_Error*>(arena) : nullptr;
}

static void check_workspaces(XLA_FFI_Api& api) {
  api.XLA_FFI_DeviceMemory_Allocate = allocate;
  api.XLA_FFI_DeviceMemory_Free = [](XLA_FFI_DeviceMemory_Free_Args* args) -> XLA_FFI_Error* {
    HOLDS(args->data == arena + 16 && args->size == asked);
    return nullptr;
  };
  api.XLA_FFI_Error_GetMessage = [](XLA_FFI_Error_GetMessage_Args* args) {
    args->message = "RESOURCE_EXHAUSTED";
  };
  api.XLA_FFI_Error_Destroy = [](XLA_FFI_Error_Destroy_Args*) {};
  xla::ffi::DiagnosticEngine diagnostic;
  using Decoding = xla::ffi::CtxDecoding<xla::ffi::ScratchAllocator>;
  for (const int64_t align : {1, 16, 256, 512, 4096}) {
    auto scratch = Decoding::Decode(&api, nullptr, diagnostic);
    opgen::TensorSpec spec = opgen::scratch("f", 1000);
    spec.align = align;
    const opgen::jax::DeviceWorkspace workspace(spec, *scratch);
    const char* const data = static_cast<const char*>(workspace.buffer.data);
    HOLDS(data && reinterpret_cast<uintptr_t>(data) % (align > 256 ? align : 256) == 0);
    HOLDS(data >= arena + 16 && data + 1000 <= arena + 16 + asked);
  }
  auto scratch = Decoding::Decode(&api, nullptr, diagnostic);
  const opgen::jax::DeviceWorkspace none(opgen::scratch("f", 0), *scratch);
  HOLDS(none.buffer.data == nullptr);
}

int main() {
  pool.reserve(64);
  XLA_FFI_Api api{};
  api.XLA_FFI_ThreadPool_NumThreads =
      [](XLA_FFI_ThreadPool_NumThreads_Args* args) -> XLA_FFI_Error* {
    *args->num_threads = 4;
    return nullptr;
  };
  api.XLA_FFI_ThreadPool_Schedule = [](XLA_FFI_ThreadPool_Schedule_Args* args) -> XLA_FFI_Error* {
    const int before = allowed.exchange(1 << 30);
    pool.emplace_back(args->task, args->data);
    allowed = before;
    return nullptr;
  };
  xla::ffi::DiagnosticEngine diagnostic;
  auto threads = xla::ffi::CtxDecoding<xla::ffi::ThreadPool>::Decode(&api, nullptr, diagnostic);

  check_workspaces(api);
  for (int allocations = 0; allocations < 8; ++allocations) {
    const opgen::jax::CpuContext ctx(*threads);
    std::vector<std::atomic<int>> seen(1000);
    const auto kernel = [&]() noexcept {
      parallel(ctx, 1000, 10, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) ++seen[i];
      });
    };
    allowed = allocations;
    kernel();
    allowed = 1 << 30;
    for (std::thread& thread : pool) thread.join();
    pool.clear();
    for (const auto& times : seen) HOLDS(times == 1);
  }

  int64_t dims[] = {2, 3};
  XLA_FFI_Buffer made{};
  made.dtype = XLA_FFI_DataType_F32;
  made.rank = 2;
  made.dims = dims;
  const xla::ffi::AnyBuffer buffer(&made);
  HOLDS(thrown<opgen::Refused>([&] { opgen::jax::Operand("f", "x", buffer, 0); }) ==
        "f: x: expected memory for its 6 elements, got none: it was freed");
  dims[0] = 0;
  HOLDS(!opgen::jax::Operand("f", "x", buffer, 0).buffer.numel());
  return failures != 0;
}
