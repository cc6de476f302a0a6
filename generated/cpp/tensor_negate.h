// The common declarations for kernels and adapters of the tensor_negate family.
// Rendered by opgen from tensor_negate.toml.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/kernel.h"

namespace generated {

/// The facts of a call for a kernel of `tensor_negate`: 24 bytes, padding is zero.
struct TensorNegateDescriptor {
  int64_t s;       // prod(s)
  int64_t s_rank;  // len(s)
  int64_t T;       // T
};
static_assert(sizeof(TensorNegateDescriptor) == 24);
static_assert(offsetof(TensorNegateDescriptor, s) == 0);
static_assert(offsetof(TensorNegateDescriptor, s_rank) == 8);
static_assert(offsetof(TensorNegateDescriptor, T) == 16);

/// The arguments of a kernel of `tensor_negate`: outputs, residuals, workspace, inputs.
struct TensorNegateArgs {
  const TensorNegateDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer y;  // T: *s
  opgen::Buffer x;  // T: *s
};

/// `TensorNegateArgs` with types, as a kernel of `tensor_negate` takes it.
template <class T>
struct TensorNegateView {
  const TensorNegateDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> y;        // *s
  opgen::Tensor<const T> x;  // *s

  explicit TensorNegateView(const TensorNegateArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), y(args.y), x(args.x) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_tensor_negate_cpu(const TensorNegateArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_tensor_negate_cuda(
    const TensorNegateArgs*) noexcept;

}  // namespace generated
