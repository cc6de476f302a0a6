// The common declarations for kernels and adapters of the fused_add_rms_norm family.
// Rendered by opgen from fused_add_rms_norm.toml.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opgen/kernel.h"

namespace generated {

/// The facts of a call for a kernel of `fused_add_rms_norm`: 48 bytes, padding is zero.
struct FusedAddRmsNormDescriptor {
  int64_t batch;       // prod(batch)
  int64_t batch_rank;  // len(batch)
  int64_t d;           // d
  int64_t x_stride_d;  // stride(x, -1)
  double eps;          // eps
  int64_t T;           // T
};
static_assert(sizeof(FusedAddRmsNormDescriptor) == 48);
static_assert(offsetof(FusedAddRmsNormDescriptor, batch) == 0);
static_assert(offsetof(FusedAddRmsNormDescriptor, batch_rank) == 8);
static_assert(offsetof(FusedAddRmsNormDescriptor, d) == 16);
static_assert(offsetof(FusedAddRmsNormDescriptor, x_stride_d) == 24);
static_assert(offsetof(FusedAddRmsNormDescriptor, eps) == 32);
static_assert(offsetof(FusedAddRmsNormDescriptor, T) == 40);

/// The arguments of a kernel of `fused_add_rms_norm`: outputs, residuals, workspace, inputs.
struct FusedAddRmsNormArgs {
  const FusedAddRmsNormDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer y;         // T: *batch d
  opgen::Buffer x;         // T: *batch d
  opgen::Buffer residual;  // T: *batch d
  opgen::Buffer weight;    // T: d
};

/// `FusedAddRmsNormArgs` with types, as a kernel of `fused_add_rms_norm` takes it.
template <class T>
struct FusedAddRmsNormView {
  const FusedAddRmsNormDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<T> y;             // *batch d
  opgen::Tensor<const T> x;       // *batch d
  opgen::Tensor<T> residual;      // *batch d
  opgen::Tensor<const T> weight;  // d

  explicit FusedAddRmsNormView(const FusedAddRmsNormArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), y(args.y), x(args.x), residual(args.residual),
        weight(args.weight) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_fused_add_rms_norm_cpu(
    const FusedAddRmsNormArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_fused_add_rms_norm_cuda(
    const FusedAddRmsNormArgs*) noexcept;

/// The facts of a call for a kernel of `fused_add_rms_norm_quant`: 64 bytes, padding is zero.
struct FusedAddRmsNormQuantDescriptor {
  int64_t batch;       // prod(batch)
  int64_t batch_rank;  // len(batch)
  int64_t d;           // d
  int64_t x_stride_d;  // stride(x, -1)
  double eps;          // eps
  int64_t dynamic;     // dynamic
  int64_t out_dtype;   // out_dtype
  int64_t T;           // T
};
static_assert(sizeof(FusedAddRmsNormQuantDescriptor) == 64);
static_assert(offsetof(FusedAddRmsNormQuantDescriptor, batch) == 0);
static_assert(offsetof(FusedAddRmsNormQuantDescriptor, batch_rank) == 8);
static_assert(offsetof(FusedAddRmsNormQuantDescriptor, d) == 16);
static_assert(offsetof(FusedAddRmsNormQuantDescriptor, x_stride_d) == 24);
static_assert(offsetof(FusedAddRmsNormQuantDescriptor, eps) == 32);
static_assert(offsetof(FusedAddRmsNormQuantDescriptor, dynamic) == 40);
static_assert(offsetof(FusedAddRmsNormQuantDescriptor, out_dtype) == 48);
static_assert(offsetof(FusedAddRmsNormQuantDescriptor, T) == 56);

/// The arguments of a kernel of `fused_add_rms_norm_quant`: outputs, residuals, workspace, inputs.
struct FusedAddRmsNormQuantArgs {
  const FusedAddRmsNormQuantDescriptor* desc;
  const opgen::Context* ctx;
  opgen::Buffer y;         // out_dtype: *batch d
  opgen::Buffer y_scale;   // f32: *batch 1 or *batch 0
  opgen::Buffer x;         // T: *batch d
  opgen::Buffer residual;  // T: *batch d
  opgen::Buffer weight;    // T: d
  opgen::Buffer scale;     // f32: scalar
  opgen::Buffer scale_ub;  // f32: scalar
};

/// `FusedAddRmsNormQuantArgs` with types, as a kernel of `fused_add_rms_norm_quant` takes it.
template <class T, class out_dtype>
struct FusedAddRmsNormQuantView {
  const FusedAddRmsNormQuantDescriptor& desc;
  const opgen::Context& ctx;
  opgen::Tensor<out_dtype> y;           // *batch d
  opgen::Tensor<float> y_scale;         // *batch 1 or *batch 0
  opgen::Tensor<const T> x;             // *batch d
  opgen::Tensor<T> residual;            // *batch d
  opgen::Tensor<const T> weight;        // d
  opgen::Tensor<const float> scale;     // scalar
  opgen::Tensor<const float> scale_ub;  // scalar

  explicit FusedAddRmsNormQuantView(const FusedAddRmsNormQuantArgs& args) noexcept
      : desc(*args.desc), ctx(*args.ctx), y(args.y), y_scale(args.y_scale), x(args.x),
        residual(args.residual), weight(args.weight), scale(args.scale), scale_ub(args.scale_ub) {}
};

extern "C" OPGEN_EXPORT opgen::Status generated_fused_add_rms_norm_quant_cpu(
    const FusedAddRmsNormQuantArgs*) noexcept;
extern "C" OPGEN_EXPORT opgen::Status generated_fused_add_rms_norm_quant_cuda(
    const FusedAddRmsNormQuantArgs*) noexcept;

}  // namespace generated
