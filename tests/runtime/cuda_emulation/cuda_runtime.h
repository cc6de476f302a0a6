// For tests only: replaces the CUDA runtime's header of this name, so that a host compiler can
// compile CUDA kernels and run them on the CPU.
//
// The threads of a block are fibers on the calling thread. Fibers switch at barriers and shuffles,
// in varying order, and some warps run long before others. Blocks run one after another, in
// ascending or descending order. The emulation shows what a kernel computes, whether all threads
// reach its barriers, and most missing barriers. It shows neither speed nor the races of a real
// memory model.
#pragma once

#include <setjmp.h>
#include <ucontext.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <type_traits>
#include <vector>

#define __global__
#define __device__
#define __host__
#define __shared__ static
#define __launch_bounds__(...)

struct uint3 {
  unsigned x, y, z;
};

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
  unsigned volume() const { return x * y * z; }
};

inline uint3 threadIdx, blockIdx;
inline dim3 blockDim, gridDim;

namespace cuda_emulation {

[[noreturn]] inline void stop(const char* why) {
  std::fprintf(stderr, "CUDA emulation: %s, block %u, thread (%u, %u)\n", why, blockIdx.x,
               threadIdx.x, threadIdx.y);
  std::abort();
}

constexpr unsigned warp_size = 32;
constexpr unsigned most_threads = 1024;

enum class State { running, at_warp_barrier, at_block_barrier, finished };

struct Fiber {
  static constexpr size_t stack_size = 1 << 16;

  std::unique_ptr<char[]> stack{new char[stack_size]};
  ucontext_t entry;
  jmp_buf place;
  bool started = false;
  uint3 index;
  State state = State::finished;
  int line = 0;                    // the line of the barrier at which it waits
  alignas(16) char exchanged[16];  // the value that it gives to its warp in a shuffle
};

class Machine {
 public:
  void run(dim3 grid, dim3 block, std::function<void()> body) {
    std::lock_guard<std::mutex> lock(mutex_);
    body_ = std::move(body);
    gridDim = grid;
    blockDim = block;
    ++launches_;
    while (fibers_.size() < block.volume()) fibers_.push_back(std::make_unique<Fiber>());
    const unsigned blocks = grid.volume();
    for (unsigned n = 0; n < blocks; ++n) {
      const unsigned at = launches_ % 2 == 0 ? n : blocks - 1 - n;
      blockIdx = {at % grid.x, at / grid.x % grid.y, at / grid.x / grid.y};
      run_block();
    }
  }

  Fiber& current() { return *fibers_[current_]; }
  Fiber& neighbour(unsigned lane) { return *fibers_[current_ / warp_size * warp_size + lane]; }
  unsigned lane() const { return current_ % warp_size; }

  /// Runs other fibers until the current fiber may continue.
  void wait(State state, int line) {
    current().state = state;
    current().line = line;
    if (_setjmp(current().place) == 0) _longjmp(scheduler_, 1);
    current().line = 0;
  }

 private:
  void run_block() {
    const unsigned threads = blockDim.volume();
    for (unsigned i = 0; i < threads; ++i) {
      fibers_[i]->index = {i % blockDim.x, i / blockDim.x % blockDim.y,
                           i / blockDim.x / blockDim.y};
      fibers_[i]->state = State::running;
    }
    unsigned delayed = random();  // bits of the warps that wait until no other warp can continue
    for (unsigned left = threads; left > 0;) {
      bool moved = false;
      const bool forwards = random() & 1;
      const unsigned first = random() % threads;
      for (unsigned n = 0; n < threads; ++n) {
        const unsigned i = (first + (forwards ? n : threads - n)) % threads;
        if (fibers_[i]->state != State::running || (delayed >> i / warp_size & 1)) continue;
        resume(i);
        moved = true;
        left -= fibers_[i]->state == State::finished;
      }
      if (release_warps(threads) || moved) continue;
      if (delayed != 0) {
        delayed = 0;
      } else if (open(0, threads, State::at_block_barrier)) {
        delayed = random();
      } else if (left > 0) {
        stop("a barrier that not all threads reach");
      }
    }
  }

