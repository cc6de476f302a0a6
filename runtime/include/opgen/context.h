// The resources of a kernel: a stream or a pool of threads, workspace, and the grid.
#pragma once

#include <cstdint>
#include <type_traits>

#include "opgen/buffer.h"
#include "opgen/failure.h"

namespace opgen {

/// The launch of a kernel: the number of programs, and the number of threads in each program.
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

/// Everything that a kernel receives in addition to its tensors and its descriptor.
///
/// `stream` is the device's stream (a cudaStream_t). `pool` and `parallel_for` give access to the
/// framework's own threads; they are null if only the calling thread may be used. `grid` and
/// `block` are those in the spec, and `program` is the point of the grid that this call computes.
/// `workspace` has the size that the kernel's own function returned, and the framework's alignment.
/// `symbol` is the index of the case whose function must run, and `kernel` is the index in a list
/// of kernels. `failure` is the place for a kernel's error report; it is null if nothing reads the
/// report.
struct Context {
  using Body = void(void* arg, int64_t begin, int64_t end);

  void* stream = nullptr;
  void* pool = nullptr;
  /// Calls `body(arg, begin, end)` for ranges that together cover [0, n) once, in any order and on
  /// any thread. Each range but the last has at least `grain` indices. Returns when all calls are
  /// done.
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

  /// Reports an invalid index: element `at` of `tensor`, in row-major order, is not in [low, high).
  /// The kernel must return the result, from the thread that called it.
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

/// Runs `body` for one range. It is not inlined, so that the same code runs all ranges, for any
/// number of threads. So results have the same bits, even the signs of NaNs, which compilers choose
/// freely.
template <class F>
__attribute__((noinline)) void run_range(void* body, int64_t begin, int64_t end) {
  (*static_cast<F*>(body))(begin, end);
}

}  // namespace detail

/// Calls `body(begin, end)` for ranges that together cover [0, n). The calls run in parallel if n
/// is large enough: a range has at least `grain` indices. `body` must not throw.
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
