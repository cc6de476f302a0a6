// The common declarations for kernels and adapters of the rms_layer_norm family.
// Rendered by opgen from rms_layer_norm.toml.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/kernel.h"

namespace generated {

/// The facts of a call for a kernel of `rms_layer_norm`: 40 bytes, padding is zero.
struct RmsLayerNormDescriptor {
  int64_t rows;        // prod(batch)
  int64_t columns;     // prod(normalized_shape)
  double offset;       // offset
  int64_t cast_first;  // cast_first
  double eps;          // eps
};
static_assert(sizeof(RmsLayerNormDescriptor) == 40);
static_assert(offsetof(RmsLayerNormDescriptor, rows) == 0);
static_assert(offsetof(RmsLayerNormDescriptor, columns) == 8);
static_assert(offsetof(RmsLayerNormDescriptor, offset) == 16);
static_assert(offsetof(RmsLayerNormDescriptor, cast_first) == 24);
static_assert(offsetof(RmsLayerNormDescriptor, eps) == 32);

/// The arguments of a kernel of `rms_layer_norm`: outputs, residuals, workspace, inputs.
struct RmsLayerNormArgs {
  const RmsLayerNormDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer y;       // Y: *batch *normalized_shape
  opgen::Buffer rstd;    // Acc: *batch
  opgen::Buffer x;       // T: *batch *normalized_shape
  opgen::Buffer weight;  // W: *normalized_shape
};

/// `RmsLayerNormArgs` with types, as a kernel of `rms_layer_norm` takes it.
template <class T, class W, class Y>
struct RmsLayerNormView {
  using Acc = opgen::accum_t<T>;

  const RmsLayerNormDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<Y> y;             // *batch *normalized_shape
  opgen::Tensor<Acc> rstd;        // *batch
  opgen::Tensor<const T> x;       // *batch *normalized_shape
  opgen::Tensor<const W> weight;  // *normalized_shape

  explicit RmsLayerNormView(const RmsLayerNormArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), y(args.y), rstd(args.rstd), x(args.x),
        weight(args.weight) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_rms_layer_norm_cpu(
    const RmsLayerNormArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_rms_layer_norm_cuda(
    const RmsLayerNormArgs*) noexcept;

/// The facts of a call for a kernel of `rms_layer_norm_bwd`: 32 bytes, padding is zero.
struct RmsLayerNormBwdDescriptor {
  int64_t rows;        // prod(batch)
  int64_t columns;     // prod(norm)
  double offset;       // offset
  int64_t cast_first;  // cast_first
};
static_assert(sizeof(RmsLayerNormBwdDescriptor) == 32);
static_assert(offsetof(RmsLayerNormBwdDescriptor, rows) == 0);
static_assert(offsetof(RmsLayerNormBwdDescriptor, columns) == 8);
static_assert(offsetof(RmsLayerNormBwdDescriptor, offset) == 16);
static_assert(offsetof(RmsLayerNormBwdDescriptor, cast_first) == 24);

/// The arguments of a kernel of `rms_layer_norm_bwd`: outputs, residuals, workspace, inputs.
struct RmsLayerNormBwdArgs {
  const RmsLayerNormBwdDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer dx;         // T: *batch *norm
  opgen::Buffer dweight;    // Acc: *norm
  opgen::Buffer part_grad;  // Acc: max(16,min(256,prod(batch))) prod(norm)
  opgen::Buffer dy;         // Y: *batch *norm
  opgen::Buffer x;          // T: *batch *norm
  opgen::Buffer rstd;       // Acc: *batch
  opgen::Buffer weight;     // W: *norm
};

/// `RmsLayerNormBwdArgs` with types, as a kernel of `rms_layer_norm_bwd` takes it.
template <class T, class W, class Y>
struct RmsLayerNormBwdView {
  using Acc = opgen::accum_t<T>;

  const RmsLayerNormBwdDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> dx;            // *batch *norm
  opgen::Tensor<Acc> dweight;     // *norm
  opgen::Tensor<Acc> part_grad;   // max(16,min(256,prod(batch))) prod(norm)
  opgen::Tensor<const Y> dy;      // *batch *norm
  opgen::Tensor<const T> x;       // *batch *norm
  opgen::Tensor<const Acc> rstd;  // *batch
  opgen::Tensor<const W> weight;  // *norm

  explicit RmsLayerNormBwdView(const RmsLayerNormBwdArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), dx(args.dx), dweight(args.dweight),
        part_grad(args.part_grad), dy(args.dy), x(args.x), rstd(args.rstd), weight(args.weight) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_rms_layer_norm_bwd_cpu(
    const RmsLayerNormBwdArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_rms_layer_norm_bwd_cuda(
    const RmsLayerNormBwdArgs*) noexcept;

}  // namespace generated