  unsigned random() {
    seed_ = seed_ * 1664525u + 1013904223u;
    return seed_ >> 16 | seed_ << 16;
  }

  void resume(unsigned i) {
    current_ = i;
    threadIdx = current().index;
    if (_setjmp(scheduler_) != 0) return;
    if (current().started) _longjmp(current().place, 1);
    current().started = true;
    getcontext(&current().entry);
    current().entry.uc_stack.ss_sp = current().stack.get();
    current().entry.uc_stack.ss_size = Fiber::stack_size;
    current().entry.uc_link = nullptr;
    makecontext(&current().entry, reinterpret_cast<void (*)()>(&Machine::enter), 2,
                static_cast<unsigned>(reinterpret_cast<uintptr_t>(this) >> 32),
                static_cast<unsigned>(reinterpret_cast<uintptr_t>(this)));
    setcontext(&current().entry);
  }

  /// The function of a fiber. It runs the kernel for one thread after another.
  static void enter(unsigned high, unsigned low) {
    Machine& machine = *reinterpret_cast<Machine*>(static_cast<uintptr_t>(high) << 32 | low);
    for (;;) {
      machine.body_();
      machine.wait(State::finished, 0);
    }
  }

  /// Continues each warp whose threads all wait at a barrier of the warp.
  bool release_warps(unsigned threads) {
    bool released = false;
    for (unsigned first = 0; first < threads; first += warp_size) {
      released |= open(first, std::min(first + warp_size, threads), State::at_warp_barrier);
    }
    return released;
  }

  bool open(unsigned first, unsigned last, State barrier) {
    int line = 0;
    for (unsigned i = first; i < last; ++i) {
      if (fibers_[i]->state == State::finished && barrier == State::at_block_barrier) continue;
      if (fibers_[i]->state != barrier) return false;
      if (line != 0 && fibers_[i]->line != line) stop("threads wait at different barriers");
      line = fibers_[i]->line;
    }
    for (unsigned i = first; i < last; ++i) {
      if (fibers_[i]->state == barrier) fibers_[i]->state = State::running;
    }
    return line != 0;
  }

  std::mutex mutex_;
  std::function<void()> body_;
  std::vector<std::unique_ptr<Fiber>> fibers_;
  jmp_buf scheduler_;
  unsigned current_ = 0, launches_ = 0, seed_ = 1;
};

inline Machine machine;

}  // namespace cuda_emulation

inline void __syncthreads(int line = __builtin_LINE()) {
  cuda_emulation::machine.wait(cuda_emulation::State::at_block_barrier, line);
}

inline void __syncwarp(unsigned = ~0u, int line = __builtin_LINE()) {
  cuda_emulation::machine.wait(cuda_emulation::State::at_warp_barrier, line);
}

template <class T>
T __shfl_sync(unsigned mask, T value, int lane, int line = __builtin_LINE()) {
  static_assert(sizeof(T) <= 16);
  if (mask != ~0u) cuda_emulation::stop("a shuffle of part of a warp");
  std::memcpy(cuda_emulation::machine.current().exchanged, &value, sizeof value);
  __syncwarp(mask, line);
  std::memcpy(&value, cuda_emulation::machine.neighbour(lane % 32).exchanged, sizeof value);
  __syncwarp(mask, line);
  return value;
}

template <class T>
T __shfl_xor_sync(unsigned mask, T value, int lanes, int line = __builtin_LINE()) {
  return __shfl_sync(mask, value, cuda_emulation::machine.lane() ^ lanes, line);
}

template <class T>
T __shfl_up_sync(unsigned mask, T value, int lanes, int line = __builtin_LINE()) {
  const int lane = static_cast<int>(cuda_emulation::machine.lane());
  return __shfl_sync(mask, value, lane < lanes ? lane : lane - lanes, line);
}

