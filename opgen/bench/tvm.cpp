// Wraps any opgen kernel as a tvm-ffi function. The arguments of the function are the tensors of
// the argument struct.
#include <omp.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "opgen/buffer.h"
#include "opgen/context.h"
#include "opgen/status.h"

namespace {

constexpr int most = 32;  // tensors

/// The argument struct of any op without lists.
struct Args {
  const void* desc;
  const opgen::Context* ctx;
  opgen::Buffer tensors[most];
};

using Entry = opgen::Status (*)(const Args*);

/// Divides [0, n) into equal ranges, one for each thread that gets work.
void parallel_for(void*, int64_t n, int64_t grain, opgen::Context::Body* body, void* arg) {
  const int64_t threads = std::min<int64_t>(omp_get_max_threads(), (n + grain - 1) / grain);
  const int64_t size = (n + threads - 1) / threads;
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int64_t i = 0; i < threads; ++i) {
    const int64_t begin = i * size, end = std::min(n, begin + size);
    if (begin < end) body(arg, begin, end);
  }
}

}  // namespace

/// Returns the function of the tensors for the kernel at `entry`. It passes `descriptor`.
/// `types` are the codes of the tensors' dtypes. `grid` holds three numbers of programs.
tvm::ffi::Function bind(int64_t entry, tvm::ffi::Bytes descriptor, tvm::ffi::Bytes types,
                        tvm::ffi::Bytes grid) {
  opgen::Launch launch;
  std::memcpy(launch.grid, grid.data(), sizeof(launch.grid));
  return tvm::ffi::Function::FromPacked(
      [=](const tvm::ffi::AnyView* given, int32_t count, tvm::ffi::Any*) {
    opgen::Context ctx;
    ctx.threads = omp_get_max_threads();
    ctx.parallel_for = parallel_for;
    ctx.start(launch);
    Args args{descriptor.data(), &ctx, {}};
    for (int32_t i = 0; i < count; ++i) {
      if (given[i] == nullptr) continue;
      const auto tensor = given[i].cast<tvm::ffi::TensorView>();
      args.tensors[i] = {tensor.data_ptr(), tensor.shape().data(), tensor.strides().data(),
                         static_cast<int32_t>(tensor.ndim()),
                         static_cast<opgen::ElementType>(types.data()[i])};
    }
    if (reinterpret_cast<Entry>(entry)(&args) != opgen::Status::ok) {
      throw std::runtime_error("the kernel failed");
    }
  });
}
