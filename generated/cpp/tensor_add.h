// The common declarations for kernels and adapters of the tensor_add family.
// Rendered by opgen from tensor_add.toml.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/kernel.h"

namespace generated {

/// The facts of a call for a kernel of `tensor_add`: 24 bytes, padding is zero.
struct TensorAddDescriptor {
  int64_t m;  // m
  int64_t n;  // n
  int64_t T;  // T
};
static_assert(sizeof(TensorAddDescriptor) == 24);
static_assert(offsetof(TensorAddDescriptor, m) == 0);
static_assert(offsetof(TensorAddDescriptor, n) == 8);
static_assert(offsetof(TensorAddDescriptor, T) == 16);

/// The arguments of a kernel of `tensor_add`: outputs, residuals, workspace, inputs.
struct TensorAddArgs {
  const TensorAddDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer c;  // T: m n
  opgen::Buffer a;  // T: m n
  opgen::Buffer b;  // T: m n
};

/// `TensorAddArgs` with types, as a kernel of `tensor_add` takes it.
template <class T>
struct TensorAddView {
  const TensorAddDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> c;        // m n
  opgen::Tensor<const T> a;  // m n
  opgen::Tensor<const T> b;  // m n

  explicit TensorAddView(const TensorAddArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), c(args.c), a(args.a), b(args.b) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_tensor_add_cpu(const TensorAddArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_tensor_add_cuda(const TensorAddArgs*) noexcept;

}  // namespace generated