inline unsigned __ballot_sync(unsigned mask, int predicate, int line = __builtin_LINE()) {
  if (mask != ~0u) cuda_emulation::stop("a ballot of part of a warp");
  cuda_emulation::machine.current().exchanged[0] = predicate != 0;
  __syncwarp(mask, line);
  unsigned ballot = 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    ballot |= static_cast<unsigned>(cuda_emulation::machine.neighbour(lane).exchanged[0]) << lane;
  }
  __syncwarp(mask, line);
  return ballot;
}

inline int __popc(unsigned bits) { return __builtin_popcount(bits); }
inline int __ffs(int bits) { return __builtin_ffs(bits); }
inline float __fmul_rn(float a, float b) { return a * b; }

// Functions of the CUDA runtime that the kernels' headers call.

using cudaStream_t = void*;
enum cudaError_t { cudaSuccess = 0, cudaErrorInvalidConfiguration = 9 };

struct ulonglong2 {
  unsigned long long x, y;
};

struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  size_t dynamicSmemBytes = 0;
  cudaStream_t stream = nullptr;
};

#ifdef OPGEN_CUDA_STAND_IN  // tests/cuda_stand_in has these functions and launches the kernels

enum cudaDeviceAttr {
  cudaDevAttrMultiProcessorCount = 16,
  cudaDevAttrComputeCapabilityMajor = 75,
  cudaDevAttrComputeCapabilityMinor = 76,
};

struct cudaDeviceProp {
  char name[256];
  char others[4096];
};

extern "C" {
cudaError_t cudaGetLastError();
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr what, int device);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
cudaError_t cudaMemsetAsync(void* at, int value, size_t bytes, cudaStream_t stream);
cudaError_t standInLaunch(cudaStream_t stream, const void* kernel, const void* arguments,
                          size_t bytes, const void* const* pointers, size_t count,
                          std::function<void()>* body);
}

namespace cuda_emulation {

template <class... Parameters>
cudaError_t start(cudaStream_t stream, const void* kernel, std::function<void()> body,
                  const Parameters&... arguments) {
  std::vector<char> bytes;
  std::vector<const void*> pointers;
  const auto add = [&](const auto& argument) {
    const size_t at = bytes.size();
    bytes.resize(at + (sizeof argument + 7) / 8 * 8);
    std::memcpy(&bytes[at], &argument, sizeof argument);
    if constexpr (std::is_pointer_v<std::decay_t<decltype(argument)>>) pointers.push_back(argument);
  };
  (add(arguments), ...);
  return standInLaunch(stream, kernel, bytes.data(), bytes.size(), pointers.data(), pointers.size(),
                       new std::function<void()>(std::move(body)));
}

}  // namespace cuda_emulation

#else

inline cudaError_t cudaGetLastError() { return cudaSuccess; }
inline cudaError_t cudaGetDevice(int* device) { return *device = 0, cudaSuccess; }
inline cudaError_t cudaSetDevice(int) { return cudaSuccess; }

namespace cuda_emulation {

template <class... Parameters>
cudaError_t start(cudaStream_t, const void*, const std::function<void()>& body,
                  const Parameters&...) {
  body();
  return cudaSuccess;
}

}  // namespace cuda_emulation

#endif

template <class... Parameters>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                               Parameters... arguments) {
  static_assert((sizeof(Parameters) + ... + 0) <= 4096, "a kernel's parameters take at most 4 KB");
  const dim3 grid = config->gridDim, block = config->blockDim;
  const bool fits = grid.volume() > 0 && grid.y <= 65535 && grid.z <= 65535 && block.volume() > 0 &&
                    block.volume() <= cuda_emulation::most_threads;
  if (!fits) return cudaErrorInvalidConfiguration;
  const auto body = [=] {
    cuda_emulation::machine.run(grid, block, [=] { kernel(arguments...); });
  };
  const auto function = reinterpret_cast<const void*>(kernel);
  return cuda_emulation::start(config->stream, function, body, arguments...);
}
