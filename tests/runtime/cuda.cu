// Compares results of the elementwise CUDA kernels with those of the CPU kernels, bit by bit.
// Tensors are at aligned and unaligned addresses, and the bytes around a result must not change.
// Prints how many calls agreed. Without a GPU, prints how many calls failed to launch, as expected.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <vector>

#include "relu_call.h"
#include "tensor_add_call.h"
#include "tensor_negate_call.h"

using namespace generated;
using opgen::Buffer;
using opgen::ElementType;
using opgen::Status;

static constexpr int64_t spare = 64;  // guard bytes on both sides; a multiple of 16
static int64_t agreed = 0, refused = 0;
static bool has_gpu = false;

static void check(bool holds, const char* what, ElementType dtype, int64_t n, int64_t offset) {
  if (holds) return;
  std::fprintf(stderr, "%s: %s, %lld elements, offset %lld\n", what, opgen::name(dtype),
               static_cast<long long>(n), static_cast<long long>(offset));
  std::exit(1);
}

// Returns memory that host and GPU share, or host memory without a GPU. It is aligned to 16 bytes.
static char* allocate(int64_t bytes) {
  void* memory = nullptr;
  if (!has_gpu) return static_cast<char*>(std::aligned_alloc(spare, (bytes / spare + 1) * spare));
  check(cudaMallocManaged(&memory, bytes) == cudaSuccess, "memory", ElementType::I8, bytes, 0);
  return static_cast<char*>(memory);
}

static void release(char* memory) {
  if (has_gpu) {
    cudaFree(memory);
  } else {
    std::free(memory);
  }
}

// Tensors of the same shape and dtype that start `offset` elements after a multiple of 16 bytes.
struct Tensors {
  int64_t sizes[2], strides[2], bytes;
  std::vector<char*> memory;
  ElementType dtype;
  int64_t n, offset;

  Tensors(ElementType dtype, int64_t n, int64_t offset)
      : sizes{1, n}, strides{n, 1}, dtype(dtype), n(n), offset(offset) {
    bytes = (n + offset) * opgen::size_of(dtype) + 2 * spare;
  }
  ~Tensors() {
    for (char* each : memory) release(each);
  }

  Buffer make() {
    memory.push_back(allocate(bytes));
    std::memset(memory.back(), 0xa5, bytes);
    return {memory.back() + spare + offset * opgen::size_of(dtype), sizes, strides, 2, dtype};
  }

  // Creates a tensor of positive and negative numbers and zeros.
  Buffer filled(unsigned seed) {
    const Buffer made = make();
    for (int64_t i = 0; i < n; ++i) {
      seed = seed * 1664525u + 1013904223u;
      const int value = static_cast<int>(seed >> 16) % 128 - 64;
      switch (dtype) {
        case ElementType::BF16: static_cast<opgen::bf16*>(made.data)[i] = value / 7.0; break;
        case ElementType::F16: static_cast<opgen::f16*>(made.data)[i] = value / 7.0; break;
        case ElementType::F32: static_cast<float*>(made.data)[i] = value / 7.0f; break;
        case ElementType::F64: static_cast<double*>(made.data)[i] = value / 7.0; break;
        default: static_cast<int8_t*>(made.data)[i] = value;
      }
    }
    return made;
  }
};

// Runs the CPU and the CUDA kernel of an op by `run(entry, platform, y)`, and compares the results.
template <class Entry, class Run>
static void compare(const char* op, Tensors& tensors, Entry cpu, Entry cuda, Run run) {
  const Buffer expected = tensors.make();
  const char* const wanted = tensors.memory.back();
  const Buffer y = tensors.make();
  const char* const got = tensors.memory.back();
  const auto holds = [&](bool value) {
    check(value, op, tensors.dtype, tensors.n, tensors.offset);
  };
  const Status status = run(cuda, opgen::Platform::cuda, y);
  if (!has_gpu && tensors.n > 0) {
    holds(status == Status::launch_failed);
    ++refused;
    return;
  }
  holds(status == Status::ok && (!has_gpu || cudaDeviceSynchronize() == cudaSuccess));
  holds(run(cpu, opgen::Platform::cpu, expected) == Status::ok);
  holds(std::memcmp(wanted, got, tensors.bytes) == 0);
  ++agreed;
}

// Returns a function that calls a kernel of an op with `inputs`.
template <class Args, class Call, class Descriptor, class... Inputs>
static auto caller(const Call& call, const Descriptor& desc, const Inputs&... inputs) {
  return [=, &call](auto entry, opgen::Platform platform, const Buffer& y) {
    opgen::Context ctx;
    if (platform == opgen::Platform::cuda && has_gpu) ctx.device = 0;
    if constexpr (std::is_same_v<Call, TensorAddCall>) ctx.start(call.launch(platform));
    const Args args{&desc, &ctx, y, inputs...};
    return entry(&args);
  };
}

static void elementwise(ElementType dtype, int64_t n, int64_t offset) {
  Tensors tensors(dtype, n, offset);
  const Buffer a = tensors.filled(4), b = tensors.filled(5);
  const ReluCall relu(a);
  compare("relu", tensors, generated_relu_cpu, generated_relu_cuda,
          caller<ReluArgs>(relu, relu.descriptor(), a));
  if (dtype != ElementType::I8) {
    const ReluBwdCall back(b, a);
    compare("relu_bwd", tensors, generated_relu_bwd_cpu, generated_relu_bwd_cuda,
            caller<ReluBwdArgs>(back, back.descriptor(), b, a));
    const TensorAddCall add(a, b);
    compare("tensor_add", tensors, generated_tensor_add_cpu, generated_tensor_add_cuda,
            caller<TensorAddArgs>(add, add.descriptor(), a, b));
  }
  if (opgen::bits(dtype) != 16) {
    const TensorNegateCall negate(a);
    compare("tensor_negate", tensors, generated_tensor_negate_cpu, generated_tensor_negate_cuda,
            caller<TensorNegateArgs>(negate, negate.descriptor(), a));
  }
}

int main() {
  int count = 0;
  has_gpu = cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
  cudaGetLastError();  // clear the error, since later checks read it
  for (ElementType dtype :
       {ElementType::F32, ElementType::BF16, ElementType::F16, ElementType::F64, ElementType::I8}) {
    for (int64_t n : {0, 1, 7, 8, 16, 17, 255, 256, 4099, 100001, 70000000}) {
      if (n > 1 << 20 && (dtype != ElementType::I8 || !has_gpu)) continue;  // GPUs only
      for (int64_t offset : {0, 1, 3}) elementwise(dtype, n, offset);
    }
  }
  std::printf("%lld agreed, %lld refused\n", static_cast<long long>(agreed),
              static_cast<long long>(refused));
}
