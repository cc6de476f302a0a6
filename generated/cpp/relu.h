// The common declarations for kernels and adapters of the relu family.
// Rendered by opgen from relu.toml.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/kernel.h"

namespace generated {

/// The facts of a call for a kernel of `relu`: 24 bytes, padding is zero.
struct ReluDescriptor {
  int64_t s;       // prod(s)
  int64_t s_rank;  // len(s)
  int64_t T;       // T
};
static_assert(sizeof(ReluDescriptor) == 24);
static_assert(offsetof(ReluDescriptor, s) == 0);
static_assert(offsetof(ReluDescriptor, s_rank) == 8);
static_assert(offsetof(ReluDescriptor, T) == 16);

/// The arguments of a kernel of `relu`: outputs, residuals, workspace, inputs.
struct ReluArgs {
  const ReluDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer y;  // T: *s
  opgen::Buffer x;  // T: *s
};

/// `ReluArgs` with types, as a kernel of `relu` takes it.
template <class T>
struct ReluView {
  const ReluDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> y;        // *s
  opgen::Tensor<const T> x;  // *s

  explicit ReluView(const ReluArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), y(args.y), x(args.x) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_relu_cpu(const ReluArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_relu_cuda(const ReluArgs*) noexcept;

/// The facts of a call for a kernel of `relu_bwd`: 24 bytes, padding is zero.
struct ReluBwdDescriptor {
  int64_t s;       // prod(s)
  int64_t s_rank;  // len(s)
  int64_t F;       // F
};
static_assert(sizeof(ReluBwdDescriptor) == 24);
static_assert(offsetof(ReluBwdDescriptor, s) == 0);
static_assert(offsetof(ReluBwdDescriptor, s_rank) == 8);
static_assert(offsetof(ReluBwdDescriptor, F) == 16);

/// The arguments of a kernel of `relu_bwd`: outputs, residuals, workspace, inputs.
struct ReluBwdArgs {
  const ReluBwdDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer dx;  // F: *s
  opgen::Buffer dy;  // F: *s
  opgen::Buffer y;   // F: *s
};

/// `ReluBwdArgs` with types, as a kernel of `relu_bwd` takes it.
template <class F>
struct ReluBwdView {
  const ReluBwdDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<F> dx;        // *s
  opgen::Tensor<const F> dy;  // *s
  opgen::Tensor<const F> y;   // *s

  explicit ReluBwdView(const ReluBwdArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), dx(args.dx), dy(args.dy), y(args.y) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_relu_bwd_cpu(const ReluBwdArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_relu_bwd_cuda(const ReluBwdArgs*) noexcept;

}  // namespace generated
