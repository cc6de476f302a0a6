// What kernels and adapters of the rms_norm family share.
// Rendered by opgen from rms_norm.toml.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/kernel.h"

namespace generated {

/// What a kernel of `rms_norm` is told of a call: 32 bytes, padding is zero.
struct RmsNormDescriptor {
  int32_t n1;                 // prod(batch)
  int32_t n2;                 // prod(norm)
  double eps;                 // eps
  opgen::ElementType x_type;  // T
  opgen::ElementType w_type;  // W
  int32_t part_grad_size;     // 0
};
static_assert(sizeof(RmsNormDescriptor) == 32);
static_assert(offsetof(RmsNormDescriptor, n1) == 0);
static_assert(offsetof(RmsNormDescriptor, n2) == 4);
static_assert(offsetof(RmsNormDescriptor, eps) == 8);
static_assert(offsetof(RmsNormDescriptor, x_type) == 16);
static_assert(offsetof(RmsNormDescriptor, w_type) == 20);
static_assert(offsetof(RmsNormDescriptor, part_grad_size) == 24);

/// The arguments of a kernel of `rms_norm`: outputs, residuals, workspace, inputs.
struct RmsNormArgs {
  const RmsNormDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer y;       // W: *batch *norm
  opgen::Buffer invvar;  // Acc: *batch
  opgen::Buffer x;       // T: *batch *norm
  opgen::Buffer weight;  // W: *norm
};

/// `RmsNormArgs` with types: what a kernel of `rms_norm` takes.
template <class T, class W>
struct RmsNormView {
  using Acc = opgen::accum_t<T>;

  const RmsNormDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<W> y;             // *batch *norm
  opgen::Tensor<Acc> invvar;      // *batch
  opgen::Tensor<const T> x;       // *batch *norm
  opgen::Tensor<const W> weight;  // *norm

  explicit RmsNormView(const RmsNormArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), y(args.y), invvar(args.invvar), x(args.x),
        weight(args.weight) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_rms_norm_cpu(const RmsNormArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_rms_norm_cuda(const RmsNormArgs*) noexcept;

/// What a kernel of `rms_norm_bwd` is told of a call: 32 bytes, padding is zero.
struct RmsNormBwdDescriptor {
  int32_t n1;                 // prod(batch)
  int32_t n2;                 // prod(norm)
  double eps;                 // eps
  opgen::ElementType x_type;  // T
  opgen::ElementType w_type;  // W
  int32_t part_grad_size;     // 16
};
static_assert(sizeof(RmsNormBwdDescriptor) == 32);
static_assert(offsetof(RmsNormBwdDescriptor, n1) == 0);
static_assert(offsetof(RmsNormBwdDescriptor, n2) == 4);
static_assert(offsetof(RmsNormBwdDescriptor, eps) == 8);
static_assert(offsetof(RmsNormBwdDescriptor, x_type) == 16);
static_assert(offsetof(RmsNormBwdDescriptor, w_type) == 20);
static_assert(offsetof(RmsNormBwdDescriptor, part_grad_size) == 24);

/// The arguments of a kernel of `rms_norm_bwd`: outputs, residuals, workspace, inputs.
struct RmsNormBwdArgs {
  const RmsNormBwdDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer dx;         // T: *batch *norm
  opgen::Buffer dweight;    // Sum: *norm
  opgen::Buffer part_grad;  // Acc: max(16,min(256,prod(batch))) prod(norm)
  opgen::Buffer dy;         // W: *batch *norm
  opgen::Buffer invvar;     // Acc: *batch
  opgen::Buffer x;          // T: *batch *norm
  opgen::Buffer weight;     // W: *norm
};

/// `RmsNormBwdArgs` with types: what a kernel of `rms_norm_bwd` takes.
template <class T, class W>
struct RmsNormBwdView {
  using Acc = opgen::accum_t<T>;
  using Sum = opgen::accum_t<opgen::promote_t<T, W>>;

  const RmsNormBwdDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> dx;              // *batch *norm
  opgen::Tensor<Sum> dweight;       // *norm
  opgen::Tensor<Acc> part_grad;     // max(16,min(256,prod(batch))) prod(norm)
  opgen::Tensor<const W> dy;        // *batch *norm
  opgen::Tensor<const Acc> invvar;  // *batch
  opgen::Tensor<const T> x;         // *batch *norm
  opgen::Tensor<const W> weight;    // *norm

  explicit RmsNormBwdView(const RmsNormBwdArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), dx(args.dx), dweight(args.dweight),
        part_grad(args.part_grad), dy(args.dy), invvar(args.invvar), x(args.x),
        weight(args.weight) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_rms_norm_bwd_cpu(const RmsNormBwdArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_rms_norm_bwd_cuda(const RmsNormBwdArgs*) noexcept;

}  // namespace generated
