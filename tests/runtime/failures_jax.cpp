// Threads of XLA that there is no memory to ask, and operands without memory.
#include "failures.h"

#include <atomic>
#include <cstdlib>
#include <new>
#include <thread>
#include <vector>

#include "opgen/jax.h"

static std::atomic<int> allowed{1 << 30};  // allocations until there is no memory left

__attribute__((noinline)) void* operator new(size_t size) {
  void* memory = allowed.fetch_sub(1) > 0 ? std::malloc(size) : nullptr;
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
__attribute__((noinline)) void operator delete(void* memory) noexcept { std::free(memory); }
__attribute__((noinline)) void operator delete(void* memory, size_t) noexcept { std::free(memory); }

static std::vector<std::thread> pool;

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
