// The place where a kernel runs: the stream or the pool of threads, and the point of its grid.
#pragma once

#include <cstdint>
#include <type_traits>

#include "opgen/buffer.h"
#include "opgen/failure.h"

namespace opgen {

/// How many programs a kernel is started with, and of how many threads each.
struct Launch {
  int64_t grid[3] = {1, 1, 1};
  int64_t block[3] = {1, 1, 1};
};

/// Facts of a device that requirements and sizes may depend on: its architecture (80 for compute
/// capability 8.0; 0 on the CPU) and its number of multiprocessors (on the CPU: threads).
struct DeviceProperties {
  int32_t arch = 0;
  int32_t sms = 0;
};

/// Everything an adapter tells a kernel apart from tensors and descriptor.
///
/// `stream` is the device's stream (a cudaStream_t), `pool` and `parallel_for` lead to the
/// framework's own threads, and are null where there is only the calling one. `grid` and `block`
/// are what the spec says; `program` is the point of the grid that this call stands for.
/// `workspace` is as large as the kernel's own function said, aligned as the framework allocates.
/// `symbol` tells an entry which of several functions this call is for, by the place of its case,
/// and `kernel` which of a list of kernels.
/// `failure` is where a kernel reports what is wrong; null where nobody asks.
struct Context {
  using Body = void(void* arg, int64_t begin, int64_t end);

  void* stream = nullptr;
  void* pool = nullptr;
  /// Calls `body(arg, begin, end)` for ranges that make up [0, n), each once, of at least `grain`
  /// but for the last, in any order and on any thread; returns when all are done.
  void (*parallel_for)(void* pool, int64_t n, int64_t grain, Body* body, void* arg) = nullptr;
  int32_t threads = 1;
  int32_t device = -1;
  int64_t grid[3] = {1, 1, 1};
  int64_t block[3] = {1, 1, 1};
  int64_t program[3] = {0, 0, 0};
  void* workspace = nullptr;
  int64_t workspace_bytes = 0;
  int32_t symbol = 0;
  int32_t kernel = 0;
  Failure* failure = nullptr;

  /// Reports that element `at` of `tensor`, counted row by row, is not in [low, high), so it is an
  /// invalid index. The kernel returns the result, from the thread that called it.
  template <class Tensor>
  Status bad_index(const char* argument, const Tensor& tensor, int64_t at, int64_t value,
                   int64_t low, int64_t high) const noexcept {
    if (failure != nullptr) {
      *failure = {Status::ok, argument, tensor.sizes, tensor.rank, at, value, low, high};
    }
    return Status::out_of_range;
  }

  void use(const Buffer& memory) noexcept {
    workspace = memory.data;
    workspace_bytes = memory.numel();
  }

  void start(const Launch& launch) noexcept {
    for (int axis = 0; axis < 3; ++axis) {
      grid[axis] = launch.grid[axis];
      block[axis] = launch.block[axis];
    }
  }
};

namespace detail {

/// Not inlined: there is one piece of code for all ranges, however many threads share them, and so
/// the same bits, also of NaNs, whose signs compilers choose freely.
template <class F>
__attribute__((noinline)) void run_range(void* body, int64_t begin, int64_t end) {
  (*static_cast<F*>(body))(begin, end);
}

}  // namespace detail

/// Calls `body(begin, end)` for ranges that make up [0, n), in parallel where it pays: a range
/// holds at least `grain`. `body` must not throw.
template <class F>
void parallel(const Context& ctx, int64_t n, int64_t grain, F&& body) {
  using Function = std::remove_reference_t<F>;
  void* arg = const_cast<void*>(static_cast<const void*>(&body));
  if (n <= 0) return;
  if (n <= grain || ctx.threads <= 1 || ctx.parallel_for == nullptr) {
    detail::run_range<Function>(arg, 0, n);
  } else {
    ctx.parallel_for(ctx.pool, n, grain < 1 ? 1 : grain, detail::run_range<Function>, arg);
  }
}

}  // namespace opgen
